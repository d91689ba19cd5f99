"""What similarities are computed from: numbered texts, their words, vectors and background."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats, Places
from chronoscore.core import Topic
from chronoscore.measures.timelines.texts import TextReading, Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from chronoscore.measures.similarity.models import VectorModel
    from chronoscore.text.batch import Batch


def join_sentences(sentences: Sequence[str]) -> str:
    """Sentences as one text with single blanks, as models and tables of values see it."""
    return " ".join(" ".join(sentences).split())


class Material:
    """The texts of many pairs of timelines, read once and embedded in one call."""

    def __init__(self, texts: Texts, reading: TextReading) -> None:
        self.texts, self.reading = texts, reading
        self._vectors: dict[VectorModel, Floats] = {}
        self._weights: dict[int, tuple[Topic, Floats]] = {}

    @cached_property
    def strings(self) -> list[str]:
        """Every text as one string; no text may be added afterwards."""
        return [join_sentences(sentences) for sentences in self.texts.texts]

    @cached_property
    def string_numbers(self) -> Places:
        """A number for each text, the same for equal texts, and −1 for an empty one."""
        numbers: dict[str, int] = {"": -1}
        return np.array([numbers.setdefault(s, len(numbers)) for s in self.strings], dtype=np.intp)

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
        """Which texts of the systems' equal which of the references'; empty ones equal none."""
        ours, theirs = self.string_numbers[systems], self.string_numbers[references]
        same: NDArray[np.bool_] = (ours[:, None] == theirs) & (ours[:, None] >= 0)
        return same


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
