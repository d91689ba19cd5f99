"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "activity",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("last", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "step", "person"),
    )
    op.create_table(
        "anchor",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("by", NUMBER, nullable=True),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "assignment",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "person", "role"),
    )
    op.create_table(
        "attempt",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("attempt_by_what", "attempt", ["what", "time"], unique=False)
    op.create_table(
        "candidate",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("omitted", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "contribution",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "unit", "line"),
    )
    op.create_table(
        "event",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("omitted", sa.Text(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "invitation",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("project", NUMBER, nullable=True),
        sa.Column("manager", sa.Boolean(), nullable=False),
        sa.Column("founder", sa.Boolean(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.Column("used_by", NUMBER, nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "line",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("when", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("omitted", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "log",
        sa.Column("seq", NUMBER, autoincrement=True, nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("project", NUMBER, nullable=True),
        sa.Column("topic", NUMBER, nullable=True),
        sa.Column("person", NUMBER, nullable=True),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("person", "key", name="log_once"),
        sqlite_autoincrement=True,
    )
    op.create_index("log_by_project", "log", ["project", "seq"], unique=False)
    op.create_index("log_by_topic", "log", ["topic", "person", "seq"], unique=False)
    op.create_table(
        "mark",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("off", sa.Boolean(), nullable=False),
        sa.Column("links", sa.Text(), nullable=False),
        sa.Column("joined", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "person", "sentence"),
    )
    op.create_table(
        "matching",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("tree", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "person", "unit"),
    )
    op.create_table(
        "member",
        sa.Column("project", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("manager", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("project", "person"),
    )
    op.create_table(
        "merged",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("candidate", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "candidate", "event"),
    )
    op.create_table(
        "note",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "person",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("founder", sa.Boolean(), nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("theme", sa.String(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "project",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "reading",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("story", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "person", "story"),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "sentence",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("story", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "story",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("time", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("publisher", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "submission",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "step", "person"),
    )
    op.create_table(
        "topic",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("project", NUMBER, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("z", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("topic_by_project", "topic", ["project"], unique=False)
    op.create_table(
        "unit",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("patient", sa.Text(), nullable=False),
        sa.Column("time", sa.String(), nullable=False),
        sa.Column("location", sa.Text(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("sampled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "id"),
    )
    op.create_table(
        "verdict",
        sa.Column("topic", NUMBER, nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=True),
        sa.Column("added", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "event", "sentence"),
    )
    op.create_table(
        "session",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("digest"),
    )
