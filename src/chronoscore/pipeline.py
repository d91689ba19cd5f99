"""Work that goes on elsewhere while its next pieces are made ready."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def threads(count: int) -> "AbstractContextManager[Executor | None]":
    """A pool of threads; none for a single one, which needs no import of executors either."""
    if count < 2:
        return nullcontext()
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(count)


def begin_call(
    executor: "Executor | None",
    function: Callable[Arguments, Result],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Callable[[], Result]:
    """Begin with a call; the function that comes back waits for its result.

    Without an executor the call is made only then.
    """
    if executor is None:
        return lambda: function(*args, **kwargs)
    return executor.submit(function, *args, **kwargs).result


def call_in_thread(function: Callable[[], Result]) -> Result:
    """Make a call in a thread and wait for it: Ctrl-C then ends the wait at once.

    For compiled code that runs for long and does not look at signals.

    >>> call_in_thread(lambda: 2 + 2)
    4
    """
    from concurrent.futures import Future
    from threading import Thread

    future: Future[Result] = Future()

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=call, daemon=True).start()
    return future.result()


def finish_in_order(calls: Iterable[Callable[[], Result]], ahead: int) -> Iterator[Result]:
    """The results of calls that are begun one by one, `ahead` of them before the first is awaited.

    >>> list(finish_in_order([lambda: "first", lambda: "second"], 1))
    ['first', 'second']
    """
    waiting: deque[Callable[[], Result]] = deque()
    for call in calls:
        waiting.append(call)
        if len(waiting) > ahead:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()
