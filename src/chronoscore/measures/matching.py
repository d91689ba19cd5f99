"""Free text against what was judged: which output says the same as which sentence or event.

Judgements are about sentences of the source. A system that writes its own words is matched to
them by a stated similarity, with a stated threshold, and both are in the signature.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import UsageError
from chronoscore.measures.measure import Array, divided
from chronoscore.rouge.kinds import Grams, Kind, Subsequence
from chronoscore.text.plain import prepare
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from scipy import sparse

Similarity: TypeAlias = Literal["id", "cosine", "rouge-1", "rouge-2", "rouge-l"]
Numbers: TypeAlias = NDArray[np.intp]
Matches: TypeAlias = tuple[Numbers, Numbers, Array]
"""Numbers of outputs, numbers of targets, and how similar they are."""

KINDS: dict[str, Kind] = {"rouge-1": Grams(1), "rouge-2": Grams(2), "rouge-l": Subsequence()}
PREPARATION = Preparation(name="unicode", stem=True, stop=True)
AT_ONCE = 1_000_000
"""Comparisons held in memory at a time."""
SMALL = 4_000_000
"""Cells up to which a matrix is decomposed whole and exactly."""


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """Decides by similarity whether a text says what another says.

    `cosine` compares tf-idf vectors in a latent space of so many dimensions, which is made
    from the judged texts alone, so that no system's score depends on another's words;
    `rouge-1`, `rouge-2` and `rouge-l` compare stemmed words and take F.
    """

    match: Similarity
    threshold: float = 0.6
    dimensions: int = 100

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise UsageError(f"threshold={self.threshold:g}: write a number above 0, up to 1")
        if self.dimensions < 1:
            raise UsageError(f"dimensions={self.dimensions}: write 1 or more")

    def matches(
        self, outputs: Sequence[str], targets: Sequence[str], background: Sequence[str]
    ) -> Matches:
        """All pairs at or above the threshold, in order of output and target."""
        found = list(self.blocks(outputs, targets, background))
        if not found:
            return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
        rows, columns, values = (np.concatenate(part) for part in zip(*found, strict=True))
        return rows, columns, values

    def blocks(
        self, outputs: Sequence[str], targets: Sequence[str], background: Sequence[str]
    ) -> Iterator[Matches]:
        """Matches of some outputs at a time, so that memory stays linear."""
        if not outputs or not targets:
            return
        space = LatentSpace(tuple(background), self.dimensions) if self.match == "cosine" else None
        step = max(1, AT_ONCE // len(targets))
        for start in range(0, len(outputs), step):
            some = outputs[start : start + step]
            values = (
                space.similarities(some, targets)
                if space
                else overlap(KINDS[self.match], some, targets)
            )
            # A sum of products may fall a rounding error short of a similarity of 1.
            rows, columns = np.nonzero(values >= self.threshold - 1e-12)
            yield rows + start, columns, values[rows, columns]


def overlap(kind: Kind, outputs: Sequence[str], targets: Sequence[str]) -> Array:
    """F of the shared words of every output and every target."""
    from chronoscore.rouge import batch
    from chronoscore.text.batch import prepare as prepare_batch

    prepared = prepare_batch([[text] for text in (*outputs, *targets)], PREPARATION)
    systems = np.repeat(np.arange(len(outputs)), len(targets))
    references = np.tile(np.arange(len(targets)), len(outputs)) + len(outputs)
    hits, wanted, offered = batch.count([kind], prepared, systems, references)[0].T
    return divided(2 * hits, wanted + offered).reshape(len(outputs), len(targets))


@dataclass(frozen=True)
class LatentSpace:
    """The main directions of a topic's judged texts: tf-idf, cut down by singular values."""

    texts: tuple[str, ...]
    dimensions: int
    words: dict[str, int] = field(default_factory=dict)

    @cached_property
    def idf(self) -> Array:
        """How rare each word is among the texts, smoothed so that none weighs nothing."""
        seen = [set(tokens(text)) for text in self.texts]
        for word in sorted(set().union(*seen)):
            self.words[word] = len(self.words)
        counts = np.zeros(len(self.words))
        for words in seen:
            for word in words:
                counts[self.words[word]] += 1
        return np.log((1 + len(self.texts)) / (1 + counts)) + 1

    def vectors(self, texts: Sequence[str]) -> "sparse.csr_array":
        """Weighted words of texts, each of length 1; words of no judged text are unknown."""
        # scipy is slow to import; only a comparison of texts pays for it.
        from scipy import sparse

        idf = self.idf
        rows, columns = [], []
        for row, text in enumerate(texts):
            known = [self.words[word] for word in tokens(text) if word in self.words]
            rows += [row] * len(known)
            columns += known
        shape = (len(texts), len(idf))
        counts = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
        weighted = sparse.csr_array(counts.multiply(idf[np.newaxis, :]))
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
        return sparse.csr_array(
            weighted.multiply(divided(np.ones_like(lengths), lengths)[:, np.newaxis])
        )

    @cached_property
    def directions(self) -> Array:
        """Words by directions, strongest first."""
        vectors = self.vectors(self.texts)
        if min(vectors.shape) <= self.dimensions or vectors.shape[0] * vectors.shape[1] <= SMALL:
            _, strength, turned = np.linalg.svd(vectors.toarray(), full_matrices=False)
        else:
            from scipy.sparse.linalg import svds

            # The start vector is fixed, so that the same texts give the same space.
            start = np.ones(min(vectors.shape))
            _, strength, turned = svds(vectors, k=self.dimensions, v0=start)
        order = np.argsort(-strength, kind="stable")[: self.dimensions]
        kept = order[strength[order] > 1e-12 * max(strength.max(initial=0.0), 1e-300)]
        return np.ascontiguousarray(turned[kept].T)

    def placed(self, texts: Sequence[str]) -> Array:
        """Texts as unit vectors of the space, or zero where nothing of them is known."""
        points = np.asarray(self.vectors(texts) @ self.directions)
        lengths = np.linalg.norm(points, axis=1, keepdims=True)
        return divided(points, np.broadcast_to(lengths, points.shape))

    def similarities(self, outputs: Sequence[str], targets: Sequence[str]) -> Array:
        """Cosine of every output and every target."""
        cosines: Array = self.placed(outputs) @ self.placed(targets).T
        return cosines


def tokens(text: str) -> tuple[str, ...]:
    """The words that are compared: folded, stemmed, without stop words."""
    return prepare([text], PREPARATION).tokens
