"""Administrative entries no longer count as time at work: count it again from the log."""

from alembic import op

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import log_entries
from chronoscore.workbench.store.projections.activity import count_activity

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Count every person's time again."""
    connection = op.get_bind()
    connection.execute(tables.activity.delete())
    for entry in list(log_entries(connection)):
        count_activity(connection, entry)
