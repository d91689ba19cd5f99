"""A text that is a date and nothing else, as people and formats write it, taken apart.

Nothing is guessed. A two-digit year, a day that could be a month (03/06/2010),
a season, a week or a range is refused with a word on how to write it instead.
Whether the parts make a real date is for `When` to say.
"""

import re
from functools import lru_cache
from typing import NoReturn

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.days import DateParts
from chronoscore.dates.tongues import fold_dates
from chronoscore.errors import DataError

_EXAMPLES = "2010-06-03, 1997-06, 1997, 1920s, 19th century, 800 BC or 15 March 44 BC"
_DASHES = dict.fromkeys(map(ord, words.DASHES), "-")
_YEARS = lazy.pattern(rf"\d\d(\d\d)[{words.DASHES}](\d\d)")
_ASIDE = lazy.pattern(
    rf"(?:{words.WEEKDAY}(?=[\s,]),?\s*)?(?:(?:{words.FILLER})\s)?(?:(?:{words.CIRCA})\.?(?:\s|(?=\d)))?"
    rf"(?:(?:{words.FILLER})\s)?"
)
# An era stands before a number that ends the text, or ends the text itself.
_ERA_BEFORE = lazy.pattern(
    rf"(?:^|\s)(?:({words.LOOSE_BC})|{words.LOOSE_AD})\s*(?=\d\S*(?: (?:{words.CENTURY}))?$)",
    re.IGNORECASE,
)
_ERA_AFTER = lazy.pattern(
    rf"(?<=[\dsy.])\s*(?:({words.LOOSE_BC})|{words.LOOSE_AD})$", re.IGNORECASE
)
_CLOCK = r"\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?\s?(?:z|utc|gmt|[+-]\d\d(?::?\d\d)?)?"
_ISO = lazy.pattern(
    r"(\d{4})(?:([-/.])(\d\d?|xx)(?:\2(\d\d?|xx)"
    rf"(?:t(?:{_CLOCK}|[a-z]{{2}})|\s(?=\d\d:){_CLOCK})?)?)?",
    re.ASCII,
)
_COMPACT = lazy.pattern(rf"(\d{{4}})(\d\d)(\d\d)(?:t{_CLOCK})?", re.ASCII)
# TIMEX3 pads years to four digits, so that a leading zero shows what is left off.
_TIMEX_BC = lazy.pattern(r"bc(0\d{1,2})", re.ASCII)
_DECADE = lazy.pattern(r"'?(\d+)'?s", re.ASCII)
_CENTURY = lazy.pattern(
    rf"(?:(\d+)(?:{words.ORDINAL_ENDING})|({words.ORDINAL}))[ -](?:(?:{words.CENTURY})\.?|c\.)"
)
_THOUSANDS = lazy.pattern(r"\d{1,3},\d{3}", re.ASCII)
_UNCLEAR = lazy.pattern(r"\d{1,2}([-/.])\d{1,2}\1\d{2,4}.*", re.ASCII)
_SMALL_WORDS = lazy.pattern(
    rf"(?<=\d)(?:{words.ORDINAL_ENDING})\b|,|-|\b(?:{words.OF}|{words.YEAR_WORD})(?!\w)"
    r"|(?<=[^\W\d])\.|(?<=\d)\.(?=\s)"
)


def parse_date_parts(text: str) -> DateParts:
    """Take a written date apart, or say why it cannot be."""
    return _parts(text, fold_dates(text))


@lru_cache(maxsize=4096)
def _parts(text: str, folded: str) -> DateParts:
    """The parts of a date that is folded too; files name the same days again and again."""
    plain = " ".join(folded.translate(_DASHES).casefold().split())
    years = _YEARS.fullmatch(text.strip())
    if years is not None and years[2] > years[1]:
        _refuse(text, "may be a range of years; write it as 2009-10 if it is a month")
    if found := _TIMEX_BC.fullmatch(plain):
        return _bare_number(text, found[1], "")._replace(bc=True)
    plain, era = _without_era(_ASIDE.sub("", plain, count=1))
    bc = era == "bc"
    if found := _ISO.fullmatch(plain):
        year, _, month, day = found.groups()
        return _numeric(int(year), month, day, bc)
    if found := _COMPACT.fullmatch(plain):
        year, month, day = found.groups()
        return DateParts("day", int(year), int(month), int(day), bc)
    if plain.isascii() and plain.isdigit():
        return _bare_number(text, plain, era)
    if _THOUSANDS.fullmatch(plain) and era:
        return DateParts("year", int(plain.replace(",", "")), bc=bc)
    if found := _DECADE.fullmatch(plain):
        if not era and len(found[1]) < 3:
            _refuse(text, "names no century; write it as 1920s or AD 20s")
        return DateParts("decade", int(found[1]), bc=bc)
    if found := _CENTURY.fullmatch(plain):
        return DateParts("century", int(found[1] or words.ORDINAL_NUMBERS[found[2]]), bc=bc)
    if not era and (found := re.fullmatch(r"(\d\d)xx|(\d{3})x", plain, re.ASCII)):
        return _bare_number(text, found[1] or found[2], era)
    return _words(text, plain, era)


def _without_era(plain: str) -> tuple[str, str]:
    """Split off BC, BCE, AD or CE, before or behind."""
    for pattern in (_ERA_BEFORE, _ERA_AFTER):
        if found := pattern.search(plain):
            rest = f"{plain[: found.start()]} {plain[found.end() :]}".strip()
            return rest, "bc" if found[1] else "ad"
    return plain, ""


def _numeric(year: int, month: str | None, day: str | None, bc: bool) -> DateParts:
    """Read year, month and day in figures; an `xx` (TIMEX3) leaves the coarser grain."""
    if month is None or month == "xx":
        return DateParts("year", year, bc=bc)
    if day is None or day == "xx":
        return DateParts("month", year, int(month), bc=bc)
    return DateParts("day", year, int(month), int(day), bc)


def _bare_number(text: str, digits: str, era: str) -> DateParts:
    """Read a number alone: a year with its era, else as TIMEX3 counts digits.

    TIMEX3 leaves digits off a year, so 192 is a decade and 19 a century; what
    would lie after our own century is more likely a short year, and refused.
    """
    if era or digits == "0":
        return DateParts("year", int(digits), bc=era == "bc")
    if len(digits) == 3 and digits < "210":
        return DateParts("decade", int(digits) * 10)
    if len(digits) == 2 and digits < "21":
        return DateParts("century", int(digits) + 1)
    return _refuse(text, "is not a full year; write it with four digits or an era, such as AD 79")


def _words(text: str, plain: str, era: str) -> DateParts:
    """Read a date that names its month."""
    if _UNCLEAR.fullmatch(plain):
        _refuse(text, "does not tell day from month; write it as YYYY-MM-DD or give `date_order`")
    if plain.startswith("-"):
        _refuse(text, "is a negative year, which is counted in two ways; write it as 800 BC")
    tokens = _SMALL_WORDS.sub(" ", plain).split()
    shape = "".join(
        "m" if token in words.MONTH_NUMBERS else "n" if token.isascii() and token.isdigit() else "?"
        for token in tokens
    )
    if shape.count("m") != 1 or shape not in ("m", "mn", "nm", "nmn", "mnn"):
        _refuse(text, f"is not understood; write it as {_EXAMPLES}")
    numbers = [token for token in tokens if token not in words.MONTH_NUMBERS]
    month = words.MONTH_NUMBERS[tokens[shape.index("m")]]
    year_first = shape[0] == "n" and len(numbers[0]) > 2
    if shape == "m" or (shape == "nm" and not year_first):
        _refuse(text, "has no year; write it as 2010-06-03")
    year = numbers.pop(0 if year_first else -1)
    if len(year) < 3 and not era:
        _refuse(text, "has no full year; write it with four digits or an era, such as AD 79")
    if not numbers:
        return DateParts("month", int(year), month, bc=era == "bc")
    if len(numbers[0]) > 2:
        _refuse(text, f"is not understood; write it as {_EXAMPLES}")
    return DateParts("day", int(year), month, int(numbers[0]), era == "bc")


def _refuse(text: str, what: str) -> NoReturn:
    raise DataError(f"date {text!r} {what}", reason="date")
