"""What similarities are computed from: numbered texts, their words, vectors and background."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats, Places
from chronoscore.core import Topic
from chronoscore.lazy import pattern
from chronoscore.measures.timelines.texts import TextReading, Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from chronoscore.measures.similarity.models import VectorModel
    from chronoscore.text.batch import Batch


_SPELLING = pattern(r"[^\W_]+")


def join_sentences(sentences: Sequence[str]) -> str:
    """Sentences as one text with single blanks, as models and tables of values see it."""
    return " ".join(" ".join(sentences).split())


class Material:
    """The texts of many pairs of timelines, read once and embedded in one call."""

    def __init__(self, texts: Texts, reading: TextReading) -> None:
        self.texts, self.reading = texts, reading
        self._vectors: dict[VectorModel, Floats] = {}
        self._spelling_vectors: dict[VectorModel, Floats] = {}
        self._weights: dict[int, tuple[Topic, Floats]] = {}

    @cached_property
    def strings(self) -> list[str]:
        """Every text as one string; no text may be added afterwards."""
        return [join_sentences(sentences) for sentences in self.texts.texts]

    @cached_property
    def string_numbers(self) -> Places:
        """A number for each text, the same for equal texts, and −1 for one without a word.

        Two entries of "..." say nothing, and so not the same.
        """
        numbers: dict[str, int] = {}
        return np.array(
            [
                numbers.setdefault(text, len(numbers)) if any(map(str.isalnum, text)) else -1
                for text in self.strings
            ],
            dtype=np.intp,
        )

    @property
    def batch(self) -> "Batch":
        """The texts as numbered words."""
        return self.texts.batch(self.reading)

    @cached_property
    def lengths(self) -> Floats:
        """The number of words in each text."""
        return np.diff(self.batch.whole.bounds).astype(np.float64)

    @cached_property
    def word_counts(self) -> "csr_array":
        """How often each text has each word."""
        return _count_words(self.batch)

    def vectors(self, model: "VectorModel") -> Floats:
        """The vector of every text, of length 1; all texts are embedded in one call."""
        from chronoscore.measures.similarity.vectors import embed_texts

        if model not in self._vectors:
            self._vectors[model] = embed_texts(model, self.strings)
        return self._vectors[model]

    @cached_property
    def spellings(self) -> "Spellings":
        """The words of the texts as they are written."""
        return Spellings(self.strings, self.batch.vocabulary, self.reading)

    def spelling_vectors(self, model: "VectorModel") -> Floats:
        """The vector of every spelling, of length 1."""
        from chronoscore.measures.similarity.vectors import embed_texts

        if model not in self._spelling_vectors:
            self._spelling_vectors[model] = embed_texts(model, self.spellings.words)
        return self._spelling_vectors[model]

    def word_weights(self, topic: Topic) -> Floats:
        """How rare each word is among the sentences of a topic's references and documents.

        A word is worth ln((1 + sentences) / (1 + sentences that have it)) + 1.
        """
        if id(topic) not in self._weights:
            batch = self.reading.prepare_batch([[text] for text in _background(topic)])
            held = np.bincount(_count_words(batch).indices, minlength=len(batch.vocabulary))
            frequencies = dict(zip(batch.vocabulary, held.tolist(), strict=True))
            counts = np.array([frequencies.get(word, 0) for word in self.batch.vocabulary])
            weights: Floats = np.log((1 + len(batch)) / (1 + counts)) + 1
            # The topic is kept, so that no other can get its id.
            self._weights[id(topic)] = topic, weights
        return self._weights[id(topic)][1]

    def same_texts(self, systems: Places, references: Places) -> NDArray[np.bool_]:
        """Which texts of the systems' equal which of the references'."""
        ours, theirs = self.string_numbers[systems], self.string_numbers[references]
        same: NDArray[np.bool_] = (ours[:, None] == theirs) & (ours[:, None] >= 0)
        return same


class Spellings:
    """The words of numbered texts as they are written, and the prepared words they stand for.

    What preparation drops, such as stop words, is not among them.
    """

    def __init__(
        self, texts: Sequence[str], vocabulary: Sequence[str], reading: TextReading
    ) -> None:
        from scipy.sparse import csr_array

        split = [set(_SPELLING.findall(text.casefold())) for text in texts]
        found = sorted(set().union(*split))
        places = {word: place for place, word in enumerate(vocabulary)}
        forms = _first_forms(found, reading)
        kept = [word for word in found if forms.get(word) in places]
        self.words = kept
        self.forms: Places = np.array([places[forms[word]] for word in kept], dtype=np.intp)
        self.figures = np.array([any(map(str.isdigit, word)) for word in kept], dtype=np.bool_)
        numbers = {word: number for number, word in enumerate(kept)}
        rows = [sorted(numbers[word] for word in words if word in numbers) for words in split]
        self._bounds = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        self._indices = np.array([number for row in rows for number in row], dtype=np.intp)
        self.held = csr_array(
            (np.ones(len(self._indices)), self._indices, self._bounds),
            shape=(len(texts), max(1, len(kept))),
        )

    def of_text(self, number: int) -> Places:
        """The numbers of a text's words."""
        return self._indices[self._bounds[number] : self._bounds[number + 1]]

    def weights(self, word_weights: Floats) -> Floats:
        """The weight of each spelling: that of the prepared word."""
        return word_weights[self.forms] if len(self.forms) else np.zeros(1)

    @cached_property
    def letters(self) -> "csr_array":
        """How often each spelling has each three letters, a blank at either end included."""
        from scipy.sparse import csr_array

        numbers: dict[str, int] = {}
        indices: list[int] = []
        bounds = [0]
        for word in self.words or [""]:
            runs = zip(f" {word}", word, f"{word} "[1:], strict=False)
            indices += [numbers.setdefault("".join(run), len(numbers)) for run in runs]
            bounds.append(len(indices))
        shape = (len(bounds) - 1, max(1, len(numbers)))
        runs_of_words = csr_array((np.ones(len(indices)), indices, bounds), shape=shape)
        runs_of_words.sum_duplicates()
        return runs_of_words


def _first_forms(words: Sequence[str], reading: TextReading) -> dict[str, str]:
    """The prepared form of each word that preparation keeps; of several, the first."""
    if not words:
        return {}
    batch = reading.prepare_batch([[word] for word in words])
    starts, stops = batch.whole.bounds[:-1].tolist(), batch.whole.bounds[1:].tolist()
    prepared = batch.whole.words.tolist()
    return {
        word: batch.vocabulary[prepared[start]]
        for word, start, stop in zip(words, starts, stops, strict=True)
        if start < stop
    }


def _background(topic: Topic) -> list[str]:
    """All sentences of a topic's reference timelines and documents."""
    return [
        *(sentence for timeline in topic.timelines for sentence in timeline.sentences),
        *(sentence.text for document in topic.documents for sentence in document.sentences),
    ]


def _count_words(batch: "Batch") -> "csr_array":
    """How often each text of a batch has each word."""
    # scipy is slow to import; only a comparison of texts pays for it.
    from scipy.sparse import csr_array

    words = batch.whole.words
    shape = (len(batch), max(1, len(batch.vocabulary)))
    counts = csr_array((np.ones(len(words)), words, batch.whole.bounds), shape=shape)
    counts.sum_duplicates()
    return counts
