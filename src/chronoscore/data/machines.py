"""Machine judges: which of the authors are machines, and what they and people judged alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.core import Judgements, Topic
from chronoscore.data.judges import judgements_of_machine
from chronoscore.data.values import as_list, expand_path_pattern
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.io.layout import bare_name, is_json_lines_file
from chronoscore.formats.judgements import nugget_files

Machine: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""Authors of the judgements that are machines, or files and folders that machines wrote."""


NUGGET_LABELS = ("none", "partial", "support")
"""From the weakest to the strongest; a statement without evidence counts as the weakest."""


@dataclass(frozen=True)
class NuggetLabel:
    """A judge's label of a nugget for an output; `label` is None for an abstention."""

    topic: str
    system: str
    nugget: str
    author: str
    label: int | None
    machine: bool


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
                raise DataError("no such file or directory; check the path", place=file)
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
            for a in sorted(topic.judgements.authors)
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
            if not isinstance(row, nugget_files.AssignmentRow | nugget_files.NuggetAbstentionRow):
                continue
            author = row.author or nameless or bare_name(file)
            key = (row.topic, row.system, row.nugget, author)
            if seen.setdefault(key, file) != file:
                raise DataError(
                    f"'{author}' labels nugget '{row.nugget}' of topic '{row.topic}' for "
                    f"'{row.system}' in {seen[key]} already; give it once",
                    place=file,
                )
            label = None
            if isinstance(row, nugget_files.AssignmentRow):
                unfounded = row.label == nugget_files.NO_EVIDENCE
                label = 0 if unfounded else NUGGET_LABELS.index(row.label)
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
                f"nugget '{event.id}' of topic '{more.id}' has another text than the "
                "people's; judge the same nuggets",
                place=file,
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


def topics_by_machine(theirs: Gathered) -> dict[str, dict[str, tuple[str, Topic]]]:
    """By machine and topic: the file, and the topic as the machine judged it."""
    streams = [
        (file, topic, topic.judgements)
        for file, topic in theirs.topics
        if topic.judgements is not None and topic.judgements.sentences
    ]
    everybody = sorted({author for _, _, judged in streams for author in sorted(judged.authors)})
    found: dict[str, dict[str, tuple[str, Topic]]] = {}
    for file, topic, judged in streams:
        sides = {name: judgements_of_machine(judged, name) for name in sorted(judged.authors)}
        if not sides:
            # A topic without any mark is still judged: nothing in it was linked.
            only = len(everybody) == 1
            sides[everybody[0] if only else bare_name(Path(file))] = judged
        for name, side in sides.items():
            own = found.setdefault(name, {})
            if topic.id in own:
                raise DataError(
                    f"'{name}' judged topic '{topic.id}' in {own[topic.id][0]} already; "
                    "give it once",
                    place=file,
                )
            own[topic.id] = (file, replace(topic, judgements=side))
    return found


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
        f"topic '{topic}' was judged on another version of its stories ({what}); "
        "judge the version that people judged",
        place=file,
    )
