"""Ctrl-C, `kill` and a terminal that is closed: a command ends at once, with a word."""

import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
AGAIN = 0.02
"""Seconds until a signal that came where Python ignores exceptions is raised again."""


class Stopped(KeyboardInterrupt):
    """A signal that ends the command."""


received: list[int] = []
"""The signals so far."""


def listen() -> None:
    """Raise `Stopped` for each of the signals, unless it is to be ignored, as `nohup` asks."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)
    sys.unraisablehook = _show_unraisable


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    """Raise the exception that ends the command."""
    received.append(number)
    raise Stopped


def _show_unraisable(ignored: Any) -> None:
    """Raise a signal again that came within a callback, where exceptions are only shown."""
    if not isinstance(ignored.exc_value, Stopped):
        sys.__unraisablehook__(ignored)
        return
    from _thread import interrupt_main
    from threading import Timer

    again = Timer(AGAIN, interrupt_main, [received[-1]])
    again.daemon = True
    again.start()


def exit_code() -> int:
    """The exit code that shells give a program which the first signal ended."""
    return 128 + received[0]


def ignore() -> None:
    """Let a further signal cut neither the last message nor the exit code of the program."""
    for number in SIGNALS:
        if signal.getsignal(number) == _stop:
            signal.signal(number, signal.SIG_IGN)


def leave(code: int) -> NoReturn:
    """End the process at once: nobody waits for threads whose results are not wanted any more."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)
