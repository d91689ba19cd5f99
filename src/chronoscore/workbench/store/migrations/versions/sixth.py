"""Practice topics have answers; machines judge; judges decide some sentences twice."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column and the tables."""
    op.add_column("topic", sa.Column("answers", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "machine",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("links", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "judge"),
    )
    op.create_table(
        "repeat",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("off", sa.Boolean(), nullable=False),
        sa.Column("links", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "person", "sentence"),
    )
