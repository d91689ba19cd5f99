"""Lists of days in their plainest form, read at once: rewards come by the thousand a second.

What is read here is read as every reader of answers reads it; all else, such as a line of another
form, is left to them.
"""

from datetime import date
from functools import lru_cache

from chronoscore.core import Entry, Timeline
from chronoscore.dates.when import When
from chronoscore.lazy import pattern

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_month = "|".join(_MONTHS)
_dates = rf"\d{{4}}-\d\d-\d\d|\d\d? (?:{_month}) \d{{4}}|(?:{_month}) \d\d?, \d{{4}}"
_start = "A-Za-zÀ-ɏ0-9"
_line = pattern(
    rf"(?P<mark>[-*] )?(?P<bold>\*\*)?(?P<date>{_dates})(?(bold)\*\*): "
    rf"(?P<text>[A-ZÀ-Þ][{_start},;'’%$-]*(?: [{_start}$(\"“‘][{_start},;.'’%$)\"”-]*)*[.!?]?)"
)


def read(text: str) -> Timeline | None:
    """The timeline of a plain list of days; nothing where any line has another form.

    >>> [str(day) for day in read("- 2031-03-12: It broke.\\n- 2031-03-14: Help came.").dates]
    ['2031-03-12', '2031-03-14']
    >>> read("- 12 March: The dam broke.")
    """
    entries: list[Entry] = []
    form = last = None
    for line in text.strip("\n").split("\n"):
        found = _line.fullmatch(line)
        if found is None:
            return None
        mark, bold, day, sentence = found.groups()
        when = _read_day(day)
        # Days of two forms, out of order or said twice are for readers that note it.
        if when is None or (last is not None and when.first <= last):
            return None
        if form is not None and form != (mark, bold):
            return None
        form, last = (mark, bold), when.first
        entries.append(Entry(when, (sentence,)))
    return Timeline(tuple(entries))


@lru_cache(maxsize=10_000)
def _read_day(text: str) -> When | None:
    """A day as it is written; days come again and again."""
    if text[0].isdigit() and text[4:5] == "-":
        year, month, day = text.split("-")
    else:
        first, second, year = text.replace(",", "").split(" ")
        name, day = (second, first) if first.isdigit() else (first, second)
        month = str(_MONTHS.index(name) + 1)
    try:
        return When.of(date(int(year), int(month), int(day)))
    except ValueError:
        return None
