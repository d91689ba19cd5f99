"""The words of English dates: a text becomes tokens, and each token a letter for its class.

A form of date is then a regular expression over the letters (`finder`), which is short to
write and quick to run: most words of a sentence are the letter ``.``, for no class.
"""

import re
from itertools import accumulate
from typing import NamedTuple, SupportsIndex, overload

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.holidays import HOLIDAYS
from chronoscore.dates.languages import read_table, values_of_words
from chronoscore.dates.vocabulary import AD, BC, ENGLISH, date_word_pattern


class Token(NamedTuple):
    """A word, number or sign of the text, with its class and what it is worth as a number."""

    start: int
    end: int
    word: str
    """In small letters."""
    kind: str
    number: int = 0


class Phrase(list[Token]):
    """Tokens that stand side by side."""

    @overload
    def __getitem__(self, place: SupportsIndex) -> Token: ...
    @overload
    def __getitem__(self, place: slice) -> "Phrase": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "Token | Phrase":
        part = super().__getitem__(place)
        return Phrase(part) if isinstance(place, slice) else part  # type: ignore[return-value,arg-type]

    def find(self, kinds: str) -> Token | None:
        """The first token of some classes."""
        return next((token for token in self if token.kind in kinds), None)

    def first(self, kinds: str) -> Token:
        """The first token of some classes, one of which there is sure to be."""
        return next(token for token in self if token.kind in kinds)

    def after(self, token: Token) -> "Phrase":
        """The tokens after one of them."""
        return self[self.index(token) + 1 :]

    @property
    def words(self) -> set[str]:
        """The words, to look for some among them."""
        return {token.word for token in self}

    @property
    def steps(self) -> int:
        """−1 for "last", 1 for "next", 0 for "this"."""
        return -1 if self.find("l") else 1 if self.find("x") else 0


_ABBREVIATIONS = {
    name.capitalize(): number
    for number, names in enumerate(ENGLISH.months, 1)
    for name in names.split()[1:]
}
_WEEKDAY_ABBREVIATIONS = {
    name.capitalize(): number
    for number, names in enumerate(ENGLISH.weekdays)
    for name in names.split()[1:]
}
_DOTTED = date_word_pattern(_WEEKDAY_ABBREVIATIONS.keys() - {"Sun"})
"""They need their dot; "Sun." is the name of a newspaper at the end of a sentence."""
_BEFORE_DAY = date_word_pattern(
    name.capitalize() for names in ENGLISH.months for name in names.split()
)
_HOLIDAY = date_word_pattern(HOLIDAYS).replace("'", "['’]?")
_HYPHENATED = date_word_pattern(word for word in ENGLISH.ordinals if "-" in word)
_CLASSES: dict[str, str] = read_table("english")["classes"]
"""The words of each class."""
_PIECE = lazy.pattern(
    rf"""
    [^\S\n]*\n[ \t\r]*\n
  | \s*+(?:
    (?!(?:more|less|fewer|longer|at|up|some|ca?|[ap]m?)\b)[a-z]+(?![\w'’.-])
  | (?=\d)(?:
      \d{{4}}-\d\d-\d\d(?:T\d\d(?::?\d\d)*(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-])
    | \d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)(?![\d/])
    | \d{{1,2}}(?:\.\d{{1,2}}\.|-\d{{1,2}}-)\d{{4}}(?![\d-])
    | \d{{4}}/\d{{1,2}}/\d{{1,2}}(?![\d/])
    | \d{{1,2}}:\d\d(?::\d\d)?
    | 9/11\b(?!/)
    | \d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+\.\d+
    | \d{{1,4}}0s\b
    | (?:(?<=[Tt]he[ ])|(?<=early[ ])|(?<=late[ ])|(?<=mid-))\d{{1,4}}0['’]s\b
    | \d+(?:st|nd|rd|th)\b
    | \d+)
  | \b(?:[Mm]ore|[Ll]ess|[Ff]ewer|[Ll]onger)[ ]than\b|\b[Aa]t[ ](?:least|most)\b|\b[Uu]p[ ]to\b
  | \b[Ss]ome\s(?=\d|(?:{date_word_pattern(_CLASSES["n"].split())})\b)|\b[Cc]a?\.(?=\s?\d)
  | (?<![^\W\d_])[aApP](?:\.[mM]\b\.?|[mM]\b)
  | \b(?=[A-Z])(?:
      (?:{BC}|{AD})(?!\w)
    | (?:{_HOLIDAY})\b
    | Q[1-4]\b
    | FY(?=\d)
    | (?=[FMSTW])(?:(?:{_DOTTED})\.|(?:{_DOTTED}|Sun),?[ ](?=(?:{_BEFORE_DAY})\b)))
  | [^\W\d_]+\d\w*
  | ['’]\d0s\b
  | \b(?=[A-Z])(?:{date_word_pattern(_ABBREVIATIONS)})\b\.?
  | (?i:{_HYPHENATED})\b|[^\W\d_]+(?:['’][^\W\d_]+)?
  | \S)
    """,
    re.VERBOSE,
)
"""A token with the blanks before it. What alone would be another token has a blank behind it."""

_TENS = (
    "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties",
)  # fmt: skip
_MONTHS = {month: number for number, month in enumerate(MONTHS, 1)}

REFERENCES = values_of_words("references")
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
_LOOKS = lazy.pattern(
    r"(?P<d>(?i:\w+ than|at (?:least|most)|up to|ca?\.))"
    rf"|(?P<B>{BC})|(?P<A>{AD})|(?P<P>[aApP](?:\.[mM]\.?|[mM]))"
    rf"|(?P<holiday>{_HOLIDAY})"
    r"|(?P<code>[^\W\d_]+\d\w*)|(?P<I>\d{4}-\d\d-\d\d.*)"
    r"|(?P<N>\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4})|(?P<C>\d{1,2}:.+)|(?P<Q>\d+[,.].+)"
)
"""The classes that a token has by its looks."""
_NAME = "?"
"""The class of "Daily" and "Morning" until the word before tells whether they are names."""
_MANY = 50_000


class _Known(NamedTuple):
    """What is known of a piece wherever it stands: a token that is `start` characters inside."""

    start: int
    end: int
    word: str
    kind: str
    number: int = 0


class _Lexicon(dict[str, _Known]):
    """All pieces met so far: the same words come again and again."""

    def __missing__(self, piece: str) -> _Known:
        if len(self) >= _MANY:
            self.clear()
        text = piece.strip()
        start = len(piece) - len(piece.lstrip())
        if not text:
            known = _Known(0, len(piece), piece, "\n")
        elif piece[-1].isspace():
            # "Mon" before a month, "some" before a number; elsewhere they are other words.
            text = text.rstrip(",")
            kind = "W" if text in _WEEKDAY_ABBREVIATIONS else "d"
            number = _WEEKDAY_ABBREVIATIONS.get(text, 0)
            known = _Known(start, start + len(text), text.casefold(), kind, number)
        else:
            known = _classify(text, start)
        self[piece] = known
        return known


_PIECES = _Lexicon()


def _classify(text: str, start: int) -> _Known:
    """The class of a token by itself."""
    end, small = start + len(text), text.casefold()
    if text in _LEXICON:
        return _Known(start, end, text, *_LEXICON[text])
    bare = text.rstrip(".")
    if bare in _ABBREVIATIONS:
        return _Known(start, end, small, "m", _ABBREVIATIONS[bare])
    if text != bare and bare in _WEEKDAY_ABBREVIATIONS:
        return _Known(start, end, small, "W", _WEEKDAY_ABBREVIATIONS[bare])
    if text[0] == "Q" and text[1:].isdigit() and len(text) == 2:
        return _Known(start, end, text, "G", int(text[1]))
    if text == "9/11":
        return _Known(start, end, "2001-09-11", "I")
    if text[:-2].isdigit() and text[-2:].isalpha():
        return _Known(start, end, text, "O", int(text[:-2][:6]))
    if (tens := text.strip("s'’")).isdigit() and text[-1] == "s":
        return _Known(start, end, text, "K", int(tens))
    if (look := _LOOKS.fullmatch(text)) and (kind := look.lastgroup):
        return _Known(start, end, small, {"holiday": "&", "code": "."}.get(kind, kind))
    if text.isdigit():
        return _number(text, start, end)
    return _word(text, start, end) if text[0].isalpha() else _Known(start, end, text, ";")


def _word(text: str, start: int, end: int) -> _Known:
    if text.endswith(("'s", "’s", "'S", "’S")):
        # A possessive ends a date: "last year's" holds the date "last year".
        text, end = text[:-2], end - 2
    small = text.casefold()
    month = _MONTHS.get(text.capitalize() if text.isupper() else text)
    if month:
        # "May" and "March" open sentences as other words too; forms ask for support.
        kind = "m" if text in ("May", "March") or text.isupper() else "M"
        return _Known(start, end, small, kind, month)
    kind, number = _LEXICON.get(small, _NO_CLASS)
    return _Known(start, end, small, _NAME if text[0].isupper() and kind in "ypR" else kind, number)


def _number(digits: str, start: int, end: int) -> _Known:
    number = int(digits) if len(digits) < 9 else 0
    if len(digits) == 4 and 1000 <= number < 2100:
        kind = "Y"
    elif len(digits) <= 2 and 1 <= number <= 31:
        kind = "D"
    elif len(digits) <= 3 and number:
        kind = "H"
    else:
        kind = "Q"
    return _Known(start, end, digits, kind, number)


class Tokens:
    """The tokens of a text, made where they are looked at, and the letters of all their classes."""

    def __init__(self, text: str) -> None:
        pieces = _PIECE.findall(text.rstrip())
        self._known = list(map(_PIECES.__getitem__, pieces))
        self._places = [0, *accumulate(map(len, pieces))]
        self.classes = "".join([known.kind for known in self._known])
        while (place := self.classes.find(_NAME)) >= 0:
            kind = self._kind_of_name(place)
            self._known[place] = self._known[place]._replace(kind=kind)
            self.classes = self.classes[:place] + kind + self.classes[place + 1 :]

    def _kind_of_name(self, place: int) -> str:
        """No class for a name: the Daily News, the Morning Post, USA Today."""
        kind = _LEXICON[self._known[place].word][0]
        before = self._known[place - 1].word.strip() if place else "."
        return "." if (before == "usa" if kind == "R" else before not in _ENDS) else kind

    def between(self, first: int, last: int) -> Phrase:
        """The tokens from a place to another."""
        known = zip(self._places[first:last], self._known[first:last], strict=False)
        return Phrase(
            Token(place + start, place + end, word, kind, number)
            for place, (start, end, word, kind, number) in known
        )

    def of_kind(self, kind: str) -> list[Token]:
        """All tokens of a class."""
        return [
            self.between(place, place + 1)[0]
            for place, other in enumerate(self.classes)
            if other == kind
        ]
