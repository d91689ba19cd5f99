"""The stems of many words at once: the rules of `stems`, each applied to all words in one step.

Words stand left-aligned in the rows of a matrix of letters. An ending is tested on the
last eight letters, read as one number.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chronoscore.text.packed_words import LONGEST, Keys, PackedWords
from chronoscore.text.plain import stems_for
from chronoscore.text.preparation import Preparation
from chronoscore.text.stems import _STEP_2, _STEP_3, _STEP_4, Lexicon, irregular_stems

Flags = NDArray[np.bool_]
Letters = NDArray[np.uint8]
Numbers = NDArray[np.int64]

# Fewer words than this are stemmed sooner one by one.
MANY = 200
# Blank letters before each word, so that eight can be read back from any end.
_MARGIN = 8
_WIDTH = _MARGIN + LONGEST
_FOUR_LETTERS = np.uint64(1 << 24)


def stem_words(words: PackedWords, preparation: Preparation) -> PackedWords:
    """Stem words as the preparation does; NLTK's rules are applied word by word.

    >>> stem_words(PackedWords.of_words(["floods", "men", "went"]), Preparation()).spell()
    ['flood', 'men', 'go']
    """
    singly = np.arange(len(words))
    heads, tails = words.heads.copy(), words.tails.copy()
    if len(words) >= MANY and preparation.name == "perl155":
        ruled = np.flatnonzero(heads >= _FOUR_LETTERS)
        found = _Words(words.only(ruled).letters).stems()
        heads[ruled], tails[ruled] = found.heads, found.tails
        singly = np.flatnonzero(np.isin(words.keys, _irregular_keys(preparation.lexicon)))
    stem = stems_for(preparation).__getitem__
    alone = PackedWords.of_words([stem(word) for word in words.only(singly).spell()])
    heads[singly], tails[singly] = alone.heads, alone.tails
    return PackedWords(heads, tails)


@cache
def _irregular_keys(lexicon: Lexicon | None) -> Keys:
    """Give the keys of irregular words; a few others may have the same."""
    words = lexicon.irregular if lexicon else irregular_stems()
    return PackedWords.of_words([word for word in words if len(word) <= LONGEST]).keys


def _any_of(letters: Letters, wanted: str) -> Flags:
    """Tell where one of the wanted letters stands."""
    found = np.zeros(letters.shape, dtype=np.bool_)
    for letter in wanted:
        found |= letters == ord(letter)
    return found


def _without(which: Numbers, *others: Numbers) -> Numbers:
    """Leave out what is among the others."""
    return which[~np.isin(which, np.concatenate(others))]


class _Words:
    """Words on their way to their stems."""

    def __init__(self, letters: Letters) -> None:
        self._letters = np.zeros((len(letters), _WIDTH), dtype=np.uint8)
        self._letters[:, _MARGIN:] = letters
        self._lengths = np.count_nonzero(letters, axis=1)

    def stems(self) -> PackedWords:
        """Strip endings step by step, and give what is left."""
        self._strip_plural()
        self._strip_past()
        self._turn_y()
        self._replace(_STEP_2, least=1)
        self._replace(_STEP_3, least=1)
        self._replace(dict.fromkeys(_STEP_4, ""), least=2)
        self._replace({"ment": ""}, least=2)
        self._strip_ent_or_ion()
        self._strip_e()
        self._strip_l()
        inside = np.arange(LONGEST) < self._lengths[:, None]
        return PackedWords.of_letters(self._letters[:, _MARGIN:] * inside)

    def _look(self) -> None:
        """Read the words' ends; count vowels, and turns from a vowel to a consonant.

        Both are counted for each number of first letters. A y counts as a vowel after a
        consonant only.
        """
        windows = np.ndarray(
            (max(self._letters.size - 7, 0),), dtype="<u8", buffer=self._letters, strides=(1,)
        )
        self._ends = windows[np.arange(len(self._lengths)) * _WIDTH + self._lengths]
        # By place, then by word: a letter's kind can depend on the one before it.
        letters = np.ascontiguousarray(self._letters[:, _MARGIN:].T)
        vowels, y = _any_of(letters, "aeiou"), _any_of(letters, "y")
        self._vowels = np.zeros((LONGEST + 1, len(self._lengths)), dtype=np.int8)
        self._turns = np.zeros_like(self._vowels)
        self._vowels[1] = vowels[0]
        for place in range(1, LONGEST):
            vowels[place] |= y[place] & ~vowels[place - 1]
            turns = vowels[place - 1] & ~vowels[place]
            np.add(self._vowels[place], vowels[place], out=self._vowels[place + 1])
            np.add(self._turns[place], turns, out=self._turns[place + 1])

    def _ending(self, ending: str) -> Numbers:
        """Find the words that end so."""
        unlike = 8 * (8 - len(ending))
        code = int.from_bytes(ending.encode("ascii"), "little")
        return np.flatnonzero(self._ends >> np.uint64(unlike) == np.uint64(code))

    def _last(self, which: Numbers, back: int = 1) -> Letters:
        """Give a letter of each of these words, counted from its end."""
        found: Letters = self._letters[which, _MARGIN + self._lengths[which] - back]
        return found

    def _turns_before(self, which: Numbers, cut: int) -> Numbers:
        """Count the turns of words without their last letters: Porter's m."""
        turns: Numbers = self._turns[self._lengths[which] - cut, which].astype(np.int64)
        return turns

    def _short(self, which: Numbers, cut: int) -> Flags:
        """Tell which words, cut, are consonants, a vowel and a consonant but w, x and y."""
        lengths = self._lengths[which] - cut
        closed = self._turns[lengths, which] > self._turns[np.maximum(lengths - 1, 0), which]
        single = self._vowels[lengths, which] == 1
        short: Flags = closed & single & (lengths > 2)
        return short & ~_any_of(self._last(which, cut + 1), "wxy")

    def _rewrite(self, which: Numbers, cut: int, letters: str = "") -> None:
        """Cut the last letters of some words and put others there."""
        for place, letter in enumerate(letters):
            self._letters[which, _MARGIN + self._lengths[which] - cut + place] = ord(letter)
        self._lengths[which] += len(letters) - cut

    def _strip_plural(self) -> None:
        self._look()
        sses, ies, s = (self._ending(ending) for ending in ("sses", "ies", "s"))
        s = s[self._last(s, 2) != ord("s")]
        self._rewrite(np.concatenate([sses, ies]), 2)
        self._rewrite(_without(s, sses, ies), 1)

    def _strip_past(self) -> None:
        self._look()
        eed, ed, ing = (self._ending(ending) for ending in ("eed", "ed", "ing"))
        self._rewrite(eed[self._turns_before(eed, 3) > 0], 1)
        stripped = []
        for which, cut in ((_without(ed, eed), 2), (ing, 3)):
            voiced = which[self._vowels[self._lengths[which] - cut, which] > 0]
            self._rewrite(voiced, cut)
            stripped.append(voiced)
        self._repair(np.concatenate(stripped))

    def _repair(self, which: Numbers) -> None:
        """Give words that lost -ed or -ing the ending that they had before."""
        self._look()
        dropped = [self._ending(ending) for ending in ("at", "bl", "iz")]
        rest = _without(which, *dropped)
        self._rewrite(_without(which, rest), 0, "e")
        double = (self._last(rest) == self._last(rest, 2)) & ~_any_of(self._last(rest), "aeiouylsz")
        short = self._short(rest, 0) & ~double
        self._rewrite(rest[short], 0, "e")
        self._rewrite(rest[double], 1)

    def _turn_y(self) -> None:
        self._look()
        y = self._ending("y")
        self._rewrite(y[self._vowels[self._lengths[y] - 1, y] > 0], 1, "i")

    def _replace(self, replacements: Mapping[str, str], *, least: int) -> None:
        """Replace the longest ending of each word, if it turns often enough before that."""
        self._look()
        open_ = np.ones(len(self._lengths), dtype=np.bool_)
        lengths = self._lengths.copy()
        for ending in sorted(replacements, key=len, reverse=True):
            which = self._ending(ending)
            which = which[open_[which] & (lengths[which] > len(ending))]
            open_[which] = False
            turning = which[self._turns_before(which, len(ending)) >= least]
            self._rewrite(turning, len(ending), replacements[ending])

    def _strip_ent_or_ion(self) -> None:
        self._look()
        for ending in ("ent", "sion", "tion"):
            which = self._ending(ending)
            self._rewrite(which[self._turns_before(which, 3) > 1], 3)

    def _strip_e(self) -> None:
        self._look()
        e = self._ending("e")
        turns = self._turns_before(e, 1)
        self._rewrite(e[(turns > 1) | ((turns == 1) & ~self._short(e, 1))], 1)

    def _strip_l(self) -> None:
        self._look()
        ll = self._ending("ll")
        self._rewrite(ll[self._turns_before(ll, 0) > 1], 1)
