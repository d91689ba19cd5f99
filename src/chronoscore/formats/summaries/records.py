"""JSON and JSON Lines records: one topic each, its output and its references together.

A record is ``{"id": …, "system": text, "references": [text, …]}``. A text is a string
whose lines are its sentences, or a list of sentences. `id` may be left out (the record's
number is taken), and so may `system` or `references` where another file has them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from chronoscore.core import Summary
from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_lines, read_text
from chronoscore.formats.io.layout import is_json_lines_file

SummaryText: TypeAlias = str | list[str]

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a decoder says to JSON that it cannot read: wrong, not UTF-8, or nested too deeply."""


class RecordFields(msgspec.Struct):
    """What a record may hold; other keys are ignored."""

    id: str | int | None = None
    system: SummaryText | None = None
    references: str | list[SummaryText] | None = None


@dataclass(frozen=True)
class Record:
    """One topic as a record gives it."""

    topic: str
    system: Summary | None
    references: tuple[Summary, ...]


def load(path: Path) -> list[Record]:
    """Read a JSON array or JSON Lines of records."""
    records: list[Record] = []
    seen: dict[str, str] = {}
    for where, value in read_json_records(path):
        fields = convert_record(where, value)
        topic = str(len(records) + 1) if fields.id is None else str(fields.id)
        if topic in seen:
            raise repeated_id(topic, seen[topic], where)
        seen[topic] = where
        if fields.system is None and fields.references is None:
            keys = ", ".join(map(repr, value)) or "nothing"
            raise DataError(
                f"the record has neither 'system' nor 'references', only {keys}; add one of them, "
                "or write the text as a plain file",
                place=where,
            )
        system = None if fields.system is None else Summary.of(fields.system)
        records.append(Record(topic, system, _references_of(where, fields.references)))
    return records


def repeated_id(topic: str, first: str, place: str) -> DataError:
    """The refusal of an id that an earlier record has."""
    return DataError(
        f"id '{topic}' is a duplicate of {first}; make ids unique, with a file for each system, "
        "and a folder for each run of a system (a/run-1, a/run-2)",
        place=place,
    )


def _references_of(where: str, given: str | list[SummaryText] | None) -> tuple[Summary, ...]:
    """Take one reference or several."""
    if given is None:
        return ()
    several = [given] if isinstance(given, str) else given
    if not several:
        raise DataError("the set of references is empty; give at least one", place=where)
    return tuple(Summary.of(text, author=str(n)) for n, text in enumerate(several, 1))


def convert_record(where: str, value: Any) -> RecordFields:
    """Check a record's fields."""
    try:
        return msgspec.convert(value, RecordFields)
    except msgspec.ValidationError as error:
        raise DataError(
            f"{describe_json_error(error)}; "
            'write {"id": "…", "system": "…", "references": ["…"]}',
            place=where,
        ) from None


def read_json_records(path: Path) -> Iterator[tuple[str, Any]]:
    """Each JSON value of the file, with the place to name when it is wrong."""
    if is_json_lines_file(path):
        for number, line in enumerate(read_lines(path), 1):
            if line.strip():
                yield f"{path}:{number}", _decode(f"{path}:{number}", line)
        return
    whole = _decode(str(path), read_text(path))
    for number, value in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"{path}: record {number}", value


def _decode(where: str, text: str) -> Any:
    """Decode strictly: nan and infinity are not JSON."""
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except UNREADABLE as error:
        raise DataError(
            f"{describe_json_error(error)}; fix the JSON", reason="json", place=where
        ) from None


def describe_json_error(error: Exception) -> str:
    """What a decoder says of JSON, in the form of our messages."""
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    # Backticks are for parameters.
    text = str(error).replace("`", "'").rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
