"""TREC Temporal Summarization: by hand, and against the official scores of three runs."""

import csv
import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import Event, Judgements, Link, Ranking, Selection, Story, Topic
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora import trects
from chronoscore.measures import parse_measure_text
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.measure import Measure
from chronoscore.measures.streams.nuggets import count_idle_update_words, count_update_words
from chronoscore.measures.streams.stream import Stream, timeliness
from chronoscore.scoring import score

HOUR = 3600.0
TEXT = "a dam broke and two people died"


def topic(*, importance: tuple[float, ...] = (3, 1), pooled: bool = True) -> Topic:
    return Topic(
        id="t",
        judgements=Judgements(
            sentences=("u1", "u2", "u3"),
            events=tuple(
                Event(f"n{number}", "three words here", 0.0, value)
                for number, value in enumerate(importance, 1)
            ),
            links=(
                Link(sentence="u1", event="n1", span=(0, 11)),
                Link(sentence="u2", event="n1", span=(0, 11)),
                *(
                    Link(sentence="u2", event=f"n{number}", span=(16, 31))
                    for number in range(2, len(importance) + 1)
                ),
            ),
            texts={"u1": TEXT, "u2": TEXT, "u3": "nothing"},
            pooled=pooled,
        ),
    )


def values(measure: Measure, about: Topic, *updates: Selection) -> dict[str, float]:
    found = measure.values(measure.tally([(about, Ranking(updates))]))[0]
    return dict(zip(measure.parts, found.tolist(), strict=True))


def test_one_late_update_by_hand() -> None:
    got = values(Stream(), topic(), Selection("u1", 1.0, 6 * HOUR))
    # Spaces around the span: words 0 and 1 of 7 are marked, so 5 tell nothing; nuggets have 3.
    cost = 1 + 5 / 3
    assert got["E[G]"] == pytest.approx(1 / cost)
    assert got["nE[G]"] == pytest.approx(1 / cost)
    assert got["E[LG]"] == pytest.approx(0.5 / cost)
    assert got["C"] == pytest.approx(1 / (1 + math.exp(-2)))
    assert got["LC"] == pytest.approx(0.5 / (1 + math.exp(-2)))
    assert got["verbosity"] == pytest.approx(cost)
    assert got["latency"] == pytest.approx(0.5)
    expected = 2 * got["nE[LG]"] * got["LC"] / (got["nE[LG]"] + got["LC"])
    assert got["H"] == pytest.approx(expected)


def test_a_nugget_is_credited_to_the_first_update_in_time_alone() -> None:
    late, early = Selection("u1", 1.0, 6 * HOUR), Selection("u2", 0.0, 0.0)
    got = values(Stream(), topic(), late, early)
    assert got["C"] == pytest.approx(1.0)
    assert got["LC"] == pytest.approx(1.0)


def test_the_normaliser_is_the_best_that_so_many_updates_can_gain() -> None:
    about = topic(importance=(3, 3, 1))
    one = values(Stream(), about, Selection("u2", 1.0, 0.0))
    assert one["nE[G]"] == pytest.approx(one["E[G]"] / 1.0)
    four = values(Stream(), about, *(Selection(u, 1.0, 0.0) for u in ("u2", "x", "y", "z")))
    best = (1 + 1 + math.exp(-2)) / 3
    assert four["nE[G]"] == pytest.approx(four["E[G]"] / best)


def test_unsampled_updates_cost_one_word_or_are_ignored() -> None:
    updates = [Selection("u1", 1.0, 0.0), Selection("elsewhere", 1.0, 0.0)]
    counted = values(Stream(), topic(), *updates)
    ignored = values(Stream(unsampled="ignore"), topic(), *updates)
    assert counted["verbosity"] == pytest.approx((1 + 5 / 3 + 1 + 1 / 3) / 2)
    assert ignored == values(Stream(), topic(), updates[0])


def test_binary_relevance_takes_all_nuggets_alike() -> None:
    assert values(Stream(binary=True), topic(), Selection("u1", 1.0, 0.0))["C"] == 0.5


def test_nuggets_of_no_importance_do_not_count() -> None:
    got = values(Stream(binary=True), topic(importance=(3, 0)), Selection("u1", 1.0, 0.0))
    assert got["C"] == 1.0


@pytest.mark.parametrize(
    ("hours", "expected"), [(0, 1.0), (6, 0.5), (-6, 1.5), (1e9, 0.0), (-1e9, 2.0)]
)
def test_worth_halves_in_six_hours_and_grows_before_the_nugget(
    hours: float, expected: float
) -> None:
    assert timeliness(hours / 6, "arctan") == pytest.approx(expected, abs=1e-6)


def test_the_discount_of_2013_is_a_power() -> None:
    got = values(Stream(discount="power"), topic(), Selection("u1", 1.0, 12 * HOUR))
    assert got["latency"] == pytest.approx(0.95**2)


def test_scaled_confidence_runs_from_0_to_1_over_the_stream_and_is_one_half_where_constant() -> (
    None
):
    sure, unsure = Selection("u1", 9.0, 0.0), Selection("u3", 5.0, 1.0)
    measure = Stream(confidence="scaled")
    got = values(measure, topic(), sure, unsure)
    assert got["cC"] == pytest.approx(got["C"])
    assert got["cverbosity"] == pytest.approx((1 + 5 / 3) / 2)
    # Weighted latency is for each update, not for each match.
    assert (got["latency"], got["clatency"]) == (pytest.approx(1.0), pytest.approx(0.5))
    constant = values(measure, topic(), sure)
    assert constant["cC"] == pytest.approx(constant["C"] / 2)


def test_confidence_by_rank_follows_the_lines_of_the_run_and_divides_by_its_sum() -> None:
    late, early = Selection("u3", 1.0, 9 * HOUR), Selection("u1", 0.0, 0.0)
    got = values(Stream(confidence="rank"), topic(), late, early)
    # The second line has confidence 1/2, and both together 3/2.
    assert got["cC"] == pytest.approx(got["C"] * 0.5 / 1.5)
    assert got["cE[G]"] == pytest.approx(got["E[G]"] * 0.5 / 1.5)
    costs = (1 + 1 / 3) * 1 + (1 + 5 / 3) * 0.5
    assert got["cverbosity"] == pytest.approx(costs / (2 * 1.5))


def test_a_part_of_confidence_needs_a_confidence() -> None:
    with pytest.raises(UsageError, match=r"stream\.cH is weighted by confidence"):
        parse_measure_text("stream.cH")


def test_an_empty_stream_scores_0() -> None:
    assert set(values(Stream(), topic()).values()) == {0.0}


def test_a_topic_without_nuggets_is_left_out_and_said() -> None:
    with pytest.warns(ChronoscoreWarning, match="no nugget above importance 0"):
        got = values(Stream(), topic(importance=(0, -1)), Selection("u1", 1.0, 0.0))
    assert math.isnan(got["H"])


def test_an_update_that_gains_must_have_a_time() -> None:
    with pytest.raises(DataError, match="'u1' has no time"):
        values(Stream(), topic(), Selection("u1"))


def test_an_unknown_update_is_an_error_where_all_was_judged() -> None:
    with pytest.raises(DataError, match="no such sentence 'x'"):
        values(Stream(), topic(pooled=False), Selection("x", 1.0, 0.0))


def test_an_event_without_a_time_is_as_old_as_the_first_story_that_tells_it() -> None:
    judged = Judgements(
        sentences=("a", "b"),
        events=(Event("e", "text"),),
        links=(Link(sentence="a", event="e"), Link(sentence="b", event="e")),
        stories=(
            Story(id="s2", sentences=("b",), time=6 * HOUR),
            Story(id="s1", sentences=("a",), time=0.0),
        ),
    )
    got = values(Stream(), Topic(id="t", judgements=judged), Selection("b", 1.0, 6 * HOUR))
    assert got["latency"] == pytest.approx(0.5)
    # One that has a time keeps it, whenever stories told of it.
    dated = replace(judged, events=(Event("e", "text", 6 * HOUR),))
    got = values(Stream(), Topic(id="t", judgements=dated), Selection("b", 1.0, 6 * HOUR))
    assert got["latency"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "text",
    ["stream@5", "auto-stream@5", "stream(step=0)", "stream(step=nan)", "auto-stream(step=0)"],
)
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_measure_text(text)


@pytest.mark.parametrize("text", ["stream.nE[LG]", "stream(binary,unsampled=ignore).H"])
def test_the_measure_prints_itself_and_parses_back(text: str) -> None:
    assert str(parse_measure_text(text)) == text


def test_a_match_without_a_span_covers_all_words() -> None:
    assert count_idle_update_words(TEXT, [None]) == 0


@given(st.text("ab ", max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_idle_words_lie_between_none_and_all(text: str, spans: list[tuple[int, int]]) -> None:
    ordered: list[tuple[int, int] | None] = [(min(s), max(s) + 1) for s in spans]
    assert 0 <= count_idle_update_words(text, ordered) <= count_update_words(text)


OFFICIAL = {
    "# Updates": "updates",
    "E[Gain]": "E[G]",
    "nE[Gain]": "nE[G]",
    "E[Latency Gain]": "E[LG]",
    "nE[Latency Gain]": "nE[LG]",
    "Comprehensiveness": "C",
    "Latency Comp.": "LC",
    "HM(nE[LG],Lat. Comp.)": "H",
    "E[Verbosity]": "verbosity",
    "E[Latency]": "latency",
    "E[Confidence-Biased Gain]": "cE[G]",
    "nE[Confidence-Biased Gain]": "cnE[G]",
    "E[Confidence-Biased Latency Gain]": "cE[LG]",
    "nE[Confidence-Biased Latency Gain]": "cnE[LG]",
    "Confidence-Biased Comp.": "cC",
    "Confidence-Biased Latency Comp.": "cLC",
    "Confidence-Biased HM(nE[LG],Lat. Comp.)": "cH",
    "E[Confidence-Biased Verbosity]": "cverbosity",
    "E[Confidence-Biased Latency]": "clatency",
}


def test_official_scores_are_reproduced_to_the_last_printed_digit(data: Path) -> None:
    folder = data / "trec-ts-2014"
    with pytest.warns(ChronoscoreWarning, match="9 matches name 4 unknown nuggets"):
        collection = trects.load(folder)
    runs = trects.load_runs(folder / "cunlp-updates.ssv.gz", list(collection.topics))
    measure = compatible_measure(Stream(), "tseval2014")
    scores = score(collection, runs, [measure])
    found = scores.values(measure)
    with (folder / "ts14.eval.graded.results.tsv").open(encoding="utf-8") as file:
        official = {
            (f"{row['TeamID']}-{row['RunID']}".lower(), row["QueryID"]): row
            for row in csv.DictReader(file, delimiter="\t")
        }
    compared = 0
    for s, system in enumerate(scores.systems):
        for t, name in enumerate(scores.topics):
            row = official[system.lower(), name]
            ours = dict(zip(measure.parts, found[s, t], strict=True))
            for column, part in OFFICIAL.items():
                assert f"{ours[part]:.4f}" == row[column], (system, name, column)
                compared += 1
    assert compared == 3 * 15 * len(OFFICIAL)


@pytest.mark.slow
def test_a_runs_averages_are_those_of_the_specification(data: Path) -> None:
    folder = data / "trec-ts-2014"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        collection = trects.load(folder)
    runs = [
        run
        for run in trects.load_runs(folder / "cunlp-updates.ssv.gz", list(collection.topics))
        if run.system == "cunlp-2APSal"
    ]
    counted, ignored = Stream(), Stream(unsampled="ignore")
    scores = score(collection, runs, [counted, ignored])
    means = dict(zip(counted.parts, scores.average(counted)[0], strict=True))
    given = {"nE[G]": 0.0631, "C": 0.3220, "nE[LG]": 0.0752, "LC": 0.4139, "H": 0.1162}
    for part, value in given.items():
        assert means[part] == pytest.approx(value, abs=1e-4)
    assert np.round(scores.average(ignored)[0, -1], 4) == 0.1399
