from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import Entry, Timeline, Topic, When
from chronoscore.errors import UsageError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.timelines.align_measures import Aligned
from chronoscore.measures.timelines.cost_functions import Day
from measures.slow_timelines import Slow

WORDS = ("flood", "dam", "ferry", "court", "storm")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=2)
DAYS = st.integers(1, 9).map(lambda day: f"2010-05-{day:02}")


def timeline_of(entries: Any) -> Timeline:
    return Timeline.of(entries)


TIMELINES = st.dictionaries(DAYS, TEXTS, min_size=1, max_size=4).map(timeline_of)
REFERENCES = st.lists(TIMELINES, min_size=1, max_size=3)
COARSE = st.sampled_from(["2010-05-01", "2010-05", "2010-06-02", "2010", "2010-05-31"])
ROUGH = st.dictionaries(COARSE, TEXTS, min_size=1, max_size=4).map(timeline_of)

ALL = ("concat", "agreement", "align", "align+", "align+m1", "dates", "dates(soft)", "aligned")
ALIGNING = ("align", "align+", "align+m1")


def values(text: str | Measure, system: Timeline, *references: Timeline) -> list[float]:
    measure = parse_measure_text(text) if isinstance(text, str) else text
    tally = measure.tally([(Topic(id="bp", timelines=references), system)])
    return [float(value) for value in measure.values(tally)[0]]


def written(entries: dict[str, str]) -> Timeline:
    return timeline_of(entries)


def moved(timeline: Timeline, days: int) -> Timeline:
    return Timeline(tuple(Entry(e.when.shift(days), e.sentences) for e in timeline))


SPILL = written(
    {
        "2010-05-06": "A dome is lowered over the leaking well.",
        "2010-05-26": "Engineers pump heavy mud into the well.",
        "2010-07-15": "A new cap stops the flow of oil.",
    }
)


@given(
    TIMELINES,
    REFERENCES,
    st.sampled_from(["align", "align+", "align+m1", "align+m1(ties=first)"]),
    st.integers(1, 2),
    st.sampled_from(["peer", "literal", "floor"]),
)
def test_aligning_measures_agree_with_a_slow_second_statement(
    system: Timeline, references: list[Timeline], text: str, n: int, reading: str
) -> None:
    inside = f"n={n},stem=no,stop=no,precision={reading}"
    name, _, more = text.partition("(")
    asked = f"{name}({inside},{more}" if more else f"{name}({inside})"
    slow = Slow(system, references, n).score(
        content="+" in name, many="m1" in name, first="first" in more, reading=reading
    )
    assert values(asked, system, *references)[:2] == pytest.approx(slow, abs=1e-12)


@given(
    st.one_of(TIMELINES, ROUGH),
    st.lists(st.one_of(TIMELINES, ROUGH), min_size=1, max_size=2),
    st.integers(1, 2),
    st.sampled_from([None, 0, 1, 3]),
)
def test_concat_agrees_with_a_slow_second_statement(
    system: Timeline, references: list[Timeline], n: int, window: int | None
) -> None:
    asked = f"concat(n={n},stem=no,stop=no" + (f",window={window})" if window is not None else ")")
    slow = Slow(system, references, n).concat(window)
    assert values(asked, system, *references)[:2] == pytest.approx(slow, abs=1e-12)


@given(TIMELINES, REFERENCES)
def test_a_window_of_no_days_makes_concat_of_single_words_agreement(
    system: Timeline, references: list[Timeline]
) -> None:
    apart, agreed = (
        values(f"{name},stem=no,stop=no)", system, *references)
        for name in ("concat(window=0", "agreement(n=1")
    )
    assert apart == pytest.approx(agreed, abs=1e-12)


@given(st.one_of(TIMELINES, ROUGH), st.lists(st.one_of(TIMELINES, ROUGH), min_size=1, max_size=2))
@pytest.mark.parametrize(
    ("name", "cost", "weight", "many"),
    [
        ("agreement", "same", "same", False),
        ("align", "days", "days", False),
        ("align+", "content", "days", False),
        ("align+m1", "content", "days", True),
    ],
)
def test_each_measure_is_a_case_of_the_frame(
    name: str, cost: str, weight: str, many: bool, system: Timeline, references: list[Timeline]
) -> None:
    framed = Aligned(cost=cost, weight=weight, many=many)
    assert values(framed, system, *references) == values(name, system, *references)


def far(ours: Day, theirs: Day) -> float:
    gap = ours.when.distance(theirs.when)
    return gap / (gap + 1)


def near(ours: Day, theirs: Day) -> float:
    return 1 / (ours.when.distance(theirs.when) + 1)


def same_or_never(ours: Day, theirs: Day) -> float:
    return 0.0 if ours.when == theirs.when else float("inf")


@given(st.one_of(TIMELINES, ROUGH), REFERENCES, st.booleans())
def test_a_function_of_two_days_is_as_good_as_our_own_cost_and_weight(
    system: Timeline, references: list[Timeline], many: bool
) -> None:
    ours = values(Aligned(cost="days", weight="days", many=many), system, *references)
    mine = values(Aligned(cost=far, weight=near, many=many), system, *references)
    assert mine == pytest.approx(ours, abs=1e-12)


@given(TIMELINES, REFERENCES)
def test_agreement_is_a_cost_that_is_infinite_but_on_the_same_day(
    system: Timeline, references: list[Timeline]
) -> None:
    mine = values(Aligned(cost=same_or_never, weight=near), system, *references)
    assert mine == pytest.approx(values("agreement", system, *references), abs=1e-12)


def test_a_users_function_sees_dates_and_the_text_of_every_reference() -> None:
    seen: list[tuple[Day, Day]] = []

    def cost(ours: Day, theirs: Day) -> float:
        seen.append((ours, theirs))
        return 0.0

    values(
        Aligned(cost=cost),
        written({"2010-05-06": "A dome."}),
        written({"2010-05-07": "One."}),
        written({"2010-05-07": "Two."}),
    )
    ours, theirs = seen[0]
    assert ours.sentences == ("A dome.",)
    assert theirs == Day(When.parse("2010-05-07"), (("One.",), ("Two.",)))


def test_a_cost_that_is_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="nan or minus infinity"):
        values(Aligned(cost=lambda _ours, _theirs: float("nan")), SPILL, SPILL)


@pytest.mark.parametrize("name", ALL)
@given(system=TIMELINES, references=REFERENCES, data=st.data())
def test_the_order_of_entries_and_references_does_not_matter(
    name: str, system: Timeline, references: list[Timeline], data: st.DataObject
) -> None:
    entries = data.draw(st.permutations(system.entries))
    turned = data.draw(st.permutations(references))
    again = values(name, Timeline(tuple(entries)), *turned)
    assert again == pytest.approx(values(name, system, *references), abs=1e-12)


@pytest.mark.parametrize("name", ALL)
@given(system=TIMELINES, references=REFERENCES)
def test_a_second_copy_of_every_reference_changes_nothing(
    name: str, system: Timeline, references: list[Timeline]
) -> None:
    once, twice = (values(name, system, *references * times) for times in (1, 2))
    assert twice == pytest.approx(once, abs=1e-12)


@pytest.mark.parametrize("name", [*ALL, *(f"{name}(over=l)" for name in ALL[:5]), "align(over=su)"])
def test_a_timeline_scores_one_against_itself(name: str) -> None:
    assert values(name, SPILL, SPILL) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("name", [*ALIGNING, "dates(soft)"])
@pytest.mark.parametrize("shift", [1, 3, 8])
def test_a_shift_of_d_days_leaves_one_over_d_plus_one(name: str, shift: int) -> None:
    assert values(name, moved(SPILL, shift), SPILL) == pytest.approx([1 / (shift + 1)] * 3)


@pytest.mark.parametrize("name", [*ALIGNING, "dates(soft)"])
@given(
    gaps=st.lists(st.integers(40, 90), min_size=1, max_size=5),
    shifts=st.lists(st.integers(0, 19), min_size=2, max_size=2, unique=True).map(sorted),
)
def test_a_longer_shift_loses_more(name: str, gaps: list[int], shifts: list[int]) -> None:
    first = When.parse("2010-01-01")
    numbers = np.cumsum(gaps).tolist()
    timeline = Timeline.of((first.shift(d), f"event{d} happened") for d in numbers)
    less, more = (
        values(
            name, Timeline(tuple(Entry(e.when.shift(s), e.sentences) for e in timeline)), timeline
        )
        for s in shifts
    )
    assert all(after < before for before, after in zip(less, more, strict=True))


@given(TIMELINES, TIMELINES, st.sampled_from(ALL))
def test_exchanging_system_and_reference_exchanges_precision_and_recall(
    one: Timeline, other: Timeline, name: str
) -> None:
    there, back = values(name, one, other), values(name, other, one)
    assert there[:2] == pytest.approx(back[1::-1], abs=1e-12)


def test_precision_divides_by_all_references_or_by_those_that_have_the_date() -> None:
    system = written({"2010-05-01": "flood", "2010-05-02": "storm"})
    first, second = written({"2010-05-01": "flood"}), written({"2010-05-09": "court"})
    for reading, expected in (("peer", 1 / 4), ("literal", 1.0), ("floor", 1 / 2)):
        found = values(f"agreement(precision={reading})", system, first, second)
        assert found[0] == pytest.approx(expected)


def test_a_month_meets_its_day_and_a_year_the_nearest_one() -> None:
    system = written({"2010-05": "The dam broke."})
    assert values("agreement", system, written({"2010-05-31": "The dam broke."}))[2] == 1
    assert values("align", system, written({"2010-06-03": "The dam broke."}))[2] == 1 / 4
    assert values("align", written({"2009": "x dam"}), written({"2010": "x dam"}))[2] == 1 / 2


@pytest.mark.parametrize("name", ALL)
def test_an_empty_system_scores_nothing(name: str) -> None:
    assert values(name, Timeline.empty(), SPILL) == [0, 0, 0]


def test_a_day_without_words_is_worth_nothing_and_breaks_nothing() -> None:
    system = written({"2010-05-06": "", "2010-05-07": "of the and"})
    for name in ALL[:5]:
        assert values(name, system, SPILL) == [0, 0, 0]


def test_a_limit_cuts_the_whole_for_concat_and_each_day_for_the_others() -> None:
    system = written({"2010-05-06": "flood dam", "2010-05-07": "ferry court"})
    assert values("concat(limit=2w)", system, system) == [1, 1, 1]
    parts = parse_measure_text("concat(limit=2w)").tally(
        [(Topic(id="bp", timelines=(system,)), system)]
    )
    assert parts[0].tolist() == [2, 2, 2, 2]
    parts = parse_measure_text("align(limit=1w)").tally(
        [(Topic(id="bp", timelines=(system,)), system)]
    )
    assert parts[0].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("align(n=0)", "n counts words"),
        ("align(n=2,over=l)", "leave out one"),
        ("concat(window=-1)", "0 or more"),
        ("concat(window=3,over=l)", "leave out over and limit"),
        ("dates(within=-2)", "0 or more"),
        ("dates(soft,within=2)", "leave out within"),
        ("aligned(weight=content)", "words make a cost only"),
        ("aligned(cost=dayz)", "did you mean 'days'"),
        ("align(precision=pear)", "did you mean 'peer'"),
        ("align+(ties=first)", "no parameter 'ties'"),
    ],
)
def test_a_measure_that_makes_no_sense_is_refused_with_a_word_on_what_does(
    text: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        parse_measure_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "align+m1(n=2,ties=first,content=tilse)",
        "concat(n=1,window=7)",
        "dates(within=3,many).r",
        "aligned(n=1,cost=days,weight=same,many)",
        "aligned(n=1,cost=measures.test_timeline:far,weight=days)",
    ],
)
def test_a_timeline_measure_prints_itself_and_parses_back(text: str) -> None:
    measure = parse_measure_text(text, allow_import=True)
    assert parse_measure_text(str(measure), allow_import=True) == measure


def test_familiar_names_are_read() -> None:
    assert parse_measure_text("AR2") == parse_measure_text("align+m1(n=2)")
    assert parse_measure_text("date-f1") == parse_measure_text("dates.f")


def test_compat_sets_every_reading_and_leaves_dates_alone() -> None:
    assert str(compatible_measure(parse_measure_text("align+m1(n=2)"), "tilse")) == (
        "align+m1(n=2,text=tilse,content=tilse,ties=first)"
    )
    assert compatible_measure(parse_measure_text("dates"), "paper") == parse_measure_text("dates")
    with pytest.raises(UsageError, match="tilse does not define"):
        compatible_measure(parse_measure_text("rouge1"), "tilse")


@pytest.mark.parametrize(
    ("within", "expected"), [("0", (0, 0)), ("1", (1 / 2, 1)), ("1,many", (1, 1))]
)
def test_a_date_near_enough_answers_for_one_other_or_with_many_for_all(
    within: str, expected: tuple[float, float]
) -> None:
    system = written({"2010-01-01": "", "2010-01-03": ""})
    found = values(f"dates(within={within})", system, written({"2010-01-02": ""}))
    assert found[:2] == pytest.approx(expected)
