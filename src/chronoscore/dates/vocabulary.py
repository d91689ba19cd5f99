"""Patterns for the words of dates, made from all languages: one vocabulary for files and lines.

Files and lines (`written`, `openings`) read every language in `languages`; English running text
(`finder`) has further words of its own. Patterns are made for text that went through
`fold`.
"""

import re
import unicodedata
from collections.abc import Iterable

from chronoscore import lazy
from chronoscore.dates.folding import UNSEEN, fold
from chronoscore.dates.languages import ENGLISH, Language
from chronoscore.dates.languages import LANGUAGES as _SPELLED_OUT
from chronoscore.dates.tongues import SIGNS

__all__ = ["ENGLISH", "LANGUAGES", "UNSEEN", "Language", "date_word_pattern"]

LANGUAGES = (*_SPELLED_OUT, SIGNS)

_COMBINED = lazy.pattern("[\u0300-\u036f]")
_COMBINED_WORD = lazy.pattern("[^\\W\\d_]+(?:[\u0300-\u036f]+[^\\W\\d_]*)+")


def compose_date_words(text: str) -> str:
    """Put letters and the accents behind them together in the words of dates ("août").

    Other words stay as they are: their letters may be counted one by one.
    """
    if not _COMBINED.search(text):
        return text
    return _COMBINED_WORD.sub(_compose, text)


def _compose(found: re.Match[str]) -> str:
    word = unicodedata.normalize("NFC", found[0])
    return word if fold(word).casefold() in _ACCENTED else found[0]


def date_word_pattern(words: Iterable[str]) -> str:
    """A pattern for one of some words, the longest first.

    It is a tree of their letters: of some hundred words only those are tried that begin alike.
    """
    return _letter_tree({fold(word).replace("_", " ") for word in words})


def _letter_tree(words: set[str]) -> str:
    ends: dict[str, set[str]] = {}
    for word in sorted(words - {""}):
        ends.setdefault(word[0], set()).add(word[1:])
    branches = [re.escape(letter) + _letter_tree(rest) for letter, rest in ends.items()]
    tree = "|".join(branches)
    if "" in words:
        return f"(?:{tree})?" if tree else ""
    firsts = f"(?=[{''.join(map(re.escape, ends))}])" if len(ends) > 3 else ""
    return f"{firsts}(?:{tree})" if len(ends) > 1 else tree


def _words(*lists: str) -> list[str]:
    """The words that these lists have in all languages."""
    return [word for one in LANGUAGES for name in lists for word in getattr(one, name).split()]


def _any_of(*lists: str) -> str:
    return date_word_pattern(_words(*lists))


def _plain(*lists: str) -> frozenset[str]:
    return frozenset(fold(word).replace("_", " ") for word in _words(*lists))


def _number_names(kind: str) -> dict[str, int]:
    """Each name in any language with its place in the list, counted from 1.

    Where two languages have a name for different things, the first language keeps it.
    """
    return {
        fold(name).replace("_", " "): number
        for language in reversed(LANGUAGES)
        for number, same in enumerate(getattr(language, kind), 1)
        for name in same.split()
    }


def _era(names: Iterable[str], *dots: str) -> str:
    """A pattern for eras, with each of these patterns for their dots."""
    return "|".join(
        re.escape(fold(name).replace("_", " ")).replace(r"\.", dot).removesuffix(r"\s?")
        for name in names
        for dot in dots
    )


MONTH_NUMBERS = _number_names("months")
ORDINAL_NUMBERS = _number_names("ordinals")

MONTH = date_word_pattern(MONTH_NUMBERS)
_FULL_MONTHS = {names.split()[0] for language in LANGUAGES for names in language.months} | {"март"}
SHORT_MONTH = date_word_pattern(
    name
    for language in LANGUAGES
    for full, *others in (names.split() for names in language.months)
    for name in others
    if len(name) <= 4 and (fold(name).isascii() or full.startswith(name))
    if name not in _FULL_MONTHS
)
"""Abbreviations of months, behind which a dot need not end a sentence."""
WEEKDAY_NUMBERS = _number_names("weekdays")
WEEKDAY = rf"(?:{date_word_pattern(WEEKDAY_NUMBERS)})\b\.?"
ORDINAL = date_word_pattern(ORDINAL_NUMBERS)
ORDINAL_ENDING = _any_of("ordinal_endings")
CENTURY, CENTURY_PREFIX = _any_of("centuries"), _any_of("century_prefixes")
DECADE_SUFFIX, DECADE_PREFIX = _any_of("decade_suffixes"), _any_of("decade_prefixes")
WEEK, SEASON, QUARTER = _any_of("weeks"), _any_of("seasons"), _any_of("quarters")
TIME_OF_DAY = _any_of("times_of_day")
OF, YEAR_WORD, FILLER = _any_of("of"), _any_of("year_words"), _any_of("fillers")
RANGE_WORD, ONGOING = _any_of("range_words"), _any_of("ongoing")
CIRCA = date_word_pattern(word.rstrip(".") for word in _words("circa"))
HEDGE = _any_of("parts", "circa", "approximate", "limits")
"""Words that make a date less than exact: "early May 2010", "before June 3"."""
SENTENCE_OPENERS = _plain("limits", "prepositions")
"""Words that make a date part of a sentence: "In 2010, …"."""
PLACING = _plain("prepositions", "parts")
"""Words before a month that make its name a date: "in March", "early May"."""
PREPOSITION = _any_of("prepositions", "fillers")

DASHES = "‐‑‒–—−"
_BC = [name for language in LANGUAGES for name in language.before_christ]
_AD = [name for language in LANGUAGES for name in language.anno_domini]
LOOSE_BC, LOOSE_AD = _era(_BC, r"\.?\s?"), _era(_AD, r"\.?\s?")
"""An era in a text that is a date and nothing else, in any case and with or without dots."""
ANY_BC, ANY_AD = _era(_BC, r"\.\s?", ""), _era(_AD, r"\.\s?", "")
"""An era in a longer text, where "ad" is a word and "AD" is not."""
BC, AD = (_era(names, r"\.\s?", "") for names in (ENGLISH.before_christ, ENGLISH.anno_domini))
"""The same in English alone."""
_ACCENTED = {
    word
    for language in LANGUAGES
    for names in (*language.months, *language.weekdays, language.seasons, language.parts)
    for word in fold(names).split()
}
