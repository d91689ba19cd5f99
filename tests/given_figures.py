"""Measures whose figures are given, so that what is made of them can be checked by hand."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from chronoscore.core import Ranking
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array
from chronoscore.scoring import Scores


class Given(Measure):
    """Figures as they are given."""

    name = "given"
    needs = Ranking
    parts = columns = ("f",)

    def tally(self, pairs: Any) -> Array:
        raise NotImplementedError

    def values(self, tallies: Array) -> Array:
        return tallies


class Cost(Given):
    """The same, less being better."""

    name = "cost"
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"f"})


def given_scores(systems: Sequence[str], figures: Mapping[Measure, Sequence[Any]]) -> Scores:
    """Scores of systems by measure, systems × topics; the topics are t1, t2 …"""
    tallies = {m: np.array(rows, dtype=float)[..., np.newaxis] for m, rows in figures.items()}
    count = next(iter(tallies.values())).shape[1]
    topics = tuple(f"t{number}" for number in range(1, count + 1))
    return Scores(tuple(systems), topics, tallies, "")
