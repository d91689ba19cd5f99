"""Scores as a table for people: averages, intervals, significance marks."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase

from chronoscore.measures import Measure, averaging_rule
from chronoscore.measures.measure import Bounds
from chronoscore.options import Averaging, Resampling
from chronoscore.reports.tables import Cell, Table, format_level, p_text
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average, rule_for, sign
from chronoscore.stats.intervals import Scale, scale_between
from chronoscore.stats.run_spread import RunSpread

Marks = Mapping[tuple[str, str, str], str]
"""By system, measure and part."""


def score_table(
    scores: Scores,
    figures: Sequence[Average],
    how: Resampling,
    *,
    marks: Marks | None = None,
    notes: Sequence[str] = (),
    letters: Mapping[str, str] | None = None,
    signature: str = "",
) -> Table:
    """Systems down, measures across; the best of each column in bold."""
    columns = list(dict.fromkeys((figure.measure, figure.part) for figure in figures))
    cells = {(f.system, f.measure, f.part): f for f in figures}
    best = {column: _best_of(figures, *column) for column in columns}
    rows = []
    for system in scores.systems:
        row = [Cell(f"{letters[system]} {system}" if letters else system)]
        for measure, part in columns:
            figure = cells[system, measure, part]
            mark = (marks or {}).get((system, measure.title, part), "")
            row.append(_cell(figure, mark, len(scores.systems) > 1 and best[measure, part]))
        rows.append(tuple(row))
    return Table(
        title="",
        columns=("system", *(measure.heading(part) for measure, part in columns)),
        rows=tuple(rows),
        notes=(
            *_figure_notes(scores, how, figures),
            *notes,
            f"signature: {signature or sign(scores, how)}",
        ),
    )


def rank_systems(
    systems: Sequence[str], figures: Sequence[Average], measure: Measure, part: str
) -> list[str]:
    """The systems from the best to the worst; those without a figure, and ties, as they were."""
    values = {f.system: f.value for f in figures if (f.measure, f.part) == (measure, part)}
    sign = -measure.direction(part)
    return sorted(systems, key=lambda name: _place(sign * values.get(name, math.nan)))


def _place(value: float) -> tuple[bool, float]:
    """A key that sorts what is undefined last."""
    return (True, 0.0) if math.isnan(value) else (False, value)


def is_main(figure: Average) -> bool:
    """Whether a figure sums its measure up, as F does; a narrow terminal shows no others."""
    return figure.part == figure.measure.main_part


def with_narrow(draw: Callable[[Sequence[Average]], Table], figures: Sequence[Average]) -> Table:
    """A table of figures that has one of its main figures for a narrow terminal."""
    table = draw(figures)
    main = [figure for figure in figures if is_main(figure)]
    if not main or len(main) == len(figures):
        return table
    hidden = dict.fromkeys(f.measure.heading(f.part) for f in figures if not is_main(f))
    narrow = draw(main)
    note = f"not shown at this width: {', '.join(hidden)}; widen the terminal or write a file"
    notes = (*narrow.notes[:-1], note, *narrow.notes[-1:])
    return replace(table, narrow=replace(narrow, notes=notes))


def system_letters(systems: Sequence[str]) -> dict[str, str]:
    """A short mark for each system: a, b, … z, then aa, ab …"""
    marks = [*ascii_lowercase, *(a + b for a in ascii_lowercase for b in ascii_lowercase)]
    return {system: marks[number % len(marks)] for number, system in enumerate(systems)}


def _cell(figure: Average, marks: str, best: float | bool) -> Cell:
    """A figure with its interval; a dash where it is undefined."""
    if math.isnan(figure.value):
        return Cell("–")
    interval = "" if math.isnan(figure.low) else f"[{figure.low:.3f}, {figure.high:.3f}]"
    return Cell(f"{figure.value:.4f}", interval, marks, best is not False and figure.value == best)


def _best_of(figures: Sequence[Average], measure: Measure, part: str) -> float:
    """The best value of a column, by the direction that the measure states."""
    values = [
        f.value
        for f in figures
        if f.measure == measure and f.part == part and not math.isnan(f.value)
    ]
    choose = max if measure.direction(part) > 0 else min
    return choose(values, default=math.nan)


def _figure_notes(scores: Scores, how: Resampling, figures: Sequence[Average]) -> list[str]:
    """What the figures are, in words."""
    rules: dict[Averaging, list[str]] = {}
    for measure in scores.measures:
        rules.setdefault(rule_for(measure, how), []).append(measure.title)
    topics = len(scores.topics)
    over = f"over {topics} topic{'s' if topics > 1 else ''}"
    notes = []
    for rule, titles in rules.items():
        whose = f"of {', '.join(titles)} " if len(rules) > 1 else ""
        notes.append(f"average {whose}{over}: {averaging_rule(rule).text}")
    notes += _missing_topics(figures, topics)
    defined = [figure for figure in figures if not math.isnan(figure.value)]
    if any(not math.isnan(figure.low) for figure in defined):
        bounds = [one.measure.bounds(one.part) for one in defined if not math.isnan(one.low)]
        notes.append(f"[low, high]: {describe_interval(how, bounds)}")
    if topics > 1 and any(math.isnan(figure.low) for figure in defined):
        notes.append(NO_SPREAD)
    return notes


def _missing_topics(figures: Sequence[Average], topics: int) -> list[str]:
    """Which systems have figures over fewer topics than there are, in words."""
    fewest: dict[str, int] = {}
    for figure in figures:
        if figure.topics < topics:
            fewest[figure.system] = min(figure.topics, fewest.get(figure.system, topics))
    if not fewest:
        return []
    told = [f"{system} has {count}" for system, count in [*fewest.items()][:FEW]]
    told += [f"{len(fewest) - FEW} more systems"] if len(fewest) > FEW else []
    return [
        f"topics where a figure is undefined do not count in it: of {topics}, {', '.join(told)}"
    ]


NO_SPREAD = "no interval where all topics have the same figure, or fewer than two have one"


def describe_interval(how: Resampling, bounds: Iterable[Bounds]) -> str:
    """What the intervals of figures within these bounds are, in words."""
    level = format_level(how.level)
    if how.interval == "bootstrap":
        return f"{level} bootstrap interval over topics, {how.draws} draws"
    used = {scale_between(*one) for one in bounds}
    scales = [scale for scale in SCALES if scale in used]
    told = [f"on the {scale} scale" for scale in scales]
    if len(scales) > 1:
        told = [f"{words} {SCALES[scale]}" for words, scale in zip(told, scales, strict=True)]
    return f"{level} interval over topics, Student's t {', '.join(told)}"


SCALES: Mapping[Scale, str] = {
    "logit": "for figures with an upper bound",
    "log": "for those without one",
    "plain": "for those that can be any number",
}
"""Which figures have their intervals on which scale."""


FEW = 3
"""Systems, up to which each one's spread is told."""


def describe_runs(spreads: Sequence[RunSpread]) -> list[str]:
    """How many runs there are and how much figures vary over them, in words."""
    if not spreads:
        return []
    counts = {one.runs for one in spreads}
    runs = f"{max(counts)}" if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    by_figure: dict[str, list[RunSpread]] = {}
    for one in spreads:
        by_figure.setdefault(one.measure.heading(one.part), []).append(one)
    told = []
    for name, own in by_figure.items():
        if len(own) <= FEW:
            listed = ", ".join(
                f"{one.system} {one.over_topics:.3f} and {one.over_runs:.3f}" for one in own
            )
        else:
            topics, of_runs = [one.over_topics for one in own], [one.over_runs for one in own]
            listed = (
                f"{min(topics):.3f}–{max(topics):.3f} and {min(of_runs):.3f}–{max(of_runs):.3f}"
            )
        told.append(f"{name} {listed}")
    notes = [
        f"a topic's figure is the mean over {runs} runs; sd over topics and over runs: "
        + "; ".join(told)
    ]
    if alike := [one for one in spreads if one.is_shared]:
        listed = ", ".join(
            f"{one.system} {one.measure.heading(one.part)} (p {p_text(one.shared_p)})"
            for one in alike[:FEW]
        )
        notes.append(
            f"runs differ on all topics alike, which intervals over topics do not cover: {listed}"
        )
    return notes
