"""What every measure must do: one small collection for each kind of output, and the checks."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from chronoscore.core import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Link,
    Output,
    Pyramid,
    Ranking,
    Selection,
    Summary,
    Timeline,
    Topic,
    When,
)
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.measures import Measure, average_over_topics, averaging_rule, parse_measure_text
from chronoscore.measures.losses.account import Losses
from chronoscore.measures.measure import RATES, Array, Pair, tally_family

HOUR = 3600.0
EVENTS = (
    ("e1", "the old dam broke near the village", 0.0, 3.0),
    ("e2", "two hundred families left their houses", 5 * HOUR, 2.0),
    ("e3", "engineers repaired every pumping station", 9 * HOUR, 1.0),
)
JUNK = ("minister opened exhibition", "football season started late")
ELEMENTS = (("dam", "old", "mod"), ("break", "dam", "subj"), ("village", "near", "mod"))
LATER = (
    ("family", "many", "mod"),
    ("dam", "nil", "nil"),
    ("leave", "family", "subj"),
    ("house", "leave", "obj"),
)


@dataclass(frozen=True)
class World:
    """A topic with one reference, one with several, and outputs from perfect to empty."""

    lone: Topic
    several: Topic
    perfect: Output
    noisy: Output
    partial: Output
    empty: Output

    @property
    def pairs(self) -> list[Pair]:
        """Every topic with every output."""
        outputs = (self.perfect, self.noisy, self.partial, self.empty)
        return [(topic, output) for topic in (self.lone, self.several) for output in outputs]


def summaries() -> World:
    update = [" | ".join(one).replace(" ", "") for one in LATER]
    earlier = Summary(tuple("|".join(one) for one in ELEMENTS), author="a", set="A")
    reference = Summary(tuple(update), author="a", set="B")
    other = Summary((*update[1:], "road|flood|subj"), author="b", set="B")
    before = Summary(("dam|old|mod", "river|rise|subj"), author="b", set="A")
    return World(
        Topic(id="lone", summaries=(earlier, reference)),
        Topic(id="several", summaries=(earlier, before, reference, other)),
        Summary(tuple(update), set="B"),
        Summary((*update, "minister|open|subj", "season|late|mod"), set="B"),
        Summary(tuple(update[:1]), set="B"),
        Summary((), set="B"),
    )


def timelines() -> World:
    entries = [
        ("2010-04-20", ["the old dam broke near the village"]),
        ("2010-04-25", ["two hundred families left their houses"]),
        ("2010-05-08", ["engineers repaired every pumping station"]),
    ]
    other = [("2010-04-21", ["the dam broke"]), ("2010-05-08", ["engineers repaired a station"])]
    reference = Timeline.of(entries, author="a")
    documents = tuple(
        Document(id=when, when=When.parse(when), sentences=(Sentence(f"{when}-1", text),))
        for when, (text,) in entries
    )
    both = (reference, Timeline.of(other, author="b"))
    return World(
        Topic(id="lone", timelines=(reference,), documents=documents),
        Topic(id="several", timelines=both, documents=documents),
        Timeline.of(entries),
        Timeline.of([*entries, ("2010-06-30", [" ".join(JUNK)])]),
        Timeline.of(entries[:1]),
        Timeline.of([]),
    )


def rankings() -> World:
    texts = {f"s{n}": text for n, (_, text, _, _) in enumerate(EVENTS, 1)}
    texts |= {f"j{n}": text for n, text in enumerate(JUNK, 1)}
    units = [
        ContentUnit(
            id=name,
            writers=frozenset(f"w{n}" for n in range(int(importance))),
            group=Group(members=((Anchor(id=name, source="d", start=9 * n, end=9 * n + 5), 1.0),)),
            text=text,
        )
        for n, (name, text, _, importance) in enumerate(EVENTS)
    ]

    def topic(name: str) -> Topic:
        judgements = Judgements(
            sentences=tuple(texts),
            events=tuple(Event(*event) for event in EVENTS),
            links=tuple(
                Link(sentence=f"s{n}", event=event[0]) for n, event in enumerate(EVENTS, 1)
            ),
            texts=texts,
        )
        return Topic(id=name, judgements=judgements, pyramid=Pyramid(tuple(units), ("w0",)))

    def select(sentence: str, time: float, event: str = "") -> Selection:
        return Selection(sentence, 1.0, time, event=event, text=texts[sentence])

    good = [select(f"s{n}", time, name) for n, (name, _, time, _) in enumerate(EVENTS, 1)]
    junk = [select(f"j{n}", 20 * HOUR, "none") for n in range(1, len(JUNK) + 1)]
    return World(
        topic("lone"),
        topic("several"),
        Ranking(tuple(good)),
        Ranking((*good, *junk)),
        Ranking(tuple(good[1:2])),
        Ranking.empty(),
    )


WORLDS = {Summary: summaries(), Timeline: timelines(), Ranking: rankings()}


def tally(measure: Measure, pairs: Sequence[Pair]) -> Array:
    """Count quietly: that an output is empty is no news here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return tally_family([measure], pairs)[0]


def check_contract(measure: Measure) -> None:
    """Everything that scoring, statistics and tables rely on."""
    world = WORLDS[measure.needs]
    tallies = tally(measure, world.pairs)
    values = measure.values(tallies)
    check_shapes(measure, world, tallies, values)
    check_values(measure, world, values)
    check_averages(measure, tallies, values)
    check_jackknife(measure, world)


def check_shapes(measure: Measure, world: World, tallies: Array, values: Array) -> None:
    """Tallies are as wide as declared, values have the parts, pairs do not touch each other."""
    assert tallies.shape == (len(world.pairs), measure.width)
    assert tallies.dtype == np.float64
    assert values.shape == (len(world.pairs), len(measure.parts))
    stacked = measure.values(tallies.reshape(2, -1, measure.width))
    np.testing.assert_array_equal(stacked.reshape(values.shape), values)
    alone = np.concatenate([tally(measure, [pair]) for pair in world.pairs])
    np.testing.assert_array_equal(alone, tallies)


def check_values(measure: Measure, world: World, values: Array) -> None:
    """Parts stay within their bounds, and a perfect output is the best there is."""
    assert measure.lower_is_better <= set(measure.parts)
    assert {measure.direction(part) for part in measure.parts} <= {-1, 1}
    low, high = np.array([measure.bounds(part) for part in measure.parts]).T
    known = np.where(np.isnan(values), low, values)
    assert ((known >= low - 1e-12) & (known <= high + 1e-12)).all()
    perfect, noisy, partial, empty = values[:4]
    assert not np.isnan(perfect[-1])
    direction = measure.direction(measure.parts[-1])
    lower = direction < 0 and not isinstance(measure, Losses)
    worse = [noisy] if lower else [noisy, partial, empty]
    losses = [direction * (perfect[-1] - other[-1]) for other in worse]
    assert all(loss >= -1e-12 or np.isnan(loss) for loss in losses)
    # What only looks at matches and counts errors in them finds none in what is too much.
    blind = direction < 0 and measure.parts[-1] in measure.of_matches
    assert blind or any(loss > 1e-12 for loss in losses)
    names = {part[0]: place for place, part in enumerate(measure.parts) if part[0] in "pr"}
    if set(names) == {"p", "r"} and measure.parts[-1] == "f":
        p, r = names["p"], names["r"]
        # What is added costs precision alone; F is between the two.
        assert noisy[p] <= noisy[r]
        assert noisy[r] == pytest.approx(perfect[r])
        assert noisy[p] - 1e-12 <= noisy[-1] <= noisy[r] + 1e-12


def check_averages(measure: Measure, tallies: Array, values: Array) -> None:
    """The corpus figure is the one that each rule describes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a part may be undefined throughout
        means = np.nanmean(values, axis=0)
    np.testing.assert_allclose(average_over_topics(measure, tallies, "mean"), means)
    pooled = measure.values(np.nansum(tallies, axis=0))
    np.testing.assert_allclose(average_over_topics(measure, tallies, "micro"), pooled)
    if measure.parts[:3] in RATES:
        p, r, alpha = means[0], means[1], measure.alpha
        expected = p * r / ((1 - alpha) * p + alpha * r)
        assert average_over_topics(measure, tallies, "of-means")[2] == pytest.approx(expected)
    elif not isinstance(measure, Losses):
        with pytest.raises(UsageError, match="no precision and recall"):
            average_over_topics(measure, tallies, "of-means")
    assert averaging_rule(measure.averaging).text


def check_jackknife(measure: Measure, world: World) -> None:
    """A lone reference is not left out; a measure that cannot leave one out says so."""
    if not any(parameter.name == "jackknife" for parameter in measure.parameters()):
        assert not measure.jackknife
        with pytest.raises(UsageError, match="has no jackknife"):
            measure.with_jackknife()
        return
    jackknifed = measure.with_jackknife()
    assert jackknifed.jackknife
    pairs = world.pairs[:4]
    values = jackknifed.values(tally(jackknifed, pairs))
    np.testing.assert_allclose(values, measure.values(tally(measure, pairs)))


def check_text(measure: Measure) -> None:
    """A measure prints itself, and its text parses back to it."""
    assert parse_measure_text(str(measure)) == measure
