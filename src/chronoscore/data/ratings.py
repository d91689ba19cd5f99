"""Scores and ratings in long form, from files, results, data frames or records."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from chronoscore.core import Rating
from chronoscore.data.frames import column_names, frame_records, is_data_frame
from chronoscore.data.values import are_paths, as_list, as_paths
from chronoscore.errors import DataError, WrongTypeError, describe_type
from chronoscore.formats.judgements import ratings as files
from chronoscore.formats.judgements.ratings import Figure, RatingCells

LongTable: TypeAlias = Any
"""Paths, a result, a data frame or records, with a number in each row."""


def as_scores(given: LongTable) -> list[Figure]:
    """Scores: system, topic, measure, part, value."""
    if are_paths(given):
        return files.load_scores(as_paths(given, "file of scores"))
    return files.refuse_duplicate_ratings(list(files.read_scores(_cells_of(given, "scores"))))


def as_ratings(given: LongTable) -> list[Figure]:
    """Ratings: system, topic, rating, value, human."""
    if are_paths(given):
        return files.load_ratings(as_paths(given, "file of ratings"))
    if isinstance(given, list | tuple) and given and all(isinstance(r, Rating) for r in given):
        return files.average_ratings([Figure.of(rating) for rating in given])
    return files.average_ratings(list(files.read_ratings(_cells_of(given, "ratings"))))


def _cells_of(given: LongTable, what: str) -> Iterator[tuple[str, RatingCells]]:
    """Each record with the place to name when it is wrong."""
    if not is_data_frame(given) and hasattr(given, "rows"):
        given = [*given.rows()]
    if not is_data_frame(given):
        raise WrongTypeError(
            f"{what}: {describe_type(given)} is not a table; give paths, records or a data frame"
        )
    if isinstance(given, list | tuple):
        yield from ((f"{what}, row {number}", row) for number, row in enumerate(given, 1))
        return
    empty = True
    for row in frame_records(given, column_names(given), what=what):
        empty = False
        yield row
    if empty:
        raise DataError(f"{what}: the frame has no rows; fill it")


def as_names(what: str, given: Any) -> list[str]:
    """One name or several as a list."""
    names = as_list(given)
    for one in names:
        if not isinstance(one, str):
            raise WrongTypeError(f"{what}: {describe_type(one)} is not text; give names")
    return names
