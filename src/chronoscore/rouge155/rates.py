"""From counts to the figures that ROUGE-1.5.5 prints: rounding, F, the best reference."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chronoscore.core.scores import f_score
from chronoscore.engine import weighted
from chronoscore.engine.kinds import Elements, Kind
from chronoscore.engine.plain import Counts
from chronoscore.engine.pooling import best_reference, rate_of_hits, round_rate


class Rates(NamedTuple):
    """Recall, precision and F, each rounded to five places the way Perl prints them."""

    recall: float
    precision: float
    f: float


def perl_rates(kind: Kind | Elements, counts: Counts, alpha: float) -> Rates:
    """Give recall, precision and the F of the two rounded figures."""
    recall = round_rate(rate_of_hits(kind, counts.hits, counts.reference))
    precision = round_rate(rate_of_hits(kind, counts.hits, counts.system))
    f = f_score(precision, recall, alpha)
    # Perl asks whether the denominator is above 0, and what is not a number is not.
    return Rates(recall, precision, 0.0 if math.isnan(f) else round_rate(f))


def add_perl_counts(counts: Iterable[Counts]) -> Counts:
    """Add up the counts of several references or evaluations in Perl's numbers."""
    total = Counts(0, 0, 0)
    for one in counts:
        total = Counts(*map(weighted.add, total, one))
    return total


def best_perl_counts(
    kind: Kind | Elements, counts: Sequence[Counts], once: Sequence[float]
) -> Counts:
    """Keep the counts of the reference with the highest recall, the first of equals (`-f B`).

    For ROUGE-W, ROUGE-1.5.5 divides by lengths weighted once (`once`), not twice as in the
    score.
    """
    sizes = [each.reference for each in counts] if kind.root == 1 else once
    recalls = [
        rate_of_hits(kind, each.hits, size) for each, size in zip(counts, sizes, strict=True)
    ]
    best = best_reference(kind, recalls)
    return Counts(0, 0, 0) if best < 0 else counts[best]
