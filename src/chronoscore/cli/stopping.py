"""Ctrl-C, `kill` and a terminal that is closed: a command ends at once, with a word."""

import os
import signal
import sys
from _thread import get_ident, start_new_thread
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
    if hasattr(signal, "pthread_kill"):
        heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        # Not `threading`, whose locks the main thread may hold when a signal comes.
        start_new_thread(_insist, (heard, get_ident()))


def _stop(number: int, _frame: FrameType | None) -> None:
    """Raise the exception that ends the command; further signals do not cut its clearing up."""
    received.append(number)
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


def _insist(heard: int, main: int) -> None:
    """Wait for a signal; send it again if nobody acts on it, and end the process if nothing helps.

    The system may hand a signal to any thread, which does not wake a main thread that sleeps.
    Exceptions are lost within callbacks of Python, and in code that catches all of them.
    """
    number = 0
    # A server takes the signals itself.
    while number not in SIGNALS or signal.getsignal(number) != _stop:
        number = os.read(heard, 1)[0]
    until = monotonic() + PATIENCE
    while monotonic() < until:
        sleep(AGAIN)
        if signal.getsignal(number) == _stop and not _is_being_stopped():
            signal.pthread_kill(main, number)
    os.write(2, b"chronoscore: stopped\n")
    os._exit(128 + number)


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
