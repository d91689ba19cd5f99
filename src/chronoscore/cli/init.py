"""`chronoscore init`: what does this folder hold, and how is it scored?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand, option
from chronoscore.cli.options import talk
from chronoscore.cli.talk import flush_warnings, is_quiet, progress
from chronoscore.errors import number_with_noun, warn

if TYPE_CHECKING:
    from chronoscore.projects.proposal import ProjectProposal


@click.command(cls=GroupedCommand)
@click.argument("folder", required=False, default=Path(), type=options.file, metavar="[FOLDER]")
@option(
    "-r",
    "--reference",
    "named",
    group="common",
    metavar="NAME",
    type=options.file,
    help="The file or folder in FOLDER, or the column, that holds the references.",
)
@option("--dry-run", group="output", is_flag=True, help="Print the file and write nothing.")
@talk
def command(folder: Path, named: Path | None, dry_run: bool) -> None:
    """Guess what FOLDER holds and write chronoscore.toml.

    Files are read as `score` reads them. A table shows three entries of each side. What is not
    sure is asked on a terminal; elsewhere a comment in the file and a warning say so. From then on
    `chronoscore score`, `compare`, `diff`, `report` and `explain` need no paths in this folder.
    A file that is there is never changed.

    \b
    chronoscore init
    chronoscore init answers --reference answers/gold --dry-run
    """
    from chronoscore.api.project import propose
    from chronoscore.projects.proposal import refuse_existing
    from chronoscore.projects.schema import NAME

    if not dry_run:
        refuse_existing(folder / NAME)
    with progress("looking"):
        found = propose(folder, "" if named is None else str(named))
    if found.guess.choices and _is_terminal() and not is_quiet():
        found = _ask(folder, found)
    for note in found.notes:
        warn(note, kind="")
    if found.guess.doubt and not any(found.guess.doubt in note for note in found.notes):
        warn(f"not sure: {found.guess.doubt}; check {found.file.name}", kind="")
    if dry_run:
        flush_warnings()
        click.echo(found.text, nl=False)
        return
    found.write()
    flush_warnings()
    click.echo(describe(found), nl=False)
    click.echo(f"wrote {found.file}; now type: {_next(folder)}", err=True)


def _is_terminal() -> bool:
    """Whether a person can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(folder: Path, found: "ProjectProposal") -> "ProjectProposal":
    """Let the user say which are the references."""
    from chronoscore.api.project import propose

    choices = found.guess.choices
    click.echo(f"It is not clear which are the references: {found.guess.doubt}.", err=True)
    for number, one in enumerate(choices, 1):
        click.echo(f"  {number}  {one}", err=True)
    answer = click.prompt("Which", type=click.IntRange(1, len(choices)), default=1, err=True)
    with progress("looking"):
        return propose(folder, choices[answer - 1])


def describe(found: "ProjectProposal") -> str:
    """A table of what was found, with some entries of each side."""
    from chronoscore.projects.writing import WORDS
    from chronoscore.reports.tables import Table

    names = ", ".join(found.systems[:6]) + (" …" if len(found.systems) > 6 else "")
    heads = ("side", "whose", "topic", "date", "entry")
    rows = [(one.side, one.name, one.topic, one.when, one.text[:60]) for one in found.samples]
    many = number_with_noun(len(found.systems), "system")
    notes = [f"{WORDS[found.guess.kind]} of {many} ({names})"]
    if found.topics:
        notes.append(f"topics: {found.topics}; measures: {', '.join(found.guess.measures)}")
    return Table.of("Project", heads, rows, notes).terminal()


def _next(folder: Path) -> str:
    """What to type next."""
    return "chronoscore score" if folder == Path() else f"cd {folder} && chronoscore score"
