"""Timelines in any of our formats: the one way in, and the one way out.

The format is told by the file's ending, and by a look at the content where the ending tells
nothing (`.txt`) or not enough (`.json`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chronoscore.core import Timeline
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.formats.io.files import read_lines, read_text, write_text
from chronoscore.formats.io.json_values import is_json
from chronoscore.formats.io.notes import Note, warn
from chronoscore.formats.timelines import csv_rows, json_shapes, markdown, newstls, tilse
from chronoscore.formats.timelines.entries import Entries, Held, Repeated
from chronoscore.formats.timelines.json_shapes import Reader

ENDINGS = {
    "tilse": ".txt",
    "newstls": ".jsonl",
    "json": ".json",
    "jsonl": ".jsonl",
    "csv": ".csv",
    "tsv": ".tsv",
    "markdown": ".md",
}
"""The formats, and how the names of files that we write in them end."""

FORMATS = tuple(ENDINGS)
SEVERAL = frozenset({"newstls", "json", "jsonl", "csv", "tsv"})
"""The formats that hold several timelines in one file."""

_BY_ENDING = {
    ending: name for name, ending in ENDINGS.items() if name not in ("newstls", "tilse")
} | {
    ".markdown": "markdown",
    ".ndjson": "jsonl",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The timelines of a file, the format they were in, and the notes on them."""

    held: list[Held]
    format: str
    notes: list[Note] = field(default_factory=list)


def load(
    path: Path, *, repeated: Repeated = "merge", form: str | None = None, author: str = ""
) -> Timeline:
    """Read the one timeline of a file, warning of what was dropped, guessed or merged.

    >>> load(Path("answer.md"))  # doctest: +SKIP
    """
    reading = read(path, repeated=repeated, form=form)
    warn(reading.notes)
    if len(reading.held) != 1:
        raise DataError(
            f"{path}: holds {len(reading.held)} timelines where one is wanted; "
            "read it with load_all or give its collection"
        )
    timeline = reading.held[0].timeline
    return Timeline(timeline.entries, author or timeline.author)


def load_all(
    path: Path, *, repeated: Repeated = "merge", form: str | None = None
) -> list[Timeline]:
    """Read all timelines of a file, warning of what was dropped, guessed or merged."""
    reading = read(path, repeated=repeated, form=form)
    warn(reading.notes)
    return [held.timeline for held in reading.held]


def read(path: Path, *, repeated: Repeated = "merge", form: str | None = None) -> Reading:
    """Read a file and return what there is to know about it, without warning.

    A file without any text is an empty timeline, which is scored as such.
    """
    chosen = checked(form) if form else by_ending(path)
    if _blank(path):
        note = Note(str(path), None, "empty", "is empty; it is taken as a timeline without entries")
        return Reading([Held(Timeline.empty())], chosen or "tilse", [note])
    # A whole collection may stand on the one line of a JSON file; other lines are sentences.
    text = read_text(path) if chosen == "json" else "\n".join(read_lines(path))
    return read_content(text, str(path), repeated=repeated, form=chosen)


def read_content(
    text: str, place: str, *, repeated: Repeated = "merge", form: str | None = None
) -> Reading:
    """Read a text that came from anywhere; `place` names it in errors and notes."""
    chosen = checked(form) if form else by_look(text)
    notes: list[Note] = []
    held = _READERS[chosen](text, place, repeated, notes)
    notes.extend(
        Note(place, None, "empty", "holds a timeline without entries")
        for one in held
        if not len(one.timeline)
    )
    return Reading(held, chosen, notes)


def save(timeline: Timeline | Sequence[Held], path: Path, form: str | None = None) -> None:
    """Write one timeline, or several where the format can hold them."""
    chosen = checked(form) if form else by_ending(path) or "tilse"
    write_text(path, written(timeline, chosen))


def written(timeline: Timeline | Sequence[Held], form: str) -> str:
    """The text of a file in this format."""
    held = [Held(timeline)] if isinstance(timeline, Timeline) else list(timeline)
    if len(held) != 1 and checked(form) not in SEVERAL:
        raise UsageError(
            f"{form} holds one timeline and there are {len(held)}; "
            f"write a directory or one of {', '.join(sorted(SEVERAL))}"
        )
    return _WRITERS[checked(form)](held)


def checked(form: str) -> str:
    """A format's name, if it is one."""
    if form not in FORMATS:
        raise UsageError(f"unknown format '{form}'; {did_you_mean(form, FORMATS)}")
    return form


def by_ending(path: Path) -> str | None:
    """The format that a file's name tells; `.txt` tells nothing."""
    name = path.with_suffix("") if path.suffix == ".gz" else path
    return _BY_ENDING.get(name.suffix.lower())


def by_look(text: str) -> str:
    """The format that a text seems to be in; Markdown is what remains."""
    lines = text.split("\n")
    if text.lstrip()[:1] in ("[", "{") and (kind := _json_kind(text, lines)):
        return kind
    if tilse.fits(lines):
        return "tilse"
    if csv_rows.fits(text):
        return "csv"
    return "markdown"


def _json_kind(text: str, lines: Sequence[str]) -> str | None:
    values = [line for line in lines if line.strip()]
    if len(values) > 1 and all(is_json(line) for line in values):
        return "jsonl"
    return "json" if is_json(text) else None


def _blank(path: Path) -> bool:
    """Whether a file is empty; only a small file can be."""
    return (
        path.is_file()
        and path.suffix != ".gz"
        and path.stat().st_size < 4096
        and not path.read_bytes().strip()
    )


def _read_tilse(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    entries = Entries(place, repeated=repeated, notes=notes)
    tilse.read(_lines(text), entries)
    return [Held(entries.timeline())]


def _read_markdown(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    entries = Entries(place, repeated=repeated, notes=notes)
    markdown.read(_lines(text), entries)
    return [Held(entries.timeline())]


def _read_newstls(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    return newstls.read(_lines(text), place, repeated=repeated, notes=notes)


def _read_csv(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    return csv_rows.read(text, place, notes=notes)


def _read_json(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    reader = Reader(place, repeated=repeated, notes=notes, read_text=read_prose)
    if _json_kind(text, lines := _lines(text)) == "jsonl":
        return reader.read_lines(lines)
    return reader.read(text)


def _read_jsonl(text: str, place: str, repeated: Repeated, notes: list[Note]) -> list[Held]:
    return Reader(place, repeated=repeated, notes=notes, read_text=read_prose).read_lines(
        _lines(text)
    )


def read_prose(text: str, entries: Entries) -> None:
    """Read a timeline that somebody put into a JSON string: tilse or Markdown."""
    lines = _lines(text)
    (tilse if tilse.fits(lines) else markdown).read(lines, entries)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


_READERS: dict[str, Callable[[str, str, Repeated, list[Note]], list[Held]]] = {
    "tilse": _read_tilse,
    "newstls": _read_newstls,
    "json": _read_json,
    "jsonl": _read_jsonl,
    "csv": _read_csv,
    "tsv": _read_csv,
    "markdown": _read_markdown,
}
_WRITERS: dict[str, Callable[[Sequence[Held]], str]] = {
    "tilse": lambda held: tilse.written(held[0].timeline),
    "newstls": lambda held: newstls.written(one.timeline for one in held),
    "json": json_shapes.written,
    "jsonl": json_shapes.written_lines,
    "csv": csv_rows.written,
    "tsv": lambda held: csv_rows.written(held, "\t"),
    "markdown": lambda held: markdown.written(held[0].timeline),
}
