"""`chronoscore similarities`: how alike the texts are that a measure compares."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress, quiet
from chronoscore.cli.targets import plot

if TYPE_CHECKING:
    from chronoscore.formats.corpora.unreadable import ReadingRules


@click.command(cls=GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.file, metavar="SYSTEM...")
@options.reference
@options.one_measure("pairs")
@options.printed
@plot("Draw how alike the pairs are, topic by topic")
@quiet
@options.cache
@options.reading
def command(
    systems: tuple[Path, ...],
    references: tuple[Path, ...],
    measure: str,
    printing: Printing,
    plot: Path | None,
    quiet: bool,
    reading: "ReadingRules",
) -> None:
    """Compare every two texts that a measure compares, and print how alike they are.

    As JSON Lines this is a table for similarity=file: score with it where there is no model, or
    put the values of your own model into it.

    \b
    chronoscore similarities runs/* --reference gold/ -m 'pairs(similarity=embed)' \\
      -f jsonl -o values.jsonl
    chronoscore score runs/* --reference gold/ -m 'pairs(similarity=file(path=values.jsonl))'
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.similarities import similarities

    with progress("reading", quiet):
        result = similarities(systems, references, measure, reading=reading)
        if plot:
            result.plot(plot)
        text = result.render(printing.form)
    emit(text, printing.output)
