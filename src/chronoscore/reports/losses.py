"""Where points went, and why systems differ, as tables and records."""

import math
from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any, Literal

from chronoscore.core import Ranking, Row
from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import Cause, DayDifference, SystemDay, SystemDifference
from chronoscore.explanations.loss_shares import DATES
from chronoscore.measures.losses.account import LossSide, account_of
from chronoscore.measures.losses.wording import words_for
from chronoscore.reports.tables import (
    Cell,
    Cells,
    Table,
    format_number,
    interval_cell,
    p_text,
    unbroken,
)
from chronoscore.reports.views import View
from chronoscore.stats.statistic import ROUNDING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOPICS = 10
"""Topics that the table of a difference shows."""
QUOTED = 160
"""Characters of a text that a table quotes."""


def fold(sentence: str) -> str:
    """A sentence in lines as wide as the terminal."""
    from chronoscore.reports.terminal import terminal_width

    return fill(sentence, terminal_width(), break_long_words=False, break_on_hyphens=False)


def loss_tables(found: LossAccount) -> list[Table]:
    """A table for each side: one row for each system."""
    tables = [_side_table(found, side) for side in found.account.sides]
    return [*tables, _repair_table(found)]


def _side_table(found: LossAccount, side: LossSide) -> Table:
    """Shares of one side, which add up to 1."""
    systems = found.scores.systems
    parts = [*bar_parts(found, side, systems), *shown_gains(found, side, systems)]
    by_day = "another_day" in found.account.parts
    rows: list[Cells] = []
    for system in found.scores.systems:
        cells = [format_number(found[system, part].value, ".3f") for part in parts]
        chance = found.chance[system][0 if side.title == "recall" else 1]
        rows.append([system, *cells, *([format_number(chance, ".3f")] if by_day else [])])
    headings = [side.label, *(words_for(_name(part, side)).label for part in parts[1:])]
    title = f"{found.measure.title}: {side.whole}"
    if not by_day:
        notes = ["gain: what is earned beyond the shares that add up to 1"] if side.gains else []
        return Table.of(title, ("system", *headings), rows, notes)
    notes = ["by chance: what outputs share with the references of other topics"]
    return Table.of(title, ("system", *headings, "by chance"), rows, notes)


def bar_parts(found: LossAccount, side: LossSide, systems: Sequence[str]) -> list[str]:
    """What adds up to 1 on a side; what is judged only has causes that cost a system something."""

    def costs(part: str) -> bool:
        return any(found[system, part].value > 0 for system in systems)

    judged = found.account.needs is Ranking
    groups = [group for group in side.groups if not judged or costs(group)]
    return [side.good, *groups, *([side.empty] if side.empty and costs(side.empty) else [])]


def shown_gains(found: LossAccount, side: LossSide, systems: Sequence[str]) -> list[str]:
    """The gains of a side that any system has."""
    return [gain for gain in side.gains if any(found[s, gain].value > 0 for s in systems)]


def _name(part: str, side: LossSide) -> str:
    return "nothing" if part == side.empty else part


def _repair_table(found: LossAccount) -> Table:
    """What each system would reach if a cause were repaired."""
    shown = _groups(found)
    rows: list[Cells] = []
    for system in found.scores.systems:
        reached = {one.cause: one.value for one in found.what_if[system]}
        rows.append([system, *(format_number(reached.get(n, math.nan), ".3f") for n in shown)])
    headings = [
        "all dates right (at most)" if name == DATES else f"no more “{words_for(name).label}”"
        for name in shown
    ]
    title = f"{found.measure.heading(found.part)} if a cause were repaired"
    return Table.of(title, ("system", *headings), rows)


def _groups(found: LossAccount) -> list[str]:
    systems = found.scores.systems
    groups = [
        part
        for side in found.account.sides
        for part in bar_parts(found, side, systems)
        if part in side.groups
    ]
    names = list(dict.fromkeys(group.removeprefix("p.") for group in groups))
    return [*names, *([DATES] if {"near", "another_day"} <= set(names) else [])]


def loss_rows(found: LossAccount) -> Iterator[Row]:
    """Every part of every system with its interval, and what repairs would reach."""
    for average in found.averages:
        yield {**average.row(), "measure": found.measure.title}
    for system, repairs in found.what_if.items():
        for one in repairs:
            yield {
                "system": system,
                "topic": "",
                "measure": found.measure.title,
                "part": f"what-if.{one.cause}",
                "value": one.value,
                "low": math.nan,
                "high": math.nan,
                "n": len(found.scores.topics),
            }


def difference_tables(found: SystemDifference) -> list[Table]:
    """Causes, topics that decide, and days."""
    tables = [_cause_table(found), _topic_table(found)]
    if found.days:
        tables.append(_day_table(found))
    if found.events:
        tables.append(_event_table(found))
    return tables


def _cause_table(found: SystemDifference) -> Table:
    """Every cause that plays a part, and the whole."""
    rows: list[Cells] = [_cause_row(cause) for cause in found.causes if _plays_part(cause)]
    whole = interval_cell(found.difference, found.low, found.high, "+.3f")
    rows.append(
        [
            found.measure.heading(found.part),
            *("", "", "", ""),
            whole,
            p_text(found.p),
        ]
    )
    sides = account_of(found.measure, found.part).sides
    shares = ", ".join(f"{side.title[0]}: share {side.whole}" for side in sides)
    notes = [
        f"A: {found.a} ({found.value_a:.3f}), B: {found.b} ({found.value_b:.3f}); {shares}",
        "A − B: what a cause adds to the difference; intervals and p of causes are corrected "
        "(Holm) for their number",
    ]
    by_chance = next((c for c in found.causes if not math.isnan(c.chance[0])), None)
    if by_chance:
        a, b = by_chance.chance
        notes.append(f"{by_chance.label}: by chance alone A has r {a:.3f} and B {b:.3f}")
    columns = ("cause", "A r", "B r", "A p", "B p", "A − B", "p")
    return Table.of("why", columns, rows, [*notes, *found.notes])


def _plays_part(cause: Cause) -> bool:
    shares = (*cause.recall, *cause.precision, cause.share)
    return any(abs(value) > ROUNDING for value in shares)


def _cause_row(cause: Cause) -> Cells:
    """One cause: its shares in both systems, and what it adds."""
    shares = (*cause.recall, *cause.precision)
    return [
        cause.label,
        *("" if math.isnan(value) else f"{value:.3f}" for value in shares),
        interval_cell(cause.share, cause.low, cause.high, "+.3f", best=cause.named),
        p_text(cause.p),
    ]


def _topic_table(found: SystemDifference) -> Table:
    """The topics that decide."""
    rows = []
    for one in found.topics[:TOPICS]:
        why = words_for(one.cause).label if one.cause else "–"
        figures = (format_number(one.a, ".3f"), format_number(one.b, ".3f"))
        rows.append((one.topic, *figures, f"{one.difference:+.3f}", why))
    left = len(found.topics) - len(rows)
    notes = [f"{left} more topics differ less"] if left > 0 else []
    return Table.of(
        "topics that decide", ("topic", "A", "B", "A − B", "mostly because"), rows, notes
    )


def _day_table(found: SystemDifference) -> Table:
    """The days on which the systems differ most, three rows each."""
    rows: list[Cells] = []
    for day in found.days:
        gain = f"{day.difference:+.3f}"
        rows.append(
            [f"{day.topic} {unbroken(str(day.when))}", gain, "reference", _quote(day.reference[0])]
        )
        for letter, said in (("A", day.a), ("B", day.b)):
            text = said.text or ((said.gap,) if said.when is None else ())
            rows.append(["", "", f"{letter}: {day_cause(day, said)}", _quote(text)])
    notes = ["A − B: in points of the topic's recall"]
    return Table.of("days where they differ most", ("day", "A − B", "who", "says"), rows, notes)


def _event_table(found: SystemDifference) -> Table:
    """The events, units or nuggets on which the systems differ most, three rows each."""
    rows: list[Cells] = []
    for one in found.events:
        name = one.topic if one.text == one.event else f"{one.topic} {one.event}"
        rows.append([name, f"{one.difference:+.3f}", "reference", _quote((one.text,))])
        for letter, said in (("A", one.a), ("B", one.b)):
            what = ", ".join(filter(None, (said.what, said.where)))
            rows.append(["", "", f"{letter}: {what}", _quote((said.text,) if said.text else ())])
    title = f"{found.things} where they differ most"
    notes = [f"A − B: as a share of what all {found.things} of the topic are worth"]
    return Table.of(title, (found.things.removesuffix("s"), "A − B", "who", "says"), rows, notes)


def day_cause(day: DayDifference, said: SystemDay) -> str:
    """What became of a reference's day in a system, in a few words."""
    if not said.cause:
        return "right day"
    if said.when is None and said.cause != "another_day":
        return "left out"
    apart = 0 if said.when is None else day.when.distance(said.when)
    if said.found > 0 and said.when is not None:
        return f"{_apart(apart)}, {said.found:.0%}"
    return _apart(apart) if apart else words_for(said.cause).label


def _apart(days: int) -> str:
    """How far the day that was compared is from the reference's."""
    return f"{days} {'day' if days == 1 else 'days'} off" if days else "right day"


def _quote(text: Sequence[str]) -> Cell:
    """A text, cut for a terminal."""
    whole = " ".join(text) or "–"
    return Cell(shorten(whole, QUOTED, placeholder=" …"), whole=whole)


def difference_rows(found: SystemDifference) -> Iterable[Row]:
    """The difference, its causes, topics and days as flat records of one shape."""
    what: Row = {"measure": found.measure.title, "part": found.part, "a": found.a, "b": found.b}
    blank: Row = {"topic": "", "day": "", "cause": "", "value_a": math.nan, "value_b": math.nan,
             "difference": math.nan, "low": math.nan, "high": math.nan, "p": math.nan,
             "named": "", "text": ""}  # fmt: skip

    def row(kind: str, a: float, b: float, difference: float, **own: Any) -> Row:
        values = {"value_a": a, "value_b": b, "difference": difference}
        return {"row": kind, **what, **blank, **values, **own}

    whole = {"low": found.low, "high": found.high, "p": found.p, "text": found.sentence}
    yield row("difference", found.value_a, found.value_b, found.difference, **whole)
    for cause in found.causes:
        rates = zip(cause.recall, cause.precision, strict=True)
        a, b = (recall if not math.isnan(recall) else precision for recall, precision in rates)
        chance = {"low": cause.low, "high": cause.high, "p": cause.p, "named": cause.named}
        yield row("cause", a, b, cause.share, cause=cause.name, **chance, text=cause.label)
    for topic in found.topics:
        named = {"topic": topic.topic, "cause": topic.cause}
        yield row("topic", topic.a, topic.b, topic.difference, **named)
    for day in found.days:
        yield row(
            "day",
            day.a.found,
            day.b.found,
            day.difference,
            topic=day.topic,
            day=str(day.when),
            cause=day.b.cause if day.difference > 0 else day.a.cause,
            text=" ".join(day.reference[0]),
        )
    for event in found.events:
        yield row(
            "event",
            event.a.share,
            event.b.share,
            event.difference,
            topic=event.topic,
            cause=event.b.what if event.difference > 0 else event.a.what,
            text=event.text,
        )


def draw_losses(found: LossAccount, side: Literal["recall", "precision"] = "recall") -> "Figure":
    """A stacked bar for each system."""
    from chronoscore.reports.plots import losses

    return losses.stacked(found, side)


def draw_difference(found: SystemDifference) -> "Figure":
    """What each cause adds to the difference."""
    from chronoscore.reports.plots import losses

    return losses.shares(found)


def _losses_page(found: LossAccount) -> str:
    """The bars as a page."""
    from chronoscore.reports.loss_page import losses_page

    return losses_page(found)


def _difference_page(found: SystemDifference) -> str:
    """Two systems as a page."""
    from chronoscore.reports.loss_page import difference_page

    return difference_page(found)


LOSSES: View[LossAccount] = View(
    tables=loss_tables,
    rows=loss_rows,
    draw=draw_losses,
    page=_losses_page,
    title="Where the points went",
)
DIFFERENCE: View[SystemDifference] = View(
    tables=difference_tables,
    rows=difference_rows,
    draw=draw_difference,
    page=_difference_page,
    title="Why they differ",
)
