"""`chronoscore correlate`: how far does a measure follow people?"""

import warnings
from pathlib import Path
from typing import Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit
from chronoscore.errors import ChronoscoreWarning, UsageError

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
@click.option("-m", "--measure", "measures", multiple=True, help="Only this one, as rouge(n=2).r.")
@click.option("--rating", "wanted", multiple=True, help="Only this rating; repeat for several.")
@click.option("--level", "levels", multiple=True, type=click.Choice(LEVELS), help="Default: all.")
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
@click.option("--confidence", default=95.0, show_default=True, help="Interval, in percent.")
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
@click.option("--baseline", help="With --test: compare every measure with this one only.")
@click.option("--plot", type=options.file, help="Draw scores against ratings: .png, .svg or .pdf.")
@options.printing
@options.seed
def command(scores: tuple[Path, ...], ratings: tuple[Path, ...], **chosen: Any) -> None:
    """Correlate SCORES with what people said.

    SCORES are what `score -f jsonl` (or csv, json) writes; any table with system, topic,
    measure, part and value will do. Ratings without a topic are of whole systems. With
    --test, json, jsonl and csv hold the differences of measures instead of their values.

    \b
    chronoscore score runs/* --reference gold/ -m rouge2 -f jsonl -o scores.jsonl
    chronoscore correlate scores.jsonl --ratings ratings.csv
    chronoscore correlate scores.jsonl --ratings ratings.csv --level system --test perm-systems
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.cli.rated import bootstrap, judged_files, plot, printed
    from chronoscore.report import correlation as said
    from chronoscore.stats.correlate import correlate, differences
    from chronoscore.stats.correlation import USUAL

    if chosen["trials"] < 1:
        raise UsageError(f"--trials {chosen['trials']}: write 1 or more")
    if chosen["baseline"] and not chosen["test"]:
        raise UsageError("--baseline needs a --test; name one, as in --test perm-systems")
    how = bootstrap(chosen)
    everybody = judged_files(scores, ratings, measures=chosen["measures"], wanted=chosen["wanted"])
    given = everybody.only(chosen["who"])
    levels = chosen["levels"]
    usual = ("pearson",) if chosen["test"] else USUAL
    coefficients = chosen["coefficients"] or usual
    found = correlate(given, levels=levels, coefficients=coefficients, how=how)
    for one in {(o.measure, o.part, o.rating, o.level): o for o in found if o.why}.values():
        name = f"{one.measure}.{one.part}" if one.part else one.measure
        warnings.warn(
            f"{name}, {one.rating}, {one.level} level: undefined, {one.why}",
            ChronoscoreWarning,
            stacklevel=2,
        )
    tables = said.correlation_tables(found, how, chosen["who"])
    rows = [one.row() for one in found]
    if chosen["test"]:
        apart = differences(
            given,
            test=chosen["test"],
            baseline=chosen["baseline"],
            levels=levels,
            coefficients=coefficients,
            how=how,
            trials=chosen["trials"],
        )
        tables.append(said.difference_table(apart, how, chosen["trials"]))
        rows = [one.row() for one in apart]
    if chosen["plot"]:
        plot(everybody, chosen["plot"])
    emit(printed(chosen["form"], "Correlation with people", tables, rows), chosen["output"])
