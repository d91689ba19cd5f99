"""Topics keep what a judged file said and judging here does not make."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add a column for it."""
    column = sa.Column("imported", sa.Text(), nullable=False, server_default="{}")
    op.add_column("topic", column)
