"""`chronoscore novelty`: predict what people would say of update summaries."""

from pathlib import Path
from typing import Any

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit
from chronoscore.errors import ChronoscoreWarning, UsageError

WEIGHTINGS = ("bisquare", "huber", "none")
SPLITS = ("halves", "disjoint", "both")

scores = click.argument("scores", type=options.file)
measure = click.option(
    "-m", "--measure", "measures", multiple=True, help="Only this measure; repeatable."
)
fitted = options.stacked(
    scores,
    click.argument("ratings", type=options.file),
    click.option("--rating", "wanted", multiple=True, help="Only this rating; repeatable."),
    measure,
    click.option(
        "--weighting",
        type=click.Choice(WEIGHTINGS),
        default="bisquare",
        show_default=True,
        help="How odd systems lose weight.",
    ),
    click.option("--tuning", type=float, help="Where the weighting bites, in scales."),
    click.option(
        "--leverage/--no-leverage",
        default=True,
        help="Correct for systems that pull the fit towards themselves.",
    ),
    click.option("--confidence", default=95.0, show_default=True, help="Interval, in percent."),
)
"""What a fit takes."""


@click.group()
def command() -> None:
    """Predict what people would say of update summaries, from two scores.

    Score with `-m 'novelty(base=...,coefficients=none)' --original ... -f jsonl` first; any
    table whose measures have parts `ab` and `bb` will do.
    """


@command.command()
@fitted
@click.option(
    "--who",
    type=click.Choice(["machines", "humans", "all"]),
    default="machines",
    show_default=True,
    help="Whom to fit on.",
)
@click.option("-o", "--output", type=options.file, help="Write the coefficients here, as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="With -o: do not print the table.")
def fit(scores: Path, ratings: Path, **chosen: Any) -> None:
    """Fit coefficients to SCORES and RATINGS by robust regression.

    \b
    chronoscore novelty fit scores.jsonl ratings.csv -o mine.json
    chronoscore score new/* --original gold/A --reference gold/B \\
        -m 'novelty(base=rouge(n=2),coefficients=mine.json,target=pyramid)'
    """
    from chronoscore.cli.predicting import saved_fits
    from chronoscore.cli.rated import judged_files, share
    from chronoscore.formats.judgements import coefficients
    from chronoscore.report.correlation import coefficient_table
    from chronoscore.report.tables import terminal
    from chronoscore.stats.study import fit_all, update_measures

    level = share(chosen["confidence"])
    given = judged_files(
        [scores], [ratings], measures=chosen["measures"], wanted=chosen["wanted"]
    ).only(chosen["who"])
    found = fit_all(given, update_measures(given), list(given.ratings), fitting(chosen))
    saved = saved_fits(found, fitting(chosen), level)
    if chosen["output"] is None:
        emit(coefficients.dump(saved, level=level), None)
        return
    coefficients.save(saved, chosen["output"], level=level)
    if not chosen["quiet"]:
        emit(terminal(coefficient_table(found, level)), None)


@command.command()
@scores
@click.option(
    "-c",
    "--coefficients",
    "name",
    default="tac2008",
    show_default=True,
    help="A file of `novelty fit`, or published ones: tac2008, tac2008-r2 ...",
)
@click.option("--target", default="responsiveness", show_default=True, help="Which rating.")
@measure
@options.printing
def predict(scores: Path, name: str, target: str, **chosen: Any) -> None:
    """Predict ratings from SCORES that have been computed already.

    Rows come out in the form of scores, with part `n`, so that `correlate` reads them.
    """
    from chronoscore.cli.predicting import prediction_table, predictions
    from chronoscore.cli.rated import printed
    from chronoscore.formats.judgements.ratings import load_scores

    rows = predictions(load_scores([scores]), name, target, chosen["measures"])
    tables = [prediction_table(rows, target)]
    emit(printed(chosen["form"], "Predictions", tables, rows), chosen["output"])


@command.command()
@fitted
@click.option("--draws", default=1000, show_default=True, help="Draws of systems.")
@click.option(
    "--split",
    type=click.Choice(SPLITS),
    default="both",
    show_default=True,
    help="Halves that share systems, as published, or disjoint ones.",
)
@click.option("--plots", type=options.file, help="Draw the figures into this folder.")
@click.option("--seed", type=options.whole, default=1, show_default=True, help="Seed of all draws.")
@options.printing
def study(scores: Path, ratings: Path, **chosen: Any) -> None:
    """Does the prediction follow people better than its base? The paper's experiments.

    Correlations on held-back systems, over draws of systems, and the gap between what is
    predicted of people and what they were given. Needs 8 machines or more, and people that
    ratings flag with human=1 for the gap.
    """
    import warnings

    from chronoscore.cli.predicting import by_base, study_rows
    from chronoscore.cli.rated import judged_files, printed, share
    from chronoscore.report import plots, scatter
    from chronoscore.report.correlation import study_tables
    from chronoscore.stats.protocol import SPLITS as EVERY
    from chronoscore.stats.study import study as studied

    if chosen["draws"] < 1:
        raise UsageError(f"--draws {chosen['draws']}: write 1 or more")
    given = by_base(
        judged_files([scores], [ratings], measures=chosen["measures"], wanted=chosen["wanted"])
    )
    found = [
        studied(
            given,
            name,
            splits=EVERY if chosen["split"] == "both" else (chosen["split"],),
            times=chosen["draws"],
            level=share(chosen["confidence"]),
            seed=chosen["seed"],
            how=fitting(chosen),
        )
        for name in given.ratings
    ]
    for message in (message for one in found for message in one.missing):
        warnings.warn(message, ChronoscoreWarning, stacklevel=2)
    if chosen["plots"]:
        for ending in plots.ENDINGS:
            folder: Path = chosen["plots"]
            scatter.save(scatter.score_panels(found), folder / f"scores{ending}")
            scatter.save(scatter.prediction_panels(found), folder / f"predictions{ending}")
    tables = study_tables(found)
    emit(printed(chosen["form"], "Novelty study", tables, study_rows(found)), chosen["output"])


def fitting(chosen: dict[str, Any]) -> Any:
    """How to fit, from the options of the command."""
    from chronoscore.stats.robust import Fitting

    return Fitting(
        weighting=chosen["weighting"],
        tuning=chosen["tuning"],
        leverage=chosen["leverage"],
        drop=chosen["leverage"],
    )
