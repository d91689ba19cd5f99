"""Guidelines and who has read them, deadlines, comments, and tokens for programs."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "token",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("person", NUMBER, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float()),
    )
    op.create_table(
        "comment",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "deadline",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "step"),
    )
    op.create_table(
        "guideline",
        sa.Column("project", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("project", "step", "version"),
    )
    op.create_table(
        "guideline_read",
        sa.Column("project", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("project", "step", "person"),
    )
