"""What measures made of damaged timelines."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronoscore.checks import Outcome
from chronoscore.core import Row
from chronoscore.errors import number_with_noun
from chronoscore.measures import Measure, averaging_rule
from chronoscore.options import Compat
from chronoscore.reports.plots import panels
from chronoscore.reports.tables import Table
from chronoscore.reports.views import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Outcomes:
    """What each measure made of each damage."""

    outcomes: tuple[Outcome, ...]
    labels: Mapping[Measure, str]
    """The measures as they were asked for."""
    compat: Compat | None = None


def rows(found: Outcomes) -> Iterator[Row]:
    """A record for each test, measure and part."""
    for outcome in found.outcomes:
        for part, change in outcome.changes.items():
            yield {
                "test": outcome.test,
                "measure": str(outcome.measure),
                "part": part,
                "change": change,
                "timelines": outcome.timelines,
                "verdict": outcome.verdict,
            }


def table(found: Outcomes) -> Table:
    """The layout of the paper's Table 2, with a verdict."""
    count = max(outcome.timelines for outcome in found.outcomes)
    lines = []
    before = ""
    for outcome in found.outcomes:
        label = "" if outcome.test == before else outcome.test
        before = outcome.test
        lines.append((label, found.labels[outcome.measure], *_changes(outcome), outcome.verdict))
    names = dict.fromkeys(outcome.measure.averaging for outcome in found.outcomes)
    rules = [averaging_rule(name).text for name in names]
    notes = [f"average: {'; '.join(rules)}"]
    if found.compat:
        notes.append(f"compat: {found.compat}")
    return Table.of(
        f"Change from the undamaged timeline, {number_with_noun(count, 'timeline')}",
        ("test", "measure", "ΔP", "ΔR", "ΔF", "verdict"),
        lines,
        notes,
    )


def _changes(outcome: Outcome) -> Iterator[str]:
    """The changes of precision, recall and F, or of a lone value."""
    precision, recall = outcome.changes.get("p"), outcome.changes.get("r")
    lone = precision is None and recall is None
    last = _last_change(outcome) if lone else outcome.changes.get("f")
    for change in (precision, recall, last):
        text = "" if change is None or math.isnan(change) else f"{change:.3f}"
        yield "0.000" if text == "-0.000" else text


def _last_change(outcome: Outcome) -> float:
    """The change of F, or of a lone value."""
    changes = outcome.changes
    return changes["f"] if "f" in changes else [*changes.values()][-1]


def draw(found: Outcomes) -> "Figure":
    """What each damage changes in each measure; failed expectations have a frame."""
    by_name = {(one.test, one.measure): one for one in found.outcomes}
    tests = list(dict.fromkeys(one.test for one in found.outcomes))
    return panels.fields(
        panels.FieldPlot(
            title="Change of F from the undamaged timeline",
            rows=tests,
            columns=list(found.labels.values()),
            values=[[_last_change(by_name[test, m]) for m in found.labels] for test in tests],
            framed=[[bool(by_name[test, m].fault) for m in found.labels] for test in tests],
            note="framed: not as expected",
        )
    )


VIEW: View[Outcomes] = View(rows=rows, tables=lambda found: [table(found)], draw=draw)
