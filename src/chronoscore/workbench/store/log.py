"""The append-only log: every decision is an entry, and nothing is ever taken out.

An entry carries a key that its sender made up. The same key from the same person is the
same entry, however often a browser with a bad connection sends it.
"""

import json
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cache
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, or_, select

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import upsert

Data = Mapping[str, Any]

UNDO_STEPS = 100
"""How many of a person's latest entries a screen can still undo by itself."""


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """Something that a person (or, without one, the workbench itself) did."""

    action: str
    data: Data
    person: int | None = None
    project: int | None = None
    topic: int | None = None
    step: str = ""
    key: str = field(default_factory=lambda: uuid4().hex)
    time: float = field(default_factory=time.time)
    seq: int = 0
    work: tuple[int, float] | None = None
    """How many entries the person has made in the step now, and their time; not kept."""

    @property
    def number_made(self) -> int:
        """The number of the project or topic that the entry made.

        It is not the entry's own, from which one could tell how much others have done.
        """
        return int(self.data.get("id", self.seq))


@dataclass(frozen=True)
class EntrySelection:
    """Which entries are read: those of a person, a step, a day (UTC), if these are named."""

    person: int | None = None
    step: str = ""
    day: date | None = None


EVERYTHING = EntrySelection()
DAY = 24 * 60 * 60


def to_json(value: object) -> str:
    """JSON in one spelling, so that equal values are equal texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def append(connection: Connection, entry: LogEntry) -> LogEntry:
    """Write an entry and let it take effect; a repeated one is given back as it was."""
    from chronoscore.workbench.store import projections

    row = {**vars(entry), "data": to_json(entry.data)}
    del row["seq"], row["work"]
    seq = connection.execute(_insertion(connection.dialect.name), row).scalar()
    if seq is None:
        assert entry.person is not None
        known = find(connection, entry.person, entry.key)
        assert known is not None
        return known
    numbered = replace(entry, seq=int(seq))
    return replace(numbered, work=projections.apply(connection, numbered))


@cache
def _insertion(dialect: str) -> Any:
    # Composing a statement takes SQLAlchemy longer than running it.
    return upsert(dialect, tables.log).on_conflict_do_nothing().returning(tables.log.c.seq)


def find(connection: Connection, person: int, key: str) -> LogEntry | None:
    """The entry that this person sent under this key before, if there is one."""
    log = tables.log
    row = connection.execute(
        select(log).where(log.c.person == person, log.c.key == key)
    ).one_or_none()
    return None if row is None else _entry(row._mapping)


def read(
    connection: Connection, *, actions: Collection[str] = (), after: int = 0, **where: int | str
) -> Iterator[LogEntry]:
    """All entries in order, or those of a project, topic, step or person, and of some kinds."""
    log = tables.log
    query = select(log).where(log.c.seq > after).order_by(log.c.seq)
    if actions:
        query = query.where(log.c.action.in_(actions))
    for column, value in where.items():
        query = query.where(log.c[column] == value)
    for row in connection.execute(query.execution_options(yield_per=500)):
        yield _entry(row._mapping)


def read_latest(
    connection: Connection,
    *,
    topic: int | None = None,
    project: int | None = None,
    only: EntrySelection = EVERYTHING,
    limit: int = 200,
    skipped: int = 0,
    without: Collection[int] = (),
    except_by: int | None = None,
) -> list[LogEntry]:
    """The newest entries first, of one topic or project, all or a selection.

    `without` leaves out topics, all but what `except_by` did in them.
    """
    log = tables.log
    query = select(log).order_by(log.c.seq.desc()).limit(limit).offset(skipped)
    if topic is not None:
        query = query.where(log.c.topic == topic)
    if project is not None:
        query = query.where(log.c.project == project)
    if only.person is not None:
        query = query.where(log.c.person == only.person)
    if only.step:
        query = query.where(log.c.step == only.step)
    if only.day is not None:
        midnight = datetime(only.day.year, only.day.month, only.day.day, tzinfo=UTC).timestamp()
        query = query.where(log.c.time >= midnight, log.c.time < midnight + DAY)
    if without:
        seen = or_(log.c.topic.is_(None), log.c.topic.not_in(without), log.c.person == except_by)
        query = query.where(seen)
    return [_entry(row._mapping) for row in connection.execute(query)]


def read_undoable(
    connection: Connection, topic: int, person: int, action: str, **about: str
) -> list[dict[str, Any]]:
    """The entries of a kind that a script may still undo, oldest first, with what was before.

    `about` are fields that they have, such as a unit.
    """
    newest_first = [
        entry
        for entry in read_latest(
            connection, topic=topic, only=EntrySelection(person), limit=UNDO_STEPS
        )
        if all(entry.data.get(name) == value for name, value in about.items())
    ]
    undone = {entry.data["undoes"] for entry in newest_first if "undoes" in entry.data}
    return [
        {"key": entry.key, "before": entry.data["before"]}
        for entry in reversed(newest_first)
        if entry.action == action
        and entry.data["before"]
        and "undoes" not in entry.data
        and entry.key not in undone
    ]


def _entry(row: Mapping[Any, Any]) -> LogEntry:
    return LogEntry(**{**row, "data": json.loads(row["data"])})
