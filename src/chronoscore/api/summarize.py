"""Run baselines, published systems and a user's own on documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike
from typing import Any, TypeAlias, TypedDict, Unpack, overload

from chronoscore.api.results import TableResult
from chronoscore.api.system_results import SystemResult, SystemResults
from chronoscore.core import Output, Topic
from chronoscore.data import keywords, sources
from chronoscore.data.arguments import References
from chronoscore.data.keywords import Keywords
from chronoscore.data.references import as_collection
from chronoscore.data.sources import Sources
from chronoscore.data.values import are_paths, as_list, as_path, as_paths
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_whole,
    describe_type,
    warn,
)
from chronoscore.formats.corpora.timeml import TaggedText
from chronoscore.options.declare import accepts, sort_keywords
from chronoscore.options.judging import ModelAccess
from chronoscore.options.systems import Length, Part, SystemRun
from chronoscore.reports.systems import BASELINE_SCORES, LIST
from chronoscore.scoring import Progress
from chronoscore.systems import SYSTEMS, System, parse_system
from chronoscore.systems.llm import LanguageModel
from chronoscore.systems.running import Failure, Made, run_systems
from chronoscore.systems.timelines import TimelineSystem
from chronoscore.systems.unit_scores import BaselineScores, baseline_scores
from chronoscore.systems.units import SectionedArticle, UnitBaseline, article_of
from chronoscore.systems.user_systems import UserSystem, adopt_system
from chronoscore.workers import Workers

SystemLike: TypeAlias = str | System | Callable[..., Any]
"""A system's text, a system, or a function of a topic."""
OPTIONS = (Length, SystemRun, ModelAccess)


def list_systems() -> TableResult[Mapping[str, type[System] | System]]:
    """The systems that `summarize` runs."""
    return TableResult(SYSTEMS.load_all(), LIST)


class SummarizeKeywords(TypedDict, total=False):
    """The keywords of `summarize`, for type checkers."""

    dates: int | None
    sentences: int | None
    words: int | None
    part: Part | None
    at: str | None
    n: int | None
    like: References | None
    keywords: Keywords | None
    endpoint: str | None
    cache: str | PathLike[str] | None
    offline: bool
    seed: int
    jobs: int
    time_limit: float | None
    progress: Progress | None


@overload
def summarize(  # type: ignore[overload-overlap]
    documents: Sources, system: SystemLike = "datewise", **options: Unpack[SummarizeKeywords]
) -> SystemResult: ...


@overload
def summarize(
    documents: Sources, system: Sequence[SystemLike], **options: Unpack[SummarizeKeywords]
) -> SystemResults: ...


@accepts(*OPTIONS)
def summarize(
    documents: Sources,
    system: SystemLike | Sequence[SystemLike] = "datewise",
    **options: Unpack[SummarizeKeywords],
) -> SystemResult | SystemResults:
    """Run a system, or several, on documents and give what it makes for each topic.

    A system is a name ("datewise", "datewise(dates=10)"), "module:function", "command: …", or
    a function of a topic that returns {date: text}, a `Timeline` or a `Summary`; it is also
    given those of `dates`, `sentences`, `words`, `first`, `last` and `seed` that it has
    parameters for. `like` are references that a timeline should be as long as, or that an
    oracle looks at. `keywords` are words (or files with them, or "auto") of which a sentence
    must have one to be chosen for a timeline. A language model ("llm(model=NAME)") is asked at
    `endpoint`; its answers are kept in `cache`, from which `offline` takes all. What fails on
    one topic is in `failures`.
    """
    length, run, access = sort_keywords(options, *OPTIONS)
    several = isinstance(system, Sequence) and not isinstance(system, str)
    given: list[SystemLike] = [*system] if several else [system]  # type: ignore[list-item, misc]
    labeled = _configure(given, vars(length) | vars(access), run)
    systems = list(labeled.values())
    for one in systems:
        if isinstance(one, LanguageModel):
            one.check()
    topics = _load_topics(systems, documents, run)
    made = _run_all(systems, documents, topics, run)
    results = [
        _result_of(label, labeled[label], topics, own)
        for label, own in zip(labeled, made, strict=True)
    ]
    _report_failures(results)
    return SystemResults(results) if several else results[0]


def _report_failures(results: Sequence[SystemResult]) -> None:
    """Warn of each topic without an output; without any output, the first failure is an error."""
    failures = [one for result in results for one in result.failures]
    if not any(result.outputs for result in results):
        more = f" ({len(failures)} failures in all)" if len(failures) > 1 else ""
        raise DataError(f"{failures[0]}{more}")
    for failure in failures:
        warn(str(failure), kind=f"failed-system:{failure.system}")


def _configure(
    given: Sequence[SystemLike], parameters: Mapping[str, Any], run: SystemRun
) -> dict[str, System]:
    """The systems as they were named, with the parameters that were given and that they have."""
    systems = [_system_from(one) for one in given]
    changes = {name: value for name, value in parameters.items() if value not in (None, False)}
    if changes.get("cache"):
        changes["cache"] = str(as_path(changes["cache"], "cache"))
    _refuse_unused(systems, changes, run)
    found: dict[str, System] = {}
    for text, system in zip(given, systems, strict=True):
        known = _parameters_of(system)
        own = {name: value for name, value in changes.items() if name in known}
        if "seed" in known and not isinstance(text, System) and "seed=" not in str(text):
            own["seed"] = run.seed
        if str(system) in found:
            raise UsageError(f"system '{system}' is there twice; name it once")
        found[str(system)] = system.with_parameters(**own)
    return found


def _refuse_unused(systems: Sequence[System], changes: Mapping[str, Any], run: SystemRun) -> None:
    """Refuse what no system has a use for, and say what one cannot do without."""
    if not systems:
        raise UsageError("there is no system; name at least one, as in 'datewise'")
    first, like = systems[0].name, bool(as_list(run.like))
    known = {name for one in systems for name in _parameters_of(one)}
    oracles = [one.name for one in systems if one.oracle]
    refusals = {
        f"system '{first}' has no parameter `{name}`; leave it out": name not in known
        for name in changes
    } | {
        f"`like` is only for timelines, and '{first}' makes none": (
            like and "dates" not in known and not oracles
        ),
        f"'{first}' makes no timeline; leave out `keywords`": (
            run.keywords is not None and not any(map(_uses_keywords, systems))
        ),
        f"'{oracles[0] if oracles else first}' looks at references; give them with `like`": (
            bool(oracles) and not like
        ),
    }
    for sentence, refused in refusals.items():
        if refused:
            raise UsageError(sentence)


def _uses_keywords(system: System) -> bool:
    """Whether a system looks at key words."""
    return isinstance(system, TimelineSystem | UserSystem)


def _system_from(given: object) -> System:
    """A system from its text or a function."""
    if isinstance(given, System):
        return given
    if isinstance(given, str):
        return parse_system(given)
    if not callable(given):
        raise WrongTypeError(
            f"{describe_type(given)} is not a system; give its name, as in 'datewise'"
        )
    kind = adopt_system(given, getattr(given, "__name__", type(given).__name__))
    return kind if isinstance(kind, System) else kind()


def _parameters_of(system: System) -> set[str]:
    """The names of a system's parameters."""
    return {field.name for field in fields(system)}


def _load_topics(systems: Sequence[System], documents: Sources, run: SystemRun) -> list[Topic]:
    """The topics with what was given for them; none where all systems read tagged texts."""
    if all(isinstance(system, UnitBaseline) for system in systems):
        return []
    topics = sources.as_topics(documents)
    if run.keywords is not None:
        topics = keywords.add(topics, run.keywords)
    elif are_paths(documents):
        topics = [replace(topic, keywords=()) for topic in topics]
    if as_list(run.like):
        wanted = next((one.makes for one in systems if "dates" in _parameters_of(one)), None)
        references = as_collection(run.like, wanted or systems[0].makes).topics
        topics = sources.with_references(topics, references)
    return topics


def _run_all(
    systems: Sequence[System], documents: Sources, topics: Sequence[Topic], run: SystemRun
) -> list[dict[str, Made]]:
    """What each system makes, by topic; content-unit baselines read TimeML too."""
    ordinary = [system for system in systems if not isinstance(system, UnitBaseline)]
    jobs = Workers(jobs=run.jobs).count
    rows = iter(
        run_systems(ordinary, topics, jobs=jobs, time_limit=run.time_limit, progress=run.progress)
        if ordinary
        else ()
    )
    found: list[dict[str, Made]] = []
    for system in systems:
        if isinstance(system, UnitBaseline):
            articles = [article_of(one) for one in sources.as_tagged_texts(documents)]
            found.append({**system.select_all(articles)})
        else:
            found.append({t.id: made for t, made in zip(topics, next(rows), strict=True)})
    return found


def _result_of(
    label: str, system: System, topics: Sequence[Topic], made: Mapping[str, Made]
) -> SystemResult:
    """The outputs of a system, what failed, and how many dates were asked for."""
    outputs: dict[str, Output] = {
        topic: output for topic, output in made.items() if not isinstance(output, Failure)
    }
    failures = tuple(
        replace(one, system=label) for one in made.values() if isinstance(one, Failure)
    )
    return SystemResult(system, outputs, failures, _asked_dates(system, topics), label)


def _asked_dates(system: System, topics: Sequence[Topic]) -> dict[str, int]:
    """How many dates a system was asked for, by topic, where that is known."""
    if isinstance(system, TimelineSystem):
        return {topic.id: system.shape(topic).dates for topic in topics}
    if isinstance(system, UserSystem):
        lengths = {topic.id: system.length(topic).get("dates") for topic in topics}
        return {topic: int(count) for topic, count in lengths.items() if count is not None}
    return {}


def unit_baselines(
    documents: Sources,
    units: Any,
    *,
    n: int | None = None,
    runs: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> TableResult[BaselineScores]:
    """Score all content-unit baselines on documents, and test each pair.

    `units` are files of content units, or topics that hold some; `n` is the number of events
    to choose, and `runs` how often random baselines are run.
    """
    if n is not None:
        check_whole(n, "n")
    check_whole(runs, "runs")
    if not as_list(units):
        raise UsageError("unit-baselines are scored; give content units with `units`")
    texts = sources.as_tagged_texts(documents)
    topics = [one if isinstance(one, Topic) else Topic(id=one.id) for one in texts]
    if are_paths(units):
        topics = sources.with_unit_files(topics, as_paths(units, "file of content units"))
    else:
        topics = sources.with_units(topics, sources.collection_of(units))
    tagged = {text.id: text for text in texts}
    scores = baseline_scores(
        topics,
        n=n,
        runs=runs,
        seed=seed,
        articles=[_article_of(tagged[topic.id], topic) for topic in topics],
        progress=progress,
    )
    return TableResult(scores, BASELINE_SCORES)


def _article_of(text: TaggedText | Topic, topic: Topic) -> SectionedArticle:
    """What a baseline reads: a text with its tagged events, or a topic with its units."""
    if isinstance(text, Topic):
        return article_of(topic)
    length = topic.pyramid.length if topic.pyramid else None
    return replace(article_of(text), length=length)
