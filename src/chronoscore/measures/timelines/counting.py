"""The work that measures of timelines share: preparing days, comparing and sizing them.

The batch engine is imported by the methods that use it: naming a measure must stay cheap.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.align.content import Similarity
from chronoscore.align.dates import Floats, Places
from chronoscore.engine.kinds import Kind
from chronoscore.measures.measure import Array, Pair
from chronoscore.measures.timelines.days import Documents, meetings
from chronoscore.measures.timelines.tilse import cost_batch, perl_sentence
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from chronoscore.text.batch import Batch

CELLS = 25_000_000
"""Pairs of days whose overlaps are held at a time, beyond those of a single meeting."""


class Counting:
    """The timelines of many pairs, prepared in one way."""

    def __init__(self, pairs: Sequence[Pair], preparation: Preparation, text: str) -> None:
        self.documents = Documents()
        self.meetings = meetings(pairs, self.documents)
        self.preparation = preparation
        self.text = text

    def prepared(self, texts: Sequence[Sequence[str]]) -> "Batch":
        """Prepare texts as they are, or as the peer passes them on."""
        from chronoscore.text.batch import prepare

        if self.text == "tilse":
            texts = [[perl_sentence(sentence) for sentence in text] for text in texts]
        return prepare(texts, self.preparation)

    @cached_property
    def batch(self) -> "Batch":
        """Every day's text, prepared."""
        return self.prepared(self.documents.texts)

    @cached_property
    def cost_batch(self) -> "Batch":
        """Every day's text as the peer compares days for the cost of an alignment."""
        return cost_batch(self.documents.texts)

    def sizes(self, kind: Kind) -> tuple[Array, Array]:
        """What there is to hit in each text as a reference, and as a system's."""
        from chronoscore.engine.totals import totals

        every = np.arange(len(self.batch))
        return totals(kind, self.batch, every, every)

    def similarities(self, content: str) -> Iterator[tuple[int, Similarity]]:
        """The number of each meeting and how alike its days are, some meetings at a time.

        Systems that meet the same references are taken together, so that texts they share
        are compared once.
        """
        from chronoscore.engine.overlap import overlaps

        batch = self.cost_batch if content == "tilse" else self.batch
        lengths = np.diff(batch.whole.bounds).astype(np.float64)
        for group in self.groups():
            first = self.meetings[group[0]]
            texts, places = np.unique(
                np.concatenate([self.meetings[g].system.texts for g in group]), return_inverse=True
            )
            by_text = overlaps(batch, texts, first.reference.texts)
            by_date = summed_columns(by_text, first.reference.owners, len(first.reference.whens))
            wanted: Floats = np.bincount(
                first.reference.owners,
                lengths[first.reference.texts],
                minlength=len(first.reference.whens),
            ).astype(np.float64)
            start = 0
            for number in group:
                size = len(self.meetings[number].system.texts)
                rows = places[start : start + size]
                offered = first.references * lengths[texts[rows]]
                yield number, Similarity(chosen_rows(by_date, rows), offered, wanted)
                start += size

    def groups(self) -> Iterator[list[int]]:
        """Meetings with the same references, as many as memory allows."""
        by_reference: dict[int, list[int]] = {}
        for number, meeting in enumerate(self.meetings):
            by_reference.setdefault(id(meeting.reference), []).append(number)
        for numbers in by_reference.values():
            group: list[int] = []
            cells = 0
            for number in numbers:
                meeting = self.meetings[number]
                more = len(meeting.system.texts) * len(meeting.reference.texts)
                if group and cells + more > CELLS:
                    yield group
                    group, cells = [], 0
                group.append(number)
                cells += more
            yield group

    def compare(
        self, kinds: Sequence[Kind], systems: Places, references: Places
    ) -> dict[Kind, Floats]:
        """Hits of each kind for each comparison; repeated ones are counted once."""
        from chronoscore.engine.batch import count

        width = len(self.documents.texts)
        distinct, which = np.unique(systems * width + references, return_inverse=True)
        counts = count(kinds, self.batch, distinct // width, distinct % width)
        return {kind: found[which, 0] for kind, found in zip(kinds, counts, strict=True)}


def summed_columns(table: "csr_array", owners: Places, size: int) -> "csr_array":
    """Add up the columns of each owner."""
    if len(owners) == size:
        return table
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import csr_array

    ones = np.ones(len(owners), dtype=table.dtype)
    belongs = csr_array((ones, (np.arange(len(owners)), owners)), shape=(len(owners), size))
    return csr_array(table @ belongs)


def chosen_rows(table: "csr_array", rows: Places) -> "csr_array":
    """Some rows of a table; the table itself where they are all of it."""
    if len(rows) == table.shape[0] and (np.diff(rows) == 1).all():
        return table
    return table[rows]
