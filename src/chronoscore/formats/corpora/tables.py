"""Tables with a heading, as shared tasks distribute them: packed or not, by tabs or by blanks."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from chronoscore.errors import DataError, number_with_noun, warn
from chronoscore.formats.io.files import PACKED, text_lines


@dataclass(frozen=True)
class Column:
    """A column by its names, the usual one first, and by its place where no name is known.

    Rows may end before a `last` column. A table may do without an `optional` one, if it has too
    few columns for it; a `spare` one is not missed in any table.
    """

    names: tuple[str, ...]
    place: int
    last: bool = False
    optional: bool = False
    spare: bool = False


def find_table(folder: Path, name: str) -> Path | None:
    """A table of a directory, packed or not."""
    paths = [folder / f"{name}{ending}" for ending in ("", *PACKED)]
    return next((path for path in paths if path.is_file()), None)


def read_table(path: Path, columns: Sequence[Column]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The line and the values of every row; the last column of the heading may hold tabs itself."""
    places: list[int | None] = []
    take: Callable[[Sequence[str]], tuple[str, ...]] = tuple
    width = least = 0
    for line, text in text_lines(path):
        if not places:
            width, places = _read_heading(path, line, text, columns)
            needed = [
                place
                for place, column in zip(places, columns, strict=True)
                if place is not None and not (column.last or column.optional or column.spare)
            ]
            least = 1 + max(needed)
            take = itemgetter(*(-1 if place is None else place for place in places))
            continue
        if not text.strip():
            continue
        fields = text.split("\t") if "\t" in text else text.split(maxsplit=width - 1)
        if len(fields) < least:
            raise DataError(
                f"{number_with_noun(len(fields), 'column')} where the heading has {width}; fix it",
                place=f"{path}:{line}",
            )
        if len(fields) > width:
            fields[width - 1 :] = [" ".join(fields[width - 1 :])]
        # A column that is not there is read from the end, where a row always has a blank cell.
        if len(fields) < width:
            fields += [""] * (width - len(fields))
        fields.append("")
        yield line, take(fields)


def _read_heading(
    path: Path, line: int, text: str, columns: Sequence[Column]
) -> tuple[int, list[int | None]]:
    """How many columns a table has, and where the wanted ones are.

    Names are parted by tabs or by runs of blanks. Where a needed one is missing, columns are
    taken in the usual order if there are enough of them, with a warning.
    """
    end = 1 + max(column.place for column in columns)
    for names in (text.split("\t"), text.split()):
        heading = [re.sub(r"[\s-]+", "_", name.strip().strip("#").casefold()) for name in names]
        places = [
            next((heading.index(name) for name in column.names if name in heading), None)
            for column in columns
        ]
        missing = [
            column
            for column, place in zip(columns, places, strict=True)
            if place is None and not (column.spare or (column.optional and len(heading) < end))
        ]
        if not missing:
            return len(heading), places
    if len(heading) <= max(c.place for c in columns if not (c.last or c.optional)):
        raise DataError(
            f"no column '{missing[0].names[0]}'; the heading must name "
            f"{', '.join(column.names[0] for column in columns)}",
            place=f"{path}:{line}",
        )
    warn(
        f"{path}:{line}: the heading does not name '{missing[0].names[0]}'; "
        "columns are taken in the order of the official scorer",
        kind="missing-heading",
    )
    return max(len(heading), end), [column.place for column in columns]


@dataclass
class RepeatedRows:
    """Rows of a table that were there before: the last counts, and one warning reports them."""

    path: Path
    last_wins: bool = True
    latest: dict[tuple[str, ...], tuple[int, Sequence[str]]] = field(default_factory=dict)
    equal: list[int] = field(default_factory=list)
    unequal: list[tuple[int, int]] = field(default_factory=list)

    def add(self, line: int, key: tuple[str, ...], row: Sequence[str]) -> None:
        """Note a row; its first column is the topic, which may be written in two ways."""
        latest = (line, row)
        before = self.latest.setdefault(key, latest)
        if before is latest:
            return
        self.latest[key] = latest
        if before[1][1:] == row[1:]:
            self.equal.append(line)
        else:
            self.unequal.append((before[0], line))

    def warn(self) -> None:
        """Say what was repeated."""
        if self.equal:
            rows = "1 row repeats" if len(self.equal) == 1 else f"{len(self.equal)} rows repeat"
            warn(
                f"{self.path}:{self.equal[0]}: {rows} an equal one and counts once",
                kind="repeated-rows",
            )
        if self.unequal:
            first, second = self.unequal[0]
            more = f" ({len(self.unequal)} such pairs)" if len(self.unequal) > 1 else ""
            warn(
                f"{self.path}: lines {first} and {second} have the same id and differ; "
                f"the {'last' if self.last_wins else 'first'} one counts{more}",
                kind="repeated-ids",
            )


def parse_number(where: str, what: str, text: str) -> float:
    """A finite number, or an error that names the place."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{what} '{text}' is not a number; write one", place=where)
    return value
