"""Dates in labels: a cell, a heading, what stands in bold or before a colon.

A label names a date and little else. Up to four words that we do not know may surround the date:
a year word of any language, a remark, a mark of layout. Whatever was read so is a guess.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from chronoscore import lazy
from chronoscore.dates.forms import DatePoint, places_before, read_single_date
from chronoscore.dates.openings import Opening, opening_date
from chronoscore.dates.ranges import SEPARATOR, complete_range, range_start
from chronoscore.dates.tongues import DECADE, fold_dates
from chronoscore.options import DateOrder

_MOST_WORDS = 4
_LONGEST = 80
_END = lazy.pattern(rf"\s*(?:{SEPARATOR}|\t| {{2}}|\s[^\w\s.,;()\[\]\"'«»“”/-]{{1,3}}(?=\s))\s*")
"""Where a label ends: a colon, a dash, an arrow, a tab, two blanks, or a sign between blanks."""
_BOXED = lazy.pattern(rf"\s*[\[(【<](?P<label>[^\[\]()<>【】]+)[\])】>](?:{SEPARATOR})?\s*(?=\S)")
_places = places_before(
    r"(?<![\w/.,:])(?=\w)|(?<=[A-Za-z])(?=\d{4}(?!\d))|(?<=[^\x00-\u02ff])(?=\d)|(?='\d\d(?!\w))"
)
_CLOSING = lazy.pattern(r"\w.*[(（]\s*[)）]\s*$")
"""Words with a date in brackets behind them: the words are what happened."""
_CLOCK = lazy.pattern(r"\d{1,2}(?:[:h]\d\d(?::\d\d)?(?:\s*[ap]\.?m\b)?|\s*[ap]\.?m\b)", re.I)
_WORD = lazy.pattern(r"[^\W\d_]+(?:['.-][^\W\d_]+)*|\d+")
_TELLING = lazy.pattern(r"(?:[^\W\d_]{4}|(?<=   )\W*[^\W\d_]{3})(?![^()]*\))")
"""A word that may say something on a line without a colon, unless it stands in brackets."""
_DECADE = lazy.pattern(r"(?P<decade>[12]\d\d0)['-]?(?!(?:го|му|й|м)\b)[^\W\d_]{1,8}(?!\w)")
"""A year in 0 with letters right behind it, as decades are written in many languages."""
_TENS = lazy.pattern(r"(?<!\d)[1-9]0(?!\d)")
_OTHER_CALENDAR = lazy.pattern(
    r"(?<!\w)(?-i:A\.?H\.?|B\.?E\.?|S\.?H\.?)(?!\w)|هـ|هجري|ه\.|شمسی|קלה|佛[曆历]|พ\.ศ|農曆|农历"
    r"|hijri|anno hegirae|anno mundi|vikram|saka",
    re.IGNORECASE,
)


def label_date(
    text: str, year: str = "", order: DateOrder | None = None, *, line: bool = False
) -> Opening | None:
    """The date that a label names; of several the finest, and of these the first.

    A number that belongs to no date, or another calendar, shows that it is not understood. Before
    a bare year the label of a `line` may not begin with a word that may be a name: "Windows 2000".
    """
    opening = opening_date(text, year, order)
    if opening is not None and not opening.rest:
        return opening
    plain = fold_dates(text)
    if len(plain) > _LONGEST or _OTHER_CALENDAR.search(plain):
        return None
    found = list(_points(plain, order))
    rest = _CLOCK.sub(" ", _without(plain, found))
    if _END.search(re.sub(" +", " ", rest).strip()) or _CLOSING.search(rest):
        return None
    others = _WORD.findall(rest)
    decade = _decade(found, others, rest)
    if decade is None and (len(others) > _MOST_WORDS or any(map(str.isdigit, others))):
        return None
    point = decade or _finest([point for _, point in found], year)
    if point is None or (line and point.coarse and _may_be_name(plain[: found[0][0]])):
        return None
    return Opening(
        point.near(year).when(year),
        text.strip(),
        "",
        strong=True,
        hedged=True,
        ranged=len(found) > 1 and decade is None,
        yearless=not (point.year or point.literal),
    )


def line_label(text: str, year: str = "", order: DateOrder | None = None) -> Opening | None:
    """The date of the label that a line begins with, or of a line that is nothing else."""
    if boxed := _BOXED.match(text):
        inside = label_date(boxed["label"], year, order)
        return replace(inside, rest=text[boxed.end() :]) if inside else None
    for end in _END.finditer(text[:_LONGEST]):
        label = text[: end.start()]
        if not label or label.count("(") > label.count(")"):
            continue
        if label[-1].isdigit() and text[end.start() + 1 : end.end() + 1].isdigit():
            continue  # "The 1957–58 crisis"
        if found := label_date(label, year, order, line=True):
            return replace(found, rest=text[end.end() :])
    if len(text) > _LONGEST or tells_more(text, order):
        return None
    alone = label_date(text, year, order, line=True)
    return alone if alone is not None and alone.when.grain in ("day", "month") else None


def tells_more(text: str, order: DateOrder | None = None) -> bool:
    """Whether words beside the date of a label may say what happened."""
    plain = fold_dates(text)
    return bool(_TELLING.search(_without(plain, list(_points(plain, order)))))


def _points(plain: str, order: DateOrder | None) -> Iterator[tuple[int, DatePoint]]:
    """The dates in a label and their places, ranges as their beginnings."""
    place = 0
    search = _places(plain)
    while found := search(plain, place):
        start = found.start()
        if decade := _DECADE.match(plain, start):
            point: DatePoint | None = DatePoint(decade.end(), literal=f"{decade['decade']}s")
        else:
            point = read_single_date(plain, start, order) or range_start(plain, start)
        place = start + 1
        if point is not None and _is_date(point):
            first, end, _ = complete_range(plain, point)
            yield start, replace(first, end=end)
            place = max(end, place)


def _is_date(point: DatePoint) -> bool:
    if point.literal or not point.year:
        return bool(point.literal or (point.month and point.day))
    return not point.year.isdigit() or 1000 <= int(point.year) < 2200


def _without(plain: str, found: list[tuple[int, DatePoint]]) -> str:
    for start, point in found:
        plain = f"{plain[:start]}{' ' * (point.end - start)}{plain[point.end :]}"
    return plain


def _finest(points: list[DatePoint], year: str) -> DatePoint | None:
    """The first of the finest dates; a day or month takes the year that stands apart from it."""
    fine = [point for point in points if point.day or point.literal[7:8] == "-"]
    fine = fine or [point for point in points if point.month or point.literal[4:5] == "-"] or points
    if not fine:
        return None
    first = fine[0]
    if first.year or first.literal:
        return first
    apart = next((point.year for point in points if point.year), "")
    return replace(first, year=apart) if apart or year else None


def _decade(found: list[tuple[int, DatePoint]], others: list[str], rest: str) -> DatePoint | None:
    """The decade that a word beside its year or its century names: "60s of the 20th century"."""
    if len(found) == 1 and DECADE in rest and found[0][1].year.endswith("0"):
        return DatePoint(found[0][1].end, literal=f"{found[0][1].year}s")
    tens = [word for word in others if _TENS.fullmatch(word)]
    literal = found[0][1].literal if len(found) == 1 else ""
    if len(tens) != 1 or not literal.endswith("th century") or len(others) > _MOST_WORDS + 1:
        return None
    century = int(literal.removesuffix("th century"))
    return DatePoint(found[0][1].end, literal=f"{100 * (century - 1) + int(tens[0])}s")


def _may_be_name(before: str) -> bool:
    return any(len(word) > 2 and word[0].isupper() for word in _WORD.findall(before))
