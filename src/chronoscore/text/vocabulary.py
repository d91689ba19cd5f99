"""Numbers for words: every distinct word gets one small integer.

A word of up to eight letters is its own 64-bit key. One of nine to sixteen has a mixed
key, so its letters are compared with those of the word found; the few longer ones, and
any word whose mixed key another word took first, go through a dictionary. Two words can
therefore never share a number.
"""

from collections.abc import Sequence

import numpy as np

from chronoscore.text.packed_words import LONGEST, NO_KEY, Keys, Numbers, PackedWords

_SPREAD = np.uint64(0x9E3779B97F4A7C15)


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
        free = np.flatnonzero(self._slot_keys[slots] == NO_KEY)[::-1]
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


class Vocabulary:
    """The distinct words met so far, in the order of their numbers."""

    def __init__(self) -> None:
        self.halves = PackedWords(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint64))
        """The words; those that are only in `others` have zeros."""
        self.others: dict[str, int] = {}
        """Numbers of words that are too long, or whose key is taken."""
        self._slots = Slots()

    def __len__(self) -> int:
        return len(self.halves)

    def since(self, number: int) -> PackedWords:
        """Give the words from a number on."""
        return PackedWords(self.halves.heads[number:], self.halves.tails[number:])

    def spell(self) -> list[str]:
        """Spell all words out."""
        words = self.halves.spell()
        for word, number in self.others.items():
            words[number] = word
        return words

    def number(self, words: PackedWords) -> Numbers:
        """Number words, adding those not met before; a word that is too long gets -1."""
        keys = words.keys
        numbers = self._slots.find(keys)
        numbers[keys == NO_KEY] = -1
        self._learn(numbers, keys, words)
        longer = np.flatnonzero(words.tails != NO_KEY)
        known = self.halves.only(numbers[longer])
        same = (known.heads == words.heads[longer]) & (known.tails == words.tails[longer])
        clash = longer[~same]
        if len(clash):
            numbers[clash] = self.number_others(words.only(clash).spell())
        return numbers

    def number_spelled(self, words: Sequence[str]) -> Numbers:
        """Number words of any length."""
        numbers = self.number(PackedWords.of_words([w if len(w) <= LONGEST else "" for w in words]))
        long = np.flatnonzero(numbers < 0)
        numbers[long] = self.number_others([words[place] for place in long.tolist()])
        return numbers

    def number_others(self, words: Sequence[str]) -> Numbers:
        """Number words that have no key of their own."""
        fresh = [word for word in dict.fromkeys(words) if word not in self.others]
        self.others |= zip(fresh, range(len(self), len(self) + len(fresh)), strict=True)
        nothing = np.zeros(len(fresh), dtype=np.uint64)
        self._append(PackedWords(nothing, nothing))
        return np.array([self.others[word] for word in words], dtype=np.int64)

    def _learn(self, numbers: Numbers, keys: Keys, words: PackedWords) -> None:
        """Add the words behind keys not found and fill in their numbers.

        The first few thousand missing words hold most of the missing ones: adding those
        and looking again leaves little to sort.
        """
        missing = np.flatnonzero(numbers < 0)
        missing = missing[keys[missing] != NO_KEY]
        size = 1 << 12
        while len(missing):
            fresh, first = np.unique(keys[missing[:size]], return_index=True)
            self._slots.add(fresh, np.arange(len(self), len(self) + len(fresh)))
            self._append(words.only(missing[first]))
            numbers[missing] = self._slots.find(keys[missing])
            missing = missing[numbers[missing] < 0]
            size *= 4

    def _append(self, words: PackedWords) -> None:
        heads = np.concatenate([self.halves.heads, words.heads])
        self.halves = PackedWords(heads, np.concatenate([self.halves.tails, words.tails]))
