"""What follows from the log: one small function for each action.

The same functions run when an entry is written and when the log is replayed, so they use
only the entry and the tables, never the clock or chance.
"""

from sqlalchemy import Connection

from chronoscore.errors import DataError
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections import (
    accounts,
    guiding,
    practice,
    projects,
    stream,
    units,
)
from chronoscore.workbench.store.projections.activity import count_activity
from chronoscore.workbench.store.projections.rows import BY_NAME, applies, put_rows, take_rows

__all__ = ["BY_NAME", "accounts", "apply", "guiding", "practice", "projects", "stream", "units"]


@applies("undo", *tables.PROJECTIONS)
def undo(connection: Connection, entry: LogEntry) -> None:
    """Rows become what they were before an action."""
    for name, rows in entry.data["rows"].items():
        (table,) = (table for table in tables.PROJECTIONS if table.name == name)
        for key in rows["take"]:
            take_rows(connection, table, key)
        put_rows(connection, table, rows["put"])


def apply(connection: Connection, entry: LogEntry) -> tuple[int, float] | None:
    """Let an entry take effect; the person's entries and time in the step after it."""
    if entry.action not in BY_NAME:
        raise DataError(
            f"the action '{entry.action}' has no projection; update chronoscore",
            place=f"log entry {entry.seq}",
        )
    projection = BY_NAME[entry.action]
    projection.apply(connection, entry)
    return None if projection.administrative else count_activity(connection, entry)
