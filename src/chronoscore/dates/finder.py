"""Dates in running English text: where they stand and which days they mean.

Rules of our own, light enough to run over thousands of sentences: words become classes,
forms of dates are patterns over classes (`forms`), and each form has a reader (`absolute`,
`relative`) that resolves it against the document's date and the date last mentioned.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from chronoscore.dates import absolute, relative
from chronoscore.dates.context import Context, DateReading, Scene
from chronoscore.dates.forms import MASTER, later_forms
from chronoscore.dates.points import Point
from chronoscore.dates.tokens import Token, tokens_of
from chronoscore.dates.when import When
from chronoscore.errors import UsageError, did_you_mean

Style: TypeAlias = Literal["auto", "news", "history"]
STYLES = ("auto", "news", "history")

_READERS = absolute.READERS | relative.READERS
_AROUND = 12
"""How many tokens on either side a reader may look at."""
_TAILS = (("old",), ("long",), ("of", "age"))
"""What may close a length of time: two years old."""


class Mention(NamedTuple):
    """A date in a text: its characters from `start` to `end`, the day it means, its TIMEX3 value.

    `when` is None for what no calendar page shows: lengths of time, "now", "at night". A
    week is given as the month that holds most of it, a season as its year. `value` is
    empty where the words point at a time without saying which.
    """

    start: int
    end: int
    when: When | None
    value: str

    @property
    def type(self) -> str:
        """The TIMEX3 type: DATE, TIME or DURATION."""
        if self.value.endswith("_REF"):
            return "DATE"
        if self.value.startswith("P"):
            return "DURATION"
        return "TIME" if "T" in self.value else "DATE"


def dates_in(text: str, *, on: When | None = None, style: Style = "auto") -> list[Mention]:
    """Find the dates of a text, in order; `on` is the day on which it was written.

    News speaks from its own date, history from the date last told. `auto` takes a text
    for history if it has no date of its own, or if most of its years are far from it.

    >>> [m.value for m in dates_in("It rained yesterday.", on=When.day(2010, 5, 1))]
    ['2010-04-30']
    """
    if style not in STYLES:
        raise UsageError(f"unknown style '{style}'; {did_you_mean(style, STYLES)}")
    tokens = tokens_of(text)
    document = Point.of(on) if on is not None else None
    history = style == "history" or (style == "auto" and tells_history(tokens, document))
    return list(find_mentions(tokens, Scene(document, history)))


def tells_history(tokens: list[Token], document: Point | None) -> bool:
    """Whether a text speaks of other years than its own."""
    if document is None:
        return True
    years = [token.number for token in tokens if token.kind == "Y" and token.number >= 1400]
    far = sum(abs(year - document.year) > 1 for year in years)
    before_christ = sum(token.kind == "B" for token in tokens)
    return before_christ > len(years) or (len(years) >= 4 and 2 * far > len(years))


def find_mentions(tokens: list[Token], scene: Scene) -> Iterator[Mention]:
    """Walk through the text; each date found moves the scene on."""
    classes = "".join(token.kind for token in tokens)
    place = 0
    while found := MASTER.search(classes, place):
        place = found.start()
        reading, end = first_reading(tokens, classes, found, scene)
        if reading is None:
            place += 1
            continue
        if reading.point is not None:
            scene.focus = reading.point
        if reading.value.startswith("P") and not reading.value.endswith("_REF"):
            end = with_tail(tokens, end)
        when = reading.point.when if reading.point is not None else None
        yield Mention(tokens[place].start, tokens[end - 1].end, when, reading.value)
        place = end


def first_reading(
    tokens: list[Token], classes: str, found: re.Match[str], scene: Scene
) -> tuple[DateReading | None, int]:
    """Read by the form found, or by the first later one whose reader does not refuse."""
    place, form = found.start(), found.lastgroup or ""
    earlier = tokens[max(0, place - _AROUND) : place]
    forms = [(form, found.end())]
    while forms:
        name, end = forms.pop(0)
        context = Context(scene, earlier, tokens[end : end + _AROUND])
        reading = _READERS[name](tokens[place:end], context)
        if reading is not None:
            return reading, end
        if name == form:
            forms = later_forms(classes, place, form)
    return None, place


def with_tail(tokens: list[Token], end: int) -> int:
    """Take in "old" or "of age" behind a length of time."""
    words = tuple(token.word for token in tokens[end : end + 2])
    return end + max((len(tail) for tail in _TAILS if words[: len(tail)] == tail), default=0)
