"""Ctrl-C, `kill` and a terminal that is closed: a command ends at once, with a word."""

import os
import signal
import sys
from _thread import get_ident, interrupt_main, start_new_thread
from time import monotonic, sleep
from types import FrameType
from typing import Any, NoReturn
from weakref import ref

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
AGAIN = 0.02
"""Seconds until a signal whose exception was lost is sent again."""
PATIENCE = 20.0
"""Seconds after which a command that does not let itself be stopped is ended."""


class Stopped(KeyboardInterrupt):
    """A signal that ends the command."""


received: list[int] = []
"""The signals so far."""
_raised: "list[ref[Stopped]]" = []
"""The latest exception: while it is alive it is being handled, and no other is raised."""


def listen() -> None:
    """Raise `Stopped` for each of the signals, unless it is to be ignored, as `nohup` asks."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)
    sys.unraisablehook = _show_unraisable


def _stop(number: int, _frame: FrameType | None) -> None:
    """Raise the exception that ends the command; further signals do not cut its clearing up."""
    received.append(number)
    if len(received) == 1:
        # Not `threading`, whose locks the main thread may hold at this moment.
        start_new_thread(_insist, (get_ident(),))
    if _is_being_stopped():
        return
    error = Stopped()
    _raised[:] = [ref(error)]
    try:
        raise error
    finally:
        del error


def _is_being_stopped() -> bool:
    """Whether the exception is on its way to the end of the command."""
    return bool(_raised) and _raised[0]() is not None


def _insist(main: int) -> None:
    """Send the signal again if its exception was lost; end the process if nothing helps.

    Exceptions are lost within callbacks of Python, and in code that catches all of them.
    """
    until = monotonic() + PATIENCE
    while monotonic() < until:
        sleep(AGAIN)
        if _is_being_stopped():
            continue
        if hasattr(signal, "pthread_kill"):
            # Unlike `interrupt_main`, this wakes a thread that sleeps or waits.
            signal.pthread_kill(main, received[0])
        else:
            interrupt_main(signal.Signals(received[0]))
    os.write(2, b"chronoscore: stopped\n")
    os._exit(exit_code())


def _show_unraisable(ignored: Any) -> None:
    """Say nothing of a signal that came within a callback: it is sent again."""
    if not isinstance(ignored.exc_value, Stopped):
        sys.__unraisablehook__(ignored)


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
