"""Work on a Dask cluster that may lose its scheduler at any moment."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")

POLL = 1.0
"""Seconds between two looks at whether the scheduler is still there."""
PATIENCE = 20
"""Looks in a row without a connection after which the scheduler counts as gone."""

RESENDS = 3
"""How often a call is sent again whose result was lost on its way."""


class WatchedFuture(Future[Result]):
    """A result that is waited for only as long as there is a scheduler.

    A client that loses its scheduler tries to connect again and may never end the futures that
    it had sent meanwhile, so that waiting for them could last forever.
    """

    def __init__(self, send: Callable[[], "Future[Result]"], client: Any) -> None:
        super().__init__()
        self.send, self.inner, self.client = send, send(), client

    def result(self, timeout: float | None = None) -> Result:
        """The result, or an error of the connection once the scheduler is gone."""
        if timeout is not None:
            return self.inner.result(timeout)
        lost = sent = 0
        while True:
            try:
                return self.inner.result(POLL)
            except (AttributeError, TypeError, ValueError) as error:
                if not _is_misread(error) or sent == RESENDS:
                    raise
                self.inner, sent = self.send(), sent + 1
            except TimeoutError:
                if self.inner.done():
                    raise
                lost = 0 if self.client.status == "running" else lost + 1
                if self.client.status == "closed" or lost >= PATIENCE:
                    from distributed.comm import CommClosedError

                    raise CommClosedError("the scheduler does not answer") from None


def _is_misread(error: Exception) -> bool:
    """Whether Dask took a result for an error, as it may if its worker is lost at that moment."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals["__name__"] == "distributed.cfexecutor"


class WatchedExecutor(Executor):
    """The workers of a cluster as an executor whose results can be waited for safely."""

    def __init__(self, client: Any) -> None:
        self.client, self.inner = client, client.get_executor()

    def submit(
        self, function: Callable[..., Result], /, *values: Any, **named: Any
    ) -> "Future[Result]":
        """Send a call to the cluster."""
        return WatchedFuture(partial(self.inner.submit, function, *values, **named), self.client)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the inner executor go."""
        self.inner.shutdown(wait=wait)
