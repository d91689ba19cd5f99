"""Two figures of a certificate that people or confidences are needed for.

The calibration curve holds how sure a judge says it is against how often it agrees, with people
where they judged and otherwise with its own other answers. The alternative-annotator test says
whether it may replace one of the people.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from chronoscore.data.machines import Gathered, MachineSources, read_nuggets, split_nuggets
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.judgements.nugget_files import AssignmentRow
from chronoscore.judging.certificates import Place, Trials
from chronoscore.judging.jobs import Abstained, Job, Outcome
from chronoscore.judging.outputs import JudgedNuggets
from chronoscore.stats.alt_test import EPSILONS, alternative_test

ItemName: TypeAlias = tuple[str, str, str]
"""Topic, system and nugget."""
LEVELS = (0, 50, 70, 80, 90, 95, 100)
"""Bounds of the confidences that are taken together: judges seldom say less than 70."""
OVERCONFIDENT = 0.1
"""How much surer than right a judge may be."""
SCORES: Mapping[str, float] = {"none": 0.0, "no evidence": 0.0, "partial": 1.0, "support": 2.0}


def read_people(paths: Sequence[Path]) -> dict[str, dict[ItemName, float]]:
    """The labels of each person, from the weakest as 0 to the strongest as 2."""
    files, others = split_nuggets(paths)
    if others:
        raise DataError("has no labels of nuggets or statements; give people's", place=others[0])
    found = Gathered()
    read_nuggets(files, found, MachineSources())
    people: dict[str, dict[ItemName, float]] = {}
    for one in found.nuggets:
        if one.label is not None:
            own = people.setdefault(one.author, {})
            own[one.topic, one.system, one.nugget] = float(one.label)
    return people


def name_items(job: Job, trials: Trials) -> dict[ItemName, tuple[Place, float]]:
    """The items that were judged as usual, by what the file of judgements calls them."""
    numbers = {place: float(number) for number, place in enumerate(trials.verdicts)}
    places = [*trials.verdicts]

    def outcome(place: Place) -> Outcome:
        """The verdict with its number as its confidence, by which its row is known again."""
        if place not in numbers:
            return Abstained("not asked")
        return replace(trials.verdicts[place], confidence=numbers[place])

    judged = job.finish(
        [
            {key: outcome((number, key)) for key in question.asked}
            for number, question in enumerate(job.questions)
        ]
    )
    if not isinstance(judged, JudgedNuggets):
        raise UsageError(
            f"'{job.rubric.name}' is not compared with people here; leave out `people`, or take "
            "nuggets or facts"
        )
    return {
        (row.topic, row.system, row.nugget): (places[int(row.confidence)], SCORES[row.label])
        for row in judged.written
        if isinstance(row, AssignmentRow) and row.confidence is not None
    }


def compare_with_people(
    named: Mapping[ItemName, tuple[Place, float]], people: Mapping[str, Mapping[ItemName, float]]
) -> dict[str, Any]:
    """Agreement with people, and the alternative-annotator test by how near labels are."""
    own = np.array([label for _, label in named.values()])
    labels = {
        who: np.array([given.get(name, np.nan) for name in named]) for who, given in people.items()
    }
    pairs = [(given == own)[~np.isnan(given)] for given in labels.values()]
    count = sum(map(len, pairs))
    if not count:
        raise DataError(
            "people judged none of the items of this certificate; give labels of the same topics, "
            "systems and nuggets"
        )
    test = alternative_test(labels, own, epsilon=EPSILONS["experts"], closeness="rmse")
    figures: dict[str, Any] = {
        "judges": len(labels),
        "labels": count,
        "agreement": round(sum(int(one.sum()) for one in pairs) / count, 4),
        "epsilon": test.epsilon,
    }
    if test.why:
        return {**figures, "not_tested": test.why}
    return {
        **figures,
        "tested": {one.person: one.items for one in test.people},
        "winning_rate": round(test.winning_rate, 4),
        "advantage_probability": round(test.advantage_probability, 4),
        "passed": test.passed,
    }


def agreement_with_people(
    named: Mapping[ItemName, tuple[Place, float]], people: Mapping[str, Mapping[ItemName, float]]
) -> dict[Place, float]:
    """By item, how many of the people who judged it gave the same label."""
    found = {}
    for name, (place, label) in named.items():
        given = [labels[name] == label for labels in people.values() if name in labels]
        if given:
            found[place] = sum(given) / len(given)
    return found


def agreement_with_itself(trials: Trials) -> dict[Place, float]:
    """By item, how many of a judge's other answers to the same question had the same label."""
    usual = trials.labels.get("usual", {})
    again = [trials.labels[name] for name in ("order", "batch", "swap", "repeat")
             if name in trials.labels]  # fmt: skip
    found = {}
    for place, label in usual.items():
        others = [labels[place] == label for labels in again if place in labels]
        if others:
            found[place] = sum(others) / len(others)
    return found


def calibration(
    trials: Trials, agreement: Mapping[Place, float], against: str
) -> dict[str, Any] | None:
    """How sure the judge is and how often it agrees, by levels of confidence."""
    known = [
        (verdict.confidence / 100, agreement[place])
        for place, verdict in trials.verdicts.items()
        if verdict.confidence is not None and place in agreement
    ]
    if not known:
        return None
    curve = list(_levels(known))
    off = sum(one["items"] * abs(one["confidence"] - one["agreement"]) for one in curve)
    return {
        "against": against,
        "items": len(known),
        "confidence": _mean(sure for sure, _ in known),
        "agreement": _mean(agreed for _, agreed in known),
        "error": round(off / len(known), 4),
        "curve": curve,
    }


def _levels(known: Sequence[tuple[float, float]]) -> Iterator[dict[str, Any]]:
    """The items of each level of confidence that has some."""
    for low, high in pairwise(LEVELS):
        inside = [
            (sure, agreed)
            for sure, agreed in known
            if low <= 100 * sure < high or (high == LEVELS[-1] == 100 * sure)
        ]
        if inside:
            yield {
                "from": low,
                "to": high,
                "items": len(inside),
                "confidence": _mean(sure for sure, _ in inside),
                "agreement": _mean(agreed for _, agreed in inside),
            }


def _mean(values: Iterable[float]) -> float:
    return round(float(np.mean([*values])), 4)


def trust_findings(
    curve: Mapping[str, Any] | None, people: Mapping[str, Any] | None
) -> Iterator[tuple[str, str]]:
    """What people and confidences show to be wrong with a judge."""
    if curve is not None and curve["confidence"] - curve["agreement"] > OVERCONFIDENT:
        yield (
            "overconfidence",
            f"{curve['confidence']:.0%} sure on average, and {curve['agreement']:.0%} agree with "
            f"{curve['against']}",
        )
    if people is not None and people.get("passed") is False:
        yield (
            "people",
            f"may stand in for {people['winning_rate']:.0%} of the people, which is below half",
        )
