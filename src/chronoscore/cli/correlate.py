"""`chronoscore correlate`: how far does a measure follow people?"""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.derive import GroupedCommand, derive, derive_one, files, option
from chronoscore.cli.talk import progress, show
from chronoscore.options import Printing
from chronoscore.options.correlation import (
    COEFFICIENTS,
    LEVELS,
    Bootstrap,
    Coefficient,
    CorrelationTest,
    Level,
    Who,
)


@click.command(cls=GroupedCommand)
@click.argument("scores", nargs=-1, required=True, type=options.file, metavar="SCORES...")
@files(
    "--ratings",
    group="common",
    required=True,
    help="Human ratings: CSV, JSON or JSON Lines of system, topic, rating, value, human.",
)
@options.several_measures("Only this one, as rouge(n=2).r.")
@option("--rating", group="common", multiple=True, help="Only this rating; repeat for several.")
@option(
    "--by",
    group="common",
    multiple=True,
    choices=LEVELS,
    help="Over systems' means, within each topic, or over all summaries. Default: all.",
)
@option(
    "--coefficient",
    "coefficients",
    group="statistics",
    multiple=True,
    choices=COEFFICIENTS,
    help="Default: pearson, spearman and kendall (b).",
)
@options.who("Whose summaries count; ratings flag people with human=1.")
@derive(
    CorrelationTest,
    "testing",
    baseline=derive_one(CorrelationTest, "baseline", shell_complete=complete_measures),
)
@derive(Bootstrap, "bootstrap", level=options.level)
@options.printing_with_plot("Draw scores against ratings")
@options.jobs
@options.talk
def command(
    scores: tuple[Path, ...],
    ratings: tuple[Path, ...],
    measures: tuple[str, ...],
    rating: tuple[str, ...],
    by: tuple[Level, ...],
    coefficients: tuple[Coefficient, ...],
    who: Who,
    testing: CorrelationTest,
    bootstrap: Bootstrap,
    printing: Printing,
    jobs: int,
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
    from chronoscore.api.correlate import correlate

    with progress("reading"):
        result = correlate(
            scores,
            ratings,
            measures=measures,
            rating=rating,
            by=by,
            coefficients=coefficients,
            who=who,
            bootstrap=bootstrap,
            jobs=jobs,
            **vars(testing),
        )
    show(result, printing)
