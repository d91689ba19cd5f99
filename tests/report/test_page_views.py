"""The figures, dates and sentences of the report on a case small enough to compute by hand."""

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.api.page import contents_of
from chronoscore.core import Run, Timeline, Topic
from chronoscore.measures.streams.events import Nu
from chronoscore.reports.score_page import Contents, score_page
from chronoscore.reports.score_page.contents import Share
from chronoscore.reports.score_page.day_view import dated_elsewhere, day_charts, missed_most
from chronoscore.reports.score_page.headline import caution, conclusions
from chronoscore.reports.score_page.layout import warning
from chronoscore.reports.score_page.loss_view import page_data
from chronoscore.reports.score_page.topic_view import _heat_step
from chronoscore.stats.boards import Board

GOLD: dict[str, Any] = {
    "dam": {"2031-03-01": "The dam broke.", "2031-03-11": "It was sealed."},
    "fire": {f"2031-05-0{day}": "Fire spread." for day in (1, 2, 3, 4)},
    "flood": {"2031-06-01": "Rain fell.", "2031-06-02": "The town was flooded."},
}
RUNS: dict[str, Any] = {
    "full": {
        "dam": {"2031-03-01": "The dam broke.", "2031-03-05": "Repairs.", "2031-03": "Much."},
        "fire": GOLD["fire"],
        "flood": {"2031-06-01": "Rain fell."},
    },
    "half": {
        "dam": GOLD["dam"],
        "fire": {"2031-05-01": "Fire.", "2031-05-02": "Fire."},
        "flood": {"2031-07-01": "Sun."},
    },
    "a system with a long name": {
        "dam": {"2031-03-02": "The dam broke."},
        "fire": {"2031-05-01": "Fire."},
        "flood": {"2031-06-01": "Rain fell."},
    },
}
LONG = "a system with a long name"
MONTHS = ("Jan", "Jan", "Mar", "Apr", "May", "Jun")


@pytest.fixture(scope="module")
def contents() -> Contents:
    return contents_of(cs.score(RUNS, GOLD, ["dates", "concat"]))


@pytest.fixture(scope="module")
def page(contents: Contents) -> str:
    return score_page(contents)


def section(page: str, anchor: str) -> str:
    return page.split(f'id="{anchor}"')[1].split("</section>")[0]


def rows_of(html: str) -> list[list[str]]:
    """The texts of the cells of the first table, row by row."""
    table = html.split("<table")[1].split("</table>")[0]
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", table)
    ]


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def test_the_leaderboard_has_rates_lengths_and_the_other_measure(page: str) -> None:
    head, first, second, third = rows_of(section(page, "leaderboard"))
    assert head == ["", "system", "", "dates.f", "P", "R", "days", "words", "concat.f"]
    # half: precision (2/2 + 2/2 + 0/1) / 3, recall (2/2 + 2/4 + 0/2) / 3, days (2 + 2 + 1) / 3,
    # words (6 + 2 + 1) / 3.
    assert second[:2] == ["2", "half"]
    assert second[3].split()[0] == f"{2 * (2 / 3 * 1 / 2) / (2 / 3 + 1 / 2):.3f}"
    assert second[4:8] == ["0.667", "0.500", "1.7", "3"]
    # The last: precision (0 + 1 + 1) / 3, recall (0/2 + 1/4 + 1/2) / 3, words (3 + 1 + 2) / 3.
    assert third[:2] == ["3", LONG]
    assert third[3].split()[0] == f"{2 * (2 / 3 * 1 / 4) / (2 / 3 + 1 / 4):.3f}"
    assert third[4:8] == ["0.667", "0.250", "1.0", "2"]
    assert first[:2] == ["1", "full"]


def test_the_leaderboard_has_the_spread_over_topics_and_over_runs_and_what_topics_detect() -> None:
    gold = {f"t{n}": {"2031-05-01": "dam river town flood"} for n in range(8)}
    words = ["dam river town flood", "dam river town", "dam river"]

    def run(shift: int) -> dict[str, Any]:
        return {t: {"2031-05-01": words[(n + shift) % 3]} for n, t in enumerate(gold)}

    systems = {"a": [run(0), run(1)], "b": [run(1), run(1)]}
    result = cs.score(systems, gold, "concat")
    page = score_page(contents_of(result))
    board = section(page, "leaderboard")
    for one in result.spreads():
        row = next(r for r in board.split("<tr>") if f'">{one.system}</a>' in r)
        assert f'data-head="sd topics" data-value="{one.over_topics:.6g}"' in row
        assert f'data-head="sd runs" data-value="{one.over_runs:.6g}"' in row
    assert "the mean over 2 runs" in board
    board = contents_of(result).boards[0]
    (pair,) = board.pairs
    assert f"difference that 8 topics can detect is {pair.detectable:.3f} {board.name}" in page
    assert "sd runs" not in score_page(contents_of(cs.score(RUNS, GOLD, "dates")))


def test_bars_reach_from_nothing_to_their_figures(page: str, contents: Contents) -> None:
    board = contents.boards[0]
    top = max(one.high for one in board.figures)
    drawings = re.findall(r'<svg class="bars".*?</svg>', section(page, "leaderboard"))[:3]
    for one, drawing in zip(board.figures, drawings, strict=True):
        (bar,) = re.findall(r'<rect class="bar" x="(.*?)%".*? width="(.*?)%"', drawing)
        assert [float(number) for number in bar] == pytest.approx(
            [1, 98 * one.value / top], abs=0.06
        )
        whiskers = re.findall(r'<line class="whisker" x1="(.*?)%" x2="(.*?)%"', drawing)
        low, high = 1 + 98 * one.low / top, 1 + 98 * one.high / top
        drawn = [float(number) for pair in whiskers for number in pair]
        assert drawn == pytest.approx([low, high, low, low, high, high], abs=0.06)


def test_the_heat_map_has_every_figure_the_darker_the_better(page: str) -> None:
    head, *rows = rows_of(section(page, "topics"))
    assert head == ["", "dam", "fire", "flood"]
    half, last = rows[1], rows[2]
    # F: 2 of 2 and 2 of 2; 2 of 2 and 2 of 4; nothing. 0; 1 of 1 and 1 of 4; 1 of 1 and 1 of 2.
    assert half == ["half", "1.000", "0.667", "0.000"]
    assert last == [LONG, "0.000", "0.400", "0.667"]
    first_map = section(page, "topics").split("</table>")[0]
    shades = {
        value: int(shade) for shade, value in re.findall(r'class="h(\d)">([\d.]+)<', first_map)
    }
    assert {value: shades[value] for value in ("0.000", "0.400", "0.667", "1.000")} == {
        "0.000": 0, "0.400": 4, "0.667": 6, "1.000": 9,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "rises", "shade"),
    [(2.0, True, 0), (4.0, True, 9), (3.5, True, 7), (2.0, False, 9), (3.5, False, 2)],
)
def test_shades_run_from_the_worst_figure_to_the_best(
    value: float, rises: bool, shade: int
) -> None:
    assert _heat_step(value, 2.0, 4.0, rises) == shade
    assert _heat_step(float("nan"), 2.0, 4.0, rises) == 0
    assert _heat_step(value, value, value, rises) == 0


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0.5, 0.8], (0.5, 0.8)),
        ([0.3, 0.8], (0.0, 0.8)),
        ([-0.2, 0.8], (-0.2, 0.8)),
        ([float("nan")], (0.0, 1.0)),
    ],
)
def test_shades_begin_at_nothing_unless_all_figures_are_far_from_it(
    values: list[float], ends: tuple[float, float]
) -> None:
    board = Board(Nu(), "f", (), np.array([values]), scores=None)  # type: ignore[arg-type]
    assert board.shade_range() == ends


def test_the_topics_that_decide_are_listed_by_how_far_apart_the_two_best_are(page: str) -> None:
    deciding = section(page, "deciding")
    head, *rows = rows_of(deciding)
    assert head == ["topic", "difference", "better"]
    # full has 1 of 1 and 1 of 2 dates of the flood, and all of the fire. Of its 3 dates of the dam
    # one is wrong, and its month covers what its day does not: precision 2/3, recall 1, so 4/5.
    assert rows == [
        ["flood", f"{2 / 3:+.3f}", "full"],
        ["fire", f"{1 - 2 / 3:+.3f}", "full"],
        ["dam", "-0.200", "half"],
    ]
    assert "Difference in dates.f: full − half. full is better on 2 of 3 topics." in text_of(
        deciding
    )


def test_the_measures_orders_are_compared(page: str) -> None:
    # By their words, the last two change places: one pair of three is the other way round.
    assert rows_of(section(page, "agreement")) == [
        ["measure", "dates.f", "concat.f"],
        ["dates.f", "1", "0.33"],
        ["concat.f", "0.33", "1"],
    ]


def test_dates_lie_on_one_axis_and_longer_dates_are_bars(page: str) -> None:
    dam, fire, _ = re.findall(r'<div data-days="(.*?)</svg>', section(page, "dates"))
    names = re.findall(r'text-anchor="end">(.*?)</text>', dam)
    assert names == ["references", "full", "half", "a system with a l…"]
    paths = re.findall(r'<path class="(.*?)" d="(.*?)">', dam)
    # The axis is 556 wide, from 142 on, and the month of March has 30 days after its first.
    day = 556 / 30
    assert paths == [
        ("day wanted", f"M142 18h0M{142 + 10 * day:.0f} 18h0"),
        ("day span", "M142 44H698"),
        ("day", f"M142 44h0M{142 + 4 * day:.0f} 44h0"),
        ("day", f"M142 70h0M{142 + 10 * day:.0f} 70h0"),
        ("day", f"M{142 + day:.0f} 96h0"),
    ]
    assert "<title>2031-03-01, 2031-03-11</title>" in dam
    ticks = re.findall(r'x="([\d.]+)" y="122" text-anchor="middle">(.*?)<', dam)
    assert [label for _, label in ticks] == [f"{n} Mar" for n in (1, 7, 13, 19, 25, 31)]
    assert [float(x) for x, _ in ticks] == pytest.approx(
        [142 + 6 * day * n for n in range(6)], abs=0.06
    )
    # Four days in a row have four ticks, not six.
    assert re.findall(r'"middle">(.*?)<', fire) == ["1 May", "2 May", "3 May", "4 May"]
    assert re.findall(r"<option>(.*?)</option>", section(page, "dates")) == [*GOLD]
    shown = re.findall(r'<div data-days="(\w+)"( hidden)?>', section(page, "dates"))
    assert shown == [("dam", ""), ("fire", " hidden"), ("flood", " hidden")]


@pytest.mark.parametrize(
    ("first", "last", "ticks"),
    [
        ("2031-01-01", "2031-05-31", ["1 Jan", "31 Jan", "2 Mar", "1 Apr", "1 May", "31 May"]),
        ("2031-01-01", "2031-06-01", [f"{m} 2031" for m in MONTHS]),
        ("2020-01-01", "2030-01-01", ["2020", "2021", "2024", "2025", "2028", "2030"]),
        ("10 BC", "AD 10", ["10 BC", "7 BC", "3 BC", "2", "6", "10"]),
    ],
)  # fmt: skip
def test_ticks_are_days_months_or_years(first: str, last: str, ticks: list[str]) -> None:
    gold = {"only": {first: "It began.", last: "It ended."}}
    drawn = day_charts(contents_of(cs.score({"a": gold}, gold, "dates")))
    assert re.findall(r'"middle">(.*?)<', drawn) == ticks
    assert "<select" not in drawn


def test_what_most_systems_miss_comes_first(page: str) -> None:
    head, *rows = rows_of(section(page, "missed"))
    assert head == ["what", "missed by", "text"]
    assert rows == [
        ["flood, 2031-06-02", "3 of 3 systems", "The town was flooded."],
        ["dam, 2031-03-11", "2 of 3 systems", "It was sealed."],
        ["fire, 2031-05-03", "2 of 3 systems", "Fire spread."],
        ["fire, 2031-05-04", "2 of 3 systems", "Fire spread."],
        ["dam, 2031-03-01", "1 of 3 systems", "The dam broke."],
        ["fire, 2031-05-02", "1 of 3 systems", "Fire spread."],
        ["flood, 2031-06-01", "1 of 3 systems", "Rain fell."],
    ]


def test_of_one_topic_the_name_is_left_out_and_only_ten_are_listed() -> None:
    days = {f"2031-03-{day:02}": "w" * (108 + day) for day in range(1, 13)}
    found = contents_of(cs.score({"a": {"dam": {"2031-04-01": "no"}}}, {"dam": days}, "dates"))
    _, *rows = rows_of(missed_most(found))
    assert [row[0] for row in rows] == [f"2031-03-{day:02}" for day in range(1, 11)]
    assert {row[1] for row in rows} == {"1 of 1 system"}
    # 109 and 110 characters are shown whole; of longer texts 107.
    assert [row[2] for row in rows] == ["w" * 109, "w" * 110, *["w" * 107 + "…"] * 8]


def test_a_system_whose_dates_the_references_mostly_lack_is_told() -> None:
    topic = Topic(id="dam", timelines=(Timeline.of({"2031-03-01": "a", "2031-03-02": "b"}),))

    def told(*days: int) -> str:
        given = Timeline.of({f"2031-03-{day:02}": "x" for day in days})
        return dated_elsewhere(Run("mine", {"dam": given}), [topic])

    assert told(1, 5) == ""
    assert told(1, 5, 6) == "Only 1 of 3 dates of mine are dates of the references."
    assert told(9) == "Only 0 of 1 date of mine are dates of the references."


def test_a_chart_of_days_shows_the_best_twelve_systems() -> None:
    gold = {"dam": {f"2031-03-{day:02}": "x" for day in range(1, 15)}}
    days = list(gold["dam"].items())
    runs = {f"s{n:02}": {"dam": dict(days[:n])} for n in range(1, 15)}
    drawn = day_charts(contents_of(cs.score(runs, gold, "dates")))
    names = re.findall(r'text-anchor="end">(.*?)</text>', drawn)
    assert names == ["references", *(f"s{n:02}" for n in range(14, 2, -1))]
    assert "The chart shows the best 12 systems." in drawn


def test_the_title_and_size_are_those_of_what_was_scored(page: str) -> None:
    assert '<h1 dir="auto">3 systems on 3 topics</h1>' in page
    assert "3 systems · 3 topics · 1 reference each" in page
    gold = {"dam": [GOLD["dam"], GOLD["dam"]]}
    one = score_page(contents_of(cs.score({"a": {"dam": GOLD["dam"]}}, gold, "dates")))
    assert '<h1 dir="auto">a on dam</h1>' in one
    assert "1 system · 1 topic · 2 references each" in one
    mixed = {"dam": [GOLD["dam"], GOLD["dam"]], "fire": GOLD["fire"]}
    half = {topic: RUNS["half"][topic] for topic in mixed}
    two = score_page(contents_of(cs.score({"a": half}, mixed, "dates")))
    assert "1 system · 2 topics · 1–2 references each" in two
    anchors = re.findall(r'<a href="#(\w+)">', page.split("</nav>")[0])
    assert anchors == [
        "leaderboard", "points", "compare", "topics", "dates", "missed", "agreement", "why",
    ]  # fmt: skip


def test_the_first_sentence_says_who_leads_and_where() -> None:
    def said(a: dict[str, Any], b: dict[str, Any]) -> str:
        gold = {topic: GOLD[topic] for topic in a}
        return conclusions(contents_of(cs.score({"a": a, "b": b}, gold, "dates")))[0]

    whole, part = {"dam": GOLD["dam"]}, {"dam": {"2031-03-01": "x"}}
    assert said(whole, part) == "a is ahead of b by 0.333 dates.f on the only topic."
    assert said(part, part) == "a and b are tied for first by dates.f."
    # a has 2 of 2 dates once and one of 4 and of 2; b has nothing once, but 2 of 4 and 2 of 2.
    a = {**whole, "fire": {"2031-05-01": "x"}, "flood": {"2031-06-01": "x"}}
    b = {"dam": {"2031-01-01": "x"}, "fire": {"2031-05-01": "x", "2031-05-02": "x"}}
    sentence = said(a, {**b, "flood": GOLD["flood"]})
    assert sentence.startswith("a is ahead of b by ")
    assert sentence.endswith(" dates.f but wins on only 1 of 3 topics.")
    alone = contents_of(cs.score({"a": whole}, {"dam": GOLD["dam"]}, "dates"))
    assert conclusions(alone) == ["a reaches 1.000 dates.f."]
    assert caution(alone) == ""


@pytest.mark.parametrize(
    ("kind", "share", "said"),
    [
        ("human", 0.5, "It reaches 50% of what human could score."),
        ("extractive", 1.0, "It reaches 100% of what the best extract of the documents, as long"),
        ("extractive", 1.25, "It scores 1.25 times what the best extract of the documents, as lon"),
    ],
)
def test_the_leaders_share_of_a_ceiling_is_told(
    contents: Contents, kind: str, share: float, said: str
) -> None:
    reached = Share(contents.boards[0].measure, "f", kind, {"full": share})
    with_share = Contents(contents.scores, contents.averages, contents.resampling, shares=[reached])
    _, sentence = conclusions(with_share)
    assert sentence.startswith(said)
    (row, _, last) = rows_of(score_page(with_share))[1:]
    assert (row[6], last[6]) == (f"{share:.0%}", "–")


def test_a_warning_unfolds_to_at_most_two_hundred() -> None:
    assert warning("a & b", ()) == "a &amp; b"
    all_of = [f"line {number}" for number in range(203)]
    folded = warning("203 lines", all_of)
    assert re.findall(r"<li>(line \d+)</li>", folded) == all_of[:200]
    assert "and 3 more" in folded
    assert "more" not in warning("200 lines", all_of[:200])


def test_days_without_an_entry_lie_between_those_that_have_one(page: str) -> None:
    gold = {"dam": {f"2031-03-0{day}": f"The dam broke on day{day}." for day in (1, 3, 5)}}
    runs: dict[str, Any] = {
        "all": gold,
        "ends": {"dam": {when: text for when, text in gold["dam"].items() if "03-03" not in when}},
        "first": {"dam": {"2031-03-01": "The dam broke on day1."}},
        "last": {"dam": {"2031-03-05": "The dam broke on day5."}},
    }
    found = page_data(contents_of(cs.score(runs, gold, "align+")))["compare-data"][0]
    said = {
        (pair["b"], day["when"]): day["b"]["text"][0]
        for pair in found["pairs"]
        for day in pair["days"]
        if pair["a"] == "all" and not day["b"]["when"]
    }
    assert said == {
        ("ends", "2031-03-03"): " nothing between 2031-03-01 and 2031-03-05",
        ("first", "2031-03-03"): " nothing after 2031-03-01",
        ("first", "2031-03-05"): " nothing after 2031-03-01",
        ("last", "2031-03-01"): " nothing before 2031-03-05",
        ("last", "2031-03-03"): " nothing before 2031-03-05",
    }
