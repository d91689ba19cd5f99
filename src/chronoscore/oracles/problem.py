"""What an oracle chooses from: sentences with their lengths, and what each matches.

Recall over several references is a weighted sum of hits. The k-th copy of a gram hits every
reference that holds it at least k times, so it is worth the sum of their weights: never more
than the copy before. That is all an oracle needs to know of the references.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TypeAlias, assert_never

from chronoscore.errors import DataError
from chronoscore.options.oracles import Pool
from chronoscore.oracles.lengths import budget_cuts, length_in_budget
from chronoscore.text.plain import Prepared, prepare_text
from chronoscore.text.preparation import Limit, Preparation

Tokens: TypeAlias = tuple[str, ...]
Weigh: TypeAlias = Callable[[Sequence[int]], list[float]]
"""What one hit in each reference adds to recall, given how many grams each one has."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence, or the beginning of one, as a candidate for the text.

    `matches` holds, by the number of a reference's gram, how often the piece has it. A piece
    that is not `stable` ends within a word, and has these matches only if the cut falls
    exactly there.
    """

    sentence: int
    length: int
    tokens: Tokens
    matches: dict[int, int]
    stable: bool = True


@dataclass(frozen=True, slots=True)
class Crossing:
    """A way in which a gram can arise across sentences.

    The first part ends a sentence, the last begins one, and those between are sentences.
    """

    gram: int
    parts: tuple[Tokens, ...]


@dataclass(frozen=True)
class Wanted:
    """What the references want: the worth of each copy of each of their grams.

    Worths are in units of `scale`, the weight of one hit in the heaviest reference, so that
    in the usual case they are whole numbers and `whole` says so.
    """

    n: int
    numbers: dict[Tokens, int]
    worths: tuple[tuple[float, ...], ...]
    scale: float
    whole: bool

    @classmethod
    def of(cls, references: Sequence[Prepared], n: int, weights: Sequence[float]) -> "Wanted":
        """Weigh the grams of references, the weight of a hit being given for each of them."""
        scale = max(weights, default=0.0) or 1.0
        shares = [weight / scale for weight in weights]
        held = [Counter(grams(reference.tokens, n)) for reference in references]
        numbers: dict[Tokens, int] = {}
        for bag in held:
            for gram in bag:
                numbers.setdefault(gram, len(numbers))
        worths = [
            tuple(
                sum(s for s, bag in zip(shares, held, strict=True) if bag[gram] >= copy)
                for copy in range(1, max(bag[gram] for bag in held) + 1)
            )
            for gram in numbers
        ]
        return cls(n, numbers, tuple(worths), scale, all(share in (0.0, 1.0) for share in shares))

    def steps(self, gram: int) -> list[tuple[float, int]]:
        """The worths of a gram's copies, equal ones taken together: each with how many."""
        return [(worth, len(list(group))) for worth, group in groupby(self.worths[gram])]

    def matches(self, tokens: Tokens) -> dict[int, int]:
        """How often a run of tokens has each of the wanted grams."""
        found: dict[int, int] = {}
        for gram in grams(tokens, self.n):
            if (number := self.numbers.get(gram)) is not None:
                found[number] = found.get(number, 0) + 1
        return found

    def value(self, counts: "Counter[int] | dict[int, int]") -> float:
        """What these counts of grams are worth together."""
        return sum(sum(self.worths[gram][:count]) for gram, count in counts.items())


@dataclass(frozen=True)
class Problem:
    """One topic's problem: sentences, references, a way to read them, and a budget."""

    name: str
    sentences: tuple[str, ...]
    wanted: Wanted
    preparation: Preparation
    budget: Limit

    @property
    def n(self) -> int:
        """The length of the grams that count."""
        return self.wanted.n

    @cached_property
    def pieces(self) -> tuple[Excerpt, ...]:
        """Every sentence whole, matching or not, in order."""
        uncut = lift_length_limit(self.preparation)
        found = []
        for number, sentence in enumerate(self.sentences):
            tokens = prepare_text([sentence], uncut).tokens
            size = length_in_budget(sentence, self.budget)
            found.append(Excerpt(number, size, tokens, self.wanted.matches(tokens)))
        return tuple(found)

    @cached_property
    def endings(self) -> tuple[Excerpt, ...]:
        """All beginnings of sentences that may end the text."""
        return tuple(end for piece in self.pieces for end in self.prefixes(piece))

    def fitting(self, cut: Sequence[Excerpt] = ()) -> tuple[Excerpt, ...]:
        """The sentences that fit and can be of use, by themselves or next to others.

        `cut` are beginnings that may end the text, and be what a sentence stands next to.
        Where one of them ends within a word, any sentence can be of use: it moves the cut.
        """
        fits = tuple(piece for piece in self.pieces if piece.length <= self.budget.size)
        if not all(end.stable for end in cut):
            return fits
        if self.n == 1:
            return tuple(piece for piece in fits if piece.matches)
        crossings = self.crossings(fits, cut)
        ends = {crossing.parts[0] for crossing in crossings}
        middles = {part for crossing in crossings for part in crossing.parts[1:-1]}
        starts = {crossing.parts[-1] for crossing in crossings}
        return tuple(
            piece
            for piece in fits
            if piece.matches
            or piece.tokens in middles
            or any(piece.tokens[-size:] in ends for size in range(1, self.n))
            or any(piece.tokens[:size] in starts for size in range(1, self.n))
        )

    def crossings(self, whole: Sequence[Excerpt], cut: Sequence[Excerpt] = ()) -> list["Crossing"]:
        """All ways in which whole sentences, and one cut at the end, can share a wanted gram."""
        if self.n == 1:
            return []
        sizes = range(1, self.n)
        ends = {piece.tokens[-size:] for piece in whole for size in sizes if piece.tokens}
        middles = {piece.tokens for piece in whole if 0 < len(piece.tokens) < self.n - 1}
        starts = {piece.tokens[:size] for piece in (*whole, *cut) for size in sizes}

        def split(rest: Tokens) -> Iterator[tuple[Tokens, ...]]:
            """The ways to make up the rest of a gram."""
            if rest in starts:
                yield (rest,)
            for size in range(1, len(rest)):
                if rest[:size] in middles:
                    for parts in split(rest[size:]):
                        yield (rest[:size], *parts)

        return [
            Crossing(number, (gram[:size], *parts))
            for gram, number in self.wanted.numbers.items()
            for size in sizes
            if gram[:size] in ends
            for parts in split(gram[size:])
        ]

    @cached_property
    def seams(self) -> dict[tuple[int, Tokens, Tokens], float]:
        """What a wanted gram is worth at most, by what stands around a place in it.

        By the place, and all that can be known of the gram's words before and after it.
        """
        worth: dict[tuple[int, Tokens, Tokens], float] = {}
        for gram, number in self.wanted.numbers.items():
            for place in range(1, self.n):
                for first in range(place):
                    for last in range(place + 1, self.n + 1):
                        key = (place, gram[first:place], gram[place:last])
                        worth[key] = max(worth.get(key, 0.0), self.wanted.worths[number][0])
        return worth

    def prefixes(self, piece: Excerpt) -> Iterator[Excerpt]:
        """The beginnings of a sentence that match more than any shorter beginning.

        Only those that fit, that are not the whole sentence, and that match by themselves or
        can do so where they follow another sentence.
        """
        uncut = lift_length_limit(self.preparation)
        kept: list[Excerpt] = []
        for size, line, stable in budget_cuts(
            self.sentences[piece.sentence], self.budget, self.preparation
        ):
            tokens = prepare_text([line], uncut).tokens
            start = tokens[: self.n - 1]
            matches = self.wanted.matches(tokens)
            if not (matches or self.ends_a_gram(start)) or any(
                one.stable and one.tokens[: self.n - 1] == start and _covers(one.matches, matches)
                for one in kept
            ):
                continue
            kept.append(Excerpt(piece.sentence, size, tokens, matches, stable))
        yield from kept

    def ends_a_gram(self, start: Tokens) -> bool:
        """Whether a text that starts so can have the last words of a wanted gram there."""
        return any(start[:size] in self.tails for size in range(1, len(start) + 1))

    @cached_property
    def tails(self) -> frozenset[Tokens]:
        """The wanted grams without their first words."""
        grams = self.wanted.numbers
        return frozenset(gram[place:] for gram in grams for place in range(1, self.n))


def make_problem(
    name: str,
    sentences: Sequence[str],
    references: Sequence[Sequence[str]],
    n: int,
    preparation: Preparation,
    budget: Limit,
    weigh: Weigh,
) -> Problem:
    """Set the problem up; references are cut as the preparation says."""
    prepared = [prepare_text(reference, preparation) for reference in references]
    weights = weigh([count_grams(p, n) for p in prepared])
    if not any(weights):
        raise DataError(
            f"the references hold no run of {n} word{'s' if n > 1 else ''}; fill them",
            place=f"topic '{name}'",
        )
    wanted = Wanted.of(prepared, n, weights)
    return Problem(name, tuple(sentences), wanted, preparation, budget)


def hit_weights(sizes: Sequence[int], pool: Pool, *, jackknife: bool = False) -> list[float]:
    """What one hit in each reference adds to recall, given how many grams each one has.

    >>> hit_weights([100, 60], "micro")
    [0.00625, 0.00625]
    >>> hit_weights([100, 60], "macro")
    [0.005, 0.008333333333333333]
    """
    total, many = sum(sizes), len(sizes)
    match pool:
        case "macro":
            return [1 / (many * size) if size else 0.0 for size in sizes]
        case "micro" if jackknife and many > 1:
            rest = [1 / (many * (total - size)) if total > size else 0.0 for size in sizes]
            return [sum(rest) - own if size else 0.0 for own, size in zip(rest, sizes, strict=True)]
        case "micro":
            return [1 / total if size else 0.0 for size in sizes]
        case _:
            assert_never(pool)


def best_weights(sizes: Sequence[int], many: int) -> list[float]:
    """The same where the best of `many` references counts, and one at a time is left out.

    The first reference is the best one and counts whenever it is there; the second takes its
    place the one time that it is not.

    >>> best_weights([10, 5], 4)
    [0.075, 0.05]
    """
    counted = (many - 1, 1)
    return [times / (many * size) for times, size in zip(counted, sizes, strict=False)]


def grams(tokens: Tokens, n: int) -> Iterator[Tokens]:
    """The runs of n tokens."""
    return zip(*(tokens[shift:] for shift in range(n)), strict=False)


def count_grams(prepared: Prepared, n: int) -> int:
    """How many runs of n tokens a text has."""
    return max(0, len(prepared.tokens) - n + 1)


def lift_length_limit(preparation: Preparation) -> Preparation:
    """The preparation without a length limit."""
    return replace(preparation, limit=None)


def _covers(more: dict[int, int], less: dict[int, int]) -> bool:
    """Whether one piece has every match of another, as often."""
    return all(more.get(gram, 0) >= count for gram, count in less.items())
