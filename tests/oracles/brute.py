"""The slow truth: every choice of sentences, in every order, scored by the measure itself."""

import random
from collections.abc import Iterator
from itertools import combinations, permutations

from chronoscore.core import Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.oracles.problem import length
from chronoscore.oracles.summaries import Task

WORDS = ("a", "an", "and", "ant", "b", "be", "bee", "c", "ca", "cat", "d", "do", "dog")
"""Some begin others, so that a cut within a word may make another."""


def invented(rng: random.Random, sentences: int) -> Topic:
    """A topic of short sentences from few words, with one to three references."""
    words = WORDS[: rng.randint(3, len(WORDS))]

    def sentence(low: int) -> str:
        said = []
        for _ in range(rng.randint(low, 6)):
            joined = rng.choice(("", "", ",", "-" + rng.choice(words)))
            said.append(rng.choice(words) + joined)
        return " ".join(said)

    document = Document(
        id="d", sentences=tuple(Sentence(f"d-{n}", sentence(1)) for n in range(sentences))
    )
    references = tuple(
        Summary((sentence(2), sentence(2)), str(n)) for n in range(rng.randint(1, 3))
    )
    return Topic(id="t", summaries=references, documents=(document,))


def highest(task: Task, *, chop: bool) -> float:
    """The highest recall of any text, its last sentence cut by the budget or not."""
    texts = [text for _, text in task.places]
    found = [0.0]
    for chosen in fitting(task, texts):
        orders = permutations(chosen) if task.measure.n > 1 else [chosen]
        for order in orders:
            said = [texts[number] for number in order]
            found.append(task.recall(said) if said else 0.0)
            if chop:
                rest = [text for number, text in enumerate(texts) if number not in chosen]
                found += [task.recall([*said, last]) for last in rest]
    return max(found)


def fitting(task: Task, texts: list[str]) -> Iterator[tuple[int, ...]]:
    """Every set of sentences within the budget."""
    sizes = [length(text, task.budget) for text in texts]
    for many in range(len(texts) + 1):
        for chosen in combinations(range(len(texts)), many):
            if sum(sizes[number] for number in chosen) <= task.budget.size:
                yield chosen
