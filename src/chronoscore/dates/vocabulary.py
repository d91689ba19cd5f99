"""The words of dates: one vocabulary for dates in files, at the beginning of lines and in prose.

A language is a `Language` in `LANGUAGES`; the patterns below are made from all of them. Files
and lines (`written`, `openings`) read every language here; running text (`finder`) is English.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """The words that dates are written with, each tuple in the order of what it names.

    Names of one month or weekday stand in one string, the full one first, the abbreviations
    without their dot. Eras have their dots, which a text may leave out.
    """

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    ordinals: tuple[str, ...]
    ordinal_endings: str
    before_christ: tuple[str, ...]
    anno_domini: tuple[str, ...]
    centuries: str
    seasons: str
    times_of_day: str
    of: str
    fillers: str
    range_words: str
    ongoing: str
    parts: str
    circa: str
    approximate: str
    limits: str
    prepositions: str


ENGLISH = Language(
    months=(
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
        "august aug", "september sept sep", "october oct", "november nov", "december dec",
    ),
    weekdays=(
        "monday mon", "tuesday tues tue", "wednesday weds wed", "thursday thurs thur thu",
        "friday fri", "saturday sat", "sunday sun",
    ),
    ordinals=(
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
        "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first",
    ),
    ordinal_endings="st nd rd th",
    before_christ=("B.C.E.", "B.C."),
    anno_domini=("A.D.", "C.E."),
    centuries="century cent",
    seasons="spring summer autumn fall winter",
    times_of_day="morning afternoon evening night",
    of="of",
    fillers="the of or",
    range_words="to through thru until till and",
    ongoing="present ongoing today now onwards onward",
    parts="early mid middle late beginning start end",
    circa="circa ca. c.",
    approximate="approximately approx. ~",
    limits="around about by since from after before until as",
    prepositions="in on during throughout between",
)  # fmt: skip
LANGUAGES = (ENGLISH,)


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words, the longest first."""
    return "|".join(map(re.escape, sorted(set(words), key=len, reverse=True)))


def words_of_all(*lists: Callable[[Language], str]) -> list[str]:
    """The words that some lists have in all languages."""
    return [word for language in LANGUAGES for words in lists for word in words(language).split()]


def _number_names(names: Callable[[Language], tuple[str, ...]]) -> dict[str, int]:
    """Each name in any language with its place in the list, counted from 1."""
    return {
        name: number
        for language in LANGUAGES
        for number, same in enumerate(names(language), 1)
        for name in same.split()
    }


def _era(names: Iterable[str], *dots: str) -> str:
    """A pattern for eras, with each of these patterns for their dots."""
    return "|".join(
        re.escape(name).replace(r"\.", dot).removesuffix(r"\s?") for name in names for dot in dots
    )


MONTHS = tuple(names.split()[0].capitalize() for names in ENGLISH.months)
"""The names that we write."""

MONTH_NUMBERS = _number_names(lambda language: language.months)
ORDINAL_NUMBERS = _number_names(lambda language: language.ordinals)

MONTH = any_of(MONTH_NUMBERS)
WEEKDAY = rf"(?:{any_of(_number_names(lambda language: language.weekdays))})\b\.?"
ORDINAL = any_of(ORDINAL_NUMBERS)
ORDINAL_ENDING = any_of(words_of_all(lambda language: language.ordinal_endings))
CENTURY = any_of(words_of_all(lambda language: language.centuries))
SEASON = any_of(words_of_all(lambda language: language.seasons))
TIME_OF_DAY = any_of(words_of_all(lambda language: language.times_of_day))
OF = any_of(words_of_all(lambda language: language.of))
FILLER = any_of(words_of_all(lambda language: language.fillers))
RANGE_WORD = any_of(words_of_all(lambda language: language.range_words))
ONGOING = any_of(words_of_all(lambda language: language.ongoing))
CIRCA = any_of(word.rstrip(".") for word in words_of_all(lambda language: language.circa))
HEDGE = any_of(
    words_of_all(
        lambda language: language.parts,
        lambda language: language.circa,
        lambda language: language.approximate,
        lambda language: language.limits,
    )
)
"""Words that make a date less than exact: "early May 2010", "before June 3"."""
SENTENCE_OPENERS = frozenset(
    words_of_all(lambda language: language.limits, lambda language: language.prepositions)
)
"""Words that make a date part of a sentence: "In 2010, …"."""
PREPOSITION = any_of(
    words_of_all(lambda language: language.prepositions, lambda language: language.fillers)
)

DASHES = "‐‑‒–—−"
_BC = [name for language in LANGUAGES for name in language.before_christ]
_AD = [name for language in LANGUAGES for name in language.anno_domini]
LOOSE_BC, LOOSE_AD = _era(_BC, r"\.?\s?"), _era(_AD, r"\.?\s?")
"""An era in a text that is a date and nothing else, in any case and with or without dots."""
BC, AD = _era(_BC, r"\.\s?", ""), _era(_AD, r"\.\s?", "")
"""An era in a longer text, where "ad" is a word and "AD" is not."""
