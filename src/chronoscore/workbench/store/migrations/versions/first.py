"""The first tables."""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _topic_table(
    name: str, *key: str, nullable: Collection[str] = (), **columns: TypeEngine[Any] | type
) -> None:
    op.create_table(
        name,
        sa.Column("topic", NUMBER, nullable=False),
        *(sa.Column(one, kind, nullable=one in nullable) for one, kind in columns.items()),
        sa.PrimaryKeyConstraint("topic", *key),
    )


def upgrade() -> None:
    """Create all tables."""
    _topic_table(
        "activity",
        "step",
        "person",
        step=sa.String,
        person=NUMBER,
        entries=sa.Integer,
        seconds=sa.Float,
        last=sa.Float,
    )
    _topic_table(
        "anchor",
        "id",
        nullable=("by",),
        id=sa.String,
        sentence=sa.String,
        start=sa.Integer,
        stop=sa.Integer,
        by=NUMBER,
    )
    _topic_table("assignment", "person", "role", person=NUMBER, role=sa.String)
    op.create_table(
        "attempt",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("attempt_by_what", "attempt", ["what", "time"], unique=False)
    _topic_table(
        "candidate",
        "id",
        id=sa.String,
        person=NUMBER,
        n=sa.Integer,
        text=sa.Text,
        sentence=sa.String,
        withdrawn=sa.Boolean,
        omitted=sa.Text,
    )
    _topic_table("contribution", "unit", "line", unit=sa.String, line=sa.String)
    _topic_table(
        "event", "id", id=sa.String, n=sa.Integer, text=sa.Text, omitted=sa.Text, gone=sa.Boolean
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
    _topic_table(
        "line",
        "id",
        id=sa.String,
        person=NUMBER,
        n=sa.Integer,
        when=sa.String,
        text=sa.Text,
        withdrawn=sa.Boolean,
        omitted=sa.Text,
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
    _topic_table(
        "mark",
        "person",
        "sentence",
        person=NUMBER,
        sentence=sa.String,
        off=sa.Boolean,
        links=sa.Text,
        joined=sa.Boolean,
        version=sa.Integer,
    )
    _topic_table(
        "matching",
        "person",
        "unit",
        person=NUMBER,
        unit=sa.String,
        tree=sa.Text,
        done=sa.Boolean,
        version=sa.Integer,
    )
    op.create_table(
        "member",
        sa.Column("project", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("manager", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("project", "person"),
    )
    _topic_table("merged", "candidate", "event", candidate=sa.String, event=sa.String)
    _topic_table(
        "note",
        "id",
        id=sa.String,
        person=NUMBER,
        step=sa.String,
        place=sa.String,
        text=sa.Text,
        answer=sa.Text,
        done=sa.Boolean,
        time=sa.Float,
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
    _topic_table("reading", "person", "story", person=NUMBER, story=sa.String)
    op.create_table(
        "secret",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    _topic_table(
        "sentence",
        "id",
        id=sa.String,
        place=sa.Integer,
        story=sa.String,
        n=sa.Integer,
        start=sa.Integer,
        stop=sa.Integer,
    )
    _topic_table(
        "story",
        "id",
        id=sa.String,
        n=sa.Integer,
        time=sa.String,
        title=sa.Text,
        publisher=sa.Text,
        text=sa.Text,
    )
    _topic_table("submission", "step", "person", step=sa.String, person=NUMBER, time=sa.Float)
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
    _topic_table(
        "unit",
        "id",
        id=sa.String,
        n=sa.Integer,
        action=sa.Text,
        agent=sa.Text,
        patient=sa.Text,
        time=sa.String,
        location=sa.Text,
        gone=sa.Boolean,
        sampled=sa.Boolean,
    )
    _topic_table(
        "verdict",
        "event",
        "sentence",
        nullable=("kept",),
        event=sa.String,
        sentence=sa.String,
        kept=sa.Boolean,
        added=sa.Boolean,
        version=sa.Integer,
    )
    op.create_table(
        "session",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"]),
        sa.PrimaryKeyConstraint("digest"),
    )
