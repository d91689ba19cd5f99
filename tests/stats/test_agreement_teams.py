"""Teams of writers and pairs of matchers, against the content-unit paper's figures."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from chronoscore.core import Anchor, ContentUnit, Group, Pyramid
from chronoscore.errors import DataError
from chronoscore.measures.units.pyramid import weight_of_heaviest_units
from chronoscore.stats.matching import matching_agreement
from chronoscore.stats.teams import (
    TeamSplit,
    WeightCounts,
    alpha_of_cells,
    estimate_unchosen,
    near_diagonal_share,
    team_cells,
    team_splits,
    team_weight_counts,
    weight_counts,
)
from stats.paper_tables import BEST_SPLIT, WORST_SPLIT

ONE, TWO = ("w1", "w2", "w3"), ("w4", "w5", "w6")
HISTOGRAM = (37, 23, 20, 10, 7, 3)


def pyramid_of(cells: Any) -> Pyramid:
    """Units that so many of either team chose, who exactly being dealt out in turn."""
    units = []
    for (i, j), count in np.ndenumerate(cells):
        for n in range(count if i + j else 0):
            writers = {ONE[(n + k) % 3] for k in range(i)} | {TWO[(n + k) % 3] for k in range(j)}
            units.append(ContentUnit(id=f"u{i}{j}{n}", writers=frozenset(writers)))
    return Pyramid(tuple(units), writers=ONE + TWO)


@pytest.mark.parametrize(
    ("cells", "grey", "alpha", "of_chosen"),
    [
        (BEST_SPLIT, 176 / 187, 15838 / 26655, 0.257845),
        (WORST_SPLIT, 168 / 187, 14722 / 27777, 0.168457),
    ],
)
def test_the_papers_two_splits_have_its_grey_share_and_alpha(
    cells: Any, grey: float, alpha: float, of_chosen: float
) -> None:
    split = TeamSplit(ONE, TWO, cells)
    assert split.grey == pytest.approx(grey)
    assert split.alpha == pytest.approx(alpha)
    assert split.alpha_of_chosen == pytest.approx(of_chosen, abs=5e-7)


def test_the_figures_read_as_the_paper_prints_them() -> None:
    assert (
        f"{near_diagonal_share(BEST_SPLIT):.6f} {near_diagonal_share(WORST_SPLIT):.6f}"
        == "0.941176 0.898396"
    )
    assert f"{alpha_of_cells(BEST_SPLIT):.6f} {alpha_of_cells(WORST_SPLIT):.6f}" == (
        "0.594185 0.530007"
    )


@pytest.mark.parametrize("cells", [BEST_SPLIT, WORST_SPLIT])
def test_ten_splits_have_the_mean_grey_share_of_the_paper(cells: Any) -> None:
    splits = team_splits(pyramid_of(cells), unchosen=87)
    assert len(splits) == 10
    mean = np.mean([split.grey for split in splits])
    assert mean == pytest.approx(171.8 / 187)
    assert f"{mean:.6f}" == "0.918717"


@pytest.mark.parametrize("cells", [BEST_SPLIT, WORST_SPLIT])
def test_the_papers_alpha_is_its_worst_splits_and_not_a_mean(cells: Any) -> None:
    splits = team_splits(pyramid_of(cells), unchosen=87)
    assert np.mean([split.alpha for split in splits]) >= 0.5487 > 0.530007


@pytest.mark.parametrize(
    ("cells", "shapes", "best"),
    [
        (BEST_SPLIT, ((44, 27, 7), (42, 24, 9)), (81, 82)),
        (WORST_SPLIT, ((38, 28, 11), (42, 23, 7)), (90, 77)),
    ],
)
def test_the_teams_pyramids_and_best_scores_are_the_papers(
    cells: Any, shapes: Any, best: tuple[int, int]
) -> None:
    found = team_weight_counts(cells)
    assert tuple(each.counts for each in found) == shapes
    assert tuple(each.best(40) for each in found) == best
    assert all(each.pyramidal for each in found)


@pytest.mark.parametrize("cells", [BEST_SPLIT, WORST_SPLIT])
def test_six_writers_have_the_weights_and_the_best_score_of_the_paper(cells: Any) -> None:
    pyramid = pyramid_of(cells)
    assert weight_counts(pyramid).counts == HISTOGRAM
    assert weight_counts(pyramid).best(40) == 153
    assert weight_of_heaviest_units(pyramid, 40) == 153
    assert weight_counts(pyramid).pyramidal
    assert (team_cells(pyramid, ONE, TWO, 87) == cells).all()


@pytest.mark.parametrize(
    ("counts", "pyramidal"),
    [((3, 2, 1), True), ((3, 2, 0), True), ((3, 3, 1), False), ((3, 0, 1), False), ((), False)],
)
def test_a_pyramid_has_fewer_units_at_each_higher_weight(
    counts: tuple[int, ...], pyramidal: bool
) -> None:
    assert WeightCounts(counts).pyramidal is pyramidal


def test_the_estimate_of_unchosen_units_is_rounded_and_says_how_it_was_made() -> None:
    estimate = estimate_unchosen(100, sentences_with=80, sentences_without=70)
    assert estimate.count == 88
    assert estimate.method == "estimated: 100 units / 80 sentences with any × 70 without"
    with pytest.raises(DataError, match="no estimate of unchosen units"):
        estimate_unchosen(3, sentences_with=0, sentences_without=5)


def test_an_odd_number_of_writers_makes_no_teams() -> None:
    unit = ContentUnit(id="u", writers=frozenset({"a", "b", "c"}))
    with pytest.raises(DataError, match="3 writers cannot be split into two equal teams"):
        team_splits(Pyramid((unit,)))


def test_every_writer_meets_every_other_in_equally_many_teams() -> None:
    splits = team_splits(pyramid_of(BEST_SPLIT))
    together = Counter(
        pair
        for split in splits
        for team in (split.first, split.second)
        for pair in [(a, b) for a in team for b in team if a < b]
    )
    assert set(together.values()) == {4}


def test_many_unchosen_units_do_not_slow_alpha_down() -> None:
    cells = BEST_SPLIT.copy()
    cells[0, 0] = 10**9
    assert 0.5 < alpha_of_cells(cells) < 1


def matched(**members: list[tuple[int, float]]) -> Pyramid:
    """Units whose anchors stand at the given places, with their values."""
    return Pyramid(
        tuple(
            ContentUnit(
                id=name,
                writers=frozenset({"w1"}),
                group=Group(
                    members=tuple(
                        (Anchor(id=f"{name}{at}", source="s", start=at, end=at + 3), value)
                        for at, value in places
                    )
                ),
            )
            for name, places in members.items()
        )
    )


def test_matchers_are_compared_on_the_units_that_both_anchored() -> None:
    first = matched(u=[(0, 1.0), (5, 0.5), (9, 0.0)], v=[(20, 1.0)], w=[(40, 1.0)])
    second = matched(u=[(0, 1.0), (5, 1.0), (9, 0.0), (14, 0.5)], v=[(20, 1.0)], w=[])
    found = matching_agreement(first, second)
    # chosen: u0 u5 v20 by the first, u0 u5 u14 v20 by the second; u9 was turned down by both
    assert (found.units, found.first, found.second, found.both, found.pool) == (2, 3, 4, 3, 5)
    assert found.jaccard == pytest.approx(3 / 4)
    assert found.dice == pytest.approx(6 / 7)
    assert found.share_of_pool == pytest.approx(4 / 5)
    assert found.equal_values == pytest.approx(2 / 3)
    assert found.mean_difference == pytest.approx(0.5 / 3)


def test_a_larger_pool_raises_the_share_and_nothing_else() -> None:
    first, second = matched(u=[(0, 1.0)]), matched(u=[(0, 1.0), (5, 1.0)])
    found = matching_agreement(first, second, pool=20)
    assert found.share_of_pool == pytest.approx(19 / 20)
    assert found.jaccard == pytest.approx(1 / 2)
    with pytest.raises(DataError, match="a pool of 1 candidates is smaller than the 2"):
        matching_agreement(first, second, pool=1)


def test_anchors_in_inner_groups_count_and_ids_do_not_matter() -> None:
    inner = Group(members=((Anchor(id="x", source="s", start=0, end=3), 1.0),))
    unit = ContentUnit(id="u", writers=frozenset({"w"}), group=Group(members=((inner, 0.5),)))
    assert matching_agreement(Pyramid((unit,)), matched(u=[(0, 1.0)])).jaccard == 1


def test_matchers_without_a_common_unit_are_refused() -> None:
    with pytest.raises(DataError, match="share no anchored unit"):
        matching_agreement(matched(u=[(0, 1.0)]), matched(v=[(0, 1.0)]))
