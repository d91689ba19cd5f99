"""`chronoscore judge`: let a language model judge, in the files that people's judgements have."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronoscore.cli import options
from chronoscore.cli.asking import asking, sources
from chronoscore.cli.derive import option
from chronoscore.cli.judge_words import JudgeCommand
from chronoscore.cli.names import Registered
from chronoscore.cli.talk import emit, is_quiet
from chronoscore.cli.targets import target
from chronoscore.judging.registry import JUDGES
from chronoscore.options.judging import JudgeInputs, RequestOptions

if TYPE_CHECKING:
    from chronoscore.judging.counts import RequestCounts

EVERY = 10.0
"""Seconds between lines of progress where there is no terminal."""


@click.command(cls=JudgeCommand)
@click.argument("task", type=Registered(JUDGES))
@click.argument("inputs", nargs=-1, required=True, type=options.file, metavar="INPUT...")
@option("--model", group="common", required=True, metavar="NAME", help="Its name at the endpoint.")
@option("-o", "--output", group="common", type=target, help="The file of judgements to write.")
@sources
@asking
@option("--author", group="output", default="model", help="The judge's name in the file.")
@option("--dry-run", group="output", is_flag=True, help="Count requests and tokens, send nothing.")
@option(
    "--show-prompt", group="output", is_flag=True, help="Print the first request, send nothing."
)
@options.talk
def command(
    task: str,
    inputs: tuple[Path, ...],
    model: str,
    output: Path | None,
    sources: JudgeInputs,
    asking: RequestOptions,
    author: str,
    dry_run: bool,
    show_prompt: bool,
) -> None:
    """Let a language model judge, and write its judgements as people's are written.

    \b
    link      which events do the sentences of judged topics tell
    nuggets   how far do outputs support each nugget; with --make, propose nuggets
    units     which content units do sentences (or, with --units, outputs) express
    pairs     do entries of outputs and references tell the same event
    facts     do the documents support the entries of outputs
    certify   try how far a judge can be trusted (judge certify --help)
    next      draw what people should judge next (judge next --help)
    redact    copy a cache of answers without texts (judge redact --help)

    Texts go to the endpoint that you name and nowhere else. The key comes from the environment
    variable CHRONOSCORE_API_KEY or OPENAI_API_KEY. Every answer is kept: a run that was stopped
    continues where it was, and --offline repeats a finished one without a network.

    \b
    chronoscore judge link corpus/ --endpoint http://localhost:11434/v1 --model llama3.1 -o m.jsonl
    chronoscore judge nuggets gold/ --make --endpoint URL --model NAME -o nuggets.jsonl
    chronoscore judge nuggets mine/ --nuggets nuggets.jsonl --model NAME -o m.jsonl --dry-run
    chronoscore judge facts mine/ --documents corpus/ --model NAME -o m.jsonl --offline
    """
    from chronoscore.api.judge import judge
    from chronoscore.errors import StoppedError, UsageError

    dry_run = dry_run or show_prompt
    if output is None and not dry_run:
        raise UsageError("judgements are a file; name it with -o, as -o judged.jsonl")
    with progress(is_quiet() or dry_run) as watch:
        result = judge(
            task,
            inputs,
            model=model,
            output=output,
            author=author,
            options=asking,
            dry_run=dry_run,
            watch=watch,
            **vars(sources),
        )
    if show_prompt:
        emit("nothing is asked" if result.prompt is None else result.prompt.render(), None)
        return
    if dry_run:
        emit(result.render(), None)
        return
    if not is_quiet():
        click.echo(result.counts.describe(), err=True)
    click.echo(f"{result.describe()}; written to {output}", err=True)
    if result.abstained == result.items > 0:
        raise StoppedError(
            f"no item was judged, so {output} holds nothing but abstentions; "
            "try another model or a smaller `batch`"
        )


@contextmanager
def progress(quiet: bool) -> Iterator["Callable[[RequestCounts], None] | None"]:
    """A bar on a terminal, and elsewhere a line now and then: done, rate, failures, tokens."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        last = [time.monotonic()]

        def show_line(counts: "RequestCounts") -> None:
            if time.monotonic() - last[0] >= EVERY:
                last[0] = time.monotonic()
                click.echo(counts.describe(), err=True)

        yield show_line
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(20), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=None)

        def show_bar(counts: "RequestCounts") -> None:
            bar.update(
                task, completed=counts.done, total=counts.questions, description=counts.brief()
            )

        yield show_bar
