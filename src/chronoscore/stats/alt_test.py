"""May a machine replace one of the people? The alternative-annotator test.

Calderon, Reichart and Dror (2025). Each person is left out in turn. On each item the machine
and that person are compared by how many of the other people they agree with or, where labels are
ordered, by how near they are to the others (−RMSE); the machine may stand in for the person if it
is ahead, or behind by less than ε, more often than by chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError
from chronoscore.stats.significance import benjamini_yekutieli
from chronoscore.stats.statistic import Numbers

Closeness: TypeAlias = Literal["match", "rmse"]
"""How near a label is to the others': the share that is the same, or minus the root mean square."""
EPSILONS = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""By who the people are: how far behind a machine may be, as it costs so much less."""
LEAST_PEOPLE, LEAST_ITEMS, ADVISED_ITEMS = 3, 30, 50
ERROR_RATE = 0.05
"""The false discovery rate over people."""
PASSES_AT = 0.5
"""The winning rate from which on the machine may replace a person."""


@dataclass(frozen=True, kw_only=True)
class PersonTest:
    """One person against the machine, on the items that both and another person judged.

    `machine_ahead` is the share of items on which the machine agrees with the others at least
    as well as the person, `person_ahead` the reverse; ties count in both.
    """

    person: str
    items: int
    machine_ahead: float
    person_ahead: float
    p: float
    adjusted: float
    beaten: bool

    @property
    def advantage(self) -> float:
        """How much more often the machine is ahead; below 0, how much less."""
        return self.machine_ahead - self.person_ahead


@dataclass(frozen=True, kw_only=True)
class AlternativeTest:
    """The outcome for one machine; without enough people or items only `why` says so."""

    epsilon: float
    people: tuple[PersonTest, ...] = ()
    left_out: tuple[str, ...] = ()
    """People who share too few items with the machine and another person."""
    why: str = ""

    @property
    def winning_rate(self) -> float:
        """ω: the share of people whom the machine may stand in for."""
        return float(np.mean([one.beaten for one in self.people])) if self.people else np.nan

    @property
    def advantage_probability(self) -> float:
        """ρ: on how many items the machine is at least as good, on average over people."""
        return float(np.mean([one.machine_ahead for one in self.people])) if self.people else np.nan

    @property
    def passed(self) -> bool:
        """Whether the machine may replace a person."""
        return self.winning_rate >= PASSES_AT

    @property
    def fewest_items(self) -> int:
        """The fewest items of any person."""
        return min((one.items for one in self.people), default=0)


def alternative_test(
    people: Mapping[str, Numbers],
    machine: Numbers,
    *,
    epsilon: float = EPSILONS["experts"],
    closeness: Closeness = "match",
) -> AlternativeTest:
    """Test whether a machine may replace a person.

    Labels are numbers, nan where a person did not judge an item. Two agree if they gave the same
    label; by `rmse` the nearer one to the others' labels is ahead. Needs three people with thirty
    items each.
    """
    if not 0 <= epsilon < 1:
        raise UsageError(f"epsilon {epsilon:g}: must be 0 or more and below 1, such as 0.2")
    labels = np.array([np.asarray(own, dtype=np.float64) for own in people.values()])
    machine = np.asarray(machine, dtype=np.float64)
    if len(people) and labels.shape[1:] != machine.shape:
        raise DataError(
            f"people judged {labels.shape[-1]} items and the machine {len(machine)}; "
            "give one label for each item, nan where there is none"
        )
    if len(people) < LEAST_PEOPLE:
        return AlternativeTest(epsilon=epsilon, why=_too_few_people(len(people)))
    compared = {
        name: _compare_person(labels, machine, row, closeness) for row, name in enumerate(people)
    }
    enough = {name: pair for name, pair in compared.items() if len(pair[0]) >= LEAST_ITEMS}
    left_out = tuple(name for name in compared if name not in enough)
    if len(enough) < LEAST_PEOPLE:
        most = sorted((len(pair[0]) for pair in compared.values()), reverse=True)
        why = (
            f"needs {LEAST_PEOPLE} people with at least {LEAST_ITEMS} items each "
            f"({ADVISED_ITEMS} to 100 are better); they have {', '.join(map(str, most))}"
        )
        return AlternativeTest(epsilon=epsilon, left_out=left_out, why=why)
    chances = [_lag_test(person - ahead, epsilon) for ahead, person in enough.values()]
    adjusted = benjamini_yekutieli(chances)
    return AlternativeTest(
        epsilon=epsilon,
        people=tuple(
            PersonTest(
                person=name,
                items=len(ahead),
                machine_ahead=float(ahead.mean()),
                person_ahead=float(person.mean()),
                p=p,
                adjusted=float(q),
                beaten=bool(q <= ERROR_RATE),
            )
            for (name, (ahead, person)), p, q in zip(enough.items(), chances, adjusted, strict=True)
        ),
        left_out=left_out,
    )


def _too_few_people(count: int) -> str:
    """Why there is no test."""
    there = "there is 1" if count == 1 else f"there are {count or 'none'}"
    return f"needs at least {LEAST_PEOPLE} people and {there}"


def _compare_person(
    labels: Numbers, machine: Numbers, row: int, closeness: Closeness
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Item by item, whether the machine and whether the person is at least as good as the other."""
    others = np.delete(labels, row, axis=0)
    judged = ~np.isnan(machine) & ~np.isnan(labels[row]) & ~np.isnan(others).all(axis=0)
    others, machine, person = others[:, judged], machine[judged], labels[row][judged]
    for_machine, for_person = (_nearness(others, own, closeness) for own in (machine, person))
    return (for_machine >= for_person).astype(float), (for_person >= for_machine).astype(float)


def _nearness(others: Numbers, own: Numbers, closeness: Closeness) -> Numbers:
    """How near labels are to the others'; sums, as the others' number is the same for both."""
    matches: Numbers = (others == own).sum(axis=0).astype(np.float64)
    distances: Numbers = np.nansum((others - own) ** 2, axis=0)
    return matches if closeness == "match" else -distances


def _lag_test(lag: Numbers, epsilon: float) -> float:
    """The one-sided p of Student's test that the machine lags behind by less than ε on average."""
    from scipy.special import stdtr

    behind = float(lag.mean()) - epsilon
    spread = float(lag.std(ddof=1))
    if not spread > 0:
        # All items say the same; no other sample is known.
        return 0.0 if behind < 0 else 1.0
    return float(stdtr(len(lag) - 1, behind / (spread / np.sqrt(len(lag)))))
