"""Counting one pair of texts in plain Python: readable, and the fast path of single calls.

A shared pair consists of shared tokens, so where there are many pairs only the tokens that
both texts have are looked at.
"""

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from chronoscore.engine import sequences, weighted
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.text.plain import Prepared

Gram = TypeVar("Gram", bound=Hashable)


CountRow: TypeAlias = tuple[float, float, float]
"""What `Counts` holds."""


class Counts(NamedTuple):
    """Hits, and what there was to hit on either side.

    For `WeightedSubsequence` all three carry the weight w, and recall is the ratio to the
    power 1/w.
    """

    hits: float
    reference: float
    system: float


def count(kind: Kind, system: Prepared, reference: Prepared) -> Counts:
    """Count what a system's text shares with one reference.

    >>> from chronoscore.text.plain import prepare_text
    >>> from chronoscore.text.preparation import Preparation
    >>> ours, theirs = (prepare_text([s], Preparation()) for s in ("a b c", "a c d e"))
    >>> count(Grams(1), ours, theirs)
    Counts(hits=2, reference=4, system=3)
    """
    match kind:
        case Grams(n):
            return _count_grams(n, system, reference)
        case SkipGrams(gap, unigrams):
            return _count_pairs(gap, unigrams, system, reference)
        case Subsequence():
            return _count_subsequence(system, reference)
        case WeightedSubsequence(weight):
            return _count_weighted(weight, system, reference)


def _count_grams(n: int, system: Prepared, reference: Prepared) -> Counts:
    sizes = max(0, len(reference.tokens) - n + 1), max(0, len(system.tokens) - n + 1)
    if n == 1:
        return Counts(clipped_overlap(system.bag, reference.bag), *sizes)
    left: dict[tuple[str, ...], int] = dict(Counter(_grams(system.tokens, n)))
    hits = 0
    for gram in _grams(reference.tokens, n):
        if mine := left.get(gram):
            hits += 1
            left[gram] = mine - 1
    return Counts(hits, *sizes)


def _grams(tokens: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    return zip(*[tokens[shift:] for shift in range(n)], strict=False)


def _count_pairs(gap: int, unigrams: bool, system: Prepared, reference: Prepared) -> Counts:
    shared = system.bag.keys() & reference.bag.keys()
    ours, theirs = (_Windows.of(text.tokens, shared, gap) for text in (system, reference))
    # One token after the other is the last of its pairs, so that not all pairs are held at once.
    hits = sum(_hits_before(token, ours, theirs) for token in shared)
    if unigrams:
        hits += _overlap_without_last(system, reference)
    sizes = [_skip_size(len(text.tokens), gap, unigrams) for text in (reference, system)]
    return Counts(hits, *sizes)


def _hits_before(last: str, ours: "_Windows", theirs: "_Windows") -> int:
    left: dict[str, int] = {}
    for window in theirs.before[last]:
        for token in theirs.tokens[window]:
            left[token] = left.get(token, 0) + 1
    hits = 0
    for window in ours.before[last] if left else ():
        for token in ours.tokens[window]:
            if more := left.get(token):
                left[token] = more - 1
                hits += 1
    return hits


def _overlap_without_last(system: Prepared, reference: Prepared) -> int:
    hits = clipped_overlap(system.bag, reference.bag)
    ends = {text.tokens[-1] for text in (system, reference) if text.tokens}
    for token in ends:
        ours, theirs = system.bag[token], reference.bag[token]
        fewer = min(
            ours - (token == system.tokens[-1]) if ours else 0,
            theirs - (token == reference.tokens[-1]) if theirs else 0,
        )
        hits += fewer - min(ours, theirs)
    return hits


def _count_subsequence(system: Prepared, reference: Prepared) -> Counts:
    ours, theirs = system.bag, reference.bag
    masks, marks = sequences.mark_united(system.sentences, reference.sentences)
    hits = 0
    for token, mask in masks.items():
        marked = mask & marks
        if marked:
            hits += min(marked.bit_count(), ours[token], theirs[token])
    return Counts(hits, sum(map(len, reference.sentences)), len(system.tokens))


def _count_weighted(weight: float, system: Prepared, reference: Prepared) -> Counts:
    hits = weighted.sum_hits(system, reference, weight)
    # ROUGE-1.5.5 weights the reference's length twice.
    twice = weighted.power(weighted.length(reference.sentences, weight), weight)
    return Counts(hits, twice, weighted.power(len(system.tokens), weight))


def clipped_overlap(ours: Counter[Gram], theirs: Counter[Gram]) -> int:
    """Add up, over what both hold, the smaller count of the two."""
    hits = 0
    for gram in ours.keys() & theirs.keys():
        mine, yours = ours[gram], theirs[gram]
        hits += mine if mine < yours else yours
    return hits


def _skip_size(tokens: int, gap: int, unigrams: bool) -> int:
    """Count the skip grams of a text of this many tokens.

    >>> _skip_size(4, gap=0, unigrams=False), _skip_size(4, gap=-1, unigrams=True)
    (3, 9)
    """
    if tokens == 0:
        return 0
    reach = tokens - 1 if gap < 0 else min(gap + 1, tokens - 1)
    pairs = reach * tokens - reach * (reach + 1) // 2
    return pairs + tokens - 1 if unigrams else pairs


class _Windows(NamedTuple):
    """The shared tokens of a text, and the places of those that may come before each of them."""

    tokens: Sequence[str]
    before: Mapping[str, Sequence[slice]]

    @classmethod
    def of(cls, tokens: Sequence[str], shared: Container[str], gap: int) -> "_Windows":
        """Look `gap` tokens back, or to the start of the text if that is negative."""
        places = [place for place, token in enumerate(tokens) if token in shared]
        kept = [tokens[place] for place in places]
        before: dict[str, list[slice]] = {}
        first = 0
        for here, place in enumerate(places):
            while 0 <= gap < place - places[first] - 1:
                first += 1
            before.setdefault(kept[here], []).append(slice(first, here))
        return cls(kept, before)
