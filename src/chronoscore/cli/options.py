"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from chronoscore.cli import project_files
from chronoscore.cli.completion import complete_measures
from chronoscore.cli.derive import derive, derive_one, files, grouped, option, stacked
from chronoscore.cli.slips import PathName
from chronoscore.cli.talk import quiet, quiet_only, verbose, verbose_only
from chronoscore.cli.targets import output, plot
from chronoscore.errors import UsageError
from chronoscore.options import (
    CEILING_LENGTHS,
    FORMATS,
    Ordering,
    Printing,
    ReadingRules,
    Resampling,
)
from chronoscore.options.correlation import WHO
from chronoscore.options.scoring import MeasureOptions, ResultOptions, SourceOptions
from chronoscore.workers import Workers

Command = TypeVar("Command", bound=Callable[..., Any])

file = PathName()


class Input(PathName):
    """A path, or an address such as s3://bucket/records.parquet, which stays text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Keep addresses as they are."""
        if isinstance(value, str) and "://" in value:
            return value
        return super().convert(value, param, ctx)


source = Input()


def columns_of_words(
    _context: click.Context, _option: click.Parameter, words: tuple[str, ...]
) -> dict[str, Any] | None:
    """What each `--column ROLE=NAME` says."""
    columns: dict[str, Any] = {}
    for word in words:
        role, sign, name = word.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"'{word}' is not ROLE=NAME, as in system=prediction")
        if role in ("references", "text"):
            columns.setdefault(role, []).append(name)
        elif role in columns:
            raise click.BadParameter(f"'{role}' is named twice")
        else:
            columns[role] = name
    return columns or None


column = option(
    "--column",
    "columns",
    group="input",
    multiple=True,
    metavar="ROLE=NAME",
    callback=columns_of_words,
    help="Name a column or key of records: date=NAME, text=NAME, topic=NAME, author=NAME; in files "
    "of texts system=NAME, references=NAME, id=NAME. Repeat text and references for several.",
)


systems = click.argument("systems", nargs=-1, required=True, type=file, metavar="SYSTEM...")
project_systems = project_files.systems(file)
"""Systems by their paths, or those of a project."""

reference = files(
    "-r",
    "--reference",
    "references",
    group="common",
    help="A reference file, a directory of them, or JSON; several may follow.",
)

original = derive_one(SourceOptions, "originals", multiple=True, type=file)


def several_measures(text: str, **facts: Any) -> Callable[[Command], Command]:
    """The option of a command that takes several measures."""
    return option(
        "-m",
        "--measure",
        "measures",
        group="common",
        multiple=True,
        shell_complete=complete_measures,
        help=text,
        **facts,
    )


measure = several_measures(
    "A measure, as in 'rouge(n=2).f'; repeat for several. See: chronoscore list.", metavar="MEASURE"
)


def one_measure(default: str) -> Callable[[Command], Command]:
    """The option of a command that takes one measure."""
    return option(
        "-m",
        "--measure",
        group="common",
        default=default,
        metavar="MEASURE",
        shell_complete=complete_measures,
        help="The measure, as in score.",
    )


def printed_as(default: str) -> Callable[[Command], Command]:
    """The option that names the format of what is printed."""
    return option("-f", "--format", "form", group="common", choices=FORMATS, default=default)


form = printed_as("table")
seed = derive_one(Resampling, "seed")


def who(text: str) -> Callable[[Command], Command]:
    """The option that keeps machines, people or all."""
    return option("--who", group="input", choices=WHO, default="machines", help=text)


def share(_context: click.Context, parameter: click.Parameter, percent: float) -> float:
    """The share that an option gives in percent; 0.95 is refused, as 95 was meant."""
    if not 0 < percent < 100:
        raise UsageError(f"{parameter.opts[0]} {percent:g}: write a percentage between 0 and 100")
    if percent < 1:
        raise UsageError(f"{parameter.opts[0]} {percent:g}: is in percent; write {100 * percent:g}")
    return percent / 100


level = derive_one(Resampling, "level", default=95.0, callback=share, help="Interval, in percent.")


printing = grouped("printing", Printing, form, output)
"""How results are printed, as a `Printing`."""


def printing_with_plot(what: str) -> Callable[[Command], Command]:
    """The same with `--plot`, which says what it draws."""
    return grouped("printing", Printing, form, output, plot(what))


jobs, cluster = derive_one(Workers, "jobs"), derive_one(Workers, "cluster")


def enter_cache(context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Keep sentence vectors in another file while the command runs."""
    if path is not None:
        # Imported here, so that --help needs no arrays.
        from chronoscore.measures.similarity.vector_cache import use_cache

        context.with_resource(use_cache(path))


cache = option(
    "--cache",
    group="measures",
    type=file,
    expose_value=False,
    callback=enter_cache,
    help="Keep sentence vectors in this SQLite file, not in your cache folder.",
)
working = stacked(jobs, cluster, quiet)
"""Where the work is done, and how loudly."""
talk = stacked(quiet_only, verbose_only)
"""How much is reported, where no files of outputs are read."""

compat = derive_one(MeasureOptions, "compat")

documents = derive_one(
    SourceOptions,
    "documents",
    type=file,
    help="For --ceiling, tf-idf and contradictions(against=documents): a collection with the "
    "documents, as `oracle` reads it.",
)

ceiling = stacked(
    option(
        "--ceiling",
        group="measures",
        is_flag=False,
        flag_value="reference",
        choices=CEILING_LENGTHS,
        help="Add each score's share of what could be reached by texts as long as the references "
        "(also without a word after it), or as the system's own.",
    ),
    documents,
)
"""Shares of what can be reached, and the documents that decide it."""

sort = derive_one(Ordering, "sort")
published = derive_one(ResultOptions, "published")
date_order = derive_one(ReadingRules, "date_order")
reading = derive(ReadingRules, "reading", columns=column, verbose=verbose)
"""How outputs and references are read, as `ReadingRules`."""
resampling = derive(Resampling, "resampling", level=level)
"""How corpus figures are averaged and resampled, as a `Resampling`."""
intervals = grouped(
    "resampling",
    Resampling,
    *(derive_one(Resampling, name) for name in ("interval", "times")),
    level,
    seed,
)
"""How intervals over topics are computed, as a `Resampling`."""
