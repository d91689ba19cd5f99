"""Records in a text of any shape: JSON, Python values, YAML, tables, answers of models."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from chronoscore.errors import DataError
from chronoscore.formats.io.json_values import decode_json, drop_trailing_commas, is_json
from chronoscore.formats.io.python_values import read_python_value
from chronoscore.formats.timelines import yaml_format
from chronoscore.formats.timelines.answer_data import find_bare_data, starts_like_json
from chronoscore.formats.timelines.answer_parts import hide_reasoning
from chronoscore.formats.timelines.field_values import columns_of, flatten
from chronoscore.formats.timelines.format import Content
from chronoscore.formats.timelines.markdown_lines import (
    MarkdownLine,
    is_table_rule,
    split_markdown_lines,
)
from chronoscore.formats.timelines.tables import pairs_of, records_of

Record: TypeAlias = Mapping[str, Any]
PlacedRecords: TypeAlias = list[tuple[str, Record]]
"""Records, each with its place as errors name it."""
_KEY = re.compile(r"\s*(?:#.*\n\s*)*(?:- *)?[\"']?\w[\w -]{,40}[\"']?:(?=\s)")
_SPEAKERS = ("assistant", "model")


def find(text: str, name: str) -> PlacedRecords | None:
    """The records that a text of unknown kind is, or that are at least half of an answer."""
    if starts_like_json(text):
        try:
            return of_json(text, name)
        except DataError:
            if '":' in text:
                raise
    if _is_yaml(text):
        return of_yaml(text, name)
    answer, _ = hide_reasoning(text)
    size = len("".join(answer.split()))
    found = [part for part in _parts(answer, name) if _has_sentences(part[1])]
    if not found or 2 * sum(length for length, _ in found) < size:
        return None
    return [row for _, rows in found for row in rows]


def _is_yaml(text: str) -> bool:
    """Whether a text is a list of YAML objects, or has one in it, and is nothing else."""
    if not _KEY.match(text):
        return False
    try:
        values = [value for value, _ in yaml_format.decode(Content(text, ""))]
    except DataError:
        return False
    lists = [one for value in values for one in (value, *_values(value)) if isinstance(one, list)]
    return any(one and all(isinstance(row, dict) for row in one) for one in lists)


def _values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else []


def _parts(text: str, name: str) -> Iterator[tuple[int, PlacedRecords]]:
    """The data in an answer: fenced, as tables, or bare between the lines; with their lengths."""
    lines = text.split("\n")
    marked = list(split_markdown_lines(lines))
    fences = [line for line in marked if line.kind == "fence" and "".join(line.inside).strip()]
    for fence in fences:
        rows = _of_fence(fence, name)
        yield len("".join("".join(fence.inside).split())), rows
    for table in _tables(marked):
        yield _table_part(table, name)
    if not fences and (bare := find_bare_data(lines)):
        inside = "\n".join(bare.lines)
        read = of_table if bare.form == "csv" else of_json
        yield len("".join(inside.split())), read(inside, name)


def _of_fence(fence: MarkdownLine, name: str) -> PlacedRecords:
    inside = "\n".join(fence.inside)
    label = fence.text.split()[0] if fence.text else ""
    try:
        if label in ("csv", "tsv"):
            return of_table(inside, name)
        if label in ("json", "jsonl") or starts_like_json(inside):
            return of_json(inside, name)
        if label in ("yaml", "yml") or _is_yaml(inside):
            return of_yaml(inside, name)
    except DataError as error:
        where = f"{name}, the data from line {fence.number}"
        raise DataError(error.message, reason=error.reason, place=where) from None
    return []


def _tables(lines: Sequence[MarkdownLine]) -> Iterator[list[MarkdownLine]]:
    """The rows of each table."""
    rows: list[MarkdownLine] = []
    for line in [*lines, MarkdownLine(0, "blank")]:
        if line.kind == "row":
            rows += [line] if not is_table_rule(line.text) else []
        elif rows:
            yield rows
            rows = []


def _table_part(rows: Sequence[MarkdownLine], name: str) -> tuple[int, PlacedRecords]:
    heading = rows[0].cells
    length = sum(len("".join("".join(row.cells).split())) for row in rows)
    return length, [
        (f"{name}:{row.number}", dict(zip(heading, row.cells, strict=False))) for row in rows[1:]
    ]


def _has_sentences(rows: PlacedRecords) -> bool:
    """Whether some field holds texts of several words, as stories have them."""
    columns = columns_of(row for _, row in rows).values()
    texts = [[one for one in values if isinstance(one, str | list)] for values in columns]
    return any(
        values and sum(len(str(one).split()) for one in values) >= 6 * len(values)
        for values in texts
    )


def of_json(text: str, name: str) -> PlacedRecords:
    """The records of JSON Lines, or of one value that holds records at any depth."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2 or not is_json(drop_trailing_commas(lines[0][1])):
        return _number(_decode(text, name, 1), name)
    rows: PlacedRecords = []
    for number, line in lines:
        value = _decode(line, name, number)
        if not isinstance(value, dict):
            raise DataError("is no object; fix the line", place=f"{name}:{number}")
        # What stands around an answer, as the number of its question, belongs to it.
        around = {key: one for key, one in value.items() if not isinstance(one, dict | list)}
        rows += [(f"{name}:{number}", {**around, **row}) for row in _largest(value)]
    return rows


def _decode(text: str, name: str, line: int) -> Any:
    try:
        return decode_json(drop_trailing_commas(text), name, first_line=line, gaps=True)
    except DataError as error:
        value = read_python_value(text)
        plain = drop_trailing_commas(value.json)
        if error.reason != "json" or value.rest.strip() or not is_json(plain):
            raise
        return decode_json(plain, name, first_line=line, gaps=True)


def of_yaml(text: str, name: str) -> PlacedRecords:
    """The records of one or several YAML documents."""
    values = [value for value, _ in yaml_format.decode(Content(text, name))]
    return _number(values[0] if len(values) == 1 else values, name)


def of_table(text: str, name: str) -> PlacedRecords:
    """The rows of a table with headings, whatever stands between its columns."""
    try:
        dialect = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
        rows = list(csv.DictReader(io.StringIO(text), dialect=dialect, restkey="", strict=True))
    except csv.Error:
        rows = []
    records = [{key: value for key, value in row.items() if key} for row in rows]
    return [(f"{name}, row {number}", row) for number, row in enumerate(records, 2)]


def _number(value: Any, name: str) -> PlacedRecords:
    try:
        rows = _largest(value)
    except RecursionError:
        raise DataError("is nested too deeply; flatten it", place=name) from None
    if not rows:
        raise DataError("it holds no records; give objects with a text", place=name)
    if len(rows) == 1:
        return [(name, rows[0])]
    return [(f"{name}, record {number}", row) for number, row in enumerate(rows, 1)]


def _largest(value: Any) -> list[Record]:
    """The records with most text in one of their fields, the outermost of equal ones."""
    return max(_candidates(value), key=_length_of_texts, default=[])


def _candidates(value: Any) -> Iterator[list[Record]]:
    """Everything in a value that may be records, from the outside in."""
    inner: list[Any] = []
    if isinstance(value, dict) and value:
        inner = list(value.values())
        yield from _tables_of(value, inner)
        yield [flatten(value)]
    elif isinstance(value, list):
        inner = _answers(value)
        if (rows := records_of(inner)) is not None:
            yield [flatten(row) for row in rows]
    for one in inner:
        yield from _candidates(one)


def _tables_of(value: dict[str, Any], inner: Sequence[Any]) -> Iterator[list[Record]]:
    """The records that an object may be: texts by date, columns, or records by their ids."""
    if (pairs := pairs_of(value)) is not None and "text" not in value:
        yield [{"date": day, "text": text} for day, text in pairs]
    if (rows := records_of(value)) is not None:
        yield [flatten(row) for row in rows]
    if len(inner) > 1 and all(isinstance(one, dict) for one in inner):
        yield [{"id": key, **flatten(one)} for key, one in value.items()]


def _answers(values: list[Any]) -> list[Any]:
    """Of a conversation, what the model said and not what it was asked or thought."""
    rows = [one for one in values if isinstance(one, dict)]
    said = [row for row in rows if row.get("role") in _SPEAKERS]
    texts = [row for row in rows if row.get("type") == "text"]
    return said or texts or values


def _length_of_texts(rows: Sequence[Record]) -> int:
    """How much text the field has that has most of it."""
    return max(map(length_of_texts, columns_of(rows).values()), default=0)


def length_of_texts(values: Sequence[Any]) -> int:
    """How much text these values are: texts, or lists of sentences."""
    return sum(len(text) for one in values for text in _texts(one))


def _texts(value: Any) -> list[str]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    return [value] if isinstance(value, str) else []
