"""Scores and ratings in long form: one number a row, said of a system, maybe on a topic.

Scores are what `chronoscore score -f jsonl` (or `csv`, `json`) writes::

    system,topic,measure,part,value
    careful,dam,rouge(n=2),r,0.41

Ratings name a `rating` instead of a measure, and may flag people with `human`::

    system,topic,rating,value,human
    careful,dam,responsiveness,4,0

`topic` may be left out or empty: the number is then of the system as a whole. SummEval's
JSON Lines are read too, as ratings (`expert_annotations`, `turker_annotations`) and as
scores (`metric_scores_…`).
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.core import Rating
from chronoscore.errors import DataError, did_you_mean, number_with_noun, warn
from chronoscore.formats.io.files import read_text
from chronoscore.formats.io.layout import is_json
from chronoscore.formats.judgements import summeval
from chronoscore.formats.summaries.records import read_json_records

RatingCells: TypeAlias = Mapping[str, Any]
Records: TypeAlias = Iterable[tuple[str, RatingCells]]
"""Rows of a table, each with the place to name when it is wrong."""

DELIMITERS = (",", ";", "\t")
FLAGS = {
    **dict.fromkeys(("1", "true", "yes", "1.0"), True),
    **dict.fromkeys(("", "0", "false", "no", "0.0"), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number said of a system: by a measure's part, or by people under a rating's name."""

    system: str
    topic: str
    name: str
    part: str = ""
    value: float
    human: bool = False
    where: str = ""
    """The file and line that it comes from, to be named when it is at fault."""

    @classmethod
    def of(cls, rating: Rating) -> "Figure":
        """A rating that was made in Python and not read from a file."""
        return cls(
            system=rating.system,
            topic=rating.topic,
            name=rating.rating,
            value=rating.value,
            human=rating.human,
            where=f"rating '{rating.rating}' of '{rating.system}'",
        )


Read: TypeAlias = Callable[[Records], Iterator[Figure]]


def load_scores(paths: Sequence[Path]) -> list[Figure]:
    """Read scores; an empty value is an undefined score, nan."""
    return refuse_duplicate_ratings(list(_require_rows(paths, read_scores)))


def load_ratings(paths: Sequence[Path]) -> list[Figure]:
    """Read ratings; our own scores may serve as ratings, such as those of a pyramid.

    Several ratings of one thing, as of several annotators, are averaged, with a warning.
    """
    return average_ratings(list(_require_rows(paths, read_ratings)))


def _require_rows(paths: Sequence[Path], read: Read) -> Iterator[Figure]:
    """The figures of all files; one without any is refused."""
    for path in paths:
        found = list(read(read_rows_of_ratings_file(path)))
        if not found:
            raise DataError("holds no row; fill it or leave it out", place=path)
        yield from found


def read_scores(records: Records) -> Iterator[Figure]:
    """The scores of some records."""
    for where, cells in records:
        if summeval.is_summeval_record(cells):
            for name, part, value in summeval.read_summeval_scores(where, cells):
                yield _read_figure(
                    where, summeval.rename_summeval_columns(cells), name, part, value
                )
            continue
        _require_column(where, cells, ("system", "measure", "value"))
        value = rating_cell_number(where, cells["value"], missing=True)
        yield _read_figure(
            where,
            cells,
            _required_cell(where, cells, "measure"),
            optional_rating_cell(cells, "part"),
            value,
        )


def read_ratings(records: Records) -> Iterator[Figure]:
    """The ratings of some records: one in each row, or a column for each."""
    records = list(records)
    columns = find_rating_columns(records)
    for where, cells in records:
        if columns and is_wide(cells):
            for name in columns:
                if optional_rating_cell(cells, name):
                    value = rating_cell_number(where, cells[name], column=name)
                    yield _read_figure(where, cells, name, "", value)
            continue
        if summeval.is_summeval_record(cells):
            for name, value in summeval.read_summeval_ratings(where, cells):
                yield _read_figure(where, summeval.rename_summeval_columns(cells), name, "", value)
            continue
        named = "rating" if "rating" in cells or "measure" not in cells else "measure"
        _require_column(where, cells, ("system", named, "value"))
        value = rating_cell_number(where, cells["value"], missing=named == "measure")
        part = optional_rating_cell(cells, "part") if named == "measure" else ""
        name = _required_cell(where, cells, named) + (f".{part}" if part else "")
        yield _read_figure(where, cells, name, "", value)


ROLES = frozenset({"system", "topic", "human", "part", "id", "index"})
PEOPLE = frozenset({"annotator", "assessor", "coder", "judge", "rater", "worker"})
"""Columns that say who rated; with `_id` or `id` after them, too."""


def is_wide(cells: RatingCells) -> bool:
    """Whether a record may have a column for each rating, be it only one, `rating` or `value`."""
    if "system" not in cells or "measure" in cells or summeval.is_summeval_record(cells):
        return False
    name = optional_rating_cell(cells, "rating")
    return "rating" not in cells or ("value" not in cells and (not name or _is_number(name)))


def find_rating_columns(records: Records) -> list[str]:
    """The columns of a wide table that hold numbers; a word among the numbers is refused."""
    wide = [(where, cells) for where, cells in records if is_wide(cells)]
    found = []
    for name in dict.fromkeys(name for _, cells in wide for name in cells):
        if name in ROLES or name.removesuffix("id").rstrip("_ ") in PEOPLE:
            continue
        held = [(where, cells[name]) for where, cells in wide if optional_rating_cell(cells, name)]
        wrong = [(where, cell) for where, cell in held if not _is_number(cell)]
        if held and 2 * len(wrong) < len(held):
            for where, cell in wrong:
                rating_cell_number(where, cell, column=name)
            found.append(name)
    return found


def _is_number(cell: Any) -> bool:
    """Whether a cell holds a finite number."""
    try:
        return not isinstance(cell, bool) and math.isfinite(float(cell))
    except (TypeError, ValueError):
        return False


def average_ratings(figures: Sequence[Figure]) -> list[Figure]:
    """One figure for each thing that was rated: the mean, where several people rated it."""
    groups: dict[tuple[str, str, str, str], list[Figure]] = {}
    for one in figures:
        groups.setdefault((one.system, one.topic, one.name, one.part), []).append(one)
    several = [group for group in groups.values() if len(group) > 1]
    if several:
        most = max(map(len, several))
        number = f"{most}" if all(len(group) == most for group in several) else f"2 to {most}"
        first = several[0][1]
        warn(
            f"{first.where}: '{first.name}' of system '{first.system}' is rated again; the mean "
            f"of {number} ratings is taken in {number_with_noun(len(several), 'such case')}",
            kind="averaged-ratings",
        )
    return [
        replace(group[0], value=math.fsum(one.value for one in group) / len(group))
        for group in groups.values()
    ]


def _read_figure(where: str, cells: RatingCells, name: str, part: str, value: float) -> Figure:
    """A number with whom it is about."""
    return Figure(
        system=_required_cell(where, cells, "system"),
        topic=optional_rating_cell(cells, "topic"),
        name=name,
        part=part,
        value=value,
        human=_flag_cell(where, cells.get("human")),
        where=where,
    )


def read_rows_of_ratings_file(path: Path) -> Iterator[tuple[str, RatingCells]]:
    """Each record of a file, with the place to name when it is wrong."""
    if not is_json(path):
        yield from _read_csv_rows(path)
        return
    for where, value in read_json_records(path):
        if not isinstance(value, dict):
            raise DataError(
                "is not a record; write an object with 'system' and 'value'", place=where
            )
        yield where, value


def _read_csv_rows(path: Path) -> Iterator[tuple[str, RatingCells]]:
    """The rows of a CSV file under its headings, whatever their case."""
    content = read_text(path)
    first = content.split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(content, newline=""), delimiter=max(DELIMITERS, key=first.count), strict=True
    )
    try:
        headings = [cell.strip().casefold() for cell in next(reader)]
        for cells in reader:
            where = f"{path}:{reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(headings):
                raise DataError(
                    f"row has {len(cells)} cells under {len(headings)} headings; "
                    "quote cells that hold a comma",
                    place=where,
                )
            yield where, {k: cell.strip() for k, cell in zip(headings, cells, strict=True)}
    except csv.Error as error:
        raise DataError(f"{error}; fix the CSV", place=f"{path}:{reader.line_num}") from None


def _require_column(where: str, cells: RatingCells, columns: Iterable[str]) -> None:
    """Refuse a record that lacks a column, with the one that may have been meant."""
    for column in columns:
        if column not in cells:
            raise DataError(
                f"{where}: column '{column}' is missing; {_advise_on_columns(column, cells)}"
                if cells
                else f"{where}: the record is empty; remove it or fill it"
            )


def _advise_on_columns(column: str, cells: RatingCells) -> str:
    """The column that may have been meant, or those that the file has."""
    return did_you_mean(column, cells, "the file has")


def _required_cell(where: str, cells: RatingCells, column: str) -> str:
    """A name, which must be there."""
    found = optional_rating_cell(cells, column)
    if not found:
        raise DataError(f"column '{column}' is empty; name the {column}", place=where)
    return found


def optional_rating_cell(cells: RatingCells, column: str) -> str:
    """A name, or nothing."""
    cell = cells.get(column)
    return "" if cell is None else str(cell).strip()


def rating_cell_number(
    where: str, cell: Any, *, missing: bool = False, column: str = "value"
) -> float:
    """A finite number; nothing is nan where that is allowed."""
    if missing and (cell is None or cell == "" or str(cell).casefold() == "nan"):
        return math.nan
    if cell is None or cell == "":
        raise DataError(
            f"column '{column}' is empty; write a number or leave the row out", place=where
        )
    try:
        found = math.nan if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise DataError(f"column '{column}': '{cell}' is not a number; write one", place=where)
    return found


def _flag_cell(where: str, cell: Any) -> bool:
    """Whether a person is meant; nothing means a machine."""
    said = "" if cell is None else str(cell).strip().casefold()
    if said not in FLAGS:
        raise DataError(f"column 'human': '{cell}' is not a flag; write 1 or 0", place=where)
    return FLAGS[said]


def refuse_duplicate_ratings(figures: Sequence[Figure]) -> list[Figure]:
    """Refuse two numbers for the same thing."""
    seen: dict[tuple[str, str, str, str], str] = {}
    for one in figures:
        key = (one.system, one.topic, one.name, one.part)
        if key in seen:
            topic = f" on topic '{one.topic}'" if one.topic else ""
            part = f".{one.part}" if one.part else ""
            raise DataError(
                f"'{one.name}{part}' of system '{one.system}'{topic} is a "
                f"duplicate of {seen[key]}; keep one row, with the mean of several judges",
                place=one.where,
            )
        seen[key] = one.where
    return list(figures)
