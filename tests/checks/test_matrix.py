import math
from statistics import fmean, stdev

import pytest
from scipy.stats import t as student

import chronoscore as cs
from chronoscore.checks import CHECKS, Profile, Reaction, choose_alterations, run_alterations
from chronoscore.checks.alterations import ALTERATIONS, make_cases
from chronoscore.core import Timeline, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import MEASURES, Measure, measure_of, parse_measure_text
from chronoscore.options.checks import Altering
from chronoscore.reports.matrix import Matrix, rows, tables

STORIES = {
    "spill": {
        "2010-04-20": ["A blast kills 11 workers on a rig of BP.", "It was not seen from Venice."],
        "2010-05-06": ["Engineers lower a dome over the leak.", "The dome weighs 100 tons."],
        "2010-06-01": ["The president blames BP for it.", "About 5,000 barrels a day leak out."],
        "2010-07-15": ["A cap stops the flow.", "The coast of the Gulf is covered with oil."],
    },
    "quake": {
        "2011-03-11": ["A quake shakes the north of Japan.", "At least 300 people are missing."],
        "2011-03-12": ["An explosion injures four workers.", "The plant near Sendai is on fire."],
        "2011-04-07": ["The quake of Friday kills 3 people.", "It did not damage the plant."],
    },
    "revolt": {
        "2011-02-01": ["Protesters fill a square in Cairo.", "The army blocks the roads to Suez."],
        "2011-02-05": ["The regime frees 34 prisoners.", "Talks with the rebels begin."],
        "2011-02-11": ["The president leaves Cairo.", "Thousands of protesters cheer."],
    },
}
TOPICS = [Topic(id=name, timelines=(Timeline.of(story),)) for name, story in STORIES.items()]
NAMES = {one.name for one in ALTERATIONS}
ON_TIMELINES = [name for name, kind in MEASURES.load_all().items() if kind.needs is Timeline]


def react(
    measure: Measure | str, damage: str, topics: list[Topic] = TOPICS, share: float = 1.0
) -> Reaction:
    chosen = parse_measure_text(measure) if isinstance(measure, str) else measure
    (reaction,) = run_alterations(
        [chosen], topics, choose_alterations([damage]), Altering(share=share)
    )
    return reaction


def figures(output: Timeline, references: tuple[Timeline, ...]) -> float:
    """The share of the reference's figures that the output has."""
    wanted = [word for word in " ".join(references[0].sentences).split() if word[0].isdigit()]
    text = " ".join(output.sentences).split()
    return sum(word in text for word in wanted) / len(wanted) if wanted else 1.0


@pytest.mark.parametrize("name", ON_TIMELINES)
def test_every_measure_states_what_it_does_not_notice(name: str) -> None:
    measure = parse_measure_text(name)
    reactions = run_alterations([measure], TOPICS, ALTERATIONS, Altering())
    faults = {one.check for one in reactions if one.fault}
    assert faults <= measure.known_faults, f"not stated: {sorted(faults - measure.known_faults)}"
    checks = {"shift", *(check.name for check in CHECKS)}
    assert measure.known_faults <= NAMES | checks


@pytest.mark.parametrize(
    ("damage", "verdict"),
    [
        ("tenfold", "notices"),
        ("spelled", "punishes the harmless"),
        ("roles", "does not notice"),
        ("inflection", "accepts"),
    ],
)
def test_a_users_function_is_told_what_it_notices(damage: str, verdict: str) -> None:
    assert react(measure_of(figures), damage).verdict == verdict


def test_a_change_is_the_mean_over_timelines_with_students_interval() -> None:
    measure = measure_of(figures)
    reaction = react(measure, "truncated")
    (damage,) = choose_alterations(["truncated"])
    changes = []
    for case in make_cases(TOPICS, Altering(share=1.0)):
        copy = damage.alter(case)
        assert copy is not None
        changes.append(figures(copy, (case.timeline,)) - 1)
    error = stdev(changes) / math.sqrt(3) * student.ppf(0.975, 2)
    assert reaction.change == pytest.approx(fmean(changes))
    assert (reaction.low, reaction.high) == pytest.approx(
        (fmean(changes) - error, fmean(changes) + error)
    )


def test_a_change_that_few_timelines_show_is_not_sure() -> None:
    def notices_one(output: Timeline, references: tuple[Timeline, ...]) -> float:
        return float(len(references[0]) < 4 or output == references[0])

    reaction = react(measure_of(notices_one, needs=Timeline), "tenfold")
    assert reaction.change == pytest.approx(-1 / 3)
    assert (reaction.verdict, reaction.fault, reaction.right) == ("not sure", "", False)


def test_a_cost_that_rises_is_noticed() -> None:
    assert react("contradictions", "tenfold").change > 0
    assert react("contradictions", "tenfold").cost > 0


def test_a_timeline_in_another_language_is_left_alone() -> None:
    german = Timeline.of(
        {
            "2010-04-20": "Bei der Explosion sind 11 Arbeiter auf der Insel ums Leben gekommen.",
            "2010-05-06": "Die Kuppel wiegt 100 Tonnen und wird über das Leck gestülpt.",
        }
    )
    reaction = react("align+", "tenfold", [Topic(id="leck", timelines=(german,))])
    assert (reaction.timelines, reaction.verdict) == (0, "not for this language")
    assert react("align+", "year", [Topic(id="leck", timelines=(german,))]).verdict == "notices"
    mixed = react("align+", "tenfold", [*TOPICS, Topic(id="leck", timelines=(german,))])
    assert mixed.timelines == 3
    assert mixed.change == pytest.approx(react("align+", "tenfold").change)


def test_a_lone_topic_has_no_entries_of_others() -> None:
    assert react("align+", "foreign", TOPICS[:1]).verdict == "no other topic"


def test_more_damage_costs_more() -> None:
    costs = [react("align+", "names", share=share).cost for share in (0.2, 0.5, 1.0)]
    assert costs == sorted(costs)
    assert costs[0] < costs[-1]


def test_one_figure_says_what_is_noticed_and_one_what_is_left_alone() -> None:
    measure = parse_measure_text("align")

    def made(name: str, cost: float, harmless: bool) -> Reaction:
        fault = ("punishes the harmless" if harmless else "") if cost else "does not notice"
        fault = "" if harmless and not cost else fault
        return Reaction(name, measure, {"f": -cost}, 5, fault, name, harmless=harmless)

    reactions = (
        made("numbers", 0.02, False),
        made("roles", 0.0, False),
        made("year", 0.5, False),
        made("synonyms", 0.1, True),
        made("order", 0.0, True),
    )
    profile = Profile(measure, reactions)
    assert profile.sensitivity == pytest.approx(2 / 3)
    assert profile.invariance == 1 / 2
    assert profile.dearest_harmless == reactions[3]
    assert profile.cheaper_harm == reactions[:2]
    cells = [cell.text for cell in tables(Matrix(reactions, {measure: "mine"}))[1].rows[0]]
    assert cells == ["mine", "0.67 (2/3)", "0.50 (1/2)", "synonyms", "numbers, roles"]
    last = list(rows(Matrix(reactions, {measure: "mine"})))[-2:]
    assert [(row["damage"], row["change"]) for row in last] == [
        ("sensitivity", pytest.approx(2 / 3)),
        ("invariance", 1 / 2),
    ]


@pytest.mark.slow
def test_the_figures_of_rouge_score_are_those_of_concat_prepared_alike() -> None:
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
    scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    for name in ("synonyms", "tenfold", "names"):
        (damage,) = choose_alterations([name])
        changes = []
        for case in make_cases(TOPICS, Altering()):
            copy = damage.alter(case)
            if copy is not None:
                whole, part = (" ".join(one.sentences) for one in (case.timeline, copy))
                changes.append(scorer.score(whole, part)["rouge1"])
        precision, recall = (fmean(getattr(one, rate) for one in changes) for rate in PARTS)
        expected = 2 * precision * recall / (precision + recall) - 1
        found = react("concat(prepare=google,stop=no)", name, share=0.5)
        assert found.change == pytest.approx(expected)


PARTS = ("precision", "recall")


def test_options_of_damages_need_them() -> None:
    with pytest.raises(UsageError, match="are for `damages`"):
        cs.check("align", STORIES, share=0.2)
    with pytest.raises(UsageError, match="`shifts` is for the checks"):
        cs.check("align", STORIES, damages="all", shifts=3)
    with pytest.raises(UsageError, match="above 0 and up to 1"):
        cs.check("align", STORIES, damages="all", share=50)
    with pytest.raises(UsageError, match="unknown damage 'lies'"):
        cs.check("align", STORIES, damages="lies")
