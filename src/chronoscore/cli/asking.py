"""Options of commands that ask a model: how it is asked, and what tasks need."""

import click

from chronoscore.cli import options
from chronoscore.cli.derive import derive, derive_one, files
from chronoscore.options.judging import JudgeInputs, RequestOptions


def temperature(_context: click.Context, _option: click.Parameter, given: str) -> float | None:
    """A number, or none where the endpoint's own is wanted."""
    if given == "default":
        return None
    try:
        return float(given)
    except ValueError:
        raise click.BadParameter("write a number, or 'default' for the endpoint's own") from None


asking = derive(
    RequestOptions,
    "asking",
    endpoint=derive_one(RequestOptions, "endpoint", group="common"),
    temperature=derive_one(
        RequestOptions, "temperature", type=str, default="0", callback=temperature
    ),
)
"""How a model is asked, as `RequestOptions`."""


sources = derive(
    JudgeInputs,
    "sources",
    references=options.reference,
    nuggets=files("--nuggets", group="input", help="Nuggets to look for."),
    units=files("--units", group="input", help="Units to look for in outputs."),
    documents=files("--documents", group="input", help="What facts are checked with."),
)
"""What tasks need beside what is judged, as `JudgeInputs`."""
