"""Every table: the log that nothing leaves, what is computed from it, and the accounts.

The log is the truth. The tables of `PROJECTIONS` hold what follows from it, so that a
screen need not replay years of work; `replay` proves that they still say the same.
Accounts are apart: the log says when they, their tokens, links and passwords change (`LOGGED`),
and never holds a password.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()
_Number = BigInteger().with_variant(Integer, "sqlite")


def _topic_table(
    name: str, *key: str, nullable: Collection[str] = (), **columns: TypeEngine[Any] | type
) -> Table:
    """A projection whose rows belong to a topic; `key` is what names a row within it."""
    return Table(
        name,
        metadata,
        Column("topic", _Number, nullable=False),
        *(Column(column, kind, nullable=column in nullable) for column, kind in columns.items()),
        PrimaryKeyConstraint("topic", *key),
    )


log = Table(
    "log",
    metadata,
    Column("seq", _Number, primary_key=True, autoincrement=True),
    Column("time", Float, nullable=False),
    Column("project", _Number),
    Column("topic", _Number),
    Column("person", _Number),
    Column("step", String, nullable=False, default=""),
    Column("action", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("key", String, nullable=False),
    UniqueConstraint("person", "key", name="log_once"),
    Index("log_by_topic", "topic", "person", "seq"),
    Index("log_by_project", "project", "seq"),
    sqlite_autoincrement=True,
)

# Accounts ---------------------------------------------------------------------------------

person = Table(
    "person",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("name", String, nullable=False, unique=True),
    Column("password", String),
    Column("founder", Boolean, nullable=False, default=False),
    Column("keys", Text, nullable=False, default="{}"),
    Column("theme", String, nullable=False, default="auto"),
    Column("created", Float, nullable=False),
    sqlite_autoincrement=True,
)

session = Table(
    "session",
    metadata,
    Column("digest", String, primary_key=True),
    Column("person", _Number, ForeignKey("person.id"), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
)

invitation = Table(
    "invitation",
    metadata,
    Column("digest", String, primary_key=True),
    Column("project", _Number),
    Column("manager", Boolean, nullable=False, default=False),
    Column("founder", Boolean, nullable=False, default=False),
    Column("label", String, nullable=False, default=""),
    Column("expires", Float, nullable=False),
    Column("used_by", _Number),
    Column("by", _Number),
)

reset = Table(
    "reset",
    metadata,
    Column("digest", String, primary_key=True),
    Column("person", _Number, ForeignKey("person.id"), nullable=False),
    Column("expires", Float, nullable=False),
    Column("request", String),
    Column("project", _Number),
    Column("by", _Number),
)
"""Links to choose a new password; those made on the server were asked for by nobody."""

token = Table(
    "token",
    metadata,
    Column("digest", String, primary_key=True),
    Column("person", _Number, ForeignKey("person.id"), nullable=False),
    Column("kind", String, nullable=False),
    Column("label", String, nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float),
)

attempt = Table(
    "attempt",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=True),
    Column("what", String, nullable=False),
    Column("time", Float, nullable=False),
    Index("attempt_by_what", "what", "time"),
)

secret = Table(
    "secret",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)

# Projections: projects and who does what --------------------------------------------------

project = Table(
    "project",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("workflow", String, nullable=False),
    Column("settings", Text, nullable=False),
    Column("archived", Boolean, nullable=False, server_default=false()),
)

member = Table(
    "member",
    metadata,
    Column("project", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    Column("manager", Boolean, nullable=False),
    PrimaryKeyConstraint("project", "person"),
)

topic = Table(
    "topic",
    metadata,
    Column("id", _Number, primary_key=True, autoincrement=False),
    Column("project", _Number, nullable=False),
    Column("name", String, nullable=False),
    Column("title", String, nullable=False),
    Column("step", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("most", Integer, nullable=False),
    Column("z", Float),
    Column("imported", Text, nullable=False, server_default="{}"),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("answers", Text, nullable=False, server_default=""),
    Column("queue", Text, nullable=False, server_default=""),
    Index("topic_by_project", "project"),
)

assignment = _topic_table("assignment", "person", "role", person=_Number, role=String)
submission = _topic_table("submission", "step", "person", step=String, person=_Number, time=Float)
activity = _topic_table(
    "activity",
    "step",
    "person",
    step=String,
    person=_Number,
    entries=Integer,
    seconds=Float,
    last=Float,
)
note = _topic_table(
    "note",
    "id",
    id=String,
    person=_Number,
    step=String,
    place=String,
    text=Text,
    answer=Text,
    done=Boolean,
    time=Float,
)

comment = _topic_table(
    "comment", "id", id=String, person=_Number, sentence=String, text=Text, time=Float
)
deadline = _topic_table("deadline", "step", step=String, day=String)

guideline = Table(
    "guideline",
    metadata,
    Column("project", _Number, nullable=False),
    Column("step", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("person", _Number, nullable=False),
    Column("time", Float, nullable=False),
    PrimaryKeyConstraint("project", "step", "version"),
)

guideline_read = Table(
    "guideline_read",
    metadata,
    Column("project", _Number, nullable=False),
    Column("step", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("version", Integer, nullable=False),
    Column("time", Float, nullable=False),
    PrimaryKeyConstraint("project", "step", "person"),
)

recovery = Table(
    "recovery",
    metadata,
    Column("request", String, nullable=False),
    Column("project", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    PrimaryKeyConstraint("request", "project"),
)
"""Who asked for or confirmed a member's new password, by project."""

sight = _topic_table("sight", "person", "role", person=_Number, role=String, time=Float)
"""Who has seen what others decided in a topic, and as what: as a manager, or in a role."""

# Projections: the source ------------------------------------------------------------------

story = _topic_table(
    "story", "id", id=String, n=Integer, time=String, title=Text, publisher=Text, text=Text
)
sentence = _topic_table(
    "sentence", "id", id=String, place=Integer, story=String, n=Integer, start=Integer, stop=Integer
)

# Projections: judging a stream ------------------------------------------------------------

reading = _topic_table("reading", "person", "story", person=_Number, story=String)
candidate = _topic_table(
    "candidate",
    "id",
    id=String,
    person=_Number,
    n=Integer,
    text=Text,
    sentence=String,
    withdrawn=Boolean,
    omitted=Text,
)
event = _topic_table("event", "id", id=String, n=Integer, text=Text, omitted=Text, gone=Boolean)
merged = _topic_table("merged", "candidate", "event", candidate=String, event=String)
mark = _topic_table(
    "mark",
    "person",
    "sentence",
    person=_Number,
    sentence=String,
    off=Boolean,
    links=Text,
    joined=Boolean,
    version=Integer,
)
machine = _topic_table("machine", "judge", judge=String, links=Text)
repeat = _topic_table(
    "repeat", "person", "sentence", person=_Number, sentence=String, off=Boolean, links=Text
)
verdict = _topic_table(
    "verdict",
    "event",
    "sentence",
    nullable=("kept",),
    event=String,
    sentence=String,
    kept=Boolean,
    added=Boolean,
    version=Integer,
)

# Projections: content units ---------------------------------------------------------------

anchor = _topic_table(
    "anchor",
    "id",
    nullable=("by",),
    id=String,
    sentence=String,
    start=Integer,
    stop=Integer,
    by=_Number,
)
line = _topic_table(
    "line",
    "id",
    id=String,
    person=_Number,
    n=Integer,
    when=String,
    text=Text,
    withdrawn=Boolean,
    omitted=Text,
)
contribution = _topic_table("contribution", "unit", "line", unit=String, line=String)
unit = _topic_table(
    "unit",
    "id",
    id=String,
    n=Integer,
    action=Text,
    agent=Text,
    patient=Text,
    time=String,
    location=Text,
    gone=Boolean,
    sampled=Boolean,
)

UNIT_FIELDS = ("action", "agent", "patient", "time", "location")
"""What a unit says, in the order in which people read it."""

DECIDED = 0
"""Under which person a matching stands that managers decided about: nobody has this number."""

matching = _topic_table(
    "matching",
    "person",
    "unit",
    person=_Number,
    unit=String,
    tree=Text,
    done=Boolean,
    version=Integer,
)

_KEPT = (log, person, session, invitation, reset, token, attempt, secret)
PROJECTIONS = tuple(table for table in metadata.tables.values() if table not in _KEPT)
"""What follows from the log: all but the log itself and the accounts."""

LOGGED = {table: tuple(table.columns.keys()) for table in PROJECTIONS} | {
    person: ("id", "name", "founder"),
    token: ("digest", "person", "kind", "label", "created"),
    reset: tuple(reset.columns.keys()),
    invitation: tuple(invitation.columns.keys()),
}
"""The columns that the log tells: of accounts all but what only their owners may know or choose."""
