"""From counts to the figures that ROUGE-1.5.5 prints: pooling, rounding, the F measure."""

from collections.abc import Sequence
from typing import NamedTuple

from chronoscore.core.scores import f_score, ratio
from chronoscore.engine.elements import Elements
from chronoscore.engine.kinds import Kind, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import Counts


class Rates(NamedTuple):
    """Recall, precision and F, each rounded to five places the way Perl prints them."""

    recall: float
    precision: float
    f: float


def rounded(value: float) -> float:
    """Round to five places, halves by the binary value, as printing does."""
    return float(f"{value:.5f}")


def rates(kind: Kind | Elements, counts: Counts, alpha: float) -> Rates:
    """Give recall, precision and the F of the two rounded figures."""
    recall, precision = ratio(counts.hits, counts.reference), ratio(counts.hits, counts.system)
    if isinstance(kind, WeightedSubsequence):
        recall, precision = recall ** (1 / kind.weight), precision ** (1 / kind.weight)
    recall, precision = rounded(recall), rounded(precision)
    return Rates(recall, precision, rounded(f_score(precision, recall, alpha)))


def pooled(counts: Sequence[Counts]) -> Counts:
    """Add up the counts of several references (`-f A`)."""
    hits: float = 0
    reference: float = 0
    system: float = 0
    for each in counts:
        hits += each.hits
        reference += each.reference
        system += each.system
    return Counts(hits, reference, system)


def best(kind: Kind | Elements, counts: Sequence[Counts], once: Sequence[float]) -> Counts:
    """Keep the counts of the reference with the highest recall, the first of equals (`-f B`).

    ROUGE-1.5.5 compares rounded recalls, but unrounded ones for ROUGE-L and ROUGE-W; for
    ROUGE-W it divides by lengths weighted once (`once`), not twice as in the score.
    """
    if not counts:
        return Counts(0, 0, 0)
    match kind:
        case WeightedSubsequence(weight):
            recalls = [
                ratio(c.hits, length) ** (1 / weight)
                for c, length in zip(counts, once, strict=True)
            ]
        case Subsequence():
            recalls = [ratio(c.hits, c.reference) for c in counts]
        case _:
            recalls = [rounded(ratio(c.hits, c.reference)) for c in counts]
    return counts[recalls.index(max(recalls))]
