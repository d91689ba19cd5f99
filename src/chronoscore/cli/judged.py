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
)
"""Where judgements and content units are; one option for either is enough."""

extras = stacked(
    click.option(
        "--curve", type=file, help="Plot precision over recall to this .png, .svg or .pdf."
    ),
    click.option(
        "--breakdown", type=file, help="Write each unit's score, heaviest first, as CSV or JSON."
    ),
)
"""What else can be made of judged topics."""
