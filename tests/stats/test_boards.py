"""Rankings of systems, by figures that can be checked by hand."""

import math

import pytest

from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.options import Resampling
from chronoscore.reports.scores import describe_interval
from chronoscore.stats.boards import Board, rank, ranking_agreement, topic_spreads
from chronoscore.stats.corpus import averages, sign
from chronoscore.stats.corpus_tests import compare_parts
from chronoscore.stats.thresholds import Threshold, check
from given_figures import Cost, Given, given_scores

SYSTEMS, TOPICS = ("a", "b", "c"), ("t1", "t2", "t3")
GIVEN = [[0.1, 0.2, math.nan], [0.5, 0.1, 0.3], [0.2, 0.2, 0.2]]


def boards(*measures: Measure) -> tuple[Board, ...]:
    scores, how = given_scores(SYSTEMS, dict.fromkeys(measures, GIVEN)), Resampling(times=10)
    return rank(averages(scores, how), scores)


@pytest.mark.parametrize(("measure", "order"), [(Given(), "bca"), (Cost(), "acb")])
def test_the_best_system_comes_first_whichever_way_is_better(measure: Measure, order: str) -> None:
    (board,) = boards(measure)
    assert "".join(one.system for one in board.figures) == order
    assert board.value_of("a") == pytest.approx(0.15)
    assert math.isnan(board.value_of("nobody"))


@pytest.mark.parametrize(("measure", "better"), [(Given(), "ba"), (Cost(), "ab")])
def test_topics_that_decide_are_those_with_the_largest_difference(
    measure: Measure, better: str
) -> None:
    (board,) = boards(measure)
    gaps = board.gaps("b", "a")
    # t3 is undefined for a; b − a is .5 − .1 on t1 and .1 − .2 on t2.
    assert [(gap.topic, gap.better) for gap in gaps] == [("t1", better[0]), ("t2", better[1])]
    assert [gap.difference for gap in gaps] == pytest.approx([0.4, -0.1])
    assert board.wins("b", "a") == board.wins("a", "b") == (1, 2)
    assert [gap.better for gap in board.gaps("a", "c")] == [["c", "a"][better == "ab"], ""]


def test_rankings_by_the_same_figures_are_opposite_where_less_is_better() -> None:
    # Both measures have the same figures, so that the rankings are each other's reverse.
    assert ranking_agreement(boards(Given(), Cost())) == [[1.0, -1.0], [-1.0, 1.0]]


def test_topics_are_listed_by_how_far_systems_are_apart() -> None:
    (board,) = boards(Given())
    found = topic_spreads(board.scores, Given(), "f")
    assert [one.topic for one in found] == ["t1", "t2", "t3"]
    assert [one.spread for one in found] == pytest.approx([0.4, 0.1, 0.1])


def test_three_topics_are_too_few_to_tell_three_systems_apart() -> None:
    (board,) = boards(Given())
    assert board.can_differ(0.95)  # nothing was tested
    with pytest.warns(match="smallest possible adjusted p"):
        compared = compare_parts(board.scores, Resampling(times=10))
    (tested,) = rank(board.figures, board.scores, compared)
    assert not tested.can_differ(0.95)
    assert sorted(tested.tied_with("a")) == ["b", "c"]


@pytest.mark.parametrize("measure", [Given(), Cost()])
def test_a_system_without_any_figure_comes_last(measure: Measure) -> None:
    figures = [[math.nan] * 2, [0.1, 0.2], [0.3, 0.4]]
    scores = given_scores("abc", {measure: figures})
    (board,) = rank(averages(scores, Resampling()), scores)
    assert board.figures[-1].system == "a"


def test_two_systems_are_too_few_for_an_agreement_of_rankings() -> None:
    def agreement(last: float) -> float:
        first, second = [[0.1], [0.2], [0.3]], [[0.5], [0.6], [last]]
        scores = given_scores("abc", {Given(): first, Cost(): second})
        return ranking_agreement(rank(averages(scores, Resampling()), scores))[0][1]

    assert agreement(0.7) == -1
    assert math.isnan(agreement(math.nan))


@pytest.mark.parametrize(("value", "short"), [(0.3, False), (0.29, True), (math.nan, True)])
def test_an_undefined_figure_falls_short(value: float, short: bool) -> None:
    scores = given_scores("a", {Given(): [[value]]})
    (found,) = check(averages(scores, Resampling()), [Threshold.parse("given.f=0.3")])
    assert found.short == short
    assert ("undefined" in str(found)) == math.isnan(value)


@pytest.mark.parametrize(("value", "short"), [(5, False), (6, True), (math.nan, True)])
def test_a_figure_may_have_an_upper_bound(value: float, short: bool) -> None:
    figures = averages(given_scores("a", {Cost(): [[value]]}), Resampling())
    (found,) = check(figures, [Threshold.parse("cost.f=5", upper=True)])
    assert found.short == short
    assert str(found).endswith("over 5")


@pytest.mark.parametrize("text", ["5", "cost=5", "cost.f=5"])
def test_a_bound_on_the_better_side_is_refused(text: str) -> None:
    figures = averages(given_scores("a", {Cost(): [[6.0]]}), Resampling())
    with pytest.raises(UsageError, match=r"less of 'cost.f' is better; write `fail_over=cost"):
        check(figures, [Threshold.parse(text)])
    figures = averages(given_scores("a", {Given(): [[6.0]]}), Resampling())
    with pytest.raises(UsageError, match=r"more of 'given.f' is better; write `fail_under=given"):
        check(figures, [Threshold.parse("5", upper=True)])


def test_a_bound_without_a_measure_is_for_figures_of_its_direction() -> None:
    scores = given_scores("a", {Given(): [[6.0]], Cost(): [[0.0]]})
    (found,) = check(averages(scores, Resampling()), [Threshold.parse("5")])
    assert (found.name, found.short) == ("given.f", False)


@pytest.mark.parametrize(("measure", "wins"), [(Given(), 1 / 3), (Cost(), 2 / 3)])
def test_wins_count_the_better_system(measure: Measure, wins: float) -> None:
    scores = given_scores("ab", {measure: [[0.1, 0.2, 0.9] * 2, [0.5, 0.7, 0.3] * 2]})
    (compared,) = compare_parts(scores, Resampling(times=10))
    assert compared.comparison.pairs[0].superiority == pytest.approx(wins)


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ([(0, 1)], "95% interval over topics, Student's t on the logit scale"),
        ([(0, math.inf)], "95% interval over topics, Student's t on the log scale"),
        ([(-math.inf, math.inf)], "95% interval over topics, Student's t on the plain scale"),
        (
            [(0, math.inf), (-1, 1)],
            "95% interval over topics, Student's t on the logit scale for figures with an upper "
            "bound, on the log scale for those without one",
        ),
    ],
)
def test_the_note_on_intervals_names_the_scales_that_were_used(
    bounds: list[tuple[float, float]], words: str
) -> None:
    assert describe_interval(Resampling(), bounds) == words


@pytest.mark.parametrize(
    ("level", "words"), [(0.29, "29%"), (0.999, "99.9%"), (0.9999999999, "99.99999999%")]
)
def test_a_level_is_not_rounded(level: float, words: str) -> None:
    scores, how = given_scores("a", {Given(): [[0.1, 0.2]]}), Resampling(level=level)
    assert describe_interval(how, [(0, 1)]).startswith(f"{words} interval")
    assert f"level:{level}" in sign(scores, how)
