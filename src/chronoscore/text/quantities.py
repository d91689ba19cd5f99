"""Quantities in running text: what is counted or measured, and how much of it there is.

"At least 40 people", "$5.2bn", "a dozen ships" and "5,2 Mio. Euro" become values with a unit or
a head noun, so that two texts can be compared by what they count. Dates, clock times, ordinals
and the numbers of names ("Flight 370") are no quantities.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from chronoscore.dates.finder import dates_in
from chronoscore.text import stopwords
from chronoscore.text.numerals import (
    SCALES,
    SMALL,
    Numeral,
    ordinal_behind,
    read_numeral,
    rounds_to,
)
from chronoscore.text.stems import stem
from chronoscore.text.tokens import TokenSentence, sentences_of_tokens, word_set
from chronoscore.text.verbs import AUXILIARIES

Bound: TypeAlias = Literal["exact", "about", "least", "most"]

_CURRENCIES = {
    word: sign
    for sign, words in {
        "$": "$ dollar dollars usd",
        "€": "€ euro euros eur",
        "£": "£ pound pounds gbp",
        "¥": "¥ yen yuan",
    }.items()
    for word in words.split()
}
CURRENCY_SIGNS = frozenset(_CURRENCIES.values())
_PERCENT = word_set("% percent pct prozent procent percento")
_WORDS_OF_BOUNDS: dict[Bound, str] = {
    "least": "at least|more than|over|above|exceeding|no fewer than|no less than|upwards of",
    "most": "at most|less than|fewer than|under|below|up to|as many as|as much as|no more than",
    "about": "about|around|some|nearly|almost|approximately|roughly|an estimated|estimated",
}
_BOUNDS = {words: bound for bound, many in _WORDS_OF_BOUNDS.items() for words in many.split("|")}
_ORDINAL = frozenset(("st", "nd", "rd", "th"))
_CLOCK = word_set("am pm gmt utc edt est pst pdt")
_JOINED = frozenset("(\"'“‘-–/$€£¥,.")
"""What may stand before a number without a blank."""
_ONE_AS_PRONOUN = frozenset(("of", "another", "day", ""))
_PLACING = frozenset(("in", "at", "near", "across", "around", "outside", "from"))
"""What stands before the name of a place."""
_NAMED_DIGITS = 4
"""The most digits of a number that belongs to a name, as in "Flight 370"."""
_VAGUE = {
    "tens": (20, 90), "dozens": (24, 90), "scores": (40, 90), "hundreds": (200, 900),
    "thousands": (2000, 9000), "millions": (2e6, 9e6), "billions": (2e9, 9e9),
}  # fmt: skip
"""From where to where a number lies that is told by its size alone, before what is left open."""
OPEN = 1.2
"""How far beyond its number a bound or an estimate reaches."""
_EXACT = 0.999
"""What rounding leaves of a number."""
NEAR = 6
"""Words before and after a number that say what it is about."""
_LONGEST = 5
"""Words after a number among which its noun is."""


@dataclass(frozen=True)
class Quantity:
    """A number in a text, its unit or what it counts, and the words around it."""

    low: float
    high: float
    bound: Bound
    unit: str
    """A sign of a currency, `%`, or nothing."""
    counted: tuple[str, ...]
    """Stems of the words after it that say what is counted, the head noun last."""
    context: frozenset[str]
    """Stems of the content words around it."""
    start: int
    end: int

    @property
    def head(self) -> str:
        """The stem of the noun that is counted; empty for a unit or a bare number."""
        return self.counted[-1] if self.counted else ""

    def agrees(self, other: "Quantity") -> bool:
        """Whether both can be true: equal up to rounding, or within what the other leaves open."""
        if self.high >= other.low * _EXACT and other.high >= self.low * _EXACT:
            return True
        below, above = (self, other) if self.high < other.low else (other, self)
        estimated = "about" in (below.bound, above.bound)
        open_ended = below.bound == "least" or above.bound == "most"
        open_to = OPEN if estimated or (open_ended and below.bound != above.bound) else 1.0
        return (
            above.low <= below.high * open_to
            or rounds_to(below.high, above.low)
            or rounds_to(above.low, below.high)
        )


@lru_cache(maxsize=50_000)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """Find the quantities of a text, in order.

    >>> [(q.low, q.bound, q.unit, q.head) for q in quantities_in("At least 40 people died.")]
    [(40.0, 'least', '', 'peopl')]
    """
    sentences = sentences_of_tokens(text)
    if not any(_may_be_number(token.small) for one in sentences for token in one.tokens):
        return ()
    dated = [(m.start, m.end) for m in dates_in(text) if m.type != "DURATION"]
    return tuple(q for sentence in sentences for q in QuantityReader(sentence, dated).quantities())


def _may_be_number(word: str) -> bool:
    return word[:1].isdigit() or word in SMALL or word in SCALES or word in _VAGUE


class QuantityReader:
    """Finds the quantities of a sentence, given where its text has dates."""

    def __init__(self, sentence: TokenSentence, dated: Sequence[tuple[int, int]]) -> None:
        self.sentence = sentence
        self.small = sentence.small
        self.dated = dated

    def quantities(self) -> Iterator[Quantity]:
        """All quantities, in order."""
        place = 0
        while place < len(self.sentence):
            if vague := self._vague(place):
                low, high, stop = vague
                yield replace(self._quantity(place, stop, low, high), bound="about")
                place = stop
                continue
            begin = place + (self.small(place) in _CURRENCIES and len(self.small(place)) == 1)
            numeral = read_numeral(self.sentence, begin)
            if numeral is None:
                place += 1
                continue
            if behind := ordinal_behind(self.sentence, numeral.stop):
                place = behind
                continue
            high, stop = self._range(numeral)
            if not self._is_other(place, stop):
                yield self._quantity(place, stop, numeral.value, high)
            place = stop

    def _vague(self, place: int) -> tuple[float, float, int] | None:
        """What "hundreds" or "tens of thousands" leaves open, and the token behind."""
        known = _VAGUE.get(self.small(place))
        if known is None:
            return None
        factor = _VAGUE.get(self.small(place + 2)) if self.small(place + 1) == "of" else None
        if factor is None:
            return None if self.small(place) == "tens" else (*known, place + 1)
        scale = factor[0] / 2
        return known[0] * scale, known[1] * scale, place + 3

    def _range(self, low: Numeral) -> Numeral:
        """The higher end of "10 to 15", "10-15" or "between 10 and 15", if there is one."""
        link = self.small(low.stop)
        between = "between" in (self.small(low.stop - 2), self.small(low.stop - 3))
        if link in ("-", "–", "to") or (link == "and" and between):
            high = read_numeral(self.sentence, low.stop + 1)
            if high is not None and high.value > low.value:
                return high
        return low

    def is_dated(self, place: int, stop: int) -> bool:
        """Whether some tokens belong to a date."""
        first, last = self.sentence.tokens[place], self.sentence.tokens[stop - 1]
        return any(first.start < end and start < last.end for start, end in self.dated)

    def _is_other(self, place: int, stop: int) -> bool:
        """Whether a number is a date, an ordinal, a time, or part of a name."""
        tokens = self.sentence.tokens
        first = tokens[place]
        if self.is_dated(place, stop):
            return True
        if self.sentence.joined(stop) and (self.small(stop) in _ORDINAL or self.small(stop) == ":"):
            return True
        if first.text[0] == "0" and first.text.isdigit() and len(first.text) > 1:
            # "At 0603": nothing that is counted has a zero before it.
            return True
        if self.small(stop) in _CLOCK or (self.small(stop) in ("a", "p") and self._is_dotted(stop)):
            return True
        alone = stop == place + 1
        if alone and first.small == "one" and self.small(stop) in _ONE_AS_PRONOUN:
            return True
        if self.sentence.joined(place) and tokens[place - 1].text not in _JOINED:
            return True
        return self._is_in_name(place, stop)

    def _is_dotted(self, place: int) -> bool:
        """Whether "a" or "p" goes on as in "a.m."."""
        return self.small(place + 1) == "." and self.small(place + 2) == "m"

    def _is_in_name(self, place: int, stop: int) -> bool:
        """Whether a number follows a name and counts nothing: "Flight 370 is", "on I-15"."""
        tokens = self.sentence.tokens
        if place and self.small(place - 1) == "-" and self.sentence.joined(place):
            return self.sentence.joined(place - 1) and tokens[place - 2].text[-1:].isupper()
        first = self._name_start(place)
        if first == place or not self._is_named(first, place):
            return False
        after = tokens[stop] if stop < len(tokens) else None
        verb = stop < len(tokens) and (self.sentence.verbs[stop] or self.small(stop) in AUXILIARIES)
        if verb and first and self._opens_with_place(first):
            return False
        counts = (
            after and not verb and after.text[:1].islower() and after.small not in stopwords.SMART
        )
        figures = tokens[place].text[:1].isdigit() and len(tokens[stop - 1].text) <= _NAMED_DIGITS
        return figures and not counts

    def _name_start(self, place: int) -> int:
        """The first of the capitalized words right before a number."""
        tokens = self.sentence.tokens
        while place and tokens[place - 1].text[:1].isupper():
            place -= 1
        opening = not place and self.small(0) in stopwords.SMART and not self._is_acronym(0)
        return place + opening

    def _is_named(self, first: int, place: int) -> bool:
        """Whether capitalized words are a name: at the start of a sentence any noun has a capital.

        A verb, an adverb, or "Nearly" before a number takes nothing from it.
        """
        if first or place - first > 1 or self._is_acronym(first):
            return True
        word = self.small(first)
        adverb = word.endswith("ly") or word in _BOUNDS
        return not (adverb or self.sentence.verbs[first] or not self.sentence.stems[first])

    def _is_acronym(self, place: int) -> bool:
        text = self.sentence.tokens[place].text
        return len(text) > 1 and text.isupper()

    def _opens_with_place(self, first: int) -> bool:
        """Whether a clause opens as "In Homs 12 were killed", where the number is the subject."""
        opens = first == 1 or self.small(first - 2) in (",", ";", "and", "but")
        return opens and self.small(first - 1) in _PLACING

    def _quantity(self, place: int, stop: int, low: float, high: float) -> Quantity:
        unit, end = self._unit(place, stop)
        around = self.sentence.stems_around(place, end, NEAR)
        left_out = {stem(word) for word in (*SMALL, *SCALES)}
        return Quantity(
            low,
            high,
            self._bound(place, end),
            unit,
            () if unit else self.counted(end),
            frozenset(around) - left_out,
            self.sentence.tokens[place].start,
            self.sentence.tokens[end - 1].end,
        )

    def _unit(self, place: int, stop: int) -> tuple[str, int]:
        """The unit of a number and the token behind both."""
        before = _CURRENCIES.get(self.small(place)) or _CURRENCIES.get(self.small(place - 1))
        if before:
            return before, stop
        behind = stop + (self.small(stop) == "." and self.small(stop - 1) in SCALES)
        if self.small(behind) in _CURRENCIES:
            return _CURRENCIES[self.small(behind)], behind + 1
        if self.small(stop) in _PERCENT:
            return "%", stop + 1
        if self.small(stop) == "per" and self.small(stop + 1) == "cent":
            return "%", stop + 2
        return "", stop

    def counted(self, stop: int) -> tuple[str, ...]:
        """The words from a number to the end of its noun phrase."""
        words: list[str] = []
        for place in range(stop, min(len(self.sentence), stop + _LONGEST)):
            word, verb = self.small(place), self.sentence.verbs[place]
            if word == "-" or (word == "of" and not words):
                continue
            if not word.isalpha() or (word in stopwords.SMART and word != "others"):
                break
            if verb and words:
                break
            words.append(stem(word))
            if verb:
                break
        return tuple(words)

    def _bound(self, place: int, stop: int) -> Bound:
        """What "at least", "up to", "about" or "or more" say of a number."""
        if self.small(stop) == "or" and self.small(stop + 1) == "more":
            return "least"
        for size in (3, 2, 1):
            words = " ".join(self.small(before) for before in range(place - size, place))
            if words in _BOUNDS:
                return _BOUNDS[words]
        return "exact"
