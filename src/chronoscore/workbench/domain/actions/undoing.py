"""Undo where work is done by forms: what stood before the last deed stands again.

Marks, verdicts and matchings carry their own state before; the script undoes those. Here the
log is replayed up to the deed, and the rows that differ go into a new entry.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, Table, create_engine, func, select

from chronoscore.workbench.domain import history
from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions.recording import record
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.projections import ACTIONS
from chronoscore.workbench.store.projections.rows import key_of, where
from chronoscore.workbench.web.visit import RefusedError

OPENINGS = ("step.open", "step.reopen")

Rows = dict[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class Deed:
    """What somebody did by one form: how the log knows it, and what it was in words."""

    name: str
    words: str


@dataclass(frozen=True)
class Scope:
    """What a step's deeds change: rows of these tables, all of a topic's or one's own only."""

    tables: tuple[Table, ...]
    actions: frozenset[str]
    own: bool


SCOPES = {
    "identify": Scope(
        (tables.candidate, tables.reading),
        frozenset({"story.read", "candidate.add", "candidate.edit"}),
        own=True,
    ),
    "merge": Scope(
        (tables.candidate, tables.event, tables.merged),
        frozenset({"candidate.omit", "event.add", "event.put", "event.take", "event.edit"}),
        own=False,
    ),
    "write": Scope((tables.line,), frozenset({"line.add", "line.edit"}), own=True),
    "make": Scope(
        (tables.line, tables.unit, tables.contribution),
        frozenset(
            {"line.omit", "unit.add", "unit.edit", "unit.put", "unit.take", "unit.merge"},
        ),
        own=False,
    ),
}
REPLAYED = frozenset({"undo", "unit.sample"}.union(*(scope.actions for scope in SCOPES.values())))


def last_deed(connection: Connection, place: Place, step: str) -> Deed | None:
    """What an undo would take back, if anything."""
    entries = _last_entries(connection, place, step)
    return Deed(_name(entries[0]), _words(entries)) if entries else None


def undo(connection: Connection, place: Place, step: str, deed: str, key: str) -> Entry:
    """Take back the last deed of a step that is still open, if it is the one that was shown.

    Two who merge may press the button at once, or one person in two tabs; the later of them
    must not take back what they did not see.
    """
    if step not in SCOPES:
        raise RefusedError(400, "no such step")
    place.writable(step)
    if (known := log.found(connection, place.person, key)) is not None:
        return known
    entries = _last_entries(connection, place, step)
    if not entries:
        raise RefusedError(409, "there is nothing to undo in this step")
    if deed != _name(entries[0]):
        raise RefusedError(409, "something else was done or undone since; look again")
    data = {
        "undoes": deed,
        "what": _words(entries),
        "rows": _difference(connection, place, SCOPES[step], entries[0].seq),
    }
    return record(connection, place, "undo", data, key)


def _last_entries(connection: Connection, place: Place, step: str) -> list[Entry]:
    """The entries of the last deed that was not undone, since the step was opened."""
    scope, table = SCOPES[step], tables.log
    opened = select(func.max(table.c.seq)).where(
        table.c.topic == place.id, table.c.action.in_(OPENINGS)
    )
    since = connection.execute(opened).scalar() or 0
    mine: dict[str, Any] = {"person": place.person} if scope.own else {}
    entries = list(log.entries(connection, topic=place.id, step=step, after=since, **mine))
    undone = {entry.data["undoes"] for entry in entries if entry.action == "undo"}
    standing = [e for e in entries if e.action in scope.actions and _name(e) not in undone]
    of_last = takewhile(lambda e: _name(e) == _name(standing[-1]), reversed(standing))
    return list(of_last)[::-1]


def _words(entries: list[Entry]) -> str:
    return history.in_words(entries[-1], {})


def _name(entry: Entry) -> str:
    """One form may make several entries; they share what stands before the colon."""
    return f"{entry.person}:{entry.key.partition(':')[0]}"


def _difference(
    connection: Connection, place: Place, scope: Scope, seq: int
) -> dict[str, dict[str, Any]]:
    """How the rows of a scope must change to be what they were before an entry."""
    memory = create_engine("sqlite://")
    with memory.connect() as fresh:
        tables.metadata.create_all(fresh)
        for entry in log.entries(connection, topic=place.id, actions=REPLAYED):
            if entry.seq < seq:
                ACTIONS[entry.action](fresh, entry)
        found = {}
        for table in scope.tables:
            now, before = (_rows(one, table, place, scope) for one in (connection, fresh))
            put = [row for name, row in before.items() if now.get(name) != row]
            take = [key_of(table, row) for name, row in now.items() if name not in before]
            found[table.name] = {"put": put, "take": take}
    memory.dispose()
    return found


def _rows(connection: Connection, table: Table, place: Place, scope: Scope) -> Rows:
    mine = {"topic": place.id} | ({"person": place.person} if scope.own else {})
    rows = [
        dict(row._mapping) for row in connection.execute(select(table).where(where(table, mine)))
    ]
    return {tuple(key_of(table, row).values()): row for row in rows}
