"""Free text against what was judged: which output says the same as which sentence or event.

Judgements are about sentences of the source. A system that writes its own words is matched to
them by a stated similarity, with a stated threshold, and both are in the signature.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.engine.kinds import Grams, Kind, Subsequence
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from scipy import sparse

Similarity: TypeAlias = Literal["id", "cosine", "rouge-1", "rouge-2", "rouge-l"]
Matches: TypeAlias = tuple[Places, Places, Array]
"""Numbers of outputs, numbers of targets, and how similar they are."""

KINDS: dict[str, Kind] = {"rouge-1": Grams(1), "rouge-2": Grams(2), "rouge-l": Subsequence()}
PREPARATION = Preparation(name="unicode", stem=True, stop=True)
AT_ONCE = 1_000_000
"""Comparisons held in memory at a time."""
SMALL = 300
"""Texts up to which a space is decomposed whole and exactly."""


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """Decides by similarity whether a text says what another says.

    `cosine` compares tf-idf vectors in a latent space of `dimensions` dimensions, which is made
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
        space = _space_of(tuple(background), self.dimensions) if self.match == "cosine" else None
        step = max(1, AT_ONCE // len(targets))
        for start in range(0, len(outputs), step):
            some = outputs[start : start + step]
            # A sum of products may fall a rounding error short of a similarity of 1.
            least = self.threshold - 1e-12
            values = (
                space.similarities(some, targets)
                if space
                else overlap_with_events(KINDS[self.match], some, targets, least)
            )
            rows, columns = np.nonzero(values >= least)
            yield rows + start, columns, values[rows, columns]


def overlap_with_events(
    kind: Kind, outputs: Sequence[str], targets: Sequence[str], least: float = 0.0
) -> Array:
    """F of the shared words of every output and every target; 0 may stand for less than `least`."""
    from chronoscore.engine import batch, overlap, totals
    from chronoscore.text.batch import prepare_texts as prepare_batch

    prepared = prepare_batch([[text] for text in (*outputs, *targets)], PREPARATION)
    ours, theirs = np.split(np.arange(len(prepared)), [len(outputs)])
    shared = overlap.count_all(prepared, ours, theirs, kind.gram_length or 1)
    wanted, offered = totals.count(kind, prepared, ours, theirs)
    sizes = wanted + offered[:, np.newaxis]
    found = divide_tallies(2.0 * shared.toarray(), sizes)
    if kind.gram_length is None:
        # No more words can be shared in common order than in any.
        rows, columns = np.nonzero((found > 0) & (found >= least))
        (hits,) = batch.count_hits([kind], prepared, ours[rows], theirs[columns])
        found = np.zeros_like(found)
        found[rows, columns] = divide_tallies(2 * hits, sizes[rows, columns])
    return found


@dataclass(frozen=True)
class LatentSpace:
    """The main directions of a topic's judged texts: tf-idf, cut down by singular values.

    Where there are no more texts than dimensions nothing is cut, and cosines are those of
    the plain vectors; nowhere are they less, so that equal texts match however rare their
    words. Words that no judged text has count against an output: the fewer of its words are
    known, the less it can be like anything.
    """

    texts: tuple[str, ...]
    dimensions: int

    @cached_property
    def words(self) -> dict[str, int]:
        """The words of the judged texts, numbered."""
        return {
            word: n
            for n, word in enumerate(
                sorted({w for t in self.texts for w in words_to_match_events(t)})
            )
        }

    @cached_property
    def rarity(self) -> Array:
        """How rare each word is among the texts; the last stands for all words of none."""
        counts = np.zeros(len(self.words) + 1)
        for text in self.texts:
            counts[[self.words[word] for word in set(words_to_match_events(text))]] += 1
        rarity: Array = np.log((1 + len(self.texts)) / (1 + counts)) + 1
        return rarity

    def vectors(self, texts: Sequence[str]) -> "sparse.csr_array":
        """Weighted words of texts, of length 1 with the unknown words, which are then left out."""
        # scipy is slow to import; only a comparison of texts pays for it.
        from scipy import sparse

        rows, columns, values = [], [], []
        for row, text in enumerate(texts):
            counts = Counter(words_to_match_events(text))
            places = [self.words.get(word, len(self.words)) for word in counts]
            weights = self.rarity[places] * np.fromiter(counts.values(), float, len(counts))
            length = float(np.linalg.norm(weights)) or 1.0
            known = [n for n, place in enumerate(places) if place < len(self.words)]
            rows += [row] * len(known)
            columns += [places[n] for n in known]
            values += (weights[known] / length).tolist()
        shape = (len(texts), len(self.words))
        return sparse.csr_array((values, (rows, columns)), shape=shape)

    @cached_property
    def directions(self) -> Array | None:
        """Words by directions, or nothing where none need be cut.

        Directions as strong as the first that is cut are cut too: which of them came first
        would be a matter of chance.
        """
        if min(len(self.texts), len(self.words)) <= self.dimensions + 1:
            return None
        vectors = self.vectors(self.texts)
        if len(self.texts) <= SMALL:
            strength, turned = np.linalg.eigh((vectors @ vectors.T).toarray())
            found: Array = np.asarray(vectors.T @ turned)
        else:
            from scipy.sparse.linalg import svds

            # The start vector is fixed, so that the same texts give the same space.
            start = np.ones(min(vectors.shape))
            _, single, across = svds(vectors, k=self.dimensions + 1, v0=start)
            strength, found = single**2, across.T * single
        order = np.argsort(-strength, kind="stable")
        limit = strength[order[self.dimensions]]
        kept = order[: self.dimensions][strength[order[: self.dimensions]] > limit * (1 + 1e-6)]
        return np.ascontiguousarray(found[:, kept] / np.sqrt(strength[kept]))

    def similarities(self, outputs: Sequence[str], targets: Sequence[str]) -> Array:
        """Cosine of every output and every target, in the space or, if larger, of plain words."""
        ours, theirs = self.vectors(outputs), self.vectors(targets)
        plain: Array = (ours @ theirs.T).toarray()
        if self.directions is None:
            return plain
        latent = _place_vectors(ours, self.directions) @ _place_vectors(theirs, self.directions).T
        return np.maximum(plain, latent)


def _place_vectors(vectors: "sparse.csr_array", directions: Array) -> Array:
    """Vectors as points of a space, as far from the middle as their words are known."""
    points = np.asarray(vectors @ directions)
    known = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
    lengths = np.linalg.norm(points, axis=1)
    # What is left of a vector outside the space is rounding noise, not a direction.
    lengths[lengths < 1e-6] = 0.0
    return points * divide_tallies(known, lengths)[:, np.newaxis]


@lru_cache(maxsize=32)
def _space_of(texts: tuple[str, ...], dimensions: int) -> LatentSpace:
    """A topic's space, which all its outputs share."""
    return LatentSpace(texts, dimensions)


@lru_cache(maxsize=1 << 16)
def words_to_match_events(text: str) -> tuple[str, ...]:
    """The words that are compared: folded, stemmed, without stop words."""
    return prepare_text([text], PREPARATION).tokens
