"""Who asked for links and invitations, who confirmed them, and who has seen others' marks."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, String

from chronoscore.workbench.store import tables

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns and tables."""
    number = BigInteger().with_variant(Integer, "sqlite")
    op.add_column("invitation", Column("by", number))
    for column in (Column("request", String), Column("project", number), Column("by", number)):
        op.add_column("reset", column)
    for table in (tables.recovery, tables.sight):
        table.create(op.get_bind())
