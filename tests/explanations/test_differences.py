"""Why systems differ: shares add up, planted defects are named, sentences say what is sure."""

from itertools import combinations, permutations
from math import nan
from pathlib import Path

import numpy as np
import pytest
from benchmarks import planted

import chronoscore
from chronoscore.demo import demo_timelines
from chronoscore.errors import UsageError
from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.day_differences import CountedDays
from chronoscore.explanations.differences import Cause, SystemDifference, TopicDifference
from chronoscore.explanations.reasons import explain_difference
from chronoscore.explanations.sentences import describe_difference, named_causes, number
from chronoscore.measures import parse_measure_text
from chronoscore.measures.losses.account import account_of
from chronoscore.measures.losses.wording import words_for
from chronoscore.options import Resampling
from chronoscore.scoring import Scores
from chronoscore.stats import shapley


def test_shapley_values_are_means_over_all_orders() -> None:
    rng = np.random.default_rng(3)
    good, bad = rng.random((2, 2, 4)) / 4

    def value(lost: np.ndarray) -> np.ndarray:
        p, r = 1 - lost[..., 0], 1 - lost[..., 1]
        return 2 * p * r / (p + r)

    expected = np.zeros(4)
    orders = list(permutations(range(4)))
    for order in orders:
        levels = bad.copy()
        for cause in order:
            before = value(levels.sum(axis=-1))
            levels[:, cause] = good[:, cause]
            expected[cause] += value(levels.sum(axis=-1)) - before
    found = shapley.split(good, bad, value, 4)
    np.testing.assert_allclose(found, expected / len(orders))
    assert found.sum() == pytest.approx(value(good.sum(axis=-1)) - value(bad.sum(axis=-1)))


@pytest.fixture(scope="module")
def outputs() -> tuple[dict[str, dict[str, object]], dict[str, list[object]]]:
    collection, runs = demo_timelines()
    systems = {run.system: dict(run.outputs) for run in runs}
    return systems, {topic.id: list(topic.timelines) for topic in collection}


@pytest.mark.parametrize("rule", ["mean", "of-means", "micro"])
@pytest.mark.parametrize("measure", ["align+", "align+m1", "agreement", "align+.r", "align+.p"])
def test_causes_add_up_to_the_difference_by_every_rule(outputs, rule: str, measure: str) -> None:
    systems, references = outputs
    two = {name: systems[name] for name in ("careful", "late")}
    how = chronoscore.Resampling(rule=rule)
    result = chronoscore.score(two, references, measure, resampling=how)
    found = result.diff("careful", "late").data
    assert sum(cause.share for cause in found.causes) == pytest.approx(found.difference)
    assert found.value_a == pytest.approx(result["careful", measure].value)
    for topic in found.topics:
        assert sum(topic.causes.values()) == pytest.approx(topic.difference)
    back = result.diff("late", "careful").data
    for one, other in zip(found.causes, back.causes, strict=True):
        assert one.share == pytest.approx(-other.share, abs=1e-12)


def test_a_corrected_interval_leaves_out_0_exactly_where_p_is_small(outputs) -> None:
    systems, references = outputs
    result = chronoscore.score(systems, references, "align+")
    for name in ("late", "extract", "headlines"):
        for cause in result.diff("careful", name).data.causes:
            if not np.isnan(cause.p):
                assert (cause.low > 0 or cause.high < 0) == (cause.p <= 0.05)
            assert not cause.named or cause.p <= 0.05


def test_what_if_all_dates_were_right_is_the_score_of_the_repaired_timeline() -> None:
    """With one reference and distinct words, dates can be repaired by hand."""
    days = [(f"2010-04-{day:02d}", [f"alpha{day} beta{day} gamma{day}"]) for day in (3, 9, 21)]
    late = [(f"2010-04-{day + 1:02d}", [f"alpha{day} beta{day}"]) for day in (3, 9, 21)]
    right = [(f"2010-04-{day:02d}", [f"alpha{day} beta{day}"]) for day in (3, 9, 21)]
    gold = {"t": [chronoscore.Timeline.of(days)]}
    made = {
        "late": {"t": chronoscore.Timeline.of(late)},
        "right": {"t": chronoscore.Timeline.of(right)},
    }
    result = chronoscore.score(made, gold, "align+")
    reached = {one.cause: one.value for one in result.losses().data.what_if["late"]}
    assert reached["near"] == pytest.approx(result["right", "align+.f"].value)
    assert reached["dates"] == pytest.approx(result["right", "align+.f"].value)


@pytest.mark.parametrize(
    ("cause", "output"),
    [
        ("not_said.missing_days", {3: "alpha beta", 9: "gamma"}),
        ("not_said.on_the_day", {3: "alpha", 9: "gamma zeta", 21: "eta iota"}),
        ("another_day", {3: "gamma delta", 9: "alpha beta", 21: "eta theta iota"}),
    ],
)
def test_what_a_repair_reaches_is_the_recall_of_the_repaired_timeline(cause, output) -> None:
    """Left-out days are added, days that say less say all, swapped texts go where they belong."""
    said = {3: "alpha beta", 9: "gamma delta", 21: "eta theta iota"}
    repaired = {day: said[day] for day in output}
    if cause == "not_said.missing_days":
        repaired = said | output

    def timeline(days: dict[int, str]) -> chronoscore.Timeline:
        return chronoscore.Timeline.of([(f"2010-04-{d:02d}", [t]) for d, t in days.items()])

    made = {"is": {"t": timeline(output)}, "repaired": {"t": timeline(repaired)}}
    result = chronoscore.score(made, {"t": [timeline(said)]}, "agreement.r")
    reached = {one.cause: one.value for one in result.losses().data.what_if["is"]}
    assert result["is", "agreement.r"].value < reached[cause]
    assert reached[cause] == pytest.approx(result["repaired", "agreement.r"].value)


def test_a_topic_alone_has_the_cause_that_its_row_says(outputs) -> None:
    """The sentence about one topic begins with the cause that the table of topics has."""
    systems, references = outputs
    two = {name: systems[name] for name in ("careful", "late")}
    whole = chronoscore.score(two, references, "align+").diff("careful", "late").data
    for row in whole.topics[:5]:
        name = row.topic
        alone = {system: {name: made[name]} for system, made in two.items()}
        result = chronoscore.score(alone, {name: references[name]}, "align+")
        first = named_causes(result.diff("careful", "late").data)[0]
        assert words_for(first.name).label == words_for(row.cause).label


def simulate(rng: np.random.Generator, harm: float) -> SystemDifference:
    """Two systems on twelve topics whose losses are drawn; B also loses `harm` by missing days."""
    account = account_of(parse_measure_text("align+"))
    names, size = account.columns, len(account.columns)
    tallies = rng.gamma(2.0, 10.0, (2, 12, size))
    missing = [place for place, name in enumerate(names) if name.startswith("not_said.missing")]
    tallies[1][:, missing] *= 1 + harm
    topics = tuple(f"t{n:02d}" for n in range(12))
    scores = Scores(("a", "b"), topics, {account: tallies}, "")
    nothing = {"a": (0.0, 0.0), "b": (0.0, 0.0)}
    found = LossAccount(account.of, "f", account, scores, Resampling(), (), {}, nothing)
    causes, groups, rows = explain_difference(found, ("a", "b"))
    share = sum(cause.share for cause in causes)
    return difference(share, causes, groups=groups, topics=rows, low=share / 2, high=share * 2)


@pytest.mark.slow
def test_only_causes_whose_corrected_interval_leaves_out_0_are_named() -> None:
    """Between equals that were called different, some cause is named in about 5 % of cases."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(40):
        named = named_causes(simulate(rng, 0.0))
        wrong += bool(named)
        assert all(cause.low > 0 or cause.high < 0 for cause in named)
    assert wrong <= 7
    right = [named_causes(simulate(rng, 6.0)) for _ in range(5)]
    assert all(named[0].name == "not_said.missing_days" for named in right)


def test_a_difference_that_may_be_chance_has_no_cause() -> None:
    unsure = difference(0.01, [cause("near.day", 0.01)], low=-0.01, high=0.03)
    assert not named_causes(unsure)


def test_days_that_are_off_are_one_reason_by_their_largest_distance() -> None:
    causes = [cause("near.year", 0.08), cause("near.far", 0.03), cause("extra.days", 0.02)]
    first, *others = named_causes(difference(0.13, causes))
    assert (first.name, first.net) == ("near.year", pytest.approx(0.11))
    assert not others


def test_what_explains_next_to_nothing_of_a_difference_is_no_cause_of_it() -> None:
    assert not named_causes(difference(0.13, [cause("extra.days", 0.02)]))


@pytest.mark.slow
@pytest.mark.parametrize("defect", planted.DEFECTS)
def test_a_planted_defect_is_named_and_nothing_else(defect: str) -> None:
    """The benchmark `planted` tries 200 seeds."""
    _, expected = planted.DEFECTS[defect]
    named, _, _, sentence = planted.draw(0, (defect,))
    assert named & expected, sentence
    assert named <= expected, sentence


def cause(name: str, share: float, *, named: bool = True) -> Cause:
    return Cause(name=name, recall=(0.1, 0.1 + share), precision=(nan, nan), share=share,
                 net=share, p=0.001 if named else 0.5, named=named)  # fmt: skip


def difference(size: float, causes=(), topics=12, **more) -> SystemDifference:
    if isinstance(topics, int):
        one = {"a": 0.5, "b": 0.5 - size, "causes": {}}
        topics = tuple(TopicDifference(topic=f"t{n}", **one) for n in range(topics))
    many, ends = topics, {"low": size - 0.02, "high": size + 0.02}
    if len(topics) == 1:
        ends = {"low": nan, "high": nan}
    return SystemDifference(**{
        "a": "A", "b": "B", "measure": parse_measure_text("align+"), "part": "f", "value_a": 0.5,
        "value_b": 0.5 - size, "p": 0.01, "level": 0.95, "causes": tuple(causes), "topics": many,
        **ends, **more})  # fmt: skip


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            difference(0.13, [cause("not_said.missing_days", 0.07), cause("near.day", 0.04)],
                       wrong_year={"B": ("boeing",)}),
            "B is behind A by .13 align+.f [.11, .15]; .07 of it because B leaves out more days, "
            ".04 because it is a day off more often; one topic (boeing) is in the wrong year.",
        ),
        (
            difference(-0.05, [cause("not_said.missing_days", -0.05)]),
            "B is ahead of A by .05 align+.f [.03, .07]; .05 of it because B leaves out fewer "
            "days.",
        ),
        (difference(0.0), "A and B score the same by align+.f (.50)."),
        (
            difference(0.01, low=-0.01, high=0.03),
            "B is behind A by .01 align+.f [−.01, .03], which may be chance.",
        ),
        (
            difference(0.1, [cause("near.day", 0.1, named=False)]),
            "B is behind A by .10 align+.f [.08, .12]; no single cause is sure.",
        ),
        (
            difference(0.1, [cause("near.day", 0.08, named=False)], topics=1),
            "B is behind A by .10 align+.f on t0, the only topic, so this may be chance; .08 of it "
            "because B is a day off more often.",
        ),
        (
            difference(0.1, [cause("extra.words", 0.17)]),
            "B is behind A by .10 align+.f [.08, .12]; it loses .17 because it has more words on "
            "shared days that no reference has, and makes up for .07 elsewhere.",
        ),
    ],
)  # fmt: skip
def test_sentences_read_well(found: SystemDifference, sentence: str) -> None:
    assert describe_difference(found) == sentence


def test_figures_in_sentences_are_short() -> None:
    assert [number(x) for x in (0.13, -0.13, 0.004, 0.0, 1.0)] == [
        ".13",
        "−.13",
        ".004",
        ".00",
        "1.00",
    ]


def test_two_different_systems_are_needed(outputs) -> None:
    systems, references = outputs
    result = chronoscore.score(systems, references, "align+")
    with pytest.raises(UsageError, match="name two systems"):
        result.diff("late", "late")
    with pytest.raises(UsageError, match="lat"):
        result.diff("lat", "late")


def test_an_empty_output_says_nothing(outputs) -> None:
    systems, references = outputs
    two = {"full": systems["careful"], "none": {t: chronoscore.Timeline.of([]) for t in references}}
    found = chronoscore.score(two, references, "align+").diff("full", "none")
    assert "none is behind full by .46" in found.sentence
    assert found.data.days[0].b.when is None


def test_days_are_the_same_whether_counted_for_two_systems_or_for_all(outputs) -> None:
    systems, references = outputs
    result = chronoscore.score(systems, references, "align+")
    collection, runs = result.texts("compare")
    account = result.losses().data.account
    together = CountedDays.of(collection, runs, account)
    for a, b in combinations(("careful", "late", "headlines"), 2):
        assert together.find(a, b) == result.diff(a, b).data.days


def test_days_say_what_each_system_says_about_them(outputs) -> None:
    systems, references = outputs
    found = chronoscore.score(systems, references, "align+").diff("careful", "late").data
    assert len(found.days) == 10
    sizes = [abs(day.difference) for day in found.days]
    assert sizes == sorted(sizes, reverse=True)
    first = found.days[0]
    texts = {str(e.when): e.sentences for e in systems["careful"][first.topic]}
    assert texts[str(first.a.when)] == first.a.text


def test_the_pages_of_a_difference_show_topics_in_several_languages(tmp_path: Path) -> None:
    arabic, chinese = "انهار السد في الصباح وغمرت المياه المدينة", "大坝在清晨崩塌洪水淹没旧城"
    references = {"ar": {"2031-03-01": arabic}, "zh": {"2031-03-01": chinese}}
    systems = {
        "a": references,
        "b": {"ar": {"2031-03-02": arabic[:16]}, "zh": {"2031-03-02": chinese[:4]}},
    }
    measure = "align+(language=auto)"
    page = chronoscore.report(systems, references, measure, path=tmp_path / "report.html")
    assert arabic[:10] in page.read_text("utf-8")
    result = chronoscore.score(systems, references, measure)
    assert chinese[:4] in result.diff("a", "b").render("html")
