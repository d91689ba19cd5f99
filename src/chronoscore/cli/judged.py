"""Options of judged topics: where the judgements are, curves, and what was missed."""

import click

from chronoscore.cli import options
from chronoscore.cli.options import file, stacked
from chronoscore.cli.targets import curve, target
from chronoscore.errors import UsageError

sources = stacked(
    click.option(
        "--judgements",
        multiple=True,
        type=file,
        help="Judged events: .jsonl, a task's directory, or a folder of topics.",
    ),
    click.option(
        "--units",
        multiple=True,
        type=file,
        help="Content units, in the same form or from DUCView (.pyr, .pan).",
    ),
    click.option(
        "--pool",
        multiple=True,
        type=file,
        help="Further runs that lend their times to nuggets but are not scored.",
    ),
    click.option(
        "--matches", type=file, help="Which table of matches to take from a task's directory."
    ),
    click.option(
        "--duplicates", type=file, help="Pairs of ids of equal updates, for a task's directory."
    ),
)
"""Where judgements and content units are, and what a task's directory leaves open."""

scored = stacked(
    options.reference,
    sources,
    options.original,
    options.measure,
    options.resampled,
    options.working,
    options.compat,
    options.published,
    options.cache,
    options.reading,
)
"""All that decides about scores, for the commands that compute some: what `score` takes."""

extras = stacked(
    click.option(
        "--curve",
        type=curve,
        help="Plot precision over recall, or a stream's growth, to this .png, .svg or .pdf; "
        "a stream's figures also go to .csv or .jsonl.",
    ),
    click.option(
        "--curve-by",
        type=click.Choice(["time", "rank"]),
        help="A stream's growth over time, which is usual, or by rank of confidence.",
    ),
    click.option(
        "--breakdown",
        type=target,
        help="Write each unit's or nugget's score, heaviest first, as CSV or JSON Lines.",
    ),
)
"""What else can be made of judged topics."""

powered = stacked(
    click.option(
        "--machine",
        metavar="NAME|PATH",
        multiple=True,
        help="For --ppi: the author that is a machine, or files or folders that it wrote.",
    ),
    click.option(
        "--ppi",
        is_flag=False,
        flag_value="t",
        type=click.Choice(["t", "bootstrap"]),
        help="Combine few topics judged by people with many judged by a machine; intervals by "
        "Student's t (also without a word after it), or by the bootstrap.",
    ),
    click.option(
        "--sampled",
        is_flag=True,
        help="For --ppi: people judged a random sample of each topic's sentences or nuggets.",
    ),
)
"""Figures from few people and much machine."""


def check_powered(
    machine: tuple[str, ...], ppi: str | None, sampled: bool, **others: object
) -> None:
    """Refuse half of the options, and options that --ppi has no use for."""
    if sampled and not ppi:
        raise UsageError("--sampled is for --ppi; add that or leave it out")
    if machine and not ppi:
        raise UsageError("--machine is for --ppi; add that or leave it out")
    if ppi and not machine:
        raise UsageError("--ppi combines people and a machine; name it with --machine")
    for name, value in others.items():
        if ppi and value:
            raise UsageError(f"--{name.replace('_', '-')} is not for --ppi; leave one of them out")
