"""`chronoscore convert`: from one timeline format to another."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand
from chronoscore.cli.names import Registered
from chronoscore.cli.talk import emit, flush_warnings, progress, quiet_only, verbose
from chronoscore.cli.targets import place
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.formats.timelines.registry import FORMATS

if TYPE_CHECKING:
    from chronoscore.api.convert import Conversion

_FORMAT = Registered(FORMATS)


@click.command(cls=GroupedCommand)
@click.argument(
    "sources",
    type=options.file,
    metavar="INPUT...",
    nargs=-1,
    required=True,
)
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
@click.option(
    "--check",
    "checked",
    is_flag=True,
    help="Write nothing; print for each INPUT how many entries were read, guessed and lost.",
)
@options.date_order
@options.column
@quiet_only
@verbose
def command(
    sources: tuple[Path, ...],
    output: Path | None,
    read: str | None,
    wanted: str | None,
    repeated: Literal["merge", "last"],
    checked: bool,
    date_order: Literal["day", "month"] | None,
    columns: dict[str, Any] | None,
    verbose: bool,
) -> int:
    """Convert timelines between tilse, news-tls, JSON, YAML, XML, CSV and Markdown.

    INPUT is a file, a collection's or run's folder, or - for standard input. What language
    models write is read as Markdown. What is dropped, guessed or merged is reported on standard
    error with its line: every dated line that was lost, up to ten, and one warning of each
    other kind; -v lists everything. --check takes many answers and exits with 1 if a dated line
    of one was lost or one cannot be read.

    \b
    chronoscore convert answer.md -o mine.txt
    chronoscore convert answer.md --to json
    chronoscore convert answers/*.md --check
    chronoscore convert gold/ -o gold.jsonl
    chronoscore convert gold.jsonl -o gold/ --to tilse
    """
    from chronoscore.api.convert import convert
    from chronoscore.formats.io.notes import warn_of_notes

    def reading(source: Path) -> "Conversion":
        given = sys.stdin.buffer.read() if str(source) == "-" else source
        return convert(given, read=read, repeated=repeated, date_order=date_order, columns=columns)

    if checked:
        return _check(sources, reading)
    if len(sources) > 1:
        raise UsageError(
            f"{len(sources)} inputs are given and one is converted; give a folder or --check"
        )
    with progress("reading"):
        conversion = reading(sources[0])
        if output is not None:
            conversion.save(output, wanted)
    warn_of_notes(conversion.notes, every=verbose)
    if conversion.losses:
        warn(conversion.summary, kind="")
    flush_warnings()
    if output is None:
        emit(conversion.text(wanted), None)
    return 0


def _check(sources: Sequence[Path], reading: "Callable[[Path], Conversion]") -> int:
    """Print what was read of each input; 1 if something was lost."""
    from chronoscore.reports.tables import Table

    rows: list[tuple[str, ...]] = []
    faults = 0
    for source in sources:
        try:
            found = reading(source)
        except DataError as error:
            rows.append((str(source), "", "", "", error.message))
            faults += 1
            continue
        lines = [str(note.line) for note in found.losses if note.line]
        where = f"line{'s' if len(lines) > 1 else ''} {', '.join(lines)}" if lines else ""
        counts = (found.entries, found.guesses, len(found.losses))
        rows.append((str(source), *map(str, counts), where))
        faults += bool(found.losses)
    columns = ("file", "entries", "guessed", "lost", "where")
    emit(Table.of("What was read", columns, rows).terminal(), None)
    return int(bool(faults))
