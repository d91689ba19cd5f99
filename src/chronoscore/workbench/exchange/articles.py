"""Stories in records of any shape: JSON, JSON Lines or tables, fields chosen by their values."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from chronoscore.dates.openings import whole_date
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.io.json_values import decode_json, drop_trailing_commas
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.field_names import words_of
from chronoscore.formats.timelines.field_values import columns_of, epoch_day, flatten
from chronoscore.formats.timelines.tables import largest_table

Record = Mapping[str, Any]
_HEADINGS = ("title", "headline", "heading", "subject")
_LONGEST_ID = 80


@dataclass(frozen=True)
class Article:
    """A record as a story: its body is a text, or sentences that were split already."""

    id: str
    body: str | list[str]
    time: str
    title: str
    publisher: str


def read_json(text: str, name: str) -> Iterator[Article]:
    """The articles of JSON Lines, or of one value that holds records at any depth."""
    try:
        rows = list(_json_records(text, name))
    except DataError as error:
        raise DataError(f"not an article ({error.message})", place=error.place or name) from None
    return _articles(rows, name)


def _json_records(text: str, name: str) -> Iterator[tuple[str, Record]]:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if _is_object(lines[0][1], name) if lines else False:
        for number, line in lines:
            value = _decode(line, name, number)
            if not isinstance(value, dict):
                raise DataError("is no object; fix the line", place=f"{name}:{number}")
            yield f"{name}:{number}", flatten(value)
        return
    value = _decode(text, name, 1)
    if isinstance(value, dict) and {"text", "sentences"} & set(value):
        value = [value]
    table = largest_table(value)
    if table is None:
        raise DataError("it holds no records; give objects with a text", place=name)
    for number, row in enumerate(table[1], 1):
        yield f"{name}, record {number}", row


def _is_object(line: str, name: str) -> bool:
    try:
        return isinstance(_decode(line, name, 1), dict)
    except DataError:
        return False


def _decode(text: str, name: str, line: int) -> Any:
    return decode_json(drop_trailing_commas(text), name, first_line=line, gaps=True)


def read_table(text: str, name: str) -> Iterator[Article]:
    """The articles of a table with headings, whatever stands between its columns."""
    try:
        dialect = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
        rows = list(csv.DictReader(io.StringIO(text), dialect=dialect, restkey="", strict=True))
    except csv.Error:
        rows = []
    records = [
        (f"{name}, row {number}", {key: value for key, value in row.items() if key})
        for number, row in enumerate(rows, 2)
    ]
    columns = columns_of(row for _, row in records)
    if not any(" " in str(value).strip() for values in columns.values() for value in values):
        raise DataError(
            "unknown table; give TREC's tables, or stories as text, JSON or a table with a "
            "column of texts",
            place=name,
        )
    return _articles(records, name)


def _articles(rows: Sequence[tuple[str, Record]], name: str) -> Iterator[Article]:
    layout = _Layout.of([row for _, row in rows])
    stem = PurePosixPath(name).stem
    for number, (where, row) in enumerate(rows, 1):
        body = _body(row, layout)
        if body is None:
            raise DataError(
                f"not an article (no text; its keys are {', '.join(map(str, row))})", place=where
            )
        try:
            time = _time(row, layout)
        except DataError as error:
            raise error.at(where) from None
        known = str(row[layout.id]).strip() if row.get(layout.id) not in (None, "") else ""
        yield Article(
            id=known or (stem if len(rows) == 1 else f"{stem}-{number}"),
            body=body, time=time, title=_words(row, layout.title),
            publisher=_words(row, layout.publisher),
        )  # fmt: skip


def _words(row: Record, key: str) -> str:
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def _body(row: Record, layout: "_Layout") -> str | list[str] | None:
    for key in ("text", "sentences", layout.body):
        value = row.get(key)
        if isinstance(value, str) and (value.strip() or key == "text"):
            return value
        if isinstance(value, list) and all(isinstance(one, str) for one in value) and value:
            return value
    return "" if {"text", "sentences"} & set(row) else None


def _time(row: Record, layout: "_Layout") -> str:
    """When a story came in, as it is written or as the day that it says."""
    chosen = layout.dates
    given = next((row[key] for key in ("time", "date") if row.get(key) not in (None, "")), None)
    if given is None and chosen is not None and chosen.dates:
        given = chosen.date_of(row)[0]
    if given in (None, ""):
        return ""
    text = str(given).strip()
    try:
        clock.parse_seconds(text)
        return text
    except DataError as error:
        if day := epoch_day(given):
            return day
        try:
            opening = whole_date(text, "")
        except DataError:
            raise error from None
        if opening.yearless or opening.when.grain != "day":
            raise
        return date.fromordinal(opening.when.first).isoformat()


@dataclass(frozen=True)
class _Layout:
    """Which fields hold what; usual names first, then values decide."""

    id: str = "id"
    body: str = "text"
    title: str = "title"
    publisher: str = "publisher"
    dates: fields.Fields | None = None

    @classmethod
    def of(cls, rows: Sequence[Record]) -> "_Layout":
        columns = columns_of(rows)
        dates = None if {"time", "date"} & set(columns) else fields.choose(rows)
        dated = {key for one in dates.dates for key in one.all} if dates else {"time", "date"}
        usual = {"id", "title", "publisher", "text", "sentences"}
        open_ = {key: values for key, values in columns.items() if key not in usual | dated}
        body = "text"
        if open_ and not {"text", "sentences"} & set(columns):
            body = max(open_, key=lambda key: _length(open_[key]))
        left = {key: values for key, values in open_.items() if key != body}
        return cls(
            id="id" if "id" in columns else _find_id(left, len(rows)), body=body,
            title="title" if "title" in columns else _find_title(left),
            publisher="publisher" if "publisher" in columns else "source", dates=dates,
        )  # fmt: skip


def _length(values: Sequence[Any]) -> int:
    """How much text a field holds."""
    return sum(len(str(one)) for one in values if isinstance(one, str | list))


def _find_title(columns: Mapping[str, Sequence[Any]]) -> str:
    """The field that its name calls a title, or whose values may be titles."""
    named = [key for key in columns if set(words_of(key)) & set(_HEADINGS)]
    worded = [key for key, values in columns.items() if _are_titles(values)]
    return next(iter([*named, *worded]), "")


def _find_id(columns: Mapping[str, Sequence[Any]], size: int) -> str:
    """The field whose values tell records apart, best one that its name calls an id."""
    labels = [key for key, values in columns.items() if _are_ids(values, size)]
    return next(iter([*(key for key in labels if "id" in words_of(key)), *labels]), "")


def _are_titles(values: Sequence[Any]) -> bool:
    """Whether these are short texts of several words, mostly different."""
    texts = [one for one in values if isinstance(one, str)]
    words = [len(text.split()) for text in texts]
    several = bool(texts) and sum(words) >= 3 * len(texts) and max(map(len, texts)) <= 300
    return several and len(set(texts)) * 2 > len(texts)


def _are_ids(values: Sequence[Any], size: int) -> bool:
    """Whether these tell records apart: short, without blanks, and no address."""
    texts = [str(one) for one in values if isinstance(one, str | int)]
    short = all(0 < len(one) <= _LONGEST_ID and not one.count(" ") for one in texts)
    return len(set(texts)) == size and short and not any("/" in one for one in texts)
