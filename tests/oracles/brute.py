"""The slow truth: every choice of sentences, in every order, scored by the measure itself."""

import random
from collections.abc import Iterator

from chronoscore.core import Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.measures import parse_measure_text
from chronoscore.options.oracles import Pool
from chronoscore.oracles.lengths import length_in_budget
from chronoscore.oracles.summaries import Task, oracle_task
from chronoscore.text.preparation import Limit

WORDS = (
    *("a", "an", "and", "ant", "be", "bee", "ca", "cat", "do", "dog", "of", "the", "them"),
    *("run", "runs", "running", "flood", "flooding", "o'clock", "dam", "Dam.", "U.S.", "Zürich"),
)
"""Some begin others, so that a cut within a word may make another; some are stop words."""


def invented(rng: random.Random, sentences: int) -> Topic:
    """A topic of short sentences from few words, with one to three references."""
    words = rng.sample(WORDS, rng.randint(3, 9))

    def sentence(low: int, high: int) -> str:
        written = []
        for _ in range(rng.randint(low, high)):
            joined = rng.choice(("", "", "", ",", "-" + rng.choice(words)))
            written.append(rng.choice(words) + joined)
        return " ".join(written)

    longest = rng.choice((2, 3, 6))
    texts = [sentence(1, longest) for _ in range(sentences)]

    def reference() -> tuple[str, ...]:
        """Some words, or a stretch of what the sentences say in another order."""
        if rng.random() < 0.4:
            return tuple(sentence(1, 6) for _ in range(rng.randint(1, 2)))
        mixed = " ".join(rng.sample(texts, len(texts))).split()
        start = rng.randrange(len(mixed))
        return (" ".join(mixed[start : start + rng.randint(3, 9)]),)

    return Topic(
        id="t",
        summaries=tuple(Summary(reference(), str(n)) for n in range(rng.randint(1, 3))),
        documents=(
            Document(id="d", sentences=tuple(Sentence(f"d-{n}", t) for n, t in enumerate(texts))),
        ),
    )


def highest(task: Task, *, chop: bool) -> float:
    """The highest recall of any text, its last sentence cut by the budget or not."""
    texts = [text for _, text in task.places]
    # A sentence more takes no match away, so only texts that cannot grow are looked at.
    return max(task.recall([texts[p] for p in order]) for order in full(task, texts, chop))


def full(task: Task, texts: list[str], chop: bool) -> Iterator[tuple[int, ...]]:
    """Every order of sentences that has no room for another one."""
    sizes = [length_in_budget(text, task.budget) for text in texts]

    def grow(order: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        most = left if not chop else max(sizes) * (left > 0)
        more = [p for p in range(len(texts)) if p not in order and sizes[p] <= most]
        for place in more:
            yield from grow((*order, place), left - sizes[place])
        if not more:
            yield order

    return grow((), task.budget.size)


def case(seed: int) -> tuple[Task, str, Limit, bool, bool]:
    """A small topic, a measure, a budget, whether a text may be cut, and references are whole."""
    rng = random.Random(seed)
    n = rng.choice((1, 2, 3))
    chop = rng.random() < 0.5
    options = [f"n={n}"]
    options += [name for name in ("stem", "stop", "jackknife") if rng.random() < 0.3]
    options += ["several=best"] if rng.random() < 0.3 else []
    options += ["prepare=unicode"] if rng.random() < 0.15 else []
    text = f"rouge({','.join(options)})"
    topic = invented(rng, rng.randint(1, 6))
    words = rng.random() < 0.5
    budget = Limit(rng.randint(2, 12), "words") if words else Limit(rng.randint(4, 40), "bytes")
    alone = "jackknife" in text or "best" in text
    pool: Pool = "macro" if not alone and rng.random() < 0.5 else "micro"
    whole = rng.random() < 0.3
    task = oracle_task(topic, parse_measure_text(text), budget, pool, whole_references=whole)
    return task, text, budget, chop, whole
