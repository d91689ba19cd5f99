"""Oracles of timelines: bound and attained score, against brute force where it is small."""

import random
import warnings
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

from chronoscore import demo
from chronoscore.core import Timeline, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.dates.when import When
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora import collections
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.oracles.days import Days
from chronoscore.oracles.shares import has_ceiling
from chronoscore.oracles.timeline_search import ReferenceSearch
from chronoscore.oracles.timelines import Shape, timeline_bound, timeline_oracles

WORDS = ("dam", "rain", "flood", "town", "river", "bridge", "mayor", "boat")


def small(seed: int, sentences: int = 2, words: int = 4) -> Topic:
    """Few days with few sentences, and a reference of two or three days."""
    rng = random.Random(seed)

    def said() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, words)))

    documents = tuple(
        Document(
            id=f"a{day}",
            when=When.day(2031, 3, day),
            sentences=tuple(Sentence(f"a{day}-{n}", said()) for n in range(sentences)),
        )
        for day in rng.sample(range(1, 9), 4)
    )
    days = rng.sample(range(1, 9), rng.randint(2, 3))
    reference = Timeline.of([(f"2031-03-{day:02}", [said(), said()]) for day in days])
    return Topic(id=f"t{seed}", timelines=(reference,), documents=documents)


def scored(measure: Measure, topic: Topic, timeline: Timeline) -> float:
    if not len(timeline):
        return 0.0
    values = measure.values(measure.tally([(topic, timeline)]))
    return float(values[0, measure.parts.index(measure.part or "f")])


def highest(measure: Measure, topic: Topic, per_date: int) -> float:
    """The best score of any timeline with as many dates as the reference."""
    days = {
        str(document.when): [
            [sentence.text for sentence in chosen]
            for many in range(1, per_date + 1)
            for chosen in permutations(document.sentences, many)
        ]
        for document in topic.documents
    }
    timelines = [
        Timeline.of(list(zip(dates, texts, strict=True)))
        for many in range(1, max(map(len, topic.timelines)) + 1)
        for dates in combinations(sorted(days), many)
        for texts in product(*(days[date] for date in dates))
    ]
    values = measure.values(measure.tally([(topic, timeline) for timeline in timelines]))
    return float(values[:, measure.parts.index(measure.part or "f")].max())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["agreement", "align", "align.r", "align+", "align(n=2)"])
def test_the_best_of_all_timelines_lies_between_value_and_bound(text: str) -> None:
    measure = parse_measure_text(text)
    reached = 0
    for seed in range(8):
        topic = small(seed)
        best = highest(measure, topic, 2)
        try:
            (found,) = timeline_oracles(topic, measure, sentences=2)
        except DataError:
            assert best == 0, seed
            reached += 1
            continue
        assert found.value <= best + 1e-9, seed
        assert found.bound >= best - 1e-9, seed
        assert found.bound >= found.value
        assert scored(measure, topic, found.timeline) == found.value
        reached += found.value == pytest.approx(best)
    assert reached >= 6


@pytest.mark.slow
@pytest.mark.parametrize("text", ["align+m1", "align+m1.r"])
def test_many_to_one_has_a_bound_of_its_own(text: str) -> None:
    measure = parse_measure_text(text)
    for seed in range(8):
        topic = small(seed)
        (found,) = timeline_oracles(topic, measure, sentences=2)
        best = highest(measure, topic, 2)
        assert found.value <= best + 1e-9, seed
        assert found.bound >= best - 1e-9, seed


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "jackknife", "precision=literal", "precision=floor"])
@pytest.mark.parametrize(
    "text", ["agreement", "align", "align+", "align+m1", "align{n=2}", "align+{n=3}", "align+m1.r"]
)
def test_no_timeline_exceeds_the_bound_for_several_references(text: str, options: str) -> None:
    name, part = (text.removesuffix(".r"), ".r") if text.endswith(".r") else (text, "")
    name, _, more = name.partition("{")
    listed = ",".join(one for one in (more.removesuffix("}"), options) if one)
    measure = parse_measure_text(f"{name}({listed}){part}")
    for seed in range(4):
        topic = small(seed)
        others = [small(100 * seed + number).timelines[0] for number in range(1, 2 + seed % 2)]
        topic = replace(topic, timelines=(*topic.timelines, *others))
        dates = max(map(len, topic.timelines))
        bound = timeline_bound(topic, measure, Shape(dates, 2))
        assert bound >= highest(measure, topic, 2) - 1e-9, seed


@pytest.mark.slow
def test_every_day_is_given_the_partner_that_is_worth_most() -> None:
    measure = parse_measure_text("align+m1")
    assert isinstance(measure, AlignmentMeasure)
    for seed in range(20):
        topic = small(seed, 6, 3)
        search = ReferenceSearch(topic, measure, Days(topic, measure, 2), 3)
        weights = search.weights()
        height, width = weights.shape
        prices = np.full_like(weights, 0.1)
        worths = np.array(
            [
                [search.solve_pair(wanted, day, weights, prices).promise for day in range(width)]
                for wanted in range(height)
            ]
        )
        for by_day in (False, True):
            best = worths.max(axis=0 if by_day else 1)
            plan = search.best_partners(weights, prices, by_day=by_day)
            assert sorted(plan) == [row for row, worth in enumerate(best) if worth > 0]
            for row, (_, worth) in plan.items():
                assert worth.promise == pytest.approx(best[row])


def test_agreement_has_no_gap() -> None:
    for seed in range(8):
        topic = small(seed)
        (found,) = timeline_oracles(topic, parse_measure_text("agreement"), sentences=2)
        best = highest(parse_measure_text("agreement"), topic, 2)
        assert found.value == pytest.approx(best)
        assert found.bound == pytest.approx(best)


def test_a_timeline_has_no_more_dates_and_sentences_than_it_may() -> None:
    (topic,) = (t for t in collections.load(demo.CORPUS, Timeline) if t.id == "theft")
    for found in timeline_oracles(topic, parse_measure_text("align.r"), dates=4, sentences=2):
        assert len(found.timeline) <= 4
        assert all(len(entry.sentences) <= 2 for entry in found.timeline)


@pytest.mark.slow
def test_no_demo_system_made_of_sentences_beats_the_bound() -> None:
    from chronoscore.formats.timelines import timeline_files

    for topic in collections.load(demo.CORPUS, Timeline):
        lead = timeline_files.load(demo.RUNS / "lead" / "timelines" / f"{topic.id}.txt")
        most = max(len(entry.sentences) for entry in lead)
        oracles = timeline_oracles(
            topic, parse_measure_text("align+.f"), dates=len(lead), sentences=most
        )
        for reference, found in zip(topic.timelines, oracles, strict=True):
            lone = replace(topic, timelines=(reference,))
            assert scored(parse_measure_text("align+.f"), lone, lead) <= found.bound
            assert found.gap >= 0


@pytest.mark.slow
def test_the_bound_is_reached_on_most_real_topics(data: Path) -> None:
    with warnings.catch_warnings():
        # Some articles have no text, which loading tells.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        loaded = collections.load(data / "timeline17" / "articles", Timeline)
    topics = [topic for topic in loaded if topic.id in ("H1N1_guardian", "haiti_bbc")]
    found = [
        one for topic in topics for one in timeline_oracles(topic, parse_measure_text("align.f"))
    ]
    assert all(one.bound >= one.value for one in found)
    assert sum(one.bound - one.value < 1e-9 for one in found) >= len(found) / 2


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        (replace(small(1), timelines=()), "no reference timeline"),
        (replace(small(1), timelines=(Timeline.of({}),)), "is empty"),
        (replace(small(1), timelines=(Timeline.of({"2031-03-01": "of the"}),)), "no words that"),
        (replace(small(1), timelines=(Timeline.of({"2031-03-01": "fire"}),)), "matches reference"),
        (
            replace(small(1), documents=(Document(id="a", sentences=(Sentence("1", "dam"),)),)),
            "no document has a date",
        ),
    ],
)
def test_what_has_no_dates_or_words_is_refused(topic: Topic, said: str) -> None:
    with pytest.raises(DataError, match=said):
        list(timeline_oracles(topic, parse_measure_text("align")))


@pytest.mark.parametrize("text", ["concat", "align.p", "align(over=l)", "align(limit=50w)"])
def test_measures_without_an_oracle_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        list(timeline_oracles(small(1), parse_measure_text(text)))


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ("align+(similarity=tfidf)", "compares days by their words"),
        ("align+m1(similarity=embed)", "compares days by their words"),
        ("align+(credit=similarity)", "counts runs of words"),
        ("pairs", "has no oracle of timelines"),
    ],
)
def test_an_oracle_of_similarity_is_refused(measure: str, reason: str) -> None:
    topic = Topic(id="dam", timelines=(Timeline.of({"2010-01-01": "The dam broke."}),))
    with pytest.raises(UsageError, match=reason):
        timeline_bound(topic, parse_measure_text(measure), Shape(1, 1))
    assert not has_ceiling(parse_measure_text(measure))
