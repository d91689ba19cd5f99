"""How people do by the same measure, and what several of them ask for at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from chronoscore.core import Summary
from chronoscore.oracles.lengths import cut_to_budget
from chronoscore.oracles.summaries import Task
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation


def human_ceiling(task: Task) -> float:
    """The mean recall of each reference against the others; nan where there is only one.

    As a text a reference is cut to the budget, whether or not the others stay whole.
    """
    preparation = task.measure.preparation
    references = [prepare_text(one.sentences, preparation) for one in task.references]
    if len(references) < 2:
        return float("nan")
    found = []
    for number, reference in enumerate(task.references):
        text = prepare_text(cut_to_budget(reference.sentences, task.budget), preparation)
        others = [other for place, other in enumerate(references) if place != number]
        found.append(task.pooled_recall(text, others))
    return sum(found) / len(found)


@dataclass(frozen=True)
class Frequencies:
    """How often references have each word, and how few of the matches they offer are whole.

    A match is partial where a text that has the word is only rewarded by some of the
    references.
    """

    topic: str
    words: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """By word, most frequent first: its count in each reference."""

    @property
    def references(self) -> int:
        """How many references there are."""
        return len(self.counts[0]) if self.counts else 0

    @property
    def partial_words(self) -> int:
        """Words that not every reference has."""
        return sum(min(counts) == 0 for counts in self.counts)

    @property
    def copies(self) -> int:
        """Matches that a text could make: each word as often as some reference has it."""
        return sum(max(counts) for counts in self.counts)

    @property
    def partial_copies(self) -> int:
        """Those of them that not every reference rewards."""
        return sum(max(counts) - min(counts) for counts in self.counts)

    @property
    def words_each(self) -> float:
        """How many different words a reference has, on average."""
        held = sum(sum(count > 0 for count in counts) for counts in self.counts)
        return held / self.references if self.references else 0.0


def count_reference_words(
    topic: str, references: Sequence[Summary], preparation: Preparation
) -> Frequencies:
    """Count the words of several references.

    >>> found = count_reference_words("t", [Summary(("a b",)), Summary(("a c a",))], Preparation())
    >>> len(found.words), found.partial_words, found.copies, found.partial_copies
    (3, 2, 4, 3)
    """
    bags = [Counter(prepare_text(summary.sentences, preparation).tokens) for summary in references]
    every: Counter[str] = Counter()
    for bag in bags:
        every.update(bag)
    words = sorted(every, key=lambda word: (-every[word], word))
    return Frequencies(topic, tuple(words), tuple(tuple(b[w] for b in bags) for w in words))
