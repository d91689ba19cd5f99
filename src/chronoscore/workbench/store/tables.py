"""Every table: the log that nothing leaves, what is computed from it, and the accounts.

The log is the truth. The tables of `PROJECTIONS` hold what follows from it, so that a
screen need not replay years of work; `replay` proves that they still say the same.
Accounts are apart: a password changes without trace.
"""

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
)

metadata = MetaData()
_Number = BigInteger().with_variant(Integer, "sqlite")

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
    Index("topic_by_project", "project"),
)

assignment = Table(
    "assignment",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    Column("role", String, nullable=False),
    PrimaryKeyConstraint("topic", "person", "role"),
)

submission = Table(
    "submission",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("step", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("time", Float, nullable=False),
    PrimaryKeyConstraint("topic", "step", "person"),
)

activity = Table(
    "activity",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("step", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("last", Float, nullable=False),
    PrimaryKeyConstraint("topic", "step", "person"),
)

note = Table(
    "note",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("step", String, nullable=False),
    Column("place", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("time", Float, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

# Projections: the source ------------------------------------------------------------------

story = Table(
    "story",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("n", Integer, nullable=False),
    Column("time", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("publisher", Text, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

sentence = Table(
    "sentence",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("place", Integer, nullable=False),
    Column("story", String, nullable=False),
    Column("n", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

# Projections: judging a stream ------------------------------------------------------------

reading = Table(
    "reading",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    Column("story", String, nullable=False),
    PrimaryKeyConstraint("topic", "person", "story"),
)

candidate = Table(
    "candidate",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("n", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("sentence", String, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("omitted", Text, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

event = Table(
    "event",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("n", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("omitted", Text, nullable=False),
    Column("gone", Boolean, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

merged = Table(
    "merged",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("candidate", String, nullable=False),
    Column("event", String, nullable=False),
    PrimaryKeyConstraint("topic", "candidate", "event"),
)

mark = Table(
    "mark",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    Column("sentence", String, nullable=False),
    Column("off", Boolean, nullable=False),
    Column("links", Text, nullable=False),
    Column("joined", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("topic", "person", "sentence"),
)

verdict = Table(
    "verdict",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("event", String, nullable=False),
    Column("sentence", String, nullable=False),
    Column("kept", Boolean),
    Column("added", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("topic", "event", "sentence"),
)

# Projections: content units ---------------------------------------------------------------

anchor = Table(
    "anchor",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("sentence", String, nullable=False),
    Column("start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
    Column("by", _Number),
    PrimaryKeyConstraint("topic", "id"),
)

line = Table(
    "line",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("person", _Number, nullable=False),
    Column("n", Integer, nullable=False),
    Column("when", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("omitted", Text, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

contribution = Table(
    "contribution",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("unit", String, nullable=False),
    Column("line", String, nullable=False),
    PrimaryKeyConstraint("topic", "unit", "line"),
)

unit = Table(
    "unit",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("id", String, nullable=False),
    Column("n", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("patient", Text, nullable=False),
    Column("time", String, nullable=False),
    Column("location", Text, nullable=False),
    Column("gone", Boolean, nullable=False),
    Column("sampled", Boolean, nullable=False),
    PrimaryKeyConstraint("topic", "id"),
)

UNIT_FIELDS = ("action", "agent", "patient", "time", "location")
"""What a unit says, in the order in which people read it."""

matching = Table(
    "matching",
    metadata,
    Column("topic", _Number, nullable=False),
    Column("person", _Number, nullable=False),
    Column("unit", String, nullable=False),
    Column("tree", Text, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("topic", "person", "unit"),
)

PROJECTIONS = (
    project, member, topic, assignment, submission, activity, note, story, sentence, reading,
    candidate, event, merged, mark, verdict, anchor, line, contribution, unit, matching,
)  # fmt: skip
