"""`chronoscore convert`: from one timeline format to another."""

import sys
from pathlib import Path
from typing import Literal

import click

from chronoscore.cli import options
from chronoscore.errors import UsageError

# Written out here, so that --help does not have to import the formats.
FORMATS = click.Choice(["tilse", "newstls", "json", "jsonl", "csv", "tsv", "markdown"])


@click.command()
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True), metavar="INPUT")
@click.option("-o", "--output", type=options.file, help="A file or a folder; else print.")
@click.option("--from", "read", type=FORMATS, help="The format of INPUT; else told by a look.")
@click.option("--to", "wanted", type=FORMATS, help="The format to write; else told by -o's ending.")
@click.option(
    "--repeated",
    type=click.Choice(["merge", "last"]),
    default="merge",
    show_default=True,
    help="What becomes of a date with two blocks: both count, or the last.",
)
@click.option("-q", "--quiet", is_flag=True, help="Do not list what was dropped or guessed.")
def command(
    source: Path,
    output: Path | None,
    read: str | None,
    wanted: str | None,
    repeated: Literal["merge", "last"],
    quiet: bool,
) -> None:
    """Convert timelines between tilse, news-tls, JSON, CSV and Markdown.

    INPUT is a file, a collection's or run's folder, or - for standard input. What language
    models write is read as Markdown. Everything that is dropped, guessed or merged on the way
    is listed on standard error with its line.

    \b
    chronoscore convert answer.md -o mine.txt
    chronoscore convert answer.md --to json
    chronoscore convert gold/ -o gold.jsonl
    chronoscore convert gold.jsonl -o gold/ --to tilse
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.formats.timelines import conversion, timeline_files

    if output is not None and output.suffix == ".gz":
        raise UsageError(f"{output}: archives are not written; leave .gz out")
    if str(source) == "-":
        raw = sys.stdin.buffer.read()
        reading = conversion.read_piped(raw, "standard input", form=read, repeated=repeated)
    else:
        reading = conversion.read_path(source, form=read, repeated=repeated)
    for note in () if quiet else reading.notes:
        click.echo(f"warning: {note}", err=True)
    several = source.is_dir() or len(reading.timelines) != 1
    if output is None:
        form = wanted or ("jsonl" if several else "tilse")
        options.emit(timeline_files.write_content(reading.timelines, form), output)
    elif is_file(output, several=several):
        form = wanted or told(output)
        options.emit(timeline_files.write_content(reading.timelines, form), output)
    else:
        for place, written in conversion.lay_out(reading.timelines, wanted or "tilse").items():
            options.emit(written, output / place)


def is_file(output: Path, *, several: bool) -> bool:
    """Whether -o names a file rather than a folder for several."""
    from chronoscore.formats.timelines.timeline_files import format_of_path

    named = format_of_path(output) is not None or output.suffix == ".txt"
    return not output.is_dir() and (named or not several)


def told(output: Path) -> str:
    """The format that the name of the output tells."""
    from chronoscore.formats.timelines.timeline_files import format_of_path

    if output.suffix == ".txt":
        return "tilse"
    if form := format_of_path(output):
        return form.name
    raise UsageError(f"{output}: the ending tells no format; say it with --to")
