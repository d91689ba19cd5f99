"""CrisisFACTS as texts: an event's summaries are references, a run's facts make a text of it.

The track's files of summaries are rows, as in `gold.summaries.json.gz`, or columns by event, as
in `topics.withSummaries.json`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from chronoscore.core import Collection, Selection, Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import crisisfacts_assessed as assessed
from chronoscore.formats.corpora.crisisfacts import (
    decode_rows,
    event_of,
    facts_file,
    kind_of,
    load_depths,
    request_order,
)
from chronoscore.formats.corpora.crisisfacts_runs import note_of_empty_facts, read_facts
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.io.notes import Note
from chronoscore.options import Edition, SummaryTarget

SUMMARIES: Mapping[SummaryTarget, str] = {
    "nist": "nist.summary",
    "wiki": "wiki.summary",
    "ics": "ics.summary",
}
MOST_FACTS = 32
"""Facts of a request that count in 2023."""


def find_references(paths: Sequence[Path]) -> "TrackFiles | None":
    """The track's files among references, those of a folder too; none if there are no summaries."""
    inside = [
        file
        for path in paths
        for file in (sorted(path.glob("*ummaries*.json*")) if path.is_dir() else [path])
    ]
    summaries = tuple(file for file in inside if kind_of(file) == "summaries")
    if summaries:
        return TrackFiles(summaries, tuple(path for path in paths if path not in summaries))
    for path in paths:
        if assessed.find_files(path) is not None or kind_of(path) == "collapsed":
            text = "holds what assessors decided about facts; give it as `judgements`"
            raise DataError(text, place=path)
        if kind_of(path) == "events" or facts_file(path) is not None:
            text = "holds no summary of an event; give gold.summaries.json.gz or "
            raise DataError(f"{text}topics.withSummaries.json", place=path)
    return None


@dataclass(frozen=True)
class TrackFiles:
    """Files of summaries, and others that were named with them."""

    summaries: tuple[Path, ...]
    others: tuple[Path, ...] = ()

    def facts(self) -> Path:
        """The file of facts, which was named or lies beside the summaries."""
        for path in (*self.others, *(file.parent for file in self.summaries)):
            if (found := facts_file(path)) is not None:
                return found
        raise DataError(
            "there is no .facts.json beside it, which says how many facts of a request count; "
            "put it there or name it too",
            place=self.summaries[0],
        )

    def annotations(self) -> Path | None:
        """The assessors' labels, if they were named or lie beside the summaries."""
        for path in (*self.others, *(file.parent for file in self.summaries)):
            if (found := assessed.label_file(path)) is not None:
                return found
        return None


@dataclass(frozen=True)
class FactRules:
    """How facts become texts, and which summaries are references.

    `depths` says how many of each request's facts count, in the order of requests; others are
    left out. Without it all count.
    """

    edition: Edition | None = None
    target: SummaryTarget | None = None
    depths: Mapping[str, int] | None = None

    @classmethod
    def of(
        cls,
        references: TrackFiles | None,
        edition: Edition | None,
        target: SummaryTarget | None,
        notes: list[Note],
    ) -> "FactRules":
        """The rules of an edition, with what its files say."""
        if references is None and edition is not None:
            raise UsageError(
                f"`compat={edition!r}` scores runs against the track's summaries; "
                "give gold.summaries.json.gz or topics.withSummaries.json as `references`"
            )
        if references is None and target is not None:
            raise UsageError(
                "`summaries_by` chooses among the summaries of CrisisFACTS; leave it out, or give "
                "gold.summaries.json.gz as `references`"
            )
        depths = None
        if references is not None and edition == "crisisfacts2022":
            depths = load_depths(references.facts())
        if references is not None and edition == "crisisfacts2023":
            labels = references.annotations()
            if labels is not None:
                depths = dict.fromkeys(assessed.load_labels(labels), MOST_FACTS)
            else:
                text = "there are no assessors' labels beside it; all requests count"
                notes.append(Note(str(references.summaries[0]), None, "guessed", text))
        return cls(edition, target, depths)

    def read_summaries(self, path: Path, notes: list[Note]) -> dict[str, Summary]:
        """An event's reference, by event."""
        rows = _read_events(path)
        known = [name for name, key in SUMMARIES.items() if any(_text(row, key) for row in rows)]
        if not known:
            raise DataError("has no summary of any event; fill it", place=path)
        target = self.target or known[0]
        if target not in known:
            raise DataError(
                f"has no summary by {target}; give `summaries_by` as {' or '.join(known)}",
                place=path,
            )
        if self.target is None and len(known) > 1:
            others = " or ".join(repr(name) for name in known[1:])
            text = f"has summaries by {', '.join(known)}; those by {target} are taken, "
            text += f"`summaries_by` chooses {others}"
            notes.append(Note(str(path), None, "guessed", text))
        found: dict[str, Summary] = {}
        for row in rows:
            text = _text(row, SUMMARIES[target])
            if text:
                found[row["eventID"]] = Summary((text,), target)
            elif self.edition == "crisisfacts2022":
                # The track's scorer compares with nothing and counts 0.
                found[row["eventID"]] = Summary((), target)
        return found

    def read_texts(self, path: Path, notes: list[Note]) -> list[tuple[str, Summary]]:
        """Each event with what a run's facts say of it, signed where a file holds several runs."""
        runs = read_facts(path)
        empty = sum(
            not fact.text.strip()
            for requests in runs.values()
            for facts in requests.values()
            for fact in facts
        )
        notes += note_of_empty_facts(path, empty)
        asked = {request for requests in runs.values() for request in requests}
        more = sorted(asked - (asked if self.depths is None else self.depths.keys()))
        if more:
            text = f"{len(more)} of {len(asked)} requests do not count by {self.edition}, "
            text += f"'{more[0]}' first; left out"
            notes.append(Note(str(path), None, "dropped", text))
        return [
            (event, Summary(self.join(facts), "" if system == bare_name(path) else system))
            for system, requests in runs.items()
            for event, facts in self.choose(requests).items()
        ]

    def choose(self, requests: Mapping[str, Sequence[Selection]]) -> dict[str, list[str]]:
        """The texts that count, by event: the most important of each request, ties in order."""
        found: dict[str, list[str]] = {}
        order: Iterable[str] = sorted(requests, key=request_order)
        for request in order if self.depths is None else self.depths:
            ranked = sorted(requests.get(request, ()), key=lambda fact: -fact.score)
            most = self._depth(request)
            if chosen := [fact.text for fact in islice(ranked, most)]:
                found.setdefault(event_of(request), []).extend(chosen)
        return found

    def _depth(self, request: str) -> int | None:
        if self.depths is not None:
            return self.depths[request]
        return MOST_FACTS if self.edition == "crisisfacts2023" else None

    def join(self, facts: Sequence[str]) -> tuple[str, ...]:
        """The facts of an event as a text: one text as the edition joins it, or a line for each."""
        if self.edition == "crisisfacts2022":
            return (" ".join(facts),)
        if self.edition == "crisisfacts2023":
            return (". ".join(facts).replace("..", "."),)
        return tuple(" ".join(fact.split()) for fact in facts if fact.strip())


def _read_events(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of summaries, each with its event's id."""
    held = decode_rows(path, list[dict[str, Any]] | dict[str, dict[str, Any]])
    if isinstance(held, list):
        rows = held
    else:
        events = dict.fromkeys(event for column in held.values() for event in column)
        rows = [{"eventID": e, **{key: held[key].get(e) for key in held}} for e in events]
    for row in rows:
        if not isinstance(row.get("eventID"), str):
            raise DataError("an event has no id; give eventID", place=path)
    return rows


def _text(row: Mapping[str, Any], key: str) -> str:
    """A summary in a row, or nothing."""
    text = row.get(key)
    return text if isinstance(text, str) and text.strip() else ""


def load_summaries(path: Path) -> Collection:
    """Read summaries by all who wrote any; every event is a topic, each summary a sentence."""
    topics = {}
    for row in _read_events(path):
        name = row["eventID"]
        found = [
            Summary((text,), author)
            for author, key in SUMMARIES.items()
            if (text := _text(row, key))
        ]
        if not found:
            wanted = ", ".join(SUMMARIES.values())
            raise DataError(f"event '{name}' has no summary; give {wanted}", place=path)
        topics[name] = Topic(id=name, title=str(row.get("title", "")), summaries=tuple(found))
    return Collection(topics, name=bare_name(path))
