"""`chronoscore convert`: from one timeline format to another."""

import sys
from pathlib import Path
from typing import Any, Literal

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand
from chronoscore.cli.names import Registered
from chronoscore.cli.talk import emit, flush_warnings, progress, quiet_only, verbose
from chronoscore.cli.targets import place
from chronoscore.formats.timelines.registry import FORMATS

_FORMAT = Registered(FORMATS)


@click.command(cls=GroupedCommand)
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True), metavar="INPUT")
@click.option("-o", "--output", type=place, help="A file or a folder; else print.")
@click.option(
    "--from", "read", type=_FORMAT, help="The format of INPUT; else detected from the content."
)
@click.option(
    "--to", "wanted", type=_FORMAT, help="The format to write; else the one that -o's ending names."
)
@click.option(
    "--repeated",
    type=click.Choice(["merge", "last"]),
    default="merge",
    show_default=True,
    help="What becomes of a date with two blocks: both count, or the last.",
)
@options.date_order
@options.column
@quiet_only
@verbose
def command(
    source: Path,
    output: Path | None,
    read: str | None,
    wanted: str | None,
    repeated: Literal["merge", "last"],
    date_order: Literal["day", "month"] | None,
    columns: dict[str, Any] | None,
    verbose: bool,
) -> None:
    """Convert timelines between tilse, news-tls, JSON, YAML, CSV and Markdown.

    INPUT is a file, a collection's or run's folder, or - for standard input. What language
    models write is read as Markdown. What is dropped, guessed or merged is reported on standard
    error with its line, one warning of each kind; -v lists everything.

    \b
    chronoscore convert answer.md -o mine.txt
    chronoscore convert answer.md --to json
    chronoscore convert gold/ -o gold.jsonl
    chronoscore convert gold.jsonl -o gold/ --to tilse
    """
    from chronoscore.api.convert import convert
    from chronoscore.formats.io.notes import warn_of_notes

    given = sys.stdin.buffer.read() if str(source) == "-" else source
    with progress("reading"):
        conversion = convert(
            given, read=read, repeated=repeated, date_order=date_order, columns=columns
        )
        if output is not None:
            conversion.save(output, wanted)
    warn_of_notes(conversion.notes, every=verbose)
    flush_warnings()
    if output is None:
        emit(conversion.text(wanted), None)
