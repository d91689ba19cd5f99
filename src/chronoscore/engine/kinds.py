"""What ROUGE counts: each kind of match is a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grams:
    """Runs of n tokens, across sentence boundaries: ROUGE-N."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class Subsequence:
    """Tokens in common order, united over the system's sentences: ROUGE-L."""


@dataclass(frozen=True, slots=True)
class WeightedSubsequence:
    """Like `Subsequence`, but a run of k tokens counts as k to the power of the weight: ROUGE-W."""

    weight: float = 1.2


@dataclass(frozen=True, slots=True)
class SkipGrams:
    """Pairs of tokens in order with at most `gap` tokens between them: ROUGE-S.

    A negative gap sets no limit. With `unigrams` every token but the text's last counts
    as well: ROUGE-SU.
    """

    gap: int = 4
    unigrams: bool = False


Kind = Grams | Subsequence | WeightedSubsequence | SkipGrams
