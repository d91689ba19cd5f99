"""Whether the day or the month comes first in 03/06/2010."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from chronoscore import lazy
from chronoscore.options import DateOrder

_ASSUMED: ContextVar[DateOrder | None] = ContextVar("date_order", default=None)
_LONG_ENOUGH = 20_000
_ENGLISH = frozenset(("the", "of", "and", "in", "to", "on", "was", "is", "for", "with", "by", "at"))
# A pattern that begins with a digit is looked for only where there is one.
_IN_FIGURES = lazy.pattern(r"(\d(?<![\d/.-]\d)\d?)([-/.])(\d{1,2})\2\d{4}(?![\d/-])")
_SHORT_YEAR = lazy.pattern(r"(\d(?<![\w/.-]\d)\d?)([-/.])(\d{1,2})\2\d\d(?![\w/-]|\.\d)")
_SHORT_IN_FIGURES = lazy.pattern(r"^[^\w\n]*(\d{1,2})/(\d{1,2})(?=\s*[:–—-]|\s+[^\W\d_])", re.M)


@contextmanager
def assume(order: DateOrder | None) -> Iterator[None]:
    """Read 03/06/2010 day or month first where the dates around it do not show which it is."""
    before = _ASSUMED.set(order)
    try:
        yield
    finally:
        _ASSUMED.reset(before)


def in_figures(text: str) -> bool:
    """Whether a text is a date as 03/06/2010 and nothing else."""
    return _IN_FIGURES.fullmatch(text) is not None


def of_text(text: str) -> DateOrder | None:
    """The order in a text: the one that its dates in figures show, else the assumed one."""
    orders: set[DateOrder] = set()
    figures = _IN_FIGURES.findall(text) or _SHORT_YEAR.findall(text)
    full = [(first, second) for first, _, second in figures]
    for first, second in full or _SHORT_IN_FIGURES.findall(text):
        if int(first) > 12 >= int(second):
            orders.add("day")
        elif int(second) > 12 >= int(first):
            orders.add("month")
    if len(orders) == 1:
        return orders.pop()
    return _ASSUMED.get() or (None if orders or not full else _of_language(text))


def _of_language(text: str) -> DateOrder | None:
    """The day comes first in all languages but English, where it depends on the country."""
    from chronoscore.dates import tongues

    words = re.findall(r"[^\W\d_]+", text[:_LONG_ENOUGH].casefold())
    foreign = sum(word in _foreign() for word in words)
    english = sum(word in _ENGLISH for word in words)
    telling = tongues.of_text(text) or foreign >= max(3, 2 * english + 1)
    return "day" if telling else None


@cache
def _foreign() -> frozenset[str]:
    """Small words that English does not have."""
    from chronoscore.dates.languages import LANGUAGES

    lists = (f"{one.fillers} {one.prepositions} {one.range_words}" for one in LANGUAGES[1:])
    return frozenset(word for words in lists for word in words.split() if len(word) > 1) - _ENGLISH
