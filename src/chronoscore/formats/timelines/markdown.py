"""Timelines as language models and people write them in Markdown.

Dated list items, numbered or not, tables, headings with text below, dates in bold alone on a
line, "date: text" lines, JSON or CSV in a code fence, and, where there is nothing else,
sentences that begin with a date are all read; everything that belongs to no date is dropped
and noted with its line. A date range counts from its first day, "early May 2010" is the
month, and a year that is not there comes from the heading or the entry before: each is noted
as guessed. What we write is a list::

    - **2010-05-06**: A dome is lowered.
    - **2010-05-26**:
      - BP begins.
      - It fails.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_lines, write_text
from chronoscore.formats.io.json_values import is_json
from chronoscore.formats.io.notes import warn
from chronoscore.formats.timelines import csv_rows
from chronoscore.formats.timelines.entries import Entries, cleaned
from chronoscore.formats.timelines.json_shapes import Reader, is_entry, is_pair
from chronoscore.formats.timelines.markdown_dates import dated
from chronoscore.formats.timelines.markdown_drafts import Drafts
from chronoscore.formats.timelines.markdown_lines import Line, lines_of
from chronoscore.formats.timelines.markdown_text import escaped, hidden

_DATA = {"json": "json", "jsonl": "jsonl", "csv": "csv", "tsv": "csv"}


def load(path: Path, *, author: str = "") -> Timeline:
    """Read a timeline, warning of what was dropped and guessed."""
    entries = Entries(str(path))
    read(read_lines(path), entries)
    warn(entries.notes)
    return entries.timeline(author)


def read(lines: Sequence[str], entries: Entries) -> None:
    """Take a document's lines; one without any dated entry is refused.

    Sentences that merely begin with a date count only where there is no list, table or
    heading with dates; beside these they are introductions.
    """
    known = len(entries.notes)
    found = list(_sorted_lines(lines))
    for prose in (False, True):
        del entries.notes[known:]
        drafts = Drafts(entries, prose=prose)
        read_data = [line for line in found if line.kind == "fence" and _take_data(line, entries)]
        drafts.take([line for line in found if line.kind != "fence"])
        finished = list(drafts.finished())
        if finished or read_data:
            break
    else:
        entries.refuse(
            "holds no dated entry; known are tilse, news-tls, JSON, CSV, TSV and Markdown", None
        )
    for draft in finished:
        if draft.guess:
            entries.note("guessed", draft.guess, draft.line)
        entries.add(draft.when, draft.sentences, draft.line)
    entries.notes[known:] = sorted(entries.notes[known:], key=lambda note: note.line or 0)


def save(timeline: Timeline, path: Path) -> None:
    """Write a timeline as a list."""
    write_text(path, written(timeline))


def written(timeline: Timeline) -> str:
    """A list with an item for each date, and items below it where it has several sentences."""
    lines: list[str] = []
    for entry in timeline:
        texts = [_protected(sentence) for sentence in cleaned(entry.sentences)]
        if len(texts) == 1:
            lines.append(f"- **{entry.when}**: {texts[0]}")
        else:
            lines.append(f"- **{entry.when}**" + (":" if texts else ""))
            lines.extend(f"  - {text}" for text in texts)
    return "".join(f"{line}\n" for line in lines)


def _protected(sentence: str) -> str:
    """Escape marks, and hide a beginning that would be read as a mark or another date."""
    try:
        opens = dated(sentence, "2000") is not None
    except DataError:
        opens = True
    return hidden(sentence) if opens or not sentence[0].isalnum() else escaped(sentence)


def _sorted_lines(lines: Sequence[str]) -> Iterator[Line]:
    """The lines by kind, with bare JSON or CSV as if it stood in a fence."""
    fenced = any(line.lstrip().startswith(("```", "~~~")) for line in lines)
    found = None if fenced else _bare_json(lines) or _bare_csv(lines)
    if found is None:
        yield from _inlined(lines)
        return
    label, start, end = found
    yield from _inlined(lines[:start])
    yield Line(start, "fence", label, inside=tuple(lines[start:end]))
    yield from _inlined(lines[end:], end)


def _inlined(lines: Sequence[str], offset: int = 0) -> Iterator[Line]:
    """Lines with the content of fences that hold Markdown in their place."""
    for line in lines_of(lines):
        moved = replace(line, number=line.number + offset)
        if line.kind == "fence" and not _data_kind(line):
            yield from _inlined(line.inside, moved.number)
        else:
            yield moved


def _data_kind(fence: Line) -> str:
    """What a fence holds, by its label or by a look: json, jsonl, csv, or text of ours."""
    label = fence.text.split()[0] if fence.text else ""
    if label in _DATA:
        return _DATA[label]
    first = next((line.strip() for line in fence.inside if line.strip()), "")
    if first[:1] in ("[", "{") and (is_json("\n".join(fence.inside)) or _is_lines(fence.inside)):
        return "json"
    return ""


def _take_data(fence: Line, entries: Entries) -> bool:
    """Read a fence of JSON or CSV into the entries."""
    text = "\n".join(fence.inside)
    if not text.strip():
        return False
    first = fence.number + 1
    if _data_kind(fence) == "csv":
        found = csv_rows.read(text, entries.place, notes=entries.notes, first_line=first)
    else:
        reader = Reader(entries.place, repeated=entries.repeated, notes=entries.notes)
        lines = [""] * fence.number + list(fence.inside)
        one = _data_kind(fence) == "json" and not _is_lines(fence.inside)
        found = reader.read(text, first_line=first) if one else reader.read_lines(lines)
    for held in found:
        entries.take(held.timeline, fence.number)
    return True


def _is_lines(lines: Sequence[str]) -> bool:
    """Whether each of several lines is a JSON value of its own."""
    values = [line for line in lines if line.strip()]
    return len(values) > 1 and all(is_json(line) for line in values)


def _bare_csv(lines: Sequence[str]) -> tuple[str, int, int] | None:
    """From where to where CSV with its heading stands bare between the lines of an answer."""
    for place, line in enumerate(lines[:-1]):
        if csv_rows.is_heading(line) and "|" not in line:
            rest = range(place, len(lines))
            return "csv", place, next((n for n in rest if not lines[n].strip()), len(lines))
    return None


def _bare_json(lines: Sequence[str]) -> tuple[str, int, int] | None:
    """From where to where JSON stands bare between the lines of an answer."""
    for place, line in enumerate(lines):
        if not line.strip().startswith(("[{", "[[", "{")) and line.strip() != "[":
            continue
        rest = "\n".join(lines[place:])
        blank = len(rest) - len(rest.lstrip())
        try:
            value, end = json.JSONDecoder().raw_decode(rest, blank)
        except (ValueError, RecursionError):
            continue
        first = value[0] if isinstance(value, list) and value else value
        if is_entry(first) or is_pair(first) or isinstance(value, dict):
            return "json", place, place + rest.count("\n", 0, end) + 1
    return None
