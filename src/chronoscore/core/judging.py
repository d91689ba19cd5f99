"""What people decided about a source: events, links, content units, ratings."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as the judges of a stream agreed on it."""

    id: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A sentence says that an event happened.

    Sentences of the same event and `group` express it only together. A link that the
    verifier dropped stays, with `kept` false, because agreement is computed from it.
    """

    sentence: str
    event: str
    marked_by: tuple[str, ...] = ()
    kept: bool = True
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """The events of a topic, its sentences in order, and which sentence mentions which event."""

    sentences: tuple[str, ...]
    events: tuple[Event, ...]
    links: tuple[Link, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentUnit:
    """A piece of content and the people who thought it worth a line of their timeline."""

    id: str
    writers: frozenset[str]
    group: Group = field(default_factory=lambda: Group(members=()))
    text: str = ""

    @property
    def weight(self) -> int:
        """How many people chose it; a person counts once."""
        return len(self.writers)


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The content units of a topic: many that one person chose, few that all did."""

    units: tuple[ContentUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A score that a person gave to a system's (or a person's) output."""

    system: str
    topic: str
    rating: str
    value: float
    human: bool = False
