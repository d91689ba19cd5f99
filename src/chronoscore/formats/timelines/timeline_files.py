"""Timelines in any of our formats: the one way in, and the one way out.

The format follows from the file's ending; where the ending says nothing (`.txt`), it is detected
from the content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chronoscore import lazy
from chronoscore.core import Timeline
from chronoscore.dates import day_order, folding, numbers
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.io.files import JUDGEMENTS, read_lines, read_text, write_text
from chronoscore.formats.io.notes import Note, sum_up, warn_of_notes
from chronoscore.formats.io.opened import open_once
from chronoscore.formats.timelines import markdown, registry
from chronoscore.formats.timelines.entries import LabeledTimeline, Repeated
from chronoscore.formats.timelines.format import Content, Format

_ITEM = lazy.pattern(r"\s*(?:[-*+•#|]|\d+[.)]\s|\d{4}-\d\d)")
"""How the lines of lists, tables and headings begin."""


@dataclass(frozen=True, slots=True)
class TimelineFile:
    """The timelines of a file, the format they were in, and the notes on them."""

    timelines: list[LabeledTimeline]
    format: str
    notes: list[Note] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """How many entries were read, and which lines should have been one."""
        return sum_up(sum(len(labeled.timeline) for labeled in self.timelines), self.notes)


def load(
    path: Path, *, repeated: Repeated = "merge", form: str | None = None, author: str = ""
) -> Timeline:
    """Read the one timeline of a file, warning of what was dropped, guessed or merged.

    >>> load(Path("answer.md"))  # doctest: +SKIP
    """
    timelines = load_all(path, repeated=repeated, form=form)
    if len(timelines) != 1:
        raise DataError(
            f"holds {len(timelines)} timelines where one is wanted; "
            "read it with load_all or give its collection",
            place=path,
        )
    return Timeline(timelines[0].entries, author or timelines[0].author)


def load_all(
    path: Path, *, repeated: Repeated = "merge", form: str | None = None
) -> list[Timeline]:
    """Read all timelines of a file, warning of what was dropped, guessed or merged."""
    file = read(path, repeated=repeated, form=form)
    warn_of_notes(file.notes)
    return [labeled.timeline for labeled in file.timelines]


def read(
    path: Path,
    *,
    repeated: Repeated = "merge",
    form: str | None = None,
    first_days: bool = False,
) -> TimelineFile:
    """Read a file and return its notes instead of warning.

    A file without any text is an empty timeline, which is scored as such. With `first_days`
    months, years and the like are read as their first day.
    """
    chosen = registry.find(form) if form else registry.of_path(path)
    if _is_blank(path):
        note = Note(str(path), None, "empty", "is empty; it is taken as a timeline without entries")
        empty = LabeledTimeline(Timeline.empty())
        return TimelineFile([empty], chosen.name if chosen else "tilse", [note])
    # A whole collection may stand on the one line of a JSON file; other lines are sentences.
    text = read_text(path) if chosen and chosen.name == "json" else "\n".join(read_lines(path))
    name = chosen.name if chosen else None
    return read_timeline_text(text, str(path), repeated=repeated, form=name, first_days=first_days)


def holds_timeline(path: Path) -> bool:
    """Whether a file holds a timeline rather than plain text."""
    try:
        return is_timeline_text(read_text(path), registry.of_path(path))
    except DataError:
        return False


def is_timeline_text(text: str, form: Format | None = None) -> bool:
    """Whether a text holds a timeline rather than sentences.

    In text that may be Markdown dates also have to be labels, as in lists, tables and headings,
    because the sentences of a summary may state dates too. Blocks between lines of dashes, the
    first of which begins with something like a date, are a timeline even if its reader refuses it.
    """
    form = form or registry.detect(text) or registry.find("markdown")
    if form.name == "tilse":
        first = text.strip().partition("\n")[0]
        return len(first.split()) <= 5 and numbers.looks_dated(first)
    try:
        if form.name == "markdown" and not _has_items(text.split("\n")):
            with folding.assume(text):
                return markdown.has_date_labels(Content(text, "", order=day_order.of_text(text)))
        return any(
            len(one.timeline) for one in read_timeline_text(text, "", form=form.name).timelines
        )
    except DataError:
        return False


def _has_items(lines: Sequence[str]) -> bool:
    """Whether most lines are those of lists, tables and headings."""
    full = [line for line in lines if line.strip()]
    return 2 * sum(_ITEM.match(line) is not None for line in full) >= len(full)


def read_timeline_text(
    text: str,
    place: str,
    *,
    repeated: Repeated = "merge",
    form: str | None = None,
    first_days: bool = False,
) -> TimelineFile:
    """Read a text that came from anywhere; `place` names it in errors and notes."""
    if f'"{JUDGEMENTS}"' in text.partition("\n")[0]:
        raise DataError("holds judgements, no timeline; name a file of timelines", place=place)
    chosen = registry.find(form) if form else registry.detect(text) or registry.find("markdown")
    content = Content(
        text,
        place,
        repeated=repeated,
        order=day_order.of_text(text),
        first_days=first_days,
    )
    with folding.assume(text):
        timelines = chosen.read(content)
    for labeled in timelines:
        if not len(labeled.timeline):
            content.note("empty", "holds a timeline without entries", None)
    return TimelineFile(timelines, chosen.name, content.notes)


def save(
    timeline: Timeline | Sequence[LabeledTimeline], path: Path, form: str | None = None
) -> None:
    """Write one timeline, or several where the format can hold them."""
    chosen = registry.find(form) if form else registry.of_path(path)
    write_text(path, write_timeline_text(timeline, chosen.name if chosen else "tilse"))


def write_timeline_text(timeline: Timeline | Sequence[LabeledTimeline], form: str) -> str:
    """The text of a file in a format."""
    timelines = [LabeledTimeline(timeline)] if isinstance(timeline, Timeline) else list(timeline)
    chosen = registry.find(form)
    if len(timelines) != 1 and not chosen.several:
        several = sorted(other.name for other in registry.built_in() if other.several)
        raise UsageError(
            f"{form} holds one timeline and there are {len(timelines)}; "
            f"write a directory or one of {', '.join(several)}"
        )
    if chosen.days_only:
        _refuse_coarse_dates(timelines, chosen)
    return chosen.write(timelines)


def _refuse_coarse_dates(timelines: Sequence[LabeledTimeline], form: Format) -> None:
    """Refuse dates coarser than days, which a format cannot write."""
    for labeled in timelines:
        for entry in labeled.timeline:
            if entry.when.grain != "day":
                raise DataError(
                    f"{form.title} has only days and entry {entry.when} is a {entry.when.grain}; "
                    "write another format"
                )


def _is_blank(path: Path) -> bool:
    """Whether a file is empty; only a small file can be."""
    if not path.is_file() or path.suffix == ".gz" or path.stat().st_size >= 4096:
        return False
    with open_once(path) as file:
        return not file.read().strip()
