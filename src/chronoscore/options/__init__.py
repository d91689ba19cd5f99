"""What users may choose: classes of options, each declared once.

A field carries its help and its group. From this derive the check in Python, the option of the
command line (`chronoscore.cli.derive`), its completion and its line on the reference page.
Nothing here imports NumPy, so that `--help` and wrong options answer at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, get_args

from chronoscore.errors import UsageError
from chronoscore.options.declare import Options, option, share

Averaging: TypeAlias = Literal["mean", "of-means", "micro"]
Compat: TypeAlias = Literal[
    "tilse",
    "paper",
    "chronos",
    "rouge-score",
    "tseval2013",
    "tseval2014",
    "tseval2015",
    "ducview",
    "sacrerouge",
    "crisisfacts2022",
    "crisisfacts2023",
]
Edition: TypeAlias = Literal["crisisfacts2022", "crisisfacts2023"]
"""A year of CrisisFACTS, whose organizers make texts of facts in their own way."""
SummaryTarget: TypeAlias = Literal["nist", "wiki", "ics"]
"""Whose summaries of an event are references: assessors', Wikipedia's, or incident reports."""
CeilingLength: TypeAlias = Literal["reference", "own"]
Corpus: TypeAlias = Literal["timeline17", "crisis", "entities"]
CurveOrder: TypeAlias = Literal["time", "rank"]
DateOrder: TypeAlias = Literal["day", "month"]
IntervalMethod: TypeAlias = Literal["t-logit", "bootstrap"]
PairTests: TypeAlias = Literal["randomization", "all"]
PpiInterval: TypeAlias = Literal["t", "bootstrap"]
RowChoice: TypeAlias = Literal["topics", "averages", "all", "runs"]

CEILING_LENGTHS: tuple[CeilingLength, ...] = get_args(CeilingLength)
"""How long the text of a ceiling may be: as the references, or as the system's own."""
CORPORA: tuple[Corpus, ...] = get_args(Corpus)
"""Corpora for which there are published figures of timeline systems."""
DRAWS = 1000
"""Bootstrap draws, unless a number is given."""
FORMATS = ("table", "json", "jsonl", "csv", "md", "latex", "html")


@dataclass(frozen=True, kw_only=True)
class ReadingRules(Options):
    """How outputs and references are read.

    `on_error` says what to do with an answer that cannot be read: stop, score it as empty, or
    skip its topic for its system. Without it such answers are scored as empty, but if none can
    be read the first error is raised. `coarse` says whether months, years and the like stay as
    they are or become their first day. With `topics="shared"` only the topics that every system
    has an output for are scored. `date_order` says what comes first in 03/06/2010, "day" or
    "month", where no other date of the same file shows it. `summaries_by` says whose summaries of
    an event of CrisisFACTS are references. `folders` says what folders inside a system's
    folder are: runs of this system, or systems. `columns` names the keys or columns of records
    where their values do not tell, as in `{"date": "ts", "text": "headline"}`. What was dropped,
    guessed or merged is one warning of each kind, or with `verbose` one for each note.
    """

    example: ClassVar[str] = "ReadingRules(on_error='skip', encoding='cp1252')"

    on_error: Literal["stop", "empty", "skip"] | None = option(
        None,
        "What to do with an answer that cannot be read: stop, score it as empty (default, unless "
        "none can be read), or skip its topic for its system.",
    )
    encoding: str | None = option(
        None, "Encoding of all files; default: UTF-8 or the byte-order mark."
    )
    encoding_errors: Literal["strict", "replace"] = option(
        "strict", "Refuse text that cannot be decoded, or replace and count it."
    )
    coarse: Literal["keep", "first"] = option(
        "keep", "Keep months and years as dates, or move them to their first day."
    )
    topics: Literal["all", "shared"] = option(
        "all",
        "Score all topics (missing outputs count as empty), or those that every system has.",
    )
    date_order: DateOrder | None = option(
        None, "What comes first in 03/06/2010, if no other date of the file shows it."
    )
    summaries_by: SummaryTarget | None = option(
        None, "Whose summaries of CrisisFACTS are references; default: nist."
    )
    folders: Literal["runs", "systems"] | None = option(
        None,
        "What folders inside a system's folder are: its runs, or systems; default: runs where "
        "names and topics show it.",
    )
    columns: Mapping[str, str | Sequence[str]] | None = None
    verbose: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_columns(self.columns)


TIMELINE_ROLES = ("date", "text", "topic", "author")
RECORD_ROLES = ("id", "system", "references")


def check_columns(given: object) -> None:
    """Refuse columns that are not named by what they hold."""
    if given is None:
        return
    known = (*TIMELINE_ROLES, *RECORD_ROLES)
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise UsageError(
            "columns: give a dict as {'system': 'prediction', 'references': ['gold1', 'gold2']}"
        )
    for key, value in given.items():
        if key not in known:
            raise UsageError(f"columns: unknown role '{key}'; known are {', '.join(known)}")
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(
            isinstance(name, str) and name for name in names
        ):
            raise UsageError("columns: the names of columns must be text")


@dataclass(frozen=True, kw_only=True)
class Resampling(Options):
    """How topics are averaged and intervals computed; part of every signature.

    An interval is Student's with the jackknife's error over topics, on the logit scale for figures
    between 0 and 1, or the percentile bootstrap's, for which topics are drawn `times` times. The
    seed is that of draws and of randomization tests.
    """

    interval: IntervalMethod = option(
        "t-logit",
        "Intervals over topics: Student's t, on the logit scale for figures between 0 and 1, or "
        "the percentile bootstrap.",
        group="statistics",
    )
    times: int | None = option(
        None,
        f"Bootstrap draws of topics; default: {DRAWS:,}.",
        group="statistics",
        name="resamples",
    )
    level: float = option(0.95, "Confidence level of intervals.", group="statistics", check=share)
    seed: int = option(1, "Seed of all that is drawn.", group="statistics", least=0)
    rule: Averaging | None = option(
        None,
        "How topics are averaged; default: the measure's own rule.",
        group="statistics",
        name="average",
    )

    @property
    def draws(self) -> int:
        """How often the bootstrap draws topics."""
        return self.times or DRAWS

    def check_drawn(self) -> None:
        """Refuse a number of draws where nothing is drawn."""
        if self.times is not None and self.interval != "bootstrap":
            raise UsageError("`times` counts bootstrap draws; add `interval=bootstrap`")


@dataclass(frozen=True, kw_only=True)
class Ordering(Options):
    """In which order tables list systems."""

    sort: str | None = option(
        None,
        "Order of systems in tables: by this measure, as in dates.f (default: the first one), or "
        "none: as they were named.",
        group="output",
        metavar="MEASURE|none",
    )


@dataclass(frozen=True, kw_only=True)
class Printing:
    """In which format a command prints its result, to which file, and where it draws it."""

    form: str = "table"
    output: Path | None = None
    plot: Path | None = None
