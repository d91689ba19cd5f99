"""Readers of times that repeat: TIMEX3 calls them sets and gives their period as the value."""

from chronoscore.dates.absolute import SEASONS
from chronoscore.dates.context import (
    DAYPARTS,
    Context,
    DateReading,
    time_unit_of,
)
from chronoscore.dates.languages import values_of_words
from chronoscore.dates.lengths import count_time_units
from chronoscore.dates.points import timex_duration
from chronoscore.dates.tokens import Phrase

_HABITS = values_of_words("habits")


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
