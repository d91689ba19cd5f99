"""Sentences and the dates that they state, in all languages of `openings`.

`finder` reads English running text in full; here only dates that are written out are found,
which is what an answer in prose needs, whatever its language.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.forms import DatePoint, follows_day, places_before, read_single_date
from chronoscore.dates.openings import Opening, opening_date
from chronoscore.dates.ranges import range_start
from chronoscore.dates.tongues import fold_dates
from chronoscore.dates.when import When
from chronoscore.errors import DataError
from chronoscore.options import DateOrder

_END = lazy.pattern(r"[.!?؟…]+[\"”’»)\]*_]*\s+(?=[^\W_]|[\"“«„(¿¡*\[‘])|[。！？]+[」』”）]*\s*")
_ABBREVIATED = lazy.pattern(
    r"(?:^|[\s(])(?:[^\W\d_]|mr|mrs|ms|dr|st|vs|gen|col|lt|sen|rep|gov|approx|ca|etc|inc|ltd"
    r"|co|u\.s|u\.k|u\.n|e\.g|i\.e|z\.b|d\.h|u\.a|bzw|jh|sr|sra|av|apr|chr|гг|им|тыс|млн|руб)\.$",
    re.IGNORECASE,
)
_BESIDE_NUMBER = lazy.pattern(
    rf"(?P<day>\d(?:\.|{words.ORDINAL_ENDING})?\s+(?:de\s+)?)?"
    rf"(?<!\w)(?:no|nos|nr|art|{words.SHORT_MONTH})\.$",
    re.IGNORECASE,
)
"""What is an abbreviation only beside a number; "out" is a Portuguese month and an English word."""
_LONGEST_ABBREVIATION = 24
_NUMBERED = lazy.pattern(r"(?:^|\s)\d{1,2}\.$")
_places = places_before(r"(?<![\w/.,:-])(?=[^\W_])|(?<=\bmid-)(?=\d)|(?<=[^\x00-\u02ff])(?=\d)")
_BEFORE_YEAR = lazy.pattern(
    rf"(?:^|[\s(])(?:{words.PREPOSITION}|{words.HEDGE})[\s'-]*$", re.IGNORECASE
)
_CLAUSE = lazy.pattern(
    r"(?:[;:]\s+|(?P<apart>,)?\s+(?:(?P<but>but|aber|mais|pero|mas|ma|maar|но)|and|und|et|y|e|en|и)\s+)"
    r"(?:then\s+)?"
)
_SHORTEST_CLAUSE = 30
_WORDS = 5
"""A clause has more words than this, a year in an enumeration has fewer."""
_ARTICLE = lazy.pattern(r"\b(?:the|a|an|this|that|its|his|her|their)\s+$", re.IGNORECASE)
_ATTRIBUTIVE = lazy.pattern(
    r"\b(?:the|a|an|this|that|its|his|her|their)\s+$"
    r"|(?<!morning )(?<!evening )(?<!night )(?<!afternoon )\b(?:of|since|vom|von|seit|de|du|depuis"
    r"|del|desde|do|da|di|dell'|van|sinds|от)\s+$|'s\s+$",
    re.IGNORECASE,
)
"""What stands before a date that says which thing is meant: "the ruling of 3 May 2008"."""


_REACH = 40
"""The words before a date that say what it is lie within so many characters."""


def _before(text: str, place: int) -> str:
    return text[max(0, place - _REACH) : place]


class StatedDate(NamedTuple):
    """A date that is written out inside a text, from `start` to `end`."""

    start: int
    end: int
    point: DatePoint


def split_sentences_keeping_dates(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with its place; a date such as "11. März" is not cut."""
    start = 0
    for found in _END.finditer(text):
        before = text[start : found.end()].rstrip()
        if found[0].startswith("."):
            following = fold_dates(text[found.end() : found.end() + 24])
            last = fold_dates(before[-_LONGEST_ABBREVIATION:])
            beside = _BESIDE_NUMBER.search(last)
            if _ABBREVIATED.search(last) or (beside and (beside["day"] or following[:1].isdigit())):
                continue
            if following[:1].islower() and following[:1].isascii():
                continue
            if _NUMBERED.search(before[-_LONGEST_ABBREVIATION:]) and follows_day(following):
                continue
        if before:
            yield start, before
        start = found.end()
    if rest := text[start:].strip():
        yield start, rest


def split_clauses(sentence: str, order: DateOrder | None = None) -> Iterator[str]:
    """The parts of a sentence that begin with dates of their own: "…, and by 1 May 2010 …".

    Behind a semicolon or ", but" the date may also stand inside: "…; the last one was found on
    3 May". Behind ", and" it may be a year.
    """
    start = 0
    for found in _CLAUSE.finditer(fold_dates(sentence)):
        if found.start() - start < _SHORTEST_CLAUSE:
            continue
        clause = sentence[found.end() :].split(";")[0]
        whole = found[0].startswith(";") or bool(found["apart"] and found["but"])
        if not _has_own_date(clause, whole=whole, year=bool(found["apart"]), order=order):
            continue
        yield sentence[start : found.start()].rstrip(" ,;")
        start = found.end()
    yield sentence[start:]


def _has_own_date(clause: str, *, whole: bool, year: bool, order: DateOrder | None) -> bool:
    """Whether a clause begins with a date: a day or month or, if `year`, "in 2004 the site …".

    If `whole` it may also state a day inside.
    """
    try:
        date = stated_date(clause, "2000", order)
    except DataError:
        return False
    if date is None or not date.spoken:
        return False
    if not date.inner:
        return date.when.grain in ("day", "month")
    if date.when.grain == "year":
        before = clause.partition(date.written)[0]
        return year and before.count(" ") == 1 and clause.count(" ") >= _WORDS
    return whole and date.when.grain == "day" and not date.attributive


def find_stated_dates(text: str, order: DateOrder | None = None) -> list[StatedDate]:
    """The dates that are written out in a text; a bare year needs a preposition before it."""
    plain = fold_dates(text)
    dates: list[StatedDate] = []
    place = 0
    search = _places(plain)
    while found := search(plain, place):
        start = found.start()
        point = read_single_date(plain, start, order) or range_start(plain, start)
        if point is None or not _is_sure(point, plain, start):
            place = start + 1
            continue
        dates.append(StatedDate(start, point.end, point))
        place = max(point.end, start + 1)
    return dates


def mentioned_dates(
    text: str, year: str = "", order: DateOrder | None = None
) -> Iterator[tuple[str, When]]:
    """The days and months that a text states, as written; not those that belong to a noun."""
    if not any(map(str.isdigit, text)):
        return
    try:
        opening = opening_date(text, year or "2000", order)
    except DataError:
        return
    plain, start = fold_dates(text), len(opening.written) if opening else 0
    for date in find_stated_dates(text, order):
        fine = date.point.month or date.point.literal[4:5] == "-"
        if not fine or date.start < start or _is_attributive(plain, date):
            continue
        try:
            yield text[date.start : date.end].rstrip(" ."), date.point.near(year).when(year)
        except DataError:
            continue


def stated_date(sentence: str, year: str = "", order: DateOrder | None = None) -> Opening | None:
    """The date that a sentence begins with or plainly states: the first that is a day or month.

    A date that only says which thing is meant ("the ruling of 3 May 2008") comes after others.
    The guess of the result reports a date inside a sentence.
    """
    opening = opening_date(sentence, year, order)
    dates = find_stated_dates(sentence, order)
    if opening is not None and not (_is_word(opening) and any(date.point.day for date in dates)):
        return opening
    fine = [date for date in dates if date.point.month or date.point.literal[4:5] == "-"]
    plain = fold_dates(sentence)
    attributive = {date for date in dates if _is_attributive(plain, date)}
    for date in sorted(fine or dates, key=attributive.__contains__):
        if not (date.point.year or date.point.literal) and (
            not year or not date.point.day or _ARTICLE.search(_before(sentence, date.start))
        ):
            continue
        try:
            when = date.point.near(year).when(year)
        except DataError:
            continue
        return Opening(
            when,
            sentence[date.start : date.end],
            sentence,
            strong=False,
            spoken=True,
            hedged=True,
            ranged=date.point.span,
            yearless=not (date.point.year or date.point.literal),
            inner=True,
            attributive=date in attributive,
        )
    return None


def _is_word(opening: Opening) -> bool:
    """Whether a month without a year or a comma may be another word: "a march on 3 May"."""
    return opening.yearless and opening.when.grain == "month" and not opening.separated


_ON_THE = lazy.pattern(r"\b(?:on|by|until) the $", re.IGNORECASE)


def _is_attributive(text: str, date: StatedDate) -> bool:
    """Whether a date belongs to a noun; "on the 12th of May" does not."""
    before = _before(text, date.start)
    spoken = text[date.start].isdigit() and _ON_THE.search(before)
    return not spoken and _ATTRIBUTIVE.search(before) is not None


_YEAR_AFTER_VERB = lazy.pattern(r"(?:^|\s)(?:wurden?|war(?:en)?)\s+$", re.IGNORECASE)
_VERB = lazy.pattern(r"\s+(?:wurden?|war(?:en)?|kam(?:en)?|begann(?:en)?|gab|erfolgte|folgte)\b")
_NOUN = lazy.pattern(r"\s+[A-ZÄÖÜ]")


def _is_german_year(text: str, start: int, end: int) -> bool:
    """Whether a number is a year by the verb beside it, as German has no preposition there."""
    if start == 0 and _VERB.match(text, end):
        return True
    return bool(_YEAR_AFTER_VERB.search(_before(text, start))) and not _NOUN.match(text, end)


def _is_sure(point: DatePoint, text: str, start: int) -> bool:
    """Whether something is a date wherever it stands."""
    if point.month:
        return bool(point.day or point.year)
    if point.literal:
        return True
    with_word = len(text[start : point.end].strip()) > len(point.year)  # "1885 г."
    return bool(point.year) and (
        point.signed
        or with_word
        or not point.year.isdigit()
        or bool(_BEFORE_YEAR.search(_before(text, start)))
        or _is_german_year(text, start, point.end)
    )
