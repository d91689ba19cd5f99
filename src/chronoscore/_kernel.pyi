"""The compiled kernel; `kernel.py` says when it is used."""

from collections.abc import Sequence
from typing import Any, final

INTERFACE: int
LARGEST_GRAM: int

Buffer = Any  # before Python 3.12 the type of arrays does not say that they are buffers

KindCode = tuple[int, int, bool, Buffer | None]
Texts = list[Sequence[str]] | list[Sequence[bytes]]

@final
class Rules:
    """What words count as: themselves or their stems, and stop words as nothing."""

    def __init__(self, stemmer: int, irregular: dict[str, str], stop: list[str], /) -> None: ...
    def form(self, word: str, /) -> str | None: ...

@final
class Lexicon:
    """Numbers for words, by what they count as."""

    def __init__(self, rules: Rules, /) -> None: ...
    def read(self, sentences: list[str] | list[bytes], /) -> tuple[bytearray, bytearray]: ...
    def scan(self, text: Buffer, bounds: Buffer, /) -> tuple[bytearray, bytearray]: ...
    def spelled(self) -> list[str]: ...
    def __len__(self) -> int: ...

def count(
    kinds: Sequence[KindCode],
    words: Buffer,
    bounds: Buffer,
    lines: Buffer,
    sentences: Buffer,
    texts: Buffer,
    systems: Buffer,
    references: Buffer,
    out: Buffer,
) -> None: ...
def align(
    words: Buffer,
    bounds: Buffer,
    day_texts: Buffer,
    day_bounds: Buffer,
    day_first: Buffer,
    day_last: Buffer,
    date_texts: Buffer,
    date_owners: Buffer,
    date_first: Buffer,
    date_last: Buffer,
    forward: Buffer,
    backward: Buffer,
    references: int,
    content: bool,
    many: bool,
    earliest: bool,
) -> None: ...
def count_texts(
    lexicon: Lexicon,
    kinds: Sequence[KindCode],
    texts: Texts,
    lines: Texts | None,
) -> list[list[tuple[float, float, float]]] | None: ...
