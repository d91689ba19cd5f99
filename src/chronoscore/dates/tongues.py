"""Words of dates in half a hundred languages, written as signs that the patterns of dates know.

`languages` spells out the words of a dozen languages for the patterns. Of all others only the
names of months and weekdays, eras, seasons, centuries, decades and years are known, most of them
from the Unicode CLDR (`names.txt`). Before a text is matched, each
of these is replaced by one letter of a script that nobody writes dates in, and what is left of the
word by a character that counts as a blank, so that all places in the text stay what they are.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, lru_cache

from chronoscore import lazy
from chronoscore.dates.folding import AROUND, fold
from chronoscore.dates.languages import ENGLISH, LANGUAGES, Language, read_names

_UGARITIC = [chr(0x10380 + n) for n in range(18)]
MONTHS, (WEEKDAY, SEASON, CENTURY, DECADE, YEAR, BC) = _UGARITIC[:12], _UGARITIC[12:]
_INFLECTED = [*MONTHS, WEEKDAY]
FILLER = "\x1f"
SIGNS = Language(
    months=tuple(MONTHS),
    weekdays=(WEEKDAY,) * 7,
    before_christ=(BC,),
    centuries=CENTURY,
    century_prefixes=CENTURY,
    decade_prefixes=DECADE,
    seasons=SEASON,
    year_words=YEAR,
    prepositions=YEAR,
)
"""The signs as a language of its own."""

_LETTER = r"[^\s\d!-&(-/:-@\[-`{-~–—…«»„“”、。，：]"
_LETTERS = rf"{_LETTER}+"
_WORD = lazy.pattern(rf"(?<!\d){_LETTERS}")
_BESIDE = lazy.pattern(
    rf"\d[.,]?(?:\s+|-)({_LETTERS})"
    rf"|(?<!{_LETTER})({_LETTERS}+)[.,]?[\s/-]+(?:[^\W\d_]{{1,4}}\s+)?(?=\d)"
)
_NUMBERED_MONTH = lazy.pattern(
    r"\b(?:ngay\s+(?=\d)|thang\s+(?P<month>1[0-2]|0?[1-9])\b(?:\s+nam\b)?)", re.IGNORECASE
)
"""The months of Vietnamese, which have numbers for names."""
_ORDINALS = {name: str(number) for number, name in enumerate(ENGLISH.ordinals, 1)} | {
    f"{tens}{between}{one}": str(number)
    for between in " -"
    for tens, first in (("twenty", 20), ("thirty", 30))
    for number, one in enumerate(ENGLISH.ordinals[:9], first + 1)
    if number <= 31
}
_ORDINALS |= {"thirtieth": "30", "last": "last"} | dict.fromkeys(
    ["premier", "primero", "primeiro", "primo", "erste", "ersten", "erster", "eerste"], "1"
)
_DAY_IN_WORDS = lazy.pattern(
    rf"(?<!\w)(?P<day>{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?P<more>\s+day)?"
    r"(?:\s+(?:of|de))?\s+(?=(?P<month>[^\W\d_]{3,}))",
    re.IGNORECASE,
)
_LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_THAI = lazy.pattern(r"(?P<era>พ\.?ศ\.?\s*)?(?<!\d)(?P<year>2[45]\d\d)(?!\d)")
_THAI_LETTER = lazy.pattern("[\u0e01-\u0e4e]")
_ENGLISH = lazy.pattern(r"\b(?:the|of|and|was|were|is|with|after)\b", re.IGNORECASE)
_BASE_MONTHS = [
    frozenset(fold(name) for one in LANGUAGES for name in one.months[number].split())
    for number in range(12)
]
_SPELLED_OUT = frozenset().union(*_BASE_MONTHS) | {
    fold(name) for one in LANGUAGES for names in one.weekdays for name in names.split()
}
_LONG_ENOUGH = 100_000
"""Characters of a text that tell its languages."""
_IN_HEBREW = "ב"
"""What stands for "in" at the beginning of a Hebrew word."""
_LONGEST_ENDING = {4: 1, 5: 2, 6: 4}
"""How many letters may follow a stem of so many: "októberben", but not "juniper"."""
_SHORTEST_STEM = 4


@dataclass(slots=True)
class _Words:
    """The signs of whole words, of their beginnings, and of names with a blank or a dot."""

    whole: dict[str, str] = field(default_factory=dict)
    stems: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)

    def add(self, names: str, sign: str) -> None:
        for name in map(_key, names.split()):
            if re.search(r"[_.-]", name):
                self.phrases.setdefault(name.replace("_", " "), sign)
                continue
            self.whole.setdefault(name, sign)
            for cut in range(3):
                if len(stem := name[: len(name) - cut]) >= _SHORTEST_STEM and sign in _INFLECTED:
                    self.stems.setdefault(stem, sign)

    def sign_of(self, word: str) -> str | None:
        """The sign of a word, which may have an ending of its own."""
        found = self.whole.get(word) or self.whole.get(word.partition("'")[0])
        found = found or self.whole.get(word.removeprefix(_IN_HEBREW))
        if found is None:
            ends = range(len(word), _SHORTEST_STEM - 1, -1)
            stems = (word[:end] for end in ends if len(word) - end <= _LONGEST_ENDING[min(end, 6)])
            found = next((self.stems[stem] for stem in stems if stem in self.stems), None)
        if found is None and self.whole.get(word[:-1]) in MONTHS:
            found = self.whole[word[:-1]]
        return found


@cache
def _languages() -> dict[str, _Words]:
    found: dict[str, _Words] = {}
    for code, (months, weekdays, *others) in read_names().items():
        if not others:
            continue
        words = found[code] = _Words()
        for sign, names in zip(MONTHS, months.split("|"), strict=True):
            words.add(names, sign)
        for sign, names in zip(
            (WEEKDAY, BC, SEASON, CENTURY, DECADE, YEAR),
            (weekdays.replace("|", " "), *others),
            strict=True,
        ):
            words.add(names, sign)
    return found


@lru_cache(maxsize=1024)
def of_text(text: str) -> tuple[str, ...]:
    """The languages whose month names are next to numbers in a text, the likeliest first.

    A language is there if one of the names is in no language of `languages`; two if the text has
    English words, among which one name may be chance.
    """
    folded = fold(text[:_LONG_ENOUGH])
    found = {_key(word) for pair in _BESIDE.findall(folded) for word in pair if word}
    if "thang" in found:
        return ("vi",)
    counts: Counter[str] = Counter()
    telling: Counter[str] = Counter()
    for word in found:
        codes = _tell_languages(word)
        counts.update(codes)
        telling.update(codes if word not in _SPELLED_OUT else ())
    enough = 2 if _has_english(folded) else 1
    return tuple(code for code, _ in counts.most_common() if telling[code] >= enough)


def _has_english(folded: str) -> bool:
    """Whether a text has two different English words; nearly all of English begins with them."""
    first = _ENGLISH.search(folded)
    return first is not None and any(
        found[0] != first[0] for found in _ENGLISH.finditer(folded, first.end())
    )


def _tell_languages(word: str) -> list[str]:
    """The languages that have a word as the name of a month or, with an ending, of a weekday."""
    months, weekdays = _names()
    found = months.get(word) or months.get(word.removeprefix(_IN_HEBREW))
    ends = (word[:end] for end in range(len(word), max(len(word) - 3, 5), -1))
    return found or next((weekdays[name] for name in ends if name in weekdays), [])


@cache
def _names() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The languages that have a word as the name of a month, and of a weekday."""
    months: dict[str, list[str]] = {}
    weekdays: dict[str, list[str]] = {}
    for code, words in _languages().items():
        for name, sign in words.whole.items():
            if sign in _INFLECTED:
                table = weekdays if sign == WEEKDAY else months
                table.setdefault(name, []).append(code)
    return months, weekdays


@lru_cache(maxsize=10_000)
def may_name_month(word: str) -> bool:
    """Whether a word is the name of a month or a weekday in any language, ended or not."""
    key = _key(word).strip('.,:;!?()*_#"')
    return key in _SPELLED_OUT or bool(_tell_languages(key))


def fold_dates(text: str) -> str:
    """A text in plain letters and digits, as `fold` writes it, with signs for words of dates."""
    return _signed(text, of_text(AROUND.get() or text))


@lru_cache(maxsize=4096)
def _signed(text: str, spoken: tuple[str, ...]) -> str:
    folded = _DAY_IN_WORDS.sub(_in_figures, fold(text))
    if _THAI_LETTER.search(folded):
        folded = _THAI.sub(_common_year, folded)
    if not spoken:
        return folded
    words = [_languages()[code] for code in spoken]

    def sign(found: re.Match[str]) -> str:
        word = _key(found[0])
        mark = next(filter(None, (one.sign_of(word) for one in words)), None)
        return mark.rjust(len(found[0]), FILLER) if mark else found[0]

    phrases = {name: mark for one in words for name, mark in one.phrases.items()}
    if phrases and any(map(str.isdigit, folded)):
        pattern = _phrase_pattern(tuple(sorted(phrases, key=len, reverse=True)))
        folded = pattern.sub(
            lambda found: phrases[_key(found[0])].rjust(len(found[0]), FILLER), folded
        )
    if "vi" in spoken:
        folded = _NUMBERED_MONTH.sub(_numbered, folded)
    return _WORD.sub(sign, folded)


def _in_figures(found: re.Match[str]) -> str:
    """The day that a word before a month counts, in its place."""
    name = found["month"].lower()
    month = next((n for n, names in enumerate(_BASE_MONTHS) if name in names), None)
    day = _ORDINALS[found["day"].lower()]
    if month is None or (day == "last" and not found["more"]):
        return found[0]
    written = str(_LAST_DAYS[month]) if day == "last" else day
    return f"{written} ".rjust(len(found[0]), FILLER)


def _common_year(found: re.Match[str]) -> str:
    """A year of the Buddhist era, 543 years ahead of ours."""
    return str(int(found["year"]) - 543).rjust(len(found[0]), FILLER)


def _numbered(found: re.Match[str]) -> str:
    sign = MONTHS[int(found["month"]) - 1] if found["month"] else ""
    return sign.rjust(len(found[0]), FILLER)


@cache
def _phrase_pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


def _key(word: str) -> str:
    """A word as the table has it: in small plain letters, without the dot of Devanagari."""
    return fold(word).lower().replace("\u093c", "").strip("'")
