"""What `score` and `compare` have in common: load, score, average, print."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chronoscore.cli import ceiling, judged
from chronoscore.core import Collection, Output, Ranking, Row, Run, Summary, Timeline
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import inputs
from chronoscore.formats.summaries import updates
from chronoscore.measures import Measure, parse
from chronoscore.measures.compat import compat
from chronoscore.report import rows as flat
from chronoscore.report.scores import score_table
from chronoscore.report.tables import Table, latex, markdown, terminal
from chronoscore.scoring import Progress, Scores, score
from chronoscore.stats.corpus import Average, Resampling, averages

if TYPE_CHECKING:
    from chronoscore.oracles.shares import Ceiling

USUAL = ("rouge(n=1)", "rouge(n=2)", "rouge-l")


@dataclass(frozen=True)
class Result:
    """Scores, their averages, and how these were drawn."""

    scores: Scores
    averages: tuple[Average, ...]
    how: Resampling
    ceilings: "tuple[Ceiling, ...]" = ()


def chosen_measures(texts: Sequence[str], chosen: Mapping[str, Any]) -> list[Measure]:
    """Parse the measures that were asked for, or take the usual ones.

    An option that changes every measure does not change what results call them; the
    signature tells.
    """
    found = [parse(text) for text in texts or USUAL]
    found = [replace(measure, label=measure.title) for measure in found]
    if chosen.get("compat"):
        found = [compat(measure, chosen["compat"]) for measure in found]
    if chosen.get("jackknife"):
        found = [jackknifed(measure) for measure in found]
    return found


def jackknifed(measure: Measure) -> Measure:
    """The measure with one reference left out at a time."""
    if not hasattr(measure, "jackknife"):
        raise UsageError(f"measure '{measure}' has no jackknife; leave --jackknife out")
    return replace(measure, jackknife=True)  # type: ignore[call-arg]


def resampling(chosen: Mapping[str, Any]) -> Resampling:
    """How to resample, from the options of the command."""
    if not 0 < chosen["level"] < 100:
        raise UsageError(f"--level {chosen['level']:g}: write a percentage between 0 and 100")
    if chosen["resamples"] < 1:
        raise UsageError(f"--resamples {chosen['resamples']}: write 1 or more")
    return Resampling(
        times=chosen["resamples"],
        level=chosen["level"] / 100,
        seed=chosen["seed"],
        rule=chosen["average"],
    )


def scored(
    systems: Sequence[Path],
    references: Sequence[Path],
    chosen: Mapping[str, Any],
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Result:
    """Load what was named, score it, and average it."""
    wanted = chosen["measures"] or (judged.usual(chosen) if judged.judged_paths(chosen) else ())
    measures = chosen_measures(wanted, chosen)
    how = resampling(chosen)
    needs = one_kind(measures)
    if needs is not Ranking:
        judged.refuse(chosen, measures[0])
    if needs is Ranking:
        collection, runs = judged.load(systems, chosen)
    elif chosen.get("originals"):
        collection, runs = updates.load(systems, references, chosen["originals"])
    else:
        # Table 2 and the peer's scores rest on its reading of repeated dates.
        repeated: Literal["merge", "last"] = "last" if chosen.get("compat") else "merge"
        collection, runs = inputs.load(systems, references, needs, repeated=repeated)
    if chosen.get("humans"):
        runs = [*runs, *humans(collection)]
    scores = score(collection, runs, measures, executor=executor, progress=progress)
    if needs is Ranking:
        judged.write_extras(collection, runs, measures, chosen, how)
    reached = ceiling.found(collection, measures, references, chosen, executor)
    return Result(scores, tuple(averages(scores, how)), how, reached)


def one_kind(measures: Sequence[Measure]) -> type[Output]:
    """What all the measures need; they must agree."""
    needs = measures[0].needs
    for measure in measures:
        if measure.needs is not needs:
            raise UsageError(
                f"'{measures[0]}' scores a {needs.__name__.lower()} and '{measure}' a "
                f"{measure.needs.__name__.lower()}; score them in two calls"
            )
    return needs


def humans(collection: Collection) -> list[Run]:
    """Each reference's author as a system that meets only the others' references."""
    outputs: dict[str, dict[str, Output]] = {}
    for topic in collection:
        latest = max((summary.set for summary in topic.summaries), default="")
        written = tuple(summary for summary in topic.summaries if summary.set == latest)
        references: tuple[Summary | Timeline, ...] = written or topic.timelines
        if len(references) < 2:
            raise DataError(f"topic '{topic.id}': --humans needs two references or more; add some")
        for number, reference in enumerate(references, 1):
            author = reference.author or f"reference {number}"
            outputs.setdefault(author, {})[topic.id] = reference
    return [Run(author, found, human=True) for author, found in outputs.items()]


def printed(result: Result, form: str, wanted: str = "topics") -> str:
    """The result in the format that was asked for."""
    if form in ROW_FORMATS:
        return ROW_FORMATS[form](chosen_rows(result, wanted))
    table = score_table(result.scores, result.averages, result.how)
    return drawn(ceiling.widened(table, result.ceilings, result.scores), form)


def chosen_rows(result: Result, wanted: str) -> list[Row]:
    """Rows of topics, of averages, or of both, all with the same keys."""
    scores, ceilings = result.scores, result.ceilings
    topics = [] if wanted == "averages" else [*scores.rows(), *ceiling.rows(ceilings, scores)]
    if wanted == "topics":
        return topics
    blank: Row = {"low": float("nan"), "high": float("nan"), "n": 1}
    means = [*(average.row() for average in result.averages), *ceiling.mean_rows(ceilings, scores)]
    return [{**row, **blank} for row in topics] + means


def drawn(table: Table, form: str) -> str:
    """A table in one of the formats for people."""
    return TABLE_FORMATS[form](table)


def page(table: Table) -> str:
    """The table on an HTML page of its own."""
    from chronoscore.report.page import page as html_page

    return html_page("chronoscore", [("", table)])


ROW_FORMATS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "json": flat.json_rows,
    "jsonl": flat.jsonl_rows,
    "csv": flat.csv_rows,
}
TABLE_FORMATS: Mapping[str, Callable[[Table], str]] = {
    "table": terminal,
    "md": markdown,
    "latex": latex,
    "html": page,
}
