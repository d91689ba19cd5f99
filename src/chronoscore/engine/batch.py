"""Counting many pairs of prepared texts: by the kernel, or pair by pair in plain Python."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine import plain, totals
from chronoscore.engine.compiled import is_countable, kind_code
from chronoscore.engine.kinds import Kind
from chronoscore.kernel import compiled, is_compiled
from chronoscore.text.batch import Batch
from chronoscore.text.plain import Prepared
from chronoscore.text.ranges import Numbers

Counts = NDArray[np.float64]
Hits = NDArray[np.float64]

MOST_WORDS = 1 << 18
"""Words of texts that plain counting holds at a time, some hundred bytes each."""


def count(
    kinds: Sequence[Kind],
    batch: Batch,
    systems: NDArray[np.integer],
    references: NDArray[np.integer],
) -> list[Counts]:
    """Count what text systems[i] of the batch shares with text references[i].

    Gives for each kind an array with a row for each pair, and in the row what
    `plain.Counts` holds: hits, and what there was to hit in the reference and in the system.
    """
    ours, theirs = np.asarray(systems, dtype=np.int64), np.asarray(references, dtype=np.int64)
    hits = count_hits(kinds, batch, ours, theirs)
    return [
        np.column_stack([found, *totals.count(kind, batch, ours, theirs)])
        for kind, found in zip(kinds, hits, strict=True)
    ]


def count_hits(
    kinds: Sequence[Kind],
    batch: Batch,
    systems: NDArray[np.integer],
    references: NDArray[np.integer],
) -> list[Hits]:
    """Count the hits alone, for callers that size texts once and not with every pair."""
    pairs = np.asarray(systems, dtype=np.int64), np.asarray(references, dtype=np.int64)
    longest = int(np.diff(batch.lines.sentences).max(initial=0))
    able = [kind for kind in kinds if is_compiled() and is_countable(kind, longest)]
    others = [kind for kind in kinds if kind not in able]
    hits = dict(zip(able, _count_compiled(able, longest, batch, *pairs), strict=True))
    hits |= zip(others, _count_plain(others, batch, *pairs), strict=True)
    return [hits[kind] for kind in kinds]


def _count_compiled(
    kinds: Sequence[Kind], longest: int, batch: Batch, systems: Numbers, references: Numbers
) -> Hits:
    """Count hits by the kernel, in sentences of up to `longest` words."""
    hits = np.zeros((len(kinds), len(systems)))
    if kinds:
        compiled.count(
            [kind_code(kind, longest) for kind in kinds],
            np.ascontiguousarray(batch.whole.words),
            batch.whole.bounds,
            np.ascontiguousarray(batch.lines.words),
            batch.lines.sentences,
            batch.lines.texts,
            np.ascontiguousarray(systems),
            np.ascontiguousarray(references),
            hits,
        )
    return hits


def _count_plain(
    kinds: Sequence[Kind], batch: Batch, systems: Numbers, references: Numbers
) -> Hits:
    """Count hits pair by pair."""
    hits = np.zeros((len(kinds), len(systems)))
    texts = _Texts(batch)
    pairs = zip(systems.tolist(), references.tolist(), strict=True) if kinds else ()
    for place, (system, reference) in enumerate(pairs):
        ours, theirs = texts.read(system), texts.read(reference)
        hits[:, place] = [plain.count(kind, ours, theirs).hits for kind in kinds]
    return hits


class _Texts:
    """The texts of a batch as the plain count takes them; the last ones read are held."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._held: dict[int, Prepared] = {}
        self._words = 0

    def read(self, number: int) -> Prepared:
        """One text; its words are numbers, which will do."""
        if number not in self._held:
            text = self._extract(number)
            self._words += len(text.tokens)
            if self._words > MOST_WORDS:
                self._held.clear()
                self._words = len(text.tokens)
            self._held[number] = text
        return self._held[number]

    def _extract(self, number: int) -> Prepared:
        whole, lines = self._batch.whole, self._batch.lines
        start, end = whole.sentences[whole.texts[number : number + 2]]
        bounds = lines.sentences[lines.texts[number] : lines.texts[number + 1] + 1].tolist()
        tokens: Any = tuple(whole.words[start:end].tolist())
        within = tokens if lines is whole else lines.words[bounds[0] : bounds[-1]].tolist()
        spans = pairwise(bound - bounds[0] for bound in bounds)
        return Prepared(tuple(tuple(within[a:b]) for a, b in spans), tokens)
