"""Alterations of dates and entries, which read no words and are for any language."""

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

from chronoscore.checks.cases import Case, replace_entries
from chronoscore.checks.damage import next_free
from chronoscore.core import Entry, Timeline, When
from chronoscore.dates.days import calendar_day, day_number, month_length

Writer: TypeAlias = Callable[[When, random.Random], tuple[str, ...]]
"""Gives the text of an entry that is added after a date."""

_MONTHS = 12


def move_by_a_year(case: Case) -> Timeline | None:
    """Date entries a year too early or too late."""

    def change(entry: Entry, rng: random.Random) -> Iterator[Entry]:
        yield Entry(_year_off(entry.when, rng.choice((-1, 1))), entry.sentences)

    return replace_entries(case, change)


def _year_off(when: When, years: int) -> When:
    """The same day of another year; coarser dates move by as many days."""
    if when.grain != "day":
        return when.shift(years * 365) if when.grain in ("month", "year") else when
    year, month, day = calendar_day(when.first)
    last = month_length(year + years, month)
    number = day_number(year + years, month, min(day, last))
    return When(number, number, "day")


def exchange_day_and_month(case: Case) -> Timeline | None:
    """Read 3 June (03/06) as 6 March (06/03), where both are dates and not the same one."""

    def change(entry: Entry, _rng: random.Random) -> Iterator[Entry]:
        year, month, day = calendar_day(entry.when.first)
        if entry.when.grain == "day" and day <= _MONTHS:
            number = day_number(year, day, month)
            yield Entry(When(number, number, "day"), entry.sentences)
        else:
            yield entry

    return replace_entries(case, change)


def report_late(case: Case) -> Timeline | None:
    """Date events by the day of the next article after them, or by the day after."""
    published = sorted({a.when for a in case.articles if a.when and a.when.grain == "day"})

    def change(entry: Entry, _rng: random.Random) -> Iterator[Entry]:
        if entry.when.grain != "day":
            yield entry
            return
        later = next((day for day in published if day > entry.when), entry.when.shift(1))
        yield Entry(later, entry.sentences)

    return replace_entries(case, change)


def combine_entries(case: Case) -> Timeline | None:
    """Join entries with the next one, under the earlier date."""
    entries = case.timeline.entries
    joined = set(case.choose(range(1, len(entries))))
    if not joined:
        return None
    combined: list[Entry] = []
    for place, entry in enumerate(entries):
        if place in joined:
            last = combined.pop()
            entry = Entry(last.when, last.sentences + entry.sentences)
        combined.append(entry)
    return Timeline(tuple(combined))


def divide_entries(case: Case) -> Timeline | None:
    """Move the second half of the sentences of entries to the next free day."""
    taken = list(case.timeline.dates)

    def change(entry: Entry, _rng: random.Random) -> Iterator[Entry]:
        half = (len(entry.sentences) + 1) // 2
        if half == len(entry.sentences):
            yield entry
            return
        free = next_free(taken, entry.when)
        taken.append(free)
        yield Entry(entry.when, entry.sentences[:half])
        yield Entry(free, entry.sentences[half:])

    return replace_entries(case, change)


def repeat_sentences(case: Case) -> Timeline | None:
    """Say everything twice on the same day."""

    def change(entry: Entry, _rng: random.Random) -> Iterator[Entry]:
        yield Entry(entry.when, entry.sentences + entry.sentences)

    return replace_entries(case, change)


def truncate(case: Case) -> Timeline | None:
    """Break the timeline off: the last entries are missing."""
    entries = case.timeline.entries
    kept = max(1, len(entries) - max(1, int(case.share * len(entries))))
    return Timeline(entries[:kept]) if kept < len(entries) else None


def add_foreign_entries(case: Case) -> Timeline | None:
    """Add entries of other topics, on free days between the first entry and the last, or after."""
    foreign = [entry for timeline in case.other_topics for entry in timeline if entry.sentences]
    if not foreign:
        return None
    return add_entries(case, lambda _when, rng: rng.choice(foreign).sentences)


def add_entries(case: Case, write: Writer) -> Timeline | None:
    """Add as many entries as the share asks for, each on the next free day after one there."""
    added = list(case.timeline.entries)
    for entry in case.choose(case.timeline.entries):
        when = next_free([one.when for one in added], entry.when)
        added.append(Entry(when, write(entry.when, case.random("added", entry.when))))
    added.sort(key=lambda entry: entry.when)
    return Timeline(tuple(added)) if len(added) > len(case.timeline) else None


def shuffle_sentences(case: Case) -> Timeline | None:
    """Put the sentences of entries in another order."""

    def change(entry: Entry, rng: random.Random) -> Iterator[Entry]:
        turn = rng.randrange(1, max(2, len(entry.sentences)))
        yield Entry(entry.when, entry.sentences[turn:] + entry.sentences[:turn])

    return replace_entries(case, change)


def shuffle_entries(case: Case) -> Timeline | None:
    """List the entries in another order; a timeline sorts them by date, so that none is left."""
    entries = list(case.timeline.entries)
    if len(entries) < 2:
        return None
    case.random("order").shuffle(entries)
    return Timeline.of([(entry.when, entry.sentences) for entry in entries])
