"""Krippendorff's alpha against published examples, the paper's formula and its own symmetries."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.errors import DataError, UsageError
from chronoscore.stats.alpha import LEVELS, MeasurementLevel, krippendorff_alpha

# Krippendorff's own example: four observers (rows) and twelve units, None for no answer.
OBSERVERS: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(
    ("level", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_the_published_example_comes_out_at_every_level(
    level: MeasurementLevel, published: float
) -> None:
    assert krippendorff_alpha(UNITS, level=level) == pytest.approx(published, abs=0.0005)


def test_missing_values_may_be_none_or_nan_or_left_out() -> None:
    with_nan = [[float("nan") if value is None else value for value in unit] for unit in UNITS]
    shorter = [[value for value in unit if value is not None] for unit in UNITS]
    wanted = krippendorff_alpha(UNITS, level="ordinal")
    assert krippendorff_alpha(with_nan, level="ordinal") == wanted
    assert krippendorff_alpha(shorter, level="ordinal") == wanted


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_interval_alpha_of_two_judges_is_the_formula_of_the_content_unit_paper(
    pairs: list[tuple[int, int]],
) -> None:
    values = np.array(pairs, dtype=float)
    n = values.size
    observed = float(((values[:, 0] - values[:, 1]) ** 2).mean())
    expected = float(2 * (n * (values**2).sum() - values.sum() ** 2) / (n * (n - 1)))
    found = krippendorff_alpha(pairs, level="interval")
    if expected == 0:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(1 - observed / expected)


@given(st.lists(st.lists(st.integers(1, 4), max_size=4), max_size=8), st.sampled_from(LEVELS))
def test_alpha_equals_a_count_of_all_pairs_of_values(
    units: list[list[int]], level: MeasurementLevel
) -> None:
    pairable = [unit for unit in units if len(unit) > 1]
    everything = [value for unit in pairable for value in unit]

    def apart(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        if level == "ratio":
            return float(((a - b) / (a + b)) ** 2)
        low, high = sorted((a, b))
        between = sum(low <= value <= high for value in everything)
        ends = sum(value in (low,) for value in everything) + sum(v == high for v in everything)
        return float((between - ends / 2) ** 2) if a != b else 0.0

    expected = sum(apart(a, b) for a, b in permutations(everything, 2))
    found = krippendorff_alpha(units, level=level)
    if not expected:
        assert np.isnan(found)
        return
    observed = sum(
        sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in pairable
    )
    assert found == pytest.approx(1 - observed * (len(everything) - 1) / expected)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=3), max_size=8))
def test_nominal_alpha_does_not_care_what_values_are_called(units: list[list[str]]) -> None:
    renamed = [[{"a": "z", "b": "y", "c": "x"}[value] for value in unit] for unit in units]
    assert krippendorff_alpha(units) == pytest.approx(krippendorff_alpha(renamed), nan_ok=True)


@pytest.mark.parametrize("units", [[], [[1], [2]], [[1, 1], [1, 1]], [[None, 2]]])
def test_alpha_is_undefined_without_pairs_or_without_any_difference(units: Any) -> None:
    assert np.isnan(krippendorff_alpha(units, level="interval"))


def test_perfect_agreement_is_one_and_systematic_disagreement_below_zero() -> None:
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]) == 1
    assert krippendorff_alpha([["a", "b"], ["b", "a"]]) < 0


@pytest.mark.parametrize(
    ("units", "level", "message"),
    [
        ([["a", "b"]], "interval", "value 'a' is not a number; interval data need numbers"),
        ([[-1, 2]], "ratio", "value -1 is below 0"),
        ([[float("inf"), 2]], "ordinal", "value inf is not a number; ordinal data need numbers"),
    ],
)
def test_values_that_a_level_cannot_hold_are_refused(units: Any, level: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        krippendorff_alpha(units, level=level)


def test_an_unknown_level_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown level 'ordnal'"):
        krippendorff_alpha([[1, 2]], level="ordnal")  # type: ignore[arg-type]
