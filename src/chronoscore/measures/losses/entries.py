"""What is owed, gram by gram, and how it was settled: shared, near, on another day, or not at all.

Everything is counted for each gram, each reference and each day. With the grams of a reference's
day (recall) in the place of what is owed, and the output as the supply:

- `shared` with the aligned day; what the weight of the pair takes away is near the day;
- of what is still owed of a gram, as much is said on another day as the supply has left: all of
  it, less the most that any one partner of each of its days matched;
- the rest is not said. Both are spread over the days in proportion to what they still lack.

Precision is the mirror image: the output's grams are owed, once for each reference in the divisor
of its day, and the references are the supply.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Dates, Floats, Places
from chronoscore.engine.overlap import number_grams
from chronoscore.measures.losses.words import OTHER
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.text import ranges
from chronoscore.text.batch import Batch

DISTANCES = ("same", "day", "days", "week", "far", "year")
"""How far apart two aligned days are: 0, 1, 2–3, 4–7, more, a year or more."""
STEPS = np.array([1, 2, 4, 8])
YEAR = 365
NEAR = 7
"""A day without a date of its own on the other side within so many days is missing, or extra."""
COUNTED = len(DISTANCES) + 4
KINDS = OTHER + 1


@dataclass(frozen=True, eq=False)
class CountedGrams:
    """The grams of texts, each once, with how often the text has it."""

    bounds: Places
    """By text: its first gram; and the end."""
    grams: Places
    counts: Places
    words: Places
    """By gram: its words, one row each."""

    @classmethod
    def of(cls, batch: Batch, n: int) -> "CountedGrams":
        """The grams of all texts of a batch."""
        owner, gram, first = number_grams(batch, np.arange(len(batch)), n)
        size = int(gram.max(initial=-1)) + 1
        held, counts = np.unique(owner * max(size, 1) + gram, return_counts=True)
        words = np.zeros((size, n), dtype=np.intp)
        for place in range(n):
            words[gram, place] = batch.whole.words[first + place]
        owners = held // max(size, 1)
        bounds = np.searchsorted(owners, np.arange(len(batch) + 1))
        return cls(bounds, held % max(size, 1), counts, words)

    def of_texts(self, texts: Places) -> tuple[Places, Places, Places]:
        """The grams of some texts: the place of the text among them, gram, count."""
        sizes = np.diff(self.bounds)[texts]
        here = ranges.concatenate(self.bounds[texts], sizes)
        return np.repeat(np.arange(len(texts)), sizes), self.grams[here], self.counts[here]


@dataclass(frozen=True, eq=False)
class LossEntries:
    """What is owed: a gram of a day, for one reference, with how it was settled."""

    pair: Places
    day: Places
    """Among the days of its side, all pairs of the group end to end."""
    kind: Places
    owed: Floats
    shared: Floats
    weight: Floats
    bin: Places
    """How far the aligned day is away."""
    lone: NDArray[np.bool_]
    """Whether the other side has no date near the day."""
    elsewhere: Floats

    @property
    def near(self) -> Floats:
        """What the weights of pairs of days take away."""
        return self.shared * (1.0 - self.weight)

    def cells(self) -> tuple[Places, Places, Floats]:
        """Entry, place among what is counted, and amount: what is not 0 of each entry."""
        rest = self.owed - self.shared - self.elsewhere
        last = np.where(self.lone, COUNTED - 2, COUNTED - 1)
        columns = [
            (np.zeros(len(self.bin), dtype=np.intp), self.shared * self.weight),
            (1 + self.bin, self.near),
            (np.full(len(self.bin), COUNTED - 3), self.elsewhere),
            (last, rest),
        ]
        every = np.arange(len(self.pair))
        return (
            np.tile(every, len(columns)),
            np.concatenate([places for places, _ in columns]),
            np.concatenate([amounts for _, amounts in columns]),
        )

    def tally(self, pairs: int) -> Array:
        """Add up by pair: pairs × (counted · kinds)."""
        entry, counted, amounts = self.cells()
        keys = (self.pair[entry] * COUNTED + counted) * KINDS + self.kind[entry]
        sums = add_up(keys, amounts, pairs * COUNTED * KINDS)
        return sums.reshape(pairs, -1)

    def tally_days(self, days: int) -> Array:
        """Add up by day: days × counted."""
        entry, counted, amounts = self.cells()
        keys = self.day[entry] * COUNTED + counted
        return add_up(keys, amounts, days * COUNTED).reshape(days, -1)


def bin_distances(system: Dates, reference: Dates, ours: Places, theirs: Places) -> Places:
    """How far pairs of dates are apart, as places in `DISTANCES`."""
    bins = np.searchsorted(STEPS, system.distance(reference, ours, theirs), side="right")
    begin = np.abs(system.first[ours] - reference.first[theirs])
    end = np.abs(system.last[ours] - reference.last[theirs])
    # A month of the year before may be less than a year away from a day, and so may a date that is
    # some days off in the wrong year.
    years = np.maximum(begin, end) >= YEAR - NEAR
    return np.where((bins > 0) & years, len(DISTANCES) - 1, bins)


def add_up(keys: Places, amounts: Places | Floats, size: int) -> Floats:
    """The sums of amounts by key."""
    return np.bincount(keys, amounts, minlength=size).astype(np.float64)


def settle(
    cell: Places, owed: Floats, shared: Floats, supply: Floats, partner: Places | None
) -> Floats:
    """By entry: how much of what is still owed the supply has on another day.

    A cell is a gram of one pair and one reference. Where several days may have the same partner,
    the supply of the partner's day is used up only once.
    """
    size = int(cell.max(initial=-1)) + 1
    aligned = add_up(cell, shared, size)
    gap = add_up(cell, owed, size) - aligned
    used = aligned if partner is None else _most_by_partner(cell, shared, partner, size)
    total = np.zeros(size)
    total[cell] = supply
    share = divide_tallies(np.minimum(gap, np.maximum(total - used, 0.0)), gap)
    return (owed - shared) * share[cell]


def _most_by_partner(cell: Places, shared: Floats, partner: Places, size: int) -> Floats:
    """By cell: the most that any one day matched of each partner, summed over partners."""
    which = np.flatnonzero(shared > 0)
    if not len(which):
        return np.zeros(size)
    width = int(partner.max()) + 1
    order = which[np.argsort(cell[which] * width + partner[which], kind="stable")]
    keys = cell[order] * width + partner[order]
    starts = np.flatnonzero(np.r_[True, np.diff(keys) > 0])
    most = np.maximum.reduceat(shared[order], starts)
    return add_up(keys[starts] // width, most, size)


def look_up(keys: Places, values: Places, wanted: Places, there: NDArray[np.bool_]) -> Places:
    """The values of wanted keys among keys in order; 0 where there is none."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.int64)
    places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(there & (keys[places] == wanted), values[places], 0)
