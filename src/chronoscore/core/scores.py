"""Counts that add, and the scores computed from them."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias


class Tally(NamedTuple):
    """Counts that add up over topics; a score is computed only from these.

    Recall is `found / wanted`, precision `kept / offered`.
    """

    found: float
    wanted: float
    kept: float
    offered: float


class Score(NamedTuple):
    """Precision, recall and F of one output.

    >>> Score(p=0.5, r=1.0, f=2 / 3).recall
    1.0
    """

    p: float
    r: float
    f: float

    @property
    def precision(self) -> float:
        """The same as `p`."""
        return self.p

    @property
    def recall(self) -> float:
        """The same as `r`."""
        return self.r

    @property
    def fmeasure(self) -> float:
        """The same as `f`, under the name that users of rouge-score know."""
        return self.f


def ratio(part: float, whole: float) -> float:
    """Divide, with 0 where there is nothing to divide by."""
    return part / whole if whole else 0.0


def f_score(precision: float, recall: float, alpha: float = 0.5) -> float:
    """Weigh precision and recall; alpha towards 1 favours precision, as Perl's -p does.

    >>> f_score(0.5, 1.0)
    0.6666666666666666
    """
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


Row: TypeAlias = Mapping[str, str | float]
"""A flat record of a result: system, topic, measure, part, value."""
