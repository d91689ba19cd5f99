"""What follows from the log: one small function for each action.

The same functions run when an entry is written and when the log is replayed, so they use
only the entry and the tables, never the clock or chance.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from chronoscore.workbench.log import Entry
from chronoscore.workbench.projections import projects, stream, units
from chronoscore.workbench.projections.activity import count

Apply = Callable[[Connection, Entry], None]

ACTIONS: dict[str, Apply] = {**projects.ACTIONS, **stream.ACTIONS, **units.ACTIONS}


def apply(connection: Connection, entry: Entry) -> None:
    """Let an entry take effect."""
    ACTIONS[entry.action](connection, entry)
    count(connection, entry)
