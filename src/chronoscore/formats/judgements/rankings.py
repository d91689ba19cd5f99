"""Rankings as JSON Lines: what systems chose, one selection a line.

A row is ``{"topic": …, "sentence": …, "score": …}``, with `time` (ISO 8601 or seconds since
1970) and `system` where they matter. Instead of a sentence a row may choose an `event` of the
source, or with `start` and `end` only some characters; `text` is the system's own wording.
A judge's file of content units opens with a header, and says where the judge abstained.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import Output, Ranking, Run, Selection
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.io.files import BOM, read_numbered_lines, write_text
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.judgements.rows import drop_nulls_of_judgement_row
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

ABSTENTION = "abstention"
EXAMPLE = '{"topic": "…", "sentence": "…", "score": 0.5}'


class SelectionRow(msgspec.Struct, omit_defaults=True):
    """One line; other keys are ignored."""

    topic: str | int
    sentence: str = ""
    score: float | None = None
    time: str | float | None = None
    system: str = ""
    event: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""
    kind: str = ""
    author: str = ""
    reason: str = ""


def load(path: Path, *, system: str = "") -> list[Run]:
    """Read the runs of a file; rows that name no system belong to `system` or the file's name."""
    name = system or bare_name(path)
    found: dict[tuple[str, str | int], list[Selection]] = {}
    scored: dict[tuple[str, str | int], bool] = {}
    abstained: dict[tuple[str, str | int], list[Selection]] = {}
    for number, row in _read_rows(path):
        key = (row.system or name, row.topic)
        if row.kind == ABSTENTION:
            abstained.setdefault(key, []).append(Selection("", math.nan, event=row.event))
            continue
        if key not in found:
            found[key] = []
            scored[key] = row.score is not None
        try:
            if (row.score is not None) != scored[key]:
                raise DataError(
                    f"some rows of topic '{row.topic}' have a score and some have none; "
                    "give all of them one or none"
                )
            found[key].append(_read_selection(row))
        except DataError as error:
            raise error.at(f"{path}:{number}") from None
    for key, without in abstained.items():
        found.setdefault(key, []).extend(without)
    runs: dict[str, dict[str, Output]] = {}
    for (own, topic), chosen in found.items():
        runs.setdefault(own, {})[str(topic)] = Ranking(tuple(chosen))
    return [Run(own, outputs) for own, outputs in runs.items()]


def _read_rows(path: Path) -> Iterator[tuple[int, SelectionRow]]:
    """Each row with its line, one at a time."""
    decode = _decoder().decode
    empty = True
    for number, line in read_numbered_lines(path):
        written = line.removeprefix(BOM) if number == 1 else line
        if not written.strip():
            continue
        empty = False
        try:
            yield number, decode(written)
        except msgspec.ValidationError as error:
            if number == 1 and _is_header(written):
                continue
            yield number, _decode_loosely(path, number, written, error)
        except UNREADABLE as error:
            message = f"{describe_json_error(error)}; write {EXAMPLE}"
            raise DataError(message, place=f"{path}:{number}") from None
    if empty:
        raise DataError("is empty; fill it or leave it out", place=path)


def _is_header(written: bytes) -> bool:
    """Whether a row only says how the file was made."""
    try:
        row = msgspec.json.decode(written)
    except UNREADABLE:
        return False
    return isinstance(row, dict) and row.get("kind") == "header"


def _decode_loosely(path: Path, number: int, written: bytes, error: Exception) -> SelectionRow:
    """Read a row that leaves fields null or writes ids as numbers."""
    try:
        return msgspec.convert(
            drop_nulls_of_judgement_row(msgspec.json.decode(written)), SelectionRow
        )
    except UNREADABLE:
        raise DataError(
            f"{describe_json_error(error)}; write {EXAMPLE}", place=f"{path}:{number}"
        ) from None


@cache
def _decoder() -> "msgspec.json.Decoder[SelectionRow]":
    """Built once."""
    return msgspec.json.Decoder(SelectionRow)


def _read_selection(row: SelectionRow) -> Selection:
    """What a row chose."""
    if not (row.sentence or row.event or row.text):
        raise DataError("the row chooses nothing; name a sentence, an event or a text")
    if row.start is not None or row.end is not None:
        if row.start is None or row.end is None or not 0 <= row.start < row.end:
            raise DataError(
                f"a span from {row.start} to {row.end} is empty; "
                "count characters from 0, with the end after the start"
            )
        if not row.sentence:
            raise DataError("a span needs its sentence or document; name it")
    time = None if row.time is None else clock.parse_seconds(row.time)
    score = 0.0 if row.score is None else row.score
    return Selection(row.sentence, score, time, row.start, row.end, row.event, row.text)


def save(runs: Sequence[Run], path: Path) -> None:
    """Write runs, each row with its system; scores are written even where all are 0."""
    written = [
        msgspec.json.encode(_row_of(run.system, topic, chosen))
        for run in runs
        for topic, output in _rankings_of(run).items()
        for chosen in output
    ]
    write_text(path, b"".join(line + b"\n" for line in written).decode())


def save_rows(rows: Sequence[SelectionRow], path: Path, settings: dict[str, Any]) -> None:
    """Write a judge's rows under a header that says how they were made."""
    header = {"kind": "header", "format": "chronoscore-rankings", "version": 1}
    lines = [{**header, "settings": settings}, *rows]
    write_text(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines).decode())


def _rankings_of(run: Run) -> Mapping[str, Ranking]:
    """A run's rankings."""
    return {topic: output for topic, output in run.outputs.items() if isinstance(output, Ranking)}


def _row_of(system: str, topic: str, chosen: Selection) -> SelectionRow:
    """A selection as a row."""
    return SelectionRow(
        topic=topic,
        sentence=chosen.sentence,
        score=chosen.score,
        time=None if chosen.time is None else clock.format_seconds(chosen.time),
        system=system,
        event=chosen.event,
        start=chosen.start,
        end=chosen.end,
        text=chosen.text,
    )
