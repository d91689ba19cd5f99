"""`chronoscore score`: how good is it?"""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import ceiling, judged, options
from chronoscore.cli.options import emit, pool_of, progress


@click.command(cls=options.GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.file, metavar="SYSTEM...")
@options.reference
@judged.sources
@options.original
@options.common
@options.resampling
@options.compat
@click.option("--jackknife", is_flag=True, help="Leave one reference out at a time.")
@click.option(
    "--humans", is_flag=True, help="Score each reference's author too (with --jackknife)."
)
@click.option(
    "--rows",
    "wanted",
    type=click.Choice(["topics", "averages", "all"]),
    default="topics",
    show_default=True,
    help="What json, jsonl and csv hold.",
)
@ceiling.ceiling
@judged.extras
@click.option("--fail-under", type=float, help="Exit with 1 if any average is below this.")
def command(systems: tuple[Path, ...], references: tuple[Path, ...], **chosen: Any) -> int:
    """Score SYSTEMs against references.

    A SYSTEM is a text file (one sentence a line), a directory with a file for each topic,
    or JSON / JSON Lines of {"id", "system", "references"}. A file's name without its ending
    names the system or the topic.

    \b
    chronoscore score mine.txt --reference gold1.txt gold2.txt
    chronoscore score runs/* --reference gold/ -m rouge2 -m 'rouge-l(stem)' -f csv
    chronoscore score runs/*/update --original gold/A --reference gold/B -m novelty
    chronoscore score ranking.jsonl --judgements judged.jsonl -m nu@20 --curve nu.png
    chronoscore score chosen.jsonl --units units.jsonl -m pyramid@40 --breakdown missed.csv
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.work import printed, scored

    with progress("scoring", chosen["quiet"]) as told, pool_of(chosen) as pool:
        result = scored(systems, references, chosen, executor=pool, progress=told)
    emit(printed(result, chosen["form"], chosen["wanted"]), chosen["output"])
    limit = chosen["fail_under"]
    return int(limit is not None and any(not a.value >= limit for a in result.averages))
