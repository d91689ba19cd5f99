"""`chronoscore score`: how good is it?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.api.options import (
    CeilingLength,
    Printing,
    RowChoice,
)
from chronoscore.cli import judged, options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, flush_warnings, progress
from chronoscore.cli.targets import plot, target
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chronoscore.api.thresholds import Threshold
    from chronoscore.measures.streams.stream_curves import CurveOrder
    from chronoscore.reports.ppi import PoweredFigure
    from chronoscore.stats.corpus import Average
    from chronoscore.stats.ppi import PoweredInterval


@click.command(cls=GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.source, metavar="SYSTEM...")
@judged.scored
@options.printed
@options.column
@click.option(
    "--resume",
    is_flag=True,
    help="Go on where a run with the same -o was stopped: blocks of records that were finished "
    "are not counted again.",
)
@click.option("--jackknife", is_flag=True, help="Leave one reference out at a time.")
@click.option(
    "--humans", is_flag=True, help="Score each reference's author too (with --jackknife)."
)
@click.option(
    "--rows",
    "which",
    type=click.Choice(["topics", "averages", "all"]),
    default="topics",
    show_default=True,
    help="What json, jsonl and csv hold.",
)
@options.ceiling
@plot("Draw the systems with their intervals, or with --ceiling into their ceilings")
@judged.extras
@judged.powered
@click.option(
    "--fail-under",
    "thresholds",
    multiple=True,
    metavar="[MEASURE=]VALUE",
    help="Exit with 1 and name what falls short if an average is below this, as in "
    "'align+.f=0.3'; repeat for several.",
)
@click.option(
    "--junit",
    type=target,
    help="For --fail-under: write a test report (XML) for a build server.",
)
def command(
    systems: tuple["Path | str", ...],
    measures: tuple[str, ...],
    printing: Printing,
    quiet: bool,
    columns: "dict[str, Any] | None",
    resume: bool,
    jackknife: bool,
    humans: bool,
    which: RowChoice,
    ceiling: CeilingLength | None,
    documents: Path | None,
    plot: Path | None,
    curve: Path | None,
    curve_by: "CurveOrder | None",
    breakdown: Path | None,
    machine: tuple[str, ...],
    ppi: "PoweredInterval | None",
    sampled: bool,
    thresholds: tuple[str, ...],
    junit: Path | None,
    **scoring: Any,
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
    judged.check_powered(
        machine,
        ppi,
        sampled,
        ceiling=ceiling,
        humans=humans,
        jackknife=jackknife,
        curve=curve,
        breakdown=breakdown,
        rows=which if which != "topics" else None,
    )
    form, output = printing.form, printing.output
    if output and output.suffix.lower() == ".parquet" and form == "table":
        form = "parquet"
    if which != "topics" and form not in ("json", "jsonl", "csv", "parquet"):
        raise UsageError(f"--rows {which} is for -f json, jsonl or csv; add one or leave it out")
    if curve_by and not curve:
        raise UsageError("--curve-by says how --curve is drawn; add --curve FILE")
    if resume and output is None:
        raise UsageError("--resume goes on with a file that is written; add -o FILE")
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.score_files import result_text_pieces
    from chronoscore.api.scoring import score
    from chronoscore.api.shards import clear_shards, shard_folder
    from chronoscore.api.thresholds import Threshold

    least = [Threshold.parse(text) for text in thresholds]
    if junit and not least:
        raise UsageError("--junit reports on --fail-under; add that")
    shards = shard_folder(output) if output else None

    with progress("reading", quiet) as show:
        result = score(
            systems,
            measures=measures or None,
            machine=machine or None,
            sampled=sampled,
            jackknife=jackknife,
            humans=humans,
            ceiling=ceiling or False,
            documents=documents,
            columns=columns,
            shards=shards,
            resume=resume,
            progress=show,
            **scoring,
        )
        powered = result.ppi(interval=ppi) if ppi else None
        if plot and powered:
            powered.plot(path=plot)
        elif plot and ceiling:
            result.plot_ceilings(plot)
        elif plot:
            result.plot(path=plot)
        if curve:
            result.curve(curve, curve_by)
        if breakdown:
            result.breakdown(breakdown)
        if output is not None and not powered:
            result.save(output, form, which)
    if powered:
        emit(powered.render(printing.form), output)
        return check_figures(powered.figures, least, junit)
    if output is None and form in ("jsonl", "csv"):
        flush_warnings()
        for piece in result_text_pieces(result.iterate_rows(which), form):
            click.echo(piece, nl=False)
    elif output is None:
        emit(result.render(form, which), None)
    if shards:
        clear_shards(shards)
    return check_figures(result.averages, least, junit)


def check_figures(
    figures: "Sequence[Average | PoweredFigure]", least: "Sequence[Threshold]", junit: Path | None
) -> int:
    """Name every figure that falls short; the exit code says whether any does."""
    from chronoscore.api.thresholds import check_thresholds, write_junit

    checked = check_thresholds(figures, least)
    if junit:
        write_junit(checked, junit)
    short = [one for one in checked if one.short]
    for one in short:
        click.echo(f"chronoscore: {one}", err=True)
    return int(bool(short))
