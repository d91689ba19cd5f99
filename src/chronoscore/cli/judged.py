"""Options of judged topics: where the judgements are, curves, and what was missed."""

from chronoscore.cli import options
from chronoscore.cli.derive import files, option, stacked
from chronoscore.cli.options import file

sources = stacked(
    files(
        "--judgements",
        group="common",
        help="Judged events: .jsonl, a task's directory, or a folder of topics.",
    ),
    files(
        "--units",
        group="judging",
        help="Content units, in the same form or from DUCView (.pyr, .pan).",
    ),
    files(
        "--pool",
        group="judging",
        help="Further runs that lend their times to nuggets but are not scored.",
    ),
    option(
        "--matches",
        group="judging",
        type=file,
        help="Which table of matches to take from a task's directory.",
    ),
    option(
        "--duplicates",
        group="judging",
        type=file,
        help="Pairs of ids of equal updates, for a task's directory.",
    ),
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
    option(
        "--machine",
        group="judging",
        metavar="NAME|PATH",
        multiple=True,
        help="For --ppi: the author that is a machine, or files or folders that it wrote.",
    ),
    option(
        "--sampled",
        group="judging",
        is_flag=True,
        help="For --ppi: people judged a random sample of each topic's sentences or nuggets.",
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
