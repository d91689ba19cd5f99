"""`chronoscore summarize`: run a baseline or a published system on documents."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.cli import options
from chronoscore.cli.options import emit, progress
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from chronoscore.api.summarize import Part

BASELINES = "unit-baselines"
"""Not a system but all the content-unit baselines at once, scored and compared."""


@click.command()
@click.argument("system", required=False)
@click.argument("documents", nargs=-1, type=options.file)
@click.option(
    "-o", "--output", type=options.file, help="The run's folder; a single output may be printed."
)
@click.option("--dates", type=click.IntRange(min=1), help="Dates of a timeline.")
@click.option("--sentences", type=click.IntRange(min=1), help="Sentences on each date.")
@click.option("--like", multiple=True, type=options.file, help="References to be as long as.")
@click.option("--words", type=click.IntRange(min=1), help="Words of a summary.")
@click.option("--part", type=click.Choice(["all", "original", "update"]), help="What to summarize.")
@click.option("--at", metavar="DAY", help="Where the update begins; else at the middle article.")
@click.option("-n", type=click.IntRange(min=1), help="Events to choose (content units).")
@click.option("--units", multiple=True, type=options.file, help="Content units to score against.")
@click.option("--runs", default=100, show_default=True, help="Runs of random unit baselines.")
@click.option(
    "--seed", type=options.whole, default=1, show_default=True, help="Seed of everything random."
)
@click.option("--list", "listed", is_flag=True, help="List the systems.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["table", "md", "latex", "html"]), default="table"
)
@options.quiet
def command(
    system: str | None,
    documents: tuple[Path, ...],
    output: Path | None,
    dates: int | None,
    sentences: int | None,
    like: tuple[Path, ...],
    words: int | None,
    part: "Part | None",
    at: str | None,
    n: int | None,
    units: tuple[Path, ...],
    runs: int,
    seed: int,
    listed: bool,
    form: str,
    quiet: bool,
) -> None:
    """Run SYSTEM on DOCUMENTS and write what it makes to a folder that `score` reads.

    SYSTEM is a name, with parameters in parentheses if need be: see --list. DOCUMENTS are
    articles.jsonl, a topic's folder with one, a folder of texts whose names tell their dates,
    a folder of topics, or TimeML for the content-unit baselines.

    \b
    chronoscore summarize --list
    chronoscore summarize datewise corpus/ -o runs/datewise --dates 10 --sentences 2
    chronoscore summarize 'clust(rank=size)' corpus/ -o runs/clust --like gold/
    chronoscore summarize projected-classy corpus/ -o runs/projected --words 100
    chronoscore summarize useful-novel corpus/ -o runs/online
    chronoscore summarize unit-baselines corpus/ --units corpus/
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.summarize import list_systems, summarize, unit_baselines

    if listed:
        emit(list_systems().render(form), output)
        return
    if system is None or not documents:
        raise UsageError("name a system and its documents; chronoscore summarize --list helps")
    with progress("summarizing", quiet) as show:
        if system == BASELINES:
            scores = unit_baselines(documents, units, n=n, runs=runs, seed=seed, progress=show)
            emit(scores.render(form), output)
            return
        result = summarize(
            documents,
            system,
            dates=dates,
            sentences=sentences,
            words=words,
            part=part,
            at=at,
            n=n,
            like=like,
            seed=seed,
            progress=show,
        )
    if output:
        result.write_run(output)
    else:
        click.echo(result.text().removesuffix("\n"))
