"""In which order chosen sentences match most, where grams run across their ends.

Few pairs of sentences make a wanted gram where they meet. Such pairs are linked, no sentence
having two before or two after it; whatever is left unlinked follows in the documents' order.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from chronoscore.oracles.problem import Excerpt, Problem

PATIENCE = 20_000
"""Sets of links looked at before the best so far is taken."""


@dataclass(frozen=True)
class Ordered:
    """Pieces in an order, what they are worth so, and whether no order is worth more."""

    pieces: list[Excerpt]
    value: float
    proven: bool


def best_order(
    instance: Problem, whole: Sequence[Excerpt], last: Excerpt | None, target: float = float("inf")
) -> Ordered:
    """The pieces in the best order, `last` at the end.

    The search ends as soon as an order is worth the target, or its patience is at an end.
    """
    pieces = sorted(whole, key=lambda piece: piece.sentence)
    if last is not None:
        pieces.append(last)
    counts: Counter[int] = Counter()
    for piece in pieces:
        counts.update(piece.matches)
    value = instance.wanted.value(counts)
    if instance.n == 1 or len(pieces) < 2:
        return Ordered(pieces, value, proven=True)
    links = _find_links(instance, pieces, ended=last is not None)
    search = OrderSearch(instance, pieces, counts, links, target, best_value=value)
    search.run(0, value)
    return Ordered(_chain_pieces(pieces, search.best), search.best_value, search.looked <= PATIENCE)


@dataclass(frozen=True, slots=True)
class Joint:
    """One piece before another, and what the wanted grams across it are worth at most."""

    before: int
    after: int
    hope: float


def _find_links(instance: Problem, pieces: Sequence[Excerpt], *, ended: bool) -> list[Joint]:
    """The pairs that can have a part in a wanted gram; nothing follows a cut piece."""
    found = []
    for before, one in enumerate(pieces[:-1] if ended else pieces):
        for after, other in enumerate(pieces):
            if before != after and (hope := _joint_hope(instance, one, other)):
                found.append(Joint(before, after, hope))
    return found


def _joint_hope(instance: Problem, one: Excerpt, other: Excerpt) -> float:
    """What the grams across the joint of two pieces are worth at most, whatever is around."""
    hope = 0.0
    if one.tokens and other.tokens:
        for place in range(1, instance.n):
            key = (place, one.tokens[-place:], other.tokens[: instance.n - place])
            hope += instance.seams.get(key, 0.0)
    return hope


@dataclass
class OrderSearch:
    """A search through the sets of links that an order can keep."""

    instance: Problem
    pieces: Sequence[Excerpt]
    counts: Counter[int]
    links: list[Joint]
    target: float
    best_value: float
    best: dict[int, int] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    looked: int = 0

    def __post_init__(self) -> None:
        hopes = [link.hope for link in self.links]
        self.hope = [sum(hopes[place:]) for place in range(len(hopes) + 1)]

    def run(self, start: int, value: float) -> None:
        """Take each of the links from `start` on as the next one."""
        if value > self.best_value:
            self.best_value, self.best = value, dict(self.after)
        for place in range(start, len(self.links)):
            self.looked += 1
            if (
                self.looked > PATIENCE
                or self.best_value >= self.target - 1e-9
                or value + self.hope[place] <= self.best_value
            ):
                return
            link = self.links[place]
            if _keeps_order(link, self.after, self.before):
                made = self.made_by(link)
                gain = self.add(made)
                self.after[link.before], self.before[link.after] = link.after, link.before
                self.run(place + 1, value + gain)
                del self.after[link.before], self.before[link.after]
                self.counts.subtract(made)

    def add(self, grams: Sequence[int]) -> float:
        """Count grams, and say what they add."""
        gain = 0.0
        for gram in grams:
            worths = self.instance.wanted.worths[gram]
            gain += worths[self.counts[gram]] if self.counts[gram] < len(worths) else 0.0
            self.counts[gram] += 1
        return gain

    def made_by(self, link: Joint) -> list[int]:
        """The wanted grams that run across a new link, through all that is linked already."""
        n, numbers = self.instance.n, self.instance.wanted.numbers
        here, left = link.before, self.pieces[link.before].tokens
        while len(left) < n - 1 and here in self.before:
            here = self.before[here]
            left = self.pieces[here].tokens + left
        here, right = link.after, self.pieces[link.after].tokens
        while len(right) < n - 1 and here in self.after:
            here = self.after[here]
            right += self.pieces[here].tokens
        windows = (left[-place:] + right[: n - place] for place in range(1, min(n, len(left) + 1)))
        return [numbers[gram] for gram in windows if gram in numbers]


def _keeps_order(link: Joint, after: dict[int, int], before: dict[int, int]) -> bool:
    """Whether a link leaves an order: both ends are free, and no circle closes."""
    if link.before in after or link.after in before:
        return False
    here = link.after
    while here in after:
        here = after[here]
    return here != link.before


def _chain_pieces(pieces: Sequence[Excerpt], after: dict[int, int]) -> list[Excerpt]:
    """The pieces one after the other, linked ones together, the last chain at the end."""
    starts = [place for place in range(len(pieces)) if place not in after.values()]
    chains = []
    for start in starts:
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        chains.append(chain)
    # The last piece must stay the last: it may be one that is cut.
    chains.sort(key=lambda chain: len(pieces) - 1 in chain)
    return [pieces[place] for chain in chains for place in chain]
