"""`chronoscore demo`: what this tool does, on a corpus that comes with it."""

import shlex
import shutil
import sys
from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.derive import GroupedCommand
from chronoscore.cli.talk import flush_warnings, progress
from chronoscore.cli.targets import folder

NEXT = (
    "chronoscore demo --copy demo && cd demo",
    "chronoscore score runs/*/timelines --reference corpus",
    "chronoscore explain runs/headlines/timelines --reference corpus -t dam",
    "chronoscore demo --all  # everything else",
)


@click.command(cls=GroupedCommand)
@click.option(
    "-o",
    "--output",
    type=folder,
    default=Path("chronoscore-demo"),
    show_default=True,
    help="The folder for the HTML report.",
)
@click.option(
    "--copy",
    "target",
    type=folder,
    metavar="FOLDER",
    help="Copy the corpus and the systems' outputs here instead, to try other commands on them.",
)
@click.option("--all", "everything", is_flag=True, help="Print every part of the toolkit's tables.")
@options.seed
@options.talk
def command(output: Path, target: Path | None, everything: bool, seed: int) -> None:
    """Score the bundled, invented corpus and write an HTML report.

    Twelve news topics with references by people and six systems of different quality. One screen
    shows who is ahead and why; --all prints summaries, streams, updates, oracles, baselines and
    agreement too.
    """
    if target is not None:
        from chronoscore.demo import copy_demo_corpus

        copy_demo_corpus(target)
        click.echo(f"{target}: corpus, runs and ratings.csv, as in the tutorials", err=True)
        return
    from chronoscore.api.demo import demo

    with progress("scoring"):
        report = demo(output, seed=seed, everything=everything)
    flush_warnings()
    click.echo(report.screen)
    for heading, table in report.tables:
        click.echo("\n" + click.style(heading, bold=True))
        click.echo(table)
    click.echo()
    click.echo(f"report  {report.path}")
    for number, line in enumerate([*_make_known(), *NEXT]):
        click.echo(f"{'' if number else 'next':<8}{line}")


def _make_known() -> list[str]:
    """What to type first where a shell does not find this program by its name alone."""
    found = shutil.which("chronoscore")
    scripts = Path(sys.executable).parent
    if found and Path(found).parent.resolve() == scripts.resolve():
        return []
    if not (scripts / "activate").exists():
        return [f"PATH={shlex.quote(str(scripts))}:$PATH"] if not found else []
    here = Path.cwd()
    shown = scripts.relative_to(here) if scripts.is_relative_to(here) else scripts
    return [f". {shlex.quote(str(shown / 'activate'))}"]
