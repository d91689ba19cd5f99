"""ROUGE of whole timelines: the texts of all days, one after the other, as one document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chronoscore.align.dates import Dates, Places
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.measures.rouge.pooling import tally_rouge_references
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.credit import credit_comparisons
from chronoscore.measures.timelines.frame import Counting
from chronoscore.measures.timelines.texts import DatedTexts, TextReading, Texts, TimelinePair
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure
from chronoscore.measures.timelines.window import count_hits_within_days

if TYPE_CHECKING:
    from chronoscore.text.batch import Batch


@dataclass(frozen=True, kw_only=True)
class Concat(TimelineMeasure):
    """Forget the dates: compare all texts in order of time as one document.

    With `window` a shared word counts only where its dates are at most this many days apart
    (Takamura et al., 2011): the largest number of its occurrences that can be paired one to
    one within the window. A run of words has the date of its first word.
    """

    name: ClassVar[str] = "concat"
    known_faults: ClassVar[frozenset[str]] = (
        frozenset({"merge", "shift", "swap", "split", "shuffle"})
        | blind_spots.OF_WORDS
        | blind_spots.OF_DATES
    )
    window: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window is not None and self.window < 0:
            raise UsageError(f"concat(window={self.window}): write a number of days, 0 or more")
        if self.window is not None and (
            self.pair_credit.gram_length is None or self.limit is not None
        ):
            raise UsageError(
                f"concat(window={self.window}): a window is for runs of words of whole texts; "
                "leave out over and limit"
            )

    @classmethod
    def counter(cls) -> type[TimelineMeasure]:
        """All measures of whole timelines share the joined texts."""
        return Concat

    @classmethod
    def tally_together(
        cls, measures: Sequence[TimelineMeasure], counting: Counting
    ) -> Mapping[TimelineMeasure, Array]:
        """Join every timeline once, and compare each two once for all credits."""
        whole = WholeTimelines(counting)
        chosen = [measure for measure in measures if isinstance(measure, Concat)]
        by_measure = {measure: measure.pair_credit for measure in chosen}
        earned = credit_comparisons(by_measure.values(), whole, whole.systems, whole.references)
        tallies: dict[TimelineMeasure, Array] = {}
        for measure, credit in by_measure.items():
            hits = earned[credit]
            if measure.window is not None:
                hits = measure.hits_within(hits, whole)
            as_reference, as_system = credit.sizes(whole)
            counts = (hits, as_reference[whole.references], as_system[whole.systems])
            tallies[measure] = whole.add_up(counts)
        return tallies

    def hits_within(self, hits: Array, whole: "WholeTimelines") -> Array:
        """Only those hits whose dates lie within the window."""
        assert self.window is not None
        near = hits.copy()
        words = DatedWords(whole, self.reading)
        for row, (pair, number) in enumerate(whole.comparisons()):
            if hits[row, 0]:
                ours = words.of(whole.systems[row], pair.system, 0)
                theirs = words.of(whole.references[row], pair.reference, number)
                near[row, 0] = count_hits_within_days(self.window, self.n, ours, theirs)
        return near


class WholeTimelines(Texts):
    """Whole timelines as texts, and which are compared with which."""

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        self.days, self.pairs = counting.texts, counting.pairs
        self.groups: list[Places] = []
        """By text: the numbers of its days' texts."""
        numbers: dict[int, int] = {}

        def number(whole: Places) -> int:
            place = numbers.setdefault(id(whole), len(self.groups))
            if place == len(self.groups):
                self.groups.append(whole)
            return place

        systems: list[int] = []
        references: list[int] = []
        for pair in self.pairs:
            systems += [number(pair.system.wholes[0])] * pair.references
            references += [number(whole) for whole in pair.reference.wholes]
        self.systems = np.array(systems, dtype=np.intp)
        self.references = np.array(references, dtype=np.intp)
        self.texts = [
            tuple(s for day in group for s in self.days.texts[day]) for group in self.groups
        ]

    def batch(self, reading: TextReading) -> "Batch":
        """Join days that are prepared already; where a limit cuts the whole, prepare it again."""
        if reading.preparation.limit is None and reading not in self._batches:
            self._batches[reading] = self.days.batch(reading).merge(self.groups)
        return super().batch(reading)

    def comparisons(self) -> Iterator[tuple[TimelinePair, int]]:
        """The pair of each comparison, and which of its references it is about."""
        for pair in self.pairs:
            for number in range(pair.references):
                yield pair, number

    def add_up(self, counts: Sequence[Array]) -> Array:
        """Add up what each pair's references earn and what there was to earn, column by column."""
        sizes = np.array([pair.references for pair in self.pairs], dtype=np.intp)
        columns = [
            tally_rouge_references(np.column_stack(column), sizes)
            for column in zip(*(count.T for count in counts), strict=True)
        ]
        tallies: Array = np.stack(columns, axis=-1).reshape(len(sizes), -1)
        return tallies


class DatedWords:
    """The words of whole timelines with their dates, by one reading."""

    def __init__(self, whole: WholeTimelines, reading: TextReading) -> None:
        self.layout = whole.batch(reading).whole
        self.bounds = self.layout.bounds
        self.groups = whole.groups
        self.lengths = np.diff(whole.days.batch(reading).whole.bounds)

    def of(self, text: int, side: DatedTexts, number: int) -> tuple[Places, Dates]:
        """The words of a whole timeline, one of a side's, and the date of each."""
        words = self.layout.words[self.bounds[text] : self.bounds[text + 1]].astype(np.intp)
        which = np.repeat(side.places[number], self.lengths[self.groups[text]])
        return words, Dates(side.dates.first[which], side.dates.last[which])
