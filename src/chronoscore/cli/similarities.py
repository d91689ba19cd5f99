"""`chronoscore similarities`: how alike the texts are that a measure compares."""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import progress, quiet_only, show
from chronoscore.options import Printing, ReadingRules


@click.command(cls=GreedyCommand)
@options.systems
@options.reference
@options.one_measure("pairs")
@options.printing_with_plot("Draw how alike the pairs are, topic by topic")
@quiet_only
@options.cache
@options.reading
def command(
    systems: tuple[Path, ...],
    references: tuple[Path, ...],
    measure: str,
    printing: Printing,
    reading: ReadingRules,
) -> None:
    """Compare every two texts that a measure compares, and print how alike they are.

    As JSON Lines this is a table for similarity=file: score with it where there is no model, or
    put the values of your own model into it.

    \b
    chronoscore similarities runs/* --reference gold/ -m 'pairs(similarity=embed)' \\
      -f jsonl -o values.jsonl
    chronoscore score runs/* --reference gold/ -m 'pairs(similarity=file(path=values.jsonl))'
    """
    from chronoscore.api.similarities import similarities

    with progress("reading"):
        result = similarities(systems, references, measure, reading=reading)
    show(result, printing)
