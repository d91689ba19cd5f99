"""Where a text stands in time while it is read: its own date, and the date last spoken of."""

from dataclasses import dataclass

from chronoscore.dates.days import calendar_day, day_number
from chronoscore.dates.running.points import Point, exists, weekday_of

_TURN = 8
"""History goes forwards: this many months back from the focus and more is the next year."""


@dataclass(slots=True)
class Scene:
    """The document's date, the date in focus, and whether the text tells history.

    News speaks from its own date: "on 3 May" is the nearest one. History moves along:
    "in May" belongs to the year that was spoken of last.
    """

    document: Point | None
    history: bool = False
    focus: Point | None = None

    @property
    def told(self) -> Point | None:
        """What "that day" and "a year later" start from."""
        return self.focus or self.document

    @property
    def telling(self) -> Point | None:
        """What "last year" and "two days ago" start from."""
        return self.told if self.history else self.document

    def year_of(self, month: int, day: int = 0) -> int | None:
        """The year of a month or day that is named without one."""
        base = self.telling
        if base is None:
            return None
        if self.history:
            year = base.year + (base.month - month > _TURN)
            near = [year, year - 1, year + 1, year - 2, year + 2]
            return next((year for year in near if exists(Point(year, month, day))), None)
        near = [base.year - 1, base.year, base.year + 1]
        points = [point for year in near if exists(point := Point(year, month, day))]
        nearest = min(points, key=lambda point: abs(point.number - base.number), default=None)
        return nearest.year if nearest else None

    def weekday(self, wanted: int, *, ahead: bool, other: bool) -> Point | None:
        """The nearest day of a name, before the base or ahead of it; `other` than the base."""
        base = self.telling
        if base is None or not base.day:
            return None
        today = day_number(base.year, base.month, base.day)
        back = (weekday_of(base) - wanted) % 7
        if not back and not other:
            return Point(*calendar_day(today))
        return Point(*calendar_day(today + 7 - back if ahead else today - (back or 7)))
