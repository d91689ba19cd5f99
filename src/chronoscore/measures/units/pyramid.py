"""Content units: how much of what people found worth telling a system chose.

A unit weighs as much as people chose it, and is anchored in the source. Nobody looks at the
output: a system that chooses an event, or a sentence or span with the event in it, has chosen
the anchor, and a tree of groups says how much of the unit its anchors express.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from chronoscore.core import Anchor, Group, Place, Pyramid, Ranking, Selection, Topic
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.measures.measure import AMOUNT, Array, Bounds, Measure, Pair
from chronoscore.measures.streams.events import share_or_nan


class UnitScore(NamedTuple):
    """How much of a unit was expressed, from 0 to 1, and what it weighs."""

    unit: str
    text: str
    weight: int
    score: float

    @property
    def missed(self) -> float:
        """The weight that was not earned."""
        return self.weight * (1 - self.score)


@dataclass(frozen=True, kw_only=True)
class PyramidMeasure(Measure):
    """The weight of the units that were chosen, of the most that n units could weigh.

    The most is the weight of the n heaviest units, n being the length that was asked for:
    `n`, else the cutoff, else the topic's own length, else all units. `@k` scores the k best
    selections only. Choosing more than n units can give more than 1.

    >>> str(PyramidMeasure(cutoff=40))
    'pyramid@40'
    """

    name: ClassVar[str] = "pyramid"
    needs = Ranking
    parts = ("score",)
    columns = ("found", "possible")
    n: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n is not None and self.n < 1:
            raise UsageError(f"pyramid(n={self.n}): n counts units; write 1 or more")

    def bounds(self, part: str) -> Bounds:
        """More units than were asked for can earn more than 1."""
        return AMOUNT

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up the weights that each ranking earns."""
        warn_of_empty_pyramids(topic for topic, _ in pairs)
        rows = []
        for topic, output in pairs:
            assert isinstance(output, Ranking)
            pyramid = pyramid_of(topic)
            scores = breakdown_by_unit(pyramid, output, cutoff=self.cutoff)
            earned = sum(unit.weight * unit.score for unit in scores)
            rows.append((earned, float(weight_of_heaviest_units(pyramid, self.length(pyramid)))))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 2)

    def length(self, pyramid: Pyramid) -> int:
        """How many units were asked for."""
        return self.n or self.cutoff or pyramid.length or len(pyramid.units)

    def values(self, tallies: Array) -> Array:
        """Earned of the most; undefined where there are no units."""
        return share_or_nan(tallies[..., 0], tallies[..., 1])[..., np.newaxis]


def weight_of_heaviest_units(pyramid: Pyramid, size: int) -> int:
    """What the `size` heaviest units weigh, or all where there are fewer."""
    return sum(pyramid.weights[:size])


def breakdown_by_unit(
    pyramid: Pyramid, ranking: Ranking, *, cutoff: int | None = None
) -> list[UnitScore]:
    """How much of each unit a ranking expresses, heaviest first: what was missed, by weight."""
    anchors = _choose_anchors(pyramid, ranking.best_first[:cutoff])
    scores = [
        UnitScore(unit.id, unit.text, unit.weight, score_group(unit.group, anchors))
        for unit in pyramid.units
    ]
    return sorted(scores, key=lambda unit: -unit.weight)


def score_group(group: Group, anchors: frozenset[str]) -> float:
    """How much of a unit some anchors express: shares added up, every group capped at 1.

    >>> began, recording = (Anchor(id=i, source="s", start=0, end=1) for i in "br")
    >>> unit = Group(members=((began, 1.0), (recording, 0.5)))
    >>> [score_group(unit, frozenset(chosen)) for chosen in ("", "r", "b", "br")]
    [0.0, 0.5, 1.0, 1.0]
    """
    total = 0.0
    for member, worth in group.members:
        if isinstance(member, Anchor):
            total += worth if member.id in anchors else 0.0
        else:
            total += worth * score_group(member, anchors)
    return min(1.0, total)


def _choose_anchors(pyramid: Pyramid, selections: Iterable[Selection]) -> frozenset[str]:
    """The anchors that selections choose: an event itself, and all that lies in a span."""
    by_source: dict[str, dict[str, Anchor]] = {}
    for unit in pyramid.units:
        for anchor in unit.group.anchors:
            by_source.setdefault(anchor.source, {})[anchor.id] = anchor
    found: set[str] = set()
    for selection in selections:
        if selection.event:
            found.add(selection.event)
        if not selection.sentence:
            continue
        for place in _selection_places(pyramid, selection):
            found.update(
                anchor.id
                for anchor in by_source.get(place.source, {}).values()
                if place.start <= anchor.start and anchor.end <= place.end
            )
    return frozenset(found)


def _selection_places(pyramid: Pyramid, selection: Selection) -> list[Place]:
    """Where a selection lies: in the sentence itself, and in the document that it is from."""
    start = selection.start or 0
    end = END if selection.end is None else selection.end
    found = [Place(selection.sentence, start, end)]
    home = pyramid.places.get(selection.sentence)
    if home:
        inside = min(home.end, home.start + end)
        found.append(Place(home.source, home.start + start, inside))
    return found


END = 1 << 62
"""Beyond the end of any text."""


def pyramid_of(topic: Topic) -> Pyramid:
    """A topic's pyramid, which it must have."""
    if topic.pyramid is None:
        raise DataError(f"topic '{topic.id}' has no content units; give `units`")
    return topic.pyramid


def warn_of_empty_pyramids(topics: Iterable[Topic]) -> None:
    """Say which topics have no units."""
    for topic in {topic.id: topic for topic in topics}.values():
        if not pyramid_of(topic).units:
            warn(
                f"topic '{topic.id}' has no content unit; no mean includes it",
                kind="topics-without-units",
            )
