"""Time at work: the gaps between a person's entries, a long one counted as five minutes.

What managers do to a topic is not work in it.
"""

from sqlalchemy import Connection, insert, select

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import change, where

LONGEST_GAP = 300.0
ADMINISTRATIVE = frozenset(
    {"topic.assign", "topic.unassign", "topic.estimate", "topic.rename", "topic.archive"}
    | {"story.retitle", "step.open", "step.reopen", "note.answer"}
)


def count(connection: Connection, entry: LogEntry) -> None:
    """Add an entry to its person's time in this topic and step."""
    if entry.topic is None or entry.person is None or entry.action in ADMINISTRATIVE:
        return
    table = tables.activity
    key = {"topic": entry.topic, "step": entry.step, "person": entry.person}
    row = connection.execute(
        select(table.c.entries, table.c.seconds, table.c.last).where(where(table, key))
    ).one_or_none()
    if row is None:
        connection.execute(insert(table).values(**key, entries=1, seconds=0.0, last=entry.time))
        return
    gap = max(0.0, min(entry.time - row.last, LONGEST_GAP))
    values = {"entries": row.entries + 1, "seconds": row.seconds + gap, "last": entry.time}
    change(connection, table, key, values)
