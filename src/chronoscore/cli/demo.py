"""`chronoscore demo`: what this tool does, on a corpus that comes with it."""

from pathlib import Path

import click

from chronoscore.cli import options


@click.command()
@click.option(
    "-o",
    "--output",
    type=options.file,
    default=Path("chronoscore-demo"),
    show_default=True,
    help="The folder for the HTML report.",
)
@click.option(
    "--copy",
    "target",
    type=options.file,
    metavar="FOLDER",
    help="Copy the corpus and the systems' outputs here instead, to try other commands on them.",
)
@options.seed
def command(output: Path, target: Path | None, seed: int) -> None:
    """Score the bundled, invented corpus and write an HTML report.

    Three news topics with references by people and six systems of different quality.
    """
    # Everything below is imported late, so that --help answers at once.
    if target is not None:
        from chronoscore.demo import copy_to

        copy_to(target)
        click.echo(f"{target}: corpus, runs and ratings.csv, as in the tutorials", err=True)
        return
    from chronoscore.api.demo import demo

    report = demo(output, seed=seed)
    for heading, table in report.tables:
        click.echo(click.style(heading, bold=True))
        click.echo(table)
    click.echo(f"report: {report.path}", err=True)
