"""Readers of dates that are told from another date, and of lengths of time."""

from dataclasses import replace

from chronoscore.dates import tense
from chronoscore.dates.context import (
    DAYPARTS,
    Context,
    DateReading,
    date_reading,
    pointed_unit,
    time_unit_of,
)
from chronoscore.dates.lengths import count_time_units, holds_more
from chronoscore.dates.points import (
    UNITS,
    Point,
    day_exists,
    day_of_week,
    timex_duration,
    weekday_of,
)
from chronoscore.dates.tokens import Phrase, Token

_EARLIER = frozenset(("ago", "earlier", "previously", "beforehand", "before", "prior", "previous"))
_JOINING = frozenset(("to", "through", "until", "till", "and", "or"))
_PAST_OF = frozenset(("after", "by", "since", "following", "from"))
"""What stands before "Tuesday's flood" when that is over."""
_VAGUE = {"day": "XXXX-XX-XX", "week": "XXXX-WXX", "month": "XXXX-XX"}


def read_weekday(tokens: Phrase, context: Context) -> DateReading | None:
    """Thursday, last Monday, Friday night; ahead where the sentence speaks of what will be."""
    weekday, part = tokens.first("W"), tokens.find("p")
    some = DateReading(f"XXXX-WXX-{weekday.number + 1}")
    if weekday.word.endswith("days"):
        return some._replace(repeated=True)
    if part and part.word.endswith("s"):
        return DateReading(f"{some.value}T{DAYPARTS[part.word]}", repeated=True)
    if context.before.word in ("good", "black", "bloody", "palm", "ash") and len(tokens) == 1:
        return None
    steps = tokens.steps
    ahead = steps > 0 or (not steps and (tense.is_future(context) or _is_deadline(context)))
    if context.before.word in _PAST_OF and _owns(tokens, context):
        ahead = False
    there = bool(tokens.words & {"following", "preceding", "previous"})
    point = _end_of_range(weekday.number, context) or context.scene.weekday(
        weekday.number, ahead=ahead, other=bool(steps), there=there
    )
    if point is None:
        return some
    if tokens[0].word == "this" and not (steps or ahead or context.scene.history):
        point = day_of_week(context.scene.document or point, weekday.number)
    return date_reading(point.at(DAYPARTS[part.word]) if part else point)


def _end_of_range(weekday: int, context: Context) -> Point | None:
    """The Friday of "Monday through Friday" or "Monday and Friday", which comes after it."""
    start, focus = context.earlier[-2:-1], context.scene.focus
    ranged = context.before.word in _JOINING or context.before.kind == "-"
    if not ranged or not start or start[0].kind != "W" or focus is None or not focus.day:
        return None
    return focus.step((weekday - weekday_of(focus)) % 7 or 7, "day")


def _owns(tokens: Phrase, context: Context) -> bool:
    """Whether the date is possessive: "Tuesday's flood"; two letters are then left out."""
    return bool(context.rest) and context.after.start - tokens[-1].end > 2


def _is_deadline(context: Context) -> bool:
    """Whether "by" or "until" stands before a day, and nothing shows that it is past."""
    around = Phrase([*context.earlier, *context.rest]).words
    past = around & {"had", "was", "were", "did"}
    return context.before.word in ("by", "until", "till") and not past


def read_date_offset(tokens: Phrase, context: Context) -> DateReading | None:
    """Two days later, a year ago, a few months earlier."""
    unit, end = tokens.first("uUZ"), tokens[-1]
    if (end.kind == "l" and end.word not in _EARLIER) or holds_more(tokens, context):
        return None
    count, name = count_time_units(tokens[: tokens.index(unit)]), time_unit_of(unit)
    if end.kind in "<>" and not context.scene.history and context.after.kind not in ",;\n":
        # "two weeks after the vote" holds a length of time.
        return None
    if name not in UNITS and count.isdigit():
        return DateReading(timex_duration(count, name))
    known = count.isdigit() and name in UNITS and int(count) <= 9999
    return read_step(int(count) if known else None, name, end, context)


def read_step(count: float | None, name: str, end: Token, context: Context) -> DateReading:
    """The date so many units before or after, as the word at the end says: ago, later."""
    scene, back = context.scene, end.word in _EARLIER
    base = scene.telling if end.word == "ago" else scene.told_by(name)
    if base is None or count is None:
        return DateReading("PAST_REF" if back else "FUTURE_REF")
    if name == "year" and base.part[:1] == "Q" and end.word != "ago" and count == int(count):
        # A year before a quarter is that quarter of the year before.
        point: Point | None = replace(base, year=base.year + int(-count if back else count))
    else:
        point = base.away(-count if back else count, name)
    return date_reading(point) or DateReading(_VAGUE.get(name, "XXXX"))


def read_offset_from_day(tokens: Phrase, context: Context) -> DateReading | None:
    """Three weeks ago Friday, a year ago today, two years ago this month."""
    unit, last, base = tokens.first("uU"), tokens[-1], context.scene.document
    count, name = count_time_units(tokens[: tokens.index(unit)]), time_unit_of(unit)
    if base is None or not base.day or context.scene.history or not count.isdigit():
        return None
    if last.kind == "W":
        return date_reading(day_of_week(base, last.number, -int(count))) if name == "week" else None
    moved = base.step(-int(count), "week") if name == "week" else None
    if name == "year":
        moved = Point(base.year - int(count), base.month, base.day)
    grain = {"today": "day", "week": "week", "month": "month"}.get(last.word)
    return date_reading(moved.coarse(grain)) if moved and grain and day_exists(moved) else None


def read_weekday_of_week(tokens: Phrase, context: Context) -> DateReading | None:
    """Monday of last week."""
    weekday, part, base = tokens[0], tokens.find("p"), context.scene.document
    if tokens[-1].word != "week" or base is None or not base.day or context.scene.history:
        return None
    point = day_of_week(base, weekday.number, tokens.steps)
    return date_reading(point.at(DAYPARTS[part.word]) if part else point)


def read_unit_before_last(tokens: Phrase, context: Context) -> DateReading | None:
    """The week before last, the year after next."""
    name, last, base = tokens[1].word, tokens[-1].word, context.scene.document
    if name not in UNITS or last not in ("last", "next") or base is None:
        return None
    return date_reading(base.away(-2 if last == "last" else 2, name))


def read_from_now(tokens: Phrase, context: Context) -> DateReading | None:
    """A month from now, two weeks from today, a week from Monday."""
    unit, start, base = tokens.first("uU"), tokens[-1], context.scene.document
    count, name = count_time_units(tokens[: tokens.index(unit)]), time_unit_of(unit)
    if tokens[-2].word != "from" or context.scene.history or base is None:
        return None
    if start.kind == "W":
        base = context.scene.weekday(start.number, ahead=True, other=False)
    elif start.word not in ("now", "today"):
        return None
    if base is None or not count.isdigit() or name not in UNITS:
        return DateReading("FUTURE_REF")
    return date_reading(base.away(int(count), name))


def read_vague_offset(tokens: Phrase, _context: Context) -> DateReading | None:
    """Weeks later, centuries ago."""
    if tokens[0].word == "century":
        return None
    return DateReading("PAST_REF" if tokens[-1].kind in "gV" else "FUTURE_REF")


def read_time_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """Last week, that same day, the end of the year; "the past year" is a length of time."""
    name = time_unit_of(tokens.first("uZ"))
    if "past" in tokens[:2].words:
        return None if name == "quarter" else DateReading(timex_duration("1", name))
    if _is_span(tokens, context) and name != "quarter":
        return DateReading(timex_duration("1", name))
    if name not in UNITS:
        return None
    return date_reading(pointed_unit(tokens, name, context.scene)) or DateReading(
        _VAGUE.get(name, "XXXX")
    )


def _is_span(tokens: Phrase, context: Context) -> bool:
    """Whether "the last year" stands for its length, as in "over the last year" of news."""
    words = [token.word for token in tokens[:2]]
    known = words in (["the", "last"], ["the", "next"]) and context.after.kind != "f"
    within = context.before.word in ("over", "within", "during", "in")
    return known and within and not context.scene.history


def read_same_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """The same month last year, the same period of 2009."""
    scene, named = context.scene, tokens[2]
    said, base = tokens.find("Y"), scene.told
    if base is None or (said is None and time_unit_of(tokens[::-1].first("u")) != "year"):
        return None
    # "A year earlier" counts from what was spoken of, "last year" from the text itself.
    telling = base if tokens.find("V") else scene.telling
    now = telling.year if telling else base.year
    year = said.number if said else now + (1 if tokens.steps > 0 else -1)
    if named.word in ("quarter", "period") and base.part[:1] == "Q":
        return date_reading(Point(year, part=base.part))
    if named.word == "quarter" and base.month:
        return date_reading(Point(year, part=f"Q{(base.month + 2) // 3}"))
    # Which period is meant, only a date that was spoken of can tell.
    known = named.word != "year" and (named.kind == "u" or scene.focus is not None)
    return date_reading(
        Point(year, base.month if known else 0, base.day if named.word == "day" else 0)
    )


def read_neighboring_time_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """The day before, the year after, the day following, the night before."""
    name, last, clock = tokens[1].word, tokens[-1].word, ""
    if tokens[1].kind == "p":
        name, clock = "day", DAYPARTS[name]
    base = context.scene.told_by(name)
    if last not in ("before", "after", "following") or name not in UNITS:
        return None
    if not context.scene.history and context.after.kind not in ",;\n":
        # "The day after the vote" does not say which day that was.
        return None
    point = base.step(-1 if last == "before" else 1, name) if base else None
    if point and clock:
        point = point.at(clock)
    return date_reading(point) or DateReading(_VAGUE.get(name, "XXXX"))


def read_day_beside_day_word(tokens: Phrase, context: Context) -> DateReading | None:
    """The day after tomorrow, the day before yesterday."""
    base, word = context.scene.document, tokens[-1].word
    steps = days_of(word, context) + (-1 if tokens[2].kind == "<" else 1)
    if tokens[1].word != "day" or base is None or context.scene.history:
        return None
    return date_reading(base.step(steps, "day"))


def read_day_word(tokens: Phrase, context: Context) -> DateReading | None:
    """Today, yesterday morning, tonight, overnight; history has no today of its own."""
    word, part, base = (tokens.first("R").word, tokens.find("p"), context.scene.document)
    if weekday := tokens.find("W"):
        night = weekday._replace(word="night", kind="p")
        return read_weekday(Phrase([weekday, night]), context) if word == "overnight" else None
    clock = DAYPARTS[part.word] if part else "NI" if word in ("tonight", "overnight") else ""
    if word == "overnight" and context.before.kind == "a":
        return None
    if context.scene.history and word == "today":
        return DateReading("PRESENT_REF")
    if context.scene.history or base is None or not base.day:
        return DateReading("XXXX-XX-XX" + (f"T{clock}" if clock else ""))
    point = base.step(days_of(word, context), "day")
    return date_reading(point.at(clock) if point else None)


def days_of(word: str, context: Context) -> int:
    """How many days from today a word leads; "overnight" is the last night or the next."""
    if word == "overnight":
        return 0 if tense.is_future(context) else -1
    return {"yesterday": -1, "tomorrow": 1}.get(word, 0)
