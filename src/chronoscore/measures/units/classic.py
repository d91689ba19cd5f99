"""The classic pyramid: units that people found in each output, as DUCView records them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from chronoscore.core import ContentUnit, Pyramid, Ranking, Selection
from chronoscore.measures.measure import AMOUNT, SHARE, Array, Bounds, Measure, Pair
from chronoscore.measures.streams.events import share_or_nan
from chronoscore.measures.units.pyramid import pyramid_of, warn_of_empty_pyramids

Rounding: TypeAlias = Literal["half", "floor", "ceil"]
UnitWeight: TypeAlias = Literal["references", "contributors"]


@dataclass(frozen=True, kw_only=True)
class ClassicPyramid(Measure):
    """The classic pyramid, over units that people found in each output (DUCView).

    A selection names a unit; one that names no unit of the pyramid is content that no
    reference has. The original score (quality) divides by the most that the same number of
    units could weigh, the modified one (coverage) by the most that a reference's average
    number of units could; comprehensive is the mean of both. The average is rounded half up,
    down or up. A unit weighs as much as references have it, or as it has contributors. With
    `jackknife` an output is scored against all but one reference at a time.
    """

    name: ClassVar[str] = "classic-pyramid"
    needs = Ranking
    has_cutoff: ClassVar[bool] = False
    parts = ("original", "comprehensive", "modified")
    columns = ("found", "possible", "expected")
    rounding: Rounding = "half"
    weight: UnitWeight = "references"
    jackknife: bool = False

    def bounds(self, part: str) -> Bounds:
        """The original score divides by the most that as many units could weigh."""
        return SHARE if part == "original" else AMOUNT

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up the weights of the units that each output expresses."""
        warn_of_empty_pyramids(topic for topic, _ in pairs)
        rows = []
        for topic, output in pairs:
            assert isinstance(output, Ranking)
            pyramid = pyramid_of(topic)
            if not self.jackknife:
                rows.append(self.row(pyramid, output))
                continue
            writers = () if topic.left_out else _writers_of(pyramid)
            others = [pyramid.without(writer) for writer in writers] if len(writers) > 1 else []
            counts = np.array([self.row(one, output) for one in others or [pyramid]])
            rows.append((*self.score_tallies(counts).sum(axis=0), len(counts)))
        return np.array(rows, dtype=np.float64).reshape(len(rows), self.width)

    def row(self, pyramid: Pyramid, output: Ranking) -> tuple[float, ...]:
        """What an output earns, and the most that it and a usual reference could earn."""
        # What a judge abstained on is neither found nor missed.
        unknown = {selection.event for selection in output if math.isnan(selection.score)}
        weights = {u.id: self.weigh(u) for u in pyramid.units if u.id not in unknown}
        named = {selection.event for selection in output}
        found = sum(weight for unit, weight in weights.items() if unit in named)
        heaviest = sorted(weights.values(), reverse=True)
        usual = mean_units_per_reference(pyramid, sum(heaviest), self.rounding)
        size = len(output) - sum(math.isnan(selection.score) for selection in output)
        return found, sum(heaviest[:size]), sum(heaviest[:usual])

    def weigh(self, unit: ContentUnit) -> int:
        """What a unit weighs."""
        return unit.weight if self.weight == "references" else unit.contributions

    def score_tallies(self, tallies: Array) -> Array:
        """The scores; undefined where nothing was annotated."""
        found, possible, expected = np.moveaxis(tallies, -1, 0)
        original, modified = share_or_nan(found, possible), share_or_nan(found, expected)
        return np.stack([original, (original + modified) / 2, modified], axis=-1)


def _writers_of(pyramid: Pyramid) -> tuple[str, ...]:
    """The writers of a pyramid, also where only its units name them."""
    return pyramid.writers or tuple(sorted({w for unit in pyramid.units for w in unit.writers}))


def mean_units_per_reference(pyramid: Pyramid, total: int, rounding: Rounding = "half") -> int:
    """Units in a reference on average, of `total` in all references together."""
    writers = len(_writers_of(pyramid))
    if not writers:
        return 0
    added = {"half": writers, "floor": 0, "ceil": 2 * writers - 1}[rounding]
    return (2 * total + added) // (2 * writers)


def writers_choices(pyramid: Pyramid) -> dict[str, Ranking]:
    """The units of each reference, as if its writer were a system."""
    return {
        writer: Ranking(
            tuple(
                Selection("", event=unit.id)
                for unit in pyramid.units
                for _ in range(max(unit.contributors.count(writer), writer in unit.writers))
            ),
            author=writer,
        )
        for writer in _writers_of(pyramid)
    }
