"""Judged topics on the command line: where the judgements are, curves, and what was missed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.cli.options import file, stacked
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from chronoscore.core import Collection, Run
    from chronoscore.measures import Measure
    from chronoscore.stats.corpus import Resampling


sources = stacked(
    click.option(
        "--judgements",
        multiple=True,
        type=file,
        help="Judged events: .jsonl, a task's directory, or a folder of topics.",
    ),
    click.option(
        "--units",
        multiple=True,
        type=file,
        help="Content units, in the same form or from DUCView (.pyr, .pan).",
    ),
)
"""Where judgements and content units are; one option for either is enough."""

extras = stacked(
    click.option(
        "--curve", type=file, help="Plot precision over recall to this .png, .svg or .pdf."
    ),
    click.option(
        "--breakdown", type=file, help="Write each unit's score, heaviest first, as CSV or JSON."
    ),
)
"""What else can be made of judged topics."""


def judged_paths(chosen: Mapping[str, Any]) -> list[Path]:
    """All paths that judgements were named by."""
    return [*chosen.get("judgements", ()), *chosen.get("units", ())]


def usual(chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """The measures that are meant where judgements are named and no measure is."""
    events = ("nu", "nu(strict)", "u", "n") if chosen.get("judgements") else ()
    return events or ("pyramid",)


def refuse(chosen: Mapping[str, Any], measure: "Measure") -> None:
    """Refuse options of judged topics beside a measure that knows none."""
    for name in ("judgements", "units", "curve", "breakdown"):
        if chosen.get(name):
            raise UsageError(
                f"--{name} is for rankings of judged topics and '{measure}' scores a "
                f"{measure.needs.__name__.lower()}; leave it out, or name a measure as nu"
            )


def load(systems: Sequence[Path], chosen: Mapping[str, Any]) -> tuple["Collection", list["Run"]]:
    """Read judgements and rankings."""
    from chronoscore.formats.corpora import judged_topics

    paths = judged_paths(chosen)
    if not paths:
        raise UsageError("rankings are scored against judgements; give --judgements or --units")
    return judged_topics.load(systems, paths)


def write_extras(
    collection: "Collection",
    runs: Sequence["Run"],
    measures: Sequence["Measure"],
    chosen: Mapping[str, Any],
    how: "Resampling",
) -> None:
    """Draw the curve and write the breakdown, where they were asked for."""
    if chosen.get("curve"):
        from chronoscore.measures.streams.curves import curves
        from chronoscore.measures.streams.events import Nu
        from chronoscore.report.plots import draw

        first = next((m for m in measures if isinstance(m, Nu)), None)
        if first is None:
            raise UsageError("--curve draws nu; add -m nu or -m 'nu(strict)'")
        draw(curves(collection, runs, first.uncut), how, chosen["curve"])
    if chosen.get("breakdown"):
        from chronoscore.formats.io.files import write_text
        from chronoscore.report.rows import csv_rows, jsonl_rows, unit_rows

        rows = unit_rows(collection, runs, measures)
        path = chosen["breakdown"]
        write_text(path, csv_rows(rows) if path.suffix == ".csv" else jsonl_rows(rows))
