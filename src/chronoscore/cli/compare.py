"""`chronoscore compare`: is one system really better than another?"""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import judged, options
from chronoscore.cli.options import emit, pool_of, progress
from chronoscore.errors import UsageError


@click.command(cls=options.GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.file, metavar="SYSTEM...")
@options.reference
@judged.sources
@options.original
@options.common
@options.resampling
@options.compat
@click.option("--baseline", help="Compare every system with this one only.")
@click.option("--trials", default=9999, show_default=True, help="Swaps of the randomisation test.")
@click.option("--per-topic", is_flag=True, help="Add each topic's differences.")
def command(systems: tuple[Path, ...], references: tuple[Path, ...], **chosen: Any) -> None:
    """Compare SYSTEMs pairwise on the same topics.

    Approximate randomisation swaps two systems' records topic by topic (exact where there
    are at most 13 topics); p-values are Holm-corrected over all pairs; differences carry
    bootstrap intervals and effect sizes. A letter in a cell names a system that is
    significantly worse.

    \b
    chronoscore compare runs/* --reference gold/ -m rouge2
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.work import ROW_FORMATS, drawn, scored
    from chronoscore.report import comparison as said
    from chronoscore.report.page import page
    from chronoscore.report.scores import score_table

    if chosen["trials"] < 1:
        raise UsageError(f"--trials {chosen['trials']}: write 1 or more")
    with progress("scoring", chosen["quiet"]) as told, pool_of(chosen) as pool:
        result = scored(systems, references, chosen, executor=pool, progress=told)
    found = said.compare_all(
        result.scores, result.how, baseline=chosen["baseline"], trials=chosen["trials"]
    )
    form = chosen["form"]
    if form in ROW_FORMATS:
        emit(ROW_FORMATS[form]([row for item in found for row in item.rows()]), chosen["output"])
        return
    notes = said.explained(found, result.how)
    shown = [f for f in result.averages if f.part in said.main_parts(f.measure)]
    tables = [
        score_table(
            result.scores,
            shown,
            result.how,
            marks=said.marks(result.scores, found),
            notes=notes,
            lettered=True,
        ),
        said.pair_table(found),
    ]
    if chosen["per_topic"]:
        tables.append(said.topic_table(result.scores, found))
    if form == "html":
        emit(page("Comparison", [("", table) for table in tables]), chosen["output"])
    else:
        emit("\n".join(drawn(table, form) for table in tables), chosen["output"])
