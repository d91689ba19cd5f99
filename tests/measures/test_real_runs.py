"""Baselines on real corpora, with the figures that the documentation quotes."""

from pathlib import Path

import numpy as np
import pytest

from chronoscore.core import (
    Anchor,
    Collection,
    ContentUnit,
    Group,
    Place,
    Pyramid,
    Ranking,
    Run,
    Selection,
    Topic,
)
from chronoscore.formats.corpora import meantime, timeml
from chronoscore.measures import parse_measure_text
from chronoscore.measures.streams.curves import precision_recall_curves
from chronoscore.measures.streams.events import Nu
from chronoscore.measures.units.pyramid import breakdown_by_unit
from chronoscore.scoring import score
from chronoscore.text.sentences import sentences_in


def lead(topic: Topic) -> Ranking:
    """First sentences of all stories, then second ones, stories in order of time.

    In MEANTIME a story's headline and date line are its sentences 0 and 1; they come last.
    """
    assert topic.judgements is not None
    placed = [
        (place if place > 1 else 1000 + place, number, sentence)
        for number, story in enumerate(topic.judgements.stories)
        for place, sentence in enumerate(story.sentences)
    ]
    return Ranking(tuple(Selection(s, -n) for n, (_, _, s) in enumerate(sorted(placed))))


def shuffled(topic: Topic, seed: int) -> Ranking:
    assert topic.judgements is not None
    order = np.random.default_rng(seed).permutation(len(topic.judgements.sentences))
    return Ranking(
        tuple(
            Selection(topic.judgements.sentences[place], -n)
            for n, place in enumerate(order.tolist())
        )
    )


@pytest.fixture(scope="module")
def news(data: Path) -> Collection:
    return meantime.load(data / "meantime")


def runs(news: Collection) -> list[Run]:
    return [
        Run("lead", {topic.id: lead(topic) for topic in news}),
        *(
            Run(f"random {seed}", {topic.id: shuffled(topic, seed) for topic in news})
            for seed in range(100)
        ),
    ]


@pytest.mark.slow
def test_lead_and_random_on_meantime(news: Collection) -> None:
    measures = [
        parse_measure_text("nu@50"),
        parse_measure_text("nu(strict)@50"),
        parse_measure_text("u@50"),
    ]
    scores = score(news, runs(news), measures)
    means = [scores.average(measure)[:, :2] for measure in measures]
    assert [mean[0].round(3).tolist() for mean in means] == [
        [0.332, 3.625],
        [0.332, 0.99],
        [0.203, 1.0],
    ]
    assert [mean[1:].mean(axis=0).round(3).tolist() for mean in means] == [
        [0.133, 1.452],
        [0.133, 0.55],
        [0.112, 0.557],
    ]


@pytest.mark.slow
def test_the_curves_of_lead_and_random_on_meantime(news: Collection) -> None:
    found = precision_recall_curves(news, runs(news), Nu(strict=True)).average()
    expected = [1.0, 1.0, 0.996, 0.992, 0.992, 0.988, 0.985, 0.983, 0.789, 0.632, 0.511]
    assert found[0].round(3).tolist() == expected
    expected = [0.868, 0.607, 0.576, 0.56, 0.549, 0.539, 0.53, 0.521, 0.514, 0.507, 0.497]
    assert found[1:].mean(axis=0).round(3).tolist() == expected


# A small pyramid of ours: what three invented writers might have found worth a line each. The
# shares are ours too; the tagger's events are named by their numbers.
UNITS: dict[str, tuple[str, list[tuple[str | list[str], float]]]] = {
    "the plague breaks out in Asia": ("12", [("e8", 1.0), ("e22", 0.5)]),
    "it comes to the Crimea": ("123", [(["e10", "e41"], 1.0)]),
    "Caffa's besiegers throw corpses over the walls": ("23", [("e43", 1.0), ("e44", 0.5)]),
    "ships bring it to Sicily": ("123", [("e59", 1.0), ("e60", 0.5), ("e46", 0.7)]),
    "Genoa and Venice catch it": ("12", [("e62", 1.0)]),
    "Marseille catches it": ("3", [("e64", 1.0)]),
    "it strikes western Europe": ("123", [("e66", 1.0), ("e65", 0.3), ("e49", 0.3)]),
    "Germany and Scandinavia follow": ("13", [("e68", 1.0), (["e69", "e70"], 0.5)]),
    "it comes to Russia": ("1", [("e72", 1.0)]),
    "it comes to Alexandria": ("23", [("e79", 1.0)]),
    "Mecca catches it": ("1", [("e86", 1.0)]),
    "famine and plague hit China": ("2", [("e29", 0.5), ("e30", 0.5), ("e32", 0.5)]),
    "Yemen catches it": ("3", [("e90", 1.0)]),
}
ASKED = 8


@pytest.fixture(scope="module")
def history(data: Path) -> tuple[timeml.TaggedText, Topic]:
    path = data / "history-timeml" / "Black_Death-en.ascii.TE3input.tml"
    tagged = timeml.load(path)
    anchors = {
        event.id: anchor for event, anchor in zip(tagged.events, tagged.anchors, strict=True)
    }

    def member(name: str | list[str]) -> Anchor | Group:
        if isinstance(name, str):
            return anchors[name]
        return Group(members=tuple((anchors[inner], 1.0) for inner in name))

    units = tuple(
        ContentUnit(
            id=f"u{number}",
            writers=frozenset(writers),
            group=Group(members=tuple((member(name), share) for name, share in members)),
            text=text,
        )
        for number, (text, (writers, members)) in enumerate(UNITS.items(), 1)
    )
    places = {
        f"{tagged.id}-s{n}": Place(tagged.id, span.start, span.end)
        for n, span in enumerate(sentences_in(tagged.text), 1)
    }
    pyramid = Pyramid(units, writers=("1", "2", "3"), places=places, length=ASKED)
    return tagged, Topic(id=tagged.id, pyramid=pyramid)


def chosen_events(tagged: timeml.TaggedText, events: list[timeml.TaggedEvent]) -> Ranking:
    return Ranking(tuple(Selection("", event=f"{tagged.id}-{event.id}") for event in events))


def sentences_with_events(tagged: timeml.TaggedText, topic: Topic, *, dated: bool) -> Ranking:
    """Sentences from the top, with a date if asked, until they hold as many events as asked."""
    assert topic.pyramid is not None
    picked: list[Selection] = []
    held = 0
    for name, place in topic.pyramid.places.items():
        inside = [e for e in tagged.events if place.start <= e.start and e.end <= place.end]
        has_date = any(place.start <= t.start < place.end for t in tagged.times)
        if held < ASKED and inside and (has_date or not dated):
            picked.append(Selection(name))
            held += len(inside)
    return Ranking(tuple(picked))


IDEAL = ("e8", "e10", "e43", "e59", "e62", "e66", "e68", "e79")


def test_a_small_pyramid_over_a_tagged_article(
    history: tuple[timeml.TaggedText, Topic],
) -> None:
    tagged, topic = history
    assert topic.pyramid is not None
    assert topic.pyramid.weights == (3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1)
    ideal = [event for event in tagged.events if event.id in IDEAL]
    outputs = {
        "first events": chosen_events(tagged, list(tagged.events[:ASKED])),
        "last events": chosen_events(tagged, list(tagged.events[-ASKED:])),
        "first sentences": sentences_with_events(tagged, topic, dated=False),
        "first dated sentences": sentences_with_events(tagged, topic, dated=True),
        "all sentences": Ranking(tuple(map(Selection, topic.pyramid.places))),
        "by hand": chosen_events(tagged, ideal),
    }
    system_runs = [Run(name, {topic.id: output}) for name, output in outputs.items()]
    measure = parse_measure_text("pyramid")
    scores = score(Collection({topic.id: topic}), system_runs, [measure])
    earned = scores.tallies[measure][:, 0, 0]
    assert dict(zip(outputs, earned.round(6).tolist(), strict=True)) == {
        "first events": 2.0,
        "last events": 2.0,
        "first sentences": 5.0,
        "first dated sentences": 5.0,
        "all sentences": 24.0,
        "by hand": 19.0,
    }
    assert set(scores.tallies[measure][:, 0, 1]) == {19.0}


def test_the_breakdown_of_the_first_sentences(history: tuple[timeml.TaggedText, Topic]) -> None:
    tagged, topic = history
    assert topic.pyramid is not None
    rows = breakdown_by_unit(topic.pyramid, sentences_with_events(tagged, topic, dated=False))
    assert [(unit.unit, unit.score) for unit in rows if unit.score] == [("u2", 1.0), ("u1", 1.0)]
    assert [unit.text for unit in rows if unit.missed == 3] == [
        "ships bring it to Sicily",
        "it strikes western Europe",
    ]
