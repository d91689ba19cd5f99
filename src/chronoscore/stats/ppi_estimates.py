"""Prediction-powered figures of systems, and of pairs of systems."""

from dataclasses import dataclass

from chronoscore.core import Row
from chronoscore.measures import Measure
from chronoscore.stats.ppi import PoweredMean


@dataclass(frozen=True)
class PpiEstimate:
    """One figure of a system, or of two systems' difference; `within` is λ within topics."""

    system: str
    measure: Measure
    part: str
    mean: PoweredMean
    left_out: int = 0
    within: float = float("nan")

    @property
    def value(self) -> float:
        """The estimate."""
        return self.mean.value

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        return self.mean.low

    @property
    def high(self) -> float:
        """The upper end of its interval."""
        return self.mean.high

    @property
    def weight(self) -> float:
        """λ: how much the machine is listened to."""
        return self.mean.weight

    @property
    def worth(self) -> float:
        """As how many topics judged by people it counts."""
        return self.mean.worth

    def row(self) -> Row:
        """A flat record."""
        return {
            "system": self.system,
            "measure": self.measure.title,
            "part": self.part,
            **_numbers(self),
        }


def _numbers(estimate: PpiEstimate) -> Row:
    """The numbers of an estimate."""
    mean = estimate.mean
    return {
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "lambda": mean.weight,
        "worth": mean.worth,
        "n": mean.topics,
        "further": mean.further,
        "left_out": estimate.left_out,
        "people": mean.people,
        "people_low": mean.people_low,
        "people_high": mean.people_high,
        "lambda_within": estimate.within,
    }


@dataclass(frozen=True)
class PpiDifference:
    """The difference of two systems, with p before and after Holm's correction."""

    system: str
    other: str
    estimate: PpiEstimate
    adjusted: float
    significant: bool

    def row(self) -> Row:
        """A flat record."""
        return {
            "system": self.system,
            "other": self.other,
            "measure": self.estimate.measure.title,
            "part": self.estimate.part,
            **_numbers(self.estimate),
            "p": self.estimate.mean.p,
            "adjusted": self.adjusted,
            "significant": self.significant,
        }
