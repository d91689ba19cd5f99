"""What plots draw: every figure where it belongs, read back from the drawing."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.core import Timeline, Topic
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.explanations import DayExplanation
from chronoscore.explanations.differences import Cause, SystemDifference
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.measures.streams.events import Nu
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.streams.stream_curves import StreamCurve
from chronoscore.measures.timelines.align_measures import AlignPlus
from chronoscore.options import Resampling
from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.people import Frequencies
from chronoscore.reports import plots
from chronoscore.reports.chart import interval_chart
from chronoscore.reports.plots import alignment, ceilings, curves, intervals, losses, panels
from chronoscore.reports.plots.scatter import panels as scatter_panels
from chronoscore.reports.rails import rails
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import Average
from chronoscore.stats.ppi import PoweredMean
from chronoscore.stats.ppi_estimates import PpiEstimate
from chronoscore.stats.scatter import Scatter

nan = float("nan")


def lines(axes: Any) -> list[tuple[list[float], list[float]]]:
    """Across and up of every line."""
    return [
        ([float(x) for x in one.get_xdata()], [float(y) for y in one.get_ydata()])
        for one in axes.lines
    ]


def rows(axes: Any) -> list[str]:
    """The names of the rows, from the top."""
    named = sorted(zip(axes.get_yticks(), axes.get_yticklabels(), strict=True))
    names = [label.get_text() for _, label in named]
    bottom, top = axes.get_ylim()
    return names if bottom > top else names[::-1]


def open_dots(axes: Any) -> list[bool]:
    """Which of the dots are open."""
    return [one.get_markerfacecolor() == "white" for one in axes.lines if one.get_marker() == "o"]


def test_averages_have_their_dot_between_the_ends_of_their_interval() -> None:
    figures = [Average("a", Nu(), "f", 0.5, 0.4, 0.7, 3), Average("b", Nu(), "f", 0.2, 0.1, 0.3, 3)]
    axes = intervals.averages("nu.f", figures).axes[0]
    assert lines(axes) == [
        ([0.4, 0.7], [0, 0]),
        ([0.5], [0]),
        ([0.1, 0.3], [1, 1]),
        ([0.2], [1]),
    ]
    assert rows(axes) == ["a", "b"]
    assert axes.get_xlabel() == "nu.f"
    drawn = interval_chart("nu.f", figures)
    # 720 wide with 150 for names and 24 at the right; the axis ends at 0.8.
    width = (720 - 150 - 24) / 0.8
    for one, y in zip(figures, (37.0, 63.0), strict=True):
        ends = f'x1="{150 + width * one.low:.1f}" x2="{150 + width * one.high:.1f}" y1="{y}"'
        assert f'<line class="bar" {ends}' in drawn
        assert f'cx="{150 + width * one.value:.1f}" cy="{y}"' in drawn


def test_differences_are_filled_where_they_are_significant() -> None:
    one = SystemPair(
        system="a", other="b", difference=0.2, low=0.1, high=0.3, significant=True, topics=5,
        left_out=0,
    )  # fmt: skip
    other = replace(one, other="c", difference=-0.1, low=-0.3, high=0.2, significant=False)
    axes = intervals.differences("nu.f", [one, other]).axes[0]
    zero, *drawn = lines(axes)
    assert zero[0] == [0, 0]
    assert drawn == [
        ([0.1, 0.3], [0, 0]),
        ([0.2], [0]),
        ([-0.3, 0.2], [1, 1]),
        ([-0.1], [1]),
    ]
    assert open_dots(axes) == [False, True]
    assert rows(axes) == ["a – b", "a – c"]


def test_estimates_stand_below_those_of_people_alone() -> None:
    mean = PoweredMean(
        value=0.5, low=0.45, high=0.55, p=0.1, weight=0.5, topics=4, further=9, variance=1.0,
        people=0.6, people_low=0.4, people_high=0.8, people_variance=2.0,
    )  # fmt: skip
    found = [PpiEstimate(name, Nu(), "f", mean) for name in ("a", "b")]
    axes = intervals.estimates(found).axes[0]
    for place in (0, 1):
        drawn = lines(axes)[4 * place : 4 * place + 4]
        assert [across for across, _ in drawn] == [[0.4, 0.8], [0.6], [0.45, 0.55], [0.5]]
        assert all(up < place for _, ups in drawn[:2] for up in ups)
        assert all(up > place for _, ups in drawn[2:] for up in ups)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["people alone", "people and machine"]
    assert axes.get_xlabel() == "nu.f"


def test_ceilings_have_three_marks_on_the_row_of_their_topic() -> None:
    found = [
        Ceilings("dam", "rouge1", 0.3, 0.5, 0.5, 0.8, 0.8),
        Ceilings("fire", "rouge1", nan, 0.4, 0.4, 0.6, 0.6),
    ]
    axes = ceilings.of_topics(found).axes[0]
    assert rows(axes) == ["dam", "fire"]
    drawn = {
        one.get_label(): dict(zip(one.get_ydata(), one.get_xdata(), strict=True))
        for one in axes.lines
    }
    assert drawn["extractive"] == {1: 0.5, 0: 0.4}
    assert drawn["any text"] == {1: 0.8, 0: 0.6}
    assert drawn["human"][1] == 0.3
    ends = [path.vertices.tolist() for path in axes.collections[0].get_paths()]
    assert ends == [[[0.3, 1.0], [0.8, 1.0]], [[0.4, 0.0], [0.6, 0.0]]]
    assert axes.get_xlabel() == "recall, rouge1"


def test_systems_are_marked_within_their_ceilings_the_highest_behind() -> None:
    drawn = [
        ceilings.CeilingLine("dam", {"extractive": 0.6, "human": 0.7}, {"a": 0.5, "b": 0.2}),
        ceilings.CeilingLine("fire", {"extractive": 0.4, "human": 0.9}, {"b": 0.3}),
    ]
    axes = ceilings.of_systems(drawn, "align.f").axes[0]
    assert rows(axes) == ["dam", "fire"]
    bars = [
        (container.get_label(), [bar.get_width() for bar in container])
        for container in axes.containers
    ]
    assert bars == [("human ceiling", [0.7, 0.9]), ("extractive ceiling", [0.6, 0.4])]
    (a, b) = lines(axes)
    assert a[0][0] == 0.5
    assert np.isnan(a[0][1])
    assert b == ([0.2, 0.3], [1, 0])
    assert [one.get_label() for one in axes.lines] == ["a", "b"]


def test_oracles_reach_from_their_value_to_their_bound() -> None:
    found = ceilings.of_oracles(
        ["dam", "fire"], {"exact": [(0.5, 0.5), (0.3, 0.4)], "greedy": [(0.4, 0.6), (0.2, 0.5)]}
    )
    axes = found.axes[0]
    assert rows(axes) == ["dam", "fire"]
    ends = [path.vertices[:, 0].tolist() for one in axes.collections for path in one.get_paths()]
    assert ends == [[0.5, 0.5], [0.3, 0.4], [0.4, 0.6], [0.2, 0.5]]
    heights = [
        path.vertices[0, 1] for one in axes.collections for path in one.get_paths()
    ]  # the first series above the row's middle, the second below
    assert heights == pytest.approx([1.2, 0.2, 0.8, -0.2])
    marks = {one.get_label(): list(one.get_xdata()) for one in axes.lines}
    assert (marks["exact"], marks["greedy"]) == ([0.5, 0.3], [0.4, 0.2])


def test_curves_have_bands_only_with_several_topics() -> None:
    values = np.random.default_rng(3).random((2, 3, len(LEVELS)))
    several = Curves(("a", "b"), ("x", "y", "z"), Nu(), values)
    axes = curves.of_systems(several, Resampling()).axes[0]
    for one, average in zip(axes.lines, values.mean(axis=1), strict=True):
        assert list(one.get_xdata()) == list(LEVELS)
        assert list(one.get_ydata()) == pytest.approx(list(average))
    assert len(axes.collections) == 2
    assert axes.get_title(loc="left") == "interpolated, average over 3 topics; 95% bands"
    assert axes.get_ylabel() == "nu-precision"
    strict = Curves(("a",), ("x",), Nu(strict=True), values[:1, :1])
    axes = curves.of_systems(strict, Resampling()).axes[0]
    assert len(axes.collections) == 0
    assert axes.get_title(loc="left") == "interpolated, average over 1 topic"
    assert axes.get_ylabel() == "nu-precision (strict)"


def test_streams_are_steps_of_the_part_that_was_asked_for() -> None:
    measure = Stream()
    place = measure.parts.index("H")
    values = np.zeros((2, len(measure.parts)))
    values[:, place] = 0.2, 0.6
    found = [
        StreamCurve("a", "x", np.array([1.0, 3.0]), values),
        StreamCurve("a", "y", np.array([1.0, 3.0]), values / 2),
    ]
    axes = curves.of_streams(found, measure, "rank").axes[0]
    (line,) = axes.lines
    across, up = line.get_xdata(), line.get_ydata()
    assert (across[0], across[-1]) == (1, 3)
    # The mean of both topics: 0.15 from the first update on, 0.45 with the second.
    assert (up[0], up[-2], up[-1]) == pytest.approx((0.15, 0.15, 0.45))
    assert axes.get_title(loc="left").endswith("average over 2 topics")
    assert axes.get_xlabel() == "updates, most confident first"
    hours = curves.of_streams(found[:1], measure, "time").axes[0]
    assert hours.get_xlabel() == "hours since first nugget"
    assert hours.get_title(loc="left").endswith("average over 1 topic")


def test_word_frequencies_fall_in_steps_for_the_mean_and_for_each_reference() -> None:
    found = Frequencies("dam", ("dam", "broke", "town"), ((2, 4), (2, 0), (0, 1)))
    axes = curves.of_frequencies(found).axes[0]
    _, mean, first, second = lines(axes)
    # Steps a word wide: means 3, 1, 1/2, then down to 0.8 / 2; each reference by itself.
    assert mean == ([0, 1, 1, 2, 2, 3, 3], [3, 3, 1, 1, 0.5, 0.5, 0.4])
    assert first == ([0, 1, 1, 2, 2], [2, 2, 2, 2, 0.4])
    assert second == ([0, 1, 1, 2, 2], [4, 4, 1, 1, 0.4])
    # Of the word that only the first has, and the one of the second, 2 + 1 matches are partial,
    # and 2 of the four of the first word.
    assert axes.get_title(loc="left") == "dam: 3 different words, 5 of 7 matches are partial"
    assert [one.get_label() for one in axes.lines[1:]] == [
        *("mean of all", "reference 1", "reference 2")
    ]


def test_stacked_bars_add_up_to_one_and_begin_with_what_was_found() -> None:
    gold = {"dam": {"2031-03-01": "the dam broke", "2031-03-05": "people left the town"}}
    runs = {"a": {"dam": {"2031-03-01": "the dam broke badly"}}, "b": gold}
    result = cs.score(runs, gold, "align+")
    found = result.losses("align+").data
    for side, part in (("recall", "r"), ("precision", "p")):
        axes = losses.stacked(found, side).axes[0]  # type: ignore[arg-type]
        assert rows(axes) == ["a", "b"]
        assert axes.get_xlabel() == f"align+: {side}"
        for place, system in enumerate(("a", "b")):
            bars = [bar for bar in axes.patches if round(bar.get_y() + 0.4) == place]
            assert bars[0].get_width() == pytest.approx(result[system, f"align+.{part}"].value)
            assert sum(bar.get_width() for bar in bars) == pytest.approx(1)
            for left, right in pairwise(bars):
                assert right.get_x() == pytest.approx(left.get_x() + left.get_width())


def test_shares_of_a_difference_are_filled_where_they_are_sure() -> None:
    def cause(name: str, share: float, named: bool) -> Cause:
        sides = {"recall": (nan, nan), "precision": (nan, nan)}
        return Cause(name=name, **sides, share=share, net=share, low=-0.1, high=0.3, named=named)

    causes = (cause("off.day", 0.2, True), cause("near", 0.0, False), cause("near", -0.1, False))
    found = SystemDifference(
        a="a", b="b", measure=AlignPlus(), part="f", value_a=0.5, value_b=0.4, low=0.0, high=0.2,
        p=0.1, level=0.95, causes=causes, topics=(),
    )  # fmt: skip
    axes = losses.shares(found).axes[0]
    assert [bar.get_width() for bar in axes.patches] == [0.2, -0.1]
    white = [bar.get_facecolor()[:3] == (1.0, 1.0, 1.0) for bar in axes.patches]
    assert white == [False, True]
    zero, *drawn = lines(axes)
    assert zero[0] == [0, 0]
    assert drawn == [([-0.1, 0.3], [0, 0]), ([-0.1, 0.3], [1, 1])]
    assert rows(axes) == [causes[0].label, causes[2].label]
    assert axes.get_xlabel().startswith("a – b: parts of the difference in align+.f")


def test_aligned_days_are_joined_by_lines_as_thick_as_what_they_add() -> None:
    reference = Timeline.of({"2031-03-01": "the dam broke", "2031-03-09": "people left the town"})
    output = Timeline.of(
        {"2031-03-02": "the dam broke", "2031-03-09": "people left", "2031-05-01": "x"}
    )
    topic = Topic(id="dam", timelines=(reference,))
    known = rails(DayExplanation(AlignPlus(), topic, output))
    axes = alignment.of_topics("mine", {"dam": known}).axes[0]
    joins = [one for one in axes.lines if one.get_marker() in ("None", "")]
    links = [one for one in joins if list(one.get_ydata()) == [1.0, 0.0]]
    ends = [[day.isoformat() for day in one.get_xdata()] for one in links]
    assert ends == [["2031-03-01", "2031-03-02"], ["2031-03-09", "2031-03-09"]]
    # The day that is off is drawn in another color; a day apart, 2 words count half: 1, beside 2.
    assert links[0].get_color() != links[1].get_color()
    credit = [link[2] * link[3] for link in known["sides"]["recall"]["links"]]
    widths = [0.5 + 4.5 * one / max(credit) for one in credit]
    assert [one.get_linewidth() for one in links] == pytest.approx(widths)
    dots = [one for one in axes.lines if one.get_marker() == "o"]
    assert [float(one.get_ydata()[0]) for one in dots] == [1, 1, 0, 0, 0]
    assert open_dots(axes) == [False, False, False, False, True]
    assert [one.get_text() for one in axes.get_yticklabels()] == ["reference", "system"]


def test_dots_of_a_row_lie_a_little_apart_and_empty_panels_are_left_out() -> None:
    shown = panels.DotPanel(
        "judges",
        ["x", "y"],
        [panels.Dots("one", [0.1, 0.2], [(0.0, 0.3), (0.1, 0.4)]), panels.Dots("two", [0.5, 0.6])],
    )
    empty = panels.DotPanel("none", [], [])
    figure = panels.dots([empty, shown, replace(shown, series=shown.series[:1])])
    first, second = figure.axes
    assert lines(first) == [
        ([0.0, 0.3], [-0.125, -0.125]),
        ([0.1, 0.4], [0.875, 0.875]),
        ([0.1, 0.2], [-0.125, 0.875]),
        ([0.5, 0.6], [0.125, 1.125]),
    ]
    assert rows(first) == ["x", "y"]
    assert [text.get_text() for text in first.get_legend().get_texts()] == ["one", "two"]
    assert second.get_legend() is None
    assert second.get_xlabel() == "one"
    assert lines(second)[2] == ([0.1, 0.2], [0, 1])
    with pytest.raises(DataError, match="there is no figure to draw"):
        panels.dots([empty])


def test_fields_are_the_darker_the_further_from_nothing_and_framed_where_told() -> None:
    shown = panels.FieldPlot(
        "changes",
        ["x", "y"],
        ["a", "b"],
        [[-0.4, 0.1], [nan, 0.35]],
        [[True, False], [False] * 2],
        "",
    )
    axes = panels.fields(shown).axes[0]
    assert [one.get_text() for one in axes.texts] == ["-0.400", "+0.100", "–", "+0.350"]
    assert [one.get_position() for one in axes.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [one.get_color() for one in axes.texts] == ["white", "black", "black", "white"]
    fields = [one for one in axes.patches if one.get_fill()]
    assert [one.get_alpha() for one in fields] == pytest.approx([0.8, 0.2, 0, 0.7])
    (frame,) = (one for one in axes.patches if not one.get_fill())
    assert frame.get_xy() == (-0.46, -0.43)
    assert rows(axes) == ["x", "y"]
    assert [one.get_text() for one in axes.get_xticklabels()] == ["a", "b"]


def test_notes_and_long_names_stay_on_the_picture() -> None:
    note = "framed: harm that is not noticed, or harmless and punished; shades are by column"
    title = "Change from the undamaged timeline"
    figure = panels.fields(panels.FieldPlot(title, ["x" * 250], ["a"], [[0.1]], [[False]], note))
    figure.draw_without_rendering()
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "x" * 20 + "…" + "x" * 19
    ]
    assert figure.get_supxlabel().replace("\n", " ") == note
    assert figure.get_suptitle() == title
    for drawn in figure.texts:
        box, page = drawn.get_window_extent(), figure.bbox
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1


def test_one_warning_names_all_characters_that_a_font_lacks(tmp_path: Path) -> None:
    figure, axes = plots.begin(4, 2)
    plots.name_rows(axes, ["\N{EGYPTIAN HIEROGLYPH A001}\N{EGYPTIAN HIEROGLYPH A002}"])
    with pytest.warns(ChronoscoreWarning, match="the font has no 𓀀 𓀁; name one that does") as noted:
        plots.save(figure, tmp_path / "p.svg")
    assert len(noted) == 1


def test_a_histogram_counts_each_group_in_forty_bins() -> None:
    axes = panels.histogram("similarity", [("a", [0.0, 0.04, 0.8]), ("b", [0.4])]).axes[0]
    labels = [one.get_label() for one in axes.patches]
    assert labels == ["a (3)", "b (1)"]
    # Bins are 0.02 wide: 40 of them, each with two corners, and two ends.
    outlines = [one.get_xy() for one in axes.patches]
    assert [len(one) for one in outlines] == [82, 82]
    assert max(x for one in outlines for x, _ in one) == 0.8
    assert max(y for _, y in outlines[0]) == 1


def test_panels_of_points_continue_below_after_four() -> None:
    points = (np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 5.0]))
    nobody = (np.array([]), np.array([]))
    one = Scatter("score", "rating", points, nobody, (1.0, 0.5))
    person = replace(one, people=(np.array([0.0, 5.0]), np.array([4.0, 6.0])))
    figure = scatter_panels([[one] * 3 + [person] * 2])
    assert len(figure.axes) == 8
    assert [axes.axison for axes in figure.axes] == [True] * 5 + [False] * 3
    (line,) = lines(figure.axes[0])
    assert line == ([1.0, 3.0], [1.5, 2.5])
    lowest, longer = lines(figure.axes[4])
    assert lowest[1] == [4.0, 4.0]
    assert longer == ([0.0, 5.0], [1.0, 3.5])
    assert figure.axes[0].get_title() == "r = 0.982 (machines)"
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("score", "rating")
