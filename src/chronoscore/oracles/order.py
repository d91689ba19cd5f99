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


def best_order(
    instance: Problem, whole: Sequence[Excerpt], last: Excerpt | None, target: float = float("inf")
) -> tuple[list[Excerpt], float]:
    """The pieces in the best order, `last` at the end, and what they are worth so.

    The search ends as soon as an order is worth the target.
    """
    pieces = sorted(whole, key=lambda piece: piece.sentence)
    if last is not None:
        pieces.append(last)
    counts: Counter[int] = Counter()
    for piece in pieces:
        counts.update(piece.matches)
    if instance.n == 1 or len(pieces) < 2:
        return pieces, instance.wanted.value(counts)
    search = OrderSearch(instance, counts, joints(instance, pieces, ended=last is not None), target)
    search.run(0, {}, counts)
    return chain(pieces, search.best), search.value


@dataclass(frozen=True, slots=True)
class Joint:
    """One piece before another, and the wanted grams that this makes."""

    before: int
    after: int
    grams: tuple[int, ...]


def joints(instance: Problem, pieces: Sequence[Excerpt], *, ended: bool) -> list[Joint]:
    """The pairs that make a wanted gram; nothing follows a piece that ends the text."""
    found = []
    for before, one in enumerate(pieces[:-1] if ended else pieces):
        for after, other in enumerate(pieces):
            if before != after and (made := joint_grams(instance, one, other)):
                found.append(Joint(before, after, made))
    return found


def joint_grams(instance: Problem, one: Excerpt, other: Excerpt) -> tuple[int, ...]:
    """The wanted grams across the joint of two pieces."""
    n, numbers = instance.n, instance.wanted.numbers
    made = []
    for place in range(1, n):
        gram = one.tokens[-place:] + other.tokens[: n - place]
        if len(gram) == n and gram in numbers:
            made.append(numbers[gram])
    return tuple(made)


@dataclass
class OrderSearch:
    """A search through the sets of links that an order can keep."""

    instance: Problem
    counts: Counter[int]
    links: list[Joint]
    target: float
    best: dict[int, int] = field(default_factory=dict)
    value: float = 0.0
    looked: int = 0

    def __post_init__(self) -> None:
        self.value = self.instance.wanted.value(self.counts)
        worths = self.instance.wanted.worths
        each = [sum(worths[gram][0] for gram in link.grams) for link in self.links]
        self.hope = [sum(each[place:]) for place in range(len(each) + 1)]

    def run(self, place: int, after: dict[int, int], counts: Counter[int]) -> None:
        """Take or leave the links from `place` on."""
        self.looked += 1
        value = self.instance.wanted.value(counts)
        if value > self.value:
            self.value, self.best = value, dict(after)
        done = place == len(self.links) or self.looked > PATIENCE
        if done or self.value >= self.target - 1e-9 or value + self.hope[place] <= self.value:
            return
        link = self.links[place]
        if keeps_order(link, after):
            self.run(place + 1, {**after, link.before: link.after}, counts + Counter(link.grams))
        self.run(place + 1, after, counts)


def keeps_order(link: Joint, after: dict[int, int]) -> bool:
    """Whether a link leaves an order: both ends are free, and no circle closes."""
    if link.before in after or link.after in after.values():
        return False
    here = link.after
    while here in after:
        here = after[here]
    return here != link.before


def chain(pieces: Sequence[Excerpt], after: dict[int, int]) -> list[Excerpt]:
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
