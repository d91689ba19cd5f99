"""`chronoscore check`: does a measure notice what it should?"""

from pathlib import Path

import click

from chronoscore.api.options import Compat, Printing
from chronoscore.cli import options
from chronoscore.cli.options import emit, progress


@click.command()
@click.argument("measures", nargs=-1, metavar="[MEASURE]...")
@click.option(
    "--on",
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
@options.jobs
@options.quiet
def command(
    measures: tuple[str, ...],
    gold: tuple[Path, ...],
    articles: Path | None,
    shifts: tuple[int, ...],
    compat: Compat | None,
    strict: bool,
    printing: Printing,
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
    emit(result.render(printing.form), printing.output)
    return int(bool(result.faults(known=strict)))
