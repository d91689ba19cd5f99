"""Readers of parts of years, weekends, numeric dates and numbers in words, as news writes them."""

import re
from dataclasses import replace

from chronoscore.dates import tense
from chronoscore.dates.context import (
    Context,
    DateReading,
    Scene,
    date_reading,
    is_date_before_noun,
    stated_year,
    time_unit_of,
)
from chronoscore.dates.lengths import count_time_units
from chronoscore.dates.points import UNITS, Point, day_exists, timex_duration, week_of, weekday_of
from chronoscore.dates.relative import read_step, read_time_unit
from chronoscore.dates.tokens import Phrase, Token

_BESIDE = frozenset(("previous", "preceding", "prior", "following", "subsequent"))
"""Words for the quarter next to the one spoken of."""
_ENDING = frozenset(("end", "ended", "ending"))
_PARTS = frozenset(("most", "much", "course", "best", "worst", "low", "high"))
_REPORTED = frozenset(("dividend", "earnings", "figures", "report", "reports", "results"))
"""What is known of a quarter only when it is over."""
_NEAR = 31
"""Days between a text and its date within which an ambiguous numeric date must lie."""


def writes_day_first(tokens: list[Token]) -> bool | None:
    """Whether a text writes the day of a numeric date first; None if no date shows it."""
    for token in tokens:
        if "." not in token.word:
            first, second, _ = map(int, token.word.replace("-", "/").split("/"))
            if 12 < first <= 31 and second <= 12:
                return True
            if first <= 12 < second <= 31:
                return False
    return None


def read_numeric_date(tokens: Phrase, context: Context) -> DateReading | None:
    """26/03/2010, 3/26/10, 26.03.2010, 2010/3/26.

    Where day and month could be either, the other dates of the text decide, or its own date;
    if they do not, the value holds the year only and no day is given.
    """
    text, scene = tokens[0].word, context.scene
    first, second, last = map(int, re.split("[-/.]", text))
    if first > 999:
        return date_reading(_existing(first, second, last))
    year = _full_year(last, scene) if not text[-3].isdigit() else last
    day_first, month_first = _existing(year, second, first), _existing(year, first, second)
    if "." in text:
        return date_reading(day_first)
    if day_first is None or month_first is None or first == second:
        return date_reading(day_first or month_first)
    if scene.day_first is not None:
        return date_reading(day_first if scene.day_first else month_first)
    base = scene.document
    if base is not None and base.day:
        near = [p for p in (day_first, month_first) if abs(p.number - base.number) <= _NEAR]
        if len(near) == 1:
            return date_reading(near[0])
    return DateReading(f"{year:04}-XX-XX")


def _existing(year: int, month: int, day: int) -> Point | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    point = Point(year, month, day)
    return point if day_exists(point) else None


def _full_year(short: int, scene: Scene) -> int:
    """The year of two digits that is at most twenty years after the text."""
    base = scene.document.year if scene.document else 2000
    year = base // 100 * 100 + short
    return year - 100 if year > base + 20 else year


def read_year_in_words(tokens: Phrase, context: Context) -> DateReading | None:
    """Nineteen ninety-six, twenty twelve."""
    century, *rest = (token.number for token in tokens if token.kind == "n")
    tens_first = len(rest) == 1 or (rest[0] >= 20 and rest[1] < 10)
    if not 17 <= century <= 20 or not 10 <= sum(rest) <= 99 or not tens_first:
        return None
    if context.after.kind in "n$%" or (century == 20 and sum(rest) > 50):
        return None
    return date_reading(Point(100 * century + sum(rest)))


def read_quarter_century(tokens: Phrase, context: Context) -> DateReading | None:
    """A quarter of a century, a quarter-century ago."""
    base = context.scene.telling
    if tokens.first("u").word != "quarter":
        return None
    if tokens[-1].kind == "g" and base is not None:
        return date_reading(Point(base.year - 25))
    return DateReading("P25Y")


def read_half_unit_ago(tokens: Phrase, context: Context) -> DateReading | None:
    """Half a century ago."""
    unit = tokens.first("uZ").word
    if "half" not in tokens.words or unit not in ("year", "decade", "century"):
        return None
    return read_step(0.5, unit, tokens[-1], context)


def read_unit_and_half(tokens: Phrase, context: Context) -> DateReading | None:
    """Two and a half years, a year and a half ago, 2 1/2 years."""
    unit, words, count = tokens.first("uU"), tokens.words, ""
    if "/" in words:
        number, *part = (token.word for token in tokens if token.kind == "D")
        count = number if part == ["1", "2"] else ""
    elif words >= {"and", "half"}:
        count = count_time_units(tokens[: tokens.index(unit)])
    name, end = time_unit_of(unit), tokens[-1]
    if not count.isdigit() or is_date_before_noun(tokens, context):
        return None
    if end.kind in "gvV" and name in UNITS:
        return read_step(int(count) + 0.5, name, end, context)
    return DateReading(timex_duration(f"{count}.5", name))


def read_quarter(tokens: Phrase, context: Context) -> DateReading | None:
    """The third quarter of 2009, third-quarter, last year's fiscal third quarter, Q3."""
    name = tokens.find("oOG")
    units = [token for token in tokens if token.word == "quarter"]
    if name is None or not 1 <= name.number <= 4 or (name.kind != "G" and not units):
        return None
    if context.after.kind == "-" and context.rest[1:2] and context.rest[1].word.startswith("final"):
        return None
    if is_date_before_noun(tokens, context):
        return None
    return _part_of_year("Q", tokens, name, context)


def read_half_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The first half of last year, this year's second half, first-half."""
    name = tokens.first("oO")
    if "half" not in tokens.words or name.number > 2:
        return None
    return _part_of_year("H", tokens, name, context)


def _part_of_year(kind: str, tokens: Phrase, name: Token, context: Context) -> DateReading | None:
    """A quarter or half of the given year, or of the likeliest one."""
    months, part = {"Q": 3, "H": 6}[kind], f"{kind}{name.number}"
    year = _year_said(tokens, name, context)
    if year is None:
        year = _year_of_part(months * (name.number - 1) + 1, months, context)
    return DateReading(f"XXXX-{part}") if year is None else date_reading(Point(year, part=part))


def _year_said(tokens: Phrase, name: Token, context: Context) -> int | None:
    """The year that stands before or behind the quarter or half."""
    named = ("quarter", "half")
    rest = Phrase(token for token in tokens.after(name) if token.word not in named)
    if rest.find("gV"):
        base = context.scene.telling
        return base.year - 1 if base else None
    said = stated_year(rest, context)
    return said if said is not None else stated_year(tokens[: tokens.index(name)], context)


def _year_of_part(month: int, months: int, context: Context) -> int | None:
    """The year of some months from a month on: in news the last one begun, or the next to end."""
    scene = context.scene
    if scene.history:
        return scene.told.year if scene.told else None
    ahead = tense.is_future(context) and context.after.word not in _REPORTED
    return scene.year_of(month + months - 1 if ahead else month, ahead=ahead)


def read_year_end(tokens: Phrase, context: Context) -> DateReading | None:
    """Year-end, year's end, mid-year."""
    base = context.scene.telling
    words = tokens.words - {"-"}
    if words not in ({"year", "end"}, {"mid", "year"}, {"midyear"}) or base is None:
        return None
    return date_reading(Point(base.year))


def read_year_ago(tokens: Phrase, context: Context) -> DateReading | None:
    """Year-ago, the year-earlier quarter, the prior-year period."""
    focus, base = context.scene.focus, context.scene.telling
    last = tokens[-1]
    if tokens.first("u").word != "year" or base is None:
        return None
    if tokens[0].kind == "t" and (last.kind in "gV" or last.word == "year"):
        # "The" belongs to what was earned: "the year-earlier profit".
        return None
    if (ordinal := tokens.find("oO")) and last.word == "quarter" and 1 <= ordinal.number <= 4:
        year = _year_of_part(3 * ordinal.number - 2, 3, context)
        return date_reading(Point(year - 1, part=f"Q{ordinal.number}")) if year else None
    if last.kind in "uT" and focus is not None and focus.part[:1] == "Q":
        return date_reading(replace(focus, year=focus.year - 1))
    return date_reading(Point(base.year - 1))


def read_weekend_or_quarter(tokens: Phrase, context: Context) -> DateReading | None:
    """The weekend, last weekend; this quarter, the quarter."""
    unit, scene = tokens[-1].word, context.scene
    if unit == "weekend" and not tokens.find("r"):
        return _read_weekend(tokens, context)
    base = scene.told if scene.history else scene.document
    if unit != "quarter" or base is None or not base.month or context.after.kind == "-":
        return None
    if month := _ended_month(context):
        told = stated_year(context.rest[1:6], context) or scene.year_of(month)
        return date_reading(Point(told, part=f"Q{(month + 2) // 3}")) if told else None
    there = not tokens.find("lxhr") or tokens.words & _BESIDE
    if there and scene.focus is not None and scene.focus.part[:1] == "Q":
        base_year, number = scene.focus.year, int(scene.focus.part[1])
    else:
        base_year, number = base.year, (base.month + 2) // 3
    steps = -1 if "recent" in tokens.words else tokens.steps
    years, number = divmod(number - 1 + steps, 4)
    return date_reading(Point(base_year + years, part=f"Q{number + 1}"))


def _ended_month(context: Context) -> int:
    """The 12 of "the quarter ended Dec. 31" and "the year to December"."""
    month = context.rest[1:3].find("Mm")
    known = context.after.word in ("ended", "ending", "to", "through")
    return month.number if month and known else 0


def read_final_quarter(tokens: Phrase, context: Context) -> DateReading | None:
    """The final quarter of 2009."""
    year, words = (stated_year(tokens.after(tokens.first("u")), context), tokens.words)
    if year is None or "quarter" not in words or not words & {"final", "last", "closing"}:
        return None
    return date_reading(Point(year, part="Q4"))


def read_fiscal_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The current fiscal year, the 1998 fiscal year, the fiscal year ended June 30."""
    base = context.scene.telling
    if tokens[-1].word != "year" or base is None:
        return None
    year = stated_year(tokens[:-2], context)
    if month := _ended_month(context):
        year = stated_year(context.rest[1:6], context)
        year = year or context.scene.year_of(month, ahead=context.after.word == "ending")
    return date_reading(Point(year or base.year + tokens.steps))


def _read_weekend(tokens: Phrase, context: Context) -> DateReading | None:
    """In news the weekend is the last one begun, or the next where the sentence looks ahead."""
    scene, steps = context.scene, tokens.steps
    there = tokens.words & {"that", "same", "following", "previous"}
    base = scene.told if scene.history or there else scene.document
    if base is None or not base.day:
        return DateReading("XXXX-WXX-WE")
    if tokens[0].word == "the" and not steps and not scene.history:
        steps = -(weekday_of(base) < 4 and not tense.is_future(context))
    week = week_of(base, steps)
    return date_reading(replace(week, part=f"{week.part}-WE"))


def read_current_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """The current year, the most recent week."""
    name, word, base = tokens[-1].word, tokens.first("r").word, context.scene.document
    if base is None or name not in UNITS or word not in ("current", "recent"):
        return None
    if word == "recent":
        last = tokens[-1]._replace(word="last", kind="l")
        return read_time_unit(Phrase([last, tokens[-1]]), context)
    return date_reading(base.coarse(name))


def read_the_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """The day, the year, in news, where a preposition stands before and no noun behind."""
    name, scene = tokens[-1].word, context.scene
    if scene.history or name not in UNITS:
        return None
    if _ended_month(context):
        return DateReading(timex_duration("1", name))
    closed = context.before.word.startswith(("end", "finish", "clos")) and name == "day"
    whole = context.earlier[-2] if len(context.earlier) > 1 else context.before
    parted = context.before.kind == "f" and (whole.kind != "." or whole.word in _PARTS)
    placed = parted or context.before.kind in "ij" or context.before.word in _ENDING
    subject = context.after.word in ("he", "she", "it", "they", "we")
    if not closed and not (placed and (subject or context.after.kind in ",;\nji")):
        return None
    base = scene.telling if name == "year" else scene.told_by(name)
    return date_reading(base.coarse(name)) if base else None
