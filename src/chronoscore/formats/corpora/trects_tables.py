"""The tables of TREC Temporal Summarization: nuggets, sampled updates, matches, duplicates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from chronoscore import lazy
from chronoscore.core import Event
from chronoscore.errors import DataError, warn
from chronoscore.formats.corpora.tables import Column, RepeatedRows, parse_number, read_table
from chronoscore.formats.io.files import text_lines

PREFIX = lazy.pattern(r"^TS\d+\.")
"""What may stand before the number of a topic."""

QUERY = Column(("query_id", "queryid", "query", "topic_id", "topic"), 0)
NUGGET = Column(("nugget_id", "nuggetid"), 1)
UPDATE = Column(("update_id", "updateid"), 1)
NUGGETS = (
    QUERY,
    NUGGET,
    Column(("timestamp", "nugget_timestamp", "time"), 2),
    Column(("importance", "nugget_importance"), 3),
    Column(("nugget_len", "nugget_length", "length", "len"), 4, spare=True),
    Column(("nugget_text", "text"), 5, last=True),
)
SAMPLED = (
    QUERY,
    UPDATE,
    Column(("update_len", "update_length", "length", "len"), 4, spare=True),
    Column(("duplicate_id", "duplicate"), 5, optional=True),
    Column(("update_text", "text"), 6, last=True),
)
MATCHES = (
    QUERY,
    UPDATE,
    Column(("nugget_id", "nuggetid"), 2),
    Column(("match_start", "update_start", "start"), 3),
    Column(("match_end", "update_end", "end"), 4),
)


@dataclass(frozen=True)
class TopicNuggets:
    """The nuggets of a topic: those that count, those of importance 0 or less, and lengths."""

    events: dict[str, Event] = field(default_factory=dict)
    unimportant: dict[str, Event] = field(default_factory=dict)
    lengths: dict[str, float] = field(default_factory=dict)


def load_nuggets(path: Path) -> dict[str, TopicNuggets]:
    """Nuggets by topic.

    A topic may be written with and without the prefix of its task; the first form counts.
    """
    nuggets: dict[str, TopicNuggets] = {}
    repeated = RepeatedRows(path)
    names: dict[str, str] = {}
    for line, row in read_table(path, NUGGETS):
        query, nugget, time, importance, length, text = row
        where = f"{path}:{line}"
        bare = PREFIX.sub("", query)
        topic = names.setdefault(bare, query)
        if bare not in (topic, query) and topic != query:
            raise DataError(
                f"topics '{topic}' and '{query}' have the same number; give each its own",
                place=where,
            )
        weight = parse_number(where, "importance", importance)
        repeated.add(line, (topic, nugget), row)
        mine = nuggets.setdefault(topic, TopicNuggets())
        for same in (mine.events, mine.unimportant):
            same.pop(nugget, None)
        kept = mine.events if weight > 0 else mine.unimportant
        kept[nugget] = Event(nugget, text, parse_number(where, "timestamp", time), weight)
        if length.isdecimal():
            mine.lengths[nugget] = float(length)
    repeated.warn()
    return nuggets


class Update(NamedTuple):
    """A sampled update: its text, the update that it repeats, if any, and its stated length."""

    text: str
    repeats: str = ""
    length: int | None = None


Updates: TypeAlias = dict[str, Update]


def load_updates(path: Path, names: Mapping[str, str]) -> dict[str, Updates]:
    """Updates by topic."""
    updates: dict[str, Updates] = {}
    repeated = RepeatedRows(path)
    for line, row in read_table(path, SAMPLED):
        topic = names.get(row[0]) or names.get(PREFIX.sub("", row[0]), row[0])
        _, update, length, same, text = row
        repeated.add(line, (topic, update), row)
        updates.setdefault(topic, {})[update] = Update(
            text, "" if same == "NULL" else same, int(length) if length.isdecimal() else None
        )
    repeated.warn()
    return updates


Matches: TypeAlias = dict[str, list[tuple[str, tuple[int, int]]]]
"""By update: nuggets, and the bytes that tell them."""


def load_matches(
    path: Path, names: Mapping[str, str], nuggets: Mapping[str, TopicNuggets]
) -> dict[str, Matches]:
    """Matches by topic; those that name a nugget nobody knows are counted and reported once."""
    known = {topic: {*mine.events, *mine.unimportant} for topic, mine in nuggets.items()}
    matches: dict[str, Matches] = {}
    strange: list[tuple[int, str]] = []
    # As in the official scorers, the first of two spans of a match counts.
    repeated = RepeatedRows(path, last_wins=False)
    for line, row in read_table(path, MATCHES):
        topic = names.get(row[0]) or names.get(PREFIX.sub("", row[0]), row[0])
        _, update, nugget, start, end = row
        mine = matches.setdefault(topic, {})
        if nugget not in known.get(topic, ()):
            strange.append((line, nugget))
            continue
        repeated.add(line, (topic, update, nugget), row)
        try:
            span = (int(start), int(end))
        except ValueError:
            where = f"{path}:{line}"
            span = (int(parse_number(where, "start", start)), int(parse_number(where, "end", end)))
        mine.setdefault(update, []).append((nugget, span))
    repeated.warn()
    if strange:
        line, nugget = strange[0]
        warn(
            f"{path}:{line}: {len(strange)} matches name {len({n for _, n in strange})} unknown "
            f"nuggets, '{nugget}' here first; these matches are left out",
            kind="unknown-nuggets",
        )
    return matches


def load_duplicates(path: Path) -> dict[str, str]:
    """Pairs of ids of updates with the same text, in both directions."""
    twins: dict[str, str] = {}
    for line, text in text_lines(path):
        pair = text.split()
        if len(pair) == 1:
            raise DataError("one id where two are needed; write both", place=f"{path}:{line}")
        if pair:
            twins[pair[1]] = pair[0]
            twins[pair[0]] = pair[1]
    return twins
