"""`chronoscore corpora`: public corpora, and which of them a folder holds."""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand
from chronoscore.cli.talk import progress, quiet_only, verbose_only


@click.group(invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List public corpora: what each is, its license, where to get it, what to run.

    Nothing is downloaded. `check` says which corpus a folder holds.

    \b
    chronoscore corpora
    chronoscore corpora check t17/
    """
    if context.invoked_subcommand is not None:
        return
    from chronoscore.api.corpora import describe_corpus, known_corpora

    click.echo("\n\n".join(map(describe_corpus, known_corpora().values())))


@command.command("check", cls=GroupedCommand)
@click.argument("path", type=options.file)
@quiet_only
@verbose_only
def check(path: Path) -> None:
    """Say which corpus lies in PATH, whether all of it is there, and what to run.

    Files are recognized by their checksums, timelines by their days and letters in any format,
    and otherwise by how they lie. In the command, runs/* stands for the systems to score.
    """
    from chronoscore.api.corpora import check_corpus

    with progress("looking"):
        found = check_corpus(path)
    for one in found:
        click.echo(f"{one.place}: {one.sentence}")
        click.echo(f"  {one.command}")
        click.echo(f"  license: {one.corpus.license}")
