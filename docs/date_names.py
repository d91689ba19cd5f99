"""Write `src/chronoscore/dates/names.txt`: the words of dates in languages, from the Unicode CLDR.

    python docs/date_names.py

needs Babel, which Sphinx brings. A line has a language, its twelve months and its seven weekdays.
For languages of `languages.py` that is all, with further forms of a name from date_forms.txt. For
others it goes on with how they write "before Christ" and their words for seasons, centuries,
decades and years, which the CLDR has in part or not at all and which are in date_words.txt. Forms
of one name have a blank between them; `_` stands for a blank inside a name.
"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from babel import Locale, localedata

TARGET = Path(__file__).parents[1] / "src/chronoscore/dates/names.txt"
MORE = Path(__file__).with_name("date_words.txt")
"""Seasons, centuries, decades and years of each language."""
FORMS = Path(__file__).with_name("date_forms.txt")
"""Further forms of names: a language, a name of the CLDR, and its other forms."""


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


def locale_of(code: str) -> Locale:
    """A language of the CLDR."""
    localedata._cache.clear()  # aliases would keep what they led to in the language before
    return Locale.parse(code)


def names_of(locale: Locale, shortest: tuple[int, int]) -> tuple[list[str], list[str]]:
    """The months, with abbreviations of this length in Latin and other letters; the weekdays."""
    months, days = locale.months, locale.days
    month_names = [
        " ".join(dict.fromkeys([
            *forms(months[use]["wide"][number] for use in ("format", "stand-alone")).split(),
            *forms((months[use]["abbreviated"][number] for use in months), *shortest).split(),
        ]))
        for number in range(1, 13)
    ]  # fmt: skip
    weekdays = [
        forms(days[use]["wide"][number] for use in ("format", "stand-alone")) for number in range(7)
    ]
    return month_names, weekdays


def line_of(code: str, more: str) -> str:
    """A language with its names and words."""
    locale = locale_of(code)
    months, weekdays = names_of(locale, (4, 3))
    eras = locale.eras
    before_christ = {forms([eras[width].get(0, "")]) for width in ("wide", "abbreviated")} - {""}
    parts = ["|".join(months), "|".join(weekdays), " ".join(sorted(before_christ))]
    return "\t".join([code, *parts, *more.split("|")])


def full_line_of(code: str, more: dict[str, str]) -> str:
    """A language of `languages.py` with all forms of its names.

    News in Arabic often names a month in both ways, with a slash between them.
    """
    months, weekdays = names_of(locale_of(code), (3, 3))
    months, weekdays = (
        [" ".join([names, *more.get(names.split()[0], "").split()]) for names in kind]
        for kind in (months, weekdays)
    )
    if code == "ar":
        for number, (first, second, *_) in enumerate(map(str.split, months)):
            both = [f"{a}{slash}{b}" for a, b in ((first, second), (second, first))
                    for slash in ("/", "_/_")]  # fmt: skip
            months[number] += " " + " ".join(both)
    return "\t".join([code, "|".join(months), "|".join(weekdays)])


if __name__ == "__main__":
    further: dict[str, dict[str, str]] = {}
    for line in FORMS.read_text("utf-8").splitlines():
        code, name, others = line.split(" ", 2)
        further.setdefault(code, {})[name] = others
    words = dict(line.split(" ", 1) for line in MORE.read_text("utf-8").splitlines())
    lines = [full_line_of(code, more) for code, more in further.items()]
    lines += [line_of(code, more) for code, more in words.items()]
    TARGET.write_text("".join(f"{line}\n" for line in lines), "utf-8")
