"""TREC Temporal Summarization: nuggets, sampled updates and matches as tables, runs as lists.

A directory holds `nuggets.tsv`, `updates_sampled.tsv` (2013: `pooled_updates.tsv`) and a table
of matches; a run is a file of ``query team run document sentence time confidence`` with any
number of runs in it. All of them may be packed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.core import (
    Collection,
    Judgements,
    Link,
    MatchTable,
    Output,
    Ranking,
    Run,
    Selection,
    Topic,
)
from chronoscore.errors import DataError, number_with_noun, warn
from chronoscore.formats.corpora.tables import find_table
from chronoscore.formats.corpora.trects_tables import (
    PREFIX,
    Matches,
    TopicNuggets,
    Updates,
    load_duplicates,
    load_matches,
    load_nuggets,
    load_updates,
)
from chronoscore.formats.io.files import PACKED, text_lines

UPDATES = (
    "updates_sampled.tsv",
    "pooled_updates.tsv",
    "updates.tsv",
    "updates_sampled.extended.tsv",
)


@dataclass(frozen=True)
class TaskOptions:
    """What a directory of a task leaves open: which table of matches, and further duplicates."""

    matches: Path | None = None
    duplicates: Path | None = None


def is_directory(path: Path) -> bool:
    """Whether a path is a directory of this kind."""
    return find_table(path, "nuggets.tsv") is not None and bool(_find_match_tables(path))


def load(folder: Path, options: TaskOptions | None = None) -> Collection:
    """Read the judged topics of a directory."""
    options = options or TaskOptions()
    nuggets_file = find_table(folder, "nuggets.tsv")
    if nuggets_file is None:
        raise DataError("has no table of nuggets; add nuggets.tsv", place=folder)
    nuggets = load_nuggets(nuggets_file)
    names = {name: topic for topic in nuggets for name in (PREFIX.sub("", topic), topic)}
    updates_file = next(filter(None, (find_table(folder, name) for name in UPDATES)), None)
    if updates_file is None:
        raise DataError(f"has no table of updates; add {' or '.join(UPDATES)}", place=folder)
    updates = load_updates(updates_file, names)
    matches = load_matches(_choose_matches(folder, options.matches), names, nuggets)
    twins = load_duplicates(options.duplicates) if options.duplicates else {}
    topics = {}
    for topic, mine in nuggets.items():
        missing = "sampled update" if topic not in updates else "match"
        if topic not in updates or topic not in matches:
            warn(
                f"{folder}: topic '{topic}' has no {missing}; it is left out",
                kind="topics-without-matches",
            )
            continue
        judged = build_trects_topic(mine, updates[topic], matches[topic], twins)
        topics[topic] = Topic(id=topic, judgements=judged)
    if not topics:
        raise DataError(
            "no topic has nuggets, sampled updates and matches; check ids", place=folder
        )
    return Collection(topics, name=folder.resolve().name)


def _find_match_tables(folder: Path) -> list[Path]:
    """The tables of matches in a directory; a task may give several."""
    found = [
        path
        for path in folder.iterdir()
        if path.is_file()
        and "matches" in path.name.casefold()
        and _name_without_packing(path).endswith(".tsv")
    ]
    return sorted(found)


def _name_without_packing(path: Path) -> str:
    """A file's name without the ending of its packing."""
    return path.stem if path.suffix in PACKED else path.name


def _choose_matches(folder: Path, asked: Path | None) -> Path:
    """The table of matches that was asked for, the only one, or the one with the plain name."""
    tables = _find_match_tables(folder)
    if asked is not None:
        for path in (asked, folder / asked):
            if path.is_file():
                return path
        known = ", ".join(path.name for path in tables)
        raise DataError(f"no such table of matches; {folder} has {known}", place=asked)
    plain = next((path for path in tables if _name_without_packing(path) == "matches.tsv"), None)
    if len(tables) == 1:
        return tables[0]
    names = ", ".join(path.name for path in tables)
    if plain is None:
        raise DataError(
            f"has several tables of matches ({names}); choose one with `matches`", place=folder
        )
    warn(
        f"{folder}: has several tables of matches ({names}); {plain.name} is taken, "
        "`matches` chooses another",
        kind="several-tables",
    )
    return plain


def build_trects_topic(
    nuggets: TopicNuggets, updates: Updates, matches: Matches, twins: Mapping[str, str]
) -> Judgements:
    """A topic's judgements; an update that repeats another has the other's text and matches.

    An update that was not sampled but has a sampled twin has the twin's text. Its matches are
    those of its own id, unless the twin has a duplicate itself: so the official scorer has it.
    """
    origins = {
        update: row.repeats if row.repeats in updates else update for update, row in updates.items()
    }
    rows = {update: (updates[origin], origin) for update, origin in origins.items()}
    for update, twin in twins.items():
        if update not in updates and twin in updates:
            origin = origins[twin]
            rows[update] = (updates[origin], origin if updates[twin].repeats == origin else update)
    links: list[Link] = []
    unimportant: list[Link] = []
    texts: dict[str, str] = {}
    lengths: dict[str, float] = dict(nuggets.lengths)
    for update, ((text, _, length), matches_of) in rows.items():
        texts[update] = text
        if length is not None:
            lengths[update] = length
        for nugget, span in matches.get(matches_of, ()):
            kept = links if nugget in nuggets.events else unimportant
            place = span if text.isascii() else _span_in_characters(text, span)
            kept.append(Link(sentence=update, event=nugget, span=place))
    pairs = {
        (update, nugget): None
        for update, found in matches.items()
        for nugget, _ in found
        if nugget in nuggets.events
    }
    return Judgements(
        sentences=tuple(rows),
        events=tuple(nuggets.events.values()),
        links=tuple(links),
        texts=texts,
        pooled=True,
        table=MatchTable(
            frozenset(nugget for _, nugget in pairs),
            tuple(pair for pair in pairs if pair[0] in updates),
            {update: origin for update, origin in origins.items() if origin != update},
            tuple(nuggets.unimportant.values()),
            tuple(unimportant),
            lengths,
        ),
    )


def _span_in_characters(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span that counts bytes, as the official scorer takes it, in characters."""
    raw = text.encode()
    start, end = (len(raw[:place].decode(errors="ignore")) for place in span)
    return start, end


def load_runs(path: Path, topics: Sequence[str] = ()) -> list[Run]:
    """Read the runs of a file, one update a line; `11` is the topic `TS14.11` where that is.

    Where topics are given, updates on others are left out, as the official scorers do.
    """
    names = {PREFIX.sub("", topic): topic for topic in topics}
    others: dict[str, int] = {}
    found: dict[tuple[str, str, str], list[Selection]] = {}
    latest: tuple[str, str, str] | None = None
    chosen: list[Selection] = []
    for line, text in text_lines(path):
        fields = text.split()
        if not fields:
            continue
        if len(fields) < 7:
            if latest is None:
                raise DataError(
                    f"is no ranking and no run, whose lines have 7 fields (line {line} has "
                    f"{len(fields)}); judgements score what was retrieved, and a timeline or text "
                    "is scored against `references`",
                    place=path,
                )
            raise DataError(
                f"{number_with_noun(len(fields), 'field')} where 7 are needed; "
                "write query team run document sentence time confidence",
                place=f"{path}:{line}",
            )
        query, team, run, document, sentence, time, confidence = fields[:7]
        try:
            at, sure = float(time), float(confidence)
        except ValueError:
            raise DataError(
                f"time '{time}' or confidence '{confidence}' is not a number; write one",
                place=f"{path}:{line}",
            ) from None
        if not math.isfinite(at) or math.isnan(sure):
            raise DataError("time or confidence is not a number; write one", place=f"{path}:{line}")
        # The official scorer reads an infinite confidence as this.
        sure = 1000.0 if sure == math.inf else sure
        if (key := (team, run, query)) != latest:
            topic = names.setdefault(PREFIX.sub("", query), query)
            chosen, latest = found.setdefault((team, run, topic), []), key
        chosen.append(Selection(f"{document}-{sentence}", sure, at))
    runs: dict[str, dict[str, Output]] = {}
    for (team, run, topic), chosen in found.items():
        if topics and topic not in topics:
            others[topic] = others.get(topic, 0) + len(chosen)
            continue
        runs.setdefault(f"{team}-{run}", {})[topic] = Ranking(tuple(chosen))
    if not found:
        raise DataError("has no updates; write one per line", place=path)
    if others:
        listed = ", ".join(f"'{topic}'" for topic in others)
        warn(
            f"{path}: {number_with_noun(sum(others.values()), 'update')} on topics without "
            f"judgements ({listed}) left out",
            kind="unjudged-topics",
        )
    return [Run(system, outputs) for system, outputs in runs.items()]
