"""Options of judged topics: where the judgements are, curves, and what was missed."""

import click

from chronoscore.cli.options import file, stacked

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

extras = stacked(
    click.option(
        "--curve",
        type=file,
        help="Plot precision over recall, or a stream's growth, to this .png, .svg or .pdf.",
    ),
    click.option(
        "--curve-by",
        type=click.Choice(["time", "rank"]),
        help="A stream's growth over time, which is usual, or by rank of confidence.",
    ),
    click.option(
        "--breakdown",
        type=file,
        help="Write each unit's or nugget's score, heaviest first, as CSV or JSON Lines.",
    ),
)
"""What else can be made of judged topics."""
