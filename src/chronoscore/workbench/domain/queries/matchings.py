"""Where the two matchers differ, worst first, and what a manager decided about it."""

from dataclasses import dataclass
from statistics import fmean

from sqlalchemy import Connection

from chronoscore.workbench.domain import trees
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.formatting import quote
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import NOTHING, AnchorSpan, UnitMatching
from chronoscore.workbench.domain.trees import Tree
from chronoscore.workbench.store.source import SourceSentence, TopicSource

ROLES = ("matcher", "rematcher")


@dataclass(frozen=True)
class UsedAnchor:
    """Words that a matcher gave a share of the unit, and the share by each of the two."""

    sentence: SourceSentence
    start: int
    stop: int
    shares: tuple[float | None, float | None]

    @property
    def pieces(self) -> tuple[str, str, str]:
        """The sentence before the words, the words, and the rest of it."""
        text = self.sentence.text
        return text[: self.start], text[self.start : self.stop], text[self.stop :]


@dataclass(frozen=True)
class MatchingDifference:
    """A unit that two matchers express differently."""

    unit: units.Unit
    anchors: tuple[UsedAnchor, ...]
    words: tuple[str, str]
    """Both trees in words."""
    decided: str
    """Whose tree a manager chose: a role, or nobody's yet."""
    version: int

    @property
    def overlap(self) -> float:
        """The share of the anchors that both used, of all that either did."""
        both = sum(None not in anchor.shares for anchor in self.anchors)
        return both / len(self.anchors) if self.anchors else 1.0

    @property
    def gap(self) -> float:
        """How far apart the shares are on average; an anchor that is not used has the share 0."""
        both = [anchor.shares for anchor in self.anchors]
        gaps = [abs((first or 0) - (second or 0)) for first, second in both]
        return fmean(gaps) if gaps else 0.0


def find_differences(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> list[MatchingDifference]:
    """The units that were matched twice and differently: the fewest common anchors first."""
    if not topic.require_sight().over("rematch"):
        raise NotFoundError
    matched = units.all_matchings(connection, topic.id)
    spans = {one.id: one for one in units.anchors_of(connection, topic.id, None)}
    chosen = units.adjudicated_trees(connection, topic.id)
    found = []
    for unit in units.list_units(connection, topic.id):
        both = tuple(matched[role].get(unit.id, NOTHING) for role in ROLES)
        if unit.id not in matched["rematcher"] or trees.are_same(both[0].tree, both[1].tree):
            continue
        found.append(_difference(unit, both, spans, source, chosen.get(unit.id)))
    return sorted(found, key=lambda one: (one.overlap, -one.gap, one.unit.n))


def _difference(
    unit: units.Unit, both: tuple[UnitMatching, ...], spans: dict[str, AnchorSpan],
    source: TopicSource, chosen: UnitMatching | None,
) -> MatchingDifference:  # fmt: skip
    held = [
        {one["anchor"]: float(one["v"]) for one in trees.walk(matching.tree) if "anchor" in one}
        for matching in both
    ]
    used = [spans[name] for name in dict.fromkeys([*held[0], *held[1]]) if name in spans]
    used.sort(key=lambda one: (source.by_id[one.sentence].place, one.start))
    say = {one.id: source.by_id[one.sentence].text[one.start : one.stop] for one in used}
    decided = ""
    if chosen is not None and chosen.done:
        same = [
            role
            for role, matching in zip(ROLES, both, strict=True)
            if trees.are_same(matching.tree, chosen.tree)
        ]
        decided = same[0] if same else ""
    return MatchingDifference(
        unit,
        tuple(
            UsedAnchor(
                source.by_id[one.sentence], one.start, one.stop,
                (held[0].get(one.id), held[1].get(one.id)),
            )
            for one in used
        ),
        (_in_words(both[0].tree, say), _in_words(both[1].tree, say)),
        decided,
        chosen.version if chosen else 0,
    )  # fmt: skip


def _in_words(tree: Tree, say: dict[str, str]) -> str:
    """A tree as a line of text: its anchors and groups with their shares."""
    parts = [
        f"{quote(say.get(one['anchor'], one['anchor']))} {one['v']:g}"
        if "anchor" in one
        else f"({_in_words(one, say)}) {one['v']:g}"
        for one in tree["members"]
    ]
    return ", ".join(parts) or "nothing"
