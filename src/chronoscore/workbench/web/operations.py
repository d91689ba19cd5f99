"""What the operator's tools ask: is it well, and how busy is it."""

import hmac
import threading
import time

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from chronoscore.workbench.domain import access, tokens
from chronoscore.workbench.store import health, tables
from chronoscore.workbench.web.routing import answer_not_found
from chronoscore.workbench.web.visit import Desk

FRESH = 5.0
"""Seconds for which an answer about health holds: strangers may ask, but not make us write."""


class Checkup:
    """The last answer about health; one check at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = float("-inf")
        self._problem = ""

    def problem(self, desk: Desk) -> str:
        """What is wrong, or nothing."""
        with self._lock:
            if time.monotonic() - self._at > FRESH:
                self._problem = health.find_problem(desk.database)
                self._at = time.monotonic()
            return self._problem


async def check_health(request: Request) -> Response:
    """Whether the database can be read and the log written."""
    desk: Desk = request.app.state.desk
    checkup: Checkup = request.app.state.checkup
    problem = await run_in_threadpool(checkup.problem, desk)
    if problem:
        return JSONResponse({"status": "failing", "problem": problem}, 503)
    return JSONResponse({"status": "ok"})


async def show_metrics(request: Request) -> Response:
    """Counts for Prometheus, with the operator's token or that of a manager who works nowhere.

    How much others do must stay hidden from those at work, also if they sit at this machine.
    """
    desk: Desk = request.app.state.desk
    if not await run_in_threadpool(_may_count, request, desk):
        return await answer_not_found(request, Exception())
    lines = await run_in_threadpool(_metrics, desk)
    return PlainTextResponse(lines, media_type="text/plain; version=0.0.4; charset=utf-8")


def _may_count(request: Request, desk: Desk) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not given:
        return False
    token = desk.settings.metrics_token
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    with desk.database.read() as connection:
        person, _ = tokens.find_holder(connection, given, "api")
        return person is not None and access.watches_only(connection, person.id)


def _metrics(desk: Desk) -> str:
    entries = -1
    try:
        with desk.database.read() as connection:
            entries = connection.execute(select(func.max(tables.log.c.seq))).scalar() or 0
    except SQLAlchemyError:
        pass
    return "\n".join([*desk.metrics.lines(entries), ""])


ROUTES = [Route("/health", check_health), Route("/metrics", show_metrics)]
