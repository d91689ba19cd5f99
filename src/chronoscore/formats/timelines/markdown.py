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

from chronoscore.errors import DataError
from chronoscore.formats.timelines import csv_rows
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format, detect_format
from chronoscore.formats.timelines.markdown_dates import line_date
from chronoscore.formats.timelines.markdown_drafts import Drafts
from chronoscore.formats.timelines.markdown_lines import (
    MarkdownLine,
    escape_marks,
    hide_start,
    lines_of,
)
from chronoscore.formats.timelines.shapes import is_entry, is_pair


def read(content: Content) -> list[LabeledTimeline]:
    """Read a document; one without any dated entry is refused.

    Sentences that merely begin with a date count only where there is no list, table or
    heading with dates; beside these they are introductions.
    """
    notes, before = content.notes, len(content.notes)
    lines = list(_classify_lines(content))
    fences = [line for line in lines if line.kind == "fence" and "".join(line.inside).strip()]
    for prose in (False, True):
        del notes[before:]
        entries = content.entries()
        for fence in fences:
            _read_fence(fence, content, entries)
        drafts = Drafts(entries, prose=prose)
        drafts.take([line for line in lines if line.kind != "fence"])
        finished = list(drafts.finish())
        if finished or fences:
            break
    else:
        known = ", ".join(form.title for form in content.formats)
        entries.refuse(f"holds no dated entry; known formats are {known}", None)
    for draft in finished:
        if draft.guess:
            entries.note("guessed", draft.guess, draft.line)
        entries.add(draft.when, draft.sentences, draft.line)
    notes[before:] = sorted(notes[before:], key=lambda note: note.line or 0)
    return [LabeledTimeline(entries.timeline())]


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """A list with an item for each date, and items below it where it has several sentences."""
    (labeled,) = timelines
    lines: list[str] = []
    for entry in labeled.timeline:
        texts = [_protect(sentence) for sentence in clean_sentences(entry.sentences)]
        if len(texts) == 1:
            lines.append(f"- **{entry.when}**: {texts[0]}")
        else:
            lines.append(f"- **{entry.when}**" + (":" if texts else ""))
            lines.extend(f"  - {text}" for text in texts)
    return "".join(f"{line}\n" for line in lines)


def _protect(sentence: str) -> str:
    """Escape marks, and hide a beginning that would be read as a mark or another date."""
    try:
        opens = line_date(sentence, "2000") is not None
    except DataError:
        opens = True
    return hide_start(sentence) if opens or not sentence[0].isalnum() else escape_marks(sentence)


def _classify_lines(content: Content) -> Iterator[MarkdownLine]:
    """The lines by kind, with bare JSON or CSV as if it stood in a fence."""
    lines = content.lines
    fenced = any(line.lstrip().startswith(("```", "~~~")) for line in lines)
    data = None if fenced else _bare_json(lines) or _bare_csv(lines)
    if data is None:
        yield from _inline_fences(lines, content)
        return
    label, start, end = data
    yield from _inline_fences(lines[:start], content)
    yield MarkdownLine(start, "fence", label, inside=tuple(lines[start:end]))
    yield from _inline_fences(lines[end:], content, end)


def _inline_fences(
    lines: Sequence[str], content: Content, offset: int = 0
) -> Iterator[MarkdownLine]:
    """Lines with the content of fences that hold Markdown in their place."""
    for line in lines_of(lines):
        moved = replace(line, number=line.number + offset)
        if line.kind == "fence" and not _fence_format(line, content):
            yield from _inline_fences(line.inside, content, moved.number)
        else:
            yield moved


def _fence_format(fence: MarkdownLine, content: Content) -> Format | None:
    """The data format of a fence, by its label or detected from the content."""
    data = [form for form in content.formats if form.several]
    label = fence.text.split()[0] if fence.text else ""
    labeled = (form for form in data if label == form.name or f".{label}" in form.endings)
    return next(labeled, None) or detect_format("\n".join(fence.inside), data)


def _read_fence(fence: MarkdownLine, content: Content, entries: Entries) -> None:
    form = _fence_format(fence, content)
    assert form is not None
    inside = content.part("\n".join(fence.inside), first_line=fence.number + 1)
    for labeled in form.read(inside):
        entries.add_timeline(labeled.timeline, fence.number)


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


MARKDOWN = Format(
    name="markdown",
    title="Markdown",
    endings=(".md", ".markdown"),
    read=read,
    write=write,
    detect=lambda _text: True,
)
"""Detects every text as its own, so it comes last in the table."""
