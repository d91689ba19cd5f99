"""Readers of dates that name their place in the calendar, or all of it but the year."""

from dataclasses import replace

from chronoscore import lazy
from chronoscore.dates import tense
from chronoscore.dates.context import (
    DAYPARTS,
    SEASONS,
    Context,
    DateReading,
    date_reading,
    stated_year,
)
from chronoscore.dates.holidays import holiday_named
from chronoscore.dates.points import Point, easter_sunday
from chronoscore.dates.tokens import Phrase
from chronoscore.dates.years import is_count

_SEASON_STARTS = {"SP": 3, "SU": 6, "FA": 9, "WI": 1}
_FAR = 60
"""Days from the text's own date within which the tense of a sentence changes no year."""
_END_OF_RANGE = lazy.pattern("[-/j](?:[Mm]?[DO]|[DO]?[Mm]),?Y")
_ATTACKS = frozenset(("attack", "attacks", "terror", "terrorist", "hijackers", "hijackings"))
_PRONOUNS = frozenset(("he", "she", "it", "they", "we", "the", "a", "an"))


def read_iso(tokens: Phrase, _context: Context) -> DateReading | None:
    """2010-05-06, with a time of day or without."""
    date, _, clock = tokens[0].word.partition("t")
    year, month, day = map(int, date.split("-"))
    if not (year and 1 <= month <= 12 and day):
        return None
    point = Point(year, month, day)
    return date_reading(point.at(clock[:5].upper()) if clock else point)


def read_date(tokens: Phrase, context: Context) -> DateReading | None:
    """A day and a month, with a year or without."""
    month, day = tokens.first("Mm"), tokens.first("DOo")
    if not 1 <= day.number <= 31:
        return None
    year = stated_year(tokens[max(tokens.index(month), tokens.index(day)) + 1 :], context)
    if year is None:
        year = _year_of_range(context) or _year_of_day(month.number, day.number, context)
    if year is None:
        return DateReading(f"XXXX-{month.number:02}-{day.number:02}")
    return date_reading(Point(year, month.number, day.number))


def _year_of_day(month: int, day: int, context: Context) -> int | None:
    """The year of the nearest such day, or of another one if the sentence's tense says so."""
    scene = context.scene
    year, base = scene.year_of(month, day), scene.document
    if year is None or base is None or scene.history:
        return year
    if (month, day) == (9, 11) and year > 2001 and context.after.word in _ATTACKS:
        return 2001
    days = Point(year, month, day).number - base.number
    if days > 0 and context.before.word == "since":
        return year - 1
    if days < -_FAR and tense.is_future(context):
        return year + 1
    if days > _FAR and not tense.is_future(context) and tense.is_past(context):
        return year - 1
    return year


def _year_of_range(context: Context) -> int | None:
    """The 1944 of "May 3–5, 1944", which stands at the end for both."""
    kinds = "".join(token.kind for token in context.rest)
    found = _END_OF_RANGE.match(kinds)
    return context.rest[found.end() - 1].number if found else None


def read_day_before_day(tokens: Phrase, context: Context) -> DateReading | None:
    """The 3 of "3 to 5 May 1944", which the words behind it date."""
    day, month = tokens[-1].number, context.rest.first("Mm")
    said = context.rest.after(month)[:2].find("Y")
    year = said.number if said else context.scene.year_of(month.number, day)
    if year is None or not 1 <= day <= 31:
        return None
    part, point = tokens.find("p"), Point(year, month.number, day)
    return date_reading(point.at(DAYPARTS[part.word]) if part else point)


def read_day_after_day(tokens: Phrase, context: Context) -> DateReading | None:
    """The 5 of "May 3 and 5"."""
    day, focus = tokens.first("DO").number, context.scene.focus
    if focus is None or not focus.day < day <= 31 or not focus.day or is_count(context):
        return None
    year = stated_year(tokens, context)
    return date_reading(Point(focus.year if year is None else year, focus.month, day))


def read_month(tokens: Phrase, context: Context) -> DateReading | None:
    """A month and its year."""
    month = tokens.first("Mm")
    year = stated_year(tokens.after(month), context)
    return date_reading(Point(year, month.number)) if year is not None else None


def read_bare_month(tokens: Phrase, context: Context) -> DateReading | None:
    """A month without a year; "May" and "March" only where a month is at home."""
    month, scene = tokens.first("Mm"), context.scene
    if month.kind == "m" and len(tokens) == 1:
        before = context.before.kind
        if before not in "ijf<>dca(,-" or (before == "," and context.after.kind == "."):
            return None
    base = scene.telling
    if base is not None and base.month and (steps := tokens.steps):
        over = month.number >= base.month if steps < 0 else month.number <= base.month
        return date_reading(Point(base.year + steps * over, month.number))
    # "By May" may be either; "in May" is the last one where a verb is in the past.
    either = context.before.word in ("by", "until", "till") or not tense.is_past(context)
    traded = context.after.word in ("contract", "delivery", "futures")
    ahead = traded or tense.is_future(context) or (None if either else False)
    found = _year_of_range(context) or scene.year_of(month.number, ahead=ahead)
    if found is None:
        return DateReading(f"XXXX-{month.number:02}")
    return date_reading(Point(found, month.number))


def read_day_of_month(tokens: Phrase, context: Context) -> DateReading | None:
    """The 15th in news, after "on" and before no noun: of this month, or the last if to come."""
    day, base = tokens.first("O").number, context.scene.document
    follows = context.after.kind in ",;\nji" or context.after.word in _PRONOUNS
    if base is None or not base.day or context.scene.history:
        return None
    if context.before.word != "on" or not follows or not 1 <= day <= 31:
        return None
    months = day > base.day and not tense.is_future(context)
    month = base.step(-1, "month") if months else base
    return date_reading(Point(month.year, month.month, day)) if month else None


def read_part_of_month(tokens: Phrase, context: Context) -> DateReading | None:
    """The first week of May, the month of June 2010: the month."""
    month = tokens.first("Mm")
    rest = tokens[tokens.index(month) :]
    wrapped = replace(context, place=context.place + len(tokens) - len(rest))
    if tokens.first("u").word not in ("week", "month"):
        return None
    return read_month(rest, wrapped) or read_bare_month(rest[:1], wrapped)


def read_season(tokens: Phrase, context: Context) -> DateReading | None:
    """A season, of the year in focus if it does not say."""
    season = tokens.first("Ss")
    code = SEASONS[season.word]
    if len(tokens) == 1 and context.before.word == "to":
        # To spring a trap.
        return None
    year = stated_year(tokens.after(season), context)
    if year is None:
        base = context.scene.telling
        if base is None:
            return DateReading(f"XXXX-{code}")
        year, to_come = base.year + tokens.steps, _SEASON_STARTS[code] > (base.month or 12)
        if not context.scene.history and to_come:
            # "Next fall" is that of this year; "in the fall" the last one if the verb says so.
            over = tense.is_past(context) and not tense.is_future(context)
            year -= tokens.steps > 0 or (over and not tokens.find("lxh="))
        elif not context.scene.history and "last" in tokens.words:
            # "Last summer" is this year's as soon as that is over.
            year += _SEASON_STARTS[code] + 2 < base.month
    return date_reading(Point(year, part=code))


def read_holiday(tokens: Phrase, context: Context) -> DateReading | None:
    """Halloween, Labor Day 2029, Good Friday."""
    holiday = holiday_named(tokens[0].word)
    year = stated_year(tokens[1:], context)
    if year is None:
        year = context.scene.year_of(holiday.month, holiday.day)
    if year is None or year < 1:
        return DateReading("" if holiday.moves else f"XXXX-{holiday.month:02}-{holiday.day:02}")
    return date_reading(holiday.in_year(year))


def read_festival(tokens: Phrase, context: Context) -> DateReading | None:
    """Christmas, last Christmas, and Easter."""
    name, scene = tokens.first("F"), context.scene
    year, base = stated_year(tokens.after(name), context), scene.telling
    month, day = (4, 8) if name.word == "easter" else (12, 25)
    attributive = len(tokens) == 1 and context.after.kind == "."
    if attributive and context.before.kind not in "ij<>":
        # "At Christmas people …", but not "the Christmas offensive".
        return None
    if year is None and scene.told is not None:
        year = scene.told.year if scene.history else scene.year_of(month, day)
        if base is not None and not scene.history and tokens.find("lxh"):
            to_come = Point(base.year, month, day).number >= base.number
            year = base.year + (-to_come if tokens.find("l") else not to_come)
    if year is None or year < 1:
        return None
    return date_reading(easter_sunday(year) if name.word == "easter" else Point(year, month, day))
