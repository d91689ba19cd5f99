"""`chronoscore compare`: is one system really better than another?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.api.options import Printing
from chronoscore.cli import judged, options
from chronoscore.cli.completion import complete_runs
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot

if TYPE_CHECKING:
    from chronoscore.api.comparison import ComparisonResult
    from chronoscore.api.ppi import PoweredComparison
    from chronoscore.stats.ppi import PoweredInterval


@click.command(cls=GreedyCommand)
@click.argument("systems", nargs=-1, required=True, type=options.file, metavar="SYSTEM...")
@judged.scored
@options.printed
@click.option(
    "--baseline", shell_complete=complete_runs, help="Compare every system with this one only."
)
@click.option("--trials", default=9999, show_default=True, help="Swaps of the randomization test.")
@plot("Draw the difference of each pair")
@click.option("--per-topic", is_flag=True, help="Add each topic's differences.")
@judged.powered
def command(
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    printing: Printing,
    quiet: bool,
    baseline: str | None,
    trials: int,
    plot: Path | None,
    per_topic: bool,
    machine: tuple[str, ...],
    ppi: "PoweredInterval | None",
    sampled: bool,
    **scoring: Any,
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

    with progress("reading", quiet) as show:
        scored = score(
            systems,
            measures=measures or None,
            machine=machine or None,
            sampled=sampled,
            progress=show,
            **scoring,
        )
        result: ComparisonResult | PoweredComparison
        if ppi:
            result = scored.ppi(interval=ppi).compare(baseline)
        else:
            result = compare(scored, baseline=baseline, trials=trials, per_topic=per_topic)
        if plot:
            result.plot(path=plot)
        text = result.render(printing.form)
    emit(text, printing.output)
