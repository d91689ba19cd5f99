"""The history as a page: entries in words, by person, step and day."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from sqlalchemy import Connection, select
from starlette.responses import Response

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.history import HistoryRow
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import EntrySelection, LogEntry
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web.visit import Visit

PAGE = 200


@dataclass(frozen=True)
class Logbook:
    """A page of the history: what the address asks for, of what the visitor may see."""

    project: ProjectAccess
    only: EntrySelection
    number: int
    members: Mapping[int, str]
    """Who can be chosen; nobody where the visitor sees only their own entries."""

    @classmethod
    def open(
        cls, visit: Visit, connection: Connection, project: ProjectAccess, person: int | None = None
    ) -> "Logbook":
        """The page that the address asks for, of everybody or of one person only."""
        members: Mapping[int, str] = {}
        if person is None:
            table = tables.member
            query = select(table.c.person).where(table.c.project == project.id)
            members = accounts.names(connection, set(connection.execute(query).scalars()))
            asked = visit.query("person")
            person = int(asked) if asked.isdecimal() and int(asked) in members else None
        step = visit.query("step")
        known = step if step in STEPS[project.workflow] else ""
        only = EntrySelection(person, known, _read_day(visit.query("day")))
        return cls(project, only, visit.query_number("page"), members)

    def read(
        self, connection: Connection, *, topic: int | None = None, project: int | None = None,
        without: Collection[int] = (), except_by: int | None = None,
    ) -> list[LogEntry]:  # fmt: skip
        """The entries of this page."""
        return log.read_latest(
            connection, topic=topic, project=project, only=self.only, without=without,
            except_by=except_by, skipped=PAGE * (self.number - 1), limit=PAGE,
        )  # fmt: skip

    def page(
        self, visit: Visit, rows: list[HistoryRow], topic: TopicAccess | None = None
    ) -> Response:
        """The page; a full one leads to earlier entries."""
        only = self.only
        asked = {"person": only.person or "", "step": only.step, "day": only.day or ""}
        chosen = {name: value for name, value in asked.items() if value}
        more = f"?{urlencode({**chosen, 'page': self.number + 1})}" if len(rows) == PAGE else ""
        return visit.page(
            "history.html", topic=topic, project=self.project, rows=rows, more=more, only=only,
            members=sorted(self.members.items(), key=lambda member: member[1].casefold()),
            steps=STEPS[self.project.workflow][1:-1],
        )  # fmt: skip


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
