"""CrisisFACTS 2023 as assessors judged it: facts of all runs, collapsed, with labels.

A folder `collapsed-event-days` has a file for each request, whose facts stand for those of the
runs that say the same. What assessors thought of them is in `final-annotated-facts-results.json`
beside it. An event is a topic, its requests are stories, and the ids of the runs' own facts
are sentences: `CrisisFACTS-001-r3-baseline.v1-0036` is the fact 36 of `baseline.v1`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import (
    Collection,
    Event,
    Judgements,
    Link,
    Output,
    Ranking,
    Run,
    Selection,
    Story,
    Topic,
)
from chronoscore.errors import DataError
from chronoscore.formats.corpora.crisisfacts import (
    LABELS,
    decode_rows,
    event_of,
    kind_of,
    request_order,
)

FOLDER = "collapsed-event-days"
SCORES = {"USEFUL_FACT": 1.0, "REDUNDANT_FACT": 0.5, "POOR_FACT": 0.0, "LAGGED_FACT": 0.0}
"""What a label is worth; of several labels of a fact the best one counts."""


class CollapsedFact(msgspec.Struct):
    """A fact that stands for those of the runs that say the same."""

    collapsed_fact_id: str
    relevant_facts: list[str]
    fact_text: str = ""


class LabeledRequest(msgspec.Struct):
    """What assessors thought of a request's facts: rows of fact, assessor and label."""

    fact_list: list[list[Any]]


@dataclass(frozen=True)
class AssessedFiles:
    """A file of collapsed facts for each request, and the labels."""

    requests: Mapping[str, Path]
    labels: Path | None


def find_files(path: Path) -> AssessedFiles | None:
    """The files at a path: the folder, the one around it, or the labels beside it."""
    around = path if path.is_dir() else path.parent
    if not path.is_dir() and label_file(path) is None:
        return None
    for folder in (around, around / FOLDER):
        requests = _collapsed_in(folder)
        if requests:
            homes = (path, around, folder.parent)
            labels = next(filter(None, map(label_file, homes)), None)
            return AssessedFiles(requests, labels)
    return None


def _collapsed_in(folder: Path) -> dict[str, Path]:
    """The collapsed facts of a folder by request, which files' names say."""
    if not folder.is_dir():
        return {}
    files = [file for file in folder.glob("Collapsed-*.json*") if file.is_file()]
    names = {file.name.removeprefix("Collapsed-").partition(".json")[0]: file for file in files}
    return {name: names[name] for name in sorted(names, key=request_order)}


def label_file(path: Path) -> Path | None:
    """The file of labels at a path: the file itself, or the one in a folder."""
    if path.is_dir():
        named = (file for file in sorted(path.glob("*annotated*.json*")) if file.is_file())
        return next(named, None)
    return path if kind_of(path) == "labels" else None


def load_labels(path: Path) -> dict[str, LabeledRequest]:
    """What assessors thought, by request in the order of the file."""
    found: dict[str, LabeledRequest] = decode_rows(path, dict[str, LabeledRequest])
    return found


def load(path: Path) -> Collection:
    """Read what assessors decided; every request that they labeled is a topic."""
    files = find_files(path)
    if files is None:
        raise DataError("holds no collapsed facts; give collapsed-event-days", place=path)
    if files.labels is None:
        raise DataError(f"there is no {LABELS} in it or beside it; put it there", place=path)
    topics = {}
    for request, labeled in load_labels(files.labels).items():
        if request not in files.requests:
            raise DataError(
                f"labels request '{request}', which has no collapsed facts; add its file",
                place=files.labels,
            )
        scores = _best_scores(labeled, files.labels)
        topics[request] = _read_request(request, files.requests[request], scores)
    return Collection(topics, name=path.resolve().name)


def _best_scores(labeled: LabeledRequest, path: Path) -> dict[str, float]:
    """What each fact is worth: the best of its labels."""
    found: dict[str, float] = {}
    for row in labeled.fact_list:
        fact, label = row[0], row[-1]
        if label not in SCORES:
            known = ", ".join(SCORES)
            raise DataError(f"unknown label '{label}'; give one of {known}", place=path)
        if isinstance(fact, str):
            found[fact] = max(SCORES[label], found.get(fact, 0.0))
    return found


def _read_request(request: str, path: Path, scores: Mapping[str, float]) -> Topic:
    """A request's facts, and which facts of the runs they stand for."""
    facts: list[CollapsedFact] = decode_rows(path, list[CollapsedFact])
    told = dict.fromkeys(name for fact in facts for name in fact.relevant_facts)
    return Topic(
        id=request,
        judgements=Judgements(
            sentences=tuple(told),
            events=tuple(
                Event(
                    fact.collapsed_fact_id,
                    fact.fact_text,
                    importance=scores.get(fact.collapsed_fact_id, 0.0),
                )
                for fact in facts
            ),
            links=tuple(
                Link(sentence=name, event=fact.collapsed_fact_id)
                for fact in facts
                for name in fact.relevant_facts
            ),
            stories=(Story(id=f"{request}-", sentences=tuple(told)),),
        ),
    )


def load_runs(path: Path, requests: Sequence[str]) -> list[Run]:
    """The runs whose facts the collapsed ones of these requests stand for."""
    files = find_files(path)
    assert files is not None
    runs: dict[str, dict[str, Output]] = {}
    for request in requests:
        if request not in files.requests:
            continue
        facts: list[CollapsedFact] = decode_rows(files.requests[request], list[CollapsedFact])
        told = dict.fromkeys(name for fact in facts for name in fact.relevant_facts)
        for system, ids in _group_by_system(request, told):
            runs.setdefault(system, {})[request] = Ranking(tuple(map(Selection, ids)))
    return [Run(system, outputs) for system, outputs in runs.items()]


def _group_by_system(request: str, names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The ids of facts by the system that told them."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(system_of(request, name), []).append(name)
    yield from found.items()


def system_of(request: str, fact: str) -> str:
    """The system that a fact of a request is from.

    >>> system_of("CrisisFACTS-001-r3", "CrisisFACTS-001-r3-nm-gpt35-0036")
    'nm-gpt35'
    """
    return fact.removeprefix(f"{request}-").rpartition("-")[0]


def by_events(collection: Collection, runs: Sequence[Run]) -> tuple[Collection, list[Run]]:
    """The same with an event as a topic and its requests as stories.

    A run that gives its facts in words is looked up by its name: which facts of it the collapsed
    ones stand for is known.
    """
    groups: dict[str, list[Topic]] = {}
    for topic in collection:
        groups.setdefault(event_of(topic.id), []).append(topic)
    topics = {name: _join_requests(name, group) for name, group in groups.items()}
    found = []
    for run in runs:
        outputs: dict[str, Output] = {}
        for event, group in groups.items():
            chosen = [one for topic in group for one in _known_facts(run, topic)]
            if chosen:
                outputs[event] = Ranking(tuple(chosen))
        if not outputs:
            raise DataError(
                f"no collapsed fact stands for a fact of run '{run.system}'; name it as "
                "relevant_facts do, or add its facts there"
            )
        found.append(Run(run.system, outputs))
    return Collection(topics, collection.name), found


def _known_facts(run: Run, topic: Topic) -> list[Selection]:
    """What a run told for a request, by the ids that assessors' files have."""
    output = run.outputs.get(topic.id)
    if not isinstance(output, Ranking):
        return []
    if any(one.sentence for one in output):
        return list(output)
    assert topic.judgements is not None
    ids = topic.judgements.sentences
    return [Selection(name) for name in ids if system_of(topic.id, name) == run.system]


def _join_requests(event: str, requests: Sequence[Topic]) -> Topic:
    """An event with all its requests."""
    judged = [topic.judgements for topic in requests if topic.judgements is not None]
    return Topic(
        id=event,
        judgements=Judgements(
            sentences=tuple(name for one in judged for name in one.sentences),
            events=tuple(event for one in judged for event in one.events),
            links=tuple(link for one in judged for link in one.links),
            stories=tuple(story for one in judged for story in one.stories),
        ),
    )
