"""Undo where work is done by forms: rows become what they were before the last action.

Marks, verdicts and matchings carry the state before them; the scripts undo those. Here the
log is replayed up to the action, and the rows that differ go into a new entry. An action
can be undone if it is in `OWN` (it changes the actor's own rows) or in `SHARED` (it changes
rows that all who may do it share), in whatever step it is done.
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, Table, create_engine, func, select

from chronoscore.workbench.domain import history
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.recording import record_action
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.domain.permissions import is_action_permitted, require_permission
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections import ACTIONS
from chronoscore.workbench.store.projections.rows import row_key, rows_with_key

OPENINGS = ("step.open", "step.reopen")
OWN = frozenset({"story.read", "candidate.add", "candidate.edit", "line.add", "line.edit"})
SHARED = frozenset(
    {"candidate.omit", "event.add", "event.put", "event.take", "event.edit", "line.omit"}
    | {"unit.add", "unit.edit", "unit.put", "unit.take", "unit.merge"}
)

Rows = dict[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class FormAction:
    """What somebody did by one form: its name in the log, and what it was in words."""

    name: str
    words: str


def last_undoable_action(connection: Connection, topic: TopicAccess) -> FormAction | None:
    """What an undo would take back, if anything."""
    entries = _last_entries(connection, topic)
    return FormAction(_name(entries[0]), _words(entries)) if entries else None


@require_permission("undo")
def undo(connection: Connection, topic: TopicAccess, key: str, action: str) -> LogEntry:
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
    data = {"undoes": action, "what": _words(entries), "rows": rows}
    return record_action(connection, topic, "undo", data, key)


def _last_entries(connection: Connection, topic: TopicAccess) -> list[LogEntry]:
    """The entries of the last action that was not undone, since the step was opened.

    Only actions that the visitor may do now count, and of `OWN` ones only their own.
    """
    actions = {action for action in OWN | SHARED if is_action_permitted(topic, action)}
    if not actions:
        return []
    table = tables.log
    opened = select(func.max(table.c.seq)).where(
        table.c.topic == topic.id, table.c.action.in_(OPENINGS)
    )
    since = connection.execute(opened).scalar() or 0
    entries = list(
        log.log_entries(connection, topic=topic.id, after=since, actions=[*actions, "undo"])
    )
    undone = {entry.data["undoes"] for entry in entries if entry.action == "undo"}
    standing = [
        entry
        for entry in entries
        if entry.action != "undo"
        and _name(entry) not in undone
        and (entry.action in SHARED or entry.person == topic.person)
    ]
    of_last = takewhile(lambda entry: _name(entry) == _name(standing[-1]), reversed(standing))
    return list(of_last)[::-1]


def _words(entries: list[LogEntry]) -> str:
    return history.describe_log_entry(entries[-1], {})


def _name(entry: LogEntry) -> str:
    """One form may make several entries; they share what stands before the colon."""
    return f"{entry.person}:{entry.key.partition(':')[0]}"


def _difference(
    connection: Connection, topic: TopicAccess, entries: list[LogEntry]
) -> dict[str, dict[str, Any]]:
    """How rows must change to be what they were before some entries."""
    changed = {table for entry in entries for table in ACTIONS[entry.action].tables}
    replayed = [name for name, one in ACTIONS.items() if changed.intersection(one.tables)]
    own = {"person": topic.person} if entries[0].action in OWN else {}
    memory = create_engine("sqlite://")
    with memory.connect() as fresh:
        tables.metadata.create_all(fresh)
        for entry in log.log_entries(connection, topic=topic.id, actions=replayed):
            if entry.seq < entries[0].seq:
                ACTIONS[entry.action].apply(fresh, entry)
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
