"""Tokens found in one joined byte buffer: many sentences in, places of their tokens out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

_PADDING = 16


def _lower(byte: int) -> int:
    """Give the lower-case letter or the digit that a byte stands for, 0 if it is neither."""
    character = chr(byte).lower()
    return ord(character) if byte < 128 and character.isalnum() else 0


_LOWERED = bytes(_lower(byte) for byte in range(256))


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens as places in lower-cased text, and how many of them each sentence has.

    Between tokens, and for sixteen bytes after the last, the text is zero.
    """

    text: bytes
    starts: Numbers
    ends: Numbers
    per_sentence: Numbers

    def words(self, which: Numbers) -> list[str]:
        """Spell some of the tokens out."""
        places = zip(self.starts[which].tolist(), self.ends[which].tolist(), strict=True)
        return [self.text[start:end].decode("ascii") for start, end in places]


def scan_ascii_words(text: bytes, sizes: Numbers) -> Tokens:
    """Find the runs of ASCII letters and digits in sentences joined by one blank each.

    `sizes` gives the number of bytes of each sentence.
    """
    lowered = b"".join([text.translate(_LOWERED), bytes(_PADDING)])
    inside = np.zeros(len(lowered) + 1, dtype=np.bool_)
    np.not_equal(np.frombuffer(lowered, dtype=np.uint8), 0, out=inside[1:])
    # A token begins and ends where the class of the byte changes, turn and turn about.
    turns = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = turns[::2], turns[1::2]
    bounds = np.searchsorted(starts, np.cumsum(sizes + 1))
    return Tokens(lowered, starts, ends, np.diff(bounds, prepend=0))
