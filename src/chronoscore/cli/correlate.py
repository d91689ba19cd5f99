"""`chronoscore correlate`: how far does a measure follow people?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import plot

if TYPE_CHECKING:
    from chronoscore.stats.correlate import Test
    from chronoscore.stats.correlation import Coefficient, Level
    from chronoscore.stats.correlation_intervals import IntervalKind, Redrawn
    from chronoscore.stats.score_grid import Who

# Written out here, so that --help does not have to import numpy.
LEVELS = ("system", "summary", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "kendall-a", "kendall-b", "kendall-c")
TESTS = ("perm-both", "perm-systems", "perm-inputs", "williams")
REDRAWN = ("both", "systems", "inputs")
INTERVALS = ("centered", "percentile")
WHO = ("machines", "humans", "all")


@click.command()
@click.argument("scores", nargs=-1, required=True, type=options.file, metavar="SCORES...")
@click.option(
    "--ratings",
    multiple=True,
    required=True,
    type=options.file,
    help="Human ratings: CSV, JSON or JSON Lines of system, topic, rating, value, human.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    shell_complete=complete_measures,
    help="Only this one, as rouge(n=2).r.",
)
@click.option("--rating", "wanted", multiple=True, help="Only this rating; repeat for several.")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(LEVELS),
    help="Over systems' means, within each topic, or over all summaries. Default: all.",
)
@click.option(
    "--coefficient",
    "coefficients",
    multiple=True,
    type=click.Choice(COEFFICIENTS),
    help="Default: pearson, spearman and kendall (b).",
)
@click.option(
    "--bootstrap",
    type=click.Choice(REDRAWN),
    default="both",
    show_default=True,
    help="What is drawn anew for an interval.",
)
@click.option(
    "--interval",
    type=click.Choice(INTERVALS),
    default="centered",
    show_default=True,
    help="Centered on the value, or the plain percentiles that are published, which miss more.",
)
@click.option("--resamples", default=1000, show_default=True, help="Bootstrap draws.")
@options.share_level
@click.option(
    "--who",
    type=click.Choice(WHO),
    default="machines",
    show_default=True,
    help="Whose summaries count; ratings flag people with human=1.",
)
@click.option(
    "--test",
    type=click.Choice(TESTS),
    help="Test measures against each other; perm-both and -inputs are about these systems only.",
)
@click.option("--trials", default=1000, show_default=True, help="Swaps of a perm- test.")
@click.option(
    "--baseline",
    shell_complete=complete_measures,
    help="With --test: compare every measure with this one only.",
)
@click.option(
    "--one-sided", is_flag=True, help="With --test: whether the first of two measures is better."
)
@click.option(
    "--signed",
    is_flag=True,
    help="With --test williams: compare r itself; |r| is usual, as at WMT.",
)
@plot("Draw scores against ratings")
@options.printed
@options.seed
@options.jobs
@options.talk
def command(
    scores: tuple[Path, ...],
    ratings: tuple[Path, ...],
    measures: tuple[str, ...],
    wanted: tuple[str, ...],
    by: "tuple[Level, ...]",
    coefficients: "tuple[Coefficient, ...]",
    bootstrap: "Redrawn",
    interval: "IntervalKind",
    resamples: int,
    level: float,
    who: "Who",
    test: "Test | None",
    trials: int,
    baseline: str | None,
    one_sided: bool,
    signed: bool,
    plot: Path | None,
    printing: Printing,
    seed: int,
    jobs: int,
    quiet: bool,
) -> None:
    """Correlate SCORES with ratings by people.

    SCORES are what `score -f jsonl` (or csv, json) writes; any table with system, topic,
    measure, part and value will do. Ratings without a topic are of whole systems. With
    --test, json, jsonl and csv hold the differences of measures instead of their values.

    \b
    chronoscore score runs/* --reference gold/ -m rouge2 -f jsonl -o scores.jsonl
    chronoscore correlate scores.jsonl --ratings ratings.csv
    chronoscore correlate scores.jsonl --ratings ratings.csv --by system --test perm-systems
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.correlate import correlate
    from chronoscore.stats.correlation_intervals import Bootstrap

    how = Bootstrap(redrawn=bootstrap, kind=interval, times=resamples, level=level, seed=seed)
    with progress("reading", quiet):
        result = correlate(
            scores,
            ratings,
            measures=measures,
            rating=wanted,
            by=by,
            coefficients=coefficients,
            bootstrap=how,
            who=who,
            test=test,
            trials=trials,
            baseline=baseline,
            one_sided=one_sided,
            signed=signed,
            jobs=jobs,
        )
        if plot:
            result.plot(plot)
        text = result.render(printing.form)
    emit(text, printing.output)
