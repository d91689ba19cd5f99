"""Runs of CrisisFACTS: facts in a system's own words, by request.

A run is JSON Lines (or an array) of ``{"requestID", "factText", "unixTimestamp", "importance"}``,
packed or not.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from chronoscore.core import Output, Ranking, Run, Selection
from chronoscore.errors import DataError, number_with_noun
from chronoscore.formats.corpora.crisisfacts import kind_of
from chronoscore.formats.io.files import BOM, read_bytes, read_numbered_lines
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.io.notes import Note, warn_of_notes
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error


class RunRow(msgspec.Struct):
    """One fact of a run."""

    requestID: str  # noqa: N815
    factText: str | None  # noqa: N815
    unixTimestamp: float | None = None  # noqa: N815
    importance: float | None = None
    runtag: str = ""


def is_run(path: Path) -> bool:
    """Whether a file holds facts of a run, whatever its name."""
    return kind_of(path) == "run"


def load_runs(path: Path) -> list[Run]:
    """A file's runs as rankings of facts; an empty fact is left out with a note."""
    runs: list[Run] = []
    empty = 0
    for system, requests in read_facts(path).items():
        outputs: dict[str, Output] = {}
        for request, facts in requests.items():
            told = tuple(fact for fact in facts if fact.text.strip())
            empty += len(facts) - len(told)
            if told:
                outputs[request] = Ranking(told)
        runs.append(Run(system, outputs))
    warn_of_notes(note_of_empty_facts(path, empty))
    return runs


def note_of_empty_facts(path: Path, empty: int) -> list[Note]:
    """A note that some facts of a run say nothing, if there are any."""
    text = f"{number_with_noun(empty, 'fact')} without a text; left out"
    return [Note(str(path), None, "empty", text)] if empty else []


def read_facts(path: Path) -> Mapping[str, Mapping[str, list[Selection]]]:
    """The facts of a file by system and request, in the order of the file.

    The file's name is the system's; a file with several tags holds several systems.
    """
    by_tag: dict[str, dict[str, list[Selection]]] = {}
    for row in _read_rows(path):
        text = row.factText or ""
        chosen = Selection("", row.importance or 0.0, row.unixTimestamp, text=text)
        by_tag.setdefault(row.runtag, {}).setdefault(row.requestID, []).append(chosen)
    if len(by_tag) > 1:
        return {tag or bare_name(path): requests for tag, requests in by_tag.items()}
    return {bare_name(path): requests for requests in by_tag.values()}


def _read_rows(path: Path) -> Iterator[RunRow]:
    """The rows of an array or of lines; a wrong one is refused with its place."""
    lines = enumerate(_array_items(path), 1) if _is_array(path) else read_numbered_lines(path)
    # Some systems write numbers in quotes.
    decoder = msgspec.json.Decoder(RunRow, strict=False)
    for number, line in lines:
        written = line.removeprefix(BOM) if number == 1 else line
        if not written.strip():
            continue
        try:
            yield decoder.decode(written)
        except UNREADABLE as error:
            raise DataError(
                f"{describe_json_error(error)}; write requestID, factText, importance",
                place=f"{path}:{number}",
            ) from None


def _is_array(path: Path) -> bool:
    """Whether a file is one JSON array."""
    return next(read_numbered_lines(path))[1].removeprefix(BOM).lstrip()[:1] == b"["


def _array_items(path: Path) -> list[bytes]:
    """The items of an array, not yet decoded."""
    try:
        items = msgspec.json.decode(read_bytes(path).removeprefix(BOM), type=list[msgspec.Raw])
        return [bytes(item) for item in items]
    except UNREADABLE as error:
        raise DataError(f"{describe_json_error(error)}; fix the JSON", place=path) from None
