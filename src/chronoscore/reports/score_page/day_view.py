"""Dates covered by references and systems on one time axis, and what is missed most."""

import statistics
from collections import Counter
from collections.abc import Sequence
from html import escape

from chronoscore.core import Run, Timeline, Topic, When
from chronoscore.dates.days import calendar_day
from chronoscore.errors import plural
from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.tables import Cell, Table, html

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
        (run for run in contents.runs if run.system in order),
        key=lambda run: order.index(run.system),
    )
    charts = [(topic.id, day_chart(topic, runs)) for topic in topics]
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
    """How far a system's dates are off, if most of them are on no day of the references."""
    off = []
    for topic in topics:
        output = run.outputs.get(topic.id)
        wanted = {entry.when for one in topic.timelines for entry in one}
        if isinstance(output, Timeline) and wanted:
            off += [
                min((days_after(when, one) for one in wanted), key=lambda days: (abs(days), days))
                for when in output.dates
            ]
    missed = [days for days in off if days]
    if len(missed) <= len(off) / 2:
        return ""
    middle = statistics.median(missed)
    typical = f"{plural(round(abs(middle)), 'day')} {'late' if middle > 0 else 'early'}"
    typical = typical if abs(middle) >= 0.5 else "as often early as late"
    return (
        f"{len(missed)} of {len(off)} dates of {run.system} are on no day of the references; "
        f"these are {typical} (median)."
    )


def days_after(when: When, other: When) -> int:
    """How many days a date lies after another, negative if before; 0 if they overlap."""
    return when.distance(other) * (1 if when.first > other.first else -1)


def day_chart(topic: Topic, runs: Sequence[Run]) -> str:
    """A line of dots for the references and for each system."""
    wanted = sorted({entry.when for one in topic.timelines for entry in one})
    lines: list[tuple[str, Sequence[When], str]] = [("references", wanted, "wanted")]
    for run in runs:
        output = run.outputs.get(topic.id)
        if isinstance(output, Timeline):
            lines.append((run.system, output.dates, "dot"))
    days = [when for _, dates, _ in lines for when in dates]
    if not days:
        return ""
    low, high = min(when.first for when in days), max(when.last for when in days)
    span = max(1, high - low)

    def x(day: int) -> float:
        return LEFT + 12 + (WIDTH - LEFT - 34) * (day - low) / span

    parts = []
    for number, (name, dates, kind) in enumerate(lines):
        y = 18 + LINE * number
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{escape(clip(name))}</text>'
        )
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y}" y2="{y}"/>')
        parts += [mark_date(when, kind, x(when.first), x(when.last), y) for when in dates]
    bottom = 18 + LINE * len(lines)
    for tick in sorted({low + span * step // (TICKS - 1) for step in range(TICKS)}):
        parts.append(
            f'<text class="faint" x="{x(tick):.1f}" y="{bottom}" text-anchor="middle">'
            f"{label(tick, span)}</text>"
        )
    described = f"Dates covered on {topic.id} by the references and {len(lines) - 1} systems"
    chart = (
        f'<svg class="days" viewBox="0 0 {WIDTH} {bottom + 8}" role="img" '
        f'aria-label="{escape(described)}">{"".join(parts)}</svg>'
    )
    return scrollable(described, chart)


def mark_date(when: When, kind: str, left: float, right: float, y: int) -> str:
    """A dot for a day, a bar for a month or a year."""
    title = f"<title>{when}</title>"
    if when.grain == "day":
        return f'<circle class="{kind}" cx="{left:.1f}" cy="{y}" r="4">{title}</circle>'
    ends = f'x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}"'
    return f'<line class="{kind} span" {ends}>{title}</line>'


def clip(name: str) -> str:
    """A name that fits beside the chart."""
    return name if len(name) <= 18 else name[:17] + "…"


def label(day: int, span: int) -> str:
    """A tick: the year for long spans, the month for shorter ones, else the day."""
    year, month, number = calendar_day(day)
    name = MONTHS[3 * month - 3 : 3 * month]
    if span > 6 * 365:
        return f"{year}" if year > 0 else f"{1 - year} BC"
    return f"{name} {year}" if span > 150 else f"{number} {name}"


def missed_days(contents: Contents) -> str:
    """The references' days that the fewest systems tell, with their text; empty without any."""
    if contents.collection is None:
        return ""
    found: list[tuple[int, int, str, When, str]] = []
    for topic in contents.collection:
        outputs = [run.outputs.get(topic.id) for run in contents.runs if not run.human]
        told = Counter(
            when for output in outputs if isinstance(output, Timeline) for when in set(output.dates)
        )
        entries = {entry.when: entry for one in reversed(topic.timelines) for entry in one}
        wanted = Counter(entry.when for one in topic.timelines for entry in one)
        for when, entry in sorted(entries.items()):
            missing = len(outputs) - told[when]
            if missing:
                found.append((missing, wanted[when], topic.id, when, " ".join(entry.sentences)))
    if not found:
        return ""
    # Days that most references have come first among those that as many systems miss.
    found.sort(key=lambda one: (-one[0], -one[1], one[2], one[3]))
    systems = sum(not run.human for run in contents.runs)
    rows = tuple(
        (
            Cell(f"{topic}, {when}" if len(contents.collection) > 1 else str(when)),
            Cell(f"{missing} of {systems} systems"),
            Cell(text if len(text) <= 110 else text[:107] + "…"),
        )
        for missing, _, topic, when, text in found[:MISSED]
    )
    return html(Table("", ("day", "missed by", "what the reference says"), rows))
