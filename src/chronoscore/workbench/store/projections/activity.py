"""Time at work: the gaps between a person's entries, a long one counted as five minutes."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, case

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import upsert
from chronoscore.workbench.store.log import LogEntry

LONGEST_GAP = 300.0


def count_activity(connection: Connection, entry: LogEntry) -> tuple[int, float] | None:
    """Add an entry to its person's time in this topic and step: their entries and time now."""
    if entry.topic is None or entry.person is None:
        return None
    first = {"entries": 1, "seconds": 0.0, "last": entry.time}
    key = {"topic": entry.topic, "step": entry.step, "person": entry.person}
    row = connection.execute(_addition(connection.dialect.name), key | first).one()
    return int(row.entries), float(row.seconds)


@cache
def _addition(dialect: str) -> Any:
    table = tables.activity
    fresh = upsert(dialect, table)
    gap = fresh.excluded.last - table.c.last
    counted = case((gap < 0.0, 0.0), (gap > LONGEST_GAP, LONGEST_GAP), else_=gap)
    after = {
        "entries": table.c.entries + 1,
        "seconds": table.c.seconds + counted,
        "last": fresh.excluded.last,
    }
    return fresh.on_conflict_do_update(
        index_elements=["topic", "step", "person"], set_=after
    ).returning(table.c.entries, table.c.seconds)
