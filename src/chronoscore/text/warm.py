"""Texts that stay prepared, so that others can be compared with them again and again."""

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import overload

import numpy as np

from chronoscore.text.batch import Batch, Layout, Reader, read_layouts, reader_for
from chronoscore.text.preparation import Preparation

MOST_WORDS = 1 << 20
"""Different words that a reader remembers before it starts anew."""


class WarmTexts:
    """Texts that were prepared once; threads may share them."""

    def __init__(self, texts: Sequence[Sequence[str]], preparation: Preparation) -> None:
        preparation.require_language()
        self._texts = texts
        self._preparation = preparation
        self._lock = Lock()
        self._read_own()

    def _read_own(self) -> None:
        self._reader = reader_for(self._preparation)
        self._own = read_layouts(self._texts, self._preparation, self._reader)

    def join(self, texts: Sequence[Sequence[str]]) -> Batch:
        """A batch of these texts, and others behind them."""
        with self._lock:
            if len(self._reader) > MOST_WORDS:
                self._read_own()
            reader, (whole, lines) = self._reader, self._own
            more, more_lines = read_layouts(texts, self._preparation, reader)
        both = _join_layouts(whole, more)
        return Batch(
            both,
            both if more is more_lines else _join_layouts(lines, more_lines),
            Spelling(reader),
        )


class Spelling(Sequence[str]):
    """The words of a reader, spelled only where somebody asks."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __len__(self) -> int:
        return len(self._reader)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._reader.forms()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reader.forms())


def _join_layouts(one: Layout, other: Layout) -> Layout:
    """The texts of one layout, then those of another."""
    return Layout(
        np.concatenate([one.words, other.words]),
        np.concatenate([one.sentences, other.sentences[1:] + one.sentences[-1]]),
        np.concatenate([one.texts, other.texts[1:] + one.texts[-1]]),
    )
