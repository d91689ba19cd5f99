"""Whether a text has a number that a date could be made of.

No date is read without a year, and no year without a number: in figures of any script, with the
signs of Chinese, Japanese and Korean dates, or as the ordinal or Roman number of a century. This
is known before the patterns of dates are made, which takes far longer.
"""

import re
from functools import cache

from chronoscore.dates.folding import fold

_SIGNS = frozenset("年年月日년월일世세")
"""Behind these even a circle or 元 is a number."""


def may_date(text: str) -> bool:
    """Whether a text may name a date; without a number it cannot.

    >>> may_date("On Monday in May the dam broke."), may_date("in the nineteenth century")
    (False, True)
    """
    if not text.isascii() and not _SIGNS.isdisjoint(text):
        return True
    return any(map(str.isnumeric, text)) or names_century(text)


def names_century(text: str) -> bool:
    """Whether a text has a word for centuries, beside which a number may stand in letters."""
    return _century().search(fold(text)) is not None


def looks_dated(text: str) -> bool:
    """Whether a text is meant as a date, right or wrong: it has a digit or a month's name."""
    if any(map(str.isdigit, text)):
        return True
    from chronoscore.dates.forms import read_single_date
    from chronoscore.dates.tongues import fold_dates

    return read_single_date(fold_dates(text.strip()), 0) is not None


@cache
def _century() -> re.Pattern[str]:
    """The words beside which a number without figures counts a century."""
    from chronoscore.dates.languages import LANGUAGES

    words = {
        re.escape(fold(word))
        for language in LANGUAGES
        for word in f"{language.centuries} {language.century_prefixes} c.".split()
    }
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(words))})(?!\w)", re.IGNORECASE)
