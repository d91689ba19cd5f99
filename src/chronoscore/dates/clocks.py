"""Readers of times of day: clocks, noon, mornings and nights, with the day that they belong to."""

from chronoscore.dates.absolute import read_date
from chronoscore.dates.context import (
    DAYPARTS,
    Context,
    DateReading,
    TokenSequence,
    date_reading,
    date_token_words,
    find_date_token,
    first_date_token,
    steps_of,
)
from chronoscore.dates.relative import days_of, read_weekday
from chronoscore.dates.tokens import Token

_SOME_DAY = "XXXX-XX-XXT"
_AT = frozenset(("at", "by", "until", "before", "after"))
_NEAR = _AT | {"past", "around", "about", "nearly", "almost", "since"}
_HOURS = {"noon": "12:00", "midday": "12:00", "midnight": "24:00"}
"""Times of day that are hours."""
_LIGHT = frozenset(("dawn", "daybreak", "sunrise", "dusk", "sunset", "nightfall"))
"""Times of day that stand before the day: dawn Monday."""


def read_daypart(tokens: TokenSequence, context: Context) -> DateReading | None:
    """That morning, the next evening, last night; alone only after "at" and the like."""
    code = DAYPARTS[first_date_token(tokens, "p").word]
    words, scene = date_token_words(tokens), context.scene
    if len(tokens) == 1:
        return _read_bare_daypart(tokens[0], context)
    if "past" in words:
        return None
    near = words & {"last", "this"}
    base = scene.telling if near else scene.told_by("day")
    if base is None or not base.day or find_date_token(tokens, "oO"):
        return DateReading(_SOME_DAY + code)
    point = base.step(steps_of(tokens), "day")
    return date_reading(point.at(code) if point else None)


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


def read_hour_of_day(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Noon Friday, midnight on 3 May, dawn Monday."""
    word = tokens[0].word
    clock = _HOURS.get(word) or (DAYPARTS[word] if word in _LIGHT else None)
    if clock is None or context.scene.history:
        return None
    return _on_day(clock, tokens, context)


def read_hours_of_weekday(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The early hours of Sunday, of Sunday morning."""
    day = (
        read_weekday([first_date_token(tokens, "W")], context)
        if first_date_token(tokens, "U").word == "hours"
        else None
    )
    clock = "MO" if "early" in date_token_words(tokens) else "NI"
    return date_reading(day.point.at(clock)) if day and day.point else None


def read_clock(tokens: TokenSequence, context: Context) -> DateReading | None:
    """5:34 a.m., 3 p.m., 1600 GMT, five o'clock, with the day behind it if there is one."""
    clock = _clock_time(tokens)
    return None if clock is None else _on_day(clock, tokens, context)


def _on_day(clock: str, tokens: TokenSequence, context: Context) -> DateReading | None:
    """A time of day on the day behind it, or on the one spoken of."""
    if find_date_token(tokens, "Mm"):
        first = next(i for i, token in enumerate(tokens) if i and token.kind in "DOoMm")
        day = read_date(tokens[first:], context)
        return date_reading(day.point.at(clock)) if day and day.point else day
    if weekday := find_date_token(tokens, "W"):
        link = tokens[tokens.index(weekday) - 1]
        day = read_weekday([weekday], context) if link.kind != "j" or link.word == "on" else None
        return date_reading(day.point.at(clock)) if day and day.point else None
    word, near = find_date_token(tokens, "R"), find_date_token(tokens, "hl")
    base = context.scene.document if word or near else context.scene.told_by("day")
    if base is None or not base.day:
        return DateReading(_SOME_DAY + clock)
    point = base.step(days_of(word.word, context) if word else steps_of(tokens), "day")
    return date_reading(point.at(clock) if point else None)


def _clock_time(tokens: TokenSequence) -> str | None:
    """The time of day in TIMEX3, without its T; None for a number that is none."""
    first, half, zone, part = (
        find_date_token(tokens, kinds) for kinds in ("CDnQHY", "P", "z", "p")
    )
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
    late = "tonight" in date_token_words(tokens)
    if half is not None:
        number = number % 12 + (12 if half.word.startswith("p") else 0)
    elif number < 12 and (late or (part is not None and DAYPARTS[part.word] != "MO")):
        number += 12
    if number > 24 or (minutes and int(minutes[:2]) > 59):
        return None
    return f"{number:02}:{minutes[:2] or '00'}" + (
        "Z" if zone and zone.word in ("utc", "gmt") else ""
    )
