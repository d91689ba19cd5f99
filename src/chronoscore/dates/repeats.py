"""Readers of times that repeat: TIMEX3 calls them sets and gives their period as the value."""

from chronoscore.dates.absolute import SEASONS
from chronoscore.dates.context import (
    DAYPARTS,
    Context,
    DateReading,
    TokenSequence,
    one,
    the,
    unit_of,
)
from chronoscore.dates.points import duration
from chronoscore.dates.relative import count_of

_HABITS = {
    "hourly": "PT1H", "daily": "P1D", "nightly": "XXXX-XX-XXTNI", "weekly": "P1W",
    "biweekly": "P2W", "monthly": "P1M", "bimonthly": "P2M", "quarterly": "P1Q", "yearly": "P1Y",
    "annually": "P1Y", "annual": "P1Y",
}  # fmt: skip


def read_habit(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Daily, annually; annual in news."""
    if context.scene.history and tokens[0].word == "annual":
        return None
    return DateReading(_HABITS[tokens[0].word], repeated=True)


def read_times_per_unit(tokens: TokenSequence, _context: Context) -> DateReading | None:
    """Twice a week, three times each year."""
    return DateReading(duration("1", tokens[-1].word), repeated=True)


def read_every(tokens: TokenSequence, context: Context) -> DateReading | None:
    """Every day, every other week, each Monday, every three months, every May."""
    if context.scene.history and tokens[0].word == "each":
        return None
    if weekday := one(tokens, "W"):
        part = one(tokens, "p")
        value = f"XXXX-WXX-{weekday.number + 1}" + (f"T{DAYPARTS[part.word]}" if part else "")
    elif month := one(tokens, "Mm"):
        value = f"XXXX-{month.number:02}"
    elif season := one(tokens, "S"):
        value = f"XXXX-{SEASONS[season.word]}"
    elif part := one(tokens, "p"):
        value = f"XXXX-XX-XXT{DAYPARTS[part.word]}"
    else:
        unit = the(tokens, "uU")
        count = _period(tokens[1 : tokens.index(unit)])
        if count is None:
            return None
        value = duration(count, unit_of(unit))
    return DateReading(value, repeated=True)


def _period(tokens: TokenSequence) -> str | None:
    """How many units lie between: 1, 2 for "other" and "second", or the number."""
    if not tokens:
        return "1"
    if tokens[0].word == "single":
        return "1"
    if tokens[0].word == "other":
        return "2"
    if tokens[0].kind in "oO":
        return str(tokens[0].number) if len(tokens) == 1 else None
    return None if tokens[0].kind == "." else count_of(tokens)
