"""Nuggets that people or language models assign to outputs: vital or okay, told or told in part."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chronoscore.core import Ranking, Topic
from chronoscore.errors import DataError, warn
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.streams.events import share_or_nan

VITAL = 2.0
"""The importance from which on a nugget is vital."""


@dataclass(frozen=True, kw_only=True)
class NuggetMeasure(Measure):
    """The share of a topic's nuggets that an output supports.

    Strict counts nuggets that are supported, lenient adds half of those supported in part;
    both over all nuggets and over the vital ones. Where several judges assigned one nugget,
    their mean counts; a nugget that nobody assigned is not supported, and one on which all
    judges abstained is left out.
    """

    name: ClassVar[str] = "nuggets"
    needs = Ranking
    has_cutoff: ClassVar[bool] = False
    parts = ("all_lenient", "all_strict", "vital_lenient", "vital_strict")
    columns = ("nuggets", "supported", "partial", "vital", "vital supported", "vital partial")

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count nuggets and how many of them each output supports."""
        rows = [self.row(topic, output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def row(self, topic: Topic, output: object) -> list[float]:
        """One output's counts: a score of 1 is support, one between 0 and 1 support in part.

        A score that is not a number is an abstention.
        """
        assert isinstance(output, Ranking)
        if topic.judgements is None:
            raise DataError(f"topic '{topic.id}' has no nuggets; give `judgements`")
        events = topic.judgements.events
        labels: dict[str, list[float]] = {event.id: [] for event in events}
        for selection in output:
            if selection.event in labels:
                labels[selection.event].append(selection.score)
        unassigned = sum(not scores for scores in labels.values())
        if len(output) and unassigned:
            warn(
                f"topic '{topic.id}': {unassigned} of {len(events)} nuggets are not assigned for "
                "some output; they count as not supported",
                kind="unassigned-nuggets",
            )
        counts: list[float] = []
        for least in (-np.inf, VITAL):
            chosen = [
                [score for score in labels[event.id] if not math.isnan(score)]
                for event in events
                if event.importance >= least and not _all_abstained(labels[event.id])
            ]
            whole = sum(_share_of_judges(score >= 1 for score in scores) for scores in chosen)
            part = sum(_share_of_judges(0 < score < 1 for score in scores) for scores in chosen)
            counts += [len(chosen), whole, part]
        return counts

    def values(self, tallies: Array) -> Array:
        """The four scores; undefined where there is no nugget of the kind."""
        nuggets, whole, part, vital, vital_whole, vital_part = np.moveaxis(tallies, -1, 0)
        return np.stack(
            [
                share_or_nan(whole + part / 2, nuggets),
                share_or_nan(whole, nuggets),
                share_or_nan(vital_whole + vital_part / 2, vital),
                share_or_nan(vital_whole, vital),
            ],
            axis=-1,
        )


def _all_abstained(scores: Sequence[float]) -> bool:
    """Whether judges were asked and none gave a usable answer."""
    return bool(scores) and all(math.isnan(score) for score in scores)


def _share_of_judges(flags: Iterable[bool]) -> float:
    """The share of judges who say so; 0 without any."""
    said = list(flags)
    return sum(said) / len(said) if said else 0.0
