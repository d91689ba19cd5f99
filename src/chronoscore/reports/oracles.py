"""Oracles and ceilings as rows for programs, tables for people, and pictures."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures import Measure
from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.hard import SolvedInstance
from chronoscore.oracles.people import Frequencies
from chronoscore.oracles.summaries import Oracle
from chronoscore.oracles.timeline_search import TimelineOracle
from chronoscore.reports.plots import ceilings, curves
from chronoscore.reports.tables import Table, format_number
from chronoscore.reports.views import View
from chronoscore.stats.agreement import mean_of_defined

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Record = Mapping[str, Any]
ALIKE = ("measure", "part", "method")
"""What rows share that can be averaged."""


@dataclass(frozen=True)
class Oracles:
    """The best text for every topic by every measure and method."""

    summaries: tuple[tuple[Measure, Oracle], ...] = ()
    timelines: tuple[tuple[Measure, TimelineOracle], ...] = ()

    @cached_property
    def _measures(self) -> set[Measure]:
        return {measure for measure, _ in (*self.summaries, *self.timelines)}

    @cached_property
    def _references(self) -> Counter[tuple[Measure, str]]:
        return Counter((measure, one.topic) for measure, one in self.timelines)

    def name(self, measure: Measure) -> str:
        """A measure's name where there are several measures, otherwise nothing."""
        return str(measure) if len(self._measures) > 1 else ""

    def reference(self, measure: Measure, one: TimelineOracle) -> str:
        """The reference of an oracle where its topic has several, otherwise nothing."""
        return one.reference if self._references[measure, one.topic] > 1 else ""


def oracle_rows(found: Oracles) -> Iterator[Record]:
    """A record for each text; the measure is named where there are several."""
    for measure, one in found.summaries:
        yield summary_row(one, found.name(measure))
    for measure, timeline in found.timelines:
        yield _timeline_row(timeline, found.name(measure))


def summary_row(found: Oracle, measure: str = "") -> Record:
    """A flat record of a summary's oracle."""
    return {
        "topic": found.topic,
        **({"measure": measure} if measure else {}),
        "method": found.method,
        "value": found.value,
        "bound": found.bound,
        "gap": found.gap,
        "sentences": [list(place) for place in found.sentences],
    }


def _timeline_row(found: TimelineOracle, measure: str) -> Record:
    """A flat record of a timeline's oracle; `dates` goes with `sentences`."""
    return {
        "topic": found.topic,
        "reference": found.reference,
        **({"measure": measure} if measure else {}),
        "part": found.part,
        "method": "exact",
        "value": found.value,
        "bound": found.bound,
        "gap": found.gap,
        "dates": [date for date, _, _ in found.places],
        "sentences": [[document, number] for _, document, number in found.places],
    }


def ceiling_rows(found: Sequence[Ceilings]) -> Iterator[Record]:
    """A record of the three ceilings of each topic and measure."""
    for one in found:
        yield {
            "topic": one.topic,
            "measure": one.measure,
            "human": one.human,
            "extractive": one.extractive,
            "extractive_bound": one.extractive_bound,
            "any_text": one.any_text,
            "any_text_bound": one.any_text_bound,
        }


def frequency_rows(found: Sequence[Frequencies]) -> Iterator[Record]:
    """A record for each topic of what several references ask for."""
    for one in found:
        yield {
            "topic": one.topic,
            "references": one.references,
            "words_each": one.words_each,
            "words": len(one.words),
            "partial_words": one.partial_words,
            "matches": one.copies,
            "partial_matches": one.partial_copies,
        }


def hard_row(found: SolvedInstance) -> Record:
    """A hard instance, its solution, and the number that the graph has."""
    return {
        **summary_row(found.oracle),
        "vertices": len(found.instance.graph),
        "n": found.instance.measure.n,
        "dominators": found.instance.dominators,
        "budget": str(found.instance.budget),
        "dominated": found.dominated,
        "dominating": found.dominating,
    }


def table(rows: Sequence[Record], title: str, notes: Sequence[str] = ()) -> Table:
    """These rows as a table for people: lists as their lengths, means in the last rows."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = [[_text(row.get(key)) for key in columns] for row in rows]
    lines += [[_mean_text(group, key) for key in columns] for group in _row_groups(rows)]
    return Table.of(title, [key.replace("_", " ") for key in columns], lines, notes)


def _row_groups(rows: Sequence[Record]) -> list[list[Record]]:
    """The rows of each measure, part and method, where there are several rows of one."""
    found: dict[tuple[Any, ...], list[Record]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(key) for key in ALIKE), []).append(row)
    return [group for group in found.values() if len(group) > 1]


def _mean_text(rows: Sequence[Record], key: str) -> str:
    """The mean of a column's numbers; what the rows share is named."""
    if key == "topic":
        return "mean"
    if key in ALIKE:
        return _text(rows[0].get(key))
    mean = mean_of_defined(v for row in rows if isinstance(v := row.get(key), float))
    return "" if math.isnan(mean) else f"{mean:.4f}"


def _text(value: Any) -> str:
    """A value for a person; a list as its length."""
    if isinstance(value, list):
        return str(len(value))
    if isinstance(value, float):
        return format_number(value)
    return "" if value is None else str(value)


def draw_oracles(found: Oracles) -> "Figure":
    """Each topic's value and bound by every measure and method."""
    series: dict[str, dict[str, tuple[float, float]]] = {}
    for measure, summary in found.summaries:
        name = f"{measure}, {summary.method}"
        series.setdefault(name, {})[summary.topic] = (summary.value, summary.bound)
    for measure, one in found.timelines:
        reference = found.reference(measure, one)
        topic = f"{one.topic}, {reference}" if reference else one.topic
        series.setdefault(str(measure), {})[topic] = (one.value, one.bound)
    topics = list(dict.fromkeys(topic for values in series.values() for topic in values))
    nothing = (math.nan, math.nan)
    pairs = {name: [values.get(t, nothing) for t in topics] for name, values in series.items()}
    return ceilings.of_oracles(topics, pairs)


def draw_ceilings(found: Sequence[Ceilings]) -> "Figure":
    """The ceilings of each topic by the first measure."""
    return ceilings.of_topics([one for one in found if one.measure == found[0].measure])


def draw_frequencies(found: Sequence[Frequencies], topic: str | None = None) -> "Figure":
    """The frequencies of one topic, the first if none is named."""
    by_topic = {one.topic: one for one in found}
    name = topic or next(iter(by_topic))
    if name not in by_topic:
        raise UsageError(f"no topic '{name}'; {did_you_mean(name, by_topic)}")
    return curves.of_frequencies(by_topic[name])


ORACLES: View[Oracles] = View(
    rows=oracle_rows,
    tables=lambda found: [table([*oracle_rows(found)], "Oracles")],
    draw=draw_oracles,
)
CEILINGS: View[Sequence[Ceilings]] = View(
    rows=ceiling_rows,
    tables=lambda found: [
        table(
            [*ceiling_rows(found)],
            "Recall at most",
            ("human: each reference against the others", "any text: whatever its words say"),
        )
    ],
    draw=draw_ceilings,
)
FREQUENCIES: View[Sequence[Frequencies]] = View(
    rows=frequency_rows,
    tables=lambda found: [
        table([*frequency_rows(found)], "Words and matches that several references offer")
    ],
    draw=draw_frequencies,
)
HARD: View[SolvedInstance] = View(
    rows=lambda found: [hard_row(found)],
    tables=lambda found: [table([hard_row(found)], "A hard instance")],
)
