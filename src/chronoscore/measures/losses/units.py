"""The accounts of content units and assigned nuggets: what is missed, by weight or importance."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from chronoscore.core import Pyramid, Ranking
from chronoscore.errors import UsageError
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.weights import add_by_size, name_sizes
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.units.classic import ClassicPyramid, mean_units_per_reference
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.measures.units.pyramid import (
    PyramidMeasure,
    breakdown_by_unit,
    pyramid_of,
    warn_of_empty_pyramids,
)

UNITS = ("in_part", *name_sizes("missed_units"))
HEAVIEST = "of what the heaviest units weigh"


class ChosenUnit(NamedTuple):
    """A unit: what it weighs, and how much of it was expressed, from 0 to 1."""

    weight: float
    score: float


def split_units(units: Sequence[ChosenUnit], asked: int) -> list[float]:
    """What was expressed of the heaviest units, missed of them by weight, and other units' weight.

    Of units that weigh the same, those that were expressed are taken first.
    """
    ordered = sorted(units, key=lambda unit: (-unit.weight, -unit.score))
    wanted, others = ordered[:asked], ordered[asked:]
    most = max((unit.weight for unit in units), default=0.0)
    missed = [(unit.weight, unit.weight) for unit in wanted if unit.score == 0]
    return [
        sum(unit.weight * unit.score for unit in wanted),
        sum(unit.weight * (1 - unit.score) for unit in wanted if unit.score > 0),
        *add_by_size(missed, most),
        sum(unit.weight * unit.score for unit in others),
    ]


@dataclass(frozen=True, kw_only=True)
class PyramidLosses(Losses):
    """The account of pyramid: which of the heaviest units are missed, by weight.

    Of the n heaviest units, what is expressed is `found`, what others lack that are expressed
    `in_part`, and the rest `missed_units`: heavy ones weigh more than two thirds of the heaviest
    unit, light ones up to a third. Lighter units beyond the n heaviest are a gain, `others`.
    """

    things: ClassVar[str] = "units"
    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="score", good="found", causes=UNITS, gains=("others",), whole=HEAVIEST),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    needs = Ranking
    of: PyramidMeasure = field(default=PyramidMeasure(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Content units."""
        return isinstance(measure, PyramidMeasure)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of all units, and of the heaviest one."""
        yield PyramidMeasure()
        yield PyramidMeasure(n=1)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up weights by what became of them."""
        warn_of_empty_pyramids(topic for topic, _ in pairs)
        rows = []
        for topic, output in pairs:
            assert isinstance(output, Ranking)
            pyramid = pyramid_of(topic)
            scores = breakdown_by_unit(pyramid, output, cutoff=self.of.cutoff)
            units = [ChosenUnit(unit.weight, unit.score) for unit in scores]
            rows.append(split_units(units, self.of.length(pyramid)))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))


@dataclass(frozen=True, kw_only=True)
class ClassicPyramidLosses(Losses):
    """The account of classic-pyramid: units that are missed, and content of no unit.

    The modified score is what is found of the heaviest units of a usual reference, as in the
    account of pyramid. The original score looks at what was chosen: `p.lighter` is what the chosen
    units weigh less than as many of the heaviest, `p.repeated` and `p.no_unit` are what the places
    of units named again, and of content that no reference has, could have earned. `lost` is 1 − the
    modified score.
    """

    things: ClassVar[str] = "units"
    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="modified", good="found", causes=UNITS[1:], gains=("others",), whole=HEAVIEST
        ),
        LossSide(
            rate="original",
            good="p.kept",
            causes=("p.lighter", "p.repeated", "p.no_unit"),
            whole="of what as many units could weigh",
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    needs = Ranking
    of: ClassicPyramid = field(default=ClassicPyramid(), metadata={"bare": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.jackknife:
            raise UsageError(
                f"losses({self.of}): an account leaves no reference out; leave out jackknife"
            )

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Units that people found in each output."""
        return isinstance(measure, ClassicPyramid)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """The usual one."""
        yield ClassicPyramid()

    def reached(self, part: str, rates: Sequence[Array]) -> Array:
        """Both scores, and their mean."""
        if part == "comprehensive":
            return np.asarray((rates[0] + rates[1]) / 2)
        return super().reached(part, rates)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up weights by what became of them."""
        warn_of_empty_pyramids(topic for topic, _ in pairs)
        rows = []
        for topic, output in pairs:
            assert isinstance(output, Ranking)
            rows.append(self.row(pyramid_of(topic), output))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def row(self, pyramid: Pyramid, output: Ranking) -> list[float]:
        """One output's weights."""
        unknown = {selection.event for selection in output if math.isnan(selection.score)}
        weights = {u.id: self.of.weigh(u) for u in pyramid.units if u.id not in unknown}
        named = [one.event for one in output if not math.isnan(one.score)]
        chosen = set(named) & weights.keys()
        usual = mean_units_per_reference(pyramid, sum(weights.values()), self.of.rounding)
        units = [ChosenUnit(weight, unit in chosen) for unit, weight in weights.items()]
        found, _, *missed = split_units(units, usual)
        heaviest = sorted(weights.values(), reverse=True)
        earned = float(sum(weights[unit] for unit in chosen))
        unused = sum(heaviest[len(chosen) : len(named)])
        again = sum(name in weights for name in named) - len(chosen)
        places = len(named) - len(chosen)
        repeated = unused * again / places if places else 0.0
        lighter = sum(heaviest[: len(chosen)]) - earned
        return [found, *missed, earned, lighter, repeated, unused - repeated]


@dataclass(frozen=True, kw_only=True)
class NuggetLosses(Losses):
    """The account of nuggets: those that are supported in part, and those missed by importance.

    It is of one part of the measure, the vital ones and strict unless another is named:
    losses(nuggets.all_lenient). Strictly, support in part is lost whole, leniently by half.
    """

    things: ClassVar[str] = "nuggets"
    by_part: ClassVar[bool] = True
    causes: ClassVar[tuple[str, ...]] = ("in_part", "missed_nuggets.vital", "missed_nuggets.okay")
    sides = (LossSide(rate="", good="found", causes=causes, whole="of the nuggets"),)
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    needs = Ranking
    of: NuggetMeasure = field(default=NuggetMeasure(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Nuggets that people or models assigned."""
        return isinstance(measure, NuggetMeasure)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of each part."""
        yield NuggetMeasure()
        for part in NuggetMeasure.parts[:-1]:
            yield NuggetMeasure(part=part)

    @property
    def sums_up(self) -> str:
        """The part of the measure that this is the account of."""
        return self.of.main_part

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count nuggets by what became of them."""
        counts = self.of.tally(pairs)
        every, vital = counts[:, :3], counts[:, 3:]
        okay = np.zeros_like(vital) if self.sums_up.startswith("vital") else every - vital
        credit = 0.5 if self.sums_up.endswith("lenient") else 0.0
        whole, part = (vital + okay)[:, 1], (vital + okay)[:, 2]
        missed = [np.maximum(kind[:, 0] - kind[:, 1] - kind[:, 2], 0.0) for kind in (vital, okay)]
        return np.stack([whole + credit * part, (1 - credit) * part, *missed], axis=-1)
