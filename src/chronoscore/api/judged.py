"""Rankings of judged topics: where judgements are, precision-recall curves, missed units."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from chronoscore.api.inputs import as_collection, as_runs, is_argument_missing
from chronoscore.api.results import as_path
from chronoscore.api.values import are_path_arguments, as_paths
from chronoscore.core import Collection, Ranking, Run
from chronoscore.errors import UsageError
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.corpora.trects import TaskOptions
from chronoscore.formats.io.files import write_text
from chronoscore.measures import Measure, Nu
from chronoscore.measures.streams.curves import precision_recall_curves
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.streams.stream_curves import CurveOrder, curve_rows, stream_curves
from chronoscore.reports.rows import csv_rows, jsonl_rows, unit_rows
from chronoscore.stats.corpus import Resampling


@dataclass(frozen=True)
class Sources:
    """Where judgements and content units are."""

    judgements: Sequence[Path] = ()
    units: Sequence[Path] = ()
    task: TaskOptions | None = None

    @property
    def paths(self) -> list[Path]:
        """All paths that judgements were named by."""
        return [*self.judgements, *self.units]

    @property
    def usual_measures(self) -> tuple[str, ...]:
        """The measures that are meant where judgements are named and no measure is."""
        if self.judgements:
            return ("nu", "nu(strict)", "u", "n")
        return ("pyramid",) if self.units else ()

    def refuse(self, measure: Measure) -> None:
        """Refuse judgements beside a measure that has no use for them."""
        if self.judgements or self.units:
            refuse_judged("judgements" if self.judgements else "units", measure)
        if self.task:
            refuse_judged("matches" if self.task.matches else "duplicates", measure)


def refuse_judged(option: str, measure: Measure) -> None:
    """Refuse an option of judged topics beside a measure that scores something else."""
    if measure.needs is not Ranking:
        raise UsageError(
            f"--{option} is for rankings of judged topics and '{measure}' scores a "
            f"{measure.needs.__name__.lower()}; leave it out, or name a measure as nu"
        )


def load_judged_arguments(
    systems: Any, references: Any, sources: Sources
) -> tuple[Collection, list[Run]]:
    """Read judgements and rankings."""
    if not sources.paths and (is_argument_missing(references) or are_path_arguments(references)):
        raise UsageError("rankings are scored against judgements; give --judgements or --units")
    if sources.paths and are_path_arguments(systems):
        return judged_topics.load(as_paths(systems), sources.paths, task=sources.task)
    if sources.paths:
        collection = judged_topics.load((), sources.paths, task=sources.task)[0]
    else:
        collection = as_collection(references, Ranking)
    return collection, as_runs(systems, collection, Ranking)


def task_options(
    matches: "str | PathLike[str] | None", duplicates: "str | PathLike[str] | None"
) -> TaskOptions | None:
    """What was said about a task's directory, if anything."""
    if matches is None and duplicates is None:
        return None
    return TaskOptions(*(None if path is None else as_path(path) for path in (matches, duplicates)))


def load_pool(pool: Any, collection: Collection) -> list[Run]:
    """Read runs that only say when they told something."""
    if is_argument_missing(pool):
        return []
    if are_path_arguments(pool):
        paths = as_paths(pool)
        return [
            run
            for path in paths
            for run in judged_topics.load_judged_runs(path, [*collection.topics])
        ]
    return as_runs(pool, collection, Ranking)


def draw_curve(
    collection: Collection,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    how: Resampling,
    path: Path,
    by: CurveOrder | None = None,
) -> None:
    """Plot precision over recall of a ranking, or the growth of a stream."""
    from chronoscore.reports.plots import plot_curves

    refuse_judged("curve", measures[0])
    first = next((m for m in measures if isinstance(m, Nu | Stream)), None)
    if first is None:
        raise UsageError("--curve draws nu or stream; add -m nu, -m 'nu(strict)' or -m stream")
    if isinstance(first, Stream):
        _draw_stream_curve(collection, runs, first, path, by or "time")
        return
    if by is not None:
        raise UsageError(f"--curve-by {by} is for streams; leave it out, or add -m stream")
    plot_curves(precision_recall_curves(collection, runs, first.uncut), how, path)


def _draw_stream_curve(
    collection: Collection, runs: Sequence[Run], measure: Stream, path: Path, by: CurveOrder
) -> None:
    """Plot how a stream's score grows, or write its figures after each update as a table."""
    from chronoscore.reports.plots import plot_stream_curves

    found = stream_curves(collection, runs, measure, by)
    if path.suffix.lower() in (".csv", ".jsonl"):
        rows = curve_rows(found, measure, by)
        write_text(path, csv_rows(rows) if path.suffix.lower() == ".csv" else jsonl_rows(rows))
        return
    plot_stream_curves(found, measure, by, path)


def write_breakdown(
    collection: Collection, runs: Sequence[Run], measures: Sequence[Measure], path: Path
) -> None:
    """Write each unit's or nugget's score, heaviest first, as CSV or JSON Lines."""
    refuse_judged("breakdown", measures[0])
    rows = unit_rows(collection, runs, measures)
    write_text(path, csv_rows(rows) if path.suffix.lower() == ".csv" else jsonl_rows(rows))
