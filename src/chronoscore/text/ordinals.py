"""Ordinals in running text: the 87th soldier, the third quarter."""

from collections.abc import Iterator
from functools import lru_cache

from chronoscore.dates.finder import dates_in
from chronoscore.lazy import pattern
from chronoscore.text.numerals import read_ordinal
from chronoscore.text.quantities import NEAR, Quantity, QuantityReader
from chronoscore.text.tokens import sentences_of_tokens

ORDINAL = "th"
"""What stands in the place of a unit."""
_MAY_BE = pattern(r"(?:st|nd|rd|th)\b")


@lru_cache(maxsize=50_000)
def ordinals_in(text: str) -> tuple[Quantity, ...]:
    """Find the ordinals of an English text from the third up; those of dates are none.

    >>> [(one.low, one.head) for one in ordinals_in("The 87th soldier died on 5th May.")]
    [(87.0, 'soldier')]
    """
    if not _MAY_BE.search(text):
        return ()
    dated = [(one.start, one.end) for one in dates_in(text)]
    return tuple(
        one
        for sentence in sentences_of_tokens(text)
        for one in _ordinals(QuantityReader(sentence, dated))
    )


def _ordinals(reader: QuantityReader) -> Iterator[Quantity]:
    sentence = reader.sentence
    for place in range(len(sentence)):
        found = read_ordinal(sentence, place)
        if found is None or reader.is_dated(place, found.stop):
            continue
        value, stop = found
        context = frozenset(sentence.stems_around(place, stop, NEAR))
        start, end = sentence.tokens[place].start, sentence.tokens[stop - 1].end
        counted = reader.counted(stop)
        yield Quantity(value, value, "exact", ORDINAL, counted, context, start, end)
