"""TREC Temporal Summarization: nuggets, sampled updates and matches as tables, runs as lists.

A directory holds `nuggets.tsv`, `matches.tsv` and `updates_sampled.tsv` (2013:
`pooled_updates.tsv`); a run is a file of ``query team run document sentence time confidence``,
packed or not, with any number of runs in it.
"""

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from chronoscore.core import (
    Collection,
    Event,
    Judgements,
    Link,
    Output,
    Ranking,
    Run,
    Selection,
    Topic,
)
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.io.files import text_lines

UPDATES = ("updates_sampled.tsv", "pooled_updates.tsv", "updates.tsv")
PREFIX = re.compile(r"TS\d+\.")


def is_directory(path: Path) -> bool:
    """Whether a path is a directory of this kind."""
    return (path / "nuggets.tsv").is_file() and (path / "matches.tsv").is_file()


def load(folder: Path) -> Collection:
    """Read the judged topics of a directory."""
    nuggets, ignored = load_nuggets(folder / "nuggets.tsv")
    updates = load_updates(next((folder / n for n in UPDATES if (folder / n).is_file()), folder))
    matches = load_matches(folder / "matches.tsv", nuggets, ignored)
    topics = {
        topic: Topic(
            id=topic,
            judgements=judgements(events, updates.get(topic, {}), matches.get(topic, {})),
        )
        for topic, events in nuggets.items()
    }
    return Collection(topics, name=folder.resolve().name)


def load_nuggets(path: Path) -> tuple[dict[str, list[Event]], set[tuple[str, str]]]:
    """Nuggets by topic, and those of importance 0 or less, which do not count."""
    found: dict[str, list[Event]] = {}
    ignored: set[tuple[str, str]] = set()
    names = ("query_id", "nugget_id", "timestamp", "importance", "nugget_text")
    for where, (topic, nugget, time, importance, text) in table(path, names):
        weight = number(where, "importance", importance)
        found.setdefault(topic, [])
        if weight <= 0:
            ignored.add((topic, nugget))
            continue
        found[topic].append(Event(nugget, text, number(where, "timestamp", time), weight))
    return found, ignored


def load_updates(path: Path) -> dict[str, dict[str, tuple[str, str]]]:
    """Updates by topic and id: the text, and the update that it repeats, if any."""
    if path.is_dir():
        raise DataError(f"{path}: has no table of updates; add {' or '.join(UPDATES)}")
    found: dict[str, dict[str, tuple[str, str]]] = {}
    names = ("query_id", "update_id", "duplicate_id", "update_text")
    for where, (topic, update, same, text) in table(path, names):
        mine = found.setdefault(topic, {})
        if update in mine:
            raise DataError(f"{where}: duplicate update '{update}'; make ids unique")
        mine[update] = (text, "" if same == "NULL" else same)
    return found


Matches = dict[str, dict[str, list[tuple[str, tuple[int, int]]]]]
"""By topic and update: nuggets, and the characters that tell them."""


def load_matches(
    path: Path, nuggets: Mapping[str, Sequence[Event]], ignored: set[tuple[str, str]]
) -> Matches:
    """Matches; those that name a nugget nobody knows are counted and reported once."""
    known = {(topic, event.id) for topic, events in nuggets.items() for event in events}
    found: Matches = {}
    strange: list[tuple[str, str]] = []
    names = ("query_id", "update_id", "nugget_id", "match_start", "match_end")
    for where, (topic, update, nugget, start, end) in table(path, names):
        if (topic, nugget) not in known:
            strange += [(where, nugget)] * ((topic, nugget) not in ignored)
            continue
        span = (int(number(where, "start", start)), int(number(where, "end", end)))
        found.setdefault(topic, {}).setdefault(update, []).append((nugget, span))
    if strange:
        where, nugget = strange[0]
        warnings.warn(
            f"{where}: {len(strange)} matches name {len({n for _, n in strange})} unknown "
            f"nuggets, '{nugget}' here first; these matches are left out",
            ChronoscoreWarning,
            stacklevel=3,
        )
    return found


def judgements(
    events: Sequence[Event],
    updates: Mapping[str, tuple[str, str]],
    matches: Mapping[str, Sequence[tuple[str, tuple[int, int]]]],
) -> Judgements:
    """A topic's judgements; an update that repeats another has the other's text and matches."""
    texts: dict[str, str] = {}
    links: list[Link] = []
    for update, (text, same) in updates.items():
        own = same if same in updates else update
        texts[update] = updates[own][0] if own != update else text
        links += [
            Link(sentence=update, event=nugget, span=in_characters(texts[update], span))
            for nugget, span in matches.get(own, ())
        ]
    return Judgements(
        sentences=tuple(updates),
        events=tuple(events),
        links=tuple(links),
        texts=texts,
        pooled=True,
    )


def in_characters(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span that counts bytes, as the official scorer takes it, in characters."""
    if text.isascii():
        return span
    raw = text.encode()
    start, end = (len(raw[:place].decode(errors="ignore")) for place in span)
    return start, end


def load_runs(path: Path, topics: Sequence[str] = ()) -> list[Run]:
    """Read the runs of a file, one update a line; `11` is the topic `TS14.11` where that is."""
    names = {PREFIX.sub("", topic): topic for topic in topics}
    found: dict[tuple[str, str, str], list[Selection]] = {}
    for line, text in text_lines(path):
        fields = text.split()
        if not fields:
            continue
        if len(fields) < 7:
            raise DataError(
                f"{path}:{line}: {len(fields)} fields where 7 are needed; "
                "write query team run document sentence time confidence"
            )
        query, team, run, document, sentence, time, confidence = fields[:7]
        try:
            at, sure = float(time), float(confidence)
        except ValueError:
            raise DataError(
                f"{path}:{line}: time '{time}' or confidence '{confidence}' is not a number; "
                "write one"
            ) from None
        if math.isnan(at) or math.isinf(at) or math.isnan(sure):
            raise DataError(f"{path}:{line}: time or confidence is not a number; write one")
        # The official scorer reads an infinite confidence as this.
        sure = 1000.0 if sure == math.inf else sure
        found.setdefault((team, run, query), []).append(
            Selection(f"{document}-{sentence}", sure, at)
        )
    runs: dict[str, dict[str, Output]] = {}
    for (team, run, query), chosen in found.items():
        topic = names.get(PREFIX.sub("", query), query)
        runs.setdefault(f"{team}-{run}", {})[topic] = Ranking(tuple(chosen))
    return [Run(system, outputs) for system, outputs in runs.items()]


def table(path: Path, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The named columns of a table with a heading; the last may hold tabs itself."""
    places: list[int] = []
    for line, text in text_lines(path):
        fields = text.split("\t")
        if not places:
            heading = [field.strip().casefold() for field in fields]
            missing = [name for name in names if name not in heading]
            if missing:
                raise DataError(
                    f"{path}:{line}: no column '{missing[0]}'; the heading must name "
                    f"{', '.join(names)}"
                )
            places = [heading.index(name) for name in names]
            last = len(heading) - 1
            continue
        if not text.strip():
            continue
        if len(fields) <= last and len(fields) <= max(places):
            raise DataError(
                f"{path}:{line}: {len(fields)} columns where the heading has {last + 1}; fix it"
            )
        if len(fields) > last + 1:
            fields[last:] = [" ".join(fields[last:])]
        yield f"{path}:{line}", [fields[place] for place in places]


def number(where: str, what: str, text: str) -> float:
    """A finite number, or an error that names the place."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{where}: {what} '{text}' is not a number; write one")
    return value
