"""What long work says about itself while it goes on.

The caller may listen; without a listener nothing happens. Work in other processes
is announced by the process that waits for it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]
"""Hears what is being done, how many steps are done, and of how many (0: unknown)."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen_to_progress(listener: Listener) -> Iterator[None]:
    """Let a listener hear everything that is announced meanwhile."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def announce(what: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done, and how far it is.

    >>> with listen_to_progress(lambda *heard: print(*heard)):
    ...     announce("writing", 1, 2)
    writing 1 2
    """
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


def track(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items one by one, each announced when it is done."""
    announce(what, 0, total)
    for number, item in enumerate(items, 1):
        yield item
        announce(what, number, total)
