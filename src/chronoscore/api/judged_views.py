"""Views of judged topics: precision-recall curves, and what was missed."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from chronoscore.core import Collection, Ranking, Row, Run
from chronoscore.data import refusals
from chronoscore.errors import UsageError
from chronoscore.formats.io.files import write_text
from chronoscore.measures import Measure
from chronoscore.measures.streams.curves import precision_recall_curves
from chronoscore.measures.streams.events import Nu
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.streams.stream_curves import CurveOrder, curve_rows, stream_curves
from chronoscore.options import Resampling
from chronoscore.reports.rows import as_csv, as_jsonl
from chronoscore.stats.curve_bands import band_rows

TABLES = (".csv", ".jsonl")
"""Endings of curves that are written as figures."""


def _refuse(view: str, measure: Measure) -> None:
    """Refuse a view of judged topics of a measure that scores something else."""
    if measure.needs is not Ranking:
        refusals.refuse(view, "texts", measure)


def draw_curve(
    collection: Collection,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    how: Resampling,
    path: Path,
    by: CurveOrder | None = None,
) -> None:
    """Plot precision over recall of rankings, or the growth of a stream, or write the figures."""
    from chronoscore.reports import plots
    from chronoscore.reports.plots import curves

    _refuse("curve", measures[0])
    first = next((m for m in measures if isinstance(m, Nu | Stream)), None)
    if first is None:
        raise UsageError("`curve` draws nu or stream; score one of these measures")
    if isinstance(first, Stream):
        _draw_stream_curve(collection, runs, first, path, by or "time")
        return
    if by is not None:
        raise UsageError(
            f"`curve_by={by!r}` is for streams; leave it out, or score the measure stream"
        )
    found = precision_recall_curves(collection, runs, first.uncut)
    if path.suffix.lower() in TABLES:
        _write_rows(band_rows(found, how), path)
        return
    plots.save(curves.of_systems(found, how), path)


def _draw_stream_curve(
    collection: Collection, runs: Sequence[Run], measure: Stream, path: Path, by: CurveOrder
) -> None:
    """Plot how a stream's score grows, or write its figures after each update as a table."""
    from chronoscore.reports import plots
    from chronoscore.reports.plots import curves

    found = stream_curves(collection, runs, measure, by)
    if path.suffix.lower() in TABLES:
        _write_rows(curve_rows(found, measure, by), path)
        return
    plots.save(curves.of_streams(found, measure, by), path)


def write_breakdown(
    collection: Collection, runs: Sequence[Run], measures: Sequence[Measure], path: Path
) -> None:
    """Write each unit's or nugget's score, heaviest first, as CSV or JSON Lines."""
    # Explanations import every measure; only a breakdown pays for it.
    from chronoscore.explanations import breakdown

    _refuse("breakdown", measures[0])
    _write_rows(breakdown.rows(collection, runs, measures), path)


def _write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write records as CSV, or as JSON Lines whatever else the file is called."""
    write_text(path, as_csv(rows) if path.suffix.lower() == ".csv" else as_jsonl(rows))
