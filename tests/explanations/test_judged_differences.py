"""Why systems differ on judged data: shares add up, repairs reach what repaired runs reach."""

import gzip
import random
from dataclasses import replace
from pathlib import Path

import pytest

import chronoscore
from chronoscore.core import Collection, Event, Link, Ranking, Run, Selection, Topic
from chronoscore.demo import demo_streams
from chronoscore.explanations.event_differences import ToldEvents
from chronoscore.measures.losses.account import account_of
from measures.judged_worlds import random_judged_pairs, random_ranking

pytestmark = pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
SYSTEMS = ("a", "b", "c")


def random_corpus(seed: int) -> tuple[Collection, list[Run]]:
    """Three systems on eight topics; some rankings are empty."""
    pairs = random_judged_pairs(seed, 8, len(SYSTEMS))
    topics = {topic.id: topic for topic, _ in pairs}
    outputs: dict[str, dict[str, object]] = {name: {} for name in SYSTEMS}
    for place, (topic, output) in enumerate(pairs):
        outputs[SYSTEMS[place % len(SYSTEMS)]][topic.id] = output
    runs = [Run(name, own) for name, own in outputs.items()]  # type: ignore[arg-type]
    return Collection(topics), runs


@pytest.mark.parametrize(
    "text",
    ["nu", "nu.recall", "nu.precision", "nu(strict)@3", "u", "n", "stream", "stream.C",
     "stream.E[LG]", "stream(times=all)", "stream(empty=skip)", "pyramid(n=2)", "classic-pyramid",
     "classic-pyramid.comprehensive", "nuggets.all_lenient", "crisis", "crisis.redundancy",
     "assessed", "auto-stream(match=rouge-1,threshold=0.3)"],
)  # fmt: skip
def test_causes_add_up_to_the_difference_where_outputs_are_empty(text: str) -> None:
    collection, runs = random_corpus(3)
    assert any(not run.outputs[topic] for run in runs for topic in collection.topics)
    for rule in ("mean", "micro", *(["of-means"] if text == "assessed" else [])):
        how = chronoscore.Resampling(rule=rule)
        result = chronoscore.score(runs, collection, text, resampling=how)
        found = result.diff("a", "b").data
        assert sum(cause.share for cause in found.causes) == pytest.approx(found.difference)
        assert found.sentence.endswith(".")
        for topic in found.topics:
            assert sum(topic.causes.values()) == pytest.approx(topic.difference)
        back = result.diff("b", "a").data
        for one, other in zip(found.causes, back.causes, strict=True):
            assert one.share == pytest.approx(-other.share, abs=1e-12)


def reached(result: chronoscore.ScoreResult, measure: str, system: str) -> dict[str, float]:
    return {one.cause: one.value for one in result.losses(measure).data.what_if[system]}


def test_no_more_missed_events_is_the_recall_of_a_run_that_has_them_too() -> None:
    collection, runs = random_corpus(4)
    linked: dict[str, Topic] = {}
    for name, topic in collection.topics.items():
        assert topic.judgements is not None
        known = {link.event for link in topic.judgements.kept}
        events = tuple(event for event in topic.judgements.events if event.id in known)
        if events:
            linked[name] = replace(topic, judgements=replace(topic.judgements, events=events))
    poor = Run("poor", {name: runs[0].outputs[name] for name in linked})
    rich = Run("rich", {})
    for name, topic in linked.items():
        assert topic.judgements is not None
        output = poor.outputs[name]
        assert isinstance(output, Ranking)
        more = [Selection(link.sentence, -1.0, 0.0) for link in topic.judgements.kept]
        rich.outputs[name] = Ranking((*output.selections, *more))  # type: ignore[index]
    result = chronoscore.score([poor, rich], Collection(linked), "nu.recall")
    assert result["rich", "nu.recall"].value == 1.0
    assert reached(result, "nu.recall", "poor")["missed_events"] == pytest.approx(1.0)


def test_nothing_late_is_the_score_of_a_stream_that_is_on_time() -> None:
    """Each update tells one nugget at most, so that no gain sets off what is late."""
    collection, late = timed_topics(random.Random(2))
    on_time = Run("on time", {})
    for name, topic in collection.topics.items():
        assert topic.judgements is not None
        known = {event.id: event.time for event in topic.judgements.events}
        when = {link.sentence: known[link.event] for link in topic.judgements.kept}
        output = late.outputs[name]
        assert isinstance(output, Ranking)
        moved = [one._replace(time=when.get(one.sentence, one.time)) for one in output.selections]
        on_time.outputs[name] = Ranking(tuple(moved))  # type: ignore[index]
    for text in ("stream", "stream.LC", "stream.nE[LG]", "stream.E[LG]"):
        result = chronoscore.score([late, on_time], collection, text)
        figure = result["on time", text if "." in text else "stream.H"].value
        assert figure > result["late", text if "." in text else "stream.H"].value
        assert reached(result, text, "late")["late"] == pytest.approx(figure)


def timed_topics(rng: random.Random) -> tuple[Collection, Run]:
    """Topics of random pairs with one nugget of importance 3 for each linked sentence."""
    topics, outputs = {}, {}
    for topic, _ in random_judged_pairs(9, 5, 1):
        judged = topic.judgements
        assert judged is not None
        events = tuple(
            Event(f"n{n}", "one two", 3600.0 * n, 3.0) for n in range(len(judged.sentences) - 1)
        )
        links = tuple(
            Link(sentence=sentence, event=event.id)
            for sentence, event in zip(judged.sentences, events, strict=False)
        )
        own = replace(topic, judgements=replace(judged, events=events, links=links))
        topics[topic.id] = own
        ranking = random_ranking(rng, own)
        late = [one._replace(time=1e5 + rng.random()) for one in ranking.selections]
        outputs[topic.id] = Ranking(tuple(late))
    return Collection(topics), Run("late", outputs)


def test_no_more_missed_units_is_the_score_of_a_choice_that_has_them_too() -> None:
    collection, runs = random_corpus(6)
    full = Run("full", {})
    for name, topic in collection.topics.items():
        assert topic.pyramid is not None
        output = runs[0].outputs[name]
        assert isinstance(output, Ranking)
        chosen = {one.event for one in output.selections}
        missed = [
            anchor.id
            for unit in topic.pyramid.units
            if not chosen & {anchor.id for anchor in unit.group.anchors}
            for anchor in unit.group.anchors
        ]
        more = [Selection("", 1.0, event=anchor) for anchor in missed]
        full.outputs[name] = Ranking((*output.selections, *more))  # type: ignore[index]
    result = chronoscore.score([runs[0], full], collection, "pyramid")
    figure = result["full", "pyramid.score"].value
    assert reached(result, "pyramid", "a")["missed_units"] == pytest.approx(figure)


@pytest.mark.parametrize(
    "text", ["nu.recall", "nu(weight=importance).recall", "nu@3.recall", "stream.C", "crisis",
             "pyramid", "nuggets.all_strict", "nuggets.all_lenient", "nuggets.vital_lenient"],
)  # fmt: skip
def test_what_events_earn_in_all_is_the_difference_of_recall(text: str) -> None:
    """Where recall is the share of what events are worth, with nothing beyond."""
    collection, runs = random_corpus(3)
    result = chronoscore.score(runs, collection, text)
    account = account_of(*result.column(text))
    told = ToldEvents.of(collection, runs, account).find("a", "b", most=10**6)
    found = result.diff("a", "b").data
    assert {event.topic for event in told}
    assert found.events == told[: len(found.events)]
    for topic in found.topics:
        summed = sum(event.difference for event in told if event.topic == topic.topic)
        assert summed == pytest.approx(topic.difference, abs=1e-12)


def test_events_are_shown_with_their_texts_and_what_became_of_them() -> None:
    collection, runs = demo_streams()
    found = chronoscore.score(runs, collection, "nu@5").diff("careful", "random")
    first = found.data.events[0]
    assert (first.event, first.text[:11]) == ("dam-e02", "Muddy water")
    assert (first.a.what, first.a.where, first.b.what) == ("late", "rank 6", "told")
    text = found.render("table")
    assert "events where they differ most" in text
    assert "B: told, rank 5" in text
    assert {"event"} <= {row["row"] for row in found.rows()}
    assert "Low Athery" in found.render("html")


def test_the_demo_is_explained_from_its_judgements() -> None:
    collection, runs = demo_streams()
    result = chronoscore.score(runs, collection, "nu@10")
    found = result.diff("careful", "random")
    assert found.sentence.startswith("random is behind careful by ")
    names = {cause.name: cause for cause in found.data.causes}
    assert names["missed_events.untold"].share > 0
    assert "events missed" in found.render("table")
    assert "of the sentences retrieved" in result.losses().render("table")


@pytest.mark.slow
def test_real_streams_are_accounted_for_and_the_longer_one_is_told_why(
    data: Path, tmp_path: Path
) -> None:
    folder = data / "trec-ts-2014"
    lines = gzip.decompress((folder / "cunlp-updates.ssv.gz").read_bytes()).decode().splitlines()
    two = tmp_path / "two.ssv"
    two.write_text("".join(f"{line}\n" for line in lines if " 3AP " not in line))
    result = chronoscore.score(two, None, ["stream", "nu"], judgements=folder)
    assert result["cunlp-2APSal", "stream.H"].value == pytest.approx(0.1162, abs=5e-5)
    for measure in ("stream.H", "nu.f"):
        found = result.diff("cunlp-2APSal", "cunlp-1APSalRed", measure).data
        assert sum(cause.share for cause in found.causes) == pytest.approx(found.difference)
        assert "that nobody judged" in found.sentence
    account = result.losses("stream.H").data
    for side in account.account.sides:
        parts = (side.good, *side.groups, side.empty)
        total = sum(account["cunlp-2APSal", part].value for part in parts)
        assert total == pytest.approx(1.0, abs=1e-12)
