"""What the values of fields are: dates, and texts, of which the longest and its titles count."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold
from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names as names

DateKind: TypeAlias = Literal["", "full", "wrong", "year", "epoch", "yearless", "strange"]
"""What a value is as a date: a whole one, one that cannot be, a year alone, seconds since 1970, one
without its year, or a few words that we do not know beside a year."""
STRENGTH: Mapping[DateKind, float] = {
    "": 0, "full": 1, "wrong": 0.9, "year": 0.6, "epoch": 0.6, "yearless": 0.5, "strange": 0.4
}  # fmt: skip

_ISO = lazy.pattern(r"\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ][\d:.Z+-]+)?)?")
_YEAR = lazy.pattern(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_LONGEST_DATE = 80


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
    if not text or len(text) > _LONGEST_DATE:
        return ""
    if _ISO.fullmatch(text):
        return "full"
    if text.isdecimal() and len(text) != 8:
        return date_kind(int(text)) if 4 <= len(text) <= 13 else ""
    if not looks_dated(text):
        return ""
    from chronoscore.dates.openings import whole_date

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

    if isinstance(value, str) and len(value) < 40 and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value > 1e15:
        return None
    seconds = value / 1000 if value >= 1e11 else value
    if not 1e8 <= seconds < 4.1e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def place_in_time(value: Any) -> float:
    """Where a date lies in time, roughly, in years."""
    text = str(value).strip()
    if _ISO.match(text):
        return int(text[:4]) + int(text[5:7]) / 12 + int(text[8:10] or 0) / 366
    if day := epoch_day(value):
        return place_in_time(day)
    from chronoscore.dates.openings import whole_date

    try:
        return 1 + whole_date(text, "2000").when.first / 365.2425
    except DataError:
        return 0


def join_date(year: str, month: str, day: str) -> str:
    """The date that stands in parts: `2011`, `3` and `11`, or `2011`, `March` and `11–13`.

    >>> join_date("2011", "3", "11"), join_date("2011", "March", "")
    ('2011-03-11', 'March 2011')
    >>> join_date("", "March", "11")
    '11 March'
    """
    if not month or not (month.isdigit() and year):
        return " ".join(part for part in (day, month, year) if part)
    if day and not day.isdigit():
        name = MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else month
        return f"{day} {name} {year}"
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")


Row: TypeAlias = Mapping[str, Any]

_LABEL = lazy.pattern(r"(?:\w+://|www\.|/|\.{1,2}/)\S+|\S+@\S+|#?[\w-]*\d[\w-]*|[A-Z\d_-]+")
"""An address, a path, an id or a code rather than a text."""
_SENTENCE = lazy.pattern(r"(?:\S+\s+){5}\S|.*[.!?。！？]\s*$", re.DOTALL)


def flatten(row: Row) -> dict[str, Any]:
    """A record with what its inner objects hold, under names such as `start.year`."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping) and value:
            found.update({f"{key}.{inner}": one for inner, one in flatten(value).items()})
        else:
            found[key] = value
    return found


def columns_of(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """The values of each field that are there; a field without any has an empty list."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            known = columns.setdefault(key, [])
            if value is not None and value != "":
                known.append(value)
    return columns


def texts_of(value: Any) -> list[str]:
    """The texts of a value: a string, a list, or what the objects of a list hold."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if not isinstance(value, list | tuple):
        return []
    inner = [flatten(one) for one in value if isinstance(one, Mapping)]
    keys, spare = choose_texts(columns_of(inner), len(inner)) if inner else ((), ())
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


def choose_texts(
    columns: Mapping[str, list[Any]], size: int, named: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of texts, and others that might be, the longest first."""
    if named:
        return named, ()
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
