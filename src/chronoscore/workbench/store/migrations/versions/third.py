"""Administrative entries no longer count as time at work: count it again from the log."""

from alembic import op

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import entries
from chronoscore.workbench.store.projections.activity import count

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Count every person's time again."""
    connection = op.get_bind()
    connection.execute(tables.activity.delete())
    for entry in list(entries(connection)):
        count(connection, entry)
