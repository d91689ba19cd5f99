"""Where the points of systems went, and why one system is behind another."""

import warnings
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.api.results import Section, TableResult
from chronoscore.data.coverage import runs_to_show
from chronoscore.errors import ChronoscoreWarning, UsageError, check_choice
from chronoscore.explanations.accounts import Accounting, LossAccount
from chronoscore.explanations.day_differences import CountedDays
from chronoscore.explanations.differences import (
    DayDifference,
    EventDifference,
    SystemDifference,
)
from chronoscore.explanations.event_differences import ToldEvents
from chronoscore.explanations.reasons import explain_difference
from chronoscore.measures.losses.account import Losses
from chronoscore.reports import losses as report
from chronoscore.scoring import Scores
from chronoscore.stats.corpus_tests import compare_systems

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult

MOSTLY = 0.5
"""Of what is matched on a topic, the share in the wrong year from which the topic is."""
FIRST_RUN = "days and events are shown as the first run of each system has them"


@dataclass(frozen=True, repr=False)
class DifferenceResult(TableResult[SystemDifference]):
    """Why one system is behind another: a sentence, causes, topics, days."""

    @property
    def sentence(self) -> str:
        """The difference and its causes in a sentence."""
        return self.data.sentence

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return f"{self.data.a} and {self.data.b}"

    def __repr__(self) -> str:
        return f"<DifferenceResult: {self.sentence}>"

    def sections(self) -> list[Section]:
        """The sentence, then the tables."""
        return [("", f"<p><b>{escape(self.sentence)}</b></p>"), *super().sections()]

    def render(self, form: str = "table") -> str:
        """The result in a format; text begins with the sentence."""
        text = super().render(form)
        if form in ("table", "md"):
            return f"{report.fold(self.sentence) if form == 'table' else self.sentence}\n\n{text}"
        return text


def losses_of_result(result: "ScoreResult", measure: str | None = None) -> TableResult[LossAccount]:
    """The account of one measure of a result."""
    chosen, part = result.column(result.measures[0] if measure is None else measure)
    collection, runs = result.texts("account for losses")
    return TableResult(
        Accounting(collection, runs, result.resampling).of(chosen, part), report.LOSSES
    )


def diff_result(
    result: "ScoreResult", a: str, b: str, measure: str | None = None
) -> DifferenceResult:
    """Split the difference of two systems of a result over causes."""
    for name in (a, b):
        check_choice(name, result.systems, "system")
    if a == b:
        raise UsageError(f"'{a}' does not differ from itself; name two systems")
    chosen, part = result.column(result.measures[0] if measure is None else measure)
    collection, runs = result.texts("explain a difference")
    pair = [run for name in (a, b) for run in runs if run.system == name]
    account = Accounting(collection, pair, result.resampling).of(chosen, part)
    shown = runs_to_show(pair)
    days = CountedDays.of(collection, shown, account.account).find(a, b)
    events = ToldEvents.of(collection, shown, account.account).find(a, b)
    return DifferenceResult(
        find_difference(result, account, (a, b), days, events), report.DIFFERENCE
    )


def find_difference(
    result: "ScoreResult",
    account: LossAccount,
    systems: tuple[str, str],
    days: tuple[DayDifference, ...] = (),
    events: tuple[EventDifference, ...] = (),
) -> SystemDifference:
    """The difference of two systems, from scores and an account that has both."""
    a, b = systems
    scores, measure = result.scores, account.measure
    both = scores.only(systems, measure)
    with warnings.catch_warnings():
        # The sentence says how sure the difference is.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        (tested,) = compare_systems(both, measure, account.part, result.resampling).pairs
    causes, groups, topics = explain_difference(account, systems)
    return SystemDifference(
        a=a,
        b=b,
        measure=measure,
        part=account.part,
        value_a=tested.value,
        value_b=tested.other_value,
        low=tested.low,
        high=tested.high,
        p=tested.p,
        level=result.resampling.level,
        causes=causes,
        topics=topics,
        groups=groups,
        days=days,
        events=events,
        notes=(*result.notes, FIRST_RUN) if scores.nested and (days or events) else result.notes,
        wrong_year={name: _wrong_years(account.scores, account.account, name) for name in systems},
    )


def _wrong_years(scores: Scores, account: Losses, system: str) -> tuple[str, ...]:
    """The topics on which most of what is matched is a year or more off."""
    if "near.year" not in account.parts:
        return ()
    values = scores.values(account)[scores.systems.index(system)]
    off, found, near = (
        values[:, account.parts.index(part)] for part in ("near.year", "found", "near")
    )
    with np.errstate(invalid="ignore"):
        wrong = off > MOSTLY * (found + near)
    return tuple(sorted(np.array(scores.topics)[wrong].tolist()))
