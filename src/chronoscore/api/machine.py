"""Machine judges: which of the authors are machines, and what they and people judged alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.api.judges import judgements_of_machine
from chronoscore.api.values import as_list, expand_path_pattern
from chronoscore.core import Judgements, Pyramid, Topic
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type, did_you_mean
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.judgements import nugget_files
from chronoscore.formats.summaries.records import is_json_lines_file
from chronoscore.stats.decisions import (
    LINK_LABELS,
    NUGGET_LABELS,
    UNIT_LABELS,
    Decisions,
    NuggetLabel,
    annotators_of,
    join_blocks,
    link_block,
    nugget_blocks,
    unit_block,
)

Machine: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""Authors of the judgements that are machines, or files and folders that machines wrote."""


@dataclass(frozen=True)
class MachineSources:
    """Names of authors in people's files, and files of the machines' own."""

    names: frozenset[str] = frozenset()
    paths: tuple[Path, ...] = ()


def machine_sources(given: Any) -> MachineSources:
    """Take existing paths and patterns for files, and other texts for names of authors."""
    names: set[str] = set()
    paths: list[Path] = []
    for one in as_list(given):
        if not isinstance(one, str | PathLike):
            raise WrongTypeError(
                f"machine: {describe_type(one)} is neither an author nor a path; give text"
            )
        path = Path(one)
        if not str(one) or str(one) == ".":
            raise UsageError("machine '': give the name of an author, or a file of judgements")
        if isinstance(one, str) and not _is_file_name(path):
            names.add(one)
            continue
        found = expand_path_pattern(path)
        for file in found:
            if not file.exists():
                raise DataError(f"{file}: no such file or directory; check the path")
        paths += found
    return MachineSources(frozenset(names), tuple(dict.fromkeys(paths)))


def _is_file_name(path: Path) -> bool:
    """Whether a text is meant as a path: something is there, or it ends as a file does."""
    return path.exists() or ".jsonl" in path.name or any(sign in path.name for sign in "*?")


@dataclass
class Gathered:
    """All that was judged, with the place it comes from."""

    topics: list[tuple[str, Topic]] = field(default_factory=list)
    nuggets: list[NuggetLabel] = field(default_factory=list)
    nugget_topics: dict[str, Topic] = field(default_factory=dict)

    @property
    def authors(self) -> list[str]:
        """Everybody who judged."""
        links = {
            a
            for _, topic in self.topics
            if topic.judgements
            for a in annotators_of(topic.judgements)
        }
        return sorted(links | {one.author for one in self.nuggets})


def split_nuggets(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Files of nuggets, also those below folders, and all other paths."""
    nuggets: list[Path] = []
    others: list[Path] = []
    for path in paths:
        inside = sorted(path.rglob("*.jsonl*")) if path.is_dir() else [path]
        found = [file for file in inside if file.is_file() and is_nugget_file(file)]
        nuggets += found
        if not found or (path.is_dir() and len(found) < len(inside)):
            others.append(path)
    return nuggets, others


def is_nugget_file(path: Path) -> bool:
    """Whether a file holds nuggets or assignments."""
    return is_json_lines_file(path) and nugget_files.is_nuggets(path)


def read_nuggets(
    files: Iterable[Path], into: Gathered, machine: MachineSources | None, nameless: str = ""
) -> None:
    """Read nuggets and labels; without `machine` all labels are a machine's.

    Nuggets of topics that `into` has already must be the same.
    """
    seen: dict[tuple[str, str, str, str], Path] = {}
    for file in files:
        for topic in nugget_files.load(file).topics:
            known = into.nugget_topics.setdefault(topic.id, topic)
            check_nuggets(file, known, topic)
        for _, row in nugget_files.read_rows(file):
            if not isinstance(row, nugget_files.AssignmentRow | nugget_files.AbstentionRow):
                continue
            author = row.author or nameless or file.name.partition(".")[0]
            key = (row.topic, row.system, row.nugget, author)
            if seen.setdefault(key, file) != file:
                raise DataError(
                    f"{file}: '{author}' labels nugget '{row.nugget}' of topic '{row.topic}' for "
                    f"'{row.system}' in {seen[key]} already; give it once"
                )
            label = None
            if isinstance(row, nugget_files.AssignmentRow):
                label = NUGGET_LABELS.index(row.label)
            into.nuggets.append(
                NuggetLabel(*key, label, machine is None or author in machine.names)
            )


def check_nuggets(file: Path, known: Topic, more: Topic) -> None:
    """Refuse nuggets that have the ids of other nuggets."""
    if known.judgements is None or more.judgements is None:
        return
    texts = {event.id: event.text for event in known.judgements.events}
    for event in more.judgements.events:
        if texts.get(event.id, event.text) != event.text:
            raise DataError(
                f"{file}: nugget '{event.id}' of topic '{more.id}' has another text than the "
                "people's; judge the same nuggets"
            )


def machine_decisions(
    people: Gathered, matchers: Mapping[str, Sequence[tuple[str, Pyramid]]], machine: MachineSources
) -> list[Decisions]:
    """Pair what machines judged with what people did: links, nuggets and units, each if there."""
    theirs = gather_machines(machine, people.nugget_topics)
    _check_names(machine, people)
    own_files = topics_by_machine(theirs)
    links = [
        link_block(
            topic.id,
            topic.judgements,
            dict(_machine_links(own_files, topic, place)),
            machine.names,
        )
        for place, topic in people.topics
        if topic.judgements is not None and topic.judgements.sentences and topic.judgements.events
    ]
    units = [
        unit_block(topic, dict(own), machines)
        for topic, own in matchers.items()
        if (machines := dict(_unit_topics(theirs, topic)))
    ]
    labeled = [*people.nuggets, *theirs.nuggets]
    found = [
        join_blocks(blocks, labels)
        for blocks, labels in (
            (links, LINK_LABELS),
            (nugget_blocks(labeled, theirs.nugget_topics), NUGGET_LABELS),
            (units, UNIT_LABELS),
        )
        if blocks
    ]
    found = [one for one in found if one.machines]
    if not any(_overlaps(one) for one in found):
        raise DataError(
            "no item is judged both by people and by the machine; "
            "give judgements of the same topics"
        )
    return found


def _overlaps(decisions: Decisions) -> bool:
    """Whether any machine judged what people did."""
    references = [*decisions.people.values()]
    if decisions.verified is not None:
        references.append(decisions.verified)
    return any(
        bool(((own >= 0) & (other >= 0)).any())
        for own in decisions.machines.values()
        for other in references
    )


def gather_machines(
    machine: MachineSources, nuggets: Mapping[str, Topic] | None = None
) -> Gathered:
    """All that stands in the machines' own files, about people's nuggets or others."""
    found = Gathered(nugget_topics=dict(nuggets or {}))
    files, others = split_nuggets(machine.paths)
    read_nuggets(files, found, None)
    for path in others:
        found.topics += ((str(path), topic) for topic in judged_topics.load_judged_topics(path))
    return found


def _check_names(machine: MachineSources, people: Gathered) -> None:
    """Refuse the name of an author who judged nothing."""
    for name in sorted(machine.names):
        if name not in people.authors:
            known = did_you_mean(name, people.authors) if people.authors else "no link names any"
            raise UsageError(f"'{name}' is neither a file nor an author of judgements; {known}")


def topics_by_machine(theirs: Gathered) -> dict[str, dict[str, tuple[str, Topic]]]:
    """By machine and topic: the file, and the topic as the machine judged it."""
    streams = [
        (file, topic, topic.judgements)
        for file, topic in theirs.topics
        if topic.judgements is not None and topic.judgements.sentences
    ]
    everybody = sorted({author for _, _, judged in streams for author in annotators_of(judged)})
    found: dict[str, dict[str, tuple[str, Topic]]] = {}
    for file, topic, judged in streams:
        sides = {name: judgements_of_machine(judged, name) for name in annotators_of(judged)}
        if not sides:
            # A topic without any mark is still judged: nothing in it was linked.
            only = len(everybody) == 1
            sides[everybody[0] if only else Path(file).name.partition(".")[0]] = judged
        for name, side in sides.items():
            own = found.setdefault(name, {})
            if topic.id in own:
                raise DataError(
                    f"{file}: '{name}' judged topic '{topic.id}' in {own[topic.id][0]} already; "
                    "give it once"
                )
            own[topic.id] = (file, replace(topic, judgements=side))
    return found


def _machine_links(
    given: Mapping[str, Mapping[str, tuple[str, Topic]]], topic: Topic, place: str
) -> Iterator[tuple[str, Judgements]]:
    """What each machine linked in a topic that people judged, in a file of its own."""
    assert topic.judgements is not None
    events = {event.id for event in topic.judgements.events}
    for name, own in given.items():
        if topic.id not in own:
            continue
        file, other = own[topic.id]
        assert other.judgements is not None
        check_version(file, topic.id, other.judgements, place, topic.judgements)
        for link in other.judgements.links:
            if link.event not in events:
                raise DataError(
                    f"{file}: topic '{topic.id}' has an event '{link.event}' that {place} lacks; "
                    "let the machine judge the people's events"
                )
        marked = tuple(replace(link, marked_by=(name,)) for link in other.judgements.kept)
        yield name, replace(other.judgements, links=marked)


def _unit_topics(theirs: Gathered, topic: str) -> Iterator[tuple[str, Pyramid]]:
    """What each machine anchored in a topic; a file is a matcher."""
    for file, other in theirs.topics:
        if other.id == topic and other.pyramid is not None:
            yield file, other.pyramid


def check_version(
    file: str, topic: str, own: Judgements, place: str, judged: Judgements, *, sampled: bool = False
) -> None:
    """Refuse judgements of another version of the stories; people may judge a part of them."""
    mine, theirs = {*own.sentences, *own.joined}, {*judged.sentences, *judged.joined}
    odd = sorted(theirs - mine) or ([] if judged.pooled or sampled else sorted(mine - theirs))
    digests = {story.id: story.digest for story in judged.stories if story.digest}
    changed = [
        *(s for s in own.texts if judged.texts.get(s, own.texts[s]) != own.texts[s]),
        *(s.id for s in own.stories if s.digest and digests.get(s.id, s.digest) != s.digest),
    ]
    if odd:
        where = place if odd[0] in theirs else file
        what = f"sentence '{odd[0]}' is only in {where}"
    elif changed:
        what = f"'{changed[0]}' has another text than in {place}"
    else:
        return
    raise DataError(
        f"{file}: topic '{topic}' was judged on another version of its stories ({what}); "
        "judge the version that people judged"
    )
