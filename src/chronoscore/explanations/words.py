"""Words as a measure counts them, beside how they were written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from chronoscore.errors import UsageError
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.concat import Concat
from chronoscore.measures.timelines.texts import TextReading
from chronoscore.text.plain import prepare_text

REMEMBERED = 50_000
"""Texts, and words, that are remembered for the next reader that reads alike."""


@dataclass(frozen=True)
class _Memory:
    """What was read before."""

    texts: dict[tuple[str, ...], list[tuple[str, str]]] = field(default_factory=dict)
    counts: dict[tuple[str, ...], Counter[str]] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def make_room(self) -> None:
        """Forget everything where it has become much."""
        for known in (self.texts, self.counts, self.words):
            if len(known) > REMEMBERED:
                known.clear()


@lru_cache(maxsize=4)
def _memory_of(_reading: TextReading, _n: int) -> _Memory:
    """The memory of all readers that read alike."""
    return _Memory()


class Reader:
    """Runs of n words, counted as a measure counts them; a text is prepared once.

    Explanations of many systems read the same references, so that readers which read alike
    share what they have read.
    """

    def __init__(self, reading: TextReading, n: int) -> None:
        self._reading, self._n = reading, n
        memory = _memory_of(reading, n)
        memory.make_room()
        self._texts, self._counts, self._words = memory.texts, memory.counts, memory.words

    @classmethod
    def of(cls, measure: "AlignmentMeasure | Concat | Rouge") -> "Reader":
        """A reader that reads as a measure does."""
        if isinstance(measure, Rouge):
            return cls(TextReading(measure.preparation), measure.n)
        credit = measure.pair_credit
        if isinstance(measure, Concat) and credit.gram_length is None:
            raise UsageError(
                f"'{measure}' cannot be explained; explain one that counts runs of words"
            )
        return cls(credit.reading, measure.n)

    def grams(self, text: Sequence[str]) -> list[tuple[str, str]]:
        """Each run of words as it is counted and as it was written."""
        key = tuple(text)
        if key not in self._texts:
            unstemmed = replace(self._reading.preparation, stem=False)
            counted = self._reading.prepare(text).tokens
            written = replace(self._reading, preparation=unstemmed).prepare(text).tokens
            self._texts[key] = [
                (" ".join(counted[at : at + self._n]), " ".join(written[at : at + self._n]))
                for at in range(len(counted) - self._n + 1)
            ]
        return self._texts[key]

    def count(self, text: Sequence[str]) -> Counter[str]:
        """How often a text has each run of words, stemmed if the measure stems."""
        key = tuple(text)
        if key not in self._counts:
            self._counts[key] = Counter([gram for gram, _ in self.grams(text)])
        return self._counts[key]

    def size(self, texts: Sequence[Sequence[str]]) -> int:
        """How many runs of words some texts have."""
        return sum(len(self.grams(text)) for text in texts)

    def spellings(self, text: Sequence[str]) -> dict[str, str]:
        """By run of words: how it is written where it first occurs in a text."""
        found: dict[str, str] = {}
        for gram, words in self.grams(text):
            found.setdefault(gram, words)
        return found

    def shared(self, text: Sequence[str], other: Sequence[str]) -> list[str]:
        """The runs of words that two texts share, each as often as both have it."""
        ours, theirs = self.count(text), self.count(other)
        return [
            gram
            for gram in sorted(ours.keys() & theirs.keys())
            for _ in range(min(ours[gram], theirs[gram]))
        ]

    def tokens(self, word: str) -> tuple[str, ...]:
        """What one written word is counted as; nothing if it is not counted."""
        if word not in self._words:
            prepared = prepare_text([word], self._reading.preparation)
            self._words[word] = tuple(prepared.tokens)
        return self._words[word]
