"""Which fields of records hold their date and their texts: decided by values.

Records come from JSON, YAML, XML, CSV or memory, as mappings. Their date is the field whose values
read as dates; where several do, the one that varies, that its name calls a date, and that is
earliest, because an event comes before its end and before whatever is done with its record. Their
text is the longest text that is left, and a title beside it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names as names

Row: TypeAlias = Mapping[str, Any]
DateKind: TypeAlias = Literal["", "full", "wrong", "year", "epoch", "yearless", "strange"]
"""What a value is as a date: a whole one, one that cannot be, a year alone, seconds since 1970, one
without its year, or a few words that we do not know beside a year."""
STRENGTH: Mapping[DateKind, float] = {
    "": 0, "full": 1, "wrong": 0.9, "year": 0.6, "epoch": 0.6, "yearless": 0.5, "strange": 0.4
}  # fmt: skip

_ISO = lazy.pattern(r"\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ][\d:.Z+-]+)?)?")
_LABEL = lazy.pattern(r"(?:\w+://|www\.|/|\.{1,2}/)\S+|\S+@\S+|#?[\w-]*\d[\w-]*|[A-Z\d_-]+")
"""An address, a path, an id or a code rather than a text."""
_SENTENCE = lazy.pattern(r"(?:\S+\s+){5}\S|.*[.!?。！？]\s*$", re.DOTALL)
_YEAR = lazy.pattern(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_FOUR = lazy.pattern(r"\d{4}")
_LONGEST_DATE = 80
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
            return value_of(self.whole), values[0]
        return _join_date(*values), values[0]


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


def flatten(row: Row) -> dict[str, Any]:
    """A record with what its inner objects hold, under names such as `start.year`."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping) and value:
            found.update({f"{key}.{inner}": one for inner, one in flatten(value).items()})
        else:
            found[key] = value
    return found


def choose(rows: Sequence[Row]) -> Fields:
    """The fields of flat records; without dates or texts where none may be one."""
    named = _NAMED.get() or Named()
    step = max(1, len(rows) // _SAMPLE)
    columns = _columns(rows[::step])
    dates = _choose_dates(columns, len(rows[::step]), named)
    topic = named.topic or names.find_name(names.TOPIC, columns)
    author = named.author or names.find_name(names.AUTHOR, columns)
    used = {*dates.fields, topic, author}
    left = {key: values for key, values in columns.items() if key not in used}
    texts, spare = _choose_texts(left, len(rows[::step]), named)
    return Fields(dates.chosen, texts, spare, topic, author, dates.strength, dates.kind)


def _columns(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """The values of each field that are there; a field without any has an empty list."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            known = columns.setdefault(key, [])
            if value is not None and value != "":
                known.append(value)
    return columns


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
    places = [_place(value) for value, one in zip(values, kinds, strict=True) if one]
    ordered = places in (sorted(places), sorted(places, reverse=True))
    varies = len(values) == 1 or len(set(map(str, values))) > 1
    return _Candidate(date, kind, len(there) / size, varies, ordered, sum(places) / len(places))


def _parts(columns: Mapping[str, list[Any]]) -> Iterator[DateNames]:
    """Dates in parts below one key: by their names, or a year beside a month beside a day."""
    for parent in dict.fromkeys(key.rpartition(".")[0] for key in columns):
        own = [key for key in columns if key.rpartition(".")[0] == parent and columns[key]]
        year, month, day = (
            names.find_name(part, own) for part in (names.YEAR, names.MONTH, names.DAY)
        )
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


def _place(value: Any) -> float:
    """Where a date lies in time, roughly, in years."""
    from chronoscore.dates.openings import whole_date

    text = str(value).strip()
    if _ISO.match(text):
        return int(text[:4]) + int(text[5:7]) / 12 + int(text[8:10] or 0) / 366
    if day := epoch_day(value):
        return _place(day)
    try:
        return 1 + whole_date(text, "2000").when.first / 365.2425
    except DataError:
        return 0


def date_kind(value: Any) -> DateKind:
    """What a value is as a date; nothing for any other value."""
    if isinstance(value, str):
        return _text_kind(value.strip())
    if hasattr(value, "isoformat"):
        return "full"
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return ""
    if 1000 <= value <= 2100:
        return "year"
    if epoch_day(value) is not None:
        return "epoch"
    return _text_kind(str(value)) if 10000101 <= value <= 21001231 else ""


def _text_kind(text: str) -> DateKind:
    from chronoscore.dates.openings import looks_dated, whole_date

    if not text or len(text) > _LONGEST_DATE:
        return ""
    if _ISO.fullmatch(text):
        return "full"
    if text.isdecimal() and len(text) != 8:
        return date_kind(int(text)) if 4 <= len(text) <= 13 else ""
    if not looks_dated(text):
        return ""
    try:
        date = whole_date(text, "2000")
    except DataError as error:
        meant = error.reason == "no such date" or "day from month" in error.message
        if meant:
            return "wrong"
        return "strange" if len(text) <= 30 and _YEAR.search(fold(text)) else ""
    return "yearless" if date.yearless else "full"


def epoch_day(value: Any) -> str | None:
    """The day of a number of seconds or milliseconds since 1970, from 1973 to 2100."""
    from datetime import UTC, datetime

    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = value / 1000 if value >= 1e11 else value
    if not 1e8 <= seconds < 4.1e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def texts_of(value: Any) -> list[str]:
    """The texts of a value: a string, a list, or what the objects of a list hold."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if not isinstance(value, list | tuple):
        return []
    inner = [flatten(one) for one in value if isinstance(one, Mapping)]
    keys, spare = _choose_texts(_columns(inner), len(inner), Named()) if inner else ((), ())
    found: list[str] = []
    for one in value:
        if isinstance(one, Mapping):
            flat = flatten(one)
            own = [key for key in flat if key in keys] or list(spare[:1])
            found.extend(text for key in own for text in texts_of(flat.get(key)))
        else:
            found.extend(texts_of(one))
    return found


def is_empty_text(value: Any, name: str) -> bool:
    """Whether a field that is meant for a text has none, so that only the date counts."""
    empty = value is None or value == "" or value == []
    return empty and names.is_text_name(name)


def is_number_for_text(name: str, value: Any) -> bool:
    """Whether a field that is meant for a text holds something else."""
    return names.is_text_name(name) and not isinstance(value, str | list) and value is not None


def advise(rows: Sequence[Row]) -> str:
    """Which fields records have, and how to name the date and the text among them."""
    columns = _columns(rows)
    _, spare = _choose_texts(columns, len(rows), Named())
    text = spare[0] if spare else next(iter(columns))
    date = next((key for key in columns if key != text), "date")
    return (
        f"its keys are {', '.join(columns)}; name them with "
        f'`columns={{"date": "{date}", "text": "{text}"}}`'
    )


def _choose_texts(
    columns: Mapping[str, list[Any]], size: int, named: Named
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of texts, and others that might be, the longest first."""
    if named.text:
        return named.text, ()
    texts = {key: own for key, values in columns.items() if (own := _texts_of_all(values))}
    lengths = {key: sum(map(len, own)) / size for key, own in texts.items()}
    plain = [key for key in texts if not _are_labels(texts[key])] or list(texts)
    plain.sort(key=lengths.__getitem__, reverse=True)
    known = [key for key in columns if names.is_text_name(key) and key in texts]
    if not known:
        return (), tuple(plain)
    titles = [key for key in known if names.is_text_name(key, names.TITLE)]
    longest = plain[0]
    if len(titles) < len(known) or longest in known or _are_sentences(texts[titles[0]]):
        return tuple(known), tuple(plain)
    if lengths[longest] > lengths[titles[0]]:
        known.append(longest)
    return tuple(known), tuple(plain)


def _texts_of_all(values: Sequence[Any]) -> list[str]:
    return [text for value in values for text in texts_of(value)]


def _are_labels(texts: Sequence[str]) -> bool:
    """Whether texts are addresses, ids or the few words of a category."""
    few = len(texts) >= 4 and len(set(texts)) <= len(texts) / 2
    return few or all(_LABEL.fullmatch(text.strip()) for text in texts)


def _are_sentences(texts: Sequence[str]) -> bool:
    """Whether most texts are sentences rather than titles."""
    return 2 * sum(_SENTENCE.match(text) is not None for text in texts) >= len(texts)


def _join_date(year: str, month: str, day: str) -> str:
    """The date that stands in parts: `2011`, `3` and `11`, or `2011`, `March` and `11–13`.

    >>> _join_date("2011", "3", "11"), _join_date("2011", "March", "")
    ('2011-03-11', 'March 2011')
    >>> _join_date("", "March", "11")
    '11 March'
    """
    if not month or not (month.isdigit() and year):
        return " ".join(part for part in (day, month, year) if part)
    if day and not day.isdigit():
        name = MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else month
        return f"{day} {name} {year}"
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")


def date_names(given: Sequence[str]) -> DateNames | None:
    """Where a date stands among the headings of columns; nothing where there is none.

    "Date" beside "Day" is the date; "Date" or "Month/Day" beside "Year" lacks its year.
    """
    year, month, day = (
        names.find_name(part, given) for part in (names.YEAR, names.MONTH, names.DAY)
    )
    parts = [name for name in (year, month, day) if name is not None]
    whole = names.find_date_name([name for name in given if name not in parts])
    if whole is not None:
        return DateNames(whole, year)
    if not parts:
        return None
    return DateNames(parts[0]) if len(parts) == 1 else DateNames(None, year, month, day)
