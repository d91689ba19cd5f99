import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from align.brute import best_pairing
from chronoscore.align import (
    Dates,
    Similarity,
    align_by_content,
    align_by_costs,
    align_by_date,
    align_same_dates,
    warm_start,
)
from chronoscore.align.line import date_costs
from chronoscore.align.nearest import cheapest_columns
from chronoscore.core import When

DAYS = st.sets(st.integers(1, 40), max_size=12).map(sorted)
FEW_DAYS = st.sets(st.integers(1, 12), min_size=1, max_size=5).map(sorted)
COARSE = st.sampled_from(
    ["2010-05-30", "2010-05-31", "2010-05", "2010-06", "2010-06-02", "2010", "2010-07", "2010s"]
).map(When.parse)


def days(numbers: list[int]) -> Dates:
    return Dates(np.array(numbers, dtype=np.int64), np.array(numbers, dtype=np.int64))


def dates(*written: str) -> Dates:
    return Dates.of(sorted(When.parse(text) for text in written))


def sides(found: object) -> tuple[list[int], list[int]]:
    return found.system.tolist(), found.reference.tolist()  # type: ignore[attr-defined]


@settings(max_examples=4 * settings.default.max_examples)
@given(DAYS, DAYS)
def test_aligning_days_on_a_line_is_the_same_as_by_the_full_table(
    ours: list[int], theirs: list[int]
) -> None:
    system, reference = days(ours), days(theirs)
    table = date_costs(system.distances(reference))
    assert sides(align_by_date(system, reference)) == sides(
        align_by_costs(table, system, reference)
    )


@settings(max_examples=4 * settings.default.max_examples)
@given(FEW_DAYS, FEW_DAYS)
def test_aligning_days_follows_the_rule_of_ties(ours: list[int], theirs: list[int]) -> None:
    system, reference = days(ours), days(theirs)
    distances = system.distances(reference)
    expected = best_pairing(date_costs(distances), distances)
    assert sides(align_by_date(system, reference)) == expected


@settings(max_examples=4 * settings.default.max_examples)
@given(DAYS, DAYS, st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_aligning_by_content_is_the_same_with_and_without_a_table(
    ours: list[int], theirs: list[int], many: bool, first: bool, random: object
) -> None:
    system, reference = days(ours), days(theirs)
    overlap = np.array(
        [[random.choice([0, 0, 1, 2, 4]) for _ in theirs] for _ in ours],  # type: ignore[attr-defined]
        dtype=np.float64,
    ).reshape(len(ours), len(theirs))
    similarity = Similarity(csr_array(overlap), np.full(len(ours), 4.0), np.full(len(theirs), 4.0))
    table = date_costs(system.distances(reference)) * (1 - overlap / 4)
    found = align_by_content(system, reference, similarity, many=many, first=first)
    assert sides(found) == sides(align_by_costs(table, system, reference, many=many, first=first))


def test_a_many_to_one_tie_goes_to_the_nearest_date_or_with_first_to_the_earliest() -> None:
    system, reference = dates("2010-01-05"), dates("2010-01-01", "2010-01-05")
    same_words = Similarity(
        csr_array(np.array([[3.0, 0.0]])), np.array([3.0]), np.array([3.0, 3.0])
    )
    for first, expected in ((False, 1), (True, 0)):
        found = align_by_content(system, reference, same_words, many=True, first=first)
        assert found.system.tolist() == [expected]


def test_of_two_equally_near_dates_the_earlier_is_taken() -> None:
    found = align_by_date(dates("2010-01-02"), dates("2010-01-01", "2010-01-03"))
    assert sides(found) == ([0], [0, -1])


def test_only_the_same_day_is_paired_by_align_same() -> None:
    found = align_same_dates(dates("2010-01-01", "2010-01-02"), dates("2010-01-02", "2010-01-03"))
    assert sides(found) == ([-1, 0], [1, -1])


def test_a_month_is_at_no_distance_from_its_day_but_prefers_itself() -> None:
    system, reference = dates("2010-05"), dates("2010-05", "2010-05-03")
    assert sides(align_same_dates(system, reference)) == ([0], [0, -1])
    assert sides(align_by_date(system, reference)) == ([0], [0, -1])
    assert sides(align_by_date(system, reference, many=True)) == ([0], [0, 0])
    assert sides(align_by_date(dates("2010-05-03"), reference, many=True)) == ([1], [0, 0])


@settings(max_examples=4 * settings.default.max_examples)
@given(
    st.sets(COARSE, min_size=1, max_size=4).map(sorted),
    st.sets(COARSE, min_size=1, max_size=4).map(sorted),
)
def test_months_and_years_are_aligned_by_the_days_between_them(
    ours: list[When], theirs: list[When]
) -> None:
    distances = np.array([[here.distance(there) for there in theirs] for here in ours])
    ends = np.array([[abs(a.first - b.first) + abs(a.last - b.last) for b in theirs] for a in ours])
    expected = best_pairing(distances / (distances + 1), distances, ends)
    assert sides(align_by_date(Dates.of(ours), Dates.of(theirs))) == expected


@given(DAYS, DAYS)
def test_exchanging_the_sides_exchanges_the_answers(ours: list[int], theirs: list[int]) -> None:
    forth, back = (
        align_by_date(days(ours), days(theirs)),
        align_by_date(days(theirs), days(ours)),
    )
    assert sides(forth) == sides(back.mirrored)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("shared", [0.0, 0.02, 1.0])
def test_a_warm_start_changes_nothing_but_the_time(
    seed: int, shared: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    ours, theirs = (np.sort(rng.choice(150, rng.integers(40, 46), replace=False)) for _ in "ab")
    system, reference = Dates(ours, ours), Dates(theirs, theirs)
    overlap = np.where(rng.random((len(ours), len(theirs))) < shared, 2.0, 0.0)
    similarity = Similarity(csr_array(overlap), np.full(len(ours), 4.0), np.full(len(theirs), 4.0))
    costs = date_costs(system.distances(reference)) * (1 - overlap / 4)
    usual = align_by_costs(costs, system, reference)
    monkeypatch.setattr(warm_start, "LARGE", 2)
    assert warm_start.warm_start(system, reference, costs) is not None
    assert sides(align_by_content(system, reference, similarity)) == sides(usual)


def test_a_head_start_is_left_out_where_costs_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_start, "LARGE", 2)
    system = days(list(range(1, 30)))
    varied = date_costs(system.distances(system)) * np.random.default_rng(1).random((29, 29))
    assert warm_start.warm_start(system, system, varied) is None


def test_a_date_that_may_be_paired_with_none_gets_none() -> None:
    costs = np.array([[np.inf, np.inf], [np.inf, 0.5]])
    assert cheapest_columns(costs).tolist() == [-1, 1]
