"""`chronoscore judge`: let a language model judge, in the files that people's judgements have."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronoscore.cli import options
from chronoscore.cli.greedy import GreedyCommand
from chronoscore.cli.talk import emit
from chronoscore.cli.targets import target

if TYPE_CHECKING:
    from chronoscore.api.judge import JudgeTask
    from chronoscore.judging.options import Counts, RequestOptions
    from chronoscore.judging.statements import PairUnit

EVERY = 10.0
"""Seconds between lines of progress where there is no terminal."""


def temperature(_context: click.Context, _option: click.Parameter, given: str) -> float | None:
    """A number, or none where the endpoint's own is wanted."""
    if given == "default":
        return None
    try:
        return float(given)
    except ValueError:
        raise click.BadParameter("write a number, or 'default' for the endpoint's own") from None


def request_options(**values: Any) -> "RequestOptions":
    """How a model is asked, from the options of a command."""
    from chronoscore.judging.options import RequestOptions

    return RequestOptions(**values)


asking = options.grouped(
    "asking",
    request_options,
    click.option(
        "--temperature",
        default="0",
        show_default=True,
        callback=temperature,
        metavar="NUMBER",
        help="Randomness of answers; 'default' leaves it to the endpoint.",
    ),
    click.option("--votes", default=1, show_default=True, help="Answers to each question."),
    click.option("--seed", type=options.whole, help="Sent with requests; votes count on from it."),
    click.option(
        *("--concurrency", "--jobs", "concurrency"),
        default=4,
        show_default=True,
        help="Requests at a time.",
    ),
    click.option("--timeout", default=120.0, show_default=True, help="Seconds for one answer."),
    click.option("--retries", default=5, show_default=True, help="After 429, 5xx or a time-out."),
    click.option(
        "--cache",
        type=options.file,
        help="Answers that are known (SQLite); by default beside the output.",
    ),
    click.option("--offline", is_flag=True, help="Take all answers from the cache."),
    click.option("--max-requests", type=options.whole, help="Stop after sending this many."),
    click.option("--max-tokens", type=options.whole, help="Stop after using this many."),
)
"""How a model is asked, as `RequestOptions`."""


@click.command(cls=GreedyCommand)
@click.argument("task", type=click.Choice(["link", "nuggets", "units", "pairs", "facts"]))
@click.argument("inputs", nargs=-1, required=True, type=options.file, metavar="INPUT...")
@click.option("--endpoint", metavar="URL", help="An OpenAI-compatible address, http://host/v1.")
@click.option("--model", required=True, metavar="NAME", help="The model's name at the endpoint.")
@click.option("-o", "--output", type=target, help="The file of judgements to write.")
@options.reference
@click.option("--nuggets", multiple=True, type=options.file, help="Nuggets to look for.")
@click.option("--make", is_flag=True, help="Propose nuggets: INPUT are references.")
@click.option("--units", multiple=True, type=options.file, help="Units to look for in outputs.")
@click.option("--documents", multiple=True, type=options.file, help="What facts are checked with.")
@click.option(
    "--within",
    type=options.whole,
    metavar="DAYS",
    help="facts: evidence from so many days around (3); pairs: only entries so near (all).",
)
@click.option("--evidence", default=5, show_default=True, help="facts: sentences for an entry.")
@click.option(
    "--unit",
    type=click.Choice(["entry", "sentence"]),
    default="entry",
    show_default=True,
    help="pairs: what is compared.",
)
@click.option("--batch", default=20, show_default=True, help="Items in one request.")
@click.option("--author", default="model", show_default=True, help="The judge's name in the file.")
@asking
@click.option("--dry-run", is_flag=True, help="Count requests and tokens, send nothing.")
@options.talk
def command(
    task: "JudgeTask",
    inputs: tuple[Path, ...],
    endpoint: str | None,
    model: str,
    output: Path | None,
    references: tuple[Path, ...],
    nuggets: tuple[Path, ...],
    make: bool,
    units: tuple[Path, ...],
    documents: tuple[Path, ...],
    within: int | None,
    evidence: int,
    unit: "PairUnit",
    batch: int,
    author: str,
    asking: "RequestOptions",
    dry_run: bool,
    quiet: bool,
) -> None:
    """Let a language model judge, and write its judgements as people's are written.

    \b
    link      which events do the sentences of judged topics tell
    nuggets   how far do outputs support each nugget; with --make, propose nuggets
    units     which content units do sentences (or, with --units, outputs) express
    pairs     do entries of outputs and references tell the same event
    facts     do the documents support the entries of outputs

    Texts go to the endpoint that you name and nowhere else. The key comes from the environment
    variable CHRONOSCORE_API_KEY or OPENAI_API_KEY. Every answer is kept: a run that was stopped
    goes on where it was, and --offline repeats a finished one without a network.

    \b
    chronoscore judge link corpus/ --endpoint http://localhost:11434/v1 --model llama3.1 -o m.jsonl
    chronoscore judge nuggets gold/ --make --endpoint URL --model NAME -o nuggets.jsonl
    chronoscore judge nuggets mine/ --nuggets nuggets.jsonl --model NAME -o m.jsonl --dry-run
    chronoscore judge facts mine/ --documents corpus/ --model NAME -o m.jsonl --offline
    """
    # Everything below is imported late, so that --help and wrong options answer at once.
    from chronoscore.api.judge import judge
    from chronoscore.errors import UsageError

    if output is None and not dry_run:
        raise UsageError("judgements are a file; name it with -o, as -o judged.jsonl")
    with progress(quiet or dry_run) as watch:
        result = judge(
            task,
            inputs,
            model=model,
            endpoint=endpoint,
            output=output,
            references=references or None,
            nuggets=nuggets or None,
            units=units or None,
            documents=documents or None,
            make=make,
            within=within,
            evidence=evidence,
            unit=unit,
            batch=batch,
            author=author,
            options=asking,
            dry_run=dry_run,
            watch=watch,
        )
    if dry_run:
        emit(result.render(), None)
        return
    if not quiet:
        click.echo(result.counts.describe(), err=True)
    click.echo(f"{result.describe()}; written to {output}", err=True)


@contextmanager
def progress(quiet: bool) -> Iterator["Callable[[Counts], None] | None"]:
    """A bar on a terminal, and elsewhere a line now and then: done, rate, failures, tokens."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        last = [time.monotonic()]

        def show_line(counts: "Counts") -> None:
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

        def show_bar(counts: "Counts") -> None:
            bar.update(
                task,
                completed=counts.done,
                total=counts.questions,
                description=counts.brief(),
            )

        yield show_bar
