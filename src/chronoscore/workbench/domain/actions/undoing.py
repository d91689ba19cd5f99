"""Undo where work is done by forms: rows become what they were before the last action.

Marks, verdicts and matchings carry the state before them; the scripts undo those. Here the
log is replayed up to the action, and the rows that differ go into a new entry. The catalog
says which actions can be undone, and whether they change own or shared rows.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated, Any

from msgspec import Meta
from sqlalchemy import Connection, Table, create_engine, func, select

from chronoscore.workbench.domain import catalog, history, permissions
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.performing import Data, performs
from chronoscore.workbench.domain.catalog import CATALOG
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.store import log, projections, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import row_key, rows_with_key

UNDO = catalog.UNDO.name
OPENINGS = (catalog.STEP_OPEN.name, catalog.STEP_REOPEN.name)

Rows = dict[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class FormAction:
    """What was done by one form: its name in the log, and what it was in words."""

    name: str
    words: str


def find_last(connection: Connection, topic: TopicAccess) -> FormAction | None:
    """What an undo would take back, if anything."""
    entries = _last_entries(connection, topic)
    return FormAction(_name(entries[0]), _words(connection, entries)) if entries else None


@performs(catalog.UNDO)
def undo(
    connection: Connection, topic: TopicAccess, action: Annotated[str, Meta(max_length=200)]
) -> Data:
    """Take back the last action since the step was opened, if it is the one that was shown.

    Two who merge may press the button at once, or one person in two tabs; the later of them
    must not take back what they did not see.
    """
    entries = _last_entries(connection, topic)
    if not entries:
        raise ConflictError("there is nothing to undo in this step")
    if action != _name(entries[0]):
        raise ConflictError("something else was done or undone since; look again")
    rows = _difference(connection, topic, entries)
    return {"undoes": action, "what": _words(connection, entries), "rows": rows}


def _last_entries(connection: Connection, topic: TopicAccess) -> list[LogEntry]:
    """The entries of the last action that was not undone, since the step was opened.

    Only actions that the visitor may do now count, and of `own` ones only their own.
    """
    undoable = [action for action in CATALOG.values() if action.undo]
    actions = [action.name for action in undoable if permissions.allows(topic, action)]
    if not actions:
        return []
    table = tables.log
    opened = select(func.max(table.c.seq)).where(
        table.c.topic == topic.id, table.c.action.in_(OPENINGS)
    )
    since = connection.execute(opened).scalar() or 0
    entries = list(log.read(connection, topic=topic.id, after=since, actions=[*actions, UNDO]))
    undone = {entry.data["undoes"] for entry in entries if entry.action == UNDO}
    standing = [
        entry
        for entry in entries
        if entry.action != UNDO
        and _name(entry) not in undone
        and (CATALOG[entry.action].undo == "shared" or entry.person == topic.person)
    ]
    of_last = takewhile(lambda entry: _name(entry) == _name(standing[-1]), reversed(standing))
    return list(of_last)[::-1]


def _words(connection: Connection, entries: list[LogEntry]) -> str:
    last = entries[-1]
    return history.describe(last, history.Vocabulary.for_entries(connection, [last]))


def _name(entry: LogEntry) -> str:
    """One form may make several entries; they share the part before the colon."""
    return f"{entry.person}:{entry.key.partition(':')[0]}"


def _difference(
    connection: Connection, topic: TopicAccess, entries: list[LogEntry]
) -> dict[str, dict[str, Any]]:
    """How rows must change to be what they were before some entries."""
    known = projections.BY_NAME
    changed = {table for entry in entries for table in known[entry.action].tables}
    replayed = [name for name, one in known.items() if changed.intersection(one.tables)]
    own = {"person": topic.person} if CATALOG[entries[0].action].undo == "own" else {}
    memory = create_engine("sqlite://")
    with memory.connect() as fresh:
        tables.metadata.create_all(fresh)
        for entry in log.read(connection, topic=topic.id, actions=replayed):
            if entry.seq < entries[0].seq:
                known[entry.action].apply(fresh, entry)
        difference = {}
        for table in sorted(changed, key=lambda table: table.name):
            key = {"topic": topic.id, **own}
            now, before = (_rows(one, table, key) for one in (connection, fresh))
            put = [row for name, row in before.items() if now.get(name) != row]
            take = [row_key(table, row) for name, row in now.items() if name not in before]
            difference[table.name] = {"put": put, "take": take}
    memory.dispose()
    return difference


def _rows(connection: Connection, table: Table, key: dict[str, Any]) -> Rows:
    query = select(table).where(rows_with_key(table, key))
    rows = [dict(row._mapping) for row in connection.execute(query)]
    return {tuple(row_key(table, row).values()): row for row in rows}
