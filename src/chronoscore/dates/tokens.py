"""The words of English dates: a text becomes tokens, and each token a letter for its class.

A form of date is then a regular expression over the letters (`finder`), which is short to
write and quick to run: most words of a sentence are the letter ``.``, for no class.
"""

import re
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.holidays import HOLIDAYS
from chronoscore.dates.vocabulary import AD, BC, ENGLISH, date_word_pattern


class Token(NamedTuple):
    """A word, number or sign of the text, with its class and what it is worth as a number."""

    start: int
    end: int
    word: str
    """In small letters."""
    kind: str
    number: int = 0


_ABBREVIATIONS = {
    name.capitalize(): number
    for number, names in enumerate(ENGLISH.months, 1)
    for name in names.split()[1:]
}
SUNDAY = 6
_WEEKDAY_ABBREVIATIONS = {
    name.capitalize(): number
    for number, names in enumerate(ENGLISH.weekdays)
    for name in names.split()[1:]
    if name != "sun"
}
"""They need their dot; "Sun." is the name of a newspaper at the end of a sentence."""
_SHORT_WEEKDAYS = date_word_pattern(_WEEKDAY_ABBREVIATIONS)
_BEFORE_DAY = date_word_pattern(
    name.capitalize() for names in ENGLISH.months for name in names.split()
)
_HYPHENATED = date_word_pattern(word for word in ENGLISH.ordinals if "-" in word)
_COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million billion"
)
_TOKEN = lazy.pattern(
    rf"""
    (?P<plain>\b(?!(?:more|less|fewer|longer|at|up|some|ca?|[ap]m?)\b)[a-z]+(?![\w'’.-]))
  | (?P<blank>\n[ \t\r]*\n)
  | (?P<iso>\d{{4}}-\d\d-\d\d(?:T\d\d(?::?\d\d)*(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-]))
  | (?P<numeric>\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)(?![\d/])|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}(?!\d)
             |\d{{4}}/\d{{1,2}}/\d{{1,2}}(?![\d/]))
  | (?P<bound>\b(?:[Mm]ore|[Ll]ess|[Ff]ewer|[Ll]onger)[ ]than\b|\b[Aa]t[ ](?:least|most)\b
             |\b[Uu]p[ ]to\b|\b[Ss]ome(?=\s(?:\d|(?:{date_word_pattern(_COUNTS.split())})\b))
             |\b[Cc]a?\.(?=\s?\d))
  | (?P<clock>\d{{1,2}}:\d\d(?::\d\d)?)
  | (?P<bc>\b(?:{BC})(?!\w))
  | (?P<ad>\b(?:{AD})(?!\w))
  | (?P<half>(?<![^\W\d_])[aApP](?:\.[mM]\b\.?|[mM]\b))
  | (?P<holiday>\b(?=[A-Z])(?:{date_word_pattern(HOLIDAYS).replace("'", "['’]?")})\b)
  | (?P<quarter>\bQ[1-4]\b)
  | (?P<weekday>\b(?=[FMSTW])(?:{_SHORT_WEEKDAYS})(?:\.|(?=,?[ ](?:{_BEFORE_DAY})\b))
             |\bSun(?=,?[ ](?:{_BEFORE_DAY})\b))
  | (?P<attacks>9/11\b(?!/))
  | (?P<fiscal>\bFY(?=\d))
  | (?P<code>[^\W\d_]+\d\w*)
  | (?P<long>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+\.\d+)
  | (?P<decade>\d{{1,4}}0s\b|['’]\d0s\b
              |(?:(?<=[Tt]he[ ])|(?<=early[ ])|(?<=late[ ])|(?<=mid-))\d{{1,4}}0['’]s\b)
  | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
  | (?P<number>\d+)
  | (?P<short>\b(?=[A-Z])(?:{date_word_pattern(_ABBREVIATIONS)})\b\.?)
  | (?P<word>(?i:{_HYPHENATED})\b|[^\W\d_]+(?:['’][^\W\d_]+)?)
  | (?P<sign>\S)
    """,
    re.VERBOSE,
)

_CLASSES = {
    "t": "the",
    "h": "this that these those",
    "a": "a an per",
    "E": "each every",
    "L": "once twice thrice",
    "X": "times",
    "~": "daylong weeklong monthlong yearlong",
    "J": "fiscal fy",
    "@": "o'clock o’clock",
    "n": _COUNTS,
    "q": "several few many some couple numerous various countless",
    "l": "last past previous preceding prior latest",
    "x": "next following subsequent coming ensuing succeeding upcoming",
    "=": "same very",
    "c": "present",
    "T": "time period moment",
    "_": "all entire whole",
    "e": "early late mid latter",
    "b": "beginning start end middle rest close remainder outset part half turn opening closing",
    "f": "of",
    "i": "in",
    "<": "before",
    ">": "after",
    "j": "on by since until till during from to between through throughout and or at within for "
    "via as",
    "d": "about almost nearly over under approximately roughly just only around exactly barely "
    "another circa",
    "g": "ago",
    "v": "later afterwards afterward thereafter hence",
    "V": "earlier previously beforehand",
    "u": "minute hour day week weekend fortnight month quarter year decade",
    "U": "seconds minutes hours days weeks weekends fortnights months quarters years decades",
    "Z": "century centuries",
    "p": "morning mornings afternoon afternoons evening evenings night nights noon midday midnight "
    "dawn daybreak dusk nightfall sunrise sunset",
    "S": "spring summer autumn winter",
    "s": "fall",
    "F": "christmas xmas easter",
    "R": "today yesterday tomorrow tonight overnight",
    "y": "hourly daily nightly weekly biweekly fortnightly monthly bimonthly quarterly semiannual "
    "semiannually yearly annually annual weekday weekdays",
    "+": "midyear",
    "w": "will won't won’t shall would should must might plans planned expects expected scheduled "
    "slated due",
    "z": "gmt utc et est edt cst cdt mst mdt pst pdt akst bst cet cest eet eest msk hkt sgt jst "
    "kst aest aedt nzst",
    "-": "- – — ‑ −",
    ",": ",",
    "/": "/",
    "(": "( [",
    "'": "' ’ ‘",
    "$": "$ £ € ¥ #",
    "%": "% ° ½ ¼",
}
"""The letter of a class and its words; "second" is an ordinal far more often than a unit."""

_TENS = (
    "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties",
)  # fmt: skip
_MONTHS = {month: number for number, month in enumerate(MONTHS, 1)}

REFERENCES = {
    word: value
    for value, words in (
        ("PRESENT_REF", "now current currently presently nowadays"),
        ("PAST_REF", "former formerly recent recently lately"),
        ("FUTURE_REF", "future soon term"),
    )
    for word in words.split()
}
"""Words that point at no calendar date, with their TIMEX3 values."""


def _lexicon() -> dict[str, tuple[str, int]]:
    words = {word: (kind, 0) for kind, many in _CLASSES.items() for word in many.split()}
    numbers = _CLASSES["n"].split()
    words |= {word: ("n", number) for number, word in enumerate(numbers[:20], 1)}
    words |= {word: ("n", 10 * number) for number, word in enumerate(numbers[19:27], 2)}
    words |= {"hundred": ("n", 100), "thousand": ("n", 1000)}
    words |= {"million": ("n", 10**6), "billion": ("n", 10**9)}
    words |= dict.fromkeys(_CLASSES["a"].split(), ("a", 1))
    words |= {word: ("o", number) for number, word in enumerate(ENGLISH.ordinals, 1)}
    for number, names in enumerate(ENGLISH.weekdays):
        words |= dict.fromkeys((names.split()[0], names.split()[0] + "s"), ("W", number))
    words |= {word: ("k", 10 * number) for number, word in enumerate(_TENS, 2)}
    words |= dict.fromkeys(REFERENCES, ("r", 0))
    return words


_LEXICON = _lexicon()
_NO_CLASS = (".", 0)
_ENDS = frozenset(("", ".", "?", "!", ":", "“", '"'))
_OF_GROUP = {
    "blank": "\n", "iso": "I", "bound": "d", "clock": "C", "bc": "B", "ad": "A", "half": "P",
    "long": "Q", "code": ".", "numeric": "N", "holiday": "&", "fiscal": "J",
}  # fmt: skip


def split_date_tokens(passage: str) -> list[Token]:
    """Cut a text into tokens; words that no date holds are kept, as class ``.``."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(passage):
        group, text = match.lastgroup or "", match[0]
        start, end = match.span()
        if group == "plain":
            # Most words are of this kind, in small letters and with no sign behind them.
            kind, number = _LEXICON.get(text, _NO_CLASS)
            tokens.append(Token(start, end, text, kind, number))
        elif group == "word":
            tokens.append(_word(text, start, end, tokens[-1].word if tokens else "."))
        elif group == "number":
            tokens.append(_number(text, start, end))
        elif group == "sign":
            tokens.append(Token(start, end, text, _LEXICON.get(text, (";", 0))[0]))
        elif group == "short":
            month = _ABBREVIATIONS[text.rstrip(".")]
            tokens.append(Token(start, end, text.casefold(), "m", month))
        elif group == "weekday":
            number = _WEEKDAY_ABBREVIATIONS.get(text.rstrip("."), SUNDAY)
            tokens.append(Token(start, end, text.casefold(), "W", number))
        elif group == "attacks":
            tokens.append(Token(start, end, "2001-09-11", "I"))
        elif group == "quarter":
            tokens.append(Token(start, end, text, "G", int(text[1])))
        elif group == "ordinal":
            tokens.append(Token(start, end, text, "O", int(text[:-2][:6])))
        elif group == "decade":
            tokens.append(Token(start, end, text, "K", int(text.strip("s'’"))))
        else:
            tokens.append(Token(start, end, text.casefold(), _OF_GROUP[group]))
    return tokens


def _word(text: str, start: int, end: int, before: str) -> Token:
    if text.endswith(("'s", "’s", "'S", "’S")):
        # A possessive ends a date: "last year's" holds the date "last year".
        text, end = text[:-2], end - 2
    month = _MONTHS.get(text.capitalize() if text.isupper() else text)
    if month:
        # "May" and "March" open sentences as other words too; forms ask for support.
        kind = "m" if text in ("May", "March") or text.isupper() else "M"
        return Token(start, end, text.casefold(), kind, month)
    small = text.casefold()
    kind, number = _LEXICON.get(small, _NO_CLASS)
    if text[0].isupper() and (
        (kind in "yp" and before.strip() not in _ENDS) or (kind == "R" and before == "usa")
    ):
        # A name: the Daily News, the Morning Post, USA Today.
        kind = "."
    return Token(start, end, small, kind, number)


def _number(digits: str, start: int, end: int) -> Token:
    number = int(digits) if len(digits) < 9 else 0
    if len(digits) == 4 and 1000 <= number < 2100:
        kind = "Y"
    elif len(digits) <= 2 and 1 <= number <= 31:
        kind = "D"
    elif len(digits) <= 3 and number:
        kind = "H"
    else:
        kind = "Q"
    return Token(start, end, digits, kind, number)
