"""`chronoscore novelty`: predict how people would rate update summaries."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.api.options import Printing
from chronoscore.cli import options
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.talk import emit, progress
from chronoscore.cli.targets import folder, plot, target

if TYPE_CHECKING:
    from chronoscore.api.novelty import Splits
    from chronoscore.stats.robust import PointWeighting
    from chronoscore.stats.score_grid import Who

WEIGHTINGS = ("bisquare", "huber", "none")
SPLITS = ("halves", "disjoint", "both")

scores = click.argument("scores", type=options.file)
measure = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    shell_complete=complete_measures,
    help="Only this measure; repeatable.",
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
        help="How outlying systems are down-weighted.",
    ),
    click.option(
        "--tuning", type=float, help="Beyond this distance, in scales, systems are down-weighted."
    ),
    click.option(
        "--leverage/--no-leverage",
        default=True,
        help="Correct for systems that pull the fit towards themselves.",
    ),
    options.share_level,
)
"""What a fit takes."""


@click.group()
def command() -> None:
    """Predict how people would rate update summaries, from two scores.

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
    help="Whose scores to fit.",
)
@click.option("-o", "--output", type=target, help="Write the coefficients here, as JSON.")
@plot("Draw the coefficients with their intervals")
@options.talk
def fit(
    scores: Path,
    ratings: Path,
    wanted: tuple[str, ...],
    measures: tuple[str, ...],
    weighting: "PointWeighting",
    tuning: float | None,
    leverage: bool,
    level: float,
    who: "Who",
    output: Path | None,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Fit coefficients to SCORES and RATINGS by robust regression.

    \b
    chronoscore novelty fit scores.jsonl ratings.csv -o mine.json
    chronoscore score new/* --original gold/A --reference gold/B \\
        -m 'novelty(base=rouge(n=2),coefficients=mine.json,target=pyramid)'
    """
    from chronoscore.api.novelty import fit_novelty
    from chronoscore.stats.robust import Fitting

    result = fit_novelty(
        scores,
        ratings,
        measures=measures,
        rating=wanted,
        who=who,
        fitting=Fitting(weighting=weighting, tuning=tuning, leverage=leverage, drop=leverage),
        level=level,
    )
    if plot:
        result.plot(plot)
    emit(result.to_json(), output)
    if output and not quiet:
        emit(result.render(), None)


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
@options.printed
@plot("Draw what is predicted of each system")
@options.talk
def predict(
    scores: Path,
    name: str,
    target: str,
    measures: tuple[str, ...],
    printing: Printing,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Predict ratings from SCORES that have been computed already.

    Rows come out in the form of scores, with part `n`, so that `correlate` reads them.
    """
    from chronoscore.api.novelty import novelty

    with progress("predicting", quiet):
        result = novelty(scores, name, target=target, measures=measures)
    if plot:
        result.plot(plot)
    emit(result.render(printing.form), printing.output)


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
@click.option("--plots", type=folder, help="Draw the figures into this folder.")
@click.option("--seed", type=options.whole, default=1, show_default=True, help="Seed of all draws.")
@options.printed
@options.talk
def study(
    scores: Path,
    ratings: Path,
    wanted: tuple[str, ...],
    measures: tuple[str, ...],
    weighting: "PointWeighting",
    tuning: float | None,
    leverage: bool,
    level: float,
    draws: int,
    split: "Splits",
    plots: Path | None,
    seed: int,
    printing: Printing,
    quiet: bool,
) -> None:
    """Does the prediction follow people better than its base? The paper's experiments.

    Correlations on held-back systems, over draws of systems, and the gap between what is
    predicted of people and what they were given. Needs 8 machines or more, and people that
    ratings flag with human=1 for the gap.
    """
    from chronoscore.api.novelty import study_novelty
    from chronoscore.stats.robust import Fitting

    with progress("reading", quiet):
        result = study_novelty(
            scores,
            ratings,
            measures=measures,
            rating=wanted,
            split=split,
            draws=draws,
            fitting=Fitting(weighting=weighting, tuning=tuning, leverage=leverage, drop=leverage),
            level=level,
            seed=seed,
        )
        if plots:
            result.plot(plots)
    emit(result.render(printing.form), printing.output)
