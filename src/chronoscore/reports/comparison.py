"""Comparisons as tables: marks in the cells, and every pair with its test."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from chronoscore.options import Resampling
from chronoscore.reports.tables import Cell, Table, format_number, p_text
from chronoscore.reports.views import View
from chronoscore.scoring import Scores
from chronoscore.stats import power
from chronoscore.stats.boards import topic_spreads
from chronoscore.stats.compare import OTHER_TESTS, SystemPair
from chronoscore.stats.corpus_tests import PartComparison
from chronoscore.stats.plans import Plan, middle


def significance_marks(
    letter: Mapping[str, str], found: Sequence[PartComparison]
) -> Mapping[tuple[str, str, str], str]:
    """For each figure, the letters (by system) of those that it is better than.

    A letter in parentheses is significant on its own but not after Holm's correction.
    """
    sure: dict[tuple[str, str, str], list[str]] = {}
    likely: dict[tuple[str, str, str], list[str]] = {}
    for item in found:
        for pair in item.comparison.pairs:
            if pair.is_likely(item.comparison.level):
                up = pair.difference * item.measure.direction(item.part) > 0
                better, worse = (pair.system, pair.other) if up else (pair.other, pair.system)
                marked = sure if pair.significant else likely
                key = (better, item.measure.title, item.part)
                marked.setdefault(key, []).append(letter[worse])
    return {
        key: "".join(sorted(sure.get(key, []))) + _parenthesize(sorted(likely.get(key, [])))
        for key in {*sure, *likely}
    }


def _parenthesize(letters: Sequence[str]) -> str:
    """Letters in parentheses, or nothing."""
    return f"({''.join(letters)})" if letters else ""


def mark_notes(found: Sequence[PartComparison], how: Resampling) -> list[str]:
    """What the marks say, in words."""
    exact = all(pair.exact for item in found for pair in item.comparison.pairs)
    trials = found[0].comparison.trials if found else 0
    how_many = "exact" if exact else f"{trials} trials"
    pairs = [pair for item in found for pair in item.comparison.pairs]
    sure = any(pair.significant for pair in pairs)
    likely = any(pair.is_likely(how.level) and not pair.significant for pair in pairs)
    otherwise = [f"{p.system} – {p.other}" for p in pairs if p.differs_otherwise(how.level)]
    marks = "b: better than system b" if sure else "no difference is significant"
    return [
        f"{marks} (p ≤ {1 - how.level:.2g}, Holm-corrected over all pairs; approximate "
        f"randomization over topics, {how_many}, two-sided)"
        + ("; (b): better than system b, but only uncorrected" if likely else ""),
        *([_otherwise_note(otherwise)] if otherwise else []),
    ]


def _otherwise_note(pairs: Sequence[str]) -> str:
    """What a small p means whose difference may be 0."""
    named = ", ".join(dict.fromkeys(pairs[:3])) + (" …" if len(pairs) > 3 else "")
    return (
        f"{named}: p is small, but 0 lies in the interval: the systems differ, as one that is "
        "precise and one that is complete do, but perhaps not in this figure"
    )


class PlannedDifference(NamedTuple):
    """A difference, and what it takes to find it."""

    difference: float
    plans: Sequence[Plan]


def plan_table(planned: PlannedDifference) -> Table:
    """Every pair with what its topics can show and what the difference needs."""
    rows = [
        (
            f"{one.pair.system} – {one.pair.other}",
            one.measure.heading(one.part),
            str(one.pair.topics),
            format_number(one.pair.spread, ".4f"),
            format_number(one.detectable, ".4f"),
            _count_text(one.topics_needed(planned.difference)),
        )
        for one in planned.plans
    ]
    columns = ("systems", "measure", "topics", "sd", "detectable", "topics needed")
    notes = plan_notes(planned.plans, planned.difference)
    return replace(Table.of("", columns, rows), notes=tuple(notes))


PLAN: View[PlannedDifference] = View(
    tables=lambda planned: [plan_table(planned)],
    rows=lambda planned: [one.row(planned.difference) for one in planned.plans],
    title="Topics needed",
)


def plan_notes(plans: Sequence[Plan], difference: float | None = None) -> list[str]:
    """The smallest difference that the topics can show, and what would help, in words."""
    found: dict[str, list[Plan]] = {}
    for one in plans:
        found.setdefault(one.measure.heading(one.part), []).append(one)
    if not found:
        return []
    first = plans[0]
    most = max(one.pair.topics for one in plans)
    if any(math.isinf(one.detectable) for one in plans):
        least = power.fewest_topics(first.level)
        few = f"{most} topics can detect no difference at p ≤ {1 - first.level:.2g}"
        notes = [f"{few}, however large: the randomization test needs {least}"]
        return notes + _needed_notes(found, difference)
    told = [f"{name} {_typical([p.detectable for p in own])}" for name, own in found.items()]
    several = any(len(own) > 1 for own in found.values())
    notes = [
        f"smallest difference that {most} topics can detect (power {first.power:g}, paired t test "
        f"at p ≤ {1 - first.level:.2g}, uncorrected{'; median and range over pairs' * several}): "
        + ", ".join(told)
    ]
    if any(one.run_share > 0 for one in plans):
        notes.append(_run_note(found))
    return notes + _needed_notes(found, difference)


def _needed_notes(found: Mapping[str, Sequence[Plan]], difference: float | None) -> list[str]:
    """How many topics a difference needs, if one was named."""
    if difference is None:
        return []
    told = [
        f"{name} {_typical([p.topics_needed(difference) for p in own], _count_text)}"
        for name, own in found.items()
    ]
    return [f"topics that a difference of {difference:g} needs: {', '.join(told)}"]


def _run_note(found: Mapping[str, Sequence[Plan]]) -> str:
    """What more runs would bring, beside more topics."""
    told = []
    for name, own in found.items():
        share = middle([one.run_share for one in own])
        runs = middle([one.with_more_runs for one in own])
        topics = middle([one.with_more_topics for one in own])
        told.append(
            f"{name} {format_number(share, '.0%')} (twice the runs: {format_number(runs, '.4f')}, "
            f"twice the topics: {format_number(topics, '.4f')})"
        )
    return f"share of runs in the variance of differences: {', '.join(told)}"


def _typical(
    values: Sequence[float], show: Callable[[float], str] = lambda value: f"{value:.4f}"
) -> str:
    """The median of some figures, with the lowest and the highest if they differ."""
    low, high = show(min(values)), show(max(values))
    spread = "" if low == high else f" ({low} to {high})"
    return f"{show(middle(values))}{spread}"


def _count_text(topics: float) -> str:
    """A number of topics; a median of two whole numbers is rounded up."""
    return "more than 10 million" if math.isinf(topics) else f"{math.ceil(topics):,}"


def pair_table(found: Sequence[PartComparison]) -> Table:
    """Every pair with its difference, interval, p and effect size."""
    everything = any(item.comparison.tests == "all" for item in found)
    others = [*OTHER_TESTS] if everything else []
    columns = (
        "systems",
        "measure",
        "difference",
        "p",
        "p (Holm)",
        *(f"p ({OTHER_TESTS[name]})" for name in others),
        "effect d",
        "wins",
        "topics",
    )
    rows = []
    for item in found:
        for pair in item.comparison.pairs:
            rows.append(
                (
                    Cell(f"{pair.system} – {pair.other}"),
                    Cell(item.measure.heading(item.part)),
                    _difference_cell(pair),
                    Cell(p_text(pair.p)),
                    Cell(p_text(pair.adjusted), marks="*" if pair.significant else ""),
                    *(Cell(p_text(getattr(pair, name))) for name in others),
                    Cell(format_number(pair.effect, "+.2f")),
                    Cell(format_number(pair.superiority, ".0%")),
                    Cell(str(pair.topics)),
                )
            )
    return Table("", columns, tuple(rows))


def _difference_cell(pair: SystemPair) -> Cell:
    """A difference with its interval, as far as they are defined; one topic has no spread."""
    alone = pair.topics < 2 or math.isnan(pair.low)
    interval = "" if alone else f"[{pair.low:+.3f}, {pair.high:+.3f}]"
    return Cell(format_number(pair.difference, "+.4f"), interval)


def topic_table(scores: Scores, found: Sequence[PartComparison]) -> Table:
    """Each topic's figures, system by system, largest spread first."""
    rows = []
    for item in found:
        for one in topic_spreads(scores, item.measure, item.part):
            figures = (format_number(value, ".4f") for value in (*one.values, one.spread))
            rows.append((f"{one.topic} ({item.measure.heading(item.part)})", *figures))
    return Table.of("by topic", ("topic", *scores.systems, "spread"), rows)
