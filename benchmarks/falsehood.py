"""Errors planted in what people wrote: which of them does `contradictions` find?

Half of the entries that can hold an error of a kind get one, the other half stay as they are. An
entry is held against what else is known of its days: the entries of the other annotators
(background-summaries), the other gold timelines or the articles (timeline17), the other facts of
the event (CrisisFACTS); this is done three times. Thresholds were chosen on every other topic; the
rest test them. A second table plants errors of other shapes, and harmless rewordings, in every
entry that can hold them.
"""

import csv
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.lies import LIES
from benchmarks.other_lies import SHAPES, plant
from chronoscore.core import Timeline, When
from chronoscore.core.texts import Entry
from chronoscore.errors import DataError
from chronoscore.formats.corpora import collections, crisisfacts
from chronoscore.formats.timelines.conversion import read_timelines_of_path
from chronoscore.measures.contradictions.claims import Statement
from chronoscore.measures.contradictions.conflicts import suspicions
from chronoscore.measures.contradictions.kinds import KINDS
from chronoscore.measures.contradictions.pairing import (
    Evidence,
    document_statements,
    reference_statements,
)

WITHIN, AROUND = 3, 7
HALVES = ("chosen on", "tested on")
SEEDS = (1, 2, 3)
LEAST = 20
"""Entries below which a shape is left out."""


@dataclass(frozen=True)
class Case:
    """An entry that people wrote, and what it can be held against."""

    corpus: str
    topic: str
    entry: Entry
    evidence: Evidence

    def about(self, entry: Entry, within: int = WITHIN) -> list[Statement]:
        """What the entry, perhaps with an error in it, is held against."""
        own = set(self.entry.sentences)
        return [one for one in self.evidence.about(entry, within) if one.text not in own]


def background_summaries(data: Path) -> Iterator[Case]:
    """Each annotator against the two others."""
    for folder in sorted((data / "background-summaries" / "events").iterdir()):
        written = [
            _read_annotator(folder / f"annotator{number}.tsv", str(number)) for number in (1, 2, 3)
        ]
        yield from _each_against_others("background-summaries", folder.name, written)


def _read_annotator(path: Path, author: str) -> Timeline:
    entries = []
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            text = " ".join(row["Update"].replace("\\n", " ").split())
            try:
                entries.append((When.parse(row["Date"].strip("[]")), [text]))
            except DataError:
                continue
    return Timeline.of([(when, text) for when, text in entries if text[0]], author=author)


def _each_against_others(corpus: str, topic: str, timelines: Sequence[Timeline]) -> Iterator[Case]:
    for place, timeline in enumerate(timelines):
        others = [*timelines[:place], *timelines[place + 1 :]]
        evidence = Evidence(reference_statements(others), "english")
        for entry in timeline if others else ():
            yield Case(corpus, topic, entry, evidence)


def timeline17_gold(data: Path) -> Iterator[Case]:
    """Each gold timeline against the others of its topic."""
    by_topic: dict[str, list[Timeline]] = {}
    for one in read_timelines_of_path(data / "timeline17" / "gold", repeated="last").timelines:
        by_topic.setdefault(one.topic, []).append(one.timeline)
    for topic, timelines in by_topic.items():
        yield from _each_against_others("timeline17, gold", topic, timelines)


def timeline17_articles(data: Path) -> Iterator[Case]:
    """Gold timelines of three topics against the articles."""
    for topic in collections.load(data / "timeline17" / "articles", Timeline):
        evidence = Evidence(document_statements(topic), "english")
        for timeline in topic.timelines:
            for entry in timeline:
                yield Case("timeline17, articles", topic.id, entry, evidence)


def crisis_facts(data: Path) -> Iterator[Case]:
    """Each fact against all others of its event."""
    by_event: dict[str, list[Entry]] = {}
    for topic in crisisfacts.load(data / "crisisfacts-2022"):
        for event in topic.judgements.events if topic.judgements else ():
            if event.time is None:
                continue
            day = datetime.fromtimestamp(event.time, tz=UTC).date()
            by_event.setdefault(topic.title, []).append(Entry(When.of(day), (event.text,)))
    for name, entries in by_event.items():
        statements = [Statement(e.sentences[0], e.when, name, "1") for e in entries]
        evidence = Evidence(statements, "english")
        for entry in entries:
            yield Case("CrisisFACTS", name, entry, evidence)


CORPORA: Mapping[str, Callable[[Path], Iterator[Case]]] = {
    "background-summaries": background_summaries,
    "timeline17, gold": timeline17_gold,
    "timeline17, articles": timeline17_articles,
    "CrisisFACTS": crisis_facts,
}


def accuse(case: Case, entry: Entry, kind: str) -> tuple[float, bool]:
    """How suspicious an entry is, and whether it has a conflict of a kind."""
    if kind == "invented":
        best = max(
            (len(_words(entry) & _words_of(one)) for one in case.about(entry, AROUND)), default=0
        )
        return 1.0 / (1 + best), best < min(2, len(_words(entry)))
    found = list(suspicions(entry, case.about(entry), kind, KINDS[kind]))
    flagged = any(one.other and one.strength >= KINDS[kind].threshold for one in found)
    return max((one.strength for one in found), default=0.0), flagged


def _words(entry: Entry) -> frozenset[str]:
    from chronoscore.measures.contradictions.pairing import entry_words

    return entry_words(entry, "english")


def _words_of(statement: Statement) -> frozenset[str]:
    from chronoscore.measures.contradictions.pairing import content_words

    return content_words(statement.text)


@dataclass
class Tried:
    """The suspicions of planted and of clean entries, and which were flagged."""

    planted: list[tuple[float, bool]]
    clean: list[tuple[float, bool]]

    def row(self) -> list[str]:
        """Counts and rates as cells."""
        hits, alarms = (sum(flag for _, flag in some) for some in (self.planted, self.clean))
        recall, false = hits / max(1, len(self.planted)), alarms / max(1, len(self.clean))
        precision = f"{hits / (hits + alarms):.3f}" if hits + alarms else "–"
        figures = [f"{recall:.3f}", precision, f"{false:.3f}", f"{self.auc:.3f}"]
        return [str(len(self.planted)), str(len(self.clean)), *figures]

    @property
    def auc(self) -> float:
        """How often a planted entry is more suspicious than a clean one; ties count half."""
        planted = np.array([strength for strength, _ in self.planted])
        clean = np.array([strength for strength, _ in self.clean])
        if not len(planted) or not len(clean):
            return float("nan")
        above = (planted[:, None] > clean).mean() + (planted[:, None] == clean).mean() / 2
        return float(above)


def attempt(cases: Sequence[Case], kind: str, seed: int = 1) -> Tried:
    """Plant an error of a kind in half of the entries that can hold one."""
    rng = random.Random(f"{kind} {seed}")
    tried = Tried([], [])
    names: dict[str, list[Case]] = {}
    for case in cases:
        names.setdefault(case.topic, []).append(case)
    able = []
    for case in cases:
        if case.about(case.entry):
            lie = LIES[kind](case.entry, names, case.topic, rng)
            if lie is not None:
                able.append((case, lie))
    rng.shuffle(able)
    for place, (case, lie) in enumerate(able):
        if place % 2:
            tried.planted.append(accuse(case, lie, kind))
        else:
            tried.clean.append(accuse(case, case.entry, kind))
    return tried


def attempt_often(cases: Sequence[Case], kind: str) -> Tried:
    """What is planted by several seeds, together: small corpora hold few entries."""
    tried = [attempt(cases, kind, seed) for seed in SEEDS]
    return Tried(
        [one for some in tried for one in some.planted],
        [one for some in tried for one in some.clean],
    )


def attempt_shapes(cases: Sequence[Case], kind: str) -> Iterator[list[str]]:
    """A row for each shape: the entries that can have it, and those flagged with and without it."""
    harmful, shapes = SHAPES[kind]
    part = kind.split(",")[0]
    for name, shape in shapes.items():
        rng = random.Random(name)
        planted = [(one, lie) for one in cases if (lie := plant(one.entry, shape, rng))]
        if len(planted) < LEAST:
            continue
        after = sum(accuse(one, lie, part)[1] for one, lie in planted) / len(planted)
        before = sum(accuse(one, one.entry, part)[1] for one, _ in planted) / len(planted)
        kind_of = "error" if harmful else "harmless"
        yield [part, name, kind_of, str(len(planted)), f"{after:.3f}", f"{before:.3f}"]


def main() -> str:
    """A table for each half of the topics."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# falsehood\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    corpora = {name: list(load(Path(data))) for name, load in CORPORA.items()}
    lines = [
        "# falsehood",
        "",
        "| kind | corpus | half | planted | clean | recall | precision | alarms | AUC |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in LIES:
        for name, cases in corpora.items():
            topics = sorted({case.topic for case in cases})
            for half, label in enumerate(HALVES):
                mine = set(topics[half::2])
                tried = attempt_often([case for case in cases if case.topic in mine], kind)
                lines.append(f"| {kind} | {name} | {label} | {' | '.join(tried.row())} |")
    lines += [
        "",
        "| kind | shape | | corpus | entries | flagged with it | without |",
        "|---|---|---|---|---:|---:|---:|",
    ]
    for name in ("background-summaries", "CrisisFACTS"):
        cases = [case for case in corpora[name] if case.about(case.entry)]
        for kind in SHAPES:
            for part, shape, what, *figures in attempt_shapes(cases, kind):
                lines.append(f"| {part} | {shape} | {what} | {name} | {' | '.join(figures)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(main())
