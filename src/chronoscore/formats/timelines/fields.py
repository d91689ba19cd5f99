"""Which fields of records hold their date and their texts: decided by values.

Records come from JSON, YAML, XML, CSV or memory, as mappings. Their date is the field whose values
read as dates; where several do, the one that varies, that its name calls a date, and that is
earliest, because an event comes before its end and before whatever is done with its record. Their
text is the longest text that is left, and a title beside it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from chronoscore import lazy
from chronoscore.formats.timelines import field_names as names
from chronoscore.formats.timelines.field_values import (
    STRENGTH,
    DateKind,
    Row,
    choose_texts,
    columns_of,
    date_kind,
    epoch_day,
    join_date,
    place_in_time,
    texts_of,
)

_FOUR = lazy.pattern(r"\d{4}")
_SAMPLE = 40
_FIRST_LOOK = 5
"""Values that are looked at first; a field with no date among them has none."""


@dataclass(frozen=True, slots=True)
class DateNames:
    """The fields of a date: a whole one, one without its year, or one in parts."""

    whole: str | None = None
    year: str | None = None
    month: str | None = None
    day: str | None = None

    @property
    def all(self) -> set[str]:
        """The names that are read."""
        return {name for name in (self.whole, self.year, self.month, self.day) if name is not None}

    @property
    def main(self) -> str:
        """The name by which the place of a date is found."""
        return next(n for n in (self.whole, self.day, self.month, self.year) if n is not None)

    def read(self, value_of: Callable[[str], str]) -> tuple[str, str]:
        """The text of the date, and its year where that stands apart from it."""
        values = [
            "" if name is None else value_of(name) for name in (self.year, self.month, self.day)
        ]
        if self.whole is not None:
            return value_of(self.whole) or values[0], values[0]
        return join_date(*values), values[0]


@dataclass(frozen=True, slots=True)
class Fields:
    """Where date, texts, topic and author of records stand.

    A record without the first date has another one; `strength` is the share of records whose
    values read as dates, less where these may be other numbers. `spare` are other texts, the
    longest first.
    """

    dates: tuple[DateNames, ...]
    texts: tuple[str, ...]
    spare: tuple[str, ...] = ()
    topic: str | None = None
    author: str | None = None
    strength: float = 0.0
    kind: DateKind = ""

    def date_in(self, row: Row) -> DateNames:
        """The fields of a record's date."""
        there = (one for one in self.dates if row.get(one.main) not in (None, ""))
        return next(there, self.dates[0])

    def date_of(self, row: Row) -> tuple[Any, str, str]:
        """The date of a record, its year where that stands apart, and what was guessed."""
        names = self.date_in(row)
        if names.whole is None or names.year is not None:
            date, year = names.read(lambda name: str(row.get(name) or ""))
            return date, year, ""
        value = row.get(names.whole)
        if date_kind(value) == "epoch" and (day := epoch_day(value)):
            unit = "milliseconds" if float(value or 0) >= 1e11 else "seconds"
            return day, "", f"{value} is read as {unit} since 1970, {day}"
        return int(value) if isinstance(value, float) and value.is_integer() else value, "", ""

    def texts_in(self, row: Row) -> list[str]:
        """The fields of a record's texts, in its order."""
        keys = [key for key in row if key in self.texts]
        return keys or [key for key in self.spare if texts_of(row.get(key))][:1]


@dataclass(frozen=True, slots=True)
class Named:
    """The fields that the user has named."""

    date: str | None = None
    text: tuple[str, ...] = ()
    topic: str | None = None
    author: str | None = None

    @classmethod
    def of(cls, columns: Mapping[str, str | Sequence[str]] | None) -> "Named":
        """The fields of a mapping from what they hold to their names."""
        given = columns or {}
        text = given.get("text", ())
        one = {key: str(given[key]) for key in ("date", "topic", "author") if key in given}
        return cls(text=(text,) if isinstance(text, str) else tuple(text), **one)


_NAMED: ContextVar[Named | None] = ContextVar("named", default=None)


@contextmanager
def use_named(named: Named) -> Iterator[None]:
    """Read records by the fields that the user has named."""
    before = _NAMED.set(named)
    try:
        yield
    finally:
        _NAMED.reset(before)


def named_fields() -> list[str]:
    """The fields that the user has named."""
    named = _NAMED.get() or Named()
    return [one for one in (named.date, *named.text, named.topic, named.author) if one is not None]


def choose(rows: Sequence[Row]) -> Fields:
    """The fields of flat records; without dates or texts where none may be one."""
    named = _NAMED.get() or Named()
    step = max(1, len(rows) // _SAMPLE)
    columns = columns_of(rows[::step])
    dates = _choose_dates(columns, len(rows[::step]), named)
    topic = named.topic or names.find_name(names.TOPIC, columns)
    author = named.author or names.find_name(names.AUTHOR, columns)
    used = {*dates.fields, topic, author}
    left = {key: values for key, values in columns.items() if key not in used}
    texts, spare = choose_texts(left, len(rows[::step]), named.text)
    return Fields(dates.chosen, texts, spare, topic, author, dates.strength, dates.kind)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A date that records may have, and what speaks for it."""

    names: DateNames
    kind: DateKind
    share: float
    varies: bool
    ordered: bool
    place: float

    @property
    def sure(self) -> bool:
        """Whether the values can hardly be anything else."""
        return STRENGTH[self.kind] > 0.8

    @property
    def weight(self) -> tuple[Any, ...]:
        """What speaks for it, the most important first."""
        main = self.names.main
        rank = names.date_rank(main if self.names.whole else main.rpartition(".")[0] or main)
        return (self.share >= 0.5, self.sure, self.varies, rank, self.ordered, -self.place)


@dataclass(frozen=True, slots=True)
class _Dates:
    """The dates of records in order, how sure they are, and all fields that hold dates."""

    chosen: tuple[DateNames, ...] = ()
    strength: float = 0.0
    kind: DateKind = ""
    fields: frozenset[str] = frozenset()


def _choose_dates(columns: Mapping[str, list[Any]], size: int, named: Named) -> _Dates:
    if named.date is not None:
        kinds = [date_kind(value) for value in columns.get(named.date, ())]
        kind: DateKind = max(kinds, key=kinds.count, default="")
        return _Dates((DateNames(named.date),), 1.0, kind, frozenset({named.date}))
    wholes = [one for key in columns if (one := _candidate(DateNames(key), columns, size))]
    parts = [one for date in _parts(columns) if (one := _candidate(date, columns, size))]
    if any(names.is_date_name(one.names.main) for one in wholes):
        wholes = [one for one in wholes if not names.is_text_name(one.names.main)]
    found = sorted([*parts, *wholes], key=lambda one: one.weight, reverse=True)
    if not found:
        known = names.find_date_name(columns)
        if known is None:
            return _Dates()
        strength = 0.2 if any(_FOUR.search(str(value)) for value in columns[known]) else 0.0
        return _Dates((DateNames(known),), strength, "", frozenset({known}))
    first = found[0]
    if first.kind in ("year", "yearless"):
        first = _complete(first, found) or first
    # Another date counts for records without the first one.
    chosen = [first, *(one for one in found[1:] if first.share + one.share <= 1)]
    dated = [*chosen, *(one for one in found if one.sure)]
    return _Dates(
        tuple(one.names for one in chosen),
        sum(one.share * STRENGTH[one.kind] for one in chosen),
        first.kind,
        frozenset(name for one in dated for name in one.names.all),
    )


def _complete(first: _Candidate, found: Sequence[_Candidate]) -> _Candidate | None:
    """A date without its year, and the field of its year."""
    kinds = {"year", "yearless"} - {first.kind}
    other = next((one for one in found if one.kind in kinds), None)
    if other is None:
        return None
    whole, year = (first, other) if first.kind == "yearless" else (other, first)
    return replace(whole, names=DateNames(whole.names.whole, year.names.whole), kind="full")


def _candidate(date: DateNames, columns: Mapping[str, list[Any]], size: int) -> _Candidate | None:
    """A date, if most of its values are dates."""
    values = columns[date.whole or date.year or ""]
    if not any(map(date_kind, values[:: max(1, len(values) // _FIRST_LOOK)])):
        return None
    kinds = [date_kind(value) for value in values]
    there: list[DateKind] = [kind for kind in kinds if kind]
    kind = max(set(there), key=lambda one: (there.count(one), STRENGTH[one]))
    if date.whole is None or (kind in ("year", "strange") and "full" in there):
        kind = "full"
    if len(there) < (0.5 if STRENGTH[kind] > 0.8 else 0.8) * len(values):
        return None
    places = [place_in_time(value) for value, one in zip(values, kinds, strict=True) if one]
    ordered = places in (sorted(places), sorted(places, reverse=True))
    varies = len(values) == 1 or len(set(map(str, values))) > 1
    return _Candidate(date, kind, len(there) / size, varies, ordered, sum(places) / len(places))


def _parts(columns: Mapping[str, list[Any]]) -> Iterator[DateNames]:
    """Dates in parts below one key: by their names, or a year beside a month beside a day."""
    for parent in dict.fromkeys(key.rpartition(".")[0] for key in columns):
        own = [key for key in columns if key.rpartition(".")[0] == parent and columns[key]]
        year, month, day = names.find_parts(own)
        if year is not None and (month or day or parent):
            yield DateNames(None, year, month, day)
        elif year is None:
            for three in zip(own, own[1:], own[2:], strict=False):
                for first, middle, last in (three, three[::-1]):
                    if (
                        _within(columns[first], 1000, 2100)
                        and _within(columns[middle], 1, 12)
                        and _within(columns[last], 1, 31)
                    ):
                        yield DateNames(None, first, middle, last)


def _within(values: Sequence[Any], least: int, most: int) -> bool:
    """Whether all values are numbers within bounds."""
    return all(str(value).isdecimal() and least <= int(value) <= most for value in values)


def advise(rows: Sequence[Row]) -> str:
    """Which fields records have, and how to name the date and the text among them."""
    columns = columns_of(rows)
    _, spare = choose_texts(columns, len(rows))
    text = spare[0] if spare else next(iter(columns))
    date = next((key for key in columns if key != text), "date")
    return (
        f"its keys are {', '.join(columns)}; name them with "
        f'`columns={{"date": "{date}", "text": "{text}"}}`'
    )


def date_names(given: Sequence[str]) -> DateNames | None:
    """Where a date stands among the headings of columns; nothing where there is none.

    "Date" beside "Day" is the date; "Date" or "Month/Day" beside "Year" lacks its year.
    """
    year, month, day = names.find_parts(given)
    parts = [name for name in (year, month, day) if name is not None]
    whole = names.find_date_name([name for name in given if name not in parts])
    if whole is not None:
        return DateNames(whole, year)
    if not parts:
        return None
    return DateNames(parts[0]) if len(parts) == 1 else DateNames(None, year, month, day)


def names_missing_date(rows: Sequence[Row]) -> bool:
    """Whether the user has named a field of dates that no record has."""
    named = _NAMED.get() or Named()
    return named.date is not None and not any(named.date in row for row in rows)
