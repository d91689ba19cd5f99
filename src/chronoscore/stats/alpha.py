"""Krippendorff's alpha: agreement of any number of judges on any kind of data, gaps allowed."""

import math
from collections.abc import Hashable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.stats.statistic import Numbers

MeasurementLevel: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    units: Sequence[Sequence[Hashable | None]], *, level: MeasurementLevel = "nominal"
) -> float:
    """Measure how far judges agree beyond chance: 1 is perfect, 0 is chance.

    Each unit is a row with a value for each judge, None or nan where a judge gave none;
    rows may differ in length, because only values of the same unit are compared.
    Undefined (nan) where no unit has two values or all values are the same.

    >>> round(krippendorff_alpha([[1, 1], [2, 2], [1, 2]], level="interval"), 4)
    0.4444
    """
    if level not in LEVELS:
        raise UsageError(f"unknown level '{level}'; {did_you_mean(level, LEVELS)}")
    given = [[value for value in row if not _is_missing(value)] for row in units]
    pairable = [row for row in given if len(row) > 1]
    values = _sorted_values([value for row in pairable for value in row], level)
    place = {value: number for number, value in enumerate(values)}
    counts = np.zeros((len(pairable), len(values)))
    for number, row in enumerate(pairable):
        for value in row:
            counts[number, place[value]] += 1
    return alpha_of_counts(counts, values, level)


def alpha_of_counts(
    counts: Numbers,
    values: Sequence[Hashable],
    level: MeasurementLevel,
    *,
    times: Numbers | None = None,
) -> float:
    """Alpha from how many judges gave each value (columns) to each unit (rows).

    A row that stands for many units alike says so in `times`.
    """
    if not len(counts):
        return float("nan")
    times = np.ones(len(counts)) if times is None else times
    weighted = counts * (times / (counts.sum(axis=1) - 1))[:, np.newaxis]
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    totals = times @ counts
    distances = _squared_distances(values, totals, level)
    expected = float(totals @ distances @ totals) / float(totals.sum() - 1)
    if not expected > 0:
        return float("nan")
    return 1.0 - float((coincidences * distances).sum()) / expected


def _squared_distances(
    values: Sequence[Hashable], totals: Numbers, level: MeasurementLevel
) -> Numbers:
    """How much each value differs from each other one."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level == "ordinal":
        # The ranks that lie between two values, their own counted half.
        middles = np.cumsum(totals) - totals / 2
        return np.asarray(np.subtract.outer(middles, middles) ** 2)
    numbers = np.array(values, dtype=np.float64)
    apart = np.subtract.outer(numbers, numbers)
    if level == "interval":
        return np.asarray(apart**2)
    sums = np.add.outer(numbers, numbers)
    return np.asarray((apart / np.where(sums == 0, 1.0, sums)) ** 2)


def _sorted_values(values: Sequence[Hashable], level: MeasurementLevel) -> list[Hashable]:
    """The distinct values; in order where the level has one."""
    distinct = list(dict.fromkeys(values))
    if level == "nominal":
        return distinct
    for value in distinct:
        if not isinstance(value, (int, float, np.integer, np.floating)) or not math.isfinite(value):
            raise DataError(f"value {value!r} is not a number; {level} data need numbers")
        if level == "ratio" and value < 0:
            raise DataError(f"value {value!r} is below 0; ratio data start at 0; use interval")
    return sorted(distinct)  # type: ignore[type-var]


def _is_missing(value: Hashable | None) -> bool:
    """Whether a judge gave no value."""
    return value is None or (isinstance(value, (float, np.floating)) and math.isnan(value))
