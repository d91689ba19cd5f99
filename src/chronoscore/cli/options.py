"""Options that several commands share."""

from collections.abc import Callable
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
    resampling_from_options,
)
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.talk import quiet, verbose, verbose_only
from chronoscore.cli.targets import output

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


measure = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="A measure, as in 'rouge(n=2).f'; repeat for several. See: chronoscore list.",
)


def one_measure(default: str) -> Callable[[Command], Command]:
    """The option of a command that takes one measure."""
    return click.option(
        "-m",
        "--measure",
        default=default,
        show_default=True,
        metavar="MEASURE",
        shell_complete=complete_measures,
        help="The measure, as in score.",
    )


form = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
)
whole = click.IntRange(0)
seed = click.option(
    "--seed", type=whole, default=1, show_default=True, help="Seed of all resampling."
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
talk = stacked(quiet, verbose_only)
"""How much is said, where no files of outputs are read."""

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
    verbose,
)
"""How outputs and references are read, as `ReadingRules`."""

level = click.option("--level", default=95.0, show_default=True, help="Interval, in percent.")
resamples = click.option(
    "--resamples", default=1000, show_default=True, help="Bootstrap draws of topics."
)
resampled = grouped(
    "resampling",
    resampling_from_options,
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

redrawn = grouped("resampling", resampling_from_options, seed, level, resamples)
"""How intervals over topics are drawn, as a `Resampling`."""
