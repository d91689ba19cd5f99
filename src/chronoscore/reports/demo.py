"""Drawings and tables that only the demo shows: ceilings, shares, oracles, projection."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape

from chronoscore.measures import Measure
from chronoscore.oracles.ceilings import Ceilings, mean_bounds
from chronoscore.oracles.timeline_search import TimelineOracle
from chronoscore.reports.chart import Across, chart_bar, row_chart
from chronoscore.reports.tables import Cell, Table
from chronoscore.systems.projection import Effect
from chronoscore.text.preparation import Limit


def share_table(
    measure: str, budget: Limit, recall: Mapping[str, float], found: Sequence[Ceilings]
) -> Table:
    """Every system's mean recall, also as shares of the mean ceilings."""
    means = mean_bounds(found)
    rows = [
        (system, f"{value:.4f}", *(f"{value / mean:.0%}" for mean in means.values()))
        for system, value in recall.items()
    ]
    rows.append(("ceiling", "", *(f"{mean:.4f}" for mean in means.values())))
    notes = (
        f"recall of the first {budget.size} words; mean over {len(found)} topics, "
        "each as a share of the mean ceiling",
        "extractive: the best choice of the articles' sentences, the last one cut",
    )
    return Table.of("", ("system", measure, *(f"of {kind}" for kind in means)), rows, notes)


def ceiling_chart(found: Sequence[Ceilings], measure: Measure) -> str:
    """Three marks for each topic on one axis from 0."""

    def marks(one: Ceilings, x: Across, y: float) -> Iterator[str]:
        yield chart_bar(x(one.human), x(one.any_text), y)
        yield _circle(x(one.human), y, f"people {one.human:.4f}")
        yield _square(x(one.extractive), y, f"extractive {one.extractive:.4f}")
        yield _diamond(x(one.any_text), y, f"any text {one.any_text:.4f}")

    label = f"{measure} recall: people (circle), extractive (square), any text (diamond)"
    rows = [(one.topic, partial(marks, one)) for one in found]
    top = max(one.any_text_bound for one in found)
    return f'{row_chart(label, rows, top)}<p class="note">{escape(label)}</p>'


def _circle(x: float, y: float, text: str) -> str:
    """A circle that shows a text when pointed at."""
    return (
        f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="4.5"><title>{escape(text)}</title></circle>'
    )


def _square(x: float, y: float, text: str, turn: str = "") -> str:
    """A square that shows a text when pointed at."""
    corner = f'x="{x - 4:.1f}" y="{y - 4:.1f}"'
    title = f"<title>{escape(text)}</title>"
    return f'<rect class="dot" {corner} width="8" height="8"{turn}>{title}</rect>'


def _diamond(x: float, y: float, text: str) -> str:
    """A square on its corner that shows a text when pointed at."""
    return _square(x, y, text, f' transform="rotate(45 {x:.1f} {y})"')


def oracle_table(pairs: Sequence[tuple[str, TimelineOracle, TimelineOracle]]) -> Table:
    """Value and bound of each reference's oracles by agreement and by align+."""
    rows = [
        (
            f"{topic}, {one.reference}",
            *(f"{value:.4f}" for value in (one.value, one.bound, other.value, other.bound)),
        )
        for topic, one, other in pairs
    ]
    columns = ("reference", "agreement.f", "bound", "align+.f", "bound")
    return Table.of(
        "", columns, rows, ["as many dates, and sentences a date, as the reference has"]
    )


def effect_table(effect: Effect) -> Table:
    """R(AB) and R(BB) of both systems, and what changes."""
    rows: list[tuple[Cell, ...]] = [
        (Cell(name), Cell(f"{old:.4f}"), Cell(f"{new:.4f}"))
        for name, (old, new) in zip(
            ("classy", "projected-classy"), effect.means.tolist(), strict=True
        )
    ]
    bounds = zip(effect.change.tolist(), effect.low.tolist(), effect.high.tolist(), strict=True)
    changes = (Cell(f"{by:+.4f}", f"[{low:+.4f}, {high:+.4f}]") for by, low, high in bounds)
    rows.append((Cell("change"), *changes))
    notes = (
        "ROUGE-2 recall against what was known before (AB) and against the update (BB)",
        f"[low, high]: 95% interval of the change, Student's t, over {len(effect.topics)} topics",
    )
    return Table("", ("system", "R(AB)", "R(BB)"), tuple(rows), notes)
