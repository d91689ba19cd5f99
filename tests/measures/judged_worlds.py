"""Judged topics drawn at random, with rankings of their sentences."""

import random

from chronoscore.core import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Link,
    Pyramid,
    Ranking,
    Selection,
    Topic,
)
from chronoscore.measures.measure import Pair

WORDS = ("dam", "flood", "village", "army", "school", "road", "water", "rescue", "minister")
WRITERS = tuple(f"w{number}" for number in range(6))


def random_topic(rng: random.Random, name: str) -> Topic:
    sentences = tuple(f"s{number}" for number in range(rng.randint(3, 9)))
    texts = {one: " ".join(rng.choices(WORDS, k=rng.randint(1, 5))) for one in sentences}
    times, weights = (0.0, 3600.0, 9e4), (1.0, 2.0, 3.0, 3.0)
    events = tuple(
        Event(f"e{n}", " ".join(rng.choices(WORDS, k=3)), rng.choice(times), rng.choice(weights))
        for n in range(rng.randint(1, 5))
    )
    pairs = {(rng.choice(sentences), rng.choice(events).id) for _ in range(rng.randint(0, 10))}
    links = tuple(
        Link(sentence=sentence, event=event, group=rng.choice(["", "", "g1", "g2"]))
        for sentence, event in sorted(pairs)
    )
    units = tuple(random_unit(rng, number) for number in range(rng.randint(1, 6)))
    judged = Judgements(sentences=sentences, events=events, links=links, texts=texts)
    return Topic(id=name, judgements=judged, pyramid=Pyramid(units, WRITERS))


def random_unit(rng: random.Random, number: int) -> ContentUnit:
    anchors = [Anchor(id=f"{a}{number}", source="d", start=number, end=number + 1) for a in "ab"]
    group = Group(members=((anchors[0], rng.choice([1.0, 0.5])), (anchors[1], 0.5)))
    writers = frozenset(WRITERS[: rng.randint(1, 6)])
    return ContentUnit(id=f"u{number}", writers=writers, group=group)


def random_ranking(rng: random.Random, topic: Topic) -> Ranking:
    assert topic.judgements is not None
    texts = topic.judgements.texts
    names = [f"{kind}{number}" for kind in "uabe" for number in range(6)]
    return Ranking(
        tuple(
            Selection(
                sentence,
                rng.choice([0.0, 0.3, 0.5, 1.0]),
                rng.choice([-5e3, 0.0, 1e4, 1e5]),
                event=rng.choice(names),
                text=texts[sentence],
            )
            for sentence in rng.sample(list(texts), rng.randint(0, len(texts)))
        )
    )


def random_judged_pairs(seed: int, topics: int = 6, outputs: int = 3) -> list[Pair]:
    """Every topic with some outputs, of which some are empty."""
    rng = random.Random(seed)
    drawn = [random_topic(rng, f"t{number}") for number in range(topics)]
    return [(topic, random_ranking(rng, topic)) for topic in drawn for _ in range(outputs)]
