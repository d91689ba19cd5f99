"""Several references of one text: add their counts up, or take the best of them."""

from collections.abc import Iterable, Sequence

from chronoscore.core.scores import Score, ratio
from chronoscore.engine.kinds import Elements, Kind
from chronoscore.engine.plain import CountRow, Counts


def round_rate(value: float) -> float:
    """Round to five places, halves by the binary value, as printing does."""
    return float(f"{value:.5f}")


def add_reference_counts(counts: Iterable[CountRow]) -> Counts:
    """Add up the counts of several references.

    >>> add_reference_counts([Counts(1, 4, 3), Counts(2, 5, 3)])
    Counts(hits=3, reference=9, system=6)
    """
    hits: float = 0
    reference: float = 0
    system: float = 0
    for shared, wanted, offered in counts:
        hits += shared
        reference += wanted
        system += offered
    return Counts(hits, reference, system)


def score_summed_counts(counts: Sequence[CountRow], alpha: float = 0.5) -> Score:
    """Score counts that are added up over the references.

    >>> score_summed_counts([Counts(1, 4, 2)])
    Score(p=0.5, r=0.25, f=0.3333333333333333)
    """
    hits, reference, system = counts[0] if len(counts) == 1 else add_reference_counts(counts)
    # Single calls spend much of their time here: as `ratio` and `f_score`, without calling them.
    precision = hits / system if system else 0.0
    recall = hits / reference if reference else 0.0
    both = (1 - alpha) * precision + alpha * recall
    return Score(precision, recall, precision * recall / both if both else 0.0)


def rate_of_hits(kind: Kind | Elements, hits: float, size: float) -> float:
    """Precision or recall of this many hits; the weighting of runs is undone."""
    share = ratio(hits, size)
    return share if kind.root == 1 else share**kind.root


def best_reference(kind: Kind | Elements, recalls: Sequence[float]) -> int:
    """The reference with the highest recall, the first of equals, as ROUGE-1.5.5 compares them.

    A recall that is not a number is never the highest; if none is a number, the answer is -1.
    """
    if kind.rounds_recall:
        recalls = [round_rate(recall) for recall in recalls]
    best, highest = -1, -1.0
    for number, recall in enumerate(recalls):
        if recall > highest:
            best, highest = number, recall
    return best
