"""The same work as tables for spreadsheets; the judgements file remains the whole of it."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.exchange import exports
from chronoscore.workbench.store.source import Library

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell."""

LINKS = ("topic", "story", "time", "sentence", "text", "event", "event_text", "judges", "verdict")
FIELDS = ("action", "agent", "patient", "time", "location", "weight")
UNITS = ("topic", "unit", *FIELDS, "lines")


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table with a heading, which spreadsheets open as UTF-8 and without running formulas."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _safe_cell(cell: object) -> object:
    """A cell that no spreadsheet runs: text that looks like a formula gets an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def number(value: float, digits: int = 4) -> float | str:
    """A figure for a cell, empty where there is none."""
    return "" if math.isnan(value) else round(value, digits)


def build(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess], library: Library,
    *, finished: bool, texts: bool, anonymous: bool,
) -> bytes:  # fmt: skip
    """A row for each link of streams, or for each content unit, of what can be exported."""
    body = exports.judgements_file(
        connection, project, topics, library, finished=finished, texts=texts, anonymous=anonymous
    )
    rows = [json.loads(line) for line in body.decode().splitlines()]
    if project.workflow == "stream":
        return csv_bytes(LINKS, _links(rows))
    return csv_bytes(UNITS, _units(rows))


def _links(rows: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    kinds = _by_kind(rows)
    sentences = {row["id"]: row for row in kinds.get("sentence", ())}
    stories = {row["id"]: row for row in kinds.get("story", ())}
    events = {row["id"]: row for row in kinds.get("event", ())}
    for row in kinds.get("link", ()):
        sentence = sentences.get(row["sentence"], {})
        story = stories.get(sentence.get("story", ""), {})
        event = events.get(row["event"], {})
        yield (
            event.get("topic", ""), sentence.get("story", ""),
            story.get("time", ""), row["sentence"], sentence.get("text", ""), row["event"],
            event.get("text", ""), " ".join(row.get("marked_by", ())),
            row.get("verdict", ""),
        )  # fmt: skip


def _units(rows: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    for row in _by_kind(rows).get("hcu", ()):
        fields = (row.get(name, "") for name in FIELDS)
        yield (row.get("topic", ""), row["id"], *fields, " ".join(row.get("lines", ())))


def _by_kind(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(str(row.get("kind", "")), []).append(row)
    return kinds
