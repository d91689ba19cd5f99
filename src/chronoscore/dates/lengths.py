"""Readers of lengths of time, "three days", and of times that repeat, which TIMEX3 calls sets."""

from chronoscore.dates.context import DAYPARTS, SEASONS, Context, DateReading, time_unit_of
from chronoscore.dates.languages import values_of_words
from chronoscore.dates.points import timex_duration
from chronoscore.dates.tokens import Phrase

_MODAL = frozenset(("to", "may", "can", "could"))
_LASTING = frozenset(("for", "within", "in", "after", "before", "during"))
_HALVES = {
    "hour": "PT30M", "day": "PT12H", "year": "P6M", "decade": "P5Y", "century": "P50Y",
}  # fmt: skip
_HABITS = values_of_words("habits")


def count_time_units(tokens: Phrase) -> str:
    """How many units, X where the words are vague."""
    if tokens.find("q"):
        return "X"
    if figure := tokens.find("DHQY"):
        scale = tokens.find("n")
        count = figure.word.replace(",", "")
        return f"{float(count) * scale.number:.0f}" if scale else count
    total = 0
    for token in tokens:
        if token.kind == "n" and token.number >= 100:
            total = max(total, 1) * token.number
        elif token.kind == "n":
            total += token.number
    return str(total or 1) if total or tokens.find("a") else "X"


def read_whole_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """All day, the whole week, an entire year."""
    name = tokens[-1].word
    if name == "quarter" or context.scene.history:
        return None
    if (tokens[0].kind == "_") != ("all" in tokens.words):
        return None
    return DateReading(timex_duration("1", name))


def read_duration(tokens: Phrase, context: Context) -> DateReading | None:
    """Three days, a year, several months, the first two weeks."""
    unit = tokens[::-1].first("uUZ")
    hyphenated = context.after.kind == "-" and context.after.start == tokens[-1].end
    if hyphenated and tokens.find("a"):
        return None
    if unit.kind == "u" and (tokens[0].word == "some" or _is_age(context)):
        return None
    if tokens[0].word == "last" and (context.before.kind == "w" or context.before.word in _MODAL):
        # "It may last two weeks."
        return None
    if holds_more(tokens, context) or (unit.kind == "u" and _is_compound(tokens)):
        return None
    if unit.word == "century" and not tokens.find("anqDHQY"):
        return None
    if tokens.words == {"these", "days"}:
        return DateReading("PRESENT_REF")
    if not context.scene.history and _is_idiom(tokens, context):
        return None
    if (time_unit_of(unit) == "quarter" and not tokens.find(".")) or (
        unit.kind == "Z" and tokens.find("oO")
    ):
        return None
    return DateReading(
        timex_duration(count_time_units(tokens[: tokens.index(unit)]), time_unit_of(unit))
    )


def read_whole_span(tokens: Phrase, context: Context) -> DateReading | None:
    """The final three months, the entire two weeks."""
    known = tokens[1].kind == "_" or tokens[1].word in ("final", "opening", "remaining", "full")
    return read_duration(tokens, context) if known else None


def read_two_units(tokens: Phrase, _context: Context) -> DateReading | None:
    """Two hours and 20 minutes, one year and six months."""
    units = [token for token in tokens if token.kind in "uU"]
    names = [time_unit_of(unit) for unit in units]
    counts = [
        count_time_units(tokens[: tokens.index(units[0])]),
        count_time_units(tokens[tokens.index(units[0]) + 1 : -1]),
    ]
    finer = names in (["hour", "minute"], ["minute", "second"], ["year", "month"])
    if not finer or tokens.find(",") or not all(map(str.isdigit, counts)):
        return None
    first, second = (timex_duration(count, name) for count, name in zip(counts, names, strict=True))
    return DateReading(first + second.removeprefix("P").removeprefix("T"))


def read_another_unit(tokens: Phrase, _context: Context) -> DateReading | None:
    """Another year."""
    name = time_unit_of(tokens[-1])
    if tokens[0].word != "another" or name == "quarter":
        return None
    return DateReading(timex_duration("1", name))


def holds_more(tokens: Phrase, context: Context) -> bool:
    """Whether a word stands before that news leaves out: just two, over several weeks."""
    first, vague = tokens[0].word, tokens[1].kind == "q"
    return not context.scene.history and (first in ("just", "only") or (first == "over" and vague))


def _is_idiom(tokens: Phrase, context: Context) -> bool:
    """Whether it measures nothing: "in as many years", "One day he will win"."""
    opens = context.before.kind == "\n" or context.before.word in (".", "?", "!")
    words = [token.word for token in tokens]
    return (words[0] == "many" and context.before.word == "as") or (
        opens and words == ["one", "day"]
    )


def _is_compound(tokens: Phrase) -> bool:
    """The "a four day" of "a four day rally", of which the article is no part."""
    number = tokens.find("n")
    return tokens[0].kind == "a" and number is not None and number.number < 100


def read_compound_duration(tokens: Phrase, context: Context) -> DateReading | None:
    """24-year, ten-day, three-year-old."""
    unit = tokens.first("u")
    if tokens[-1].kind == "." and tokens[-1].word not in ("old", "long"):
        return None
    if _is_age(context) or (tokens[-1].word == "old" and not _wants_ages(context)):
        return None
    return read_duration(tokens[: tokens.index(unit) + 1], context)


def _is_age(context: Context) -> bool:
    """Whether a 59-year or 59 year is "old", and nobody asked for ages."""
    return context.after.word == "old" and not _wants_ages(context)


def _wants_ages(context: Context) -> bool:
    return context.scene.ages or context.scene.history


def read_long_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """Year-long, decades-old, weeklong."""
    name = time_unit_of(tokens[0]).removesuffix("long")
    if name == "quarter" or context.before.kind == "-":
        return None
    if len(tokens) > 1 and tokens[-1].word not in ("long", "old"):
        return None
    return DateReading(timex_duration("X" if tokens[0].kind == "U" else "1", name))


def read_bare_units(tokens: Phrase, context: Context) -> DateReading | None:
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


def read_half_unit(tokens: Phrase, _context: Context) -> DateReading | None:
    """Half an hour, a half-century, half an hour later."""
    value = _HALVES.get(tokens.first("uZ").word)
    return DateReading(value) if value and "half" in tokens.words else None


def read_repeated_time(tokens: Phrase, context: Context) -> DateReading | None:
    """Daily, twice daily, annually, weekdays; annual in news."""
    word = tokens[-1].word
    if word == "weekday" or (context.scene.history and word == "annual"):
        return None
    return DateReading(_HABITS[word], repeated=True)


def read_times_per_unit(tokens: Phrase, _context: Context) -> DateReading | None:
    """Twice a week, three times each year, the first Monday of every month."""
    return DateReading(timex_duration("1", tokens[-1].word), repeated=True)


def read_every_time_unit(tokens: Phrase, context: Context) -> DateReading | None:
    """Every day, every other week, each Monday, every three months, every May."""
    if context.scene.history and tokens[0].word == "each":
        return None
    if weekday := tokens.find("W"):
        part = tokens.find("p")
        value = f"XXXX-WXX-{weekday.number + 1}" + (f"T{DAYPARTS[part.word]}" if part else "")
    elif month := tokens.find("Mm"):
        value = f"XXXX-{month.number:02}"
    elif season := tokens.find("S"):
        value = f"XXXX-{SEASONS[season.word]}"
    elif habit := tokens.find("y"):
        if habit.word != "weekday":
            return None
        value = _HABITS[habit.word]
    elif part := tokens.find("p"):
        value = f"XXXX-XX-XXT{DAYPARTS[part.word]}"
    else:
        unit = tokens.first("uU")
        count = _period(tokens[1 : tokens.index(unit)])
        if count is None:
            return None
        value = timex_duration(count, time_unit_of(unit))
    return DateReading(value, repeated=True)


def _period(tokens: Phrase) -> str | None:
    """How many units lie between: 1, 2 for "other" and "second", or the number."""
    if not tokens:
        return "1"
    if tokens[0].word == "single":
        return "1"
    if tokens[0].word == "other":
        return "2"
    if tokens[0].kind in "oO":
        return str(tokens[0].number) if len(tokens) == 1 else None
    return None if tokens[0].kind == "." else count_time_units(tokens)
