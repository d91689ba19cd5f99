"""Words as a measure counts them, beside how they were written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from chronoscore.errors import UsageError
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.concat import Concat
from chronoscore.measures.timelines.texts import TextReading
from chronoscore.text.plain import prepare_text


class Reader:
    """Runs of n words, counted as a measure counts them; every text is prepared once."""

    def __init__(self, reading: TextReading, n: int) -> None:
        self._reading, self._n = reading, n
        self._texts: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        self._words: dict[str, tuple[str, ...]] = {}

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
        return Counter(gram for gram, _ in self.grams(text))

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
        return sorted((self.count(text) & self.count(other)).elements())

    def tokens(self, word: str) -> tuple[str, ...]:
        """What one written word is counted as; nothing if it is not counted."""
        if word not in self._words:
            prepared = prepare_text([word], self._reading.preparation)
            self._words[word] = tuple(prepared.tokens)
        return self._words[word]
