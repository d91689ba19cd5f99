"""Readers of dates that name their place in the calendar, or all of it but the year."""

from dataclasses import replace

from chronoscore import lazy
from chronoscore.dates import tense
from chronoscore.dates.context import (
    DAYPARTS,
    EDGE,
    SEASONS,
    Context,
    DateReading,
    date_reading,
    is_date_before_noun,
    stated_year,
)
from chronoscore.dates.holidays import holiday_named
from chronoscore.dates.points import Point, easter_sunday
from chronoscore.dates.tokens import Phrase, Token

_SEASON_STARTS = {"SP": 3, "SU": 6, "FA": 9, "WI": 1}
_FAR = 60
"""Days from the text's own date within which the tense of a sentence changes no year."""
_END_OF_RANGE = lazy.pattern("[-/j](?:[Mm]?[DO]|[DO]?[Mm]),?Y")
_COUNTED = frozenset(
    ("men", "people", "troops", "percent", "million", "billion", "km", "miles", "cavalry")
)
_ATTACKS = frozenset(("attack", "attacks", "terror", "terrorist", "hijackers", "hijackings"))
_NUMBERED = frozenset(("no", "nos", "number", "page", "russell", "windows", "flight", "section"))
_PRONOUNS = frozenset(("he", "she", "it", "they", "we", "the", "a", "an"))
_NO_PLURALS = frozenset(
    ("was", "has", "is", "does", "as", "this", "its", "his", "thus", "whereas", "across")
)


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
    if focus is None or not focus.day < day <= 31 or not focus.day or _counts(context):
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


def read_era(tokens: Phrase, context: Context) -> DateReading | None:
    """A year with BC or AD."""
    year = stated_year(tokens, context)
    return date_reading(Point(year)) if year is not None else None


def read_year_before_era(tokens: Phrase, _context: Context) -> DateReading | None:
    """The 490 of "490–480 BC"."""
    return date_reading(Point(1 - tokens[-1].number))


def read_bare_year_of_era(tokens: Phrase, context: Context) -> DateReading | None:
    """A year of three digits, while years BC are spoken of."""
    focus, number = context.scene.focus, tokens[-1].number
    if focus is None or not -1000 < focus.year < 1 or number < 100:
        return None
    if len(tokens) == 1 and context.before.kind not in "ijf<>-":
        return None
    return date_reading(Point(1 - number))


def read_year(tokens: Phrase, context: Context) -> DateReading | None:
    """A number of four digits that is a year and not a crowd."""
    number = tokens[-1].number
    if len(tokens) == 1 and not _like_a_year(number, context):
        return None
    if _counts(context):
        round_crowd = number % 50 == 0 and context.before.kind != "t"
        if round_crowd or context.after.kind in "UZ" or context.after.word in _COUNTED:
            return None
    return date_reading(Point(number, part=_half(tokens)))


def _like_a_year(number: int, context: Context) -> bool:
    before, after = context.before, context.after
    if before.kind in "$%" or after.kind == "%" or before.word in _NUMBERED:
        return False
    if before.kind == "-" and context.earlier[-2:-1] and context.earlier[-2].kind in "HQ":
        # A telephone number.
        return False
    if before.kind in "ijf<>(-/,t\n;":
        known = before.kind in "ij<>(" if context.scene.history else before.word == "in"
        return number >= 1400 or known
    return number >= 1500 and after.kind != "u"


def _counts(context: Context) -> bool:
    """Whether the word behind a number looks like what it counts."""
    after: Token = context.after
    if after.kind in "UZ" or after.word in _COUNTED:
        return True
    plural = after.kind == "." and after.word.endswith("s") and len(after.word) > 3
    return plural and after.word not in _NO_PLURALS


def _half(tokens: Phrase) -> str:
    """H1 or H2 where the words say which half of the year."""
    words = tokens.words
    if "half" not in words:
        return ""
    return "H1" if "first" in words else "H2" if words & {"second", "latter", "last"} else ""


def read_year_after_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The 60 of "1957–60"."""
    focus, word = context.scene.focus, tokens[-1].word
    if focus is None or focus.year < 1000 or len(word) != 2:
        return None
    year = focus.year // 100 * 100 + int(word)
    return date_reading(Point(year)) if year > focus.year else None


def read_short_year(tokens: Phrase, context: Context) -> DateReading | None:
    """The ’45 of "in ’45"."""
    base, word = context.scene.told, tokens[-1].word
    if base is None or len(word) != 2:
        return None
    year = base.year // 100 * 100 + int(word)
    return date_reading(Point(year - 100 if year > base.year + 20 else year))


def read_decade(tokens: Phrase, context: Context) -> DateReading | None:
    """The 1960s, the sixties, the ’60s, the 470s BC."""
    number = tokens.first("Kk").number
    whose = next((token for token in reversed(context.earlier) if token.kind not in "e-"), EDGE)
    if whose.word in ("his", "her", "their", "my", "our", "your"):
        return None
    if tokens.find("B"):
        return date_reading(Point(1 - number, width=10)) if number else None
    if number < 100 and not tokens.find("A"):
        base = context.scene.told
        known = base.year if base and base.year > 100 else 1999
        number += known // 100 * 100
        number -= 100 if number > known + 10 else 0
    return date_reading(Point(number, width=10)) if 0 < number < 2100 else None


def read_century(tokens: Phrase, context: Context) -> DateReading | None:
    """The 5th century BC."""
    number = tokens[::-1].first("oO").number
    if not 1 <= number <= 40 or is_date_before_noun(tokens, context):
        return None
    return date_reading(
        Point(1 - 100 * number if tokens.find("B") else 100 * number - 99, width=100)
    )


def read_century_before_century(tokens: Phrase, context: Context) -> DateReading | None:
    """The 5th of "the 5th and 4th centuries BC"."""
    era = [token for token in context.rest.after(context.rest.first("Z"))[:1] if token.kind == "B"]
    return read_century(Phrase([*tokens, *era]), context)


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
