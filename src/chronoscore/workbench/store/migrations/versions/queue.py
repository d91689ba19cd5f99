"""Lists of the sentences of a topic that are to be judged."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column."""
    op.add_column("topic", Column("queue", Text, nullable=False, server_default=""))
