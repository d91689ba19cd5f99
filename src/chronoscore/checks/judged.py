"""Altered copies for judges: those that measures are tried on, and what judges made of them.

A judge reads files, so the copies of all timelines are runs: `unaltered` and one for each
alteration. Of several timelines of a topic, the second is in `unaltered.2`, and so on.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from chronoscore.checks.alterations import Alteration, make_cases
from chronoscore.checks.cases import Case
from chronoscore.checks.matrix import Reaction, compare_copies
from chronoscore.core import Collection, Run, Timeline, Topic
from chronoscore.errors import DataError
from chronoscore.measures import Measure, topic_contributions
from chronoscore.measures.measure import Array, Pair
from chronoscore.options.checks import Altering

UNALTERED = "unaltered"
NOT_JUDGED = "not judged"


class Copy(NamedTuple):
    """A timeline that a judge is given, and the run that it belongs to."""

    run: str
    topic: str
    timeline: Timeline


def list_copies(
    topics: Collection | Sequence[Topic], alterations: Sequence[Alteration], how: Altering
) -> Iterator[Copy]:
    """Every timeline as it is, and each of its altered copies that can be made."""
    for topic, number, case in _numbered(topics, how):
        yield Copy(_run(UNALTERED, number), topic.id, case.timeline)
        for one in alterations:
            copy = one.alter(case) if one.reads(case) else None
            if copy is not None:
                yield Copy(_run(one.name, number), topic.id, copy)


def _numbered(
    topics: Collection | Sequence[Topic], how: Altering
) -> Iterator[tuple[Topic, int, Case]]:
    """The cases with their topics, numbered within each."""
    cases = iter(make_cases(topics, how))
    for topic in topics:
        for number in range(1, 1 + sum(bool(one.entries) for one in topic.timelines)):
            yield topic, number, next(cases)


def _run(name: str, number: int) -> str:
    return name if number == 1 else f"{name}.{number}"


def react_as_judged(
    measures: Sequence[Measure],
    topics: Sequence[Topic],
    runs: Sequence[Run],
    alterations: Sequence[Alteration],
) -> list[Reaction]:
    """What judges made of copies that `list_copies` gave them, alteration by alteration."""
    outputs = {(run.system, topic): out for run in runs for topic, out in run.outputs.items()}
    numbers = sorted(
        {system.partition(".")[2] for system, _ in outputs if system.startswith(UNALTERED)}
    )
    if not numbers:
        raise DataError(
            f"has no run '{UNALTERED}' to compare with; let the judge read all that was written"
        )
    reactions = []
    for one in alterations:
        before: list[Pair] = []
        after: list[Pair] = []
        for topic in topics:
            for number in numbers:
                ending = f".{number}" if number else ""
                whole = outputs.get((UNALTERED + ending, topic.id))
                copy = outputs.get((one.name + ending, topic.id))
                if whole is not None and copy is not None:
                    before.append((topic, whole))
                    after.append((topic, copy))
        for measure in measures:
            reactions.append(_react(one, measure, before, after))
    return reactions


def _react(
    one: Alteration, measure: Measure, before: Sequence[Pair], after: Sequence[Pair]
) -> Reaction:
    """The change of a measure of judgements; pairs of which one side is undefined do not count."""
    sides: list[Array] = []
    for pairs in (before, after):
        tallies = measure.tally(pairs) if pairs else np.zeros((0, measure.width))
        sides.append(topic_contributions(measure, tallies, measure.averaging))
    place = measure.parts.index(measure.main_part)
    known = ~np.isnan(sides[0][:, place] + sides[1][:, place])
    return compare_copies(one, measure, sides[0][known], sides[1][known], NOT_JUDGED)
