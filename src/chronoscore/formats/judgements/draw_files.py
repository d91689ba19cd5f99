"""Lists of what people should judge next, as JSON Lines.

Below the header a `frame` row for each topic (and system) says how many items could be drawn, and
a `draw` row names an item with the probability that it had (`{"kind": "draw", "topic", "system",
"item", "probability", "text"}`). Nothing in it says what the machine thinks of the item.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io.files import BOM, read_numbered_lines, write_text
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

FORMAT, VERSION = "chronoscore-draw", 1
ItemKind: TypeAlias = Literal["nuggets", "sentences"]


class DrawHeaderRow(msgspec.Struct, tag_field="kind", tag="header"):
    """The first line: what was drawn, and how."""

    items: ItemKind
    format: str = FORMAT
    version: int = VERSION
    settings: dict[str, Any] = {}


class FrameRow(msgspec.Struct, tag_field="kind", tag="frame", omit_defaults=True):
    """How many items of a topic, for nuggets also of a system, could be drawn."""

    topic: str
    items: int
    system: str = ""


class DrawRow(msgspec.Struct, tag_field="kind", tag="draw", omit_defaults=True):
    """An item that people should judge."""

    topic: str
    item: str
    probability: float
    system: str = ""
    text: str = ""


DrawFileRow: TypeAlias = DrawHeaderRow | FrameRow | DrawRow


@dataclass(frozen=True)
class Draw:
    """What was drawn: the chance of each item by topic, system and id, and the number of all."""

    kind: ItemKind = "nuggets"
    chances: Mapping[tuple[str, str, str], float] = field(default_factory=dict)
    frame: Mapping[tuple[str, str], int] = field(default_factory=dict)
    place: str = ""

    @property
    def of_nuggets(self) -> bool:
        """Whether items are nuggets of outputs, or sentences of topics."""
        return self.kind == "nuggets"

    @property
    def topics(self) -> frozenset[str]:
        """All topics that items could be drawn from."""
        return frozenset(topic for topic, _ in self.frame)

    @property
    def size(self) -> int:
        """How many items could be drawn."""
        return sum(self.frame.values())

    def chances_of(self, topic: str, system: str) -> dict[str, float]:
        """The drawn items of a topic, for nuggets those of a system, with their chances."""
        whose = system if self.of_nuggets else ""
        own = (topic, whose)
        return {one[2]: chance for one, chance in self.chances.items() if one[:2] == own}


def load(path: Path) -> Draw:
    """Read a list that `judge next` wrote."""
    header: DrawHeaderRow | None = None
    chances: dict[tuple[str, str, str], float] = {}
    frame: dict[tuple[str, str], int] = {}
    decoder = msgspec.json.Decoder(DrawFileRow)
    for number, line in read_numbered_lines(path):
        text = line.removeprefix(BOM).strip()
        if not text:
            continue
        place = f"{path}:{number}"
        try:
            row: DrawFileRow = decoder.decode(text)
        except UNREADABLE as error:
            raise DataError(
                f"{describe_json_error(error)}; give a list that `judge next` wrote", place=place
            ) from None
        if isinstance(row, DrawHeaderRow):
            if (row.format, row.version) != (FORMAT, VERSION):
                raise DataError(
                    f"is {row.format} of version {row.version}; give {FORMAT} of version {VERSION}",
                    place=place,
                )
            header = row
        elif isinstance(row, FrameRow):
            frame[row.topic, row.system] = row.items
        else:
            if not 0 < row.probability <= 1:
                raise DataError(
                    f"probability {row.probability:g}: must be above 0 and at most 1; "
                    "leave the list as `judge next` wrote it",
                    place=place,
                )
            chances[row.topic, row.system, row.item] = row.probability
    if header is None or not frame:
        raise DataError("is no list of `judge next`: it has no header or no frame", place=path)
    if strange := next((one for one in chances if one[:2] not in frame), None):
        raise DataError(
            f"item '{strange[2]}' of topic '{strange[0]}' is drawn from nothing; "
            "leave the list as `judge next` wrote it",
            place=path,
        )
    return Draw(header.items, chances, frame, str(path))


def save(
    path: Path,
    kind: ItemKind,
    frame: Sequence[FrameRow],
    drawn: Sequence[DrawRow],
    settings: dict[str, Any],
) -> None:
    """Write a list under a header that says how it was drawn."""
    rows = (DrawHeaderRow(kind, settings=settings), *frame, *drawn)
    write_text(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows).decode())
