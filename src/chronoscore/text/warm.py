"""Texts that stay prepared, so that others can be compared with them again and again."""

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import overload

from chronoscore.text.batch import Batch, TextReader, reader_for
from chronoscore.text.preparation import Preparation

MOST_WORDS = 1 << 20
"""Different words that a reader remembers before it starts again."""


class WarmTexts:
    """Texts that were prepared once; threads may share them."""

    def __init__(self, texts: Sequence[Sequence[str]], preparation: Preparation) -> None:
        self._texts = texts
        self._preparation = preparation
        self._lock = Lock()
        self._read_own()

    def _read_own(self) -> None:
        self._reader = reader_for(self._preparation)
        self._own = self._reader.read(self._texts)

    def join(self, texts: Sequence[Sequence[str]]) -> Batch:
        """A batch of these texts, and others behind them."""
        with self._lock:
            if len(self._reader) > MOST_WORDS:
                self._read_own()
            reader, (whole, lines) = self._reader, self._own
            more, more_lines = reader.read(texts)
        both = whole.join(more)
        return Batch(both, both if more is more_lines else lines.join(more_lines), Spelling(reader))


class Spelling(Sequence[str]):
    """The words of a reader, spelled only when they are asked for."""

    def __init__(self, reader: TextReader) -> None:
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
