"""`chronoscore novelty`: predict how people would rate update summaries."""

from dataclasses import replace
from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand, derive, grouped, option, stacked
from chronoscore.cli.talk import emit, is_quiet, progress, show
from chronoscore.cli.targets import Target, folder, plot
from chronoscore.options import Printing
from chronoscore.options.correlation import Fitting, NoveltyStudy, Who

scores = click.argument("scores", type=options.file)
measure = options.several_measures("Only this measure; repeatable.")
fit_inputs = stacked(
    scores,
    click.argument("ratings", type=options.file),
    option("--rating", group="common", multiple=True, help="Only this rating; repeatable."),
    measure,
    derive(Fitting, "fitting"),
)
"""What a fit takes."""


@click.group()
def command() -> None:
    """Predict how people would rate update summaries, from two scores.

    Score with `-m 'novelty(base=...,coefficients=none)' --original ... -f jsonl` first; any
    table whose measures have parts `ab` and `bb` will do.
    """


@command.command(cls=GroupedCommand)
@fit_inputs
@options.level
@options.who("Whose scores to fit.")
@grouped(
    "printing",
    Printing,
    options.printed_as("json"),
    option(
        *("-o", "--output"),
        group="common",
        type=Target(printed=True),
        help="Write the coefficients here.",
    ),
    plot("Draw the coefficients with their intervals"),
)
@options.talk
def fit(
    scores: Path,
    ratings: Path,
    rating: tuple[str, ...],
    measures: tuple[str, ...],
    fitting: Fitting,
    level: float,
    who: Who,
    printing: Printing,
) -> None:
    """Fit coefficients to SCORES and RATINGS by robust regression.

    JSON is the file that `predict` and the measure `novelty` read; other formats are for people
    and spreadsheets.

    \b
    chronoscore novelty fit scores.jsonl ratings.csv -o mine.json
    chronoscore score new/* --original gold/A --reference gold/B \\
        -m 'novelty(base=rouge(n=2),coefficients=mine.json,target=pyramid)'
    """
    from chronoscore.api.novelty import fit_novelty

    result = fit_novelty(
        scores,
        ratings,
        measures=measures,
        rating=rating,
        who=who,
        fitting=replace(fitting, drop=fitting.leverage),
        level=level,
    )
    if printing.plot:
        result.plot(printing.plot)
    saved = printing.form == "json"
    emit(result.to_json() if saved else result.render(printing.form), printing.output)
    if saved and printing.output and not is_quiet():
        emit(result.render(), None)


@command.command(cls=GroupedCommand)
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
@options.printing_with_plot("Draw what is predicted of each system")
@options.talk
def predict(
    scores: Path, name: str, target: str, measures: tuple[str, ...], printing: Printing
) -> None:
    """Predict ratings from SCORES that have been computed already.

    Rows come out in the form of scores, with part `n`, so that `correlate` reads them.
    """
    from chronoscore.api.novelty import novelty

    with progress("predicting"):
        result = novelty(scores, name, target=target, measures=measures)
    show(result, printing)


@command.command(cls=GroupedCommand)
@fit_inputs
@derive(NoveltyStudy, "design", level=options.level)
@option("--plots", group="output", type=folder, help="Draw the figures into this folder.")
@options.printing
@options.talk
def study(
    scores: Path,
    ratings: Path,
    rating: tuple[str, ...],
    measures: tuple[str, ...],
    fitting: Fitting,
    design: NoveltyStudy,
    plots: Path | None,
    printing: Printing,
) -> None:
    """Does the prediction follow people better than its base? The paper's experiments.

    Correlations on held-back systems, over draws of systems, and the gap between what is
    predicted of people and what they were given. Needs 8 machines or more, and people that
    ratings flag with human=1 for the gap.
    """
    from chronoscore.api.novelty import study_novelty

    with progress("reading"):
        result = study_novelty(
            scores,
            ratings,
            measures=measures,
            rating=rating,
            fitting=replace(fitting, drop=fitting.leverage),
            **vars(design),
        )
        if plots:
            result.plot(plots)
    show(result, printing)
