"""How good could any system be? The best text that documents allow, and what limits it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from chronoscore.api.arguments import check_optional
from chronoscore.api.inputs import as_measures
from chronoscore.api.options import Workers
from chronoscore.api.results import Result, Section
from chronoscore.api.sources import Sources, as_oracle_collection
from chronoscore.api.values import as_list
from chronoscore.core import Row, Summary, Timeline, Topic
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_choice
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.oracles import ceilings as topic_ceilings
from chronoscore.oracles import summaries
from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.problem import POOLS, Pool
from chronoscore.oracles.summaries import METHODS, Method, Oracle
from chronoscore.oracles.timeline_search import TimelineOracle
from chronoscore.oracles.timelines import timeline_oracles
from chronoscore.progress import track
from chronoscore.reports import oracles as report
from chronoscore.scoring import Progress
from chronoscore.text.preparation import Limit

Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True)
class SummarySearch:
    """How the best summary of a topic is looked for.

    `budget` is its length, as in "100w" or "665b"; without one the measure's own limit
    counts. `time_limit` are seconds for each topic, after which there is a value and a bound.
    """

    budget: Limit | None = None
    pool: Pool = "micro"
    whole_references: bool = False
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_choice(self.pool, POOLS, "pool")
        if self.time_limit is None:
            return
        if not isinstance(self.time_limit, int | float):
            raise WrongTypeError(f"time limit {self.time_limit!r}: must be a number of seconds")
        if not self.time_limit > 0:
            raise UsageError(f"time limit {self.time_limit:g}: write a number of seconds above 0")

    def choose(self, topic: Topic, measure: Measure, method: Method) -> Oracle:
        """The best summary of a topic's sentences."""
        return summaries.oracle(
            topic,
            measure,
            method=method,
            budget=self.budget,
            pool=self.pool,
            seconds=self.time_limit,
            whole_references=self.whole_references,
        )

    def find_ceilings(self, topic: Topic, measure: Measure, method: Method) -> Ceilings:
        """What people, extractive systems and any text could reach on a topic."""
        return topic_ceilings.ceilings(
            topic,
            measure,
            method=method,
            budget=self.budget,
            pool=self.pool,
            seconds=self.time_limit,
            whole_references=self.whole_references,
        )


@dataclass(frozen=True)
class OracleResult(Result):
    """The best text for every topic by every measure and method."""

    summaries: tuple[tuple[Measure, Oracle], ...] = ()
    timelines: tuple[tuple[Measure, TimelineOracle], ...] = ()

    def _measure_name(self, measure: Measure) -> str:
        measures = {measure for measure, _ in (*self.summaries, *self.timelines)}
        return str(measure) if len(measures) > 1 else ""

    def rows(self) -> Sequence[Row]:
        """A record for each text; the measure is named where there are several."""
        return [
            *(report.oracle_row(one, self._measure_name(m)) for m, one in self.summaries),
            *(report.timeline_row(one, self._measure_name(m)) for m, one in self.timelines),
        ]

    def sections(self) -> Sequence[Section]:
        """All texts in one table, with means."""
        return [("", report.oracle_row_table(self.rows(), "Oracles"))]

    def plot(self, path: str | Path) -> None:
        """Draw each topic's value and bound by every measure and method."""
        from chronoscore.reports.ceiling_plots import plot_oracles

        series: dict[str, dict[str, tuple[float, float]]] = {}
        for measure, summary in self.summaries:
            name = f"{measure}, {summary.method}"
            series.setdefault(name, {})[summary.topic] = (summary.value, summary.bound)
        places = [(measure, one.topic) for measure, one in self.timelines]
        for measure, one in self.timelines:
            several = places.count((measure, one.topic)) > 1
            topic = f"{one.topic}, {one.reference}" if several else one.topic
            series.setdefault(str(measure), {})[topic] = (one.value, one.bound)
        topics = list(dict.fromkeys(topic for found in series.values() for topic in found))
        nothing = (math.nan, math.nan)
        pairs = {name: [found.get(t, nothing) for t in topics] for name, found in series.items()}
        plot_oracles(topics, pairs, Path(path))

    def write_run(self, folder: str | Path) -> None:
        """Write the selected texts, in a folder for each measure, method and reference if several.

        `score` reads such a folder as a system.
        """
        methods = {one.method for _, one in self.summaries}
        for measure, summary in track("writing", self.summaries, len(self.summaries)):
            method = summary.method if len(methods) > 1 else ""
            home = _below(folder, self._measure_name(measure), method)
            plain.save(summary.summary, home / f"{_file_name(summary.topic)}.txt")
        places = [(measure, one.topic) for measure, one in self.timelines]
        for measure, one in track("writing", self.timelines, len(self.timelines)):
            reference = one.reference if places.count((measure, one.topic)) > 1 else ""
            home = _below(folder, self._measure_name(measure), reference)
            timeline_files.save(one.timeline, home / f"{_file_name(one.topic)}.txt", "tilse")


def oracle(
    collection: Sources,
    measures: str | Measure | Sequence[str | Measure] = "rouge(n=1)",
    *,
    methods: Method | Sequence[Method] = "exact",
    budget: str | Limit | None = None,
    pool: Pool = "micro",
    whole_references: bool = False,
    time_limit: float | None = None,
    dates: int | None = None,
    per_date: int | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> OracleResult:
    """Choose the sentences of a collection's documents that score highest.

    Summaries are chosen for ROUGE-N recall within a budget, timelines for recall or F of
    agreement, align, align+ or align+m1 with at most `dates` dates and `per_date` sentences
    for each. The value is the measure's own score of the text; no text made of the
    documents' sentences exceeds the bound.
    """
    for name, number in (("dates", dates), ("per_date", per_date)):
        check_optional(number, name)
    for method in as_list(methods):
        check_choice(method, METHODS, "method")
    parsed = as_measures(measures)
    needs = _one_kind(parsed)
    workers = Workers(jobs=jobs, cluster=cluster)
    if needs is Timeline:
        if budget or whole_references:
            name = "a budget" if budget else "whole references"
            raise UsageError(f"{name} is only for summaries; leave it out")
        choose = partial(_choose_timelines, dates=dates, sentences=per_date)
        pairs = [(m, t) for m in parsed for t in as_oracle_collection(collection, needs)]
        groups = _work_through([partial(choose, t, m) for m, t in pairs], workers, progress)
        return OracleResult(
            timelines=tuple(
                (m, one) for (m, _), group in zip(pairs, groups, strict=True) for one in group
            )
        )
    if dates or per_date:
        raise UsageError("a number of dates or of sentences per date is only for timelines")
    search = SummarySearch(
        budget=parse_budget(budget),
        pool=pool,
        whole_references=whole_references,
        time_limit=time_limit,
    )
    topics = as_oracle_collection(collection, needs)
    tasks = [(t, m, method) for m in parsed for method in as_list(methods) for t in topics]
    best = _work_through([partial(search.choose, *task) for task in tasks], workers, progress)
    return OracleResult(tuple((m, one) for (_, m, _), one in zip(tasks, best, strict=True)))


@dataclass(frozen=True)
class CeilingResult(Result):
    """What people, extractive systems and any text at all could reach on every topic."""

    ceilings: tuple[Ceilings, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each topic and measure."""
        return [report.ceiling_row(one) for one in self.ceilings]

    def sections(self) -> Sequence[Section]:
        """All ceilings in one table, with means."""
        notes = ("human: each reference against the others", "any text: sense or nonsense")
        return [("", report.oracle_row_table(self.rows(), "Recall at most", notes))]

    def plot(self, path: str | Path) -> None:
        """Draw the ceilings of each topic by the first measure."""
        from chronoscore.reports.ceiling_plots import plot_ceilings

        first = self.ceilings[0].measure
        plot_ceilings([one for one in self.ceilings if one.measure == first], Path(path))


def ceilings(
    collection: Sources,
    measures: str | Measure | Sequence[str | Measure] = ("rouge(n=1)", "rouge(n=2)"),
    *,
    method: Method = "exact",
    budget: str | Limit | None = None,
    pool: Pool = "micro",
    whole_references: bool = False,
    time_limit: float | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> CeilingResult:
    """Find what people, extractive systems and any text at all could reach.

    People are scored one against the rest. A measure with `jackknife` lets all three meet
    the same number of references.
    """
    check_choice(method, METHODS, "method")
    parsed = as_measures(measures)
    search = SummarySearch(
        budget=parse_budget(budget),
        pool=pool,
        whole_references=whole_references,
        time_limit=time_limit,
    )
    topics = as_oracle_collection(collection, _one_kind(parsed))
    tasks = [partial(search.find_ceilings, t, m, method) for m in parsed for t in topics]
    workers = Workers(jobs=jobs, cluster=cluster)
    return CeilingResult(tuple(_work_through(tasks, workers, progress)))


def _one_kind(measures: Sequence[Measure]) -> type[Summary] | type[Timeline]:
    """What all measures score: summaries or timelines."""
    if not measures:
        raise UsageError("no measure was given; name at least one, as in 'rouge(n=1)'")
    kinds = {measure.needs for measure in measures}
    if kinds == {Summary}:
        return Summary
    if kinds == {Timeline}:
        return Timeline
    raise UsageError("give measures of summaries, as rouge(n=1), or of timelines, as align")


def parse_budget(budget: str | Limit | None) -> Limit | None:
    """A length, as in 100w or 665b."""
    if budget is None or isinstance(budget, Limit):
        return budget
    if not isinstance(budget, str):
        raise WrongTypeError(f"budget {budget!r}: must be text, as in '100w' or '665b'")
    return Limit.parse(budget)


def _choose_timelines(
    topic: Topic, measure: Measure, *, dates: int | None, sentences: int | None
) -> list[TimelineOracle]:
    """All oracles of a topic's timelines, as one job."""
    return list(timeline_oracles(topic, measure, dates=dates, sentences=sentences))


def _work_through(
    tasks: Sequence[Callable[[], Found]], workers: Workers, progress: Progress | None
) -> list[Found]:
    """Do the tasks in order, here or wherever the workers are."""
    done: list[Found] = []
    with workers.executor() as executor:
        futures = [executor.submit(task) for task in tasks] if executor else []
        for number, task in enumerate(tasks):
            done.append(futures[number].result() if executor else task())
            if progress:
                progress(number + 1, len(tasks))
    return done


def _below(folder: str | Path, *names: str) -> Path:
    """A folder inside the folder for each name that is not empty."""
    return Path(folder, *(_file_name(name) for name in names if name))


def _file_name(name: str) -> str:
    """A name that a file may have, and that does not lead elsewhere."""
    safe = name.replace("/", "-").replace("\\", "-").replace("\0", "")
    if not safe.strip(". "):
        raise DataError(f"topic '{name}' cannot name a file; rename it")
    return safe
