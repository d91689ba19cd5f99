"""What a measure should make of a damage, and whether it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from chronoscore.measures import Measure

Course: TypeAlias = Literal["falls", "stays", "any"]

STAYS = 0.005
"""A figure that changes by less stays: words that meet across a gap do not count as noticing."""
FALLS = 0.0005
"""A figure that falls by more has fallen: the table shows it as −0.001."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """How precision and recall should change; F, or a lone value, should fall."""

    p: Course
    r: Course

    def of(self, part: str) -> Course:
        """The course of a part; `date.p` takes the course of `p`."""
        rate = part.rpartition(".")[2]
        if rate in ("p", "precision"):
            return self.p
        return self.r if rate in ("r", "recall") else "falls"


@dataclass(frozen=True)
class Outcome:
    """What a measure made of one damage, over all timelines."""

    test: str
    measure: Measure
    changes: Mapping[str, float]
    """By part: the figure after the damage less the figure before."""
    timelines: int
    """How many timelines the damage could be done to; with none, changes are undefined."""
    fault: str = ""
    """Which expectation fails, in words; empty where all is as expected."""
    check: str = field(default="", compare=False)
    """The name of the check without its number of days."""
    lacking: str = field(default="", compare=False)
    """What no timeline has, where the damage could be done to none."""

    @property
    def known(self) -> bool:
        """Whether the measure declares this fault itself."""
        return bool(self.fault) and self.check in self.measure.known_faults

    @property
    def verdict(self) -> str:
        """A word for the table."""
        if not self.timelines:
            return self.lacking or "no timeline to try it on"
        if not self.fault:
            return "as expected"
        return f"{self.fault} (known)" if self.known else self.fault


def describe_failed_check(
    measure: Measure, expected: Expectation, changes: Mapping[str, float]
) -> str:
    """Describe the parts that do not change as expected.

    >>> from chronoscore.measures import parse_measure_text
    >>> changes = {"p": 0.0, "r": 0.0, "f": 0.0}
    >>> describe_failed_check(parse_measure_text("align"), Expectation("stays", "falls"), changes)
    'R and F do not fall'
    """
    wrong = [
        part
        for part, change in changes.items()
        if part not in measure.of_matches
        and not _follows(expected.of(part), measure.direction(part) * change)
    ]
    still = [part for part in wrong if expected.of(part) == "falls"]
    moved = [part for part in wrong if expected.of(part) == "stays"]
    up = [part for part in still if measure.direction(part) < 0]
    down = [part for part in still if measure.direction(part) > 0]
    faults = [
        f"{_join_parts(parts)} {'do' if len(parts) > 1 else 'does'} not {verb}"
        for parts, verb in ((down, "fall"), (up, "rise"), (moved, "stay"))
        if parts
    ]
    return ", ".join(faults)


def _follows(course: Course, change: float) -> bool:
    """Whether a change is in the expected direction."""
    if course == "falls":
        return change < -FALLS
    return course == "any" or abs(change) < STAYS


def _join_parts(parts: list[str]) -> str:
    """Parts as a list in words, precision and recall by their letters."""
    named = [part.upper() if len(part) == 1 else part for part in parts]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
