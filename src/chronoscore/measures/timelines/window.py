"""Shared runs of words whose dates lie near each other."""

import numpy as np

from chronoscore.align.dates import Dates, Ints, Places


def count_hits_within_days(
    window: int, n: int, ours: tuple[Places, Dates], theirs: tuple[Places, Dates]
) -> int:
    """Pair the occurrences of each run of n words one to one, at most `window` days apart."""
    (own, our_dates), (other, their_dates) = ours, theirs
    grams = _number_runs(own, other, n)
    hits = 0
    for mine, yours in _shared_places(*grams):
        if our_dates.single and their_dates.single:
            hits += pair_days(window, our_dates.first[mine], their_dates.first[yours])
        else:
            hits += pair_spans(window, our_dates, their_dates, mine, yours)
    return hits


def _number_runs(own: Places, other: Places, n: int) -> tuple[Places, Places]:
    """Number the runs of n words of two texts, equal ones alike."""
    runs = [
        np.stack([words[place : max(len(words) - n + 1 + place, place)] for place in range(n)], 1)
        for words in (own, other)
    ]
    _, numbers = np.unique(np.concatenate(runs), axis=0, return_inverse=True)
    return numbers[: len(runs[0])], numbers[len(runs[0]) :]


def _shared_places(mine: Places, yours: Places) -> list[tuple[Places, Places]]:
    """Where each run that both texts have occurs in the one and in the other."""
    found = []
    places = [_group_places(mine), _group_places(yours)]
    for number in places[0].keys() & places[1].keys():
        found.append((places[0][number], places[1][number]))
    return found


def _group_places(numbers: Places) -> dict[int, Places]:
    """The places of each number, in order."""
    order = np.argsort(numbers, kind="stable")
    distinct, starts = np.unique(numbers[order], return_index=True)
    return dict(zip(distinct.tolist(), np.split(order, starts[1:]), strict=True))


def pair_days(window: int, mine: Ints, yours: Ints) -> int:
    """Pair the largest number of days that lie near enough, one to one.

    >>> pair_days(1, np.array([1, 3]), np.array([2, 4]))
    2
    """
    ours, theirs = mine.tolist(), yours.tolist()
    here = there = hits = 0
    while here < len(ours) and there < len(theirs):
        gap = ours[here] - theirs[there]
        hits += abs(gap) <= window
        here += gap <= window
        there += gap >= -window
    return hits


def pair_spans(window: int, ours: Dates, theirs: Dates, mine: Places, yours: Places) -> int:
    """Pair the largest number of dates that lie near enough where some are months or years."""
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    near = ours.distance(theirs, mine[:, None], yours) <= window
    return int((maximum_bipartite_matching(csr_array(near)) >= 0).sum())
