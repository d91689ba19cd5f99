"""Stories of records: which field is the text, the time, the title and the id, by their values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from chronoscore.dates.openings import whole_date
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.field_names import words_of
from chronoscore.formats.timelines.field_values import columns_of, epoch_day
from chronoscore.workbench.exchange import answers, article_records
from chronoscore.workbench.exchange.article_records import PlacedRecords, Record

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


def read(records: PlacedRecords, name: str) -> Iterator[Article]:
    """The stories of records; an answer that holds records itself stands for them."""
    layout = _Layout.of([row for _, row in records])
    if len(records) == 1 and isinstance(body := _body(records[0][1], layout), str):
        inside = article_records.find(body, name)
        if inside is not None:
            yield from _articles(inside, name)
            return
    yield from _articles(records, name)


def refuse_without_texts(records: PlacedRecords, name: str) -> None:
    """Refuse a table whose fields hold no text of several words."""
    columns = columns_of(row for _, row in records)
    if not any(" " in str(value).strip() for values in columns.values() for value in values):
        raise DataError(
            "unknown table; give TREC's tables, or stories as text, JSON or a table with a "
            "column of texts",
            place=name,
        )


def _articles(rows: PlacedRecords, name: str) -> Iterator[Article]:
    layout = _Layout.of([row for _, row in rows])
    stem = PurePosixPath(name).stem
    for number, (where, row) in enumerate(rows, 1):
        body = _body(row, layout)
        title = _words(row, layout.title)
        if body is None:
            raise DataError(
                f"not an article (no text; its keys are {', '.join(map(str, row))})", place=where
            )
        try:
            time = _time(row, layout)
        except DataError as error:
            raise error.at(where) from None
        known = str(row[layout.id]).strip() if row.get(layout.id) not in (None, "") else ""
        if isinstance(body, str) and answers.is_markdown(body):
            heading, body = answers.read_prose(body)
            title = title or heading
        yield Article(
            id=known or (stem if len(rows) == 1 else f"{stem}-{number}"),
            body=body, time=time, title=title,
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
        sentences = [_sentence(one) for one in value] if isinstance(value, list) else []
        if sentences and all(sentences):
            return sentences
    return "" if {"text", "sentences"} & set(row) else None


def _sentence(value: Any) -> str:
    """A sentence as a text, or in an object under its usual names."""
    if isinstance(value, dict):
        value = value.get("raw") or value.get("text")
    return value if isinstance(value, str) else ""


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
            body = max(open_, key=lambda key: article_records.length_of_texts(open_[key]))
        left = {key: values for key, values in open_.items() if key != body}
        return cls(
            id="id" if "id" in columns else _find_id(left, len(rows)), body=body,
            title="title" if "title" in columns else _find_title(left),
            publisher="publisher" if "publisher" in columns else "source", dates=dates,
        )  # fmt: skip


def _find_title(columns: Mapping[str, Sequence[Any]]) -> str:
    """The field that its name calls a title, or whose values may be titles."""
    named = [key for key in columns if set(words_of(key)) & set(_HEADINGS)]
    worded = [key for key, values in columns.items() if _are_titles(values)]
    return next(iter([*named, *worded]), "")


def _find_id(columns: Mapping[str, Sequence[Any]], size: int) -> str:
    """The field whose values tell records apart, best one that its name calls an id."""
    labels = [key for key, values in columns.items() if _are_ids(values, size)]
    named = [key for key in labels if {"id", "uid"} & set(words_of(key))]
    # Of a record alone, every field would tell it apart.
    return next(iter([*named, *(labels if size > 1 else ())]), "")


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
