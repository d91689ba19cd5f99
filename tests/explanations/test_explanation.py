"""An explanation adds up to the score that it explains."""

import random
from datetime import date

import pytest

import chronoscore as cs
from chronoscore.core import Output, Ranking, Run, Selection, Summary, Timeline, Topic, When
from chronoscore.core.judging import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Link,
    Pyramid,
)
from chronoscore.errors import DataError, UsageError
from chronoscore.explanations import DayExplanation, missed
from chronoscore.explanations import explain as explain_output
from chronoscore.explanations.dates import DateExplanation
from chronoscore.explanations.texts import TextExplanation
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.reports.explanation import tables
from chronoscore.reports.rails import side_by_side
from chronoscore.reports.tables import Table

GOLD = Timeline.of(
    {
        "2031-03-02": "The old dam broke at night.",
        "2031-03-05": "Thousands fled the valley.",
        "2031-03-20": "An inquiry opened.",
    }
)
MINE = Timeline.of(
    {"2031-03-02": "A dam broke.", "2031-03-07": "Thousands had fled.", "2031-04-01": "Rain fell."}
)
TOPIC = Topic(id="dam", timelines=(GOLD, Timeline.of({"2031-03-02": "The dam broke."})))


def explain(measure: Measure, topic: Topic, output: Output) -> list[Table]:
    return tables(explain_output(measure, topic, output))


def explain_days(name: str, output: Timeline) -> DayExplanation:
    found = explain_output(parse_measure_text(name), TOPIC, output)
    assert isinstance(found, DayExplanation)
    return found


@pytest.mark.parametrize("name", ["agreement", "align", "align+", "align+m1", "align+(n=2)"])
def test_the_gains_of_the_pairs_add_up_to_recall(name: str) -> None:
    measure, found = parse_measure_text(name), explain_days(name, MINE)
    recall = measure.values(measure.tally([(TOPIC, MINE)]))[0, 1]
    assert sum(pairing.worth for pairing in found.pairings()) == pytest.approx(recall)
    assert found.values["r"] == recall


def test_every_topic_is_explained_in_its_own_language() -> None:
    texts = {
        "en": "The dams were breaking, all fled.",
        "de": "Die Dämme brachen und alle flohen.",
    }
    gold = {topic: {"2031-03-02": text} for topic, text in texts.items()}
    mine = {"en": {"2031-03-02": "A dam breaks."}, "de": {"2031-03-02": "Ein Damm und ein Tal."}}
    name = "align+(prepare=unicode,language=auto)"
    explained = cs.explain({"mine": mine}, gold, name).explanations
    scored = cs.score({"mine": mine}, gold, f"{name}.r").rows()
    assert [one.values["r"] for one in explained] == [row["value"] for row in scored]


def test_every_date_of_either_side_is_accounted_for() -> None:
    found = explain_days("align+", MINE).pairings()
    assert {str(p.reference.when) for p in found if p.reference} == {
        "2031-03-02",
        "2031-03-05",
        "2031-03-20",
    }
    assert {str(p.system.when) for p in found if p.system} == {str(when) for when in MINE.dates}


def test_shared_words_are_marked_and_markup_is_harmless() -> None:
    view = side_by_side(explain_days("align+", Timeline.of({"2031-03-02": "<b>Dams</b> broke"})))
    assert "&lt;b&gt;<mark>Dams</mark>&lt;/b&gt;" in view


def test_rouge_is_explained_by_what_was_found_and_missed() -> None:
    topic = Topic(id="t", summaries=(Summary.of("the old dam broke", author="a"),))
    (table,) = explain(parse_measure_text("rouge1"), topic, Summary.of("the dam"))
    assert [cell.text for cell in table.rows[0]] == ["a", "2/4", "the, dam", "old, broke"]


def test_what_cannot_be_explained_is_said() -> None:
    with pytest.raises(UsageError, match="cannot be explained"):
        explain(parse_measure_text("rouge-l"), TOPIC, Summary.of("a"))


@pytest.mark.parametrize(
    "name",
    [
        *("agreement.p", "align.p", "align+.p", "align+m1.p", "align+(n=2).p"),
        *("align+(precision=literal).p", "align+(precision=floor).p"),
    ],
)
def test_the_gains_of_the_systems_days_add_up_to_precision(name: str) -> None:
    measure = parse_measure_text(name)
    precision = measure.values(measure.tally([(TOPIC, MINE)]))[0, 0]
    (table,) = explain(measure, TOPIC, MINE)
    assert [row[0].text for row in table.rows] == [str(when) for when in MINE.dates]
    assert sum(float(row[5].text) for row in table.rows) == pytest.approx(precision, abs=2e-4)
    assert f": {precision:.4f}, the sum" in table.notes[0]


def test_shared_words_are_shown_as_they_were_written() -> None:
    mine = Timeline.of({"2031-03-05": "Thousands flee the valleys."})
    gold = Topic(id="dam", timelines=(Timeline.of({"2031-03-05": "Thousands fled valleys."}),))
    (table,) = explain(parse_measure_text("align+"), gold, mine)
    assert "thousands" in table.rows[0][6].text
    assert "valleys" in table.rows[0][6].text
    topic = Topic(id="t", summaries=(Summary.of("floods and houses", author="a"),))
    (table,) = explain(parse_measure_text("rouge1(stem)"), topic, Summary.of("a flooded house"))
    assert [cell.text for cell in table.rows[0]] == ["a", "2/3", "floods, houses", "and"]


def test_dates_are_explained_by_the_nearest_date() -> None:
    (table,) = explain(parse_measure_text("dates(within=2)"), TOPIC, MINE)
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("2031-03-02", "2031-03-02", "0", "yes"),
        ("2031-03-05", "2031-03-07", "2", "yes"),
        ("2031-03-20", "2031-04-01", "12", "no"),
        ("–", "2031-04-01", "12", "no"),
    ]
    assert table.notes[0] == "dates(within=2) on dam: p 0.6667, r 0.6667, f 0.6667"


@pytest.mark.parametrize(
    "name", ["dates", "dates(within=2)", "dates(within=2,many)", "dates(soft)", "dates(within=40)"]
)
def test_what_dates_count_adds_up_to_recall_and_precision(name: str) -> None:
    measure = parse_measure_text(name)
    draw = random.Random(7)
    months = [When.parse(f"2031-0{number}") for number in range(2, 5)]
    days = [When.of(date(2031, 3, number)) for number in range(1, 32)] + months
    for number in range(40):
        most = len(days) - len(months) * (number % 2)
        mine, gold = (
            Timeline.of(dict.fromkeys(draw.sample(days[:most], draw.randint(1, 9)), "It broke."))
            for _ in range(2)
        )
        topic = Topic(id="dam", timelines=(gold,))
        found = explain_output(measure, topic, mine)
        assert isinstance(found, DateExplanation)
        wanted = [one.credit for one in found.dates if one.reference]
        extra = [one for one in found.dates if one.reference is None]
        assert sum(wanted) / len(wanted) == pytest.approx(found.values["r"])
        kept = len(mine) - len(extra)
        if not found.measure.soft:
            assert kept / len(mine) == pytest.approx(found.values["p"])


def test_a_date_that_counts_for_one_counts_for_no_other() -> None:
    gold = Timeline.of({"2031-03-01": "A b.", "2031-03-02": "C d.", "2031-03-03": "E f."})
    topic = Topic(id="dam", timelines=(gold,))

    def counts(name: str, when: str) -> list[str]:
        (table,) = explain(parse_measure_text(name), topic, Timeline.of({when: "A b."}))
        return [row[3].text for row in table.rows]

    assert counts("dates(within=2)", "2031-03-02") == ["no", "yes", "no"]
    assert counts("dates(within=2,many)", "2031-03-02") == ["yes", "yes", "yes"]
    assert counts("dates(soft)", "2031-03-02") == ["no", "1.000", "no"]
    assert sorted(counts("dates", "2031")) == ["no", "no", "yes"]


def test_dates_without_any_on_the_other_side_have_no_nearest_date() -> None:
    measure = parse_measure_text("dates(within=2)")
    (table,) = explain(measure, Topic(id="dam", timelines=(GOLD,)), Timeline(()))
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        (str(when), "–", "", "no") for when in GOLD.dates
    ]
    with pytest.warns(cs.ChronoscoreWarning, match="the reference timeline is empty"):
        (table,) = explain(measure, Topic(id="dam", timelines=(Timeline(()),)), MINE)
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("–", str(when), "", "no") for when in MINE.dates
    ]


def test_concat_is_explained_over_whole_timelines() -> None:
    (table,) = explain(parse_measure_text("concat(stop=no,stem=no).r"), TOPIC, MINE)
    assert table.rows[0][1].text == "4/13"
    assert table.rows[1][1].text == "2/3"
    with pytest.raises(UsageError, match="counts runs of words"):
        explain(parse_measure_text("concat(over=l)"), TOPIC, MINE)


def test_novelty_is_explained_by_what_is_repeated_and_what_is_shared() -> None:
    topic = Topic(
        id="t",
        summaries=(Summary.of("the dam broke", set="A"), Summary.of("an inquiry opened", set="B")),
    )
    repeated, shared = explain(
        parse_measure_text("novelty(base=rouge1,coefficients=none)"),
        topic,
        Summary.of("dam inquiry", set="B"),
    )
    assert [cell.text for cell in repeated.rows[0]][1:] == ["1/3", "dam", "the, broke"]
    assert [cell.text for cell in shared.rows[0]][1:] == ["1/3", "inquiry", "an, opened"]


def test_nu_is_explained_by_the_first_mention_of_each_event() -> None:
    judged = Judgements(
        sentences=("s1", "s2", "s3"),
        events=(Event("e1", "The dam broke."), Event("e2", "All fled.")),
        links=(Link(sentence="s1", event="e1"), Link(sentence="s3", event="e2")),
    )
    ranking = Ranking((Selection("s2", 2.0), Selection("s1", 1.0)))
    (table,) = explain(parse_measure_text("nu"), Topic(id="t", judgements=judged), ranking)
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("e1", "The dam broke.", "1", "2", "s1"),
        ("e2", "All fled.", "1", "–", ""),
    ]
    assert "1 of 2 events mentioned; 1 of 2 sentences" in table.notes[1]


def test_a_topic_without_content_units_has_nothing_to_explain() -> None:
    for pyramid in (None, Pyramid(())):
        topic = Topic(id="dam", pyramid=pyramid)
        with pytest.raises(DataError, match="topic 'dam' has no content unit"):
            tables(explain_output(parse_measure_text("pyramid@20"), topic, Ranking.empty()))


def test_pyramid_is_explained_by_the_units_heaviest_first() -> None:
    units = tuple(
        ContentUnit(
            id=name,
            text=f"unit {name}",
            group=Group(members=((Anchor(id=name, source=f"s{name}", start=0, end=1), 1.0),)),
            writers=frozenset(people),
        )
        for name, people in (("a", ("x",)), ("b", ("x", "y")))
    )
    ranking = Ranking((Selection("sa", 1.0),))
    (table,) = explain(
        parse_measure_text("pyramid"), Topic(id="t", pyramid=Pyramid(units)), ranking
    )
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("b", "unit b", "2", "0.00", "2.00"),
        ("a", "unit a", "1", "1.00", "0.00"),
    ]
    assert table.notes[0] == "pyramid on t: score 0.3333"


def test_what_most_systems_miss_leaves_people_out() -> None:
    runs = [Run("mine", {"dam": MINE}), Run("ann", {"dam": Timeline(())}, human=True)]
    found = {one.name: one.systems for one in missed.by_most_systems([TOPIC], runs, [])}
    assert found == {"2031-03-05": 1, "2031-03-20": 1}
    # The day that both references have weighs more than earlier ones of one.
    late = Topic(id="dam", timelines=(GOLD, Timeline.of({"2031-03-20": "It opened."})))
    names = [one.name for one in missed.by_most_systems([late], runs[:1], [])]
    assert names == ["2031-03-20", "2031-03-05"]


def test_a_month_that_holds_a_references_day_is_shared() -> None:
    output = Timeline.of({"2031-03": "Rain.", "2031-03-05": "They fled.", "2031-05-01": "Sun."})
    assert missed.count_shared_dates(Run("mine", {"dam": output}), [TOPIC]) == (2, 3)


def test_a_word_that_two_references_have_once_may_be_used_once() -> None:
    topic = Topic(id="t", summaries=(Summary.of("the dam"), Summary.of("a dam")))
    found = explain_output(parse_measure_text("rouge1"), topic, Summary.of("dam dam dam"))
    assert isinstance(found, TextExplanation)
    assert [one.alone.number for one in found.compared] == [2]


def test_words_of_a_day_count_once_for_each_reference_that_has_it() -> None:
    found = explain_days("align(stop=no).p", MINE)
    # "A dam broke." is compared with two references, the other days with one.
    assert [one.size for one in found.shares("precision", "system")] == [2 * 3, 3, 2]
    assert [one.size for one in found.shares("recall", "reference")][1:] == [4, 3]
