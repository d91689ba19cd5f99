"""Entries that stand out of order: years that have turned under a heading, and misprints."""

from collections.abc import Sequence
from itertools import groupby, pairwise

from chronoscore.core import When
from chronoscore.dates.days import calendar_day
from chronoscore.errors import DataError
from chronoscore.formats.timelines.markdown_state import EntryDraft
from chronoscore.formats.timelines.years import HALF_A_YEAR

_ENOUGH = 4
"""So many entries have an order."""


def check_order(drafts: Sequence[EntryDraft], *, descending: bool) -> None:
    """Set right or note what stands out of order, in the drafts themselves."""
    for heading, group in groupby(drafts, key=lambda draft: draft.heading):
        if heading:
            under = list(group)
            others = {_year(draft.when) for draft in drafts if draft.heading != heading}
            _turn_year(under, others, step=-1 if descending else 1)
    _note_outliers([draft for draft in drafts if not draft.inner])


def _turn_year(drafts: Sequence[EntryDraft], others: set[int], *, step: int) -> None:
    """Take dates that run backward under the heading of a year to be of the next one.

    They do so once, by more than half a year, and no other entry lies in the year that they would
    be in; else each of them is noted.
    """
    places = [step * draft.when.first for draft in drafts]
    back = [n for n in range(1, len(places)) if places[n] < places[n - 1]]
    if not back:
        return
    turn, year = back[0], _year(drafts[0].when)
    turned = len(back) == 1 and places[turn - 1] - places[turn] > HALF_A_YEAR
    later = [_in_year(draft.when, year + step) for draft in drafts[turn:]]
    for draft, when in zip(drafts[turn:], later, strict=True):
        if turned and year + step not in others and None not in later:
            assert when is not None
            draft.guess = f"date {draft.when} is taken to be {when}"
            draft.when = when
        elif step * draft.when.first >= max(places[:turn]):
            continue
        else:
            draft.guess = f"date {draft.when} may be of another year"
        draft.guess += f": the months under {year} run backward"


def _note_outliers(drafts: Sequence[EntryDraft]) -> None:
    """Note a date that lies outside of the two around it, which are in order without it."""
    rises = [(after.when.first > before.when.first) for before, after in pairwise(drafts)]
    step = 1 if 2 * sum(rises) >= len(rises) else -1
    places = [step * (draft.when.first if step > 0 else draft.when.last) for draft in drafts]
    ends = [step * (draft.when.last if step > 0 else draft.when.first) for draft in drafts]
    back = [n for n in range(1, len(drafts)) if ends[n] < places[n - 1]]
    if len(drafts) < _ENOUGH or _ENOUGH * len(back) > len(drafts):
        return
    for n in back:
        if n == 1 or places[n - 2] <= places[n]:
            wrong = drafts[n - 1]
        elif n == len(drafts) - 1 or places[n - 1] <= places[n + 1]:
            wrong = drafts[n]
        else:
            continue  # a new section begins
        wrong.guess = wrong.guess or f"date {wrong.when} is out of order; it is taken as it stands"


def _year(when: When) -> int:
    return calendar_day(when.first)[0]


def _in_year(when: When, year: int) -> When | None:
    """The same day or month of another year; None where there is none."""
    _, month, day = calendar_day(when.first)
    try:
        if when.grain == "day":
            return When.day(year, month, day)
        return When.month(year, month) if when.grain == "month" else None
    except DataError:
        return None
