"""The words of dates in twelve languages; `vocabulary` makes patterns of them.

Names of months and weekdays are in `names.txt`: those of the Unicode CLDR, with the forms that a
date takes (the genitive of Russian months) and usual abbreviations. Other words are in
`languages.toml`. Chinese, Japanese and Korean write dates in figures with a sign behind each;
`east_asian` reads these.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """The words that dates are written with, each tuple in the order of what it names.

    Names of one month or weekday stand in one string, the full one first, the abbreviations
    without their dot, and `_` for a blank inside a name. Eras have their dots, which a text
    may leave out. A century or decade is named by a word behind its number or before it. A
    language has only the words that it needs.
    """

    months: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    ordinal_endings: str = ""
    before_christ: tuple[str, ...] = ()
    anno_domini: tuple[str, ...] = ()
    centuries: str = ""
    century_prefixes: str = ""
    decade_suffixes: str = ""
    decade_prefixes: str = ""
    seasons: str = ""
    quarters: str = ""
    weeks: str = ""
    times_of_day: str = ""
    of: str = ""
    year_words: str = ""
    fillers: str = ""
    range_words: str = ""
    ongoing: str = ""
    parts: str = ""
    circa: str = ""
    approximate: str = ""
    limits: str = ""
    prepositions: str = ""


def _read(name: str) -> str:
    return files("chronoscore.dates").joinpath(name).read_text("utf-8")


@cache
def read_table(name: str) -> dict[str, Any]:
    """A table of words that is kept as TOML."""
    return tomllib.loads(_read(f"{name}.toml"))


def values_of_words(part: str) -> dict[str, str]:
    """The words of a part of `english.toml`, each with the value that it stands under."""
    table: dict[str, str] = read_table("english")[part]
    return {word: value for value, words in table.items() for word in words.split()}


@cache
def read_names() -> dict[str, list[str]]:
    """The columns of `names.txt`, which docs/date_names.py writes, by language."""
    lines = _read("names.txt").splitlines()
    return {code: columns for code, *columns in (line.split("\t") for line in lines)}


def _language(code: str, words: dict[str, str]) -> Language:
    months, weekdays = (tuple(names.split("|")) for names in read_names()[code])
    lists = ("ordinals", "before_christ", "anno_domini")
    split = {name: tuple(words.get(name, "").split()) for name in lists}
    return Language(months, weekdays, **(words | split))  # type: ignore[arg-type]


LANGUAGES = tuple(_language(*row) for row in read_table("languages").items())
"""The languages that write months with words, English first."""
ENGLISH = LANGUAGES[0]
