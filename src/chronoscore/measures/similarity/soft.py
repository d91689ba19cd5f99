"""Words matched softly: how near each word of a reference comes to some word of a system's text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats, Places
from chronoscore.core import Topic
from chronoscore.measures.similarity.material import Material, Spellings
from chronoscore.measures.similarity.similarities import Embed, complete

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELLS = 4_000_000
"""Pairs of words that are compared at a time."""
COSINE, SPELLING = 0.25, 0.75
"""What the cosine of the texts and their spelling count beside the words."""


@dataclass(frozen=True)
class Soft(Embed):
    """Each word of the reference by the nearest word of the system, rare words counting more.

    The nearness of two words is the cosine of their vectors; forms of one word are equal, and a
    word with a figure in it is near to nothing but itself. The cosine of the texts' vectors
    counts a quarter of that, and how alike the words of both are spelled three quarters.
    """

    name: ClassVar[str] = "soft"
    reads_documents: ClassVar[bool] = True
    usual_threshold: ClassVar[float] = 0.4

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Average the three, by their weights."""
        found, cosine, spelled = self.components(material, systems, references, topic)
        mean = (found + COSINE * cosine + SPELLING * spelled) / (1 + COSINE + SPELLING)
        return complete(mean, material, systems, references)

    def components(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> tuple[Floats, Floats, Floats]:
        """The words covered, the cosine of the texts, and how alike their words are spelled."""
        spellings = material.spellings
        weights = spellings.weights(material.word_weights(topic))
        return (
            self._cover(material, systems, _share_out(spellings.held[references], weights)),
            self.cosines(material, systems, references),
            _compare_spelling(spellings, weights, systems, references),
        )

    def _cover(self, material: Material, systems: Places, wanted: "csr_array") -> Floats:
        """The weighted share of each reference's words that each of the system's texts covers."""
        spellings, theirs = material.spellings, _distinct(wanted)
        covered = np.zeros((len(systems), len(theirs)))
        most = max(1, CELLS // max(1, len(theirs)))
        for begin, end in _parts(spellings.held[systems].indptr, most):
            some = systems[begin:end]
            ours = _distinct(spellings.held[some])
            near = self._nearness(material, ours, theirs)
            for row, text in enumerate(some.tolist(), begin):
                words = np.searchsorted(ours, spellings.of_text(text))
                if len(words):
                    near[words].max(axis=0, out=covered[row])
        return np.asarray((wanted[:, theirs] @ covered.T).T)

    def _nearness(self, material: Material, ours: Places, theirs: Places) -> Floats:
        """How near words of the systems come to words of the references, from 0 to 1."""
        spellings, vectors = material.spellings, material.spelling_vectors(self.vector_model)
        near: Floats = vectors[ours] @ vectors[theirs].T
        np.clip(near, 0.0, 1.0, out=near)
        near[spellings.figures[ours]] = 0.0
        near[:, spellings.figures[theirs]] = 0.0
        near[spellings.forms[ours][:, None] == spellings.forms[theirs]] = 1.0
        return near


def _parts(bounds: NDArray[np.signedinteger], most: int) -> Iterator[tuple[int, int]]:
    """Cut rows into runs that hold at most so many cells each, or a single row."""
    begin, rows = 0, len(bounds) - 1
    while begin < rows:
        end = int(np.searchsorted(bounds, bounds[begin] + most, side="right")) - 1
        end = min(max(end, begin + 1), rows)
        yield begin, end
        begin = end


def _distinct(texts: "csr_array") -> Places:
    """The words that any of the texts has."""
    return np.unique(texts.indices).astype(np.intp)


def _share_out(held: "csr_array", weights: Floats) -> "csr_array":
    """The weight of each word of a text, out of all its words."""
    weighted: csr_array = (held * weights).tocsr()
    sums: Floats = np.asarray(weighted.sum(axis=1), dtype=np.float64).ravel()
    return _scale(weighted, sums)


def _compare_spelling(
    spellings: Spellings, weights: Floats, systems: Places, references: Places
) -> Floats:
    """Cosine of the letters of two texts, three by three, those of rare words weighing more."""
    letters = _normalize(spellings.letters) * weights[:, None]
    ours, theirs = (
        _normalize((spellings.held[places] @ letters).tocsr()) for places in (systems, references)
    )
    return np.asarray((ours @ theirs.T).toarray())


def _normalize(rows: "csr_array") -> "csr_array":
    """Rows of length 1, or of zeros."""
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return _scale(rows, lengths)


def _scale(rows: "csr_array", divisors: Floats) -> "csr_array":
    """Divide every row; where the divisor is 0, the row becomes 0."""
    factors = np.divide(1.0, divisors, out=np.zeros_like(divisors), where=divisors > 0)
    scaled: csr_array = (rows * factors[:, None]).tocsr()
    return scaled
