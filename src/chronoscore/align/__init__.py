"""Pairs of dates: which day of one timeline is aligned with which day of the other."""

from chronoscore.align.alignment import Alignment
from chronoscore.align.content import Similarity
from chronoscore.align.dates import Dates
from chronoscore.align.frame import (
    align_by_content,
    align_by_costs,
    align_by_date,
    align_same_dates,
)

__all__ = [
    "Alignment",
    "Dates",
    "Similarity",
    "align_by_content",
    "align_by_costs",
    "align_by_date",
    "align_same_dates",
]
