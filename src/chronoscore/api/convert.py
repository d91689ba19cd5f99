"""Convert timelines between formats and layouts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import get_args

from chronoscore.data.values import as_path, expand_path_pattern
from chronoscore.dates import day_order
from chronoscore.errors import UsageError, check_choice, check_text
from chronoscore.formats.io.files import write_text
from chronoscore.formats.io.notes import Note, sum_up
from chronoscore.formats.timelines import conversion, fields, registry, timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline, Repeated
from chronoscore.options import DateOrder, check_columns
from chronoscore.progress import track


@dataclass(frozen=True)
class Conversion:
    """Timelines that were read, ready to be written in another format."""

    timelines: tuple[LabeledTimeline, ...]
    """Each timeline with its topic and its role, where the source tells them."""
    notes: tuple[Note, ...]
    """What was dropped, guessed or merged, with its line."""
    several: bool
    """Whether the source may hold more than one timeline."""

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return sum(len(labeled.timeline) for labeled in self.timelines)

    @property
    def guesses(self) -> int:
        """How many things were guessed."""
        return sum(note.kind == "guessed" for note in self.notes)

    @property
    def losses(self) -> tuple[Note, ...]:
        """The notes on lines that were meant as entries and could not be read."""
        return tuple(note for note in self.notes if note.lost)

    @property
    def summary(self) -> str:
        """How many entries were read, and which lines should have been one."""
        return sum_up(self.entries, self.notes)

    def text(self, to: str | None = None) -> str:
        """All timelines in one text; JSON Lines by default if there may be several, else tilse."""
        check_text("format", to)
        form = to or ("jsonl" if self.several else "tilse")
        return timeline_files.write_timeline_text(self.timelines, form)

    def save(self, output: str | PathLike[str], to: str | None = None) -> None:
        """Write a file, whose ending may name the format, or a folder with a file per topic."""
        place = as_path(output, "file or folder")
        if place.suffix == ".gz":
            raise UsageError("archives are not written; leave .gz out", place=place)
        check_text("format", to)
        form = to or _format_named_by(place)
        if place.is_dir() or (self.several and _format_named_by(place) is None):
            texts = conversion.lay_out_timeline_files(self.timelines, to or "tilse")
            for name, text in track("writing", texts.items(), len(texts)):
                write_text(place / name, text)
            return
        if form is None:
            raise UsageError("the ending names no known format; name one with `to`", place=place)
        write_text(place, self.text(form))


def _format_named_by(path: Path) -> str | None:
    """The format that the ending of a file to be written names."""
    if path.suffix == ".txt":
        return "tilse"
    form = registry.of_path(path)
    return form.name if form else None


def convert(
    source: str | PathLike[str] | bytes,
    *,
    read: str | None = None,
    repeated: Repeated = "merge",
    date_order: DateOrder | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
) -> Conversion:
    """Read timelines from a file, a collection's or run's folder, or bytes.

    `read` names the format, which is otherwise detected from the content. `repeated` says
    what becomes of a date with two blocks: both are merged, or the last one counts.
    `date_order` says what comes first in 03/06/2010, "day" or "month", where no other date of
    the same file shows it. `columns` names keys or columns where their values do not tell, as in
    `{"date": "ts", "text": "headline"}`.
    """
    check_text("format", read)
    check_choice(repeated, get_args(Repeated), "repeated")
    if date_order is not None:
        check_choice(date_order, get_args(DateOrder), "date_order")
    check_columns(columns)
    with day_order.assume(date_order), fields.use_named(fields.Named.of(columns)):
        if isinstance(source, bytes):
            reading = conversion.read_piped(source, "standard input", form=read, repeated=repeated)
            folder = False
        else:
            (path, *_) = expand_path_pattern(as_path(source, "file of timelines"))
            reading = conversion.read_timelines_of_path(path, form=read, repeated=repeated)
            folder = path.is_dir()
    several = folder or len(reading.timelines) != 1
    return Conversion(tuple(reading.timelines), tuple(reading.notes), several)
