"""Work on a Dask cluster that may lose its scheduler at any moment."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

Result = TypeVar("Result")

POLL = 1.0
"""Seconds between two looks at whether the scheduler is still there."""
PATIENCE = 20
"""Looks in a row without a connection after which the scheduler counts as gone."""


class WatchedFuture(Future[Result]):
    """A result that is waited for only as long as there is a scheduler.

    A client that loses its scheduler tries to connect again and may never end the futures that
    it had sent meanwhile, so that waiting for them could last forever.
    """

    def __init__(self, inner: "Future[Result]", client: Any) -> None:
        super().__init__()
        self.inner, self.client = inner, client

    def result(self, timeout: float | None = None) -> Result:
        """The result, or an error of the connection once the scheduler is gone."""
        if timeout is not None:
            return self.inner.result(timeout)
        lost = 0
        while True:
            try:
                return self.inner.result(POLL)
            except TimeoutError:
                if self.inner.done():
                    raise
                lost = 0 if self.client.status == "running" else lost + 1
                if self.client.status == "closed" or lost >= PATIENCE:
                    from distributed.comm import CommClosedError

                    raise CommClosedError("the scheduler does not answer") from None


class WatchedExecutor(Executor):
    """The workers of a cluster as an executor whose results can be waited for safely."""

    def __init__(self, client: Any) -> None:
        self.client, self.inner = client, client.get_executor()

    def submit(
        self, function: Callable[..., Result], /, *values: Any, **named: Any
    ) -> "Future[Result]":
        """Send a call to the cluster."""
        return WatchedFuture(self.inner.submit(function, *values, **named), self.client)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the inner executor go."""
        self.inner.shutdown(wait=wait)
