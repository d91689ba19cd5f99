"""Alignment by the compiled kernel: many outputs against the same references in one call."""

from typing import Protocol

import numpy as np

from chronoscore.align.alignment import Alignment
from chronoscore.align.dates import Dates, Ints, Places
from chronoscore.kernel import compiled
from chronoscore.text.batch import Batch

MOST_DATES = 256
"""On either side; for more than these the solvers of `assignment` and `line` are faster."""


class Dated(Protocol):
    """Dates, and the numbers of their texts in a batch with the date that owns each."""

    @property
    def dates(self) -> Dates:
        """In order of time."""

    @property
    def owners(self) -> Places:
        """By text: the place of its date; in order."""

    @property
    def texts(self) -> Places:
        """By text: its number."""


def align_outputs(
    outputs: Dated,
    bounds: Places,
    reference: Dated,
    batch: Batch | None,
    *,
    references: int,
    many: bool,
    first: bool,
) -> Alignment:
    """Align each output as `align_by_content` does, or without a batch as `align_by_date`.

    The dates of the outputs lie end to end; `bounds` says where each output begins, and where the
    last one ends. Each of their dates has one text. `references` says how many timelines the dates
    of the reference come from. The alignments lie end to end, too.
    """
    size = len(bounds) - 1
    forward = np.empty(bounds[-1], dtype=np.int64)
    backward = np.empty((size, len(reference.dates)), dtype=np.int64)
    no_texts = np.zeros(1, dtype=np.int64)
    compiled.align(
        np.empty(0, dtype=np.int32) if batch is None else np.ascontiguousarray(batch.whole.words),
        no_texts if batch is None else batch.whole.bounds,
        _whole(outputs.texts),
        _whole(bounds),
        _whole(outputs.dates.first),
        _whole(outputs.dates.last),
        _whole(reference.texts),
        _whole(reference.owners),
        _whole(reference.dates.first),
        _whole(reference.dates.last),
        forward,
        backward,
        references,
        batch is not None,
        many,
        first,
    )
    return Alignment(
        forward.astype(np.intp, copy=False), backward.astype(np.intp, copy=False).ravel()
    )


def _whole(numbers: Ints | Places) -> Ints:
    """Numbers as the kernel reads them."""
    return np.ascontiguousarray(numbers, dtype=np.int64)
