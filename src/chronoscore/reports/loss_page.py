"""Pages of their own for where the points went and for two systems, drawn as in the report."""

from collections.abc import Sequence

from chronoscore.errors import number_with_noun
from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import SystemDifference
from chronoscore.reports import losses
from chronoscore.reports.page import card, document
from chronoscore.reports.score_page.loss_view import (
    COMPARISON,
    POINTS,
    account_data,
    pairs_data,
)
from chronoscore.reports.tables import Table, format_level


def losses_page(found: LossAccount) -> str:
    """The bars of all systems, the best first, and the tables folded below."""
    systems = found.scores.systems
    order = sorted(systems, key=lambda name: found[name, "lost"].value)
    body = card("By system", POINTS, anchor="points") + _fold(losses.loss_tables(found))
    lead = _describe_data(found.measure.heading(found.part), len(systems), found.scores.topics)
    data = {"points-data": [account_data(found, order)]}
    return document("Where the points went", body, lead, data)


def difference_page(found: SystemDifference) -> str:
    """The sentence, causes, topics and days side by side, and the tables folded below."""
    body = card("Why they differ", COMPARISON, kind="long", anchor="compare")
    body += _fold(losses.difference_tables(found))
    name = found.measure.heading(found.part)
    topics = number_with_noun(len(found.topics), "topic")
    figures = f"{found.a} {found.value_a:.3f}, {found.b} {found.value_b:.3f}"
    lead = f"{name}: {figures} · {topics} · {format_level(found.level)} intervals"
    data = {"compare-data": [pairs_data([found], [found.a, found.b])]}
    return document(f"{found.a} and {found.b}", body, lead, data)


def _describe_data(name: str, systems: int, topics: Sequence[str]) -> str:
    """What was scored by which figure."""
    counted = number_with_noun(systems, "system"), number_with_noun(len(topics), "topic")
    return " · ".join((name, *counted))


def _fold(tables: Sequence[Table]) -> str:
    """Tables behind a line that unfolds."""
    inside = "".join(table.html() for table in tables)
    return card("", f"<details><summary>The same as tables</summary>{inside}</details>")
