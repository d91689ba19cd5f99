"""Projects and topics can be archived, and a password can be reset by a link."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns and the table."""
    for table in ("project", "topic"):
        no = sa.false()
        op.add_column(table, sa.Column("archived", sa.Boolean(), nullable=False, server_default=no))
    op.create_table(
        "reset",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("person", NUMBER, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
    )
