"""The same systems under people's judgements and under a machine's: two sides to score."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chronoscore.core import Collection, Run, Topic
from chronoscore.data.coverage import check_topics
from chronoscore.data.judges import machine_topics, people_topics
from chronoscore.data.machines import (
    MachineSources,
    check_nuggets,
    check_version,
    gather_machines,
    is_nugget_file,
    split_nuggets,
    topics_by_machine,
)
from chronoscore.data.values import are_paths, as_paths
from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import nugget_files
from chronoscore.measures import Measure
from chronoscore.measures.units.classic import ClassicPyramid
from chronoscore.measures.units.nuggets import NuggetMeasure


@dataclass(frozen=True)
class JudgedSide:
    """Topics as one side judged them, and the systems' outputs for these."""

    collection: Collection
    runs: list[Run]


def split_people_and_machine(
    collection: Collection,
    runs: Sequence[Run],
    systems: Any,
    sources: MachineSources,
    measure: Measure,
    *,
    sampled: bool = False,
) -> tuple[JudgedSide, JudgedSide]:
    """What was loaded as people judged it, and the same systems as the machine judged them.

    Where people judged a sample, what they did not judge is not wrong.
    """
    if bool(sources.names) == bool(sources.paths) or len(sources.names) > 1:
        raise UsageError("name one machine: the author of judgements, or files that it wrote")
    if isinstance(measure, NuggetMeasure):
        return _split_assignments(collection, runs, systems, sources)
    if isinstance(measure, ClassicPyramid):
        return _split_outputs(collection, runs, sources)
    judged = _machine_judged(collection, sources)
    people = people_topics(collection, sources.names)
    for name, (place, topic) in judged.items():
        own = people.get(name)
        if own and own.judgements and topic.judgements and not sources.names:
            check_version(
                place, name, topic.judgements, "the people's file", own.judgements, sampled=sampled
            )
    if sampled:
        people = {name: _mark_pooled(topic) for name, topic in people.items()}
    topics = {name: topic for name, (_, topic) in judged.items()}
    check_topics(runs, Collection({**topics, **people}))
    return (
        JudgedSide(Collection(people), _only_topics(runs, people)),
        JudgedSide(Collection(topics), _only_topics(runs, topics)),
    )


def _mark_pooled(topic: Topic) -> Topic:
    """A topic of which only some sentences were judged."""
    judged = topic.judgements
    return topic if judged is None else replace(topic, judgements=replace(judged, pooled=True))


def _machine_judged(
    collection: Collection, sources: MachineSources
) -> dict[str, tuple[str, Topic]]:
    """The machine's topics, each with the place that it comes from."""
    if sources.names:
        name = next(iter(sources.names))
        topics = machine_topics(collection, name)
        if not topics:
            authors = {a for t in collection if t.judgements for a in sorted(t.judgements.authors)}
            near = did_you_mean(name, sorted(authors)) if authors else "no link names any"
            raise UsageError(f"'{name}' is neither a file nor an author of judgements; {near}")
        return {topic: ("the judgements", own) for topic, own in topics.items()}
    theirs = gather_machines(sources)
    by_machine = topics_by_machine(theirs)
    if len(by_machine) > 1:
        raise UsageError(
            f"the machine's files have several authors ({', '.join(by_machine)}); give one machine"
        )
    found = {name: own for judged in by_machine.values() for name, own in judged.items()}
    for place, topic in theirs.topics:
        if topic.pyramid is not None:
            known = found.get(topic.id, (place, topic))[1]
            found[topic.id] = (place, replace(known, pyramid=topic.pyramid))
    if not found:
        raise DataError("holds no judgements of links, nuggets or units", place=sources.paths[0])
    return found


def _split_assignments(
    collection: Collection, runs: Sequence[Run], systems: Any, sources: MachineSources
) -> tuple[JudgedSide, JudgedSide]:
    """Assigned nuggets: the outputs themselves are what people or the machine judged."""
    people, topics = list(runs), dict(collection.topics)
    if sources.names:
        if not are_paths(systems):
            raise UsageError("an author's assignments are read from files; give paths")
        files = [path for path in as_paths(systems) if is_nugget_file(path)]
        people = _assigned_runs(files, leave_out=sources.names)
        theirs = _assigned_runs(files, only=sources.names)
    else:
        files, _ = split_nuggets(sources.paths)
        theirs = _assigned_runs(files)
        for file in files:
            for topic in nugget_files.load(file).topics:
                check_nuggets(file, topics.setdefault(topic.id, topic), topic)
    if not theirs:
        raise DataError(
            "assigns no nugget; give the machine's assignments", place=_given_as(sources)
        )
    whole = Collection(topics)
    _check_known(theirs, whole)
    return _side_of(people, whole), _side_of(theirs, whole)


def _split_outputs(
    collection: Collection, runs: Sequence[Run], sources: MachineSources
) -> tuple[JudgedSide, JudgedSide]:
    """Units found in outputs: people's and the machine's are two files of rankings."""
    if sources.names:
        raise UsageError(
            "rankings name no author; give the files that the machine wrote as `machine`"
        )
    theirs: dict[str, Run] = {}
    for path in sources.paths:
        for run in judged_topics.load_judged_runs(path, [*collection.topics]):
            if run.system in theirs:
                raise DataError(
                    f"system '{run.system}' is in another file too; give one", place=path
                )
            theirs[run.system] = run
    check_topics([*runs, *theirs.values()], collection)
    return _side_of(runs, collection), _side_of([*theirs.values()], collection)


def _given_as(sources: MachineSources) -> str:
    """What the machine was called on the command line."""
    return str(next(iter([*sources.names, *sources.paths])))


def _assigned_runs(
    files: Iterable[Path],
    *,
    only: frozenset[str] = frozenset(),
    leave_out: frozenset[str] = frozenset(),
) -> list[Run]:
    """The systems of nugget files with the labels of some authors."""

    def keep(author: str) -> bool:
        return author not in leave_out and (not only or author in only)

    outputs: dict[str, dict[str, Any]] = {}
    for file in files:
        for run in nugget_files.load(file, keep=keep).runs:
            own = outputs.setdefault(run.system, {})
            for topic, output in run.outputs.items():
                if topic in own:
                    raise DataError(
                        f"system '{run.system}' has assignments for topic '{topic}' in "
                        "another file already; give them once",
                        place=file,
                    )
                own[topic] = output
    return [Run(system, own) for system, own in outputs.items()]


def _check_known(runs: Sequence[Run], collection: Collection) -> None:
    """Refuse assignments of topics that have no nuggets."""
    for run in runs:
        for topic in run.outputs:
            if topic not in collection.topics:
                raise DataError(
                    f"system '{run.system}': the machine judged topic '{topic}', which has no "
                    "nuggets; give these with `judgements`"
                )


def _side_of(runs: Sequence[Run], collection: Collection) -> JudgedSide:
    """The topics for which anything was assigned."""
    judged = {topic for run in runs for topic in run.outputs}
    topics = {name: topic for name, topic in collection.topics.items() if name in judged}
    return JudgedSide(Collection(topics), _only_topics(runs, topics))


def _only_topics(runs: Sequence[Run], topics: Mapping[str, Topic]) -> list[Run]:
    """Runs with nothing but these topics."""
    return [
        replace(run, outputs={name: own for name, own in run.outputs.items() if name in topics})
        for run in runs
    ]
