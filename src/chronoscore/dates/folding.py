"""Text with plain digits and letters, in which the patterns of dates are looked for."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

UNSEEN = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
"""Characters that take no room, such as the marks of direction in Arabic text."""
_APOSTROPHES = "’‘ʼ′´"

AROUND: ContextVar[str] = ContextVar("text", default="")
"""The whole text that is read, which tells the languages of its parts."""


@contextmanager
def assume(text: str) -> Iterator[None]:
    """Read dates in the languages of a text; elsewhere each text is of its own."""
    before = AROUND.set(text)
    try:
        yield
    finally:
        AROUND.reset(before)


def fold(text: str) -> str:
    """Write digits of all scripts as ASCII and letters without accents, each in its own place.

    The result is as long as the text, so that places in the one are places in the other.

    >>> fold("٢٥ août ２０１１")
    '25 aout 2011'
    """
    return text if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=8192)
def _fold_character(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    if character in "¹²³⁰⁴⁵⁶⁷⁸⁹" or character in UNSEEN:
        return " "
    if character == "،":
        return ","
    digit = unicodedata.digit(character, None)
    if digit is not None and unicodedata.category(character) == "Nd":
        return str(digit)
    same = unicodedata.normalize("NFKC", character)
    base = unicodedata.normalize("NFD", same if len(same) == 1 else character)
    marks = all(unicodedata.category(mark) == "Mn" for mark in base[1:])
    return base[0] if marks else same if len(same) == 1 else character
