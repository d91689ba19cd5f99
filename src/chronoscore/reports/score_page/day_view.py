"""Dates covered by references and systems on one time axis, and what is missed most."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from chronoscore.core import Run, Timeline, Topic, When
from chronoscore.dates.days import calendar_day
from chronoscore.errors import number_with_noun
from chronoscore.explanations import missed
from chronoscore.explanations.dates import reference_dates
from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.tables import Cell, Table

WIDTH, LEFT, LINE = 720, 130, 26
TICKS = 6
SYSTEMS = 12
"""Systems that a chart of days shows, the best ones first."""
MISSED = 10
MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


def day_charts(contents: Contents) -> str:
    """A chart for each topic with timelines, one shown at a time; empty without any."""
    if contents.collection is None:
        return ""
    topics = [topic for topic in contents.collection if topic.timelines]
    order = [one.system for one in contents.boards[0].figures][:SYSTEMS]
    runs = sorted(
        (run for run in contents.shown_runs if run.system in order),
        key=lambda run: order.index(run.system),
    )
    charts = [(topic.id, _day_chart(topic, runs)) for topic in topics]
    if not charts:
        return ""
    choices = "".join(f"<option>{escape(name)}</option>" for name, _ in charts)
    chooser = f'<p><label>Topic <select data-chooses="days">{choices}</select></label></p>'
    parts = "".join(
        f'<div data-days="{escape(name)}"{" hidden" if number else ""}>{chart}</div>'
        for number, (name, chart) in enumerate(charts)
    )
    notes = [sentence for run in runs if (sentence := dated_elsewhere(run, topics))]
    if len(contents.scores.systems) > len(order):
        notes.append(f"The chart shows the best {SYSTEMS} systems.")
    note = f'<p class="note">{escape(" ".join(notes))}</p>' if notes else ""
    return (chooser if len(charts) > 1 else "") + parts + note


def dated_elsewhere(run: Run, topics: Sequence[Topic]) -> str:
    """How many of a system's dates the references have, if they are less than half."""
    shared, total = missed.count_shared_dates(run, topics)
    if 2 * shared >= total:
        return ""
    dates = number_with_noun(total, "date")
    return f"Only {shared} of {dates} of {run.system} are dates of the references."


class DayLine(NamedTuple):
    """The dates of the references or of a system."""

    name: str
    dates: Sequence[When]
    style: str


class DayAxis(NamedTuple):
    """A time axis from the first day to the last."""

    low: int
    high: int

    @property
    def span(self) -> int:
        """How many days lie between both ends."""
        return max(1, self.high - self.low)

    def x(self, day: int) -> float:
        """Where a day is on the drawing."""
        return LEFT + 12 + (WIDTH - LEFT - 34) * (day - self.low) / self.span


def _day_chart(topic: Topic, runs: Sequence[Run]) -> str:
    """A line of dots for the references and for each system."""
    outputs = [(run.system, run.outputs.get(topic.id)) for run in runs]
    lines = [DayLine("references", reference_dates(topic), "day wanted")]
    lines += [DayLine(name, one.dates, "day") for name, one in outputs if isinstance(one, Timeline)]
    all_dates = [when for line in lines for when in line.dates]
    if not all_dates:
        return ""
    axis = DayAxis(min(when.first for when in all_dates), max(when.last for when in all_dates))
    bottom = 18 + LINE * len(lines)
    drawn = [_day_line(line, axis, 18 + LINE * number) for number, line in enumerate(lines)]
    described = f"Dates covered on {topic.id} by the references and {len(lines) - 1} systems"
    chart = (
        f'<svg class="days" viewBox="0 0 {WIDTH} {bottom + 8}" role="img" '
        f'aria-label="{escape(described)}">{"".join(drawn)}{_ticks(axis, bottom)}</svg>'
    )
    return scrollable(described, chart)


def _day_line(line: DayLine, axis: DayAxis, y: int) -> str:
    """A name, a line, and a dot for each day or a bar for each longer date."""
    days = "".join(f"M{axis.x(d.first):.0f} {y}h0" for d in line.dates if d.grain == "day")
    spans = "".join(
        f"M{axis.x(d.first):.0f} {y}H{axis.x(d.last):.0f}" for d in line.dates if d.grain != "day"
    )
    title = f"<title>{escape(', '.join(map(str, line.dates)))}</title>"
    paths = "".join(
        f'<path class="{line.style}{style}" d="{path}">{title}</path>'
        for path, style in ((spans, " span"), (days, ""))
        if path
    )
    return (
        f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{escape(_clip(line.name))}</text>'
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y}" y2="{y}"/>{paths}'
    )


def _ticks(axis: DayAxis, bottom: int) -> str:
    """Dates below the chart."""
    ticks = sorted({axis.low + axis.span * step // (TICKS - 1) for step in range(TICKS)})
    return "".join(
        f'<text class="faint" x="{axis.x(tick):.1f}" y="{bottom}" text-anchor="middle">'
        f"{_label(tick, axis.span)}</text>"
        for tick in ticks
    )


def _clip(name: str) -> str:
    """A name that fits beside the chart."""
    return name if len(name) <= 18 else name[:17] + "…"


def _label(day: int, span: int) -> str:
    """A tick: the year for long spans, the month for shorter ones, else the day."""
    year, month, number = calendar_day(day)
    name = MONTHS[3 * month - 3 : 3 * month]
    if span > 6 * 365:
        return f"{year}" if year > 0 else f"{1 - year} BC"
    return f"{name} {year}" if span > 150 else f"{number} {name}"


def missed_most(contents: Contents) -> str:
    """The dates, events or units that most systems miss, with their text; empty without any."""
    found = missed.by_most_systems(
        contents.collection or (), contents.shown_runs, contents.scores.measures
    )
    if not found:
        return ""
    systems = sum(not run.human for run in contents.shown_runs)
    alone = len(contents.scores.topics) == 1
    rows = tuple(
        (
            Cell(one.name if alone else f"{one.topic}, {one.name}"),
            Cell(f"{one.systems} of {number_with_noun(systems, 'system')}"),
            Cell(one.text if len(one.text) <= 110 else one.text[:107] + "…"),
        )
        for one in found[:MISSED]
    )
    return Table("", ("what", "missed by", "text"), rows).html()
