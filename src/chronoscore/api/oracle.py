"""How good could any system be? The best text that documents allow, and what limits it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from chronoscore.api.results import TableResult
from chronoscore.core import Collection, Output, Summary, Timeline, Topic
from chronoscore.data import sources
from chronoscore.data.choice import as_measures
from chronoscore.data.sources import Sources
from chronoscore.data.values import as_list
from chronoscore.errors import DataError, UsageError, check_choice
from chronoscore.formats.corpora import collections
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.options.declare import accepts, sort_keywords
from chronoscore.options.oracles import METHODS, Method, Pool, SummarySearch, TimelineSearch
from chronoscore.oracles import ceilings as topic_ceilings
from chronoscore.oracles import hard, people, summaries
from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.hard import SolvedInstance
from chronoscore.oracles.people import Frequencies
from chronoscore.oracles.timeline_search import TimelineOracle
from chronoscore.oracles.timelines import timeline_oracles
from chronoscore.progress import track
from chronoscore.reports.oracles import CEILINGS, FREQUENCIES, HARD, ORACLES, Oracles
from chronoscore.scoring import Progress
from chronoscore.text.preparation import Limit, Preparation
from chronoscore.workers import Workers

Found = TypeVar("Found")


class OracleResult(TableResult[Oracles]):
    """The best text for every topic by every measure and method."""

    def write_run(self, folder: str | Path) -> None:
        """Write the selected texts, in a folder for each measure, method and reference if several.

        `score` reads such a folder as a system; that of a reference lacks the topics of others, so
        score it with `topics="shared"`.
        """
        found = self.data
        methods = {one.method for _, one in found.summaries}
        for measure, summary in track("writing", found.summaries, len(found.summaries)):
            method = summary.method if len(methods) > 1 else ""
            home = _below(folder, found.name(measure), method)
            plain.save(summary.summary, home / f"{_file_name(summary.topic)}.txt")
        for measure, one in track("writing", found.timelines, len(found.timelines)):
            home = _below(folder, found.name(measure), found.reference(measure, one))
            timeline_files.save(one.timeline, home / f"{_file_name(one.topic)}.txt", "tilse")


class SearchKeywords(TypedDict, total=False):
    """Further keywords of `ceilings`, for type checkers."""

    budget: str | Limit | None
    pool: Pool
    whole_references: bool
    time_limit: float | None
    jobs: int
    cluster: str | None


class OracleKeywords(SearchKeywords, total=False):
    """Further keywords of `oracle`, for type checkers."""

    dates: int | None
    per_date: int | None


@accepts(SummarySearch, TimelineSearch, Workers)
def oracle(
    collection: Sources,
    measures: str | Measure | Sequence[str | Measure] = "rouge(n=1)",
    *,
    methods: Method | Sequence[Method] = "exact",
    progress: Progress | None = None,
    **options: Unpack[OracleKeywords],
) -> OracleResult:
    """Choose the sentences of a collection's documents that score highest.

    Summaries are chosen for ROUGE-N recall within a budget, timelines for recall or F of
    agreement, align, align+ or align+m1 with at most `dates` dates and `per_date` sentences
    for each. The value is the measure's own score of the text; no text made of the
    documents' sentences exceeds the bound.
    """
    search, length, workers = sort_keywords(
        _with_budget(options), SummarySearch, TimelineSearch, Workers
    )
    for method in as_list(methods):
        check_choice(method, METHODS, "method")
    parsed = as_measures(measures)
    needs = _one_kind(parsed)
    _refuse_unused(needs, options)
    topics = sources.as_collection(collection, needs)
    if needs is Timeline:
        choose = partial(_choose_timelines, dates=length.dates, sentences=length.per_date)
        pairs = [(m, t) for m in parsed for t in topics]
        groups = _work_through([partial(choose, t, m) for m, t in pairs], workers, progress)
        timelines = [(m, one) for (m, _), group in zip(pairs, groups, strict=True) for one in group]
        return OracleResult(Oracles(timelines=tuple(timelines)), ORACLES)
    find = partial(summaries.oracle, **_limits(search))
    asked = [(m, method, t) for m in parsed for method in as_list(methods) for t in topics]
    tasks = [partial(find, topic, m, method=method) for m, method, topic in asked]
    best = _work_through(tasks, workers, progress)
    named = [(m, one) for (m, _, _), one in zip(asked, best, strict=True)]
    return OracleResult(Oracles(tuple(named)), ORACLES)


@accepts(SummarySearch, Workers)
def ceilings(
    collection: Sources,
    measures: str | Measure | Sequence[str | Measure] = ("rouge(n=1)", "rouge(n=2)"),
    *,
    method: Method = "exact",
    progress: Progress | None = None,
    **options: Unpack[SearchKeywords],
) -> TableResult[Sequence[Ceilings]]:
    """Find what people, extractive systems and any text at all could reach.

    People are scored one against the rest. A measure with `jackknife` lets all three meet
    the same number of references.
    """
    search, workers = sort_keywords(_with_budget(options), SummarySearch, Workers)
    check_choice(method, METHODS, "method")
    parsed = as_measures(measures)
    topics = sources.as_collection(collection, _one_kind(parsed))
    find = partial(topic_ceilings.ceilings, method=method, **_limits(search))
    tasks = [partial(find, topic, measure) for measure in parsed for topic in topics]
    return TableResult(_work_through(tasks, workers, progress), CEILINGS)


def reference_frequencies(
    collection: Sources,
    *,
    budget: str | None = None,
    stem: bool = True,
    stop: bool = False,
) -> TableResult[Sequence[Frequencies]]:
    """Count what several references ask for, and how much of it only some reward."""
    limit = None if budget is None else Limit.parse(budget)
    preparation = Preparation(stem=stem, stop=stop, limit=limit)
    topics = sources.as_collection(collection, Summary)
    found = [people.count_reference_words(one.id, one.summaries, preparation) for one in topics]
    return TableResult(found, FREQUENCIES)


class HardResult(TableResult[SolvedInstance]):
    """A hard instance and its solution."""

    def write(self, path: str | Path) -> None:
        """Write the instance as a collection that `oracle` reads."""
        topic = self.data.instance.topic
        collections.save(Collection({topic.id: topic}), Path(path))


def hard_instance(
    vertices: int = 60,
    *,
    n: int = 1,
    dominators: int | None = None,
    seed: int = 1,
    method: Method = "exact",
    time_limit: float | None = None,
) -> HardResult:
    """Make a hard instance from a random cubic graph, and solve it."""
    seconds = SummarySearch(time_limit=time_limit).time_limit
    instance = hard.hard_instance(vertices, n=n, dominators=dominators, seed=seed)
    solution = summaries.oracle(
        instance.topic,
        instance.measure,
        budget=instance.budget,
        method=method,
        seconds=seconds,
        whole_references=True,
    )
    most = hard.most_dominated(instance.graph, instance.dominators)
    return HardResult(SolvedInstance(instance, solution, most), HARD)


def _with_budget(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with a budget as it is written."""
    limit = options.get("budget")
    return {**options, "budget": str(limit) if isinstance(limit, Limit) else limit}


def _limits(search: SummarySearch) -> dict[str, Any]:
    """What oracles of summaries are limited by."""
    return {
        "budget": None if search.budget is None else Limit.parse(search.budget),
        "pool": search.pool,
        "whole_references": search.whole_references,
        "seconds": search.time_limit,
    }


ONLY: Mapping[type[Output], Mapping[str, str]] = {
    Summary: {
        "budget": "`budget` is only for summaries; leave it out",
        "whole_references": "`whole_references` is only for summaries; leave it out",
    },
    Timeline: {
        "dates": "`dates` is only for timelines; leave it out",
        "per_date": "`per_date` is only for timelines; leave it out",
    },
}
"""What only oracles of one kind have a use for."""


def _refuse_unused(needs: type[Output], options: Mapping[str, Any]) -> None:
    """Refuse what the measures have no use for."""
    for kind, refusals in ONLY.items():
        for name, sentence in refusals.items():
            if kind is not needs and options.get(name):
                raise UsageError(sentence)


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
