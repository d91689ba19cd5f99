"""Aligned days: which day was compared with which, what the two share, what that adds."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, When
from chronoscore.explanations.explanation import Explanation
from chronoscore.explanations.words import Reader
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.credit import SimilarityCredit
from chronoscore.measures.timelines.frame import Counting, align_timelines, day_similarities
from chronoscore.measures.timelines.weights import pair_weights

Side: TypeAlias = Literal["precision", "recall"]


@dataclass(frozen=True)
class Pairing:
    """A day of the references and the system's day that it is compared with; one may be missing."""

    reference: Day | None
    system: Day | None
    weight: float = 0.0
    """How much the pair counts."""
    similarity: float = 0.0
    """How similar the two are, where the measure compares days by more than their words."""
    shared: tuple[str, ...] = ()
    """The runs of words that both have, as they are counted."""
    words: tuple[str, ...] = ()
    """The same, as the system spells them."""
    size: int = 0
    """The runs of words of the explained side's day."""
    worth: float = 0.0
    """What the pair adds to the explained figure."""

    @property
    def days(self) -> int | None:
        """How many days lie between the two; None where one is missing."""
        if self.reference is None or self.system is None:
            return None
        return self.reference.when.distance(self.system.when)


class DayShare(NamedTuple):
    """One day of a timeline: how many of its words the days it is compared with share."""

    day: Day
    words: frozenset[str]
    shared: int
    size: int


@dataclass(frozen=True)
class DayExplanation(Explanation):
    """Days aligned with days; they are aligned once, whatever is asked of the explanation."""

    measure: AlignmentMeasure
    output: Timeline

    @classmethod
    def explains(cls, measure: Measure) -> bool:
        """Measures of aligned days that say what each pair of days is worth."""
        return isinstance(measure, AlignmentMeasure) and (
            counts_shared_words(measure) or isinstance(measure.pair_credit, SimilarityCredit)
        )

    @property
    def side(self) -> Side:
        """The figure that was asked for; recall unless it is precision."""
        return "precision" if self.measure.part == "p" else "recall"

    @property
    def counts_words(self) -> bool:
        """Whether aligned days earn the words they share; otherwise they earn their similarity."""
        return counts_shared_words(self.measure)

    @property
    def compares_meaning(self) -> bool:
        """Whether days are aligned by another similarity than that of their words."""
        return self.measure.frame.similarity != WORDS

    @cached_property
    def reader(self) -> Reader:
        """Reads texts as the measure does."""
        return Reader.of(self.measure)

    @cached_property
    def _counting(self) -> Counting:
        return Counting([(self.topic, self.output)], self.measure.reading)

    @property
    def tally(self) -> Array:
        """The counts behind the figures, in one row."""
        return super().tally if self.measure.jackknife else self.counts[np.newaxis]

    @cached_property
    def counts(self) -> Array:
        """Found, wanted, kept and offered against all references together."""
        whole = replace(self.measure, jackknife=False)
        tallies: Array = self.measure.tally_counting([whole], self._counting)[0][0]
        return tallies

    @cached_property
    def reference(self) -> list[Day]:
        """The days of all references, in the order of time."""
        return self._counting.pairs[0].reference.days(self._counting.texts)

    @cached_property
    def system(self) -> list[Day]:
        """The system's days, in the order of time."""
        return self._counting.pairs[0].system.days(self._counting.texts)

    @cached_property
    def _matches(self) -> dict[Side, dict[int, tuple[int, float, float]]]:
        """By side and place of a day: the place of the other day, weight and similarity."""
        frame, both, texts = self.measure.frame, self._counting.pairs[0], self._counting.texts
        alignment = align_timelines([frame], self._counting)[frame]
        alike = np.zeros((len(self.system), len(self.reference)))
        if self.compares_meaning or not self.counts_words:
            alike = day_similarities(both, self._counting.tables(frame.similarity)[0])
        found: dict[Side, dict[int, tuple[int, float, float]]] = {}
        sides: tuple[tuple[Side, Places], ...] = (
            ("precision", alignment.system),
            ("recall", alignment.reference),
        )
        for side, partners in sides:
            places = np.flatnonzero(partners != FREE)
            others = partners[places]
            ours, theirs = (places, others) if side == "precision" else (others, places)
            weights = pair_weights(frame.weight, both, ours, theirs, texts).tolist()
            figures = zip(others.tolist(), weights, alike[ours, theirs].tolist(), strict=True)
            found[side] = dict(zip(places.tolist(), figures, strict=True))
        return found

    def pairings(self, side: Side | None = None) -> list[Pairing]:
        """Every day of one side with its match, then the other side's days that have none.

        For recall these are the references' days, for precision the system's alone.
        """
        side = side or self.side
        return self._recall_pairings if side == "recall" else self._precision_pairings

    @cached_property
    def _precision_pairings(self) -> list[Pairing]:
        return [self._pair("precision", place, None, day) for place, day in enumerate(self.system)]

    @cached_property
    def _recall_pairings(self) -> list[Pairing]:
        found = [self._pair("recall", place, day, None) for place, day in enumerate(self.reference)]
        matched = {other for other, _, _ in self._matches["recall"].values()}
        alone = (day for place, day in enumerate(self.system) if place not in matched)
        return [*found, *(Pairing(None, day) for day in alone)]

    def _pair(self, side: Side, place: int, reference: Day | None, system: Day | None) -> Pairing:
        """A day with the one that it is matched with, if any."""
        day = reference or system
        assert day is not None
        size = self.reader.size(day.texts)
        if place not in self._matches[side]:
            return Pairing(reference, system, size=size)
        other, weight, similarity = self._matches[side][place]
        reference, system = reference or self.reference[other], system or self.system[other]
        own = system.texts[0]
        shared = [gram for text in reference.texts for gram in self.reader.shared(text, own)]
        spelled = self.reader.spellings(own)
        words = tuple(spelled[gram] for gram in shared)
        credit = len(shared) if self.counts_words else similarity * len(reference.texts)
        total = float(self.counts[3 if side == "precision" else 1])
        worth = weight * credit / total if total else 0.0
        return Pairing(reference, system, weight, similarity, tuple(shared), words, size, worth)

    def shares(self, side: Side, whose: Literal["reference", "system"]) -> list[DayShare]:
        """What each day of the references, or of the system, shares with its matches."""
        words: dict[When, set[str]] = {}
        shared: Counter[When] = Counter()
        compared: Counter[When] = Counter()
        for one in self.pairings(side):
            if one.reference is None or one.system is None:
                continue
            when = one.reference.when if whose == "reference" else one.system.when
            words.setdefault(when, set()).update(w for gram in one.shared for w in gram.split(" "))
            shared[when] += len(one.shared)
            # A day of the system is compared with each reference that has the other day.
            compared[when] += len(one.reference.texts) if whose == "system" else 0
        return [
            DayShare(
                day,
                frozenset(words.get(day.when, ())),
                shared[day.when],
                self.reader.size(day.texts) * (compared[day.when] or 1),
            )
            for day in (self.reference if whose == "reference" else self.system)
        ]


def counts_shared_words(measure: Measure) -> bool:
    """Whether a measure aligns days and counts the words that they share."""
    return isinstance(measure, AlignmentMeasure) and measure.pair_credit.gram_length is not None
