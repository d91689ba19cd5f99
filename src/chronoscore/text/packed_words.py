"""Words of up to sixteen ASCII letters as two numbers each: the first eight letters, the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.text.scan import Tokens

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]

LONGEST = 16
NO_KEY = np.uint64(0)

_BYTES = 8
_ONE = np.uint64(1)
_HIGH_BITS, _LOW_BITS = np.uint64(0x8080808080808080), np.uint64(0x0101010101010101)
_SEVEN_BYTES = np.uint64((1 << 56) - 1)
_SPREAD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
# Letters are ASCII, so that the key of a short word does not have this bit.
_MIXED = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True)
class PackedWords:
    """Words as numbers; a word that is too long has zeros."""

    heads: Keys
    tails: Keys

    @classmethod
    def of_words(cls, words: Sequence[str]) -> "PackedWords":
        """Take words that are not too long."""
        return cls.of_letters(np.array(words, dtype=f"S{LONGEST}").view(np.uint8))

    @classmethod
    def of_letters(cls, letters: NDArray[np.uint8]) -> "PackedWords":
        """Take words from rows of sixteen letters, zeros after the word."""
        numbers = np.ascontiguousarray(letters).view("<u8").reshape(-1, 2).astype(np.uint64)
        return cls(numbers[:, 0].copy(), numbers[:, 1].copy())

    @classmethod
    def of_tokens(cls, tokens: Tokens) -> "PackedWords":
        """Read the words of tokens."""
        heads = _eight_letters(tokens, tokens.starts)
        tails = np.zeros_like(heads)
        longer = np.flatnonzero(heads > _SEVEN_BYTES)
        lengths = tokens.ends[longer] - tokens.starts[longer]
        heads[longer[lengths > LONGEST]] = NO_KEY
        longer = longer[(lengths > _BYTES) & (lengths <= LONGEST)]
        tails[longer] = _eight_letters(tokens, tokens.starts[longer] + _BYTES)
        return cls(heads, tails)

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def letters(self) -> NDArray[np.uint8]:
        """Rows of sixteen letters."""
        numbers = np.stack([self.heads, self.tails], axis=1).astype("<u8")
        return numbers.view(np.uint8)

    @property
    def keys(self) -> Keys:
        """One number for each word: its letters, or a mix of them where they are too many.

        Two longer words may have the same key; a shorter one shares its key with no word.
        """
        longer = np.flatnonzero(self.tails != NO_KEY)
        keys = self.heads.copy()
        keys[longer] = (keys[longer] * _MIX ^ self.tails[longer] * _SPREAD) | _MIXED
        return keys

    def spell(self) -> list[str]:
        """Spell the words out."""
        words: list[str] = self.letters.view(f"S{LONGEST}")[:, 0].astype(str).tolist()
        return words

    def only(self, which: Numbers) -> "PackedWords":
        """Keep some of the words."""
        return PackedWords(self.heads[which], self.tails[which])


def _eight_letters(tokens: Tokens, starts: Numbers) -> Keys:
    """Read up to eight letters of a word from each place on as one number.

    Letters after the word's end are zero.
    """
    size = len(tokens.text) - _BYTES + 1
    found: Keys = np.ndarray((size,), dtype="<u8", buffer=tokens.text, strides=(1,))[starts]
    # The lowest bit that stays is the high bit of the first byte that is zero: a byte of
    # text has no high bit, and taking one from each sets it only in a zero byte or above.
    ends = found - _LOW_BITS
    ends &= _HIGH_BITS
    ends &= ~ends + _ONE
    ends -= _ONE
    ends &= found
    return ends
