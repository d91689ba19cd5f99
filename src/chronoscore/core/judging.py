"""What people decided about a source: events and links, content units, ratings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from chronoscore.dates.when import When
from chronoscore.errors import DataError


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as the judges of a stream agreed on it.

    `time` (seconds since 1970, UTC) is when it became known and `importance` how much the
    judges thought it mattered, where they said so; `origin` is the sentence that it was
    first found in.
    """

    id: str
    text: str = ""
    time: float | None = None
    importance: float = 1.0
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A sentence says that an event happened.

    Sentences of the same event and `group` express it only together. A link that the
    verifier dropped stays, with `kept` false, because agreement is computed from it; a
    link that nobody but the verifier made is `kept` and marked by nobody. `span` says
    which characters of the sentence express the event.
    """

    sentence: str
    event: str
    marked_by: tuple[str, ...] = ()
    kept: bool = True
    group: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Abstention:
    """A judge gave no usable answer about a sentence, which is not the same as no link."""

    sentence: str
    author: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of a source, from `start` up to but not including `end`."""

    source: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One text of a stream, and when it came in (seconds since 1970, UTC).

    `digest` is the SHA-256 of the text, for corpora whose licence lets only ids and
    offsets be passed on.
    """

    id: str
    sentences: tuple[str, ...] = ()
    time: float | None = None
    title: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class MatchTable:
    """The matches of a shared task as its table lists them, before duplicates are resolved.

    `named` are the events that any row names, `rows` pairs of a judged sentence and an event,
    and `repeats` leads from a judged sentence to the judged sentence that it repeats.
    `unimportant` are events of importance 0 or less, with the links to them, which only some
    scorers count; `lengths` are the numbers of words that the tables give for events and
    sentences.
    """

    named: frozenset[str]
    rows: tuple[tuple[str, str], ...]
    repeats: Mapping[str, str]
    unimportant: tuple[Event, ...] = ()
    unimportant_links: tuple[Link, ...] = ()
    lengths: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """The events of a topic, its sentences in order, and which sentence mentions which event.

    `joined` leads from a part that the sentence splitter broke off to the sentence that it
    belongs to: both count as one. In a `pooled` topic only a sample of what systems chose
    was judged, so a sentence that is not among `sentences` is unjudged, not wrong.
    `first_times` says when any of the systems that are scored together first chose a sentence.
    `judges` names everybody who judged, where some of them linked nothing. `hours` is how long
    people worked on the topic, where the file says so.
    """

    sentences: tuple[str, ...]
    events: tuple[Event, ...]
    links: tuple[Link, ...]
    stories: tuple[Story, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    joined: Mapping[str, str] = field(default_factory=dict)
    abstentions: tuple[Abstention, ...] = ()
    pooled: bool = False
    table: MatchTable | None = None
    first_times: Mapping[str, float] | None = None
    pool: int = 0
    """How many systems `first_times` is about."""
    judges: tuple[str, ...] = ()
    confidences: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By sentence and judge, how sure a machine is of its links, from 0 to 100."""
    hours: float | None = field(default=None, compare=False)

    @property
    def authors(self) -> set[str]:
        """Everybody who is known to have judged: who linked something, abstained, or is named."""
        linking = {judge for link in self.links for judge in link.marked_by}
        return linking | {one.author for one in self.abstentions} | {*self.judges}

    @property
    def fingerprint(self) -> str:
        """A hash of all that a score depends on."""
        summed = sha256(repr((self.pooled, self.events, sorted(self.joined.items()))).encode())
        if self.table:
            table = self.table
            known = (sorted(table.named), table.rows, sorted(table.repeats.items()))
            others = (table.unimportant, table.unimportant_links, sorted(table.lengths.items()))
            summed.update(repr((known, others)).encode("utf-8", "replace"))
        if unjudged := self.unjudged:
            summed.update(repr(sorted(unjudged)).encode("utf-8", "replace"))
        if self.first_times is not None:
            summed.update(repr(sorted(self.first_times.items())).encode("utf-8", "replace"))
        summed.update("\n".join(self.sentences).encode("utf-8", "replace"))
        for link in self.kept:
            said = f"{link.sentence}\t{link.event}\t{link.group}\t{link.span}\n"
            summed.update(said.encode("utf-8", "replace"))
        summed.update("\n".join(self.texts.values()).encode("utf-8", "replace"))
        return summed.hexdigest()

    @property
    def parts(self) -> dict[str, list[str]]:
        """For each sentence that was broken, the parts that belong to it."""
        found: dict[str, list[str]] = {}
        for part, head in self.joined.items():
            found.setdefault(head, []).append(part)
        return found

    @property
    def unjudged(self) -> frozenset[str]:
        """Sentences on which every judge of the topic abstained."""
        if not self.abstentions:
            return frozenset()
        judges = self.authors
        abstained: dict[str, set[str]] = {}
        for one in self.abstentions:
            abstained.setdefault(one.sentence, set()).add(one.author)
        return frozenset(name for name, authors in abstained.items() if authors == judges)

    @property
    def kept(self) -> Iterator[Link]:
        """The links that stand after verification."""
        return (link for link in self.links if link.kept)

    @property
    def matches(self) -> MatchTable:
        """The table of matches; without one, what the links say."""
        if self.table is not None:
            return self.table
        rows = tuple((link.sentence, link.event) for link in self.kept)
        return MatchTable(frozenset(event for _, event in rows), rows, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A span of the source that expresses (part of) a content unit."""

    id: str
    source: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Anchors and groups that together express a unit, each worth a share of it."""

    members: tuple[tuple["Anchor | Group", float], ...]

    @property
    def anchors(self) -> Iterator[Anchor]:
        """All anchors, those of inner groups too."""
        for member, _ in self.members:
            if isinstance(member, Group):
                yield from member.anchors
            else:
                yield member

    @property
    def shares(self) -> Iterator[float]:
        """What every member is worth, at whatever depth."""
        for member, share in self.members:
            yield share
            if isinstance(member, Group):
                yield from member.shares


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentUnit:
    """A piece of content and the people who thought it worth a line of their timeline.

    `text` tells the action; `lines` are the timeline lines that it was made from, of which
    at most one for each writer counts.
    """

    id: str
    writers: frozenset[str]
    group: Group = field(default_factory=lambda: Group(members=()))
    text: str = ""
    agent: str = ""
    patient: str = ""
    time: str = ""
    location: str = ""
    lines: tuple[str, ...] = ()
    contributors: tuple[str, ...] = ()
    """The writer of each place that expresses the unit; a writer may have several."""

    def __post_init__(self) -> None:
        if not self.writers:
            raise DataError(f"unit '{self.id}' has no contributor; name at least one line")
        for share in self.group.shares:
            if not 0 <= share <= 1:
                raise DataError(
                    f"unit '{self.id}' has a member worth {share:g}; write a number from 0 to 1"
                )
        seen: set[str] = set()
        for anchor in self.group.anchors:
            if anchor.id in seen:
                raise DataError(f"unit '{self.id}' has anchor '{anchor.id}' twice; name it once")
            seen.add(anchor.id)

    @property
    def weight(self) -> int:
        """How many people chose it; a person counts once."""
        return len(self.writers)

    @property
    def contributions(self) -> int:
        """How many places express it; a person may have several."""
        return len(self.contributors) or len(self.writers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a person's timeline."""

    id: str
    writer: str
    when: When | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The content units of a topic: many that one person chose, few that all did.

    `length` is how many lines the writers were asked for, `places` says where in the
    source each sentence stands, and `unchosen` is an estimate of the units that nobody
    chose, for agreement.
    """

    units: tuple[ContentUnit, ...]
    writers: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    length: int | None = None
    unchosen: int | None = None

    @property
    def fingerprint(self) -> str:
        """A hash of all that a score depends on."""
        said = [(unit.id, sorted(unit.writers), unit.group) for unit in self.units]
        places = sorted(self.places.items())
        known: tuple[object, ...] = (said, places, self.length, self.writers)
        if any(unit.contributions != unit.weight for unit in self.units):
            known = (*known, [unit.contributors for unit in self.units])
        return sha256(repr(known).encode()).hexdigest()

    def without(self, writer: str) -> "Pyramid":
        """The pyramid of all other writers; units that only this one chose are gone."""
        units = (
            replace(
                unit,
                writers=unit.writers - {writer},
                contributors=tuple(name for name in unit.contributors if name != writer),
            )
            for unit in self.units
            if unit.writers != {writer}
        )
        others = tuple(name for name in self.writers if name != writer)
        return replace(self, units=tuple(units), writers=others)

    @property
    def anchors(self) -> dict[str, Anchor]:
        """The anchors of all units by their ids, each once."""
        return {anchor.id: anchor for unit in self.units for anchor in unit.group.anchors}

    @property
    def weights(self) -> tuple[int, ...]:
        """The units' weights, heaviest first."""
        return tuple(sorted((unit.weight for unit in self.units), reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A score that a person gave to a system's (or a person's) output."""

    system: str
    topic: str
    rating: str
    value: float
    human: bool = False
