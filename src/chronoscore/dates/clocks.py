"""Readers of times of day: clocks, noon, mornings and nights, with the day that they belong to."""

from chronoscore.dates.absolute import read_date
from chronoscore.dates.context import DAYPARTS, Context, DateReading, date_reading
from chronoscore.dates.relative import days_of, read_weekday
from chronoscore.dates.tokens import Phrase, Token

_SOME_DAY = "XXXX-XX-XXT"
_AT = frozenset(("at", "by", "until", "before", "after"))
_NEAR = _AT | {"past", "around", "about", "nearly", "almost", "since"}
_HOURS = {"noon": "12:00", "midday": "12:00", "midnight": "24:00"}
"""Times of day that are hours."""
_LIGHT = frozenset(("dawn", "daybreak", "sunrise", "dusk", "sunset", "nightfall"))
"""Times of day that stand before the day: dawn Monday."""


def read_daypart(tokens: Phrase, context: Context) -> DateReading | None:
    """That morning, the next evening, last night; alone only after "at" and the like."""
    code = DAYPARTS[tokens.first("p").word]
    words, scene = tokens.words, context.scene
    if len(tokens) == 1:
        return _read_bare_daypart(tokens[0], context)
    if "past" in words:
        return None
    near = words & {"last", "this"}
    base = scene.telling if near else scene.told_by("day")
    if base is None or not base.day or tokens.find("oO"):
        return DateReading(_SOME_DAY + code)
    point = base.step(tokens.steps, "day")
    return date_reading(point.at(code) if point else None)


def read_morning_hours(tokens: Phrase, context: Context) -> DateReading | None:
    """The early morning hours."""
    return read_daypart(tokens[:-1], context) if tokens[-1].word == "hours" else None


def _read_bare_daypart(token: Token, context: Context) -> DateReading | None:
    """The night of "at night"; in news noon and midnight are hours of the day spoken of."""
    code, scene = DAYPARTS[token.word], context.scene
    clock = None if scene.history else _HOURS.get(token.word)
    traded = context.before.word == "in" and context.after.word == "trading"
    if traded or (clock and context.before.word in _NEAR):
        base = scene.told_by("day")
        if base is not None and base.day:
            return date_reading(base.at(clock or code))
    return DateReading(_SOME_DAY + code) if context.before.word in _AT else None


def read_hour_of_day(tokens: Phrase, context: Context) -> DateReading | None:
    """Noon Friday, midnight on 3 May, dawn Monday."""
    word = tokens[0].word
    clock = _HOURS.get(word) or (DAYPARTS[word] if word in _LIGHT else None)
    if clock is None or context.scene.history:
        return None
    return _on_day(clock, tokens, context)


def read_hours(tokens: Phrase, context: Context) -> DateReading | None:
    """The early hours of Sunday, of Sunday morning, of 3 May."""
    if tokens.first("U").word != "hours":
        return None
    return _on_day("MO" if "early" in tokens.words else "NI", tokens, context)


def read_daypart_of_date(tokens: Phrase, context: Context) -> DateReading | None:
    """The night of 3 May."""
    return _on_day(DAYPARTS[tokens.first("p").word], tokens, context)


def read_clock(tokens: Phrase, context: Context) -> DateReading | None:
    """5:34 a.m., 3 p.m., 1600 GMT, five o'clock, with the day behind it if there is one."""
    stated = tokens[1:] if tokens[0].kind == "d" else tokens
    clock = _clock_time(stated)
    return None if clock is None else _on_day(clock, stated, context)


def _on_day(clock: str, tokens: Phrase, context: Context) -> DateReading | None:
    """A time of day on the day behind it, or on the one spoken of."""
    day = None
    if tokens.find("Mm"):
        day = read_date(tokens.after(tokens[0]), context)
    elif weekday := tokens.find("W"):
        link = tokens[tokens.index(weekday) - 1]
        if link.kind != "j" or link.word == "on":
            day = read_weekday(Phrase([weekday]), context)
        if day is None or day.point is None:
            return None
    if tokens.find("MmW"):
        return date_reading(day.point.at(clock)) if day and day.point else day
    word, near = tokens.find("R"), tokens.find("hl")
    base = context.scene.document if word or near else context.scene.told_by("day")
    if base is None or not base.day:
        return DateReading(_SOME_DAY + clock)
    point = base.step(days_of(word.word, context) if word else tokens.steps, "day")
    return date_reading(point.at(clock) if point else None)


def _clock_time(tokens: Phrase) -> str | None:
    """The time of day in TIMEX3, without its T; None for a number that is none."""
    first, half, zone, part = (tokens.find(kinds) for kinds in ("CDnQHY", "P", "z", "p"))
    assert first is not None
    if first.kind == "Q" and half is not None:
        hour, _, minutes = first.word.partition(".")
        if len(minutes) != 2 or len(hour) > 2:
            return None
    elif first.kind in "QHY":
        if len(first.word) != 4 or not first.word.isdigit():
            return None
        hour, minutes = first.word[:2], first.word[2:]
    elif first.kind == "C":
        hour, _, minutes = first.word.partition(":")
    else:
        hour, minutes = str(first.number), ""
    number = int(hour)
    late = "tonight" in tokens.words
    if half is not None:
        number = number % 12 + (12 if half.word.startswith("p") else 0)
    elif number < 12 and (late or (part is not None and DAYPARTS[part.word] != "MO")):
        number += 12
    if number > 24 or (minutes and int(minutes[:2]) > 59):
        return None
    return f"{number:02}:{minutes[:2] or '00'}" + (
        "Z" if zone and zone.word in ("utc", "gmt") else ""
    )
