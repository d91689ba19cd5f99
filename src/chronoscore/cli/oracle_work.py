"""What `oracle` does: load a collection, work topic by topic, write rows and runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypeVar

from chronoscore.cli.work import ROW_FORMATS, drawn
from chronoscore.core import Collection, Summary, Timeline, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import collections
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure, parse
from chronoscore.oracles.ceilings import Ceilings, ceilings
from chronoscore.oracles.summaries import Oracle, oracle
from chronoscore.oracles.timelines import TimelineOracle, timeline_oracles
from chronoscore.report import oracles as report
from chronoscore.report.oracles import Record
from chronoscore.scoring import Progress
from chronoscore.text.preparation import Limit

Found = TypeVar("Found")


def settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options that every oracle of summaries takes."""
    return {
        "budget": Limit.parse(chosen["budget"]) if chosen["budget"] else None,
        "pool": chosen["pool"],
        "seconds": time_limit(chosen),
        "whole_references": chosen["whole_references"],
    }


def time_limit(chosen: Mapping[str, Any]) -> float | None:
    """The seconds for a topic, if there is a limit."""
    seconds: float | None = chosen["time_limit"]
    if seconds is not None and not seconds > 0:
        raise UsageError(f"--time-limit {seconds:g}: write a number of seconds above 0")
    return seconds


def loaded(path: Path, measures: Sequence[Measure]) -> Collection:
    """The collection, with the references that the measures need."""
    needs = measures[0].needs
    if needs not in (Summary, Timeline) or any(m.needs is not needs for m in measures):
        raise UsageError("give measures of summaries, as rouge(n=1), or of timelines, as align")
    return collections.load(path, needs)


def spread(
    work: Callable[..., Found],
    jobs: Sequence[tuple[tuple[Any, ...], dict[str, Any]]],
    executor: Executor | None,
    progress: Progress | None,
) -> Iterator[Found]:
    """Do the jobs in order, here or wherever the executor does them."""
    futures = [executor.submit(work, *given, **named) for given, named in jobs] if executor else []
    for number, (given, named) in enumerate(jobs):
        yield futures[number].result() if executor else work(*given, **named)
        if progress:
            progress(number + 1, len(jobs))


def timelines_of(topic: Topic, measure: Measure, **told: Any) -> list[TimelineOracle]:
    """All oracles of a topic's timelines, as one job."""
    return list(timeline_oracles(topic, measure, **told))


def chosen_oracles(
    path: Path,
    chosen: Mapping[str, Any],
    executor: Executor | None,
    progress: Progress | None,
) -> list[Record]:
    """Rows of every topic, measure and method; selected texts are written if asked for."""
    measures = [parse(text) for text in chosen["measures"] or ("rouge(n=1)",)]
    topics = loaded(path, measures)
    several = len(measures) > 1
    rows: list[Record] = []
    if measures[0].needs is Timeline:
        for name in ("budget", "whole_references"):
            if chosen[name]:
                raise UsageError(f"--{name.replace('_', '-')} is for summaries; leave it out")
        told = {"dates": chosen["dates"], "sentences": chosen["per_date"]}
        jobs = [((topic, measure), told) for measure in measures for topic in topics]
        for (given, _), group in zip(
            jobs, spread(timelines_of, jobs, executor, progress), strict=True
        ):
            rows += [report.timeline_row(f, str(given[1]) if several else "") for f in group]
            write_timelines(group, chosen["write_run"], len(topics.topics[given[0].id].timelines))
        return rows
    for name in ("dates", "per_date"):
        if chosen[name]:
            raise UsageError(f"--{name.replace('_', '-')} is for timelines; leave it out")
    methods = chosen["methods"] or ("exact",)
    common = settings(chosen)
    jobs = [
        ((topic, measure), {**common, "method": method})
        for measure in measures
        for method in methods
        for topic in topics
    ]
    for (given, _), found in zip(jobs, spread(oracle, jobs, executor, progress), strict=True):
        rows.append(report.oracle_row(found, str(given[1]) if several else ""))
        write_summary(found, str(given[1]) if several else "", chosen)
    return rows


def write_summary(found: Oracle, measure: str, chosen: Mapping[str, Any]) -> None:
    """Write a selected text into the run's folder, a folder for each method if several."""
    folder: Path | None = chosen["write_run"]
    if folder is None:
        return
    for several, name in (
        (bool(measure), measure),
        (len(chosen["methods"] or ()) > 1, found.method),
    ):
        folder = folder / file_name(name) if several else folder
    plain.save(found.summary, folder / f"{file_name(found.topic)}.txt")


def write_timelines(group: Sequence[TimelineOracle], folder: Path | None, many: int) -> None:
    """Write selected timelines, a folder for each reference where a topic has several."""
    for found in group if folder is not None else ():
        assert folder is not None
        home = folder / file_name(found.reference) if many > 1 else folder
        timeline_files.save(found.timeline, home / f"{file_name(found.topic)}.txt", "tilse")


def file_name(name: str) -> str:
    """A name that a file may have, and that does not lead elsewhere."""
    safe = name.replace("/", "-").replace("\\", "-").replace("\0", "")
    if not safe.strip(". "):
        raise DataError(f"topic '{name}' cannot name a file; rename it")
    return safe


def all_ceilings(
    path: Path,
    chosen: Mapping[str, Any],
    executor: Executor | None,
    progress: Progress | None,
) -> list[Ceilings]:
    """The ceilings of every topic by every measure."""
    measures = [parse(text) for text in chosen["measures"] or ("rouge(n=1)", "rouge(n=2)")]
    topics = loaded(path, measures)
    common = {**settings(chosen), "method": chosen["method"]}
    jobs = [((topic, measure), common) for measure in measures for topic in topics]
    return list(spread(ceilings, jobs, executor, progress))


def printed(rows: Sequence[Record], form: str, title: str, notes: Sequence[str] = ()) -> str:
    """Rows in the format that was asked for."""
    if form == "csv":
        return ROW_FORMATS[form](report.lists_as_json(rows))
    if form in ROW_FORMATS:
        return ROW_FORMATS[form](rows)
    return drawn(report.table(rows, title, notes), form)
