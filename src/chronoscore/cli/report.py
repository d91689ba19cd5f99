"""`chronoscore report`: everything about some systems on one page."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from chronoscore.cli import judged, options
from chronoscore.cli.derive import option
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import flush_warnings, progress
from chronoscore.cli.targets import target
from chronoscore.errors import UsageError

if TYPE_CHECKING:
    from chronoscore.api.scoring import ScoreOptions


@click.command(cls=GreedyCommand)
@options.project_systems
@judged.scoring
@option(
    "-o", "--output", group="common", type=target, default=Path("report.html"), help="The page."
)
@option("--title", group="output", default="", help="The heading of the page.")
@options.ceiling
def command(
    systems: tuple[Path, ...],
    measures: tuple[str, ...],
    output: Path,
    title: str,
    quiet: bool,
    **scoring: "Unpack[ScoreOptions]",
) -> None:
    """Score SYSTEMs and write one page about them.

    A leaderboard with intervals and ties, every topic, the dates covered and missed, how far the
    measures agree, and an explanation of each score. The page is one file that needs no network.
    Takes the same files as `score`.

    \b
    chronoscore report runs/* --reference gold/ -o report.html
    chronoscore report runs/* --reference gold/ -m align+ -m dates -m concat --ceiling
    """
    if output.suffix.lower() not in ("", ".htm", ".html"):
        raise UsageError(f"-o {output.name}: the report is a page; end its name in .html")
    from chronoscore.api.page import report

    with progress("reading", quiet) as show:
        scoring["progress"] = show
        path = report(
            systems,
            measures=measures,
            path=output,
            title=title,
            command=shlex.join(["chronoscore", *sys.argv[1:]]),
            **scoring,
        )
    flush_warnings()
    click.echo(f"report: {path.resolve()}", err=True)
