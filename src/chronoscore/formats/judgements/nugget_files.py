"""Nuggets and which outputs support them, as JSON Lines.

A file has a row for each nugget (`{"kind": "nugget", "topic", "id", "text", "importance"}`) and
for each assignment (`{"kind": "assignment", "topic", "system", "nugget", "label", "author"}`),
in any order; nuggets and assignments may also come in files of their own. Where a judge gave no
usable answer there is an `abstention` instead of an assignment.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from chronoscore.core import Event, Judgements, Ranking, Run, Selection, Topic
from chronoscore.errors import DataError, warn
from chronoscore.formats.io.files import BOM, read_numbered_lines, write_text
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

FORMAT, VERSION = "chronoscore-nuggets", 1
Importance: TypeAlias = Literal["vital", "okay"]
Label: TypeAlias = Literal["support", "partial", "none", "no evidence"]
IMPORTANCE: dict[Importance, float] = {"vital": 2.0, "okay": 1.0}
NO_EVIDENCE: Label = "no evidence"
"""The label of a statement for which nothing was found that it could be checked with."""
SCORES: dict[Label, float] = {"support": 1.0, "partial": 0.5, "none": 0.0, NO_EVIDENCE: 0.0}
"""What labels count; a statement without evidence is not supported, so that no invention pays."""


class NuggetHeaderRow(msgspec.Struct, tag_field="kind", tag="header"):
    """The first line, which may be missing; `settings` say how a machine judged."""

    format: str = FORMAT
    version: int = VERSION
    settings: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class NuggetRow(msgspec.Struct, tag_field="kind", tag="nugget"):
    """A nugget of a topic, or with `system` a statement that only this system's output makes."""

    topic: str
    id: str
    text: str = ""
    importance: Importance = "vital"
    system: str | msgspec.UnsetType = msgspec.UNSET


class AssignmentRow(msgspec.Struct, tag_field="kind", tag="assignment", omit_defaults=True):
    """How far an output supports a nugget, as its author sees it.

    `evidence` are the ids of sentences on which the label rests, `confidence` how sure the author
    is of it, from 0 to 100.
    """

    topic: str
    system: str
    nugget: str
    label: Label
    author: str = ""
    evidence: tuple[str, ...] = ()
    confidence: Annotated[float, msgspec.Meta(ge=0, le=100)] | None = None


class NuggetAbstentionRow(msgspec.Struct, tag_field="kind", tag="abstention", omit_defaults=True):
    """A nugget about which an author gave no usable answer."""

    topic: str
    system: str
    nugget: str
    author: str = ""
    reason: str = ""


NuggetFileRow: TypeAlias = NuggetHeaderRow | NuggetRow | AssignmentRow | NuggetAbstentionRow


@dataclass(frozen=True)
class NuggetFile:
    """The topics of a file with their nuggets, and the systems with their assignments."""

    topics: tuple[Topic, ...]
    runs: tuple[Run, ...]
    abstentions: int = 0
    without_evidence: int = 0


def is_nuggets(path: Path) -> bool:
    """Whether a JSON Lines file holds nuggets, by its first row."""
    for _, line in read_numbered_lines(path):
        if text := line.removeprefix(BOM).strip():
            try:
                row = msgspec.json.decode(text)
            except UNREADABLE:
                return False
            return isinstance(row, dict) and (
                row.get("format") == FORMAT
                or row.get("kind") in ("nugget", "assignment", "abstention")
            )
    return False


def load(path: Path, *, keep: Callable[[str], bool] | None = None) -> NuggetFile:
    """Read nuggets and assignments; a nugget or an assignment that is there twice is refused.

    An abstention is a selection whose score is not a number. `keep` says of each author whether
    what they assigned counts.
    """
    nuggets: dict[str, dict[str, Event]] = {}
    owners: dict[str, dict[str, str]] = {}
    abstentions = without_evidence = 0
    labels: dict[str, dict[str, list[Selection]]] = {}
    places: dict[tuple[str, ...], int] = {}
    for number, row in read_rows(path):
        key: tuple[str, ...]
        if isinstance(row, NuggetHeaderRow):
            continue
        if isinstance(row, NuggetRow):
            key = (row.topic, row.id)
            event = Event(row.id, row.text, importance=IMPORTANCE[row.importance])
            nuggets.setdefault(row.topic, {})[row.id] = event
            if isinstance(row.system, str):
                owners.setdefault(row.topic, {})[row.id] = row.system
        else:
            key = (row.topic, row.nugget, row.system, row.author)
            if keep is not None and not keep(row.author):
                continue
            if isinstance(row, NuggetAbstentionRow):
                abstentions += 1
                score = math.nan
            else:
                without_evidence += row.label == NO_EVIDENCE
                score = SCORES[row.label]
            selection = Selection("", score, event=row.nugget)
            labels.setdefault(row.system, {}).setdefault(row.topic, []).append(selection)
        if places.setdefault(key, number) != number:
            raise DataError(
                f"repeats line {places[key]}; leave one of them out", place=f"{path}:{number}"
            )
    if nuggets:
        _check_references(path, places, nuggets)
    _leave_out_others(labels, owners)
    topics = (
        Topic(id=topic, judgements=Judgements(sentences=(), events=tuple(own.values()), links=()))
        for topic, own in nuggets.items()
    )
    runs = (
        Run(system, {topic: Ranking(tuple(chosen)) for topic, chosen in own.items()})
        for system, own in labels.items()
    )
    return NuggetFile(tuple(topics), tuple(runs), abstentions, without_evidence)


def load_runs(path: Path) -> list[Run]:
    """Read the assignments alone; warn where judges abstained or had nothing to check with."""
    file = load(path)
    if file.abstentions:
        warn(
            f"{path}: {file.abstentions} abstentions; what no other judge labeled is not scored",
            kind="abstentions",
        )
    if file.without_evidence:
        warn(
            f"{path}: {file.without_evidence} statements have no evidence; "
            "they count as not supported",
            kind="no-evidence",
        )
    return list(file.runs)


def _leave_out_others(
    labels: dict[str, dict[str, list[Selection]]], owners: dict[str, dict[str, str]]
) -> None:
    """Let statements that one system makes count for no other."""
    for system, topics in labels.items():
        for topic, chosen in topics.items():
            chosen += (
                Selection("", math.nan, event=nugget)
                for nugget, owner in owners.get(topic, {}).items()
                if owner != system
            )


def read_rows(path: Path) -> Iterable[tuple[int, NuggetFileRow]]:
    """Each row with its line."""
    decoder = msgspec.json.Decoder(NuggetFileRow)
    for number, line in read_numbered_lines(path):
        text = line.removeprefix(BOM).strip()
        if not text:
            continue
        try:
            row: NuggetFileRow = decoder.decode(text)
        except UNREADABLE as error:
            raise DataError(
                f"{describe_json_error(error)}; write a nugget or an assignment",
                place=f"{path}:{number}",
            ) from None
        if isinstance(row, NuggetHeaderRow) and (row.format, row.version) != (FORMAT, VERSION):
            raise DataError(
                f"is {row.format} of version {row.version}; give {FORMAT} of version {VERSION}",
                place=f"{path}:{number}",
            )
        yield number, row


def _check_references(
    path: Path, places: dict[tuple[str, ...], int], nuggets: dict[str, dict[str, Event]]
) -> None:
    """Refuse an assignment of a nugget that the topic does not have."""
    for (topic, nugget, *rest), number in places.items():
        if rest and nugget not in nuggets.get(topic, {}):
            raise DataError(
                f"topic '{topic}' has no nugget '{nugget}'; name one that it has",
                place=f"{path}:{number}",
            )


def save(
    rows: Sequence[NuggetRow | AssignmentRow | NuggetAbstentionRow],
    path: Path,
    settings: dict[str, Any] | None = None,
) -> None:
    """Write nuggets and assignments under a header that says how they were made."""
    header = NuggetHeaderRow(settings=settings or msgspec.UNSET)
    written = [msgspec.json.encode(row) for row in (header, *rows)]
    write_text(path, b"".join(line + b"\n" for line in written).decode())
