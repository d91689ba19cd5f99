"""`chronoscore check`: does a measure notice what it should?"""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.derive import derive, files, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import is_quiet, progress, show
from chronoscore.cli.targets import Folder
from chronoscore.errors import UsageError, number_with_noun
from chronoscore.options import Compat, Printing
from chronoscore.options.checks import Altering


@click.command(cls=GreedyCommand)
@click.argument("measures", nargs=-1, metavar="[MEASURE]...", shell_complete=complete_measures)
@files(
    "--on",
    "-r",
    "--reference",
    "timelines",
    group="common",
    required=True,
    help="Timelines to damage: a file, a directory or a collection; may be repeated.",
)
@option(
    "--articles",
    group="input",
    type=options.file,
    help="Articles for the added day: DIR/TOPIC/articles.jsonl.",
)
@option(
    "--shift",
    "shifts",
    group="measures",
    multiple=True,
    type=int,
    default=(1, 5),
    help="Days to move all dates by; may be repeated.",
)
@option(
    "--damage",
    "damages",
    group="common",
    multiple=True,
    metavar="NAME",
    help="Print which measure notices what: all, harm, harmless, or damages by name, as in "
    "numbers,synonyms; may be repeated.",
)
@derive(Altering, "altering")
@option(
    "--copies",
    group="output",
    type=Folder(),
    metavar="DIR",
    help="Write the damaged copies into this folder, for a judge to read, and stop.",
)
@option(
    "--judged",
    group="input",
    type=options.file,
    help="What a judge made of the copies: a file of judge facts or judge nuggets.",
)
@options.compat
@option("--strict", group="output", is_flag=True, help="Exit with 1 for known faults too.")
@options.printing_with_plot("Draw what each damage changes")
@options.jobs
@options.talk
def command(
    measures: tuple[str, ...],
    timelines: tuple[Path, ...],
    articles: Path | None,
    shifts: tuple[int, ...],
    damages: tuple[str, ...],
    altering: Altering,
    copies: Path | None,
    judged: Path | None,
    compat: Compat | None,
    strict: bool,
    printing: Printing,
    jobs: int,
) -> int:
    """Damage timelines in known ways and see what each MEASURE makes of it.

    Every reference timeline is compared with damaged copies of itself: a date removed or
    added, two merged, all shifted, texts swapped, split, duplicated, shuffled or halved.
    Without a MEASURE the five of the paper are checked; module:function checks your own.
    The exit code is 1 if a measure fails an expectation that it does not state as known.
    With --damage a share of each timeline is made false (numbers, negation, names, dates …) or
    reworded (synonyms, tense, order …), and a matrix says which measure notices what.

    \b
    chronoscore check --on gold/ --compat paper
    chronoscore check 'align+(n=2)' my_module:my_measure --on gold/ --shift 1 --shift 7
    chronoscore check align+ pairs contradictions --on gold/ --damage all
    """
    if copies is not None:
        return _write_copies(timelines, copies, damages, altering)
    from chronoscore.api.check import USUAL, check

    with progress("checking") as watch:
        result = check(
            measures or USUAL,
            timelines,
            articles=articles,
            shifts=shifts,
            damages=damages,
            share=altering.share,
            seed=altering.seed,
            judged=judged,
            compat=compat,
            jobs=jobs,
            progress=watch,
        )
    show(result, printing)
    return int(bool(result.faults(known=strict)))


def _write_copies(
    timelines: tuple[Path, ...], folder: Path, damages: tuple[str, ...], altering: Altering
) -> int:
    """Write the copies instead of comparing them."""
    from chronoscore.api.damaging import write_copies

    if not damages:
        raise UsageError("`copies` is for `damages`; add `damages=all`")
    files = write_copies(
        timelines, folder, damages=damages, share=altering.share, seed=altering.seed
    )
    if not is_quiet():
        click.echo(f"{number_with_noun(len(files), 'timeline')} written to {folder}", err=True)
    return 0
