"""Which runs of words hold a number or a name."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Places
from chronoscore.measures.timelines.texts import TextReading, Texts
from chronoscore.text import listings, ranges

WORDS = ("numbers", "names")
NUMBER, NAME, OTHER = range(3)

CAPITALIZED = re.compile(r"(?<=[\w,]\s)[^\W\d_a-zß-öø-ÿ][\w'’-]*")
"""A word inside a sentence that may begin with a capital letter."""


@cache
def _number_words(language: str) -> tuple[str, ...]:
    lines = listings.read("number_words.txt").splitlines()
    return tuple(dict(line.split(": ", 1) for line in lines).get(language, "").split())


class CauseWords:
    """The kinds of the words of numbered texts, in one reading.

    A number has a digit or is a number word. A name is capitalized inside a sentence somewhere in
    the same timeline; in German, where every noun is, none is told apart.
    """

    def __init__(self, texts: Texts, reading: TextReading) -> None:
        self._batch = texts.batch(reading)
        self._reading = replace(reading, preparation=replace(reading.preparation, limit=None))
        self._size = max(len(self._batch.vocabulary), 1)
        self._places = {form: place for place, form in enumerate(self._batch.vocabulary)}
        self.numbers = self._find_numbers()
        self._names = self._find_names(texts)

    def _find_numbers(self) -> NDArray[np.bool_]:
        """By form: whether it is a number."""
        language = self._reading.preparation.language
        forms = self._forms([[word] for word in _number_words(language)])
        found = np.array(
            [any(map(str.isdigit, form)) for form in self._batch.vocabulary] or [False]
        )
        found[[place for some in forms for place in some]] = True
        return found

    def _find_names(self, texts: Texts) -> tuple[Places, Places]:
        """Texts and forms of names, in order of the texts."""
        if self._reading.preparation.language == "german":
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        owners: list[int] = []
        words: list[str] = []
        for number, text in enumerate(texts.texts):
            for sentence in text:
                for word in CAPITALIZED.findall(sentence):
                    if word[0].isupper():
                        owners.append(number)
                        words.append(word)
        distinct = {word: place for place, word in enumerate(dict.fromkeys(words))}
        forms = self._forms([[word] for word in distinct])
        sizes = np.array([len(forms[distinct[word]]) for word in words], dtype=np.intp)
        places = [place for word in words for place in forms[distinct[word]]]
        return np.repeat(np.array(owners, dtype=np.intp), sizes), np.array(places, dtype=np.intp)

    def _forms(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """The forms of short texts, as far as the numbered texts have them."""
        if not texts:
            return []
        batch = self._reading.prepare_batch(texts)
        bounds = batch.whole.bounds.tolist()
        words = [self._places.get(batch.vocabulary[word], -1) for word in batch.whole.words]
        return [
            [word for word in words[start:stop] if word >= 0] for start, stop in pairwise(bounds)
        ]

    def of_grams(self, owners: Places, grams: Places, texts: Places, owner_of: Places) -> Places:
        """The kind of each gram (a row of forms), which an owner of texts has.

        `texts` are the numbers of all texts that count, and `owner_of` says whose each is.
        """
        if not len(grams):
            return np.empty(0, dtype=np.intp)
        order = np.argsort(texts, kind="stable")
        first = np.searchsorted(self._names[0], texts[order])
        last = np.searchsorted(self._names[0], texts[order], side="right")
        here = ranges.concatenate(first, last - first)
        known = np.unique(
            np.repeat(owner_of[order], last - first) * self._size + self._names[1][here]
        )
        named = np.isin(owners[:, np.newaxis] * self._size + grams, known).any(axis=1)
        kinds = np.where(named, NAME, OTHER)
        kinds[self.numbers[grams].any(axis=1)] = NUMBER
        return kinds
