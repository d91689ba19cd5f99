"""What follows from the log: one small function for each action.

The same functions run when an entry is written and when the log is replayed, so they use
only the entry and the tables, never the clock or chance.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.projections import projects, stream, units
from chronoscore.workbench.store.projections.activity import count
from chronoscore.workbench.store.projections.rows import put, take

Apply = Callable[[Connection, Entry], None]


def undo(connection: Connection, entry: Entry) -> None:
    """Rows become what they were before a deed."""
    for name, rows in entry.data["rows"].items():
        table = tables.metadata.tables[name]
        for key in rows["take"]:
            take(connection, table, key)
        put(connection, table, rows["put"])


ACTIONS: dict[str, Apply] = {**projects.ACTIONS, **stream.ACTIONS, **units.ACTIONS, "undo": undo}


def apply(connection: Connection, entry: Entry) -> None:
    """Let an entry take effect."""
    ACTIONS[entry.action](connection, entry)
    count(connection, entry)
