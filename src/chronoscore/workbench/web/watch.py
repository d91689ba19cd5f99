"""Watching requests: a number for each, a line in the access log, and counts."""

import secrets
import threading
import time
from datetime import UTC, datetime
from typing import TextIO
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chronoscore.workbench.web.metrics import SECRETS, Metrics

LONGEST = 300


class Watch:
    """Wraps the application, so that also what it refuses is numbered, counted and logged."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log: TextIO | None = None) -> None:
        self.app = app
        self.metrics = metrics
        self.log = log
        self._writing = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Number the request, pass it on, and note what became of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name, start, status, size = secrets.token_hex(8), time.perf_counter(), 500, 0
        scope.setdefault("state", {})["request_id"] = name

        async def sending(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = name
            size += len(message.get("body", b""))
            await send(message)

        asked = scope["path"]
        try:
            await self.app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - start
            # The guard takes the folder off that browsers see before the path.
            self.metrics.count_request(scope["method"], scope["path"], status, seconds)
            if self.log is not None:
                self._write(scope, name, asked, status, size, seconds)

    def _write(
        self, scope: Scope, name: str, path: str, status: int, size: int, seconds: float
    ) -> None:
        assert self.log is not None
        now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
        client = (scope.get("client") or ("-",))[0]
        shown = _clean_path(path, asked=bool(scope.get("query_string")))
        method = quote(scope["method"][:20])
        line = f"{now}Z {name} {client} {method} {shown} {status} {size} {1000 * seconds:.1f}ms\n"
        with self._writing:
            self.log.write(line)
            self.log.flush()


def _clean_path(path: str, *, asked: bool) -> str:
    """A path as it may be kept: nothing that opens something, and on one line."""
    return quote(SECRETS.sub(r"\1*", path), safe="/*")[:LONGEST] + ("?*" if asked else "")
