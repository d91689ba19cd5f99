"""The systems on real topics, and the TimeML of real articles."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chronoscore.core import Collection, Run, Timeline
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import inputs, timeml
from chronoscore.measures import parse_measure_text
from chronoscore.scoring import score
from chronoscore.systems import parse_system
from chronoscore.systems.projection import projection_effect, split_topic_for_classy
from chronoscore.systems.units import BASELINES, UnitBaseline, article_of

# Real topics have empty articles, which is reported.
pytestmark = pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")


@pytest.fixture(scope="module")
def topics(data: Path) -> Collection:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return inputs.load_reference_files(
            [data / "timeline17" / "articles"], Timeline, documents=True
        )


@pytest.mark.slow
def test_datewise_finds_more_dates_than_pubcount_and_both_beat_random(topics: Collection) -> None:
    names = ["datewise", "pubcount", *(f"random(seed={seed})" for seed in range(1, 11))]
    runs = [Run(name, {one.id: parse_system(name)(one) for one in topics}) for name in names]
    measures = [parse_measure_text("align+m1(n=1)"), parse_measure_text("dates")]
    found = score(topics, runs, measures)
    for measure in measures:
        figures = found.values(measure)[..., 2].mean(axis=1)
        assert min(figures[:2]) > figures[2:].mean(), measure
    # Three topics cannot tell the two apart by their texts, but they can by their dates.
    assert figures[0] > figures[1]
    # Published over 19 timelines: .120 for datewise, .198 for an oracle of text alone.
    assert 0.1 < found.values(measures[0])[0, :, 2].mean() < 0.25


KEYWORDS = {
    "bpoil_bbc": ("bp", "oil", "spill"),
    "haiti_bbc": ("haiti", "quake", "earthquake"),
    "H1N1_guardian": ("h1n1", "swine", "flu"),
}


@pytest.mark.slow
def test_chieu_lee_is_shorter_than_random_and_better_at_equal_length(topics: Collection) -> None:
    narrowed = [replace(topic, keywords=KEYWORDS[topic.id]) for topic in topics]
    chosen = {one.id: parse_system("chieu-lee")(one) for one in narrowed}
    wanted = {one.id: parse_system("random")(one) for one in narrowed}
    runs = [Run("chieu-lee", chosen), Run("random", wanted)]
    for seed in range(1, 11):
        outputs = {}
        for one in narrowed:
            made = chosen[one.id]
            assert isinstance(made, Timeline)
            like = f"random(seed={seed},dates={len(made)},sentences=1)"
            outputs[one.id] = parse_system(like)(one)
        runs.append(Run(f"random {seed}", outputs))
    measure = parse_measure_text("align+m1")
    figures = score(topics, runs, [measure]).values(measure)[..., 2].mean(axis=1)
    assert figures[2:].mean() < figures[0] < figures[1]


@pytest.mark.slow
def test_projection_lowers_what_was_known_but_not_beyond_chance(topics: Collection) -> None:
    splits, days = [], []
    for topic in topics:
        told = [str(when) for when in topic.timelines[0].dates]
        chosen = [told[round(len(told) * share)] for share in (1 / 3, 1 / 2, 2 / 3)]
        splits += split_topic_for_classy(topic, chosen)
        days += chosen
    effect = projection_effect(splits, at=days, words=500)
    # Nine splits of three topics cannot tell either change from chance.
    assert effect.change[0] < 0
    assert (effect.low < 0).all()
    assert (effect.high > 0).all()


def test_every_baseline_chooses_as_many_events_as_asked_for(data: Path) -> None:
    files = sorted((data / "history-timeml").glob("*.tml"))
    assert len(files) == 10
    lengths = []
    for file in files:
        article = article_of(timeml.load(file))
        lengths.append(len(article.sections))
        for number in BASELINES:
            system = parse_system(f"units-{number}").with_parameters(n=25)
            assert isinstance(system, UnitBaseline)
            if system.dated and article.dated_events < 25:
                continue
            found = system.select(article)
            extra = 0 if system.item == "event" else 20
            assert 25 <= len(found) <= 25 + extra or article.events < 25
            assert len({one.event for one in found}) == len(found)
    assert np.mean(lengths) > 2
