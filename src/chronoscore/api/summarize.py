"""Run baselines, published systems and a user's own on documents."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Any, Literal, TypeAlias, get_args, overload

from chronoscore.api.arguments import check_optional, check_text
from chronoscore.api.inputs import as_collection
from chronoscore.api.options import Workers
from chronoscore.api.results import Result, Section, as_path, table_rows
from chronoscore.api.sources import Sources, as_topics_with_documents
from chronoscore.api.system_results import SystemResult, SystemResults
from chronoscore.api.values import are_path_arguments, as_list, as_paths
from chronoscore.core import Output, Row, Topic
from chronoscore.errors import (
    ChronoscoreWarning,
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    check_whole,
    describe_type,
)
from chronoscore.reports.systems import system_table
from chronoscore.scoring import Progress
from chronoscore.systems import System, parse_system, sources
from chronoscore.systems.keywords import Keywords, add_topic_keywords
from chronoscore.systems.llm import LanguageModel
from chronoscore.systems.running import Failure, Made, run_systems
from chronoscore.systems.timelines import TimelineSystem
from chronoscore.systems.units import UnitBaseline, source_article_with_sections
from chronoscore.systems.user_systems import UserSystem, adopt_user_system

Part = Literal["all", "original", "update"]
SystemLike: TypeAlias = str | System | Callable[..., Any]
"""A system's text, a system, or a function of a topic."""


@dataclass(frozen=True)
class SystemList(Result):
    """All systems, with what they make and where they come from."""

    def rows(self) -> Sequence[Row]:
        """A record for each system."""
        return table_rows(system_table())

    def sections(self) -> Sequence[Section]:
        """The one table."""
        return [("", system_table())]


def list_systems() -> SystemList:
    """The systems that `summarize` runs."""
    return SystemList()


@overload
def summarize(
    documents: Sources,
    system: SystemLike = "datewise",
    *,
    dates: int | None = None,
    sentences: int | None = None,
    words: int | None = None,
    part: Part | None = None,
    at: str | None = None,
    n: int | None = None,
    like: Any = None,
    keywords: Keywords | None = None,
    endpoint: str | None = None,
    cache: str | PathLike[str] | None = None,
    offline: bool = False,
    seed: int = 1,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> SystemResult: ...


@overload
def summarize(
    documents: Sources,
    system: Sequence[SystemLike],
    *,
    dates: int | None = None,
    sentences: int | None = None,
    words: int | None = None,
    part: Part | None = None,
    at: str | None = None,
    n: int | None = None,
    like: Any = None,
    keywords: Keywords | None = None,
    endpoint: str | None = None,
    cache: str | PathLike[str] | None = None,
    offline: bool = False,
    seed: int = 1,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> SystemResults: ...


def summarize(
    documents: Sources,
    system: SystemLike | Sequence[SystemLike] = "datewise",
    *,
    dates: int | None = None,
    sentences: int | None = None,
    words: int | None = None,
    part: Part | None = None,
    at: str | None = None,
    n: int | None = None,
    like: Any = None,
    keywords: Keywords | None = None,
    endpoint: str | None = None,
    cache: str | PathLike[str] | None = None,
    offline: bool = False,
    seed: int = 1,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
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
    for name, number in (("dates", dates), ("sentences", sentences), ("words", words), ("n", n)):
        check_optional(number, name)
    if part is not None:
        check_choice(part, get_args(Part), "part")
    check_text("at", at)
    check_text("endpoint", endpoint)
    check_whole(seed, "seed", least=0)
    _check_seconds(time_limit)
    parameters: dict[str, str | int | None] = {
        "dates": dates,
        "sentences": sentences,
        "words": words,
        "part": part,
        "at": at,
        "n": n,
        "endpoint": endpoint,
        "cache": None if cache is None else str(as_path(cache, "cache")),
        "offline": offline or None,
    }
    several = isinstance(system, Sequence) and not isinstance(system, str)
    given: list[SystemLike] = [*system] if several else [system]  # type: ignore[list-item, misc]
    labeled = _configure(given, parameters, like=bool(as_list(like)), seed=seed)
    made = list(labeled.values())
    for one in made:
        if isinstance(one, LanguageModel):
            one.check()
    if keywords is not None and not any(_uses_keywords(one) for one in made):
        raise UsageError(f"'{made[0].name}' makes no timeline; leave out the key words")
    topics = _load_topics(made, documents, like, keywords)
    count = Workers(jobs=jobs).count
    rows = _run_all(made, documents, topics, count, time_limit, progress)
    results = [
        _result_of(label, labeled[label], topics, row)
        for label, row in zip(labeled, rows, strict=True)
    ]
    failures = [str(one) for result in results for one in result.failures]
    if not any(result.outputs for result in results):
        more = f" ({len(failures)} failures in all)" if len(failures) > 1 else ""
        raise DataError(f"{failures[0]}{more}")
    for failure in failures:
        warnings.warn(failure, ChronoscoreWarning, stacklevel=2)
    return SystemResults(results) if several else results[0]


def _check_seconds(value: object) -> None:
    """Refuse a time limit that is not a positive number of seconds."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongTypeError(f"time_limit {value!r}: must be a number of seconds")
    if not 0 < value < float("inf"):
        raise UsageError(f"time_limit {value:g}: write more than 0 seconds")


def _uses_keywords(system: System) -> bool:
    """Whether a system looks at key words."""
    return isinstance(system, TimelineSystem | UserSystem)


def _configure(
    given: Sequence[SystemLike],
    parameters: Mapping[str, str | int | None],
    *,
    like: bool,
    seed: int,
) -> dict[str, System]:
    """The systems as they were named, with the parameters that were given and that they have."""
    if not given:
        raise UsageError("there is no system; name at least one, as in 'datewise'")
    systems = [_system_from(one) for one in given]
    changes = {name: value for name, value in parameters.items() if value is not None}
    for name in changes:
        if not any(name in _parameters_of(system) for system in systems):
            raise UsageError(f"system '{systems[0].name}' has no parameter '{name}'; leave it out")
    if like and not any("dates" in _parameters_of(one) or one.oracle for one in systems):
        raise UsageError(f"'like' is only for timelines, and '{systems[0].name}' makes none")
    found: dict[str, System] = {}
    for text, system in zip(given, systems, strict=True):
        if system.oracle and not like:
            raise UsageError(f"'{system.name}' looks at references; give them with --like")
        known = _parameters_of(system)
        own = {name: value for name, value in changes.items() if name in known}
        if "seed" in known and not isinstance(text, System) and "seed=" not in str(text):
            own["seed"] = seed
        if str(system) in found:
            raise UsageError(f"system '{system}' is there twice; name it once")
        found[str(system)] = system.with_parameters(**own)
    return found


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
    kind = adopt_user_system(given, getattr(given, "__name__", type(given).__name__))
    return kind if isinstance(kind, System) else kind()


def _parameters_of(system: System) -> set[str]:
    """The names of a system's parameters."""
    return {field.name for field in fields(system)}


def _load_topics(
    systems: Sequence[System], documents: Sources, like: Any, keywords: Keywords | None
) -> list[Topic]:
    """The topics with what was given for them; none where all systems read tagged texts."""
    if all(isinstance(system, UnitBaseline) for system in systems):
        return []
    topics = as_topics_with_documents(documents)
    if keywords is not None:
        topics = add_topic_keywords(topics, keywords)
    elif are_path_arguments(documents):
        topics = [replace(topic, keywords=()) for topic in topics]
    if as_list(like):
        wanted = next((one.makes for one in systems if "dates" in _parameters_of(one)), None)
        kind = wanted or systems[0].makes
        topics = sources.source_topics_with_references(topics, as_collection(like, kind).topics)
    return topics


def _run_all(
    systems: Sequence[System],
    documents: Sources,
    topics: Sequence[Topic],
    jobs: int,
    time_limit: float | None,
    progress: Progress | None,
) -> list[dict[str, Made]]:
    """What each system makes, by topic; content-unit baselines read TimeML too."""
    ordinary = [system for system in systems if not isinstance(system, UnitBaseline)]
    rows = iter(
        run_systems(ordinary, topics, jobs=jobs, time_limit=time_limit, progress=progress)
        if ordinary
        else ()
    )
    found: list[dict[str, Made]] = []
    for system in systems:
        if isinstance(system, UnitBaseline):
            tagged = (
                sources.load_tagged_sources(as_paths(documents))
                if are_path_arguments(documents)
                else []
            )
            texts = tagged or as_topics_with_documents(documents)
            found.append(
                {**system.select_all([source_article_with_sections(source) for source in texts])}
            )
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
