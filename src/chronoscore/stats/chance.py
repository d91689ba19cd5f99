"""Judges of a stream, corrected for chance: κ of each pair, α of all, with intervals.

A decision is whether a judge linked a sentence to an event. Most are "no", on which judges agree
by chance; κ and α take that into account. Intervals come from resampling sentences, because the
decisions on one sentence are related.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from chronoscore.core import Judgements
from chronoscore.stats.statistic import Numbers

Kind: TypeAlias = tuple[frozenset[int], ...]
"""A kind of sentence: for each event that any judge linked it to, the judges who did."""

Statistic: TypeAlias = Callable[[Numbers], Numbers]
"""From rows of counts to a coefficient for each."""

SAMPLES = 2_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """A coefficient with its interval: 1 is perfect agreement, 0 is chance; nan is undefined."""

    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChance:
    """Agreement on the sentences of one event."""

    event: str
    text: str
    linked: int
    disputed: int
    alpha: ChanceCorrected
    kappas: Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAgreement:
    """Agreement on a topic's links: over all events, and event by event."""

    judges: tuple[str, ...]
    alpha: ChanceCorrected
    kappas: Mapping[tuple[str, str], ChanceCorrected]
    events: tuple[EventChance, ...]


def link_agreement(
    judgements: Judgements, judges: Iterable[str] = (), *, samples: int = SAMPLES, seed: int = 0
) -> LinkAgreement:
    """Compare judges who decided about every sentence; parts that were joined count as one.

    `judges` names those who may have linked nothing at all; the others are found in the links.
    """
    linking = {judge for link in judgements.links for judge in link.marked_by}
    names = sorted({*judges, *judgements.judges, *linking})
    place = {name: number for number, name in enumerate(names)}
    marks: dict[tuple[str, str], set[int]] = {}
    for link in judgements.links:
        if link.marked_by:
            sentence = judgements.joined.get(link.sentence, link.sentence)
            whose = {place[judge] for judge in link.marked_by}
            marks.setdefault((sentence, link.event), set()).update(whose)
    count, draws = len(judgements.sentences), np.random.default_rng(seed)
    events = []
    for event in judgements.events:
        patterns = Counter(
            frozenset(whose) for (_, name), whose in marks.items() if name == event.id
        )
        patterns[frozenset()] += count - patterns.total()
        rows: dict[Kind, int] = {(pattern,): times for pattern, times in patterns.items()}
        events.append(
            EventChance(
                event=event.id,
                text=event.text,
                linked=count - patterns[frozenset()],
                disputed=sum(n for one, n in patterns.items() if 0 < len(one) < len(names)),
                alpha=_alpha(_tables(rows, names, 1), len(names), samples, draws),
                kappas={
                    pair: _kappa_of(cells.sum(axis=0))
                    for pair, cells in _pairs(_tables(rows, names, 1), names)
                },
            )
        )
    by_sentence: dict[str, list[frozenset[int]]] = {}
    for (sentence, _), whose in marks.items():
        by_sentence.setdefault(sentence, []).append(frozenset(whose))
    kinds: Counter[Kind] = Counter(tuple(sorted(one, key=sorted)) for one in by_sentence.values())
    kinds[()] += count - len(by_sentence)
    table = _tables(kinds, names, len(judgements.events))
    return LinkAgreement(
        judges=tuple(names),
        alpha=_alpha(table, len(names), samples, draws),
        kappas={
            pair: _with_interval(_kappa(cells), cells, table.times, samples, draws, _kappa_of_all)
            for pair, cells in _pairs(table, names)
        },
        events=tuple(events),
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Kinds of sentences (rows), how often each occurs, and what was decided on its events."""

    times: Numbers
    patterns: Sequence[Kind]
    events: int


def _tables(kinds: Mapping[Kind, int], names: Sequence[str], events: int) -> _Table:
    kept = {kind: times for kind, times in kinds.items() if times}
    return _Table(np.array(list(kept.values()), dtype=np.float64), list(kept), events)


def _pairs(table: _Table, names: Sequence[str]) -> Iterable[tuple[tuple[str, str], Numbers]]:
    """For each pair of judges, the cells both, first only, second only, neither: times × rows."""
    for one, two in combinations(range(len(names)), 2):
        cells = np.zeros((len(table.patterns), 4))
        for row, patterns in enumerate(table.patterns):
            for whose in patterns:
                cells[row, (one not in whose) * 2 + (two not in whose)] += 1
            cells[row, 3] += table.events - len(patterns)
        yield (names[one], names[two]), cells * table.times[:, np.newaxis]


def _alpha(table: _Table, judges: int, samples: int, draws: np.random.Generator) -> ChanceCorrected:
    """Krippendorff's α of yes and no, from how many judges said yes."""
    counts = np.zeros((len(table.patterns), judges + 1))
    for row, patterns in enumerate(table.patterns):
        for whose in patterns:
            counts[row, len(whose)] += 1
        counts[row, 0] += table.events - len(patterns)
    weighted = counts * table.times[:, np.newaxis]

    def of_all(totals: Numbers) -> Numbers:
        return _alpha_of(totals, judges)

    value = float(of_all(weighted.sum(axis=0)[np.newaxis])[0])
    return _with_interval(value, weighted, table.times, samples, draws, of_all)


def _alpha_of(counts: Numbers, judges: int) -> Numbers:
    """α for rows of counts: how many decisions 0, 1, 2 … judges answered with yes."""
    if judges < 2:
        return np.full(len(counts), math.nan)
    said = np.arange(judges + 1)
    disagreeing = counts @ (said * (judges - said)) * 2 / (judges - 1)
    yes = counts @ said
    every = counts.sum(axis=1) * judges
    expected = 2 * yes * (every - yes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - (every - 1) * disagreeing / expected, math.nan)


def _kappa(cells: Numbers) -> float:
    return _kappa_of(cells.sum(axis=0))


def _kappa_of(cells: Numbers) -> float:
    return float(_kappa_of_all(cells[np.newaxis])[0])


def _kappa_of_all(cells: Numbers) -> Numbers:
    """Cohen's κ for rows of cells: both, first only, second only, neither."""
    both, first, second, neither = cells.T
    every = both + first + second + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (both + neither) / every
        expected = (
            (both + first) * (both + second) + (neither + first) * (neither + second)
        ) / every**2
        return np.where(expected < 1, (observed - expected) / (1 - expected), math.nan)


def _with_interval(
    value: float, weighted: Numbers, times: Numbers, samples: int, draws: np.random.Generator,
    statistic: Statistic,
) -> ChanceCorrected:  # fmt: skip
    """A coefficient with a percentile interval over sentences drawn with replacement."""
    count = int(times.sum())
    if math.isnan(value) or count < 2:
        return ChanceCorrected(value)
    drawn = draws.multinomial(count, times / count, size=samples)
    found = statistic(drawn @ (weighted / times[:, np.newaxis]))
    found = found[~np.isnan(found)]
    if len(found) < samples / 2:
        return ChanceCorrected(value)
    edge = (1 - LEVEL) / 2
    low, high = np.quantile(found, [edge, 1 - edge])
    return ChanceCorrected(value, float(low), float(high))
