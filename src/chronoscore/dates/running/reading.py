"""What a form means: readings, the words around it, and what several readers need."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from chronoscore.dates.running.points import UNITS, Point, exists, week_of
from chronoscore.dates.running.scene import Scene
from chronoscore.dates.running.words import Token

Tokens: TypeAlias = Sequence[Token]
EDGE = Token(0, 0, "", "\n")
"""What stands before the first token and after the last."""

BACK = frozenset(("last", "past", "previous", "preceding", "prior"))
AHEAD = frozenset(
    ("next", "following", "subsequent", "coming", "ensuing", "succeeding", "upcoming")
)
_FROM_NOW = frozenset(("last", "past", "this", "next", "coming", "upcoming"))
_FROM_THERE = frozenset(("the", "that"))

DAYPARTS = {
    "morning": "MO", "mornings": "MO", "dawn": "MO", "daybreak": "MO", "sunrise": "MO",
    "noon": "MI", "midday": "MI", "afternoon": "AF", "evening": "EV", "dusk": "EV",
    "sunset": "EV", "nightfall": "EV", "night": "NI", "nights": "NI", "midnight": "NI",
}  # fmt: skip


class Reading(NamedTuple):
    """The TIMEX3 value of an expression and, for a date, the point that it names."""

    value: str
    point: Point | None = None


class Context(NamedTuple):
    """The scene, and some tokens on both sides."""

    scene: Scene
    earlier: Tokens
    rest: Tokens

    @property
    def before(self) -> Token:
        """The token before."""
        return self.earlier[-1] if self.earlier else EDGE

    @property
    def after(self) -> Token:
        """The token after."""
        return self.rest[0] if self.rest else EDGE


Reader: TypeAlias = Callable[[Tokens, Context], Reading | None]
"""Reads the tokens of a form, or refuses them."""


def one(tokens: Tokens, kinds: str) -> Token | None:
    """The first token of some classes."""
    return next((token for token in tokens if token.kind in kinds), None)


def the(tokens: Tokens, kinds: str) -> Token:
    """The first token of some classes, one of which the form is sure to have."""
    return next(token for token in tokens if token.kind in kinds)


def behind(tokens: Tokens, token: Token) -> Tokens:
    """The tokens after one of them."""
    return tokens[tokens.index(token) + 1 :]


def words_of(tokens: Tokens) -> set[str]:
    """The words, to look for some among them."""
    return {token.word for token in tokens}


def steps_of(tokens: Tokens) -> int:
    """−1 for "last", 1 for "next", 0 for "this"."""
    words = words_of(tokens)
    return -1 if words & BACK else 1 if words & AHEAD else 0


def dated(point: Point | None) -> Reading | None:
    """A reading of a point, if there is such a day."""
    if point is None or not exists(point) or point.when is None:
        return None
    return Reading(point.value, point)


def unit_of(token: Token) -> str:
    """A unit's name in the singular."""
    if token.kind == "Z":
        return "century"
    return token.word.removesuffix("s") if token.kind == "U" else token.word


def said_year(tokens: Tokens, context: Context) -> int | None:
    """The year in the words: 1944, 480 BC, AD 69, "of that year", "last year"."""
    era = one(tokens, "BA")
    number = one(tokens[::-1], "YHDQ" if era else "Y")
    if number is not None:
        year = number.number or int(number.word.replace(",", "").partition(".")[0])
        return 1 - year if era and era.kind == "B" else year
    unit = one(tokens, "u")
    if unit is None or unit.word != "year":
        return None
    pointed = pointed_unit(tokens, "year", context.scene)
    return pointed.year if pointed else None


def pointed_unit(tokens: Tokens, unit: str, scene: Scene) -> Point | None:
    """The unit that "last", "the same" or "the following" points at."""
    words = words_of(tokens)
    base = scene.telling if words & _FROM_NOW and not words & _FROM_THERE else scene.told
    if base is None or unit not in UNITS:
        return None
    steps = steps_of(tokens)
    if unit == "week" and base.day:
        return week_of(base, steps)
    return base.step(steps, unit) if steps else base.coarse(unit)
