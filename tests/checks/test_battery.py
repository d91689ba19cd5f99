import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from chronoscore.checks import (
    CHECKS,
    Check,
    Outcome,
    list_checks,
    run_checks,
    shift_check,
)
from chronoscore.checks.alterations import ALTERATIONS
from chronoscore.checks.damage import NONSENSE
from chronoscore.checks.verdict import Expectation, describe_failed_check
from chronoscore.core import Document, Sentence, Summary, Timeline, Topic, When
from chronoscore.errors import UsageError
from chronoscore.measures import MEASURES, Measure, measure_of, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.options import Averaging
from chronoscore.reports.checks import Outcomes
from chronoscore.reports.checks import table as table_of
from given_figures import Cost, Given

SPILL = Timeline.of(
    [
        ("2010-04-20", ["The rig explodes at night.", "Eleven workers are missing."]),
        ("2010-04-22", ["The burning platform sinks.", "Oil begins to spread."]),
        ("2010-05-06", ["A dome is lowered over the leak.", "Crystals clog the opening."]),
        ("2010-05-26", ["Engineers pump heavy mud downwards.", "The attempt fails days later."]),
        ("2010-07-15", ["A tighter cap stops the flow.", "Pressure tests follow."]),
    ]
)
TOPIC = Topic(id="spill", timelines=(SPILL,))
ON_TIMELINES = [name for name, kind in MEASURES.load_all().items() if kind.needs is Timeline]
ALL = list_checks((1, 5))


def one(measure: Measure | str, test: Check, topic: Topic = TOPIC) -> Outcome:
    chosen = parse_measure_text(measure) if isinstance(measure, str) else measure
    return run_checks([chosen], [topic], [test])[0]


@pytest.mark.parametrize("name", ON_TIMELINES)
def test_every_measure_fails_exactly_where_it_says_so(name: str) -> None:
    measure = parse_measure_text(name)
    faults = {outcome.check for outcome in run_checks([measure], [TOPIC], ALL) if outcome.fault}
    stated = measure.known_faults - {one.name for one in ALTERATIONS}
    assert faults == stated, f"known_faults of {name} are {sorted(faults)}"


@pytest.mark.parametrize(
    ("test", "dates"),
    [
        ("remove", 4),
        ("add", 6),
        ("merge", 4),
        ("swap", 5),
        ("split", 6),
        ("duplicate", 6),
        ("shuffle", 5),
        ("halve", 5),
        ("shift", 5),
    ],
)
def test_a_damage_leaves_this_many_dates(test: str, dates: int) -> None:
    chosen = next(c for c in ALL if c.name == test)
    copies = chosen.copies(TOPIC, SPILL)
    assert copies
    assert {len(copy) for copy in copies} == {dates}
    assert SPILL not in copies


def test_remove_is_the_mean_over_every_date_and_not_one_draw() -> None:
    shares = []
    for entry in SPILL:
        kept = Timeline(tuple(other for other in SPILL if other is not entry))
        measure = parse_measure_text("agreement")
        shares.append(measure.values(measure.tally([(TOPIC, kept)]))[0, 1])
    outcome = one("agreement", CHECKS[0])
    assert outcome.changes["r"] == pytest.approx(sum(shares) / len(shares) - 1)


def test_merge_joins_the_closest_dates_into_the_earlier_one() -> None:
    (copy,) = next(c for c in CHECKS if c.name == "merge").copies(TOPIC, SPILL)
    assert str(copy.dates[0]) == "2010-04-20"
    assert copy.entries[0].sentences == SPILL.entries[0].sentences + SPILL.entries[1].sentences


def test_add_takes_the_first_article_of_the_first_free_date() -> None:
    def article(name: str, day: str, text: str) -> Document:
        return Document(id=name, when=When.parse(day), sentences=(Sentence(f"{name}-1", text),))

    topic = Topic(
        id="spill",
        timelines=(SPILL,),
        documents=(
            article("c", "2010-04-25", "Later."),
            article("a", "2010-04-20", "Known already."),
            article("b", "2010-04-21", "First of the day."),
            article("d", "2010-04-21", "Second of the day."),
        ),
    )
    (copy,) = CHECKS[1].copies(topic, SPILL)
    assert copy.entries[1].sentences == ("First of the day.",)


def test_add_without_articles_says_nonsense_on_the_first_free_day() -> None:
    (copy,) = CHECKS[1].copies(TOPIC, SPILL)
    assert (str(copy.dates[1]), copy.entries[1].sentences) == ("2010-04-21", (NONSENSE,))


def test_each_reference_of_a_topic_is_checked_alone() -> None:
    other = Timeline.of([("2011-01-01", "Something else."), ("2011-03-01", "Its end.")])
    both = Topic(id="both", timelines=(SPILL, other))
    apart = [Topic(id="a", timelines=(SPILL,)), Topic(id="b", timelines=(other,))]
    assert run_checks([parse_measure_text("align")], [both], [shift_check(1)])[0].changes == (
        run_checks([parse_measure_text("align")], apart, [shift_check(1)])[0].changes
    )


def test_a_damage_that_cannot_be_done_is_said_so_and_is_no_fault() -> None:
    lone = Topic(id="lone", timelines=(Timeline.of({When.parse("2010-05-01"): "One."}),))
    outcome = one("align", CHECKS[0], lone)
    assert (outcome.timelines, outcome.fault) == (0, "")
    assert outcome.verdict == "no date to leave out"
    assert all(math.isnan(change) for change in outcome.changes.values())


@pytest.mark.parametrize("name", ON_TIMELINES)
def test_a_day_of_one_sentence_is_no_day_to_split(name: str) -> None:
    short = Timeline.of([("2010-05-01", "One thing."), ("2010-05-03", "Another thing happened.")])
    split = next(check for check in CHECKS if check.name == "split")
    outcome = one(name, split, Topic(id="short", timelines=(short,)))
    assert (outcome.timelines, outcome.fault, outcome.verdict) == (0, "", "no day to split")


def entries(output: Timeline, references: tuple[Timeline, ...]) -> float:
    return len(output) / len(references[0])


def test_a_users_function_is_checked_on_its_lone_value() -> None:
    measure = measure_of(entries)
    outcome = one(measure, shift_check(3))
    assert outcome.verdict == "value does not fall"
    assert not outcome.known
    assert one(measure, CHECKS[0]).verdict == "as expected"


@dataclass(frozen=True, kw_only=True)
class DateRecall(DateMeasure):
    """A measure without precision and F."""

    parts: ClassVar[tuple[str, ...]] = ("r",)
    averaging: ClassVar[Averaging] = "mean"

    def values(self, tallies: Array) -> Array:
        return super().values(tallies)[..., 1:2]


def test_the_table_gives_no_f_for_a_measure_that_has_none() -> None:
    measure = DateRecall()
    (row,) = table_of(Outcomes((one(measure, shift_check(1)),), {measure: "mine"})).rows
    assert [cell.text for cell in row[2:5]] == ["", "-1.000", ""]


def blind(output: Timeline, references: tuple[Timeline, ...]) -> float:
    return float(set(output.dates) == set(references[0].dates))


def test_a_longer_shift_must_cost_more() -> None:
    outcomes = run_checks([measure_of(blind)], [TOPIC], list_checks((5, 1))[3:5])
    assert [o.test for o in outcomes] == ["shift 1", "shift 5"]
    assert outcomes[0].verdict == "as expected"
    assert outcomes[1].verdict == "costs no more than shift 1"


def test_a_measure_of_summaries_is_refused() -> None:
    assert parse_measure_text("rouge1").needs is Summary
    with pytest.raises(UsageError, match="does not score timelines"):
        one("rouge1", shift_check(1))


def test_a_shift_of_no_days_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing would change"):
        shift_check(0)


TABLE_2 = {
    ("merge", "concat"): (0.0, 0.0, 0.0),
    ("merge", "agreement"): (-0.0452, -0.0452, -0.0452),
    ("merge", "align"): (-0.0452, -0.0452, -0.0452),
    ("merge", "align+"): (-0.0452, -0.0452, -0.0452),
    ("merge", "align+m1"): (-0.0452, -0.0231, -0.0343),
    ("shift 1", "concat"): (0.0, 0.0, 0.0),
    ("shift 1", "agreement"): (-0.8873, -0.8873, -0.8873),
    ("shift 1", "align+"): (-0.5000, -0.5000, -0.5000),
    ("shift 1", "align+m1"): (-0.5000, -0.6216, -0.5692),
    ("shift 5", "concat"): (0.0, 0.0, 0.0),
    ("shift 5", "agreement"): (-0.9270, -0.9270, -0.9270),
    ("shift 5", "align"): (-0.8783, -0.8783, -0.8783),
    ("shift 5", "align+"): (-0.8333, -0.8333, -0.8333),
    ("shift 5", "align+m1"): (-0.8333, -0.8168, -0.8255),
}


@pytest.fixture(scope="module")
def table(data: Path) -> dict[tuple[str, str], Outcome]:
    import warnings

    from chronoscore.formats.corpora import inputs
    from chronoscore.measures.compat import compatible_measure

    with warnings.catch_warnings():
        # The gold files repeat dates; the loader's warnings are its own business.
        warnings.simplefilter("ignore")
        gold = inputs.load_reference_files(
            [data / "timeline17" / "gold"], Timeline, repeated="last"
        )
    five = [
        compatible_measure(parse_measure_text(name), "paper")
        for name in ("concat", "agreement", "align", "align+", "align+m1")
    ]
    outcomes = run_checks(five, gold, list_checks((1, 5))[:5])
    assert {outcome.timelines for outcome in outcomes} == {19}
    return {(outcome.test, outcome.measure.name): outcome for outcome in outcomes}


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE_2, ids=" ".join)
def test_table_2_comes_out_to_four_decimals(
    row: tuple[str, str], table: dict[tuple[str, str], Outcome]
) -> None:
    found = [round(table[row].changes[part], 4) + 0.0 for part in "prf"]
    assert found == list(TABLE_2[row])


def test_the_one_row_with_ties_comes_out_as_published(
    table: dict[tuple[str, str], Outcome],
) -> None:
    # Two of the 19 alignments have equally cheap ones; the peer's solver took farther dates.
    found = table["shift 1", "align"].changes
    assert [round(found[part], 3) for part in "prf"] == [-0.679] * 3


def test_the_expectation_of_remove_is_near_the_papers_draw(
    table: dict[tuple[str, str], Outcome],
) -> None:
    for name in ("concat", "agreement", "align", "align+"):
        changes = table["remove", name].changes
        assert changes["p"] == pytest.approx(0, abs=1e-12)
        assert round(changes["r"], 4) == -0.0508
    # The paper's one draw has -.045 here, well within the spread of single draws (.006).
    assert round(table["remove", "align+m1"].changes["r"], 4) == -0.0456


@pytest.mark.parametrize("damage", ["split", "duplicate"])
def test_what_is_added_goes_to_a_day_that_is_free(damage: str) -> None:
    close = Timeline.of({f"2031-03-0{n}": ["It broke.", "It rained."] for n in (1, 2, 3)})
    chosen = next(check for check in ALL if check.name == damage)
    for copy in chosen.copies(Topic(id="t", timelines=(close,)), close):
        assert [str(when) for when in copy.dates] == [f"2031-03-0{n}" for n in (1, 2, 3, 4)]


def test_a_cost_should_rise() -> None:
    expected = Expectation("any", "any")
    assert describe_failed_check(Cost(), expected, {"f": 0.1}) == ""
    assert describe_failed_check(Cost(), expected, {"f": -0.1}) == "F does not rise"
    assert describe_failed_check(Given(), expected, {"f": 0.1}) == "F does not fall"


def test_a_change_that_rounds_to_nothing_has_no_sign() -> None:
    changes = {"p": -0.0004, "r": 0.0004, "f": -0.0006}
    measure = parse_measure_text("align")
    table = table_of(Outcomes((Outcome("swap", measure, changes, 1),), {measure: "m"}))
    assert [cell.text for cell in table.rows[0][2:5]] == ["0.000", "0.000", "-0.001"]
