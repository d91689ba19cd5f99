"""ROUGE of whole timelines: the texts of all days, one after the other, as one document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from chronoscore.align.dates import Dates, Places
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.counting import Counting
from chronoscore.measures.timelines.days import Meeting, Side
from chronoscore.measures.timelines.timeline import TimelineMeasure
from chronoscore.measures.timelines.window import hits_within

if TYPE_CHECKING:
    from chronoscore.text.batch import Batch


@dataclass(frozen=True, kw_only=True)
class Concat(TimelineMeasure):
    """Forget the dates: compare all texts in order of time as one document.

    With `window` a shared word counts only where it stands at dates at most so many days
    apart (Takamura et al., 2011): as many of its occurrences as can be paired one to one
    within the window. A run of words has the date of its first word.
    """

    name: ClassVar[str] = "concat"
    counted: ClassVar[str] = "concat"
    known_faults: ClassVar[frozenset[str]] = frozenset(
        {"merge", "shift", "swap", "split", "shuffle"}
    )
    window: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window is not None and self.window < 0:
            raise UsageError(f"concat(window={self.window}): write a number of days, 0 or more")
        if self.window is not None and (self.over != "n" or self.limit is not None):
            raise UsageError(
                f"concat(window={self.window}): a window is for runs of words of whole texts; "
                "leave out over and limit"
            )

    @classmethod
    def tally_together(
        cls, measures: Sequence[Self], counting: Counting
    ) -> Mapping[TimelineMeasure, Array]:
        """Put every timeline together once, and compare each two once for all kinds."""
        from chronoscore.engine.batch import count

        wholes = Wholes.of(counting)
        kinds = list(dict.fromkeys(measure.kind for measure in measures))
        counts = count(kinds, wholes.batch, wholes.systems, wholes.references)
        by_kind = dict(zip(kinds, counts, strict=True))
        return {m: wholes.tallied(m.within(by_kind[m.kind], wholes, counting)) for m in measures}

    def within(self, counts: Array, wholes: "Wholes", counting: Counting) -> Array:
        """The counts, with only those hits that lie within the window."""
        if self.window is None:
            return counts
        found = counts.copy()
        for row, meeting, number in wholes.comparisons(counting.meetings):
            if counts[row, 0]:
                found[row, 0] = hits_within(
                    self.window,
                    self.n,
                    wholes.dated(wholes.systems[row], meeting.system, 0),
                    wholes.dated(wholes.references[row], meeting.reference, number),
                )
        return found


@dataclass(frozen=True, eq=False)
class Wholes:
    """Whole timelines as texts, and which of them meet."""

    batch: "Batch"
    systems: Places
    references: Places
    sizes: Places
    """By pair: how many references it has."""
    lengths: tuple[Places, ...]
    """By text: how many words each of its days has."""

    @classmethod
    def of(cls, counting: Counting) -> Self:
        """Put timelines together from days that are prepared already.

        A length limit cuts the whole, so with one the whole has to be read again.
        """
        from chronoscore.measures.timelines.joining import joined

        groups: dict[int, int] = {}
        texts: list[Places] = []

        def number(whole: Places) -> int:
            found = groups.setdefault(id(whole), len(texts))
            if found == len(texts):
                texts.append(whole)
            return found

        systems, references, sizes = [], [], []
        for meeting in counting.meetings:
            own = number(meeting.system.wholes[0])
            systems += [own] * meeting.references
            references += [number(whole) for whole in meeting.reference.wholes]
            sizes.append(meeting.references)
        if counting.preparation.limit is None:
            batch = joined(counting.batch, texts)
        else:
            days = counting.documents.texts
            batch = counting.prepared([[s for t in whole for s in days[t]] for whole in texts])
        words = np.diff(counting.batch.whole.bounds)
        return cls(
            batch,
            np.array(systems, dtype=np.intp),
            np.array(references, dtype=np.intp),
            np.array(sizes, dtype=np.intp),
            tuple(words[whole] for whole in texts),
        )

    def comparisons(self, meetings: Sequence[Meeting]) -> Iterator[tuple[int, Meeting, int]]:
        """Each comparison's row, its meeting, and which of the references it is about."""
        row = 0
        for meeting in meetings:
            for number in range(meeting.references):
                yield row, meeting, number
                row += 1

    def tallied(self, counts: Array) -> Array:
        """Add up the counts of each pair's references."""
        owners = np.repeat(np.arange(len(self.sizes)), self.sizes)
        hits, wanted, offered = (
            np.bincount(owners, column, minlength=len(self.sizes)) for column in counts.T
        )
        return np.column_stack([hits, wanted, hits, offered])

    def dated(self, text: int, side: Side, number: int) -> tuple[Places, Dates]:
        """The words of a whole timeline and the date of each."""
        bounds = self.batch.whole.bounds
        words = self.batch.whole.words[bounds[text] : bounds[text + 1]].astype(np.intp)
        which = np.repeat(side.places[number], self.lengths[text])
        return words, Dates(side.dates.first[which], side.dates.last[which])
