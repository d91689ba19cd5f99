"""`chronoscore compare`: is one system really better than another?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.api.options import Compat, Corpus, Printing
from chronoscore.cli import judged, options
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from chronoscore.formats.corpora.unreadable import ReadingRules
    from chronoscore.stats.corpus import Resampling
    from chronoscore.stats.ppi import PoweredInterval


@click.command(cls=options.GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.file, metavar="SYSTEM...")
@options.reference
@judged.sources
@options.original
@options.measure
@options.printed
@options.resampled
@options.working
@options.compat
@options.published
@options.cache
@options.reading
@click.option("--baseline", help="Compare every system with this one only.")
@click.option("--trials", default=9999, show_default=True, help="Swaps of the randomization test.")
@click.option(
    "--plot", type=options.file, help="Draw the difference of each pair: .png, .svg, .pdf."
)
@click.option("--per-topic", is_flag=True, help="Add each topic's differences.")
@judged.powered
def command(
    systems: tuple[Path, ...],
    references: tuple[Path, ...],
    judgements: tuple[Path, ...],
    units: tuple[Path, ...],
    pool: tuple[Path, ...],
    matches: Path | None,
    duplicates: Path | None,
    originals: tuple[Path, ...],
    measures: tuple[str, ...],
    printing: Printing,
    resampling: "Resampling",
    jobs: int,
    cluster: str | None,
    quiet: bool,
    compat: Compat | None,
    published: Corpus | None,
    reading: "ReadingRules",
    baseline: str | None,
    trials: int,
    plot: Path | None,
    per_topic: bool,
    machine: tuple[str, ...],
    ppi: "PoweredInterval | None",
    sampled: bool,
) -> None:
    """Compare SYSTEMs pairwise on the same topics.

    Approximate randomization swaps two systems' records topic by topic (exact where there
    are at most 13 topics); p-values are Holm-corrected over all pairs; differences carry
    bootstrap intervals and effect sizes. A letter in a cell names a system that is
    significantly worse.

    \b
    chronoscore compare runs/* --reference gold/ -m rouge2
    chronoscore compare runs/* --judgements people/ --machine machine/ --ppi -m nu
    """
    judged.check_powered(machine, ppi, sampled, per_topic=per_topic)
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.comparison import compare
    from chronoscore.api.scoring import score

    with options.progress("scoring", quiet) as show:
        scored = score(
            systems,
            references,
            measures or None,
            judgements=judgements,
            units=units,
            machine=machine or None,
            sampled=sampled,
            pool=pool,
            matches=matches,
            duplicates=duplicates,
            originals=originals,
            compat=compat,
            published=published,
            reading=reading,
            resampling=resampling,
            jobs=jobs,
            cluster=cluster,
            progress=show,
        )
    if ppi and plot:
        raise UsageError("--plot draws tests of scores by people or a measure; leave out --ppi")
    if ppi:
        powered = scored.ppi(interval=ppi).compare(baseline)
        options.emit(powered.render(printing.form), printing.output)
        return
    result = compare(scored, baseline=baseline, trials=trials, per_topic=per_topic)
    if plot:
        result.plot(path=plot)
    options.emit(result.render(printing.form), printing.output)
