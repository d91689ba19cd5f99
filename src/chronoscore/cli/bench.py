"""`chronoscore bench`: a shared task in a folder, its submissions and its leaderboard."""

from pathlib import Path

import click

from chronoscore.cli import options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import flush_warnings, is_quiet, progress
from chronoscore.cli.targets import folder as new_folder
from chronoscore.cli.targets import target
from chronoscore.errors import UsageError, did_you_mean, number_with_noun


class BenchGroup(click.Group):
    """A group that suggests the nearest of its commands."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command, and suggest the nearest one."""
        if arguments[0] not in self.commands:
            near = did_you_mean(arguments[0], self.commands)
            raise UsageError(f"bench has no command '{arguments[0]}'; {near}")
        return super().resolve_command(context, arguments)


task_option = click.option(
    "--task", type=options.file, default=Path(), help="The task's folder; default: this one."
)
split_option = click.option(
    "--split-name", "split", metavar="NAME", help="The split; default: test, or the first one."
)


@click.group(cls=BenchGroup, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Run a shared task from a folder: freeze a collection, check submissions, make a board.

    Nothing needs a server; the folder may live in a repository.
    """


@command.command("make", cls=GreedyCommand)
@click.argument("task", type=new_folder, metavar="TASKFOLDER")
@click.option(
    "-r", "--reference", "collection", type=options.file, required=True, help="The collection."
)
@click.option("-m", "--measure", "measures", multiple=True, help="A measure; repeat for several.")
@click.option("--card", type=options.file, help="What people say of the corpus (JSON).")
@click.option(
    "--split-topics", "splits", multiple=True, metavar="NAME=TOPIC,…", help="Topics of a split."
)
@click.option(
    "--baseline", "baselines", multiple=True, metavar="SYSTEM", help="A baseline, or 'none'."
)
@options.talk
def make(
    task: Path,
    collection: Path,
    measures: tuple[str, ...],
    card: Path | None,
    splits: tuple[str, ...],
    baselines: tuple[str, ...],
) -> None:
    """Freeze a collection as a shared task in TASKFOLDER, with a card and baselines.

    \b
    chronoscore bench make task --reference corpus/ -m align+ -m dates --card card.json
    chronoscore bench make task --reference corpus/ --split-topics dev=dam,zoo --baseline datewise
    """
    from chronoscore.api.bench import make_task

    chosen = {name: topics.split(",") for name, _, topics in (s.partition("=") for s in splits)}
    if not all(name and all(topics) for name, topics in chosen.items()):
        raise UsageError("a split is NAME=TOPIC,TOPIC, as dev=dam,zoo")
    if len(chosen) < len(splits):
        raise UsageError("a split is named twice; name its topics once, as dev=dam,zoo")
    with progress("reading"):
        made = make_task(
            task,
            collection,
            measures,
            card=card,
            baselines=() if baselines == ("none",) else baselines or None,
            splits=chosen,
        )
    flush_warnings()
    if not is_quiet():
        sizes = ", ".join(f"{name}: {len(topics)}" for name, topics in made.splits.items())
        click.echo(f"{task}: {', '.join(made.measures)}; topics: {sizes}", err=True)
        click.echo(f"checksum {made.checksum}", err=True)


@command.command("check", cls=GreedyCommand)
@click.argument("submission", type=options.file)
@task_option
@split_option
@click.option("--sign", "signing", is_flag=True, help="Write submission.json into the folder.")
@click.option("--name", default="", help="For --sign: the system's name; default: the folder's.")
@click.option("--author", "by", default="", help="For --sign: who submits.")
@options.talk
def check(
    submission: Path, task: Path, split: str | None, signing: bool, name: str, by: str
) -> int:
    """Check a SUBMISSION (a folder or a zip archive), and say every fault in a sentence.

    With --sign a folder of answers, a file for each topic, becomes a submission: its figures and
    its signature are written into submission.json. Faults make the exit code 1.

    \b
    chronoscore bench check answers/ --task task --sign --name mine --author 'A. Author'
    chronoscore bench check mine.zip --task task
    """
    from chronoscore.api import bench_check

    if not signing and (name or by or split):
        raise UsageError(
            "--name, --author and --split-name are for --sign; add it or leave them out"
        )
    with progress("reading"):
        if signing:
            bench_check.sign(submission, task, split=split, name=name, by=by)
        found = bench_check.check_submission(submission, task)
    flush_warnings()
    for fault in found.faults:
        click.echo(f"{submission}: {fault}")
    if not found.faults and found.submission and not is_quiet():
        for figure, value in found.submission.scores.items():
            click.echo(f"{figure}  {'undefined' if value is None else f'{value:.4f}'}")
        click.echo(f"{submission}: {found.submission.system} is a sound submission", err=True)
    return int(bool(found.faults))


@command.command("board", cls=GreedyCommand)
@click.argument("submissions", nargs=-1, type=options.file, metavar="SUBMISSION...")
@task_option
@split_option
@click.option(
    "-o", "--output", type=target, default=Path("board.html"), show_default=True, help="The page."
)
@options.talk
def board(submissions: tuple[Path, ...], task: Path, split: str | None, output: Path) -> None:
    """Check SUBMISSIONs and write their leaderboard, with the task's baselines.

    Each is scored again; one with a fault is refused, and nothing is written. Beside the page a
    folder holds a page of explanations for each submission.

    \b
    chronoscore bench board submissions/* --task task -o board.html
    """
    if output.suffix.lower() not in (".htm", ".html"):
        raise UsageError(f"-o {output.name}: the board is a page; end its name in .html")
    from chronoscore.api.bench_board import make_board

    with progress("reading"):
        entries = make_board(submissions, task, output, split=split)
    flush_warnings()
    if not is_quiet():
        said = number_with_noun(len(entries), "submission")
        click.echo(f"{output}: {said}, each scored again", err=True)
