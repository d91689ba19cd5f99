"""Costs that look at what the days say: (1 − 1/(d+1)) · (1 − similarity)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.align.dates import Dates, Floats, Places
from chronoscore.align.line import date_costs

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 256
"""Rows worked on at a time, to stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Similarity:
    """How much the words of every system day and every reference day overlap.

    `overlap` has a row for each system day and a column for each reference day and keeps
    only what is not 0; `offered` and `wanted` are the words there were on either side.
    """

    overlap: "csr_array"
    offered: Floats
    wanted: Floats

    @property
    def mirrored(self) -> "Similarity":
        """The same seen from the reference."""
        return Similarity(self.overlap.T.tocsr(), self.wanted, self.offered)

    def f1(self, rows: Places, columns: Places, overlap: Floats) -> Floats:
        """ROUGE-1 F1 of chosen days: 2PR/(P+R) with P and R of the same overlap."""
        return 2.0 * overlap / (self.offered[rows] + self.wanted[columns])

    def entries(self, start: int, stop: int) -> tuple[Places, Places, Floats]:
        """Row, column and F1 of the pairs of some rows that share a word."""
        bounds = self.overlap.indptr[start : stop + 1]
        part = slice(bounds[0], bounds[-1])
        columns: Places = self.overlap.indices[part].astype(np.intp)
        rows: Places = np.repeat(np.arange(start, stop), np.diff(bounds))
        return rows, columns, self.f1(rows, columns, self.overlap.data[part])


def content_costs(system: Dates, reference: Dates, similarity: Similarity) -> Floats:
    """The full table, for one-to-one alignment: it has no shortcut."""
    table = np.empty((len(system), len(reference)))
    for start in range(0, len(system), BLOCK):
        stop = min(start + BLOCK, len(system))
        block = table[start:stop]
        block[:] = date_costs(system.rows(start, stop).distances(reference))
        rows, columns, f1 = similarity.entries(start, stop)
        block[rows - start, columns] *= 1.0 - f1
    return table
