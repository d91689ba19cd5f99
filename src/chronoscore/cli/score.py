"""`chronoscore score`: how good is it?"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from chronoscore.cli import judged, options, pairs, project_files
from chronoscore.cli.derive import derive_one, grouped, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.streams import escape_json
from chronoscore.cli.talk import emit, flush_warnings, progress
from chronoscore.cli.targets import curve, plot, target
from chronoscore.errors import UsageError
from chronoscore.options import CurveOrder, PpiInterval, Printing, RowChoice
from chronoscore.options.scoring import MeasureOptions, ResultOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chronoscore.api.scores import ScoreResult
    from chronoscore.api.scoring import ScoreOptions
    from chronoscore.stats.thresholds import Figure, Threshold

ROW_FORMATS = ("json", "jsonl", "csv", "parquet")


@dataclass(frozen=True, kw_only=True)
class Views:
    """What else is made of the scores, and which rows are printed."""

    rows: RowChoice = "topics"
    plot: Path | None = None
    curve: Path | None = None
    curve_by: CurveOrder | None = None
    breakdown: Path | None = None
    ppi: PpiInterval | None = None

    def write(self, result: "ScoreResult") -> None:
        """Draw and write what was asked for."""
        if self.plot and result.ceilings:
            result.plot_ceilings(self.plot)
        elif self.plot:
            result.plot(path=self.plot)
        if self.curve:
            result.curve(self.curve, self.curve_by)
        if self.breakdown:
            result.breakdown(self.breakdown)


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Figures that must be reached or not passed, and where to report on them."""

    thresholds: tuple[str, ...] = ()
    upper: tuple[str, ...] = ()
    junit: Path | None = None

    def parse(self) -> "list[Threshold]":
        """The thresholds, read before any work."""
        if not self.thresholds and not self.upper:
            return []
        from chronoscore.stats.thresholds import Threshold

        return [
            *map(Threshold.parse, self.thresholds),
            *(Threshold.parse(text, upper=True) for text in self.upper),
        ]


views = grouped(
    "views",
    Views,
    option(
        "--rows",
        group="output",
        choices=["topics", "averages", "all", "runs"],
        default="topics",
        help="What json, jsonl and csv hold: topics, averages, both, or each run on each topic.",
    ),
    plot("Draw the systems with their intervals, or with --ceiling into their ceilings"),
    option(
        "--curve",
        group="judging",
        type=curve,
        help="Plot precision over recall, or a stream's growth, to this .png, .svg or .pdf, or "
        "write the figures to this .csv or .jsonl.",
    ),
    option(
        "--curve-by",
        group="judging",
        choices=["time", "rank"],
        help="Draw a stream's growth over time (default) or by rank of confidence.",
    ),
    option(
        "--breakdown",
        group="judging",
        type=target,
        help="Write each unit's or nugget's score, heaviest first, as CSV or JSON Lines.",
    ),
    judged.ppi,
)
gate = grouped(
    "gate",
    Gate,
    option(
        "--fail-under",
        "thresholds",
        group="output",
        multiple=True,
        metavar="[MEASURE=]VALUE",
        help="Exit with 1 and name what falls short if an average is below this, as in "
        "'align+.f=0.3'; repeat for several.",
    ),
    option(
        "--fail-over",
        "upper",
        group="output",
        multiple=True,
        metavar="[MEASURE=]VALUE",
        help="The same for measures of which less is better: exit with 1 if an average is above "
        "this, as in 'contradictions.total=5'.",
    ),
    option(
        "--junit",
        group="output",
        type=target,
        help="For --fail-under and --fail-over: write a test report (XML) for a build server.",
    ),
)


@click.command(cls=GreedyCommand)
@project_files.systems(options.source)
@judged.scoring
@options.printing
@option(
    "--resume",
    group="output",
    is_flag=True,
    help="Continue a stopped run with the same -o: finished blocks of records are not counted "
    "again.",
)
@derive_one(MeasureOptions, "jackknife")
@derive_one(
    ResultOptions,
    "humans",
    help="Score each reference's author too (with --jackknife).",
)
@options.ceiling
@judged.machine
@options.sort
@views
@gate
def command(
    systems: tuple[Path | str, ...],
    measures: tuple[str, ...],
    printing: Printing,
    views: Views,
    gate: Gate,
    sort: str | None,
    quiet: bool,
    **scoring: "Unpack[ScoreOptions]",
) -> int:
    """Score SYSTEMs against references.

    A SYSTEM is a text file (one sentence a line), a directory with a file for each topic,
    or JSON / JSON Lines of {"id", "system", "references"}. A file's name without its ending
    names the system or the topic. Files of records, also CSV or Parquet, are read block by
    block, whatever their size; they may be packed (.gz, .zst) or addresses that fsspec knows.

    \b
    chronoscore score mine.txt --reference gold1.txt gold2.txt
    chronoscore score runs/* --reference gold/ -m rouge2 -m 'rouge-l(stem)' -f csv
    chronoscore score runs/*/update --original gold/A --reference gold/B -m novelty
    chronoscore score records.parquet --column system=prediction -o scores.parquet --resume
    chronoscore score ranking.jsonl --judgements judged.jsonl -m nu@20 --curve nu.png
    chronoscore score chosen.jsonl --units units.jsonl -m pyramid@40 --breakdown missed.csv
    chronoscore score runs/* --judgements people/ --machine machine/ --ppi -m nu
    """
    output, file_format = printing.output, _format(printing, views)
    others = {"rows": views.rows != "topics", "output": output, "junit": gate.junit}
    others |= {"thresholds": bool(gate.thresholds or gate.upper)}
    pairs.check({**vars(views), **scoring, **others})
    from chronoscore.api import score_files
    from chronoscore.api.scoring import score

    thresholds = gate.parse()
    shards = None
    if output:
        from chronoscore.scoring.finished import clear_shards, shard_folder

        shards = shard_folder(output)
    with progress("reading", quiet) as show:
        scoring |= {"shards": shards, "progress": show}
        result = score(systems, measures=measures, **scoring).sort(sort)
        estimates = result.ppi(interval=views.ppi) if views.ppi else None
        if estimates is None:
            views.write(result)
        elif views.plot:
            estimates.plot(path=views.plot)
        if output is not None and estimates is None:
            result.save(output, file_format, views.rows)
    if estimates is not None:
        emit(estimates.render(printing.form), output)
        return check_figures(estimates.figures, thresholds, gate.junit)
    if output is None and file_format in ("jsonl", "csv"):
        flush_warnings()
        for piece in score_files.text_pieces(result.iterate_rows(views.rows), file_format):
            click.echo(escape_json(piece) if file_format == "jsonl" else piece, nl=False)
    elif output is None:
        emit(result.render(file_format, views.rows), None)
    if shards:
        clear_shards(shards)
    return check_figures(result.averages, thresholds, gate.junit)


def _format(printing: Printing, views: Views) -> str:
    """The format of the output: Parquet by its ending; only rows can be chosen."""
    file_format, output = printing.form, printing.output
    if output and output.suffix.lower() == ".parquet" and file_format == "table":
        file_format = "parquet"
    if views.rows != "topics" and file_format not in ROW_FORMATS:
        raise UsageError(
            f"`rows={views.rows!r}` is for -f json, jsonl or csv; add one or leave it out"
        )
    return file_format


def check_figures(
    figures: "Sequence[Figure]", bounds: "Sequence[Threshold]", junit: Path | None
) -> int:
    """Name every figure that fails its threshold; the exit code says whether any does."""
    if not bounds:
        return 0
    from chronoscore.reports import junit as test_report
    from chronoscore.stats import thresholds

    checks = thresholds.check(figures, bounds)
    if junit:
        test_report.write(checks, junit)
    short = [one for one in checks if one.short]
    for one in short:
        click.echo(f"chronoscore: {one}", err=True)
    return int(bool(short))
