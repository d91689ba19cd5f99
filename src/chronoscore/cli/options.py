"""Options that several commands share, and how their results are printed."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click

from chronoscore.api.options import (
    CEILING_LENGTHS,
    CORPORA,
    FORMATS,
    Compat,
    Printing,
    check_percentage,
    resampling_of,
)
from chronoscore.errors import ChronoscoreWarning

if TYPE_CHECKING:
    from chronoscore.formats.corpora.unreadable import ReadingRules

Command = TypeVar("Command", bound=Callable[..., Any])

file = click.Path(path_type=Path)


class Input(click.Path):
    """A path, or an address such as s3://bucket/records.parquet, which stays text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Keep addresses as they are."""
        if isinstance(value, str) and "://" in value:
            return value
        return super().convert(value, param, ctx)


source = Input(path_type=Path)


def columns_of_words(
    _context: click.Context, _option: click.Parameter, words: tuple[str, ...]
) -> dict[str, Any] | None:
    """What each `--column ROLE=NAME` says."""
    columns: dict[str, Any] = {}
    for word in words:
        role, sign, name = word.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"'{word}' is not ROLE=NAME, as in system=prediction")
        if role == "references":
            columns.setdefault(role, []).append(name)
        elif role in columns:
            raise click.BadParameter(f"'{role}' is named twice")
        else:
            columns[role] = name
    return columns or None


column = click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    callback=columns_of_words,
    help="Name a column of a file of records: system=NAME, references=NAME (repeat for several), "
    "id=NAME.",
)


GREEDY = frozenset({"-r", "--reference", "--original", "--judgements", "--units", "--pool"}) | {
    *("--machine", "--systems")
}
"""Options that several words may follow."""


class GreedyCommand(click.Command):
    """A command that takes `--reference A B C`, as a shell's `refs/*` gives it.

    Only after a system has been named: in `score --reference GOLD MINE` the last word
    is a system.
    """

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Repeat a greedy option before each of the words that follow its first."""
        arguments = self.fill_in(arguments)
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        spread: list[str] = []
        option, named, more = "", False, ""
        for word in arguments:
            if option:
                more = option if named and option in GREEDY else ""
                option = ""
            elif word.startswith("-") and word != "-":
                option = word if word in valued else ""
                more = ""
            elif more:
                spread.append(more)
            else:
                named = True
            spread.append(word)
        return super().parse_args(context, spread)

    def fill_in(self, arguments: list[str]) -> list[str]:
        """Write the usual value out where an option may stand alone, as `--ceiling` may."""
        usual = {
            name: (str(option.flag_value), option.type.choices)
            for option in self.params
            if isinstance(option, click.Option) and isinstance(option.type, click.Choice)
            if not option.is_flag and option.flag_value in option.type.choices
            for name in option.opts
        }
        filled: list[str] = []
        for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
            filled.append(word)
            if word in usual and following not in usual[word][1]:
                filled.append(usual[word][0])
        return filled


reference = click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    type=file,
    help="A reference file, a directory of them, or JSON; several may follow.",
)

original = click.option(
    "--original",
    "originals",
    multiple=True,
    type=file,
    help="References of what was known before an update; one folder's name is one earlier set.",
)


def complete_measures(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """The measures whose names begin so, for the shell."""
    from chronoscore.measures import measures
    from chronoscore.measures.registry import ALIASES

    return [name for name in sorted({*measures(), *ALIASES}) if name.startswith(begun)]


measure = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="A measure, as in 'rouge(n=2).f'; repeat for several. See: chronoscore list.",
)
form = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
)


def writable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """The file to write to, refused before any work if that cannot be done."""
    if path is None:
        return None
    from chronoscore.formats.io.files import check_target

    return check_target(path)


output = click.option(
    "-o",
    "--output",
    type=file,
    callback=writable,
    help="Write to this file, whole or not at all.",
)
whole = click.IntRange(0)
seed = click.option(
    "--seed", type=whole, default=1, show_default=True, help="Seed of all resampling."
)


def hush(context: click.Context, _option: click.Parameter, times: int) -> bool:
    """Whether to be quiet; asked twice, warnings about data are hidden too."""
    if times > 1:
        context.with_resource(warnings.catch_warnings())
        warnings.simplefilter("ignore", ChronoscoreWarning)
    return times > 0


quiet = click.option(
    "-q",
    "--quiet",
    count=True,
    callback=hush,
    help="No progress, only warnings and errors; -qq hides warnings about data too.",
)


def share(_context: click.Context, option: click.Parameter, percent: float) -> float:
    """The share that an option gives in percent."""
    check_percentage(option.opts[0], percent)
    return percent / 100


share_level = click.option(
    "--level", default=95.0, show_default=True, callback=share, help="Interval, in percent."
)


def stacked(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Several options as one, in the order in which --help lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def grouped(
    parameter: str, make: Callable[..., Any], *options: Callable[[Any], Any]
) -> Callable[[Command], Command]:
    """Several options whose values reach the command as one typed value."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(**values: Any) -> Any:
            own = {name: values.pop(name) for name in names}
            return command(**values, **{parameter: make(**own)})

        before = len(getattr(call, "__click_params__", ()))
        decorated = stacked(*options)(call)
        params: list[click.Parameter] = decorated.__click_params__  # type: ignore[attr-defined]
        names = [str(one.name) for one in params[before:]]
        return cast(Command, decorated)

    return decorate


printed = grouped("printing", Printing, form, output)
"""How results are printed, as a `Printing`."""

jobs = click.option("--jobs", default=1, show_default=True, help="Processes; 0 for all cores.")
cluster = click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, tcp://host:port.")


def enter_cache(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Keep sentence vectors in another file while the command runs."""
    if path is not None:
        # Imported here, so that --help needs no arrays.
        from chronoscore.measures.similarity.vector_cache import use_cache

        context.with_resource(use_cache(path))


cache = click.option(
    "--cache",
    type=file,
    expose_value=False,
    callback=enter_cache,
    help="Keep sentence vectors in this SQLite file, not in your cache folder.",
)
working = stacked(jobs, cluster, quiet)
"""Where the work is done, and how loudly."""

compat = click.option(
    "--compat",
    type=click.Choice(get_args(Compat)),
    help="Measures as another tool computes them: timelines as tilse, its paper's Table 2 or "
    "CHRONOS, ROUGE as rouge-score, streams as TREC's scorer of a year, classic pyramids as "
    "DUCView or SacreROUGE.",
)


ceiling = stacked(
    click.option(
        "--ceiling",
        is_flag=False,
        flag_value="reference",
        type=click.Choice(CEILING_LENGTHS),
        help="Add each score's share of what could be reached by texts as long as the references "
        "(also without a word after it), or as the system's own.",
    ),
    click.option(
        "--documents",
        type=file,
        help="For --ceiling and tf-idf: a collection with the documents, as `oracle` reads it.",
    ),
)
"""Shares of what can be reached, and the documents that decide it."""

published = click.option(
    "--published",
    type=click.Choice(CORPORA),
    help="Add published figures of timeline systems on this corpus, quoted and not scored anew, "
    "where measure and settings are the published ones.",
)


def reading_of(**values: Any) -> "ReadingRules":
    """How files are read, from the options of a command."""
    from chronoscore.formats.corpora.unreadable import ReadingRules

    return ReadingRules(**values)


date_order = click.option(
    "--date-order",
    type=click.Choice(["day", "month"]),
    help="What comes first in 03/06/2010, if no other date of the file shows it.",
)

reading = grouped(
    "reading",
    reading_of,
    click.option(
        "--on-error",
        type=click.Choice(["stop", "empty", "skip"]),
        help="An unreadable answer stops all, counts as empty, or its topic is left out for "
        "its system; by default empty, unless none can be read.",
    ),
    click.option("--encoding", metavar="NAME", help="Of all files; else UTF-8, or by their mark."),
    click.option(
        "--encoding-errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        show_default=True,
        help="Refuse what cannot be decoded, or replace and count it.",
    ),
    click.option(
        "--coarse",
        type=click.Choice(["keep", "first"]),
        default="keep",
        show_default=True,
        help="Months and years as they are, or on their first day.",
    ),
    click.option(
        "--topics",
        type=click.Choice(["all", "shared"]),
        default="all",
        show_default=True,
        help="All topics, missing outputs scored as empty, or those that all systems have.",
    ),
    date_order,
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        help="List all that was dropped, guessed or merged, not one warning of each kind.",
    ),
)
"""How outputs and references are read, as `ReadingRules`."""

level = click.option("--level", default=95.0, show_default=True, help="Interval, in percent.")
resamples = click.option(
    "--resamples", default=1000, show_default=True, help="Bootstrap draws of topics."
)
resampled = grouped(
    "resampling",
    resampling_of,
    seed,
    click.option(
        "--average",
        type=click.Choice(["mean", "of-means", "micro"]),
        help="How topics become one figure; each measure has its own default.",
    ),
    level,
    resamples,
)
"""How corpus figures are averaged and resampled, as a `Resampling`."""

redrawn = grouped("resampling", resampling_of, seed, level, resamples)
"""How intervals over topics are drawn, as a `Resampling`."""


def emit(text: str, output: Path | None) -> None:
    """Print the result, or write it to the file that was asked for."""
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    from chronoscore.formats.io.files import write_text

    write_text(output, text)


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How much is done in a second."""

        def render(self, task: Any) -> Text:
            """The rate, once it is known."""
            speed = task.speed or task.finished_speed
            return Text("" if not speed else f"{speed:,.3g}/s")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}" + " of {task.total:,.0f}", justify="right"),
        Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
