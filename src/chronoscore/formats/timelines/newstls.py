"""news-tls: JSON Lines, a timeline a line, as a list of ``[time, [sentence, …]]`` pairs.

::

    [["2010-05-06T00:00:00", ["A dome is lowered.", "It fails."]]]
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from chronoscore.core import Timeline, When
from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_lines, write_text
from chronoscore.formats.io.json_values import decoded
from chronoscore.formats.io.notes import Note, warn
from chronoscore.formats.timelines.entries import Held, Repeated, cleaned
from chronoscore.formats.timelines.json_shapes import Reader, is_pair


def load(path: Path, *, repeated: Repeated = "merge") -> list[Timeline]:
    """Read the timelines of a file, each from its line; merged dates are told by a warning."""
    notes: list[Note] = []
    found = read(read_lines(path), str(path), repeated=repeated, notes=notes)
    warn(notes)
    return [held.timeline for held in found]


def read(
    lines: Sequence[str], place: str, *, repeated: Repeated = "merge", notes: list[Note]
) -> list[Held]:
    """Take a file's lines; anything but lists of pairs is refused."""
    for number, line in enumerate(lines, 1):
        value = decoded(line, place, first_line=number) if line.strip() else []
        if not isinstance(value, list) or not all(is_pair(pair) for pair in value):
            raise DataError(
                f"{place}:{number}: is no list of [time, sentences] pairs; "
                'write [["2010-06-03T00:00:00", ["…"]], …]'
            )
    return Reader(place, repeated=repeated, notes=notes).read_lines(lines)


def save(timelines: Iterable[Timeline], path: Path) -> None:
    """Write timelines, each on its line."""
    write_text(path, written(timelines))


def written(timelines: Iterable[Timeline]) -> str:
    """The file's text. news-tls itself knows only days; coarser dates are written as they are."""
    return "".join(
        json.dumps([[_time(e.when), cleaned(e.sentences)] for e in timeline], ensure_ascii=False)
        + "\n"
        for timeline in timelines
    )


def _time(when: When) -> str:
    return f"{when}T00:00:00" if when.grain == "day" and when.first > 0 else str(when)
