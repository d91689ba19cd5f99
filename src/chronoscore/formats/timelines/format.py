"""What a timeline format is: one record with all that the rest of the program asks of it.

The table of all formats is in `timeline_files`. A new format is a module with a `FORMAT`, and
one line in that table: endings, detection, code fences, `convert` and the tests follow from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from chronoscore.dates.forms import DateOrder
from chronoscore.formats.io.notes import Note
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline, Repeated


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a file, or of a part of one, and what its reader needs to know.

    `place` names it in errors and notes, which count lines from `first_line`. `formats` are
    those that may be found inside, such as JSON in a code fence. `order` tells day from month in
    03/06/2010. A `lenient` reader, as of a model's answer, drops an entry with an impossible date
    and notes it where another one refuses the file. With `first_days` coarse dates become their
    first day before two of one date are merged, or the last one taken.
    """

    text: str
    place: str
    repeated: Repeated = "merge"
    notes: list[Note] = field(default_factory=list)
    first_line: int = 1
    formats: "tuple[Format, ...]" = ()
    order: DateOrder | None = None
    lenient: bool = False
    first_days: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.replace("\r\n", "\n").removesuffix("\n").split("\n")

    def entries(self) -> Entries:
        """An empty set of entries that shares the place and the notes."""
        return Entries(
            self.place,
            repeated=self.repeated,
            notes=self.notes,
            order=self.order,
            first_days=self.first_days,
        )

    def part(self, text: str, *, place: str = "", first_line: int = 1) -> "Content":
        """A text found inside this one, with notes of its own place or of its own lines."""
        return replace(self, text=text, place=place or self.place, first_line=first_line)


@dataclass(frozen=True, slots=True)
class Format:
    """A timeline format.

    `title` is its name in sentences. Files that we write have the first of the `endings`.
    `detect` recognizes a text of unknown format; without it the format has to be named.
    `several` says that a file may hold more than one timeline, with topics and authors; such a
    format is also read in code fences and between the lines of an answer.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    read: Callable[[Content], list[LabeledTimeline]]
    write: Callable[[Sequence[LabeledTimeline]], str]
    detect: Callable[[str], bool] | None = None
    several: bool = False


def detect_format(text: str, formats: Sequence[Format]) -> Format | None:
    """The first format that recognizes a text."""
    return next((form for form in formats if form.detect and form.detect(text)), None)
