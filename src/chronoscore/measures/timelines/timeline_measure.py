"""What all ROUGE measures of timelines have in common, and how they share their work.

Measures of one family are counted together: every day's text is prepared once, an alignment
is computed once for all credits, and two texts that several alignments pair are compared once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from chronoscore.core import Output, Timeline, Topic
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence
from chronoscore.errors import UsageError
from chronoscore.measures.languages import check_language, tally_by_language
from chronoscore.measures.measure import Array, FamilyCounter, Measure, Pair, check_words
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.credit import Credit, OverlapCredit
from chronoscore.measures.timelines.frame import Counting
from chronoscore.measures.timelines.texts import PreparedTopics, TextReading
from chronoscore.options import Averaging
from chronoscore.text.languages import AUTO
from chronoscore.text.preparation import Limit, Preparation, PreparationName

OVERLAPS: Mapping[str, Callable[[int], Kind]] = {
    "n": Grams,
    "su": lambda _: SkipGrams(4, unigrams=True),
    "l": lambda _: Subsequence(),
}
"""By the value of `over`: what is counted, given n."""


@dataclass(frozen=True, kw_only=True)
class TimelineMeasure(Measure):
    """What all ROUGE measures of timelines have in common.

    `over` says what is counted: runs of `n` words, skipped pairs and words (su), or the
    longest common subsequence (l). Stemming and the removal of stop words are on, as in
    the figures that papers on timelines report. With `jackknife` a system is compared with all but
    one reference at a time and the scores are averaged. `text=tilse` reads sentences as tilse
    does before it hands them to Perl.
    """

    needs = Timeline
    averaging: ClassVar[Averaging] = "of-means"
    known_faults: ClassVar[frozenset[str]] = blind_spots.OF_WORDS
    n: int = 1
    over: Literal["n", "su", "l"] = "n"
    prepare: PreparationName = "perl155"
    stem: bool = True
    stop: bool = True
    limit: Limit | None = None
    language: str = "english"
    text: Literal["plain", "tilse"] = "plain"
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_words(self.name, self.n)
        check_language(self.name, self.prepare, self.language)
        if self.n > 1 and self.pair_credit.gram_length is None:
            other = "credit=similarity" if self.over == "n" else f"over={self.over}"
            raise UsageError(
                f"{self.name}(n={self.n},{other}): n is for runs of words; leave out one"
            )

    @property
    def reading(self) -> TextReading:
        """How texts become tokens."""
        preparation = Preparation(
            name=self.prepare,
            stem=self.stem,
            stop=self.stop,
            limit=self.limit,
            language=self.language,
        )
        return TextReading(preparation, peer=self.text == "tilse")

    @property
    def pair_credit(self) -> Credit:
        """What a matched pair of texts is worth: `over` chooses it."""
        return OverlapCredit(self.reading, OVERLAPS[self.over](self.n))

    @property
    def width(self) -> int:
        """Found, wanted, kept and offered, each as wide as the credit."""
        return super().width if self.jackknife else 4 * self.pair_credit.width

    @property
    def alpha(self) -> float:
        """The weight of precision in F, which the credit knows."""
        return self.pair_credit.alpha

    def rates(self, tallies: Array) -> tuple[Array, Array]:
        """Precision and recall, as the credit computes them."""
        return self.pair_credit.rates(tallies)

    @property
    def family(self) -> object:
        """Measures that read texts in the same way are counted together."""
        return (TimelineMeasure, self.reading, self.jackknife)

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count measures that share a reading, those of one way of counting in one go."""
        if family[0].language == AUTO:
            return tally_by_language(family, pairs, cls.tally_family)
        if family[0].jackknife:
            return cls.tally_subsets(family, pairs)
        return cls.tally_counting(family, Counting(pairs, family[0].reading))

    @classmethod
    def prepare_family(cls, family: Sequence[Self], topics: Sequence[Topic]) -> FamilyCounter:
        """Number and prepare the references once."""
        if family[0].language == AUTO or family[0].jackknife:
            return super().prepare_family(family, topics)
        prepared, reading = PreparedTopics(topics), family[0].reading
        return lambda pairs: cls.tally_counting(family, Counting(pairs, reading, prepared))

    @classmethod
    def tally_counting(cls, family: Sequence[Self], counting: Counting) -> list[Array]:
        """Count by each way of counting in one go."""
        tallies: dict[TimelineMeasure, Array] = {}
        for counter in dict.fromkeys(measure.counter() for measure in family):
            together = [measure for measure in family if measure.counter() is counter]
            tallies |= counter.tally_together(together, counting)
        return [tallies[measure] for measure in family]

    @classmethod
    def tally_subsets(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count against every set of references with one left out, and add up the scores."""
        whole = [replace(measure, jackknife=False) for measure in family]
        expanded = [list(_leave_one_out(topic, output)) for topic, output in pairs]
        sizes = np.array([len(subsets) for subsets in expanded])
        tallies = cls.tally_family(whole, [pair for subsets in expanded for pair in subsets])
        starts = np.cumsum(sizes) - sizes
        return [
            np.column_stack([np.add.reduceat(measure.values(counts), starts, axis=0), sizes])
            for measure, counts in zip(whole, tallies, strict=True)
        ]

    @classmethod
    def counter(cls) -> "type[TimelineMeasure]":
        """The class that counts this measure together with its own kind."""
        raise NotImplementedError

    @classmethod
    def tally_together(
        cls, measures: Sequence["TimelineMeasure"], counting: Counting
    ) -> Mapping["TimelineMeasure", Array]:
        """Count measures that have the same counter."""
        raise NotImplementedError


def _leave_one_out(topic: Topic, output: Output) -> Iterator[Pair]:
    """The output against every set of references with one left out.

    A lone reference stays, and so do all that a person is compared with: their own is out already.
    """
    every = topic.timelines
    if len(every) < 2 or topic.left_out:
        yield topic, output
        return
    for out in range(len(every)):
        yield replace(topic, timelines=every[:out] + every[out + 1 :]), output
