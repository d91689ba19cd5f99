"""What a command says: results, warnings, progress."""

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from chronoscore.cli.standard_input import name_input
from chronoscore.errors import ChronoscoreWarning
from chronoscore.progress import announce, listen_to_progress

VARYING = re.compile(r"(^system '[^']*')|'[^']*'|“[^”]*”|\d+(?:[.,]\d+)*|^\S*[./]\S*(?=: )")
"""What differs between two warnings of one kind: names, figures, and the place in front.

A system that a warning begins with is no such name: what one did says nothing about another.
"""


class Warnings:
    """Warnings of one run: those of one kind are one line with their number, or all with -v."""

    def __init__(self) -> None:
        self.verbose = False
        self.kinds: dict[str, dict[str, None]] = {}

    def show(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Keep a warning until results are printed, without the place in our code that gave it."""
        text = name_input(str(message))
        kind = text if self.verbose else VARYING.sub(lambda found: found[1] or "…", text)
        self.kinds.setdefault(kind, {})[text] = None

    def flush(self) -> None:
        """Print what was kept."""
        for texts in self.kinds.values():
            more = f" ({len(texts)} such warnings; -v lists them)" if len(texts) > 1 else ""
            click.echo(f"warning: {next(iter(texts))}{more}", err=True)
        self.kinds.clear()


def flush_warnings() -> None:
    """Print the warnings that were kept so far, before what they are about."""
    context = click.get_current_context(silent=True)
    kept = context.find_object(Warnings) if context else None
    if kept:
        kept.flush()


def hush(context: click.Context, _option: click.Parameter, times: int) -> bool:
    """Whether to be quiet; asked twice, warnings about data are hidden too."""
    if times > 1:
        context.with_resource(warnings.catch_warnings())
        warnings.simplefilter("ignore", ChronoscoreWarning)
    return times > 0


def tell_all(context: click.Context, _option: click.Parameter, every: bool) -> bool:
    """Whether to print every warning."""
    kept = context.find_object(Warnings)
    if kept and every:
        kept.verbose = True
    return every


quiet = click.option(
    "-q",
    "--quiet",
    count=True,
    callback=hush,
    help="No progress, only warnings and errors; -qq hides warnings about data too.",
)
VERBOSE: dict[str, Any] = {
    "is_flag": True,
    "is_eager": True,
    "callback": tell_all,
    "help": "List all that was dropped, guessed or merged, not one warning of each kind.",
}
verbose = click.option("-v", "--verbose", **VERBOSE)
verbose_only = click.option("-v", "--verbose", expose_value=False, **VERBOSE)


def emit(text: str, output: Path | None) -> None:
    """Print the result, or write it to the file that was asked for."""
    flush_warnings()
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    from chronoscore.formats.io.files import write_text

    announce(f"writing {output.name}")
    write_text(output, text)


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, nothing elsewhere; it names what the work announces."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Amount(ProgressColumn):
        """How much is done, of how much, and how much in a second."""

        def render(self, task: Any) -> Text:
            """The figures, as far as they are known."""
            speed = task.speed or task.finished_speed
            total = f" of {task.total:,.0f}" if task.total else ""
            done = f"{task.completed:,.0f}{total}" if task.total or task.completed else ""
            return Text(f"{done}  {speed:,.3g}/s" if speed else done)

    columns = (TextColumn("{task.description}"), BarColumn(), Amount(), TimeRemainingColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
    ) as bar:
        task = bar.add_task(what, total=None)

        def show(now: str, done: int, total: int) -> None:
            nonlocal what
            if now != what:
                what = now
                bar.reset(task, description=now, total=total or None)
            bar.update(task, completed=done, total=total or None)

        with listen_to_progress(show):
            yield lambda done, total: show(what, done, total)
