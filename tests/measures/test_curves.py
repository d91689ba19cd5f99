"""Curves over a whole ranking, against the same computed length by length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import Collection, Event, Judgements, Link, Ranking, Run, Selection, Topic
from chronoscore.errors import UsageError
from chronoscore.measures.streams.curves import LEVELS, Curve, precision_recall_curves
from chronoscore.measures.streams.events import Nu
from chronoscore.options import Resampling
from chronoscore.stats import curve_bands


def topic(name: str, links: list[tuple[str, str]], events: str = "123") -> Topic:
    judged = Judgements(
        sentences=tuple("abcdef"),
        events=tuple(Event(event) for event in events),
        links=tuple(Link(sentence=s, event=e) for s, e in dict.fromkeys(links)),
    )
    return Topic(id=name, judgements=judged)


def ranking(order: str) -> Ranking:
    return Ranking(tuple(Selection(s, -n) for n, s in enumerate(order)))


def by_length(about: Topic, order: str, *, strict: bool) -> list[float]:
    """Interpolated precision from the scores of every cutoff."""
    points = []
    for cutoff in range(1, len(order) + 1):
        measure = Nu(strict=strict, cutoff=cutoff)
        recall, precision, _ = measure.values(measure.tally([(about, ranking(order))]))[0]
        points.append((recall, precision))
    return [
        max((p for r, p in points if r >= level - 1e-9), default=0.0) for level in LEVELS.tolist()
    ]


@given(
    links=st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("123")), min_size=1, max_size=10
    ),
    order=st.permutations("abcdef"),
    size=st.integers(1, 6),
    strict=st.booleans(),
)
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
def test_a_curve_is_every_cutoff_at_once(
    links: list[tuple[str, str]], order: list[str], size: int, strict: bool
) -> None:
    about = topic("t", links)
    chosen = "".join(order[:size])
    run = Run("mine", {"t": ranking(chosen)})
    found = precision_recall_curves(Collection({"t": about}), [run], Nu(strict=strict)).average()[0]
    assert found == pytest.approx(by_length(about, chosen, strict=strict))


def test_precision_is_the_best_at_a_recall_or_beyond_and_0_where_none_is_reached() -> None:
    curve = Curve(np.array([0.0, 0.5, 0.5, 0.6]), np.array([0.0, 0.5, 0.3, 0.4]))
    assert curve.at().tolist() == [0.5] * 6 + [0.4] + [0.0] * 4


def test_topics_are_averaged_level_by_level() -> None:
    first = topic("one", [("a", "1"), ("b", "2"), ("c", "3")])
    second = topic("two", [("a", "1")], events="1")
    run = Run("mine", {"one": ranking("abc"), "two": ranking("ba")})
    found = precision_recall_curves(Collection({"one": first, "two": second}), [run])
    assert found.average()[0] == pytest.approx([0.75] * 11)


def test_a_topic_that_a_run_leaves_out_has_precision_0() -> None:
    about = topic("t", [("a", "1"), ("b", "2"), ("c", "3")])
    found = precision_recall_curves(Collection({"t": about}), [Run("mine", {})])
    assert found.average().tolist() == [[0.0] * 11]


def test_the_band_of_a_curve_is_students_interval_over_topics() -> None:
    first = topic("one", [("a", "1")], events="1")
    second = topic("two", [("b", "1")], events="1")
    run = Run("mine", {"one": ranking("a"), "two": ranking("ab")})
    found = precision_recall_curves(Collection({"one": first, "two": second}), [run])
    low, high = curve_bands.bands(found, Resampling())
    # Precision 1 and .5: mean .75, error .25, t with one degree of freedom 12.706; log scale.
    reach = 12.706204736174694 * 0.25 / 0.75
    assert low[0, 0] == pytest.approx(0.75 * np.exp(-reach))
    assert high[0, 0] == pytest.approx(0.75 * np.exp(reach))


def test_a_curve_has_no_cutoff() -> None:
    with pytest.raises(UsageError, match="drop @k"):
        precision_recall_curves(Collection({}), [], Nu(cutoff=5))
