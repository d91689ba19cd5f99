"""Options of judged topics: where the judgements are, curves, and what was missed."""

from chronoscore.cli import options
from chronoscore.cli.derive import derive_one, option, stacked
from chronoscore.cli.options import file
from chronoscore.options.scoring import JudgedOptions, ResultOptions

sources = stacked(
    derive_one(JudgedOptions, "judgements", multiple=True, type=file),
    derive_one(JudgedOptions, "units", multiple=True, type=file),
    derive_one(JudgedOptions, "pool", multiple=True, type=file),
    derive_one(JudgedOptions, "matches", type=file),
    derive_one(JudgedOptions, "duplicates", type=file),
)
"""Where judgements and content units are, and what a task's directory leaves open."""

scoring = stacked(
    options.reference,
    sources,
    options.original,
    options.measure,
    options.resampling,
    options.working,
    options.compat,
    options.published,
    options.cache,
    options.reading,
)
"""All that decides about scores, for the commands that compute some: what `score` takes."""

machine = stacked(
    derive_one(
        ResultOptions,
        "machine",
        metavar="NAME|PATH",
        multiple=True,
        help="For --ppi: the author that is a machine, or files or folders that it wrote.",
    ),
    derive_one(
        ResultOptions,
        "sampled",
        help="For --ppi: people judged a random sample of each topic's sentences or nuggets.",
    ),
    derive_one(
        ResultOptions,
        "drawn",
        type=file,
        help="For --ppi: the list of `judge next` by which people's sentences or nuggets were "
        "drawn.",
    ),
)
"""Judgements by people beside those by a machine."""
ppi = option(
    "--ppi",
    group="judging",
    is_flag=False,
    flag_value="t",
    choices=["t", "bootstrap"],
    help="Combine few topics judged by people with many judged by a machine; intervals by "
    "Student's t (also without a word after it), or by the bootstrap.",
)
