"""Scores and ratings in long form, from files, results, data frames or records."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from chronoscore.api.arguments import text_list
from chronoscore.api.results import Result
from chronoscore.core import Rating
from chronoscore.data.frames import column_names, frame_records, is_data_frame
from chronoscore.data.values import are_paths, as_paths
from chronoscore.errors import DataError, WrongTypeError, describe_type
from chronoscore.formats.judgements import ratings as files
from chronoscore.formats.judgements.ratings import Figure, RatingCells
from chronoscore.scoring import Scores
from chronoscore.stats.score_grid import (
    ScoreGrid,
    pair_scores_with_ratings,
    score_label,
    select_names,
)

LongTable: TypeAlias = Any
"""Paths, a result, a data frame or records, with a number in each row."""


def as_scores(given: LongTable) -> list[Figure]:
    """Scores: system, topic, measure, part, value."""
    if are_paths(given):
        return files.load_scores(as_paths(given, "file of scores"))
    return files.refuse_duplicate_ratings(list(files.read_scores(_cells_of(given, "scores"))))


def _as_ratings(given: LongTable) -> list[Figure]:
    """Ratings: system, topic, rating, value, human."""
    if are_paths(given):
        return files.load_ratings(as_paths(given, "file of ratings"))
    if isinstance(given, list | tuple) and given and all(isinstance(r, Rating) for r in given):
        return files.refuse_duplicate_ratings([Figure.of(rating) for rating in given])
    return files.refuse_duplicate_ratings(list(files.read_ratings(_cells_of(given, "ratings"))))


def _cells_of(given: LongTable, what: str) -> Iterator[tuple[str, RatingCells]]:
    """Each record with the place to name when it is wrong."""
    if isinstance(given, Result | Scores):
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


def pair_rating_arguments(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
) -> ScoreGrid:
    """Read both sides, pair them up, and keep the measures and ratings that were asked for."""
    given = pair_scores_with_ratings(as_scores(scores), _as_ratings(ratings))
    known = {score_label(scored) for scored in given.scores} | {name for name, _ in given.scores}
    kept = select_names(text_list("measures", measures), sorted(known), "measure")
    names = select_names(text_list("rating", rating), given.ratings, "rating")
    return replace(
        given,
        scores={
            scored: values
            for scored, values in given.scores.items()
            if score_label(scored) in kept or scored[0] in kept
        },
        ratings={name: given.ratings[name] for name in names},
    )
