"""Alignment by the compiled kernel: many outputs against the same references in one call."""

from collections.abc import Sequence
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
    outputs: Sequence[Dated],
    reference: Dated,
    batch: Batch | None,
    *,
    references: int,
    many: bool,
    first: bool,
) -> list[Alignment]:
    """Align each output as `align_by_content` does, or without a batch as `align_by_date`.

    Each date of an output has one text. `references` says how many timelines the dates of the
    reference come from.
    """
    sizes = np.array([len(output.dates) for output in outputs], dtype=np.int64)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    forward = np.empty(bounds[-1], dtype=np.int64)
    backward = np.empty((len(outputs), len(reference.dates)), dtype=np.int64)
    no_texts = np.zeros(1, dtype=np.int64)
    compiled.align(
        np.empty(0, dtype=np.int32) if batch is None else np.ascontiguousarray(batch.whole.words),
        no_texts if batch is None else batch.whole.bounds,
        _join([output.texts for output in outputs]),
        bounds,
        _join([output.dates.first for output in outputs]),
        _join([output.dates.last for output in outputs]),
        _join([reference.texts]),
        _join([reference.owners]),
        _join([reference.dates.first]),
        _join([reference.dates.last]),
        forward,
        backward,
        references,
        batch is not None,
        many,
        first,
    )
    return [
        Alignment(forward[start:stop].astype(np.intp, copy=False), row)
        for start, stop, row in zip(
            bounds[:-1].tolist(),
            bounds[1:].tolist(),
            backward.astype(np.intp, copy=False),
            strict=True,
        )
    ]


def _join(parts: Sequence[Ints | Places]) -> Ints:
    """Lay arrays end to end."""
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
