"""Scoring whole runs: topics, missing and unknown ones, executors, signatures."""

from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from chronoscore.core import Collection, Run, Summary, Timeline, Topic
from chronoscore.data.choice import Choice
from chronoscore.data.stages import Data
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.measures import (
    average_over_topics,
    finish_topic_average,
    parse_measure_text,
    topic_contributions,
)
from chronoscore.measures.averaging import RULES
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import score
from chronoscore.scoring.counting import evaluate, make_scoring_shards
from chronoscore.scoring.finished import shard_folder
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import compare_systems
from chronoscore.stats.resample import bootstrap_draws
from chronoscore.workers import Workers

WORDS = ["the", "a", "dam", "river", "flood", "town", "broke", "rose", "fell", "rain", "water"]


def text(seed: int, size: int = 30) -> Summary:
    rng = np.random.default_rng(seed)
    return Summary.of([" ".join(rng.choice(WORDS, size // 3)) for _ in range(3)])


def world(topics: int = 5, systems: int = 3) -> tuple[Collection, list[Run]]:
    collection = {
        f"t{t}": Topic(id=f"t{t}", summaries=(text(2 * t), text(2 * t + 1))) for t in range(topics)
    }
    runs = [
        Run(f"s{s}", {name: text(1000 * (s + 1) + t) for t, name in enumerate(collection)})
        for s in range(systems)
    ]
    return Collection(collection), runs


def test_rows_are_flat_and_complete() -> None:
    collection, runs = world()
    rows = list(
        score(
            collection, runs, [parse_measure_text("rouge1"), parse_measure_text("rouge2.f")]
        ).rows()
    )
    assert len(rows) == 3 * 5 * (3 + 1)
    assert set(rows[0]) == {"system", "topic", "measure", "part", "value"}
    assert {row["measure"] for row in rows} == {"rouge(n=1)", "rouge(n=2)"}


def test_a_missing_topic_scores_as_empty_with_one_warning() -> None:
    collection, runs = world(systems=1)
    part = Run("part", {k: v for k, v in runs[0].outputs.items() if k != "t3"})
    with pytest.warns(ChronoscoreWarning, match="no output for 1 of 5 topics, 't3' first"):
        scores = score(collection, [part], [parse_measure_text("rouge1")])
    assert scores.values(parse_measure_text("rouge1"))[0, 3].tolist() == [0, 0, 0]


def test_a_persons_run_is_averaged_over_the_topics_they_wrote_for() -> None:
    collection, runs = world(systems=1)
    some = {k: v for k, v in runs[0].outputs.items() if k in ("t1", "t2")}
    scores = score(
        collection, [Run("p", some, human=True), runs[0]], [parse_measure_text("rouge1")]
    )
    values = scores.values(parse_measure_text("rouge1"))
    assert np.isnan(values[0, 0]).all()
    assert scores.average(parse_measure_text("rouge1"))[0] == pytest.approx(
        values[1, 1:3].mean(axis=0)
    )


def test_an_unknown_topic_is_refused() -> None:
    collection, runs = world(systems=1)
    stranger = Run("mine", {**runs[0].outputs, "x1": text(1), "x2": text(2)})
    with pytest.raises(DataError, match=r"run 'mine': no such topic 'x1' \(2 unknown in all\)"):
        score(collection, [stranger], [parse_measure_text("rouge1")])


def test_a_letter_of_another_alphabet_in_a_topic_is_named() -> None:
    collection = Collection({name: Topic(id=name, summaries=(text(1),)) for name in ("dam", "sea")})
    with pytest.raises(DataError, match=r"\(its 'а' is Cyrillic\): .*; did you mean 'dam'"):
        score(collection, [Run("mine", {"dаm": text(1)})], [parse_measure_text("rouge1")])
    with pytest.raises(DataError, match=r"no such topic 'x': .* they are dam, sea; score"):
        score(collection, [Run("mine", {"x": text(1)})], [parse_measure_text("rouge1")])


def test_no_measure_and_no_topic_are_refused() -> None:
    collection, runs = world()
    with pytest.raises(UsageError, match="no measure was given"):
        score(collection, runs, [])
    with pytest.raises(DataError, match="the collection has no topic"):
        score(Collection({}), runs, [parse_measure_text("rouge1")])


def test_the_number_of_workers_does_not_change_a_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chronoscore.scoring.counting.SHARD", 4)
    collection, runs = world()
    measures = [parse_measure_text(m) for m in ("rouge1", "rougeL", "rouge2(stem)")]
    alone = score(collection, runs, measures)
    seen: list[tuple[int, int]] = []
    with ProcessPoolExecutor(2) as pool:
        shared = score(
            collection, runs, measures, executor=pool, progress=lambda *told: seen.append(told)
        )
    assert list(alone.rows()) == list(shared.rows())
    assert seen[-1][0] == seen[-1][1] >= 8


class CountingPool(ThreadPoolExecutor):
    """A pool that counts what it is given."""

    given = 0

    def submit(self, *call: Any, **more: Any) -> Future[Any]:
        self.given += 1
        return super().submit(*call, **more)


class OnePool(Workers):
    """Workers of which the pool is known."""

    @contextmanager
    def executor(self, *, threads: bool = False) -> Iterator[Executor | None]:
        yield POOL


POOL = CountingPool(2)


def test_the_work_is_done_where_the_workers_are() -> None:
    collection, runs = world()
    measures = (parse_measure_text("rouge1"),)
    data = Data(collection=collection, runs=tuple(runs), choice=Choice(measures=measures))
    found = evaluate(data, OnePool())
    assert POOL.given > 1
    assert list(found.rows()) == list(score(collection, runs, measures).rows())


def test_finished_work_is_kept_beside_a_file_and_nowhere_for_what_is_none(tmp_path: Path) -> None:
    output = tmp_path / "scores.jsonl"
    assert shard_folder(output) == tmp_path / ".scores.jsonl.parts"
    output.touch()
    assert shard_folder(output) == tmp_path / ".scores.jsonl.parts"
    (tmp_path / "link").symlink_to(output)
    assert shard_folder(tmp_path / "link") == tmp_path / ".scores.jsonl.parts"
    assert shard_folder(tmp_path) is None


def test_shards_are_cut_by_the_work_in_them() -> None:
    sizes = [3, 3, 3, 3, 3000, 3, 3, 3, 3, 300]
    pairs = [
        (Topic(id=str(n), summaries=(text(n, size),)), text(n + 50, size))
        for n, size in enumerate(sizes)
    ]
    alone = list(make_scoring_shards([parse_measure_text("rouge1")], pairs))
    shared = list(make_scoring_shards([parse_measure_text("rouge1")], pairs, workers=2))
    assert [(start, end) for _, start, end in alone] == [(0, 10)]
    assert [(start, end) for _, start, end in shared] == [(0, 4), (4, 10)]
    even = list(make_scoring_shards([parse_measure_text("rouge1")], [pairs[0]] * 80, workers=2))
    assert len(even) == 8
    assert all(9 <= end - start <= 11 for _, start, end in even)


def test_timelines_with_many_dates_are_shards_of_their_own() -> None:
    def timeline(dates: int) -> Timeline:
        return Timeline.of({f"{1900 + n}-01-01": "a" for n in range(dates)})

    pairs = [(Topic(id=str(n), timelines=(timeline(n),)), timeline(n)) for n in (2, 2, 90, 90, 2)]
    shards = [
        (start, end)
        for _, start, end in make_scoring_shards([parse_measure_text("align")], pairs, workers=2)
    ]
    assert all(not start <= 2 < 3 < end for start, end in shards)


def test_averages_follow_their_rule() -> None:
    collection, runs = world()
    measure = parse_measure_text("rouge1")
    tallies = score(collection, runs, [measure]).tallies[measure]
    values = measure.values(tallies)
    p, r = values[..., 0].mean(axis=1), values[..., 1].mean(axis=1)
    assert average_over_topics(measure, tallies, "mean") == pytest.approx(values.mean(axis=1))
    assert average_over_topics(measure, tallies, "of-means")[:, 2] == pytest.approx(
        2 * p * r / (p + r)
    )
    assert average_over_topics(measure, tallies, "micro")[:, 1] == pytest.approx(
        tallies[..., 0].sum(axis=1) / tallies[..., 1].sum(axis=1)
    )


@pytest.mark.parametrize("rule", RULES)
def test_a_draw_of_topics_is_averaged_as_if_it_were_those_topics(rule: Averaging) -> None:
    """What resampling relies on: contributions are added as often as a topic is drawn, or never."""
    measure = parse_measure_text("rouge1")
    tallies = score(*world(), [measure]).tallies[measure].copy()
    tallies[:, 0, [0, 2]], tallies[:, 1] = 0.0, np.nan  # nothing shared; no output
    added = topic_contributions(measure, tallies, rule)
    for times in ([1, 1, 1, 1, 1], [0, 2, 0, 1, 3], [3, 0, 1, 0, 1], [0, 1, 0, 0, 0]):
        drawn = np.repeat(tallies, times, axis=1)
        sums = np.einsum("t,sta->sa", np.array(times, dtype=float), added)
        found = finish_topic_average(measure, sums, rule)
        advice = f"the contributions of '{rule}' do not add up; a rule is a sum over topics"
        np.testing.assert_allclose(
            found, average_over_topics(measure, drawn, rule), rtol=1e-12, err_msg=advice
        )
        of_means = finish_topic_average(measure, sums / sum(times), rule)
        advice = f"'{rule}' finishes means unlike sums; let each topic contribute a 1 to count them"
        np.testing.assert_allclose(of_means, found, rtol=1e-12, err_msg=advice)


def test_a_bootstrap_interval_holds_the_average_and_depends_on_the_seed_only() -> None:
    scores = score(*world(topics=12), [parse_measure_text("rouge1")])
    first, again, other = (
        averages(scores, Resampling(interval="bootstrap", seed=seed)) for seed in (3, 3, 4)
    )
    assert first == again
    assert all(a.low <= a.value <= a.high for a in first)
    assert first != other


def test_a_bootstrap_interval_equals_resampling_by_hand() -> None:
    scores = score(*world(topics=7, systems=1), [parse_measure_text("rouge2.f")])
    figure = averages(scores, Resampling(interval="bootstrap", times=200, seed=5))[0]
    values = scores.values(parse_measure_text("rouge2.f"))[0, :, 2]
    by_hand = [
        np.repeat(values, row).mean()
        for row in np.asarray(bootstrap_draws(7, 200, 5), dtype=np.int64)
    ]
    assert (figure.low, figure.high) == pytest.approx(np.quantile(by_hand, [0.025, 0.975]))


def test_one_topic_has_no_interval() -> None:
    scores = score(*world(topics=1), [parse_measure_text("rouge1")])
    assert all(np.isnan(a.low) for a in averages(scores, Resampling()))


def test_a_comparison_of_means_of_f_is_about_the_means() -> None:
    scores = score(*world(topics=9), [parse_measure_text("rouge1")])
    found = compare_systems(scores, parse_measure_text("rouge1"), "f", Resampling())
    means = scores.average(parse_measure_text("rouge1"))[:, 2]
    assert found.pairs[0].difference == pytest.approx(means[0] - means[1])


def test_the_signature_changes_with_the_data() -> None:
    collection, runs = world()
    other, _ = world(topics=4)
    first = score(collection, runs, [parse_measure_text("rouge1")]).signature
    short = [Run(r.system, {k: v for k, v in r.outputs.items() if k != "t4"}) for r in runs]
    assert first != score(other, short, [parse_measure_text("rouge1")]).signature
    assert "references:2" in first


def test_a_missing_timeline_is_said_once() -> None:
    gold = Timeline.of({"2031-03-02": "The dam broke."})
    topics = {t: Topic(id=t, timelines=(gold,)) for t in ("t1", "t2")}
    run = Run("part", {"t1": gold})
    with pytest.warns(ChronoscoreWarning) as said:
        score(
            Collection(topics),
            [run],
            [
                parse_measure_text("concat"),
                parse_measure_text("align"),
                parse_measure_text("dates"),
            ],
        )
    assert [str(one.message) for one in said] == [
        "run 'part': no output for 1 of 2 topics, 't2' first; scored as empty"
    ]


def test_an_average_counts_the_topics_where_it_is_defined() -> None:
    collection, runs = world(systems=1)
    some = {k: v for k, v in runs[0].outputs.items() if k in ("t1", "t2")}
    one = {"t4": runs[0].outputs["t4"]}
    people = [Run("two", some, human=True), Run("one", one, human=True)]
    scores = score(collection, [*people, runs[0]], [parse_measure_text("rouge1.r")])
    for rule in RULES:
        found = averages(scores, Resampling(rule=rule))
        assert [figure.topics for figure in found] == [2, 1, 5]
        assert [np.isnan(figure.low) for figure in found] == [False, True, False]


def test_the_signature_says_which_engine_counted_and_the_figures_do_not(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measures = [
        parse_measure_text(name)
        for name in ("rouge1", "rouge2(stem)", "rouge-l", "rouge-w", "rougeSU4")
    ]
    found = score(*world(), measures)
    assert found.signature.endswith(f"|engine:{engine}")
    monkeypatch.setenv("CHRONOSCORE_ENGINE", "python")
    assert list(found.rows()) == list(score(*world(), measures).rows())


def test_every_averaging_rule_has_its_functions_and_no_other_name_is_taken_for_one() -> None:
    advice = "name the same rules in Averaging (options/__init__.py), in the same order"
    assert list(RULES) == list(get_args(Averaging)), advice
    scores = score(*world(topics=3), [parse_measure_text("rouge1")])
    with pytest.raises(UsageError, match="unknown averaging rule 'no-such-rule'"):
        scores.average(parse_measure_text("rouge1"), "no-such-rule")  # type: ignore[arg-type]
