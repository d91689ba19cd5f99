"""What ROUGE counts: each kind of match is a value that says how its counts are to be read."""

from dataclasses import dataclass
from typing import ClassVar


class Match:
    """What is true of most kinds of match."""

    __slots__ = ()

    rounds_recall: ClassVar[bool] = True
    """Whether ROUGE-1.5.5 rounds recall before it chooses the best of several references."""

    @property
    def gram_length(self) -> int | None:
        """The words in a run, where runs of words are counted."""
        return None

    @property
    def root(self) -> float:
        """The power that turns a ratio of counts into precision or recall."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Grams(Match):
    """Runs of n tokens, across sentence boundaries: ROUGE-N."""

    n: int = 1

    @property
    def gram_length(self) -> int:
        """The words in a run."""
        return self.n


@dataclass(frozen=True, slots=True)
class Subsequence(Match):
    """Tokens in common order, united over the system's sentences: ROUGE-L."""

    rounds_recall: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class WeightedSubsequence(Match):
    """Like `Subsequence`, but a run of k tokens counts as k to the power of the weight: ROUGE-W."""

    weight: float = 1.2
    rounds_recall: ClassVar[bool] = False

    @property
    def root(self) -> float:
        """Undo the weighting of runs."""
        return 1 / self.weight


@dataclass(frozen=True, slots=True)
class SkipGrams(Match):
    """Pairs of tokens in order with at most `gap` tokens between them: ROUGE-S.

    A negative gap sets no limit. With `unigrams` every token but the text's last counts
    as well: ROUGE-SU.
    """

    gap: int = 4
    unigrams: bool = False


@dataclass(frozen=True, slots=True)
class Elements(Match):
    """Basic elements, by the parts of a triple that have to match: ROUGE-BE.

    H takes heads without a modifier, HM pairs with one, HMR triples with a relation; HM1
    takes every pair, HMR1 triples with a modifier, HMR2 every triple.
    """

    mode: str = "HM"


Kind = Grams | Subsequence | WeightedSubsequence | SkipGrams
"""What is counted in prepared text; `Elements` are counted in parsed text."""
