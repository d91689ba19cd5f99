"""The card of a report that shows where outputs contradict their sources."""

from html import escape

from chronoscore.core import Timeline
from chronoscore.errors import number_with_noun
from chronoscore.measures.contradictions.measure import Contradictions
from chronoscore.reports.contradictions import marked
from chronoscore.reports.score_page.contents import Contents

SHOWN = 20
"""Conflicts of a system that the page shows, the surest first."""


def conflicts_section(contents: Contents) -> str:
    """The surest conflicts of each system, folded, by the first measure of contradictions."""
    measures = [one for one in contents.scores.measures if isinstance(one, Contradictions)]
    if contents.collection is None or not measures:
        return ""
    return "".join(
        _system_conflicts(contents, measures[0], system) for system in contents.order(measures[0])
    )


def _system_conflicts(contents: Contents, measure: Contradictions, system: str) -> str:
    """One system's conflicts, or nothing where it has none."""
    assert contents.collection is not None
    found = [
        conflict
        for run in contents.runs
        if run.system == system and not run.human
        for topic in contents.collection
        if isinstance(output := run.outputs.get(topic.id), Timeline)
        for conflict in measure.conflicts(topic, output)
    ]
    if not found:
        return ""
    surest = sorted(found, key=lambda one: -one.strength)[:SHOWN]
    count = number_with_noun(len(found), "conflict")
    note = f"; the {SHOWN} surest" if len(found) > SHOWN else ""
    heading = escape(f"{system}: {count}{note}")
    return f"<details><summary>{heading}</summary>{marked(surest)}</details>"
