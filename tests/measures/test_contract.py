"""Every registered measure keeps the contract; measures that break it are caught."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from chronoscore.core import Timeline, Topic
from chronoscore.engine.kinds import Grams
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.measures import MEASURES, Measure
from chronoscore.measures.losses.account import Losses
from chronoscore.measures.measure import Array, Pair, divide_tallies, group_families, tally_family
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.align_measures import AlignPlus
from chronoscore.measures.timelines.credit import Credit, OverlapCredit, TextCredit
from measures.contract import WORLDS, check_contract, check_text, tally

EXAMPLES = [example for kind in MEASURES.load_all().values() for example in kind.examples()]


@pytest.mark.parametrize("measure", EXAMPLES, ids=str)
def test_every_measure_keeps_the_contract(measure: Measure) -> None:
    check_contract(measure)
    check_text(measure)


SCORED_AS_0 = [
    one
    for one in EXAMPLES
    if one.needs is Timeline and not isinstance(one, Losses) and not one.reads_documents
]


@pytest.mark.parametrize("measure", SCORED_AS_0, ids=str)
@pytest.mark.parametrize("references", [(), (Timeline.empty(),)])
def test_a_measure_of_timelines_warns_of_empty_references(
    measure: Measure, references: tuple[Timeline, ...]
) -> None:
    """One that counts without `FlatPairs` and `Counting` calls `warn_of_empty_timelines`."""
    pair = (Topic(id="bp", timelines=references), WORLDS[Timeline].perfect)
    with pytest.warns(ChronoscoreWarning, match="topic 'bp': the reference timeline is empty"):
        assert not measure.values(measure.tally([pair])).any()


def test_two_examples_differ_in_text_and_signature() -> None:
    assert len({str(measure) for measure in EXAMPLES}) == len(EXAMPLES)
    assert len({measure.signature for measure in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_a_family_is_counted_as_each_measure_alone() -> None:
    families = [family for family in group_families(EXAMPLES) if len(family) > 1]
    assert families
    for family in families:
        pairs = WORLDS[family[0].needs].pairs
        for measure, together in zip(family, tally_family(family, pairs), strict=True):
            np.testing.assert_array_equal(together, tally(measure, pairs), str(measure))


@dataclass(frozen=True, kw_only=True)
class Broken(Rouge):
    """A measure that a test breaks in one place."""

    name: ClassVar[str] = "broken"

    def changed(self, values: Array) -> Array:
        return values

    def values(self, tallies: Array) -> Array:
        return self.changed(super().values(tallies))


@pytest.mark.parametrize(
    "nonsense",
    [
        lambda values: values * 7,
        lambda values: -values,
        lambda values: 1 - values,
        lambda values: values * 0 + 0.5,
        lambda values: values[..., [1, 0, 2]],
        lambda values: values[..., :2],
        lambda values: values * np.nan,
        lambda values: np.random.default_rng().random(values.shape),
    ],
)
def test_a_measure_whose_values_are_nonsense_is_caught(nonsense: Any) -> None:
    kind = type("Nonsense", (Broken,), {"changed": lambda _, values: nonsense(values)})
    check_contract(Broken())
    with pytest.raises((AssertionError, ValueError, IndexError)):
        check_contract(kind())


def test_a_tally_of_another_width_is_refused_by_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Wide(Rouge):
        @classmethod
        def tally_family(cls, family: Sequence[Any], pairs: Sequence[Pair]) -> list[Array]:
            return [np.zeros((len(pairs), 5)) for _ in family]

    pairs = WORLDS[Rouge.needs].pairs
    with pytest.raises(UsageError, match=r"measure 'rouge\(n=1\)': its tally of 8 pairs"):
        tally_family([Wide()], pairs)


@dataclass(frozen=True, slots=True)
class TwoOrders(TextCredit):
    """Runs of one and of two words, whose rates are averaged: a credit of two columns."""

    @property
    def width(self) -> int:
        return 2

    @property
    def alpha(self) -> float:
        return 0.2

    @property
    def orders(self) -> list[OverlapCredit]:
        return [OverlapCredit(self.reading, Grams(n)) for n in (1, 2)]

    @classmethod
    def earn_together(
        cls, family: Sequence["TwoOrders"], texts: Any, systems: Any, references: Any
    ) -> list[Array]:
        orders = family[0].orders
        earned = OverlapCredit.earn_together(orders, texts, systems, references)
        return [np.hstack(earned) for _ in family]

    def sizes(self, texts: Any) -> tuple[Array, Array]:
        sides = zip(*(order.sizes(texts) for order in self.orders), strict=True)
        as_reference, as_system = map(np.hstack, sides)
        return as_reference, as_system

    def rates(self, tallies: Array) -> tuple[Array, Array]:
        found, wanted, kept, offered = np.moveaxis(
            tallies.reshape(*tallies.shape[:-1], 4, 2), -2, 0
        )
        return divide_tallies(kept, offered).mean(-1), divide_tallies(found, wanted).mean(-1)


@dataclass(frozen=True, kw_only=True)
class AlignTwo(AlignPlus):
    """align+ with another credit."""

    name: ClassVar[str] = "align-two"

    @property
    def pair_credit(self) -> Credit:
        return TwoOrders(self.reading)


def test_another_credit_makes_another_measure() -> None:
    check_contract(AlignTwo())
    pairs = WORLDS[AlignTwo.needs].pairs
    both = [AlignTwo(), AlignPlus(n=1), AlignPlus(n=2)]
    two, *single = (m.values(t) for m, t in zip(both, tally_family(both, pairs), strict=True))
    np.testing.assert_allclose(two[:, :2], (single[0][:, :2] + single[1][:, :2]) / 2)
