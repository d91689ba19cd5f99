"""How far does a machine judge as people do? Agreement with intervals, and who could replace whom.

Everything follows from one table of counts for each topic: how often a label of one judge met
a label of the other. The tables of topics add up, so that one can be left out by subtraction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chronoscore.measures.measure import SHARE, Bounds
from chronoscore.options import Resampling
from chronoscore.stats.alt_test import EPSILONS, AlternativeTest, Closeness, alternative_test
from chronoscore.stats.decisions import Decisions, Labels, contested_decisions
from chronoscore.stats.intervals import estimate
from chronoscore.stats.statistic import Numbers

FIGURES: Mapping[str, Bounds] = {
    **dict.fromkeys(("accuracy", "precision", "recall", "f"), SHARE),
    **dict.fromkeys(("kappa", "alpha"), (-1.0, 1.0)),
}
"""What is computed of two judges, and between what it lies."""
VERIFIED = "verified links"
EVERYBODY = "people"
"""All people together: each person's label of an item counts once."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval over topics, nan where it is undefined."""

    value: float
    low: float = float("nan")
    high: float = float("nan")


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement:
    """One judge against another, or against the verified links, on the items that both judged."""

    judge: str
    other: str
    items: int
    topics: int
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class GroupAgreement:
    """The same for a group of items, such as the vital nuggets."""

    trait: str
    group: str
    agreed: JudgeAgreement


@dataclass(frozen=True, kw_only=True)
class MachineStudy:
    """A machine judge against people.

    `against` are people and the verified links, `yardstick` people among themselves.
    `confusion` counts items by label of `reference` (rows) and of the machine (columns).
    """

    machine: str
    labels: tuple[str, ...]
    against: tuple[JudgeAgreement, ...]
    yardstick: tuple[JudgeAgreement, ...]
    groups: tuple[GroupAgreement, ...]
    reference: str
    confusion: NDArray[np.int64]
    tests: Mapping[str, AlternativeTest]
    """The alternative-annotator test by who the people are: experts, skilled or crowd."""
    ordered_tests: Mapping[str, AlternativeTest]
    """The same by how near labels are, where there are more than two, which are in order."""

    @property
    def same_label(self) -> list[float]:
        """By label of the reference: the share of its items that the machine gives it too."""
        totals = self.confusion.sum(axis=1).tolist()
        hits = self.confusion.diagonal().tolist()
        return [hit / total if total else 0.0 for hit, total in zip(hits, totals, strict=True)]


def study_machine(decisions: Decisions, machine: str, how: Resampling) -> MachineStudy:
    """Compare one machine with all people."""
    own = decisions.machines[machine]
    sides = {name: [labels] for name, labels in decisions.people.items()}
    if decisions.verified is not None:
        sides[VERIFIED] = [decisions.verified]
    reference = VERIFIED if decisions.verified is not None else EVERYBODY
    pooled = sides.get(VERIFIED) or [*decisions.people.values()]
    if len(decisions.people) > 1 and reference == EVERYBODY:
        sides[EVERYBODY] = pooled
    against = [
        _measure_agreement(decisions, machine, other, own, labels, how)
        for other, labels in sides.items()
    ]
    yardstick = [
        _measure_agreement(
            decisions, one, other, decisions.people[one], [decisions.people[other]], how
        )
        for one, other in combinations(decisions.people, 2)
    ]
    groups = [
        GroupAgreement(
            trait=trait,
            group=name,
            agreed=_measure_agreement(
                decisions, machine, reference, own, pooled, how, grouping.codes == code
            ),
        )
        for trait, grouping in decisions.groups.items()
        for code, name in enumerate(grouping.names)
    ]
    return MachineStudy(
        machine=machine,
        labels=decisions.labels,
        against=tuple(one for one in against if one.items),
        yardstick=tuple(one for one in yardstick if one.items),
        groups=tuple(one for one in groups if one.agreed.items),
        reference=reference,
        confusion=_confusions(decisions, own, pooled).sum(axis=0).astype(np.int64),
        tests=dict(_alternative_tests(decisions, own, "match")),
        ordered_tests=(
            dict(_alternative_tests(decisions, own, "rmse")) if len(decisions.labels) > 2 else {}
        ),
    )


def _alternative_tests(
    decisions: Decisions, own: Labels, closeness: Closeness
) -> Iterator[tuple[str, AlternativeTest]]:
    """The alternative-annotator test for each kind of people."""
    chosen = contested_decisions(decisions, own)

    def numbers(labels: Labels) -> Numbers:
        return np.where(labels >= 0, labels.astype(np.float64), np.nan)[chosen]

    people = {name: numbers(labels) for name, labels in decisions.people.items()}
    for who, epsilon in EPSILONS.items():
        yield who, alternative_test(people, numbers(own), epsilon=epsilon, closeness=closeness)


def _measure_agreement(
    decisions: Decisions,
    judge: str,
    other: str,
    labels: Labels,
    references: Sequence[Labels],
    how: Resampling,
    chosen: NDArray[np.bool_] | None = None,
) -> JudgeAgreement:
    """All figures of one judge against one or several others."""
    tables = _confusions(decisions, labels, references, chosen)
    tables = tables[tables.sum(axis=(1, 2)) > 0]
    return JudgeAgreement(
        judge=judge,
        other=other,
        items=int(tables.sum()),
        topics=len(tables),
        figures=_estimate_figures(tables, decisions.positive, how),
    )


def _confusions(
    decisions: Decisions,
    labels: Labels,
    references: Sequence[Labels],
    chosen: NDArray[np.bool_] | None = None,
) -> Numbers:
    """Counts by topic, reference's label and judge's label, over items that both judged."""
    kinds, topics = len(decisions.labels), len(decisions.topics)
    counts = np.zeros(topics * kinds * kinds, dtype=np.float64)
    for reference in references:
        both = (labels >= 0) & (reference >= 0)
        if chosen is not None:
            both &= chosen
        cells = (decisions.topic[both] * kinds + reference[both]) * kinds + labels[both]
        counts += np.bincount(cells, minlength=len(counts))
    return counts.reshape(topics, kinds, kinds)


def _estimate_figures(tables: Numbers, positive: int, how: Resampling) -> dict[str, Estimate]:
    """Every figure of the summed tables, with its interval over topics."""
    kinds = tables.shape[-1]

    def finish(sums: Numbers) -> Numbers:
        figures = agreement_figures(sums.reshape(*sums.shape[:-1], kinds, kinds), positive)
        return np.stack([figures[name] for name in FIGURES], axis=-1)

    flat = tables.reshape(len(tables), kinds * kinds)
    found = estimate(flat, finish, how, counts=len(tables), bounds=[*FIGURES.values()])
    return {
        name: Estimate(*map(float, three)) for name, *three in zip(FIGURES, *found, strict=True)
    }


def agreement_figures(tables: Numbers, positive: int) -> dict[str, Numbers]:
    """Figures from counts of shape (…, reference's labels, judge's labels).

    Cohen's κ takes labels as names; Krippendorff's α takes them as ordered, which is the same
    where there are two.
    """
    total = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    agreed = np.trace(tables, axis1=-2, axis2=-1)
    hits = tables[..., positive, positive]
    found, wanted = columns[..., positive], rows[..., positive]
    expected = _ratio((rows * columns).sum(axis=-1), total**2)
    accuracy = _ratio(agreed, total)
    return {
        "accuracy": accuracy,
        "precision": _ratio(hits, found),
        "recall": _ratio(hits, wanted),
        "f": _ratio(2 * hits, found + wanted),
        "kappa": _ratio(accuracy - expected, 1 - expected),
        "alpha": _ordinal_alpha(tables, rows + columns),
    }


def _ordinal_alpha(tables: Numbers, totals: Numbers) -> Numbers:
    """Krippendorff's α of two judges without gaps, for ordered labels."""
    middles = np.cumsum(totals, axis=-1) - totals / 2
    distances = (middles[..., :, np.newaxis] - middles[..., np.newaxis, :]) ** 2
    observed = 2 * (tables * distances).sum(axis=(-2, -1))
    paired = totals[..., :, np.newaxis] * totals[..., np.newaxis, :]
    expected = _ratio((paired * distances).sum(axis=(-2, -1)), totals.sum(axis=-1) - 1)
    return 1 - _ratio(observed, expected)


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    """Divide, with nan where there is nothing to divide by."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    blank: Numbers = np.full(np.broadcast(part, whole).shape, np.nan)
    return np.divide(part, whole, out=blank, where=np.abs(whole) > 1e-12)
