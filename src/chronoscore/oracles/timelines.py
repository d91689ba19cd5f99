"""Oracles of timelines: the best for each reference, and a bound against all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from chronoscore.core import Timeline, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import Measure
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.measures.timelines.align_measures import (
    Align,
    AlignmentMeasure,
    AlignPlus,
    AlignPlusMany,
    DateAgreement,
)
from chronoscore.oracles.days import Days
from chronoscore.oracles.timeline_search import ReferenceSearch, TimelineOracle

KINDS = (DateAgreement, Align, AlignPlus, AlignPlusMany)


def timeline_oracles(
    topic: Topic, measure: Measure, *, dates: int | None = None, sentences: int | None = None
) -> Iterator[TimelineOracle]:
    """The oracle of each reference timeline of a topic.

    `dates` and `sentences` say how many dates the timeline may have and how many sentences a
    date; without them, as many dates as the reference and as many sentences as it has on
    average. The measure's part says what is maximized: recall or F, which is the default.
    """
    chosen = _check_measure(measure)
    if not topic.timelines:
        raise DataError("there is no reference timeline; add one", place=f"topic '{topic.id}'")
    for number, reference in enumerate(topic.timelines, 1):
        if not len(reference):
            raise DataError("a reference timeline is empty; fill it", place=f"topic '{topic.id}'")
        lone = replace(topic, timelines=(reference,))
        usual = oracle_shape_from_references([reference])
        shape = Shape(dates or usual.dates, sentences or usual.sentences)
        yield _search_for(lone, chosen, shape).run(reference.author or str(number))


class Shape(NamedTuple):
    """How many dates a timeline may have, and how many sentences each of them."""

    dates: int
    sentences: int


def oracle_shape_from_references(references: Sequence[Timeline]) -> Shape:
    """As many dates as the longest reference, and sentences as the most talkative on average."""
    return Shape(
        max(len(one) for one in references),
        max(max(1, round(len(one.sentences) / max(1, len(one)))) for one in references),
    )


def oracle_shape_from_timeline(timeline: Timeline) -> Shape:
    """As many dates as a timeline, and as many sentences as it has on its longest day."""
    return Shape(len(timeline), max(max(1, len(entry.sentences)) for entry in timeline))


def timeline_bound(topic: Topic, measure: Measure, shape: Shape) -> float:
    """What no timeline of a shape exceeds, against all references of a topic together."""
    chosen = _check_measure(measure)
    given = topic.timelines
    subsets = [given]
    if chosen.jackknife and len(given) > 1:
        subsets = [given[:out] + given[out + 1 :] for out in range(len(given))]
    whole = replace(chosen, jackknife=False)
    bounds = [
        _search_for(replace(topic, timelines=subset), whole, shape).find_bound()
        for subset in subsets
    ]
    return sum(bounds) / len(bounds)


def _search_for(topic: Topic, measure: AlignmentMeasure, shape: Shape) -> "ReferenceSearch":
    """The search for the best timeline of a shape."""
    return ReferenceSearch(topic, measure, Days(topic, measure, shape.sentences), shape.dates)


def _check_measure(measure: Measure) -> AlignmentMeasure:
    """Refuse a measure without an oracle of timelines."""
    if not isinstance(measure, KINDS):
        known = ", ".join(kind.name for kind in KINDS)
        raise UsageError(f"measure '{measure}' has no oracle of timelines; use one of {known}")
    if measure.pair_credit.gram_length is None or measure.limit is not None:
        raise UsageError(
            f"measure '{measure}': an oracle counts runs of words without a limit; leave out "
            "over, limit and credit"
        )
    if measure.frame.similarity != WORDS:
        raise UsageError(
            f"measure '{measure}': an oracle compares days by their words; leave out similarity"
        )
    if measure.part == "p":
        raise UsageError(f"measure '{measure}': one word can have precision 1; ask for .r or .f")
    return measure
