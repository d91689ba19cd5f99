"""`chronoscore compare`: is one system really better than another?"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, get_args

import click

from chronoscore.cli import judged, options, pairs
from chronoscore.cli.completion import complete_runs
from chronoscore.cli.derive import grouped, option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot
from chronoscore.options import PairTests, PpiInterval, Printing

if TYPE_CHECKING:
    from chronoscore.api.comparison import ComparisonResult
    from chronoscore.api.ppi import PoweredComparison
    from chronoscore.api.scoring import ScoreOptions


@dataclass(frozen=True, kw_only=True)
class Tests:
    """How systems are tested."""

    baseline: str | None = None
    trials: int = 9999
    tests: PairTests = "randomization"
    per_topic: bool = False
    detect: float | None = None


tests = grouped(
    "tests",
    Tests,
    option(
        "--baseline",
        group="statistics",
        shell_complete=complete_runs,
        help="Compare every system with this one only.",
    ),
    option("--trials", group="statistics", default=9999, help="Swaps of the randomization test."),
    option(
        "--tests",
        group="statistics",
        type=click.Choice(get_args(PairTests)),
        default="randomization",
        help="Which p is shown; with all also those of the paired t test, Wilcoxon's test and the "
        "sign test.",
    ),
    option("--per-topic", group="output", is_flag=True, help="Add each topic's differences."),
    option(
        "--detect",
        group="statistics",
        type=float,
        metavar="DIFFERENCE",
        help="Say how many topics a difference of this size would need.",
    ),
)


@click.command(cls=GreedyCommand)
@options.project_systems
@judged.scoring
@options.printing
@tests
@plot("Draw the difference of each pair")
@options.sort
@judged.machine
@judged.ppi
def command(
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    printing: Printing,
    tests: Tests,
    ppi: PpiInterval | None,
    plot: Path | None,
    sort: str | None,
    quiet: bool,
    **scoring: "Unpack[ScoreOptions]",
) -> None:
    """Compare SYSTEMs pairwise on the same topics.

    Approximate randomization swaps two systems' records topic by topic (exact where there
    are at most 13 topics); p-values are Holm-corrected over all pairs; differences carry
    intervals over topics and effect sizes. A letter in a cell names a system that is
    significantly worse.

    \b
    chronoscore compare runs/* --reference gold/ -m rouge2
    chronoscore compare runs/* --judgements people/ --machine machine/ --ppi -m nu
    """
    pairs.check({**vars(tests), **scoring, "ppi": ppi})
    from chronoscore.api.comparison import compare
    from chronoscore.api.scoring import score

    with progress("reading", quiet) as show:
        scoring["progress"] = show
        scored = score(systems, measures=measures, **scoring).sort(sort)
        result: ComparisonResult | PoweredComparison
        if ppi:
            result = scored.ppi(interval=ppi).compare(tests.baseline)
        else:
            result = compare(scored, **vars(tests))
        if plot:
            result.plot(path=plot)
        text = result.render(printing.form)
    emit(text, printing.output)
