import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from align.brute import best_pairing
from chronoscore.align.assignment import solve_assignment

SIDES = st.tuples(st.integers(1, 5), st.integers(1, 5))


def tables(values: st.SearchStrategy[float]) -> st.SearchStrategy[NDArray[np.float64]]:
    return SIDES.flatmap(lambda sides: arrays(np.float64, sides, elements=values))


@pytest.mark.slow
@settings(max_examples=4 * settings.default.max_examples)
@given(tables(st.sampled_from([0.0, 1 / 3, 2 / 3, 1 / 2])), st.data())
def test_ties_are_settled_as_by_trying_every_assignment(
    costs: NDArray[np.float64], data: st.DataObject
) -> None:
    distances = data.draw(arrays(np.int64, costs.shape, elements=st.integers(0, 3)))
    found = solve_assignment(costs, [lambda row, column: distances[row, column]])
    expected = best_pairing(costs, distances)
    assert (found.system.tolist(), found.reference.tolist()) == expected


@given(tables(st.sampled_from([0.0, 0.5])), st.data())
def test_a_second_tie_is_settled_among_what_the_first_has_left(
    costs: NDArray[np.float64], data: st.DataObject
) -> None:
    first, second = (
        data.draw(arrays(np.int64, costs.shape, elements=st.integers(0, 1))) for _ in range(2)
    )
    found = solve_assignment(
        costs, [lambda row, column: first[row, column], lambda row, column: second[row, column]]
    )
    expected = best_pairing(costs, first, second)
    assert (found.system.tolist(), found.reference.tolist()) == expected


def test_costs_that_are_equal_as_fractions_tie_in_spite_of_rounding() -> None:
    # 1/2 + 5/6 = 2/3 + 2/3, whose doubles need not agree.
    costs = np.array([[1 / 2, 2 / 3], [2 / 3, 5 / 6]])
    distances = np.array([[1, 2], [2, 5]])
    found = solve_assignment(costs, [lambda row, column: distances[row, column]])
    assert found.system.tolist() == [1, 0]


@settings(max_examples=4 * settings.default.max_examples)
@given(tables(st.sampled_from([0.0, 0.25, 1.0, np.inf])))
def test_an_infinite_cost_forbids_a_pair_and_spoils_no_other(costs: NDArray[np.float64]) -> None:
    found = solve_assignment(costs)
    finite = np.where(np.isinf(costs), 1000.0, costs)
    system, _ = best_pairing(finite)
    for row, column in enumerate(found.system.tolist()):
        assert column == -1 or np.isfinite(costs[row, column])
    paired = [(r, c) for r, c in enumerate(system) if c != -1 and np.isfinite(costs[r, c])]
    mine = [(r, c) for r, c in enumerate(found.system.tolist()) if c != -1]
    assert len(mine) == len(paired)
    assert sum(costs[p] for p in mine) == pytest.approx(sum(costs[p] for p in paired))


def test_a_side_without_dates_leaves_the_other_without_answers() -> None:
    found = solve_assignment(np.empty((0, 3)))
    assert found.system.tolist() == []
    assert found.reference.tolist() == [-1, -1, -1]


def test_a_large_table_of_equal_costs_is_paired_in_order() -> None:
    size = 60
    found = solve_assignment(np.full((size, size), 0.5))
    assert found.system.tolist() == list(range(size))


def test_large_costs_are_told_apart_and_tied_at_their_own_scale() -> None:
    costs = np.array([[3e6, 1e6], [1e6, 3e6]]) / 7
    assert solve_assignment(costs).system.tolist() == [1, 0]
    assert solve_assignment(np.full((2, 2), 1e6 / 7)).system.tolist() == [0, 1]
