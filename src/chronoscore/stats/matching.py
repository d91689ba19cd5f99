"""Two people anchored the same content units in the source: did they choose the same words?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from chronoscore.core import Group, Pyramid
from chronoscore.errors import DataError

Choice: TypeAlias = tuple[str, str, int, int]
"""A unit and a span of a source; two people's anchors have different ids for one span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingAgreement:
    """What two matchers chose for the units that both matched.

    An anchor is chosen if it is worth more than 0; one that is listed at 0 was seen and
    turned down. `pool` counts everything that either could have chosen: all they list, or
    a number that the caller knows better.
    """

    units: int
    first: int
    second: int
    both: int
    pool: int
    equal_values: float
    mean_difference: float

    @property
    def jaccard(self) -> float:
        """Chosen by both, of chosen by either."""
        return _of(self.both, self.first + self.second - self.both)

    @property
    def dice(self) -> float:
        """Twice what both chose, of all choices."""
        return _of(2 * self.both, self.first + self.second)

    @property
    def share_of_pool(self) -> float:
        """Candidates that both chose or both left, of all candidates."""
        apart = self.first + self.second - 2 * self.both
        return _of(self.pool - apart, self.pool)


def matching_agreement(
    first: Pyramid, second: Pyramid, *, pool: int | None = None
) -> MatchingAgreement:
    """Compare two matchers on the units that both anchored; the second may be a sample."""
    shared = anchored_units(first) & anchored_units(second)
    if not shared:
        raise DataError("the two matchers share no anchored unit; give files of the same units")
    one, two = dict(anchor_choices(first, shared)), dict(anchor_choices(second, shared))
    candidates = one.keys() | two.keys()
    if pool is not None and pool < len(candidates):
        raise DataError(
            f"a pool of {pool} candidates is smaller than the {len(candidates)} that were listed; "
            "give the number of all candidates"
        )
    chosen_first = {choice for choice, value in one.items() if value > 0}
    chosen_second = {choice for choice, value in two.items() if value > 0}
    both = chosen_first & chosen_second
    differences = [abs(one[choice] - two[choice]) for choice in sorted(both)]
    return MatchingAgreement(
        units=len(shared),
        first=len(chosen_first),
        second=len(chosen_second),
        both=len(both),
        pool=len(candidates) if pool is None else pool,
        equal_values=_mean(difference == 0 for difference in differences),
        mean_difference=_mean(differences),
    )


def anchored_units(pyramid: Pyramid) -> set[str]:
    """The units that have any anchor."""
    return {unit.id for unit in pyramid.units if any(True for _ in unit.group.anchors)}


def anchor_choices(pyramid: Pyramid, units: set[str]) -> Iterator[tuple[Choice, float]]:
    """Every anchor of the units, with the share that its own group gives it."""
    for unit in pyramid.units:
        if unit.id in units:
            yield from _of_group(unit.id, unit.group)


def _of_group(unit: str, group: Group) -> Iterator[tuple[Choice, float]]:
    for member, value in group.members:
        if isinstance(member, Group):
            yield from _of_group(unit, member)
        else:
            yield (unit, member.source, member.start, member.end), value


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else float("nan")


def _of(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


@dataclass(frozen=True, slots=True)
class MatchingStudy:
    """Two matchers of a topic, named by their files."""

    topic: str
    first: str
    second: str
    agreed: MatchingAgreement


def study_matching(
    topic: str, first: tuple[str, Pyramid], second: tuple[str, Pyramid], *, pool: int | None = None
) -> MatchingStudy:
    """Compare two files of the same units."""
    try:
        agreed = matching_agreement(first[1], second[1], pool=pool)
    except DataError as error:
        raise DataError(f"topic '{topic}' in {first[0]} and {second[0]}: {error}") from None
    return MatchingStudy(topic, first[0], second[0], agreed)
