"""Prediction-powered figures of systems, and of pairs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.core import Row
from chronoscore.errors import DataError
from chronoscore.measures import Measure
from chronoscore.measures.measure import ANY_NUMBER
from chronoscore.options import Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.ppi import PoweredInterval, PoweredMean, powered_mean
from chronoscore.stats.ppi_samples import Samples
from chronoscore.stats.statistic import Numbers


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
        """λ: the weight of the machine's scores."""
        return self.mean.weight

    @property
    def worth(self) -> float:
        """How many topics judged by people it is worth."""
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


@dataclass(frozen=True)
class PairedScores:
    """One figure of the topics that both sides judged, and of those that only the machine did."""

    people: Numbers
    alone: Numbers | None
    machine: Numbers
    further: Numbers
    left_out: int
    within: float


@dataclass(frozen=True)
class BothSides:
    """Scores of the same systems by people and by a machine, and how intervals are made."""

    people: Scores
    machine: Scores
    samples: Samples
    interval: PoweredInterval
    resampling: Resampling

    def columns(self) -> list[tuple[Measure, str]]:
        """The measures and parts to estimate; of sampled items only means over items."""
        return [
            (measure, part)
            for measure in self.people.measures
            for part in measure.shown
            if self.samples.can_score(measure, part)
        ]

    def estimate(self, measure: Measure, part: str, systems: Sequence[str]) -> PpiEstimate:
        """One figure of one system, or of the difference of two."""
        scores = self._pair(measure, part, systems)
        try:
            mean = powered_mean(
                scores.people,
                scores.machine,
                scores.further,
                alone=scores.alone,
                bounds=measure.bounds(part) if len(systems) == 1 else ANY_NUMBER,
                interval=self.interval,
                level=self.resampling.level,
                times=self.resampling.draws,
                seed=self.resampling.seed,
            )
        except DataError as error:
            names = " and ".join(f"'{name}'" for name in systems)
            raise DataError(f"{names}, {measure.title}.{part}: {error}") from None
        return PpiEstimate(" – ".join(systems), measure, part, mean, scores.left_out, scores.within)

    def _pair(self, measure: Measure, part: str, systems: Sequence[str]) -> PairedScores:
        """The scores of one system, or the differences of two."""
        place = measure.parts.index(part)
        titled = {one.title: one for one in self.machine.measures}
        y = _signed_sum(self.people, measure, place, systems)
        f = _signed_sum(self.machine, titled[measure.title], place, systems)
        topics = self.people.topics
        columns = {name: number for number, name in enumerate(self.machine.topics)}
        both = self.samples.shared_topics(topics, self.machine.topics)
        places = {name: number for number, name in enumerate(topics)}
        own = np.array([y[places[name]] if name in places else np.nan for name in both])
        theirs = f[[columns[name] for name in both]]
        others = f[[columns[name] for name in sorted({*columns} - {*topics} - {*both})]]
        corrected, within = self.samples.correct(measure, part, systems, both, own)
        used = ~np.isnan(corrected[0]) & ~np.isnan(theirs)
        further = others[~np.isnan(others)]
        return PairedScores(
            corrected[0][used],
            corrected[1][used] if self.samples else None,
            theirs[used],
            further,
            int((~used).sum()) + len(others) - len(further) + len({*topics} - {*both}),
            within,
        )


def _signed_sum(scores: Scores, measure: Measure, place: int, systems: Sequence[str]) -> Numbers:
    """One system's scores by topic, or the first one's less the second one's."""
    rows = [scores.systems.index(name) for name in systems]
    values = scores.values(measure)[rows, :, place]
    found: Numbers = values[0] if len(rows) == 1 else values[0] - values[1]
    return found
