"""Readers of years, decades and centuries, with BC and AD."""

from chronoscore.dates.context import (
    EDGE,
    Context,
    DateReading,
    date_reading,
    is_date_before_noun,
    stated_year,
)
from chronoscore.dates.points import Point
from chronoscore.dates.tokens import Phrase, Token

_COUNTED = frozenset(
    ("men", "people", "troops", "percent", "million", "billion", "km", "miles", "cavalry")
)
_NUMBERED = frozenset(("no", "nos", "number", "page", "russell", "windows", "flight", "section"))
_NO_PLURALS = frozenset(
    ("was", "has", "is", "does", "as", "this", "its", "his", "thus", "whereas", "across")
)


def read_era(tokens: Phrase, context: Context) -> DateReading | None:
    """A year with BC or AD."""
    year = stated_year(tokens, context)
    return date_reading(Point(year)) if year is not None else None


def read_year_before_era(tokens: Phrase, _context: Context) -> DateReading | None:
    """The 490 of "490–480 BC"."""
    return date_reading(Point(1 - tokens[-1].number))


def read_bare_year_of_era(tokens: Phrase, context: Context) -> DateReading | None:
    """A year of three digits, while years BC are spoken of."""
    focus, number = context.scene.focus, tokens[-1].number
    if focus is None or not -1000 < focus.year < 1 or number < 100:
        return None
    if len(tokens) == 1 and context.before.kind not in "ijf<>-":
        return None
    return date_reading(Point(1 - number))


def read_year(tokens: Phrase, context: Context) -> DateReading | None:
    """A number of four digits that is a year and not a crowd."""
    number = tokens[-1].number
    if len(tokens) == 1 and not _like_a_year(number, context):
        return None
    if is_count(context):
        round_crowd = number % 50 == 0 and context.before.kind != "t"
        if round_crowd or context.after.kind in "UZ" or context.after.word in _COUNTED:
            return None
    return date_reading(Point(number, part=_half(tokens)))


def _like_a_year(number: int, context: Context) -> bool:
    before, after = context.before, context.after
    if before.kind in "$%" or after.kind == "%" or before.word in _NUMBERED:
        return False
    if before.kind == "-" and context.earlier[-2:-1] and context.earlier[-2].kind in "HQ":
        # A telephone number.
        return False
    if before.kind in "ijf<>(-/,t\n;":
        known = before.kind in "ij<>(" if context.scene.history else before.word == "in"
        return number >= 1400 or known
    return number >= 1500 and after.kind != "u"


def is_count(context: Context) -> bool:
    """Whether the word behind a number looks like what it counts."""
    after: Token = context.after
    if after.kind in "UZ" or after.word in _COUNTED:
        return True
    plural = after.kind == "." and after.word.endswith("s") and len(after.word) > 3
    return plural and after.word not in _NO_PLURALS


def _half(tokens: Phrase) -> str:
    """H1 or H2 where the words say which half of the year."""
    words = tokens.words
    if "half" not in words:
        return ""
    return "H1" if "first" in words else "H2" if words & {"second", "latter", "last"} else ""


def read_year_after_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The 60 of "1957–60"."""
    focus, word = context.scene.focus, tokens[-1].word
    if focus is None or focus.year < 1000 or len(word) != 2:
        return None
    year = focus.year // 100 * 100 + int(word)
    return date_reading(Point(year)) if year > focus.year else None


def read_short_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The ’45 of "in ’45"."""
    base, word = context.scene.told, tokens[-1].word
    if base is None or len(word) != 2:
        return None
    year = base.year // 100 * 100 + int(word)
    return date_reading(Point(year - 100 if year > base.year + 20 else year))


def read_decade(tokens: Phrase, context: Context) -> DateReading | None:
    """The 1960s, the sixties, the ’60s, the 470s BC."""
    number = tokens.first("Kk").number
    whose = next((token for token in reversed(context.earlier) if token.kind not in "e-"), EDGE)
    if whose.word in ("his", "her", "their", "my", "our", "your"):
        return None
    if tokens.find("B"):
        return date_reading(Point(1 - number, width=10)) if number else None
    if number < 100 and not tokens.find("A"):
        base = context.scene.told
        known = base.year if base and base.year > 100 else 1999
        number += known // 100 * 100
        number -= 100 if number > known + 10 else 0
    return date_reading(Point(number, width=10)) if 0 < number < 2100 else None


def read_century(tokens: Phrase, context: Context) -> DateReading | None:
    """The 5th century BC."""
    number = tokens[::-1].first("oO").number
    if not 1 <= number <= 40 or is_date_before_noun(tokens, context):
        return None
    return date_reading(
        Point(1 - 100 * number if tokens.find("B") else 100 * number - 99, width=100)
    )


def read_century_before_century(tokens: Phrase, context: Context) -> DateReading | None:
    """The 5th of "the 5th and 4th centuries BC"."""
    era = [token for token in context.rest.after(context.rest.first("Z"))[:1] if token.kind == "B"]
    return read_century(Phrase([*tokens, *era]), context)
