"""How much a pair of days counts."""

import numpy as np

from chronoscore.align.dates import Floats, Ints, Places
from chronoscore.measures.timelines.cost_functions import SAME, CostFunction
from chronoscore.measures.timelines.texts import Texts, TimelinePair


def pair_weights(
    weight: CostFunction, pair: TimelinePair, ours: Places, theirs: Places, texts: Texts
) -> Floats:
    """What each pair of days counts."""
    if weight.function is not None:
        system, reference = pair.system.days(texts), pair.reference.days(texts)
        places = zip(ours.tolist(), theirs.tolist(), strict=True)
        return np.array([weight.function(system[i], reference[j]) for i, j in places], dtype=float)
    return day_pair_closeness(
        weight, pair.system.dates.distance(pair.reference.dates, ours, theirs)
    )


def day_pair_closeness(weight: CostFunction, distances: Ints) -> Floats:
    """What pairs at these distances count, where it hangs on the distance alone."""
    if weight == SAME:
        return np.where(distances == 0, 1.0, 0.0)
    return np.asarray(np.reciprocal(distances + 1.0))
