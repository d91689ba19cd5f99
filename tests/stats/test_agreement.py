"""Agreement of judges of a stream, the corpus tables and the halves, against the judging paper."""

import time
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import Event, Judgements, Link, Story
from chronoscore.errors import DataError
from chronoscore.stats.agreement import annotation_seconds, mean_jaccard_index, stream_agreement
from chronoscore.stats.corpora import (
    Characteristics,
    TopicSize,
    average_topic_sizes,
    balanced_halves,
    best_by_swaps,
    corpus_characteristics,
    imbalance,
    scaled_features,
    topic_size,
)
from stats.paper_tables import REFUSED, TOPICS, TORNADOES


def judged(marks: dict[str, dict[str, tuple[str, bool]]], **more: Any) -> Judgements:
    """Events with their sentences: who marked them (letters a and b) and whether they stayed."""
    sentences = dict.fromkeys(sentence for links in marks.values() for sentence in links)
    return Judgements(
        sentences=tuple(more.pop("sentences", sentences)),
        events=tuple(Event(name) for name in marks),
        links=tuple(
            Link(sentence=sentence, event=event, marked_by=tuple(who), kept=kept)
            for event, links in marks.items()
            for sentence, (who, kept) in links.items()
        ),
        **more,
    )


def test_acceptance_is_not_agreement() -> None:
    (event,) = stream_agreement("t", judged({"e": {"s1": ("a", True), "s2": ("b", True)}})).events
    assert event.acceptance == 1
    assert event.jaccard == 0


def test_acceptance_overlap_and_additions_are_told_apart() -> None:
    marks = {"s1": ("ab", True), "s2": ("a", False), "s3": ("b", True), "s4": ("", True)}
    found = stream_agreement("t", judged({"e": marks}))
    (event,) = found.events
    assert (event.sentences, event.marked, event.accepted, event.added) == (3, 3, 2, 1)
    assert event.acceptance == pytest.approx(2 / 3)
    assert event.jaccard == pytest.approx(1 / 3)
    assert (found.added, found.undefined, found.judges) == (1, 0, ("a", "b"))
    # Where no link names a judge, nobody knows whose addition it is.
    nameless = stream_agreement("t", judged({"e": {"s1": ("", True), "s2": ("", True)}}))
    assert (nameless.judges, nameless.added, nameless.events[0].sentences) == ((), 0, 2)


def test_an_event_that_nobody_marked_is_left_out_and_counted() -> None:
    found = stream_agreement("t", judged({"e": {"s1": ("ab", True)}, "f": {"s2": ("", True)}}))
    assert found.acceptance == 1
    assert found.undefined == 1
    assert found.added == 1
    assert np.isnan(found.events[1].acceptance)


def test_joined_parts_of_a_sentence_count_as_one() -> None:
    links = {"s1": ("a", True), "s2": ("b", True)}
    judgements = judged({"e": links}, joined={"s2": "s1"})
    (event,) = stream_agreement("t", judgements).events
    assert (event.marked, event.jaccard) == (1, 1)
    assert topic_size("t", judgements).sentences == 1


def tornadoes() -> Judgements:
    """Topic 20021 as the paper's Table 2 shows it."""
    marks: dict[str, dict[str, tuple[str, bool]]] = {}
    for event, count in TORNADOES.items():
        links = {f"{event}-{n}": ("ab", True) for n in range(count)}
        links |= {f"{event}-no{n}": ("a", False) for n in range(REFUSED.get(event, 0))}
        marks[f"e{event}"] = links
    return judged(marks)


def test_table_2s_topic_has_the_agreement_that_table_1_prints() -> None:
    found = stream_agreement("20021", tornadoes())
    assert [event.sentences for event in found.events] == list(TORNADOES.values())
    assert [f"{event.acceptance:.2f}" for event in found.events][2:5] == ["0.97", "1.00", "0.80"]
    assert found.acceptance == pytest.approx(497 / 510)
    assert f"{found.acceptance:.2f}" == "0.97"
    pooled = sum(e.accepted for e in found.events) / sum(e.marked for e in found.events)
    assert f"{pooled:.2f}" == "0.99"


def test_table_1s_last_row_is_the_plain_mean_over_topics() -> None:
    sizes = [
        TopicSize(topic=t, stories=s, events=e, sentences=0, hours=h, acceptance=a)
        for t, (s, e, h, a) in TOPICS.items()
    ]
    row = average_topic_sizes(sizes)
    assert (row.stories, row.events) == (39.75, 12.75)
    assert f"{row.hours:.2f} {row.acceptance:.2f}" == "2.88 0.86"


@pytest.mark.parametrize(
    ("totals", "printed"),
    [
        ((11, 474, 162, 8043), "43.1 14.7 731.2 16.968"),
        ((11, 470, 181, 9006), "42.7 16.5 818.7 19.162"),
        ((22, 944, 343, 17049), "42.9 15.6 775.0 18.060"),
    ],
)
def test_table_3s_figures_are_ratios_of_totals(totals: Any, printed: str) -> None:
    topics, stories, events, sentences = totals
    row = Characteristics(topics=topics, stories=stories, events=events, sentences=sentences)
    assert printed == (
        f"{row.stories_per_topic:.1f} {row.events_per_topic:.1f} "
        f"{row.sentences_per_topic:.1f} {row.sentences_per_story:.3f}"
    )


def test_table_3s_columns_add_up() -> None:
    parts = [
        TopicSize(topic="training", stories=474, events=162, sentences=8043),
        TopicSize(topic="test", stories=470, events=181, sentences=9006),
    ]
    whole = corpus_characteristics(parts)
    assert (whole.stories, whole.events, whole.sentences) == (944, 343, 17049)


def test_sentences_of_no_one_and_several_events_are_pooled() -> None:
    marks = {
        "e": {"s1": ("ab", True), "s2": ("ab", True), "s3": ("a", False)},
        "f": {"s2": ("b", True)},
    }
    stories = (Story(id="x", time=50.0), Story(id="y", time=20.0))
    size = topic_size("t", judged(marks, sentences=["s1", "s2", "s3", "s4"], stories=stories))
    assert (size.off, size.single, size.multi) == (2, 1, 1)
    assert (size.stories, size.start) == (2, 20.0)
    assert corpus_characteristics([size]).shares == (0.5, 0.25, 0.25)


@pytest.mark.parametrize(
    ("moments", "seconds"), [([], 0), ([7], 0), ([0, 10, 310], 310), ([900, 0, 100], 400)]
)
def test_time_is_the_sum_of_gaps_none_longer_than_five_minutes(
    moments: list[float], seconds: float
) -> None:
    assert annotation_seconds(moments) == seconds


def test_three_judges_overlap_pair_by_pair() -> None:
    assert mean_jaccard_index([{"a"}, {"a"}, {"b"}]) == pytest.approx(1 / 3)
    assert np.isnan(mean_jaccard_index([{"a"}]))
    assert np.isnan(mean_jaccard_index([set(), set()]))


sizes_strategy = st.lists(
    st.tuples(*[st.integers(1, 9)] * 3, st.one_of(st.none(), st.integers(0, 5))),
    min_size=2,
    max_size=8,
).map(
    lambda rows: [
        TopicSize(topic=f"t{n}", stories=a, events=b, sentences=c, start=d)
        for n, (a, b, c, d) in enumerate(rows)
    ]
)


@given(sizes_strategy)
def test_the_halves_are_the_first_of_the_best_by_trying_all(sizes: list[TopicSize]) -> None:
    features = scaled_features(sizes)
    found = balanced_halves(sizes)
    everything = range(len(sizes))
    best: tuple[float, tuple[int, ...]] | None = None
    for count in {len(sizes) // 2, len(sizes) - len(sizes) // 2}:
        for chosen in combinations(everything, count):
            inside = np.array([n in chosen for n in everything])
            score = float(imbalance(features, inside[np.newaxis])[0])
            if 0 in chosen and (best is None or score < best[0] - 1e-12):
                best = (score, chosen)
    assert best is not None
    assert found.imbalance == pytest.approx(best[0], abs=1e-9)
    assert found.exact
    assert found.training[0] == "t0"
    assert sorted(found.training + found.test) == [size.topic for size in sizes]


@given(sizes_strategy, st.randoms())
def test_the_halves_do_not_depend_on_the_order_of_topics(
    sizes: list[TopicSize], random: Any
) -> None:
    shuffled = list(sizes)
    random.shuffle(shuffled)
    assert balanced_halves(shuffled) == balanced_halves(sizes)


def test_of_equal_splits_the_one_with_the_earlier_names_is_taken() -> None:
    alike = [TopicSize(topic=t, stories=1, events=1, sentences=1) for t in "dcba"]
    assert balanced_halves(alike).training == ("a", "b")


def corpus(count: int) -> list[TopicSize]:
    generator = np.random.default_rng(5)
    return [
        TopicSize(topic=f"t{n:03}", stories=s, events=e, sentences=17 * s, start=float(90 * n))
        for n, (s, e) in enumerate(generator.integers(5, 60, (count, 2)).tolist())
    ]


@pytest.mark.slow
def test_twenty_four_topics_are_tried_in_every_way() -> None:
    before = time.process_time()
    found = balanced_halves(corpus(24))
    assert time.process_time() - before < 10
    assert found.exact
    assert len(found.training) == len(found.test) == 12
    assert found.imbalance < 1e-4


def test_beyond_that_swaps_come_close_to_the_best() -> None:
    found = balanced_halves(corpus(61))
    assert not found.exact
    assert sorted((len(found.training), len(found.test))) == [30, 31]
    assert found.imbalance < 1e-3
    features = scaled_features(corpus(20))
    swapped = imbalance(features, best_by_swaps(features)[np.newaxis])[0]
    assert swapped < 20 * balanced_halves(corpus(20)).imbalance + 1e-3


@given(st.integers(25, 40))
def test_swaps_keep_halves_of_the_same_size(count: int) -> None:
    inside = best_by_swaps(scaled_features(corpus(count)))
    assert abs(2 * int(inside.sum()) - count) <= 1
    assert inside[0]


def test_one_topic_has_no_halves() -> None:
    with pytest.raises(DataError, match="a corpus of 1 topic cannot be halved"):
        balanced_halves(corpus(1))
