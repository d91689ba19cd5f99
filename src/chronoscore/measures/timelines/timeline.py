"""What all ROUGE measures of timelines have in common, and how they share their work.

Measures of one preparation are counted together: every day's text is prepared once, an
alignment is computed once for all kinds of grams, and two texts that meet in several
alignments are compared once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from chronoscore.core import Output, Timeline, Topic
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array, Averaging, Measure, Pair, check_words, divided
from chronoscore.measures.timelines.counting import Counting
from chronoscore.text.preparation import Limit, Preparation


@dataclass(frozen=True, kw_only=True)
class TimelineMeasure(Measure):
    """What all ROUGE measures of timelines have in common.

    `over` says what is counted: runs of `n` words, skipped pairs and words (su), or the
    longest common subsequence (l). Stemming and the removal of stop words are on, as in
    the figures that papers on timelines report. With `jackknife` a system meets all but one
    reference at a time and the scores are averaged. `text=tilse` reads sentences as the peer
    does before it hands them to Perl.
    """

    needs = Timeline
    averaging: ClassVar[Averaging] = "of-means"
    counted: ClassVar[str] = ""
    """The way of counting, which one method serves for all measures of that way."""
    n: int = 1
    over: Literal["n", "su", "l"] = "n"
    prepare: Literal["perl155", "unicode"] = "perl155"
    stem: bool = True
    stop: bool = True
    limit: Limit | None = None
    language: str = "english"
    text: Literal["plain", "tilse"] = "plain"
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_words(self.name, self.n)
        if self.n > 1 and self.over != "n":
            raise UsageError(
                f"{self.name}(n={self.n},over={self.over}): n is for runs of words; leave out one"
            )

    @property
    def kind(self) -> Kind:
        """What is counted."""
        if self.over == "su":
            return SkipGrams(4, unigrams=True)
        return Subsequence() if self.over == "l" else Grams(self.n)

    @property
    def preparation(self) -> Preparation:
        """How texts become tokens."""
        return Preparation(
            name=self.prepare,
            stem=self.stem,
            stop=self.stop,
            limit=self.limit,
            language=self.language,
        )

    @property
    def family(self) -> object:
        """Measures that read texts in the same way are counted together."""
        return (TimelineMeasure, self.preparation, self.text, self.jackknife)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count one measure."""
        return self.tally_family([self], pairs)[0]

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count measures that share a preparation, each kind of them in one go."""
        if family[0].jackknife:
            return cls.tally_subsets(family, pairs)
        counting = Counting(pairs, family[0].preparation, family[0].text)
        found: dict[TimelineMeasure, Array] = {}
        for way in dict.fromkeys(measure.counted for measure in family):
            together = [measure for measure in family if measure.counted == way]
            found |= type(together[0]).tally_together(together, counting)
        return [found[measure] for measure in family]

    @classmethod
    def tally_subsets(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count against every set of references with one left out, and add up the scores."""
        whole = [replace(measure, jackknife=False) for measure in family]
        expanded = [list(leave_one_out(topic, output)) for topic, output in pairs]
        sizes = np.array([len(subsets) for subsets in expanded])
        tallies = cls.tally_family(whole, [pair for subsets in expanded for pair in subsets])
        starts = np.cumsum(sizes) - sizes
        return [
            np.column_stack([np.add.reduceat(measure.values(counts), starts, axis=0), sizes])
            for measure, counts in zip(whole, tallies, strict=True)
        ]

    def values(self, tallies: Array) -> Array:
        """Precision, recall and F; means of them where one reference was left out at a time."""
        if self.jackknife:
            return divided(tallies[..., :3], tallies[..., 3:])
        return super().values(tallies)

    @classmethod
    def tally_together(
        cls, measures: Sequence[Self], counting: Counting
    ) -> Mapping["TimelineMeasure", Array]:
        """Count measures that are counted in the same way."""
        raise NotImplementedError


def leave_one_out(topic: Topic, output: Output) -> Iterator[Pair]:
    """The output against every set of references with one left out.

    A lone reference stays, and so do all that a person meets: their own is out already.
    """
    every = topic.timelines
    if len(every) < 2 or topic.left_out:
        yield topic, output
        return
    for out in range(len(every)):
        yield replace(topic, timelines=every[:out] + every[out + 1 :]), output
