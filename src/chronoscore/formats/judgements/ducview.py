"""DUCView: pyramids of summary content units (.pyr) and annotated outputs (.pan), in XML.

A pyramid joins the reference summaries into one text, parted by lines that match
`startDocumentRegEx`; a unit's contributors point into it, and the summaries that they come
from are its writers. An annotated output holds its pyramid and, unit by unit, the places
where the output says the same; unit 0 collects what no reference says.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

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
from chronoscore.errors import DataError
from chronoscore.formats.io import xml

UNMATCHED = "0"
"""The unit under which DUCView files what is in no reference."""


def load(path: Path) -> Pyramid:
    """Read the pyramid of a .pyr or .pan file."""
    root = xml.load(path)
    node = root if root.tag == "pyramid" else root.first("pyramid")
    if node is None:
        raise DataError(f"{path}: is not a DUCView file; it needs a <pyramid>")
    starts = document_starts(path, node)
    units = [unit_of(path, unit, starts) for unit in node.all("scu")]
    seen: set[str] = set()
    for unit, found in zip(units, node.all("scu"), strict=True):
        if unit.id in seen:
            raise DataError(f"{path}:{found.line}: unit '{unit.id}' is there twice; number anew")
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
        raise DataError(f"{path}: is not an annotated output; it needs <peerAnnotation>")
    return Ranking(
        tuple(
            Selection("", event=xml.required_attribute(path, unit, "uid"))
            for unit in node.all("peerscu")
            for _ in unit.all("contributor")
        )
    )


def document_starts(path: Path, node: xml.Node) -> list[int]:
    """Where in the joined text each reference begins; none where no pattern says so."""
    pattern, text = node.first("startDocumentRegEx"), node.first("text")
    if pattern is None or text is None or not pattern.text.strip():
        return []
    joined = "\n".join(line.text for line in text.all("line"))
    try:
        return [found.start() for found in re.finditer(pattern.text, joined)]
    except re.error as error:
        raise DataError(
            f"{path}:{pattern.line}: startDocumentRegEx is not a pattern ({error}); fix it"
        ) from None


def unit_of(path: Path, node: xml.Node, starts: Sequence[int]) -> ContentUnit:
    """A unit, weighing as much as there are references that have it."""
    name = xml.required_attribute(path, node, "uid")
    writers: set[str] = set()
    for number, contributor in enumerate(node.all("contributor"), 1):
        places = [xml.whole_number(path, part, "start") for part in contributor.all("part")]
        if not places:
            raise DataError(f"{path}:{contributor.line}: a contributor has no part; add or drop it")
        document = bisect_right(starts, min(places)) if starts else number
        if starts and not document:
            raise DataError(
                f"{path}:{contributor.line}: a contributor lies before the first reference; "
                "fix its start"
            )
        writers.add(str(document))
    anchor = Anchor(id=name, source=path.name, start=0, end=0)
    try:
        return ContentUnit(
            id=name,
            writers=frozenset(writers),
            group=Group(members=((anchor, 1.0),)),
            text=node.attributes.get("label", ""),
        )
    except DataError as error:
        raise DataError(f"{path}:{node.line}: {error}") from None


def load_folder(folder: Path) -> tuple[list[Topic], list[Run]]:
    """Read a folder of annotated outputs, `topic.system.pan` or `system/topic.pan`."""
    topics: dict[str, Topic] = {}
    runs: dict[str, dict[str, Output]] = {}
    for path in sorted(folder.rglob("*.pan")):
        topic, _, system = path.stem.partition(".")
        system = system or path.parent.name
        topics.setdefault(topic, Topic(id=topic, pyramid=load(path)))
        runs.setdefault(system, {})[topic] = load_output(path)
    if not topics:
        raise DataError(f"{folder}: holds no .pan file; annotate outputs with DUCView first")
    return list(topics.values()), [Run(system, found) for system, found in runs.items()]
