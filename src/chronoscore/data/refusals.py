"""Which option is for which data: one table, with one sentence for each refusal.

`docs/options.md` shows the same table. An option that is not here is for everything.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from chronoscore.core import Ranking
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.options import ReadingRules

DataKind: TypeAlias = Literal["texts", "timelines", "updates", "judged topics", "records"]
KINDS: tuple[DataKind, ...] = get_args(DataKind)

JUDGED = "`{option}` is for rankings of judged topics and '{measure}' scores a {output}; leave it "
JUDGED += "out, or name a measure as nu"
RECORDS = "`columns` and `resume` are for files of records with outputs and references (.jsonl, "
RECORDS += ".csv or .parquet); leave them out"


class OptionUse(NamedTuple):
    """An option and the kinds of data that it is for."""

    option: str
    kinds: tuple[DataKind, ...]
    sentence: str


FITS: tuple[OptionUse, ...] = (
    OptionUse(
        "coarse", ("timelines",), "`coarse` is about the dates of timelines; '{measure}' has none"
    ),
    OptionUse(
        "on_error",
        ("texts", "timelines", "records"),
        "`on_error` is for answers that are texts or timelines; leave it out",
    ),
    OptionUse(
        "summaries_by",
        ("texts",),
        "`summaries_by` is for summaries of CrisisFACTS; leave it out",
    ),
    OptionUse(
        "folders",
        ("texts", "timelines", "records"),
        "`folders` is about folders of texts or timelines; leave it out",
    ),
    OptionUse(
        "originals",
        ("updates",),
        "`originals` is for update summaries; '{measure}' does not score these",
    ),
    OptionUse("judgements", ("judged topics",), JUDGED),
    OptionUse("units", ("judged topics",), JUDGED),
    OptionUse("matches", ("judged topics",), JUDGED),
    OptionUse("duplicates", ("judged topics",), JUDGED),
    OptionUse("machine", ("judged topics",), JUDGED),
    OptionUse("curve", ("judged topics",), JUDGED),
    OptionUse("breakdown", ("judged topics",), JUDGED),
    OptionUse("columns", ("records",), RECORDS),
    OptionUse("resume", ("records",), RECORDS),
)
"""Options that are for some kinds of data only."""


class OptionNeed(NamedTuple):
    """An option that is of use only beside another one, or for some measures."""

    option: str
    others: tuple[str, ...]
    """Any of these is enough."""
    measured: Callable[[Measure], bool]
    """Measures for which it is of use by itself."""
    sentence: str
    every: bool = False
    """Whether all measures must be such, or one is enough."""


def _never(_measure: Measure) -> bool:
    return False


NEEDS: tuple[OptionNeed, ...] = (
    OptionNeed(
        "documents",
        ("ceiling",),
        lambda measure: measure.reads_documents,
        "`documents` is for `ceiling`, similarity=tfidf and contradictions(against=documents); "
        "add one or leave it out",
    ),
    OptionNeed(
        "pool",
        (),
        lambda measure: measure.pooled,
        "`pool` lends times to stream(times=all); leave it out",
    ),
    OptionNeed(
        "sampled",
        ("machine",),
        _never,
        "`sampled` is about people beside a machine; name the machine too",
    ),
    OptionNeed(
        "drawn",
        ("machine",),
        _never,
        "`drawn` is about people beside a machine; name the machine too",
    ),
    OptionNeed(
        "humans",
        (),
        lambda measure: measure.needs is not Ranking or measure.name == "classic-pyramid",
        "`humans` scores references or classic pyramids; leave it out",
        every=True,
    ),
)
"""Options that need another option or certain measures."""


def refuse(
    option: str, kind: DataKind, measure: Measure, table: Sequence[OptionUse] = FITS
) -> None:
    """Refuse an option beside data that it is not for."""
    for fit in table:
        if fit.option == option and kind not in fit.kinds:
            output = measure.needs.__name__.lower()
            raise UsageError(fit.sentence.format(option=option, measure=measure, output=output))


def check(given: Mapping[str, object], kind: DataKind, measures: Sequence[Measure]) -> None:
    """Refuse the first option that is of no use for the data and the measures."""
    for option in given:
        refuse(option, kind, measures[0])
    for need in NEEDS:
        if (
            need.option in given
            and not any(other in given for other in need.others)
            and not (all if need.every else any)(map(need.measured, measures))
        ):
            raise UsageError(need.sentence)


def changed(reading: ReadingRules) -> dict[str, object]:
    """The reading rules that differ from the usual ones, by name."""
    usual = ReadingRules()
    names = ("on_error", "coarse", "summaries_by", "folders")
    return {
        name: getattr(reading, name)
        for name in names
        if getattr(reading, name) != getattr(usual, name)
    }
