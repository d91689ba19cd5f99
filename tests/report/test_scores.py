"""What tables, marks and first sentences say of figures that are known beforehand."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from chronoscore.api.comparison import ComparisonResult
from chronoscore.api.scores import ScoreResult
from chronoscore.core import Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.explanations import DayExplanation
from chronoscore.explanations import explain as explain_output
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.options import Resampling
from chronoscore.reports.catalogue import describe_measure
from chronoscore.reports.chart import row_chart
from chronoscore.reports.comparison import significance_marks
from chronoscore.reports.one_screen import leaderboard, telling_days
from chronoscore.reports.ppi import score_tables
from chronoscore.reports.rails import rails
from chronoscore.reports.score_page.board_view import BarScale, leaderboard_section
from chronoscore.reports.score_page.contents import Contents, Share
from chronoscore.reports.score_page.headline import conclusions
from chronoscore.reports.scores import score_table, system_letters
from chronoscore.stats.boards import Board
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import compare_parts
from chronoscore.stats.ppi import PoweredMean
from chronoscore.stats.ppi_estimates import PpiEstimate
from given_figures import Cost, Given, given_scores

HOW = Resampling()


def contents(systems: str, **figures: Sequence[Any]) -> Contents:
    """What a report knows of systems by one measure or by both."""
    kinds: dict[str, Measure] = {"given": Given(), "cost": Cost()}
    scores = given_scores(systems, {kinds[name]: rows for name, rows in figures.items()})
    return Contents(scores=scores, averages=averages(scores, HOW), resampling=HOW)


@pytest.mark.parametrize(("measure", "best"), [(Given(), "b"), (Cost(), "a")])
def test_the_best_figure_is_bold_whichever_way_is_better(measure: Measure, best: str) -> None:
    scores = given_scores("abc", {measure: [[0.1, 0.2], [0.5, 0.6], [0.2, 0.2]]})
    table = score_table(scores, averages(scores, HOW), HOW)
    assert [row[0].text for row in table.rows if row[1].best] == [best]


@pytest.mark.parametrize(("last", "told"), [(0.6, False), (float("nan"), True)])
def test_undefined_topics_of_any_system_are_told(last: float, told: bool) -> None:
    scores = given_scores("ab", {Given(): [[0.1, 0.2], [0.5, last]]})
    table = score_table(scores, averages(scores, HOW), HOW)
    assert any("topics where a figure is undefined" in note for note in table.notes) == told


def test_every_system_has_letters_of_its_own() -> None:
    letters = [*system_letters([str(number) for number in range(702)]).values()]
    assert letters[:2] == ["a", "b"]
    assert letters[24:28] == ["y", "z", "aa", "ab"]
    assert len({*letters}) == 702


@pytest.mark.parametrize(("measure", "better", "worse"), [(Given(), "a", "b"), (Cost(), "b", "a")])
def test_marks_say_whom_a_system_beats_and_whether_that_survives_the_correction(
    measure: Measure, better: str, worse: str
) -> None:
    b = [0.3] * 7
    c = [0.1, 0.6, 0.1, 0.6, 0.1, 0.6, 0.35]
    # All 7 differences have one sign, as in 2 of 128 swaps: p 0.0156, by 3 pairs 0.047.
    scores = given_scores("abc", {measure: [[0.4] * 7, b, c]})
    marks = significance_marks(system_letters(scores.systems), compare_parts(scores, HOW))
    assert marks == {(better, measure.title, "f"): worse}
    # With the smallest reversed, 4 of 128 swaps are as extreme: by 3 pairs 0.094.
    scores = given_scores("abc", {measure: [[*[0.4] * 6, 0.29], b, c]})
    marks = significance_marks(system_letters(scores.systems), compare_parts(scores, HOW))
    assert marks == {(better, measure.title, "f"): f"({worse})"}


def test_a_lead_that_few_topics_make_is_said_to_be_one() -> None:
    first, *_ = conclusions(contents("ab", given=[[0.9, 0.1, 0.1], [0.2, 0.2, 0.2]]))
    assert first == "a is ahead of b by 0.167 given.f but wins on only 1 of 3 topics."
    first, *_ = conclusions(contents("ab", given=[[0.9, 0.3, 0.1], [0.2, 0.2, 0.2]]))
    assert first.endswith("given.f and wins on 2 of 3 topics.")


def test_another_measure_is_named_only_if_the_leader_is_not_first_by_it() -> None:
    figures = [[0.2, 0.2], [0.9, 0.8]]
    told = conclusions(contents("ba", given=figures, cost=[[0.1, 0.3], [0.1, 0.3]]))
    assert len(told) == 1, "both are first by cost"
    told = conclusions(contents("ba", given=figures, cost=figures))
    assert told[1:] == ["By cost.f, b is ahead."]


def test_bars_start_at_nothing_and_reach_both_ways() -> None:
    (board,) = contents("ab", given=[[0.6, 0.7], [0.2, 0.3]]).boards
    ends = BarScale.of(board)(0.0)
    assert ends == 1
    (board,) = contents("ab", given=[[0.6, 0.7], [-0.4, -0.3]]).boards
    scale = BarScale.of(board)
    assert 1 <= scale(-0.35) < scale(0.0) < scale(0.65) <= 99


def test_ties_with_more_than_three_systems_are_counted() -> None:
    known = contents("abcdef", given=[[0.6 - n / 10] for n in range(6)])
    pairs = [
        SystemPair(
            system="a", other=other, p=0.5, significant=other == "f",
            topics=20, left_out=0, trials=9999,
        )
        for other in "bcdef"
    ]  # fmt: skip
    (board,) = known.boards
    tied = Board(board.measure, "f", board.figures, board.values, board.scores, pairs)
    vars(known)["boards"] = (tied,)
    assert '<span class="tie">b, c, d and 1 more</span>' in leaderboard_section(known)


@pytest.mark.parametrize("width", [80, 100])
def test_bars_in_a_terminal_are_as_long_as_their_figures_and_fit(width: int) -> None:
    lines = leaderboard(contents("abc", given=[[0.8], [0.4], [0.0]]), width)
    assert all(len(line) <= width for line in lines)
    first, second, none = (line.count("█") + line.count("▌") / 2 for line in lines[1:])
    assert first >= 20
    assert (second, none) == (first / 2, 0)


@pytest.mark.parametrize("most", [1, 3, 5])
def test_no_more_days_are_told_than_asked_for(most: int) -> None:
    known = explained()
    lines = [*telling_days(known, 100, most)]
    assert lines.index("What would gain most:") == most + 1
    narrow = [*telling_days(known, 56, most)]
    assert all(len(line) <= 54 for line in narrow[1:])
    assert any("…" in line for line in narrow)


@pytest.mark.parametrize("width", [40, 61])
def test_a_narrow_screen_cuts_no_figure_of_a_day(width: int) -> None:
    wide, narrow = ([*telling_days(explained(), columns)] for columns in (100, width))
    figure = re.compile(r"\d{4}-\d\d-\d\d|\d\.\d\d(?!\d)|\d+ of \d+")
    days = [figure.findall(line) for line in wide if re.match(r" +\d{4}-", line)]
    assert [figure.findall(line) for line in narrow if re.match(r" +\d{4}-", line)] == days
    assert len(days) == 6
    assert all(len(line) <= width - 2 for line in narrow)


def explained() -> DayExplanation:
    """Eight days matched on the day, nearby, missed and extra, two of each."""
    gold = {f"2031-03-{n:02}": f"The old dam number {n} broke." for n in (1, 3, 10, 15, 20, 25)}
    mine = {f"2031-03-{n:02}": f"A dam number {n} fell." for n in (1, 3, 11, 16)}
    mine |= {f"2032-06-{n:02}": "Rain fell." for n in (1, 2)}
    topic = Topic(id="dam", timelines=(Timeline.of(gold),))
    found = explain_output(parse_measure_text("align"), topic, Timeline.of(mine))
    assert isinstance(found, DayExplanation)
    return found


def test_missed_words_are_marked_on_the_side_that_is_counted() -> None:
    sides = rails(explained())["sides"]
    marked = {
        (side, whose): any(piece[0] == "-" for pieces, *_ in sides[side][whose] for piece in pieces)
        for side in ("recall", "precision")
        for whose in ("reference", "system")
    }
    assert [place for place, any_missed in marked.items() if any_missed] == [
        ("recall", "reference"),
        ("precision", "system"),
    ]


def test_tables_list_the_best_system_first_unless_asked_otherwise() -> None:
    figures = {Given(): [[0.2], [0.4], [math.nan], [0.4]], Cost(): [[0.1], [0.3], [0.2], [0.2]]}
    scores = given_scores("abcd", figures)
    result = ScoreResult(scores, tuple(averages(scores, HOW)), HOW)

    def order(one: ScoreResult) -> str:
        return "".join(row[0].text for row in one.tables()[0].rows)

    assert order(result) == "bdac"
    assert order(result.sort("none")) == "abcd"
    assert order(result.sort(Cost().heading("f"))) == "acdb"
    with pytest.raises(UsageError, match="no measure 'dates' was scored"):
        result.sort("dates")
    assert result.systems == result.sort("none").systems == ("a", "b", "c", "d")
    assert ComparisonResult(result, ()).letters == {"b": "a", "d": "b", "a": "c", "c": "d"}


@pytest.mark.parametrize(("measure", "best"), [(Given(), "b"), (Cost(), "a")])
def test_the_best_of_powered_figures_is_bold_whichever_way_is_better(
    measure: Measure, best: str
) -> None:
    def estimate(system: str, value: float) -> PpiEstimate:
        mean = PoweredMean(
            value=value, low=0.0, high=1.0, p=0.5, weight=0.5, topics=9, further=9, variance=0.1,
            people=value, people_low=0.0, people_high=1.0, people_variance=0.1,
        )  # fmt: skip
        return PpiEstimate(system, measure, "f", mean)

    (table,) = score_tables([estimate("a", 0.2), estimate("b", 0.6), estimate("c", 0.4)], [])
    assert [row[0].text for row in table.rows if row[1].best] == [best]


def test_a_measure_says_which_of_its_parts_should_be_low() -> None:
    told = describe_measure("novelty(base=rouge1,coefficients=none)")
    assert "higher is better (lower: ab)" in told
    assert "(lower" not in describe_measure("rouge1")


@pytest.mark.parametrize(
    ("top", "last"), [(0.4, "0.4"), (0.41, "0.6"), (1.0, "1"), (0.09, "0.1"), (0.0, "1")]
)
def test_an_axis_ends_at_the_next_round_number(top: float, last: str) -> None:
    *_, label = re.findall(r">([^<>]+)</text>", row_chart("", [], top))
    assert label == last


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.5, "It reaches 50% of what"), (1.0, "It reaches 100% of"), (1.5, "It scores 1.50 times")],
)
def test_a_share_above_the_ceiling_is_told_as_a_multiple(share: float, said: str) -> None:
    known = contents("ab", given=[[0.9, 0.8], [0.2, 0.2]])
    shares = [Share(Given(), "f", "extractive", {"a": share, "b": 0.1})]
    assert conclusions(replace(known, shares=shares))[1].startswith(said)
