"""Content units from the rows of a judgements file: writers, lines, units, anchors, groups."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from chronoscore.core import Anchor, ContentUnit, Group, Line, Pyramid, When
from chronoscore.errors import DataError
from chronoscore.formats.judgements import rows as rows
from chronoscore.formats.judgements.link_rows import LinkReader
from chronoscore.formats.judgements.row_checks import RowChecks

DEEPEST = 50
"""Groups within groups; real trees have two or three."""


@dataclass
class GroupTree:
    """A unit's groups by id, with their lines in the file."""

    groups: dict[str, tuple[int, rows.GroupRow]] = field(default_factory=dict)

    @property
    def inner(self) -> set[str]:
        """Groups that are members of a group."""
        return {member.ref for _, row in self.groups.values() for member in row.members}


def writers_behind(units: Iterable[ContentUnit], lines: Iterable[Line]) -> set[str]:
    """Everybody who stands behind a line or a unit."""
    return {line.writer for line in lines}.union(*(unit.writers for unit in units))


class UnitReader:
    """Keeps the rows about units until all are there, then builds the pyramids."""

    def __init__(self, checks: RowChecks, stream: LinkReader) -> None:
        self.checks = checks
        self.fail = checks.fail
        self.stream = stream
        self.writers: dict[str, int] = {}
        self.lines: dict[str, tuple[int, rows.LineRow, When | None]] = {}
        self.units: dict[str, tuple[int, rows.UnitRow, str]] = {}
        self.anchors: dict[str, tuple[int, Anchor]] = {}
        self.groups: dict[str, tuple[int, rows.GroupRow]] = {}
        self.trees: dict[str, GroupTree] = {}

    def take_writer(self, number: int, row: rows.WriterRow) -> None:
        """A writer of timelines."""
        self.checks.unique("writer", row.id, number)
        self.writers[row.id] = number

    def take_line(self, number: int, row: rows.LineRow) -> None:
        """A line of a timeline."""
        self.checks.unique("line", row.id, number)
        try:
            when = When.parse(row.when) if row.when else None
        except DataError as error:
            raise error.at(self.checks.where(number)) from None
        self.lines[row.id] = (number, row, when)

    def take_unit(self, number: int, row: rows.UnitRow) -> None:
        """A content unit."""
        self.checks.unique("hcu", row.id, number)
        self.units[row.id] = (number, row, self.checks.topic(row.topic, number))

    def take_anchor(self, number: int, row: rows.AnchorRow) -> None:
        """A span of a source."""
        self.checks.unique("anchor", row.id, number)
        self.checks.span(number, row.start, row.end)
        anchor = Anchor(id=row.id, source=row.source, start=row.start, end=row.end)
        self.anchors[row.id] = (number, anchor)

    def take_group(self, number: int, row: rows.GroupRow) -> None:
        """A group of anchors and groups."""
        row.id = row.id or row.hcu
        self.checks.unique("group", row.id, number)
        for member in row.members:
            if not 0 <= member.v <= 1:
                raise self.fail(
                    number, f"'{member.ref}' is worth {member.v:g}; write v from 0 to 1"
                )
        self.groups[row.id] = (number, row)
        self.trees.setdefault(row.hcu, GroupTree()).groups[row.id] = (number, row)

    def pyramids(self, unchosen: int | None) -> dict[str, Pyramid]:
        """The pyramid of each topic that has units."""
        self.check_references()
        found: dict[str, list[ContentUnit]] = {}
        for number, row, topic in self.units.values():
            found.setdefault(topic, []).append(self.unit(number, row))
        pyramids = {}
        for name, units in found.items():
            lines, own = self.lines_of(name, units), self.checks.topics[name].z
            pyramids[name] = Pyramid(
                tuple(units),
                writers=self.writers_of(name, units, lines, alone=len(found) == 1),
                lines=lines,
                places=self.stream.places(name),
                length=self.checks.topics[name].length,
                unchosen=unchosen if own is None else own,
            )
        return pyramids

    def writers_of(
        self, topic: str, units: list[ContentUnit], lines: tuple[Line, ...], *, alone: bool
    ) -> tuple[str, ...]:
        """The writers whom a topic names; else those who stand behind its lines and units.

        Where no other topic has units, all writers of the file are its own.
        """
        behind = writers_behind(units, lines) | {*self.checks.topics[topic].writers}
        return tuple(writer for writer in self.writers if alone or writer in behind)

    def lines_of(self, topic: str, units: list[ContentUnit]) -> tuple[Line, ...]:
        """The lines of a topic: those that say so, those of its units, or simply all."""
        used = {line for unit in units for line in unit.lines}
        elsewhere = {
            line for _, row, other in self.units.values() if other != topic for line in row.lines
        }
        return tuple(
            Line(id=row.id, writer=row.writer, when=when, text=row.text)
            for _, row, when in self.lines.values()
            if row.topic == topic or row.id in used or not (row.topic or row.id in elsewhere)
        )

    def check_references(self) -> None:
        """Refuse rows that point to nothing."""
        for number, line, _ in self.lines.values():
            self.checks.known("writer", line.writer, self.writers, number)
        for name, topic in self.checks.topics.items():
            for writer in topic.writers:
                number = self.checks.seen["topic", ""][name]
                self.checks.known("writer", writer, self.writers, number)
        for number, group in self.groups.values():
            self.checks.known("hcu", group.hcu, self.units, number)
        sources = self.stream.sources()
        for number, anchor in self.anchors.values():
            # A file of units alone leaves the source's sentences to another file.
            if sources:
                self.checks.known("story or sentence", anchor.source, sources, number)

    def unit(self, number: int, row: rows.UnitRow) -> ContentUnit:
        """A unit with its writers and its tree of groups."""
        for line in row.lines:
            self.checks.known("line", line, self.lines, number)
        for writer in row.writers:
            self.checks.known("writer", writer, self.writers, number)
        writers = frozenset(self.lines[line][1].writer for line in row.lines) | set(row.writers)
        if not writers:
            raise self.fail(number, f"unit '{row.id}' has no contributor; name its lines")
        if row.weight is not None and row.weight != len(writers):
            raise self.fail(
                number,
                f"unit '{row.id}' has weight {row.weight} and {len(writers)} writers; "
                "a unit weighs as much as it has writers",
            )
        return ContentUnit(
            id=row.id,
            writers=writers,
            group=self.tree(row.id),
            text=row.action,
            agent=row.agent,
            patient=row.patient,
            time=row.time,
            location=row.location,
            lines=tuple(row.lines),
        )

    def tree(self, unit: str) -> Group:
        """A unit's groups, from the root down."""
        mine = self.trees.get(unit)
        if mine is None:
            return Group(members=())
        inner = mine.inner
        roots = [n for n, (_, row) in mine.groups.items() if row.root]
        roots = roots or [n for n in mine.groups if n not in inner]
        first, _ = next(iter(mine.groups.values()))
        if not roots:
            raise self.fail(first, f"the groups of unit '{unit}' go round in a cycle; break it")
        if len(roots) > 1:
            number, _ = mine.groups[roots[1]]
            raise self.fail(number, f"unit '{unit}' has {len(roots)} root groups; make it one tree")
        used: set[str] = set()
        group = self.build_group(mine, roots[0], (), used)
        for name, (number, _) in mine.groups.items():
            if name not in used:
                raise self.fail(number, f"group '{name}' is not in its unit's tree; add or drop it")
        return group

    def build_group(
        self, tree: GroupTree, name: str, above: tuple[str, ...], used: set[str]
    ) -> Group:
        """A group with its members; each may be used once in a unit."""
        number, row = tree.groups[name]
        used.add(name)
        above = (*above, name)
        if len(above) > DEEPEST:
            raise self.fail(number, f"groups are nested more than {DEEPEST} deep; flatten them")
        members: list[tuple[Anchor | Group, float]] = []
        for member in row.members:
            ref = member.ref
            if ref in above:
                raise self.fail(number, f"group '{ref}' contains itself, a cycle; break it")
            if ref in used:
                raise self.fail(number, f"'{ref}' is used twice in unit '{row.hcu}'; use it once")
            if ref in tree.groups:
                members.append((self.build_group(tree, ref, above, used), member.v))
                continue
            if ref in self.groups:
                raise self.fail(number, f"group '{ref}' is another unit's; group within one unit")
            self.checks.known("anchor or group", ref, self.anchors, number)
            used.add(ref)
            members.append((self.anchors[ref][1], member.v))
        return Group(members=tuple(members))
