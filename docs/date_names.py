"""Write `src/chronoscore/dates/names.txt`: the words of dates in languages, from the Unicode CLDR.

    python docs/date_names.py

needs Babel, which Sphinx brings. A line has a language, its twelve months, its seven weekdays,
how it writes "before Christ", and its words for seasons, centuries, decades and years, which the
CLDR has in part or not at all and which are in date_words.txt. Forms of one name have a blank
between them; `_` stands for a blank inside a name. Languages of `languages.py` are left out.
"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from babel import Locale, localedata

TARGET = Path(__file__).parents[1] / "src/chronoscore/dates/names.txt"
MORE = Path(__file__).with_name("date_words.txt")
"""Seasons, centuries, decades and years of each language."""


def forms(names: Iterable[str], latin: int = 3, other: int = 2) -> str:
    """The forms of one name in one string, without dots, prepositions and numbers.

    Short names in Latin letters, as abbreviations are, would be words of other languages too.
    """
    found: dict[str, None] = {}
    for name in names:
        plain = unicodedata.normalize("NFC", name).lower().strip(". ")
        plain = re.sub(r"^(?:de |d['’]|יום )", "", plain)
        shortest = latin if unicodedata.normalize("NFD", plain)[:1].isascii() else other
        if len(plain) >= shortest and not re.search(r"\d", plain):
            found[plain.replace(" ", "_").replace("’", "'")] = None
    return " ".join(found)


def line_of(code: str, more: str) -> str:
    """A language with its names."""
    localedata._cache.clear()  # aliases would keep what they led to in the language before
    locale = Locale.parse(code)
    months, days, eras = locale.months, locale.days, locale.eras
    month_names = [
        " ".join(dict.fromkeys([
            *forms(months[use]["wide"][number] for use in ("format", "stand-alone")).split(),
            *forms((months[use]["abbreviated"][number] for use in months), 4, 3).split(),
        ]))
        for number in range(1, 13)
    ]  # fmt: skip
    weekdays = [
        forms(days[use]["wide"][number] for use in ("format", "stand-alone")) for number in range(7)
    ]
    before_christ = {forms([eras[width].get(0, "")]) for width in ("wide", "abbreviated")} - {""}
    parts = ["|".join(month_names), "|".join(weekdays), " ".join(sorted(before_christ))]
    return "\t".join([code, *parts, *more.split("|")])


if __name__ == "__main__":
    words = dict(line.split(" ", 1) for line in MORE.read_text("utf-8").splitlines())
    lines = [f"{line_of(code, more)}\n" for code, more in words.items()]
    TARGET.write_text("".join(lines), "utf-8")
