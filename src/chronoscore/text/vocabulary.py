"""Numbers for words: every distinct word of a byte buffer gets one small integer.

A word of up to eight bytes is its own 64-bit key. One of nine to sixteen bytes has
a mixed key, so its bytes are compared with those of the word found; the few longer
ones, and any word whose mixed key another word took first, go through a dictionary.
Two words can therefore never share a number.
"""

import numpy as np
from numpy.typing import NDArray

from chronoscore.text.scan import Tokens

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_BYTES = 8  # in a key
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xC2B2AE3D27D4EB4F)
# Bytes of a short word are ASCII, so that no short key has this bit.
_MIXED = np.uint64(1 << 63)
_SEVEN_BYTES = np.uint64((1 << 56) - 1)
_HIGH_BITS, _LOW_BITS = np.uint64(0x8080808080808080), np.uint64(0x0101010101010101)
_NO_KEY, _ONE = np.uint64(0), np.uint64(1)


class Slots:
    """A table from 64-bit keys to numbers, asked for many keys at a time.

    A key lives in the slot its hash points to if it came first, and in a sorted
    list otherwise; frequent words come early, so that nearly all are found at once.
    Zero is no key.
    """

    def __init__(self, size: int = 1 << 12) -> None:
        self._keys = np.empty(0, dtype=np.uint64)
        self._numbers = np.empty(0, dtype=np.int64)
        self._clear(size)

    def find(self, keys: Keys) -> Numbers:
        """Give the number of each key, -1 where there is none."""
        slots = self._slots(keys)
        numbers = self._slot_numbers[slots].astype(np.int64)
        elsewhere = np.flatnonzero(self._slot_keys[slots] != keys)
        if len(elsewhere):
            numbers[elsewhere] = self._find_crowded(keys[elsewhere])
        return numbers

    def add(self, keys: Keys, numbers: Numbers) -> None:
        """Give new, distinct keys their numbers."""
        self._keys = np.concatenate([self._keys, keys])
        self._numbers = np.concatenate([self._numbers, numbers])
        if 8 * len(self._keys) > len(self._slot_keys):
            size = len(self._slot_keys)
            while 8 * len(self._keys) > size:
                size *= 4
            self._clear(size)
            self._place(self._keys, self._numbers)
        else:
            self._place(keys, numbers)

    def _clear(self, size: int) -> None:
        self._shift = np.uint64(64 - (size.bit_length() - 1))
        self._slot_keys = np.zeros(size, dtype=np.uint64)
        self._slot_numbers = np.zeros(size, dtype=np.int32)
        self._crowded_keys = np.empty(0, dtype=np.uint64)
        self._crowded_numbers = np.empty(0, dtype=np.int64)

    def _slots(self, keys: Keys) -> Numbers:
        return ((keys * _SPREAD) >> self._shift).view(np.int64)

    def _place(self, keys: Keys, numbers: Numbers) -> None:
        """Give each key its slot where that is free, first come first served."""
        slots = self._slots(keys)
        free = np.flatnonzero(self._slot_keys[slots] == _NO_KEY)[::-1]
        self._slot_keys[slots[free]] = keys[free]
        placed = self._slot_keys[slots] == keys
        self._slot_numbers[slots[placed]] = numbers[placed]
        crowded = np.concatenate([self._crowded_keys, keys[~placed]])
        crowded_numbers = np.concatenate([self._crowded_numbers, numbers[~placed]])
        order = np.argsort(crowded)
        self._crowded_keys, self._crowded_numbers = crowded[order], crowded_numbers[order]

    def _find_crowded(self, keys: Keys) -> Numbers:
        numbers = np.full(len(keys), -1, dtype=np.int64)
        if len(self._crowded_keys):
            near = np.searchsorted(self._crowded_keys, keys)
            near[near == len(self._crowded_keys)] = 0
            found = self._crowded_keys[near] == keys
            numbers[found] = self._crowded_numbers[near[found]]
        return numbers


def _eight_bytes(tokens: Tokens, starts: Numbers) -> Keys:
    """Read up to eight bytes of a word from each place on as one number.

    Bytes after the word's end are zero.
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


class Vocabulary:
    """The distinct words met so far, in the order of their numbers."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._slots = Slots()
        # The first and the second eight bytes of each word, to tell mixed keys apart.
        self._heads = np.empty(0, dtype=np.uint64)
        self._tails = np.empty(0, dtype=np.uint64)
        self._others: dict[str, int] = {}

    def number(self, tokens: Tokens) -> Numbers:
        """Number each token's word, adding the words not met before."""
        keys = _eight_bytes(tokens, tokens.starts)
        longer = np.flatnonzero(keys > _SEVEN_BYTES)
        lengths = tokens.ends[longer] - tokens.starts[longer]
        keys[longer[lengths > 2 * _BYTES]] = _NO_KEY
        longer = longer[(lengths > _BYTES) & (lengths <= 2 * _BYTES)]
        heads = keys[longer]
        tails = _eight_bytes(tokens, tokens.starts[longer] + _BYTES)
        keys[longer] = (heads * _MIX ^ tails * _SPREAD) | _MIXED

        numbers = self._slots.find(keys)
        self._learn(numbers, keys, tokens)
        known = numbers[longer]
        clash = longer[(self._heads[known] != heads) | (self._tails[known] != tails)]
        others = np.concatenate([clash, np.flatnonzero(keys == _NO_KEY)])
        numbers[others] = [self._other(word) for word in tokens.words(others)]
        return numbers

    def _learn(self, numbers: Numbers, keys: Keys, tokens: Tokens) -> None:
        """Add the words behind keys not found and fill in their numbers.

        The first few thousand missing tokens hold most of the missing words: adding
        those and looking again leaves little to sort.
        """
        missing = np.flatnonzero(numbers < 0)
        missing = missing[keys[missing] != _NO_KEY]
        size = 1 << 12
        while len(missing):
            fresh, first = np.unique(keys[missing[:size]], return_index=True)
            new = missing[first]
            self._slots.add(fresh, np.arange(len(self.words), len(self.words) + len(new)))
            self._append(tokens, new)
            numbers[missing] = self._slots.find(keys[missing])
            missing = missing[numbers[missing] < 0]
            size *= 4

    def _append(self, tokens: Tokens, new: Numbers) -> None:
        """Append the words of these tokens, with their bytes to compare later ones with."""
        starts, ends = tokens.starts[new], tokens.ends[new]
        heads = _eight_bytes(tokens, starts)
        tails = np.where(ends - starts > _BYTES, _eight_bytes(tokens, starts + _BYTES), _NO_KEY)
        others = np.zeros(len(self.words) - len(self._heads), dtype=np.uint64)
        self._heads = np.concatenate([self._heads, others, heads])
        self._tails = np.concatenate([self._tails, others, tails])
        self.words += tokens.words(new)

    def _other(self, word: str) -> int:
        """Number a word that has no key of its own."""
        number = self._others.get(word)
        if number is None:
            number = self._others[word] = len(self.words)
            self.words.append(word)
        return number
