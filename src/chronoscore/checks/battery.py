"""The paper's tests and ours: damage a perfect timeline and see whether a measure notices."""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypeAlias

from chronoscore.checks import damage
from chronoscore.checks.trials import Trial, check_measures, count_trials, references_alone
from chronoscore.checks.verdict import Expectation, Outcome, describe_failed_check
from chronoscore.core import Timeline, Topic
from chronoscore.errors import UsageError, number_with_noun
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array
from chronoscore.scoring import Progress

Damage: TypeAlias = Callable[[Topic, Timeline], damage.Copies]
"""Gives the damaged copies of a timeline, with its topic at hand for what else it needs."""


@dataclass(frozen=True)
class Check:
    """A damage, and what a good measure makes of it."""

    name: str
    does: str
    expected: Expectation
    copies: Damage
    lacking: str
    """What a timeline lacks that cannot be damaged so."""
    days: int | None = None

    @property
    def label(self) -> str:
        """The name as the table has it."""
        return self.name if self.days is None else f"{self.name} {self.days}"


def _ignore_topic(
    function: Callable[[Timeline], damage.Copies],
) -> Callable[[Topic, Timeline], damage.Copies]:
    """A damage that asks for nothing but the timeline."""
    return lambda _topic, timeline: function(timeline)


def _with_articles(topic: Topic, timeline: Timeline) -> damage.Copies:
    """Add what an article of the topic says."""
    return damage.damage_by_addition(timeline, topic.documents)


BOTH = Expectation("falls", "falls")

CHECKS = (
    Check(
        "remove",
        "leave a date out",
        Expectation("stays", "falls"),
        _ignore_topic(damage.damage_by_removal),
        "no date to leave out",
    ),
    Check(
        "add",
        "add a day that does not belong",
        Expectation("falls", "stays"),
        _with_articles,
        "no day to add",
    ),
    Check(
        "merge",
        "join the two closest dates",
        BOTH,
        _ignore_topic(damage.damage_by_merge),
        "no two dates to join",
    ),
    Check(
        "swap",
        "exchange the texts of two neighbors",
        BOTH,
        _ignore_topic(damage.damage_by_swap),
        "no two texts to exchange",
    ),
    Check(
        "split",
        "move half of a day's text to a free day",
        BOTH,
        _ignore_topic(damage.damage_by_split),
        "no day to split",
    ),
    Check(
        "duplicate",
        "say a day's text again on a free day",
        Expectation("falls", "stays"),
        _ignore_topic(damage.damage_by_duplication),
        "no text to say again",
    ),
    Check(
        "shuffle",
        "turn the texts around over the dates",
        BOTH,
        _ignore_topic(damage.damage_by_shuffle),
        "no texts to turn around",
    ),
    Check(
        "halve",
        "drop half of each text",
        Expectation("any", "falls"),
        _ignore_topic(damage.damage_by_halving),
        "no text to halve",
    ),
)
"""All checks but the shifts, which `shift_check` makes."""


def shift_check(days: int) -> Check:
    """Move every date by a number of days."""
    if days == 0:
        raise UsageError("shift 0: nothing would change; write a number of days other than 0")
    return Check(
        "shift",
        f"move every date by {number_with_noun(days, 'day')}",
        BOTH,
        _ignore_topic(partial(damage.damage_by_shift, days=days)),
        "no date to move",
        days,
    )


def list_checks(shifts: Sequence[int] = (1, 5)) -> list[Check]:
    """The paper's tests in its order, then ours."""
    moves = sorted({shift_check(days) for days in shifts}, key=lambda check: abs(check.days or 0))
    return [*CHECKS[:3], *moves, *CHECKS[3:]]


def run_checks(
    measures: Sequence[Measure],
    topics: Iterable[Topic],
    checks: Sequence[Check] | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Compare damaged copies of every reference timeline with the timeline itself.

    Each timeline is its own reference, whatever others its topic has. A figure is first averaged
    over the copies of a timeline and then over timelines, in the measure's own way.
    """
    tests = list_checks() if checks is None else list(checks)
    check_measures(measures)
    alone = references_alone(topics)
    perfect = Trial.unaltered(alone)
    trials = (
        Trial.of(alone, [test.copies(topic, topic.timelines[0]) for topic in alone])
        for test in tests
    )
    counted = count_trials(measures, chain([perfect], trials), executor)
    _, whole = next(counted)
    found: list[Outcome] = []
    for done, (test, (trial, tallies)) in enumerate(zip(tests, counted, strict=True), 1):
        for measure in measures:
            before = perfect.average(measure, whole[measure], trial.tried)
            after = trial.average(measure, tallies[measure], trial.tried)
            found.append(_judge_changes(test, measure, after - before, len(trial.tried), found))
        if progress:
            progress(done, len(tests))
    return found


def _judge_changes(
    test: Check, measure: Measure, change: Array, timelines: int, before: Sequence[Outcome]
) -> Outcome:
    """Hold the changes against what was expected; a longer shift must cost more."""
    changes = dict(zip(measure.parts, change.tolist(), strict=True))
    if not timelines:
        nothing = dict.fromkeys(changes, math.nan)
        return Outcome(test.label, measure, nothing, 0, "", test.name, test.lacking)
    fault = describe_failed_check(measure, test.expected, changes)
    shorter = [o for o in before if o.check == test.name == "shift" and o.measure == measure]
    last = measure.whole.main_part
    sign = measure.direction(last)
    if not fault and shorter and sign * changes[last] >= sign * shorter[-1].changes[last]:
        fault = f"costs no more than {shorter[-1].test}"
    return Outcome(test.label, measure, changes, timelines, fault, test.name)
