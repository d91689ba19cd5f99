"""How tilse 0.2.1 reads texts: on the way to Perl, and for the cost of an alignment."""

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from chronoscore.text.batch import Batch


def read_sentence_like_tilse(sentence: str) -> str:
    """What is left of a sentence after tilse has written it out and Perl has read it.

    The caret is written as an entity, which is then read as a word; what follows a `<` is
    lost.

    >>> read_sentence_like_tilse("about 5 ^ 2 , if x < 3")
    'about 5 &circ; 2 , if x '
    """
    return " ".join(sentence.split()).replace("^", "&circ;").partition("<")[0]


def _cost_words(sentence: str) -> list[str]:
    """The words by which tilse compares two days: split at blanks, case kept.

    >>> _cost_words("`` Top kill '' fails .")
    ['``', 'Top', 'kill', "''", 'fails']
    """
    # tilse asks whether the word is part of this string, so that only ")*" or "." is not one.
    return [word for word in sentence.split() if word not in string.punctuation]


def tilse_cost_words(texts: Sequence[Sequence[str]]) -> "Batch":
    """Number the words by which tilse compares days."""
    from chronoscore.text.batch import Batch, Layout

    numbers: dict[str, int] = {}
    words: list[int] = []
    ends = [0]
    for text in texts:
        for sentence in text:
            words += [numbers.setdefault(word, len(numbers)) for word in _cost_words(sentence)]
        ends.append(len(words))
    layout = Layout(
        np.array(words, dtype=np.int32), np.array(ends, dtype=np.int64), np.arange(len(ends))
    )
    return Batch(layout, layout, tuple(numbers))
