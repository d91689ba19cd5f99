"""What a form of a date means in its place: the scene, the words around it, and its reading."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from chronoscore.dates.days import calendar_day, day_number
from chronoscore.dates.languages import values_of_words
from chronoscore.dates.points import UNITS, Point, day_exists, week_of, weekday_of
from chronoscore.dates.tokens import Phrase, Token, Tokens

EDGE = Token(0, 0, "", "\n")
"""What stands before the first token and after the last."""
_REACH = 20
"""How many tokens on either side a reader may look at."""

_FROM_NOW = frozenset(("last", "past", "latest", "this", "next", "coming", "upcoming"))
_FROM_THERE = frozenset(("the", "that"))

_TURN = 8
"""History goes forwards: this many months back from the focus and more is the next year."""

DAYPARTS, SEASONS = values_of_words("dayparts"), values_of_words("seasons")


@dataclass(slots=True)
class Scene:
    """The document's date, the date in focus, and whether the text tells history.

    News speaks from its own date: "on 3 May" is the nearest one. History moves along:
    "in May" belongs to the year that was spoken of last.
    """

    document: Point | None
    history: bool = False
    focus: Point | None = None
    day_first: bool | None = None
    """How the text writes numeric dates, where one of them shows it."""
    ages: bool = False
    """Whether the age of a "two-year-old" is wanted."""

    @property
    def told(self) -> Point | None:
        """What "that day" and "a year later" start from."""
        return self.focus or self.document

    def told_by(self, unit: str) -> Point | None:
        """What a step by a unit starts from; news falls back on its own date where it is finer."""
        told = self.told
        if self.history or told is None or self.document is None:
            return told
        fine = told.day if unit in ("day", "week") else told.month if unit == "month" else True
        return told if fine else self.document

    @property
    def telling(self) -> Point | None:
        """What "last year" and "two days ago" start from."""
        return self.told if self.history else self.document

    def year_of(self, month: int, day: int = 0, *, ahead: bool | None = None) -> int | None:
        """The year of a month or day that is named without one.

        `ahead` makes it the last one begun, or the next, in news; None the nearest.
        """
        base = self.telling
        if base is None:
            return None
        if self.history:
            year = base.year + (base.month - month > _TURN)
            near = [year, year - 1, year + 1, year - 2, year + 2]
            return next((year for year in near if day_exists(Point(year, month, day))), None)
        if ahead is not None and base.month:
            return base.year + (month < base.month if ahead else -(month > base.month))
        near = [base.year - 1, base.year, base.year + 1]
        points = [point for year in near if day_exists(point := Point(year, month, day))]
        nearest = min(points, key=lambda point: abs(point.number - base.number), default=None)
        return nearest.year if nearest else None

    def weekday(
        self, wanted: int, *, ahead: bool, other: bool, there: bool = False
    ) -> Point | None:
        """The nearest day of a name, before the base or ahead of it; `other` than the base.

        The base is the text's own date, or with `there` the one spoken of.
        """
        base = self.told_by("day") if there else self.telling
        if base is None or not base.day:
            return None
        today = day_number(base.year, base.month, base.day)
        back = (weekday_of(base) - wanted) % 7
        if not back and not other:
            return Point(*calendar_day(today))
        return Point(*calendar_day(today + 7 - back if ahead else today - (back or 7)))


class DateReading(NamedTuple):
    """The TIMEX3 value of an expression and, for a date, the point that it names."""

    value: str
    point: Point | None = None
    repeated: bool = False
    """Whether it is a set of times, such as "every Monday"."""


@dataclass(frozen=True)
class Context:
    """The scene, and the tokens around a form, which stands from `place` to `end` of its text."""

    scene: Scene
    tokens: Tokens
    place: int
    end: int

    @cached_property
    def earlier(self) -> Phrase:
        """Some tokens before."""
        return self.tokens.between(max(0, self.place - _REACH), self.place)

    @cached_property
    def rest(self) -> Phrase:
        """Some tokens after."""
        return self.tokens.between(self.end, self.end + _REACH)

    @cached_property
    def before(self) -> Token:
        """The token before."""
        return self.tokens.between(self.place - 1, self.place)[0] if self.place else EDGE

    @cached_property
    def after(self) -> Token:
        """The token after."""
        return next(iter(self.tokens.between(self.end, self.end + 1)), EDGE)


FormReader: TypeAlias = Callable[[Phrase, Context], DateReading | None]
"""Reads the tokens of a form, or refuses them."""


def date_reading(point: Point | None) -> DateReading | None:
    """A reading of a point, if there is such a day."""
    if point is None or not day_exists(point) or point.when is None:
        return None
    return DateReading(point.value, point)


def time_unit_of(token: Token) -> str:
    """A unit's name in the singular."""
    if token.kind == "Z":
        return "century"
    return token.word.removesuffix("s") if token.kind == "U" else token.word


def is_date_before_noun(tokens: Phrase, context: Context) -> bool:
    """Whether "the" belongs to a noun behind: "the third-quarter results"."""
    hyphenated = len(tokens) > 2 and tokens[-2].kind == "-"
    return tokens[0].kind == "t" and hyphenated and context.after.kind == "."


def stated_year(tokens: Phrase, context: Context) -> int | None:
    """The year in the words: 1944, 480 BC, AD 69, "of that year", "last year"."""
    era = tokens.find("BA")
    number = tokens[::-1].find("YHDQ" if era else "Y")
    if number is not None:
        year = number.number or int(number.word.replace(",", "").partition(".")[0])
        return 1 - year if era and era.kind == "B" else year
    unit = tokens.find("u")
    if unit is None or unit.word != "year":
        return None
    pointed = pointed_unit(tokens, "year", context.scene)
    return pointed.year if pointed else None


def pointed_unit(tokens: Phrase, unit: str, scene: Scene) -> Point | None:
    """The unit that "last", "the same" or "the following" points at."""
    # In "the end of this year" the first article points at nothing.
    last_of = max((i for i, token in enumerate(tokens) if token.kind == "f"), default=-1)
    words = tokens[last_of + 1 :].words
    base = scene.telling if words & _FROM_NOW and not words & _FROM_THERE else scene.told_by(unit)
    if base is None or unit not in UNITS:
        return None
    steps = tokens.steps
    if unit == "week" and base.day:
        return week_of(base, steps)
    return base.step(steps, unit) if steps else base.coarse(unit)
