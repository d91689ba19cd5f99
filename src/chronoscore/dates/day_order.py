"""Whether the day or the month comes first in 03/06/2010."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from chronoscore import lazy
from chronoscore.options import DateOrder

_ASSUMED: ContextVar[DateOrder | None] = ContextVar("date_order", default=None)
_IN_FIGURES = lazy.pattern(r"(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2\d{4}(?![\d/-])")
_SHORT_IN_FIGURES = lazy.pattern(r"^[^\w\n]*(\d{1,2})/(\d{1,2})(?=\s*[:–—-])", re.MULTILINE)


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
    full = [(first, second) for first, _, second in _IN_FIGURES.findall(text)]
    for first, second in full or _SHORT_IN_FIGURES.findall(text):
        if int(first) > 12 >= int(second):
            orders.add("day")
        elif int(second) > 12 >= int(first):
            orders.add("month")
    return orders.pop() if len(orders) == 1 else _ASSUMED.get()
