"""Readers of dates that are told from another date, and of lengths of time."""

from dataclasses import replace

from chronoscore.dates.context import (
    DAYPARTS,
    Context,
    DateReading,
    TokenSequence,
    date_reading,
    date_token_words,
    find_date_token,
    first_date_token,
    is_date_in_future,
    pointed_unit,
    steps_of,
    time_unit_of,
)
from chronoscore.dates.points import (
    UNITS,
    Point,
    day_exists,
    day_of_week,
    timex_duration,
    weekday_of,
)
from chronoscore.dates.tokens import Token

_EARLIER = frozenset(("ago", "earlier", "previously", "beforehand", "before", "prior", "previous"))
_MODAL = frozenset(("to", "may", "can", "could"))
_LASTING = frozenset(("for", "within", "in", "after", "before", "during"))
_VAGUE = {"day": "XXXX-XX-XX", "week": "XXXX-WXX", "month": "XXXX-XX"}


def read_weekday(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Thursday, last Monday, Friday night; ahead where the sentence speaks of what will be."""
    weekday, part = first_date_token(tokens, "W"), find_date_token(tokens, "p")
    some = DateReading(f"XXXX-WXX-{weekday.number + 1}")
    if weekday.word.endswith("days"):
        return some._replace(repeated=True)
    if part and part.word.endswith("s"):
        return DateReading(f"{some.value}T{DAYPARTS[part.word]}", repeated=True)
    if context.before.word in ("good", "black", "bloody", "palm", "ash") and len(tokens) == 1:
        return None
    steps = steps_of(tokens)
    ahead = steps > 0 or (not steps and (is_date_in_future(context) or _is_deadline(context)))
    there = bool(date_token_words(tokens) & {"following", "preceding", "previous"})
    point = _end_of_range(weekday.number, context) or context.scene.weekday(
        weekday.number, ahead=ahead, other=bool(steps), there=there
    )
    if point is None:
        return some
    return date_reading(point.at(DAYPARTS[part.word]) if part else point)


def _end_of_range(weekday: int, context: Context) -> Point | None:
    """The Friday of "Monday through Friday", which comes after the Monday."""
    start, focus = context.earlier[-2:-1], context.scene.focus
    ranged = context.before.word in ("to", "through", "until", "till") or context.before.kind == "-"
    if not ranged or not start or start[0].kind != "W" or focus is None or not focus.day:
        return None
    return focus.step((weekday - weekday_of(focus)) % 7 or 7, "day")


def _is_deadline(context: Context) -> bool:
    """Whether "by" or "until" stands before a day, and nothing shows that it is past."""
    around = date_token_words((*context.earlier, *context.rest))
    past = around & {"had", "was", "were", "did"}
    return context.before.word in ("by", "until", "till") and not past


def count_time_units(tokens: TokenSequence) -> str:
    """How many units, X where the words are vague."""
    if find_date_token(tokens, "q"):
        return "X"
    if figure := find_date_token(tokens, "DHQY"):
        scale = find_date_token(tokens, "n")
        count = figure.word.replace(",", "")
        return f"{float(count) * scale.number:.0f}" if scale else count
    total = 0
    for token in tokens:
        if token.kind == "n" and token.number >= 100:
            total = max(total, 1) * token.number
        elif token.kind == "n":
            total += token.number
    return str(total or 1) if total or find_date_token(tokens, "a") else "X"


def read_date_offset(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Two days later, a year ago, a few months earlier."""
    unit, end = first_date_token(tokens, "uUZ"), tokens[-1]
    if (end.kind == "l" and end.word not in _EARLIER) or _holds_more(tokens, context):
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


def read_offset_from_day(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Three weeks ago Friday, a year ago today, two years ago this month."""
    unit, last, base = first_date_token(tokens, "uU"), tokens[-1], context.scene.document
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


def read_weekday_of_week(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Monday of last week."""
    weekday, part, base = tokens[0], find_date_token(tokens, "p"), context.scene.document
    if tokens[-1].word != "week" or base is None or not base.day or context.scene.history:
        return None
    point = day_of_week(base, weekday.number, steps_of(tokens))
    return date_reading(point.at(DAYPARTS[part.word]) if part else point)


def read_unit_before_last(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The week before last, the year after next."""
    name, last, base = tokens[1].word, tokens[-1].word, context.scene.document
    if name not in UNITS or last not in ("last", "next") or base is None:
        return None
    return date_reading(base.away(-2 if last == "last" else 2, name))


def read_from_now(tokens: TokenSequence, context: Context) -> DateReading | None:
    """A month from now, two weeks from today, a week from Monday."""
    unit, start, base = first_date_token(tokens, "uU"), tokens[-1], context.scene.document
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


def read_vague_offset(tokens: TokenSequence, _context: Context) -> DateReading | None:
    """Weeks later, centuries ago."""
    if tokens[0].word == "century":
        return None
    return DateReading("PAST_REF" if tokens[-1].kind in "gV" else "FUTURE_REF")


def read_time_unit(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Last week, that same day, the end of the year; "the past year" is a length of time."""
    name = time_unit_of(first_date_token(tokens, "uZ"))
    if "past" in date_token_words(tokens[:2]):
        return None if name == "quarter" else DateReading(timex_duration("1", name))
    if _is_span(tokens, context) and name != "quarter":
        return DateReading(timex_duration("1", name))
    if name not in UNITS:
        return None
    return date_reading(pointed_unit(tokens, name, context.scene)) or DateReading(
        _VAGUE.get(name, "XXXX")
    )


def _is_span(tokens: TokenSequence, context: Context) -> bool:
    """Whether "the last year" stands for its length, as in "over the last year" of news."""
    words = [token.word for token in tokens[:2]]
    known = words in (["the", "last"], ["the", "next"]) and context.after.kind != "f"
    within = context.before.word in ("over", "within", "during", "in")
    return known and within and not context.scene.history


def read_whole_unit(tokens: TokenSequence, context: Context) -> DateReading | None:
    """All day, the whole week, an entire year."""
    name = tokens[-1].word
    if name == "quarter" or context.scene.history:
        return None
    if (tokens[0].kind == "_") != ("all" in date_token_words(tokens)):
        return None
    return DateReading(timex_duration("1", name))


def read_same_unit(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The same month last year, the same period of 2009."""
    scene, named = context.scene, tokens[2]
    said, base = find_date_token(tokens, "Y"), scene.told
    if base is None or (
        said is None and time_unit_of(first_date_token(tokens[::-1], "u")) != "year"
    ):
        return None
    # "A year earlier" counts from what was spoken of, "last year" from the text itself.
    telling = base if find_date_token(tokens, "V") else scene.telling
    now = telling.year if telling else base.year
    year = said.number if said else now + (1 if steps_of(tokens) > 0 else -1)
    if named.word in ("quarter", "period") and base.part[:1] == "Q":
        return date_reading(Point(year, part=base.part))
    if named.word == "quarter" and base.month:
        return date_reading(Point(year, part=f"Q{(base.month + 2) // 3}"))
    # Which period is meant, only a date that was spoken of can tell.
    known = named.word != "year" and (named.kind == "u" or scene.focus is not None)
    return date_reading(
        Point(year, base.month if known else 0, base.day if named.word == "day" else 0)
    )


def read_neighboring_time_unit(tokens: TokenSequence, context: Context) -> DateReading | None:
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


def read_day_beside_day_word(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The day after tomorrow, the day before yesterday."""
    base, word = context.scene.document, tokens[-1].word
    steps = days_of(word, context) + (-1 if tokens[2].kind == "<" else 1)
    if tokens[1].word != "day" or base is None or context.scene.history:
        return None
    return date_reading(base.step(steps, "day"))


def read_day_word(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Today, yesterday morning, tonight, overnight; history has no today of its own."""
    word, part, base = (
        first_date_token(tokens, "R").word,
        find_date_token(tokens, "p"),
        context.scene.document,
    )
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
        return 0 if is_date_in_future(context) else -1
    return {"yesterday": -1, "tomorrow": 1}.get(word, 0)


def read_duration(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Three days, a year, several months, the first two weeks."""
    unit = first_date_token(tokens[::-1], "uUZ")
    if find_date_token(tokens, "a") and context.after.kind == "-":
        return None
    if unit.kind == "u" and tokens[0].word == "some":
        return None
    if tokens[0].word == "last" and (context.before.kind == "w" or context.before.word in _MODAL):
        # "It may last two weeks."
        return None
    if _holds_more(tokens, context) or (unit.kind == "u" and _is_compound(tokens)):
        return None
    if unit.word == "century" and not find_date_token(tokens, "anqDHQY"):
        return None
    if date_token_words(tokens) == {"these", "days"}:
        return DateReading("PRESENT_REF")
    if not context.scene.history and _is_idiom(tokens, context):
        return None
    if (time_unit_of(unit) == "quarter" and not find_date_token(tokens, ".")) or (
        unit.kind == "Z" and find_date_token(tokens, "oO")
    ):
        return None
    return DateReading(
        timex_duration(count_time_units(tokens[: tokens.index(unit)]), time_unit_of(unit))
    )


def read_whole_span(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The final three months, the entire two weeks."""
    known = tokens[1].kind == "_" or tokens[1].word in ("final", "opening", "remaining", "full")
    return read_duration(tokens, context) if known else None


def read_two_units(tokens: TokenSequence, _context: Context) -> DateReading | None:
    """Two hours and 20 minutes, one year and six months."""
    units = [token for token in tokens if token.kind in "uU"]
    names = [time_unit_of(unit) for unit in units]
    counts = [
        count_time_units(tokens[: tokens.index(units[0])]),
        count_time_units(tokens[tokens.index(units[0]) + 1 : -1]),
    ]
    finer = names in (["hour", "minute"], ["minute", "second"], ["year", "month"])
    if not finer or find_date_token(tokens, ",") or not all(map(str.isdigit, counts)):
        return None
    first, second = (timex_duration(count, name) for count, name in zip(counts, names, strict=True))
    return DateReading(first + second.removeprefix("P").removeprefix("T"))


def read_another_unit(tokens: TokenSequence, _context: Context) -> DateReading | None:
    """Another year."""
    name = time_unit_of(tokens[-1])
    if tokens[0].word != "another" or name == "quarter":
        return None
    return DateReading(timex_duration("1", name))


def _holds_more(tokens: TokenSequence, context: Context) -> bool:
    """Whether a "just" stands before, which news leaves out of the date."""
    return not context.scene.history and tokens[0].word in ("just", "only")


def _is_idiom(tokens: TokenSequence, context: Context) -> bool:
    """Whether it measures nothing: "in as many years", "One day he will win"."""
    opens = context.before.kind == "\n" or context.before.word in (".", "?", "!")
    words = [token.word for token in tokens]
    return (words[0] == "many" and context.before.word == "as") or (
        opens and words == ["one", "day"]
    )


def _is_compound(tokens: TokenSequence) -> bool:
    """The "a four day" of "a four day rally", of which the article is no part."""
    number = find_date_token(tokens, "n")
    return tokens[0].kind == "a" and number is not None and number.number < 100


def read_compound_duration(tokens: TokenSequence, context: Context) -> DateReading | None:
    """24-year, ten-day, three-year-old."""
    unit = first_date_token(tokens, "u")
    if tokens[-1].kind == "." and tokens[-1].word not in ("old", "long"):
        return None
    aged = "old" in (tokens[-1].word, context.after.word)
    if aged and not (context.scene.ages or context.scene.history):
        return None
    return read_duration(tokens[: tokens.index(unit) + 1], context)


def read_long_unit(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Year-long, decades-old, weeklong."""
    name = time_unit_of(tokens[0]).removesuffix("long")
    if name == "quarter" or context.before.kind == "-":
        return None
    if len(tokens) > 1 and tokens[-1].word not in ("long", "old"):
        return None
    return DateReading(timex_duration("X" if tokens[0].kind == "U" else "1", name))


def read_bare_units(tokens: TokenSequence, context: Context) -> DateReading | None:
    """The weeks of "for weeks", and in news any months and years that nothing counts."""
    if len(tokens) > 1:
        return None if context.scene.history else read_bare_units(tokens[1:], context)
    if tokens[0].word == "weekends":
        return DateReading("XXXX-WXX-WE", repeated=True) if context.before.word == "on" else None
    if tokens[0].word == "quarters" or context.before.kind == "-" or context.before.word == "many":
        return None
    # Minutes are also those of a meeting.
    unsure = context.scene.history or tokens[0].word == "minutes"
    known = _LASTING | ({"just", "only"} if not context.scene.history else set())
    if unsure and context.before.word not in known:
        return None
    return DateReading(timex_duration("X", time_unit_of(tokens[0])))
