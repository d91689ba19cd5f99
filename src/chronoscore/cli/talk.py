"""What a command says: results, warnings, progress."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from chronoscore.cli.derive import option
from chronoscore.cli.streams import escape_json
from chronoscore.errors import ChronoscoreWarning, on_one_line
from chronoscore.options import Printing
from chronoscore.progress import announce, listen_to_progress

if TYPE_CHECKING:
    from chronoscore.api.results import Result

ROOM_FOR_BAR = 70
"""Columns of a terminal below which progress is words and figures only."""
QUIET = "chronoscore.quiet"
"""Where a context keeps whether its command is quiet."""


class Warnings:
    """Warnings of one run: those of one kind are one line with their number, or all with -v."""

    def __init__(self, phrase: Callable[[str], str] = str) -> None:
        self.verbose = False
        self.phrase = phrase
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
        text = self.phrase(str(message))
        kind = "" if self.verbose else getattr(message, "kind", "")
        self.kinds.setdefault(kind or text, {})[text] = None

    def flush(self) -> None:
        """Print what was kept."""
        for texts in self.kinds.values():
            more = f" ({len(texts)} such warnings; -v lists them)" if len(texts) > 1 else ""
            click.echo(f"warning: {on_one_line(next(iter(texts)))}{more}", err=True)
        self.kinds.clear()


def flush_warnings() -> None:
    """Print the warnings that were kept so far, before what they are about."""
    context = click.get_current_context(silent=True)
    kept = context.find_object(Warnings) if context else None
    if kept:
        kept.flush()


def set_quiet(context: click.Context, _option: click.Parameter, times: int) -> bool:
    """Whether to be quiet; asked twice, warnings about data are hidden too."""
    context.meta[QUIET] = times > 0
    if times > 1:
        context.with_resource(warnings.catch_warnings())
        warnings.simplefilter("ignore", ChronoscoreWarning)
    return times > 0


def is_quiet() -> bool:
    """Whether the running command was asked to be quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def set_verbose(context: click.Context, _option: click.Parameter, every: bool) -> bool:
    """Whether to print every warning."""
    kept = context.find_object(Warnings)
    if kept and every:
        kept.verbose = True
    return every


SILENT: dict[str, Any] = {
    "count": True,
    "callback": set_quiet,
    "help": "No progress, only warnings and errors; -qq hides warnings about data too.",
}
quiet = option("-q", "--quiet", group="output", **SILENT)
quiet_only = option("-q", "--quiet", group="output", expose_value=False, **SILENT)
VERBOSE: dict[str, Any] = {
    "is_flag": True,
    "is_eager": True,
    "callback": set_verbose,
    "help": "List all that was dropped, guessed or merged, not one warning of each kind.",
}
verbose = option("-v", "--verbose", group="output", **VERBOSE)
verbose_only = option("-v", "--verbose", group="output", expose_value=False, **VERBOSE)


def emit(text: str, output: Path | None) -> None:
    """Print the result, or write it to the file that was asked for."""
    flush_warnings()
    if output is None:
        text = escape_json(text) if text.startswith(("{", "[")) else text
        click.echo(text, nl=text[-1:] not in ("", "\n"))
        return
    from chronoscore.formats.io.files import write_text

    announce(f"writing {output.name}")
    write_text(output, text)


def show(result: "Result", printing: Printing) -> None:
    """Draw a result where a plot was asked for, and print it in its format."""
    if printing.plot is not None:
        result.plot(printing.plot)  # type: ignore[attr-defined]
    emit(result.render(printing.form), printing.output)


@contextmanager
def progress(what: str, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, nothing elsewhere; it names what the work announces."""
    if quiet or is_quiet() or not sys.stderr.isatty():
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

    console = Console(stderr=True)
    columns: tuple[ProgressColumn, ...] = (TextColumn("{task.description}"), Amount())
    if console.width >= ROOM_FOR_BAR:
        columns = (columns[0], BarColumn(), columns[1], TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)

        def show(now: str, done: int, total: int) -> None:
            nonlocal what
            if now != what:
                what = now
                bar.reset(task, description=now, total=total or None)
            bar.update(task, completed=done, total=total or None)

        with listen_to_progress(show):
            yield lambda done, total: show(what, done, total)
