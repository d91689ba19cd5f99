"""`chronoscore check`: does a measure notice what it should?"""

from pathlib import Path

import click

from chronoscore.api.options import Compat, Printing
from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot


@click.command(cls=GreedyCommand)
@click.argument("measures", nargs=-1, metavar="[MEASURE]...", shell_complete=complete_measures)
@click.option(
    "--on",
    "-r",
    "--reference",
    "gold",
    multiple=True,
    required=True,
    type=options.file,
    help="Timelines to damage: a file, a directory or a collection; may be repeated.",
)
@click.option(
    "--articles", type=options.file, help="Articles for the added day: DIR/TOPIC/articles.jsonl."
)
@click.option(
    "--shift",
    "shifts",
    multiple=True,
    type=int,
    default=(1, 5),
    show_default=True,
    help="Days to move all dates by; may be repeated.",
)
@options.compat
@click.option("--strict", is_flag=True, help="Exit with 1 for known faults too.")
@options.printed
@plot("Draw what each damage changes")
@options.jobs
@options.talk
def command(
    measures: tuple[str, ...],
    gold: tuple[Path, ...],
    articles: Path | None,
    shifts: tuple[int, ...],
    compat: Compat | None,
    strict: bool,
    printing: Printing,
    plot: Path | None,
    jobs: int,
    quiet: bool,
) -> int:
    """Damage timelines in known ways and see what each MEASURE makes of it.

    Every reference timeline is compared with damaged copies of itself: a date removed or
    added, two merged, all shifted, texts swapped, split, duplicated, shuffled or halved.
    Without a MEASURE the five of the paper are checked; module:function checks your own.
    The exit code is 1 if a measure fails an expectation that it does not state as known.

    \b
    chronoscore check --on gold/ --compat paper
    chronoscore check 'align+(n=2)' my_module:my_measure --on gold/ --shift 1 --shift 7
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.check import USUAL, check

    with progress("checking", quiet) as show:
        result = check(
            measures or USUAL,
            gold,
            articles=articles,
            shifts=shifts,
            compat=compat,
            jobs=jobs,
            progress=show,
        )
        if plot:
            result.plot(plot)
        text = result.render(printing.form)
    emit(text, printing.output)
    return int(bool(result.faults(known=strict)))
