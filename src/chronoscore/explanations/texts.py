"""Running text: what each reference has that was found, and what was missed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chronoscore.core import Summary, Timeline
from chronoscore.errors import UsageError
from chronoscore.explanations.explanation import Explanation
from chronoscore.explanations.words import Reader
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.concat import Concat


class ReferenceWords(NamedTuple):
    """A reference's runs of words as they were written, the most frequent first."""

    name: str
    number: int
    """How many were found; of the words of the system alone, how many there are."""
    size: int
    found: tuple[str, ...]
    missed: tuple[str, ...]


class Compared(NamedTuple):
    """An output beside one set of references."""

    what: str
    """What the references are, where there are several sets."""
    references: tuple[ReferenceWords, ...]
    alone: ReferenceWords
    """What only the system has, as `missed`."""


@dataclass(frozen=True)
class TextExplanation(Explanation):
    """Shared runs of words, reference by reference: ROUGE-N, concat, and novelty by both."""

    measures = (Rouge, Concat, Novelty)

    measure: Rouge | Concat | Novelty
    output: Summary | Timeline

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The output beside its references; for novelty, beside those of both sets."""
        measure, topic, output = self.measure, self.topic, self.output
        if isinstance(measure, Novelty):
            if not isinstance(measure.base, Rouge):
                raise UsageError(
                    f"'{measure}' cannot be explained; explain one whose base is rouge(n=...)"
                )
            names = (
                "ab, repeated from earlier references",
                "bb, shared with the update's references",
            )
            assert isinstance(output, Summary)
            reader, sets = Reader.of(measure.base), measure.sides(topic, output)
            return tuple(
                _compare(reader, output, references, name)
                for name, references in zip(names, sets, strict=True)
            )
        reader = Reader.of(measure)
        if isinstance(output, Timeline):
            return (_compare(reader, output, topic.timelines),)
        references = [one for one in topic.summaries if one.set == output.set]
        return (_compare(reader, output, references),)


def _compare(
    reader: Reader,
    output: Summary | Timeline,
    references: Sequence[Summary | Timeline],
    what: str = "",
) -> Compared:
    """What each reference shares with an output, and what the output has alone."""
    own = reader.count(output.sentences)
    known: Counter[str] = Counter()
    found = []
    for number, reference in enumerate(references, 1):
        bag, words = reader.count(reference.sentences), reader.spellings(reference.sentences)
        known |= bag
        shared, missed = bag & own, bag - own
        found.append(
            ReferenceWords(
                reference.author or f"reference {number}",
                shared.total(),
                bag.total(),
                _spell(shared, words),
                _spell(missed, words),
            )
        )
    extra = own - known
    words = reader.spellings(output.sentences)
    alone = ReferenceWords("", extra.total(), own.total(), (), _spell(extra, words))
    return Compared(what, tuple(found), alone)


def _spell(grams: Counter[str], words: dict[str, str]) -> tuple[str, ...]:
    """Runs of words as they were written, the most frequent first."""
    return tuple(words[gram] for gram, _ in grams.most_common())
