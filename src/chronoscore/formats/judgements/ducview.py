"""DUCView: pyramids of summary content units (.pyr) and annotated outputs (.pan), in XML.

A pyramid joins the reference summaries into one text, parted by lines that match
`startDocumentRegEx`; a unit's contributors point into it, and the summaries that they come
from are its writers. An annotated output holds its pyramid and, unit by unit, the places
where the output says the same; unit 0 collects what no reference says.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.core import (
    Anchor,
    ContentUnit,
    Group,
    Output,
    Pyramid,
    Ranking,
    Run,
    Selection,
    Topic,
)
from chronoscore.errors import DataError, warn
from chronoscore.formats.io import xml

UNMATCHED = "0"
"""The unit under which DUCView files what is in no reference."""


def load(path: Path) -> Pyramid:
    """Read the pyramid of a .pyr or .pan file."""
    root = xml.load(path)
    node = root if root.tag == "pyramid" else root.first("pyramid")
    if node is None:
        raise DataError("is not a DUCView file; it needs a <pyramid>", place=path)
    starts = _document_starts(path, node)
    units = [_read_unit(path, unit, starts) for unit in node.all("scu")]
    seen: set[str] = set()
    for unit, found in zip(units, node.all("scu"), strict=True):
        if unit.id in seen:
            raise DataError(
                f"unit '{unit.id}' occurs twice; give each its own id", place=f"{path}:{found.line}"
            )
        seen.add(unit.id)
    writers = [str(number) for number in range(1, len(starts) + 1)]
    if not starts:
        writers = sorted({writer for unit in units for writer in unit.writers})
    return Pyramid(tuple(units), writers=tuple(writers))


def load_output(path: Path) -> Ranking:
    """Read which units an annotated output expresses: a selection for each place that does."""
    root = xml.load(path)
    node = root.first("annotation")
    if root.tag != "peerAnnotation" or node is None:
        raise DataError("is not an annotated output; it needs <peerAnnotation>", place=path)
    return Ranking(
        tuple(
            Selection("", event=xml.required_attribute(path, unit, "uid"))
            for unit in node.all("peerscu")
            for _ in unit.all("contributor")
        )
    )


def _document_starts(path: Path, node: xml.Node) -> list[int]:
    """Where in the joined text each reference begins; none where no pattern says so."""
    pattern, text = node.first("startDocumentRegEx"), node.first("text")
    if pattern is None or text is None or not pattern.text.strip():
        return []
    joined = "\n".join(line.text for line in text.all("line"))
    try:
        return [found.start() for found in re.finditer(pattern.text, joined)]
    except re.error as error:
        raise DataError(
            f"startDocumentRegEx is not a pattern ({error}); fix it", place=f"{path}:{pattern.line}"
        ) from None


def _read_unit(path: Path, node: xml.Node, starts: Sequence[int]) -> ContentUnit:
    """A unit, weighing as much as there are references that have it."""
    name = xml.required_attribute(path, node, "uid")
    writers: list[str] = []
    for number, contributor in enumerate(node.all("contributor"), 1):
        places = [xml.whole_number(path, part, "start") for part in contributor.all("part")]
        if not places:
            raise DataError(
                "a contributor has no part; add or drop it", place=f"{path}:{contributor.line}"
            )
        document = bisect_right(starts, min(places)) if starts else number
        if starts and not document:
            raise DataError(
                "a contributor lies before the first reference; fix its start",
                place=f"{path}:{contributor.line}",
            )
        writers.append(str(document))
    anchor = Anchor(id=name, source=path.name, start=0, end=0)
    try:
        return ContentUnit(
            id=name,
            writers=frozenset(writers),
            group=Group(members=((anchor, 1.0),)),
            text=node.attributes.get("label", ""),
            contributors=tuple(writers),
        )
    except DataError as error:
        raise error.at(f"{path}:{node.line}") from None


class OutputName(NamedTuple):
    """What the name of an annotated output says."""

    annotator: str
    topic: str
    system: str


DUC_NAME = lazy.pattern(
    r"(?:(?P<annotator>(?!D\d)[^.]+)\.)?(?P<topic>D\d+\w*(?:-\w+)?)(?:\.M\.\d+\.\w+\.(?P<system>\w+))?"
)
"""As in DUC and TAC: `21.D0700.M.250.A.0`, with the annotator (or not), topic and system."""


def parse_name(path: Path) -> OutputName:
    """The topic and the system of an annotated output: `D0701.mine.pan`, `mine/D0701.pan`.

    >>> parse_name(Path("21.D0700.M.250.A.0.pan"))
    OutputName(annotator='21', topic='D0700', system='0')
    """
    duc = DUC_NAME.fullmatch(path.stem)
    if duc:
        system = duc["system"] or path.resolve().parent.name
        return OutputName(duc["annotator"] or "", duc["topic"], system)
    topic, _, system = path.stem.partition(".")
    return OutputName("", topic, system or path.resolve().parent.name)


def load_topics(folder: Path) -> list[Topic]:
    """The pyramids of annotated outputs; those of one topic that differ are reported."""
    first: dict[str, tuple[Path, Pyramid]] = {}
    for path in _find_output_files(folder):
        topic, pyramid = parse_name(path).topic, load(path)
        known, before = first.setdefault(topic, (path, pyramid))
        if difference := _find_difference(before, pyramid):
            warn(
                f"{path}: the pyramid of topic '{topic}' differs from that of {known} "
                f"({difference}); the latter counts",
                kind="different-pyramids",
            )
    return [Topic(id=topic, pyramid=pyramid) for topic, (_, pyramid) in first.items()]


def report_other_pyramids(paths: Sequence[Path], topics: Mapping[str, Topic]) -> None:
    """Warn once where annotated outputs hold another pyramid than the one that counts."""
    files = [
        file
        for path in paths
        for file in (sorted(path.rglob("*.pan")) if path.is_dir() else [path])
        if file.suffix == ".pan"
    ]
    other = []
    for file in files:
        topic = topics.get(parse_name(file).topic)
        if topic is not None and topic.pyramid is not None:
            difference = _find_difference(topic.pyramid, load(file))
            other += [(file, topic.id, difference)] if difference else []
    if other:
        file, name, difference = other[0]
        many = f"; {len(other)} outputs hold another one" if len(other) > 1 else ""
        warn(
            f"{file}: the pyramid of topic '{name}' differs from its .pyr file ({difference}); "
            f"the latter counts{many}",
            kind="different-pyramids",
        )


def _find_difference(one: Pyramid, other: Pyramid) -> str:
    """The first difference of two pyramids in words; nothing if they are the same."""
    if len(one.writers) != len(other.writers):
        return f"{len(other.writers)} references, not {len(one.writers)}"
    weights = {unit.id: unit.contributions for unit in one.units}
    for unit in other.units:
        if unit.id not in weights:
            return f"unit '{unit.id}' is new"
        if unit.contributions != weights[unit.id]:
            return f"unit '{unit.id}' has {unit.contributions} contributors, not {weights[unit.id]}"
    missing = set(weights) - {unit.id for unit in other.units}
    return f"unit '{min(missing)}' is missing" if missing else ""


def load_runs(folder: Path) -> list[Run]:
    """The annotated outputs of a folder, `topic.system.pan`, `system/topic.pan` or as in DUC.

    Where several people annotated one output, each of them is a system of its own.
    """
    names = {path: parse_name(path) for path in _find_output_files(folder)}
    count = Counter((name.topic, name.system) for name in names.values())
    several = max(count.values()) > 1
    runs: dict[str, dict[str, Output]] = {}
    for path, name in names.items():
        system = f"{name.annotator}.{name.system}" if several and name.annotator else name.system
        mine = runs.setdefault(system, {})
        if name.topic in mine:
            raise DataError(
                f"system '{system}' has an output for topic '{name.topic}' already; "
                "give one of them another name",
                place=path,
            )
        mine[name.topic] = load_output(path)
    return [Run(system, outputs) for system, outputs in runs.items()]


def _find_output_files(folder: Path) -> list[Path]:
    """The annotated outputs below a folder."""
    paths = sorted(folder.rglob("*.pan"))
    if not paths:
        raise DataError("holds no .pan file; annotate outputs with DUCView first", place=folder)
    return paths
