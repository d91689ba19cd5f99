"""The account of ROUGE-N: what was missed and what is extra, by numbers, names and other words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from chronoscore.align.dates import Floats, Places
from chronoscore.core import Summary
from chronoscore.errors import UsageError
from chronoscore.measures.languages import language_of, tally_by_language
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.entries import KINDS, CountedGrams, add_up, look_up
from chronoscore.measures.losses.words import WORDS, CauseWords
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.timelines.texts import TextReading, Texts
from chronoscore.text.languages import AUTO


@dataclass(frozen=True, kw_only=True)
class RougeLosses(Losses):
    """The account of ROUGE-N: what of the references is `missed`, what of the output is `p.extra`.

    Numbers and names are parts of both, as in `missed.numbers`.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="r",
            good="found",
            causes=("missed",),
            empty="nothing_wanted",
            whole="of what the references say",
        ),
        LossSide(
            rate="p",
            good="p.kept",
            causes=("p.extra",),
            empty="p.nothing_offered",
            whole="of what the system says",
        ),
    )
    words: ClassVar[tuple[str, ...]] = WORDS
    parts = part_names(sides, words)
    columns = column_names(sides, words)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides, words)
    needs = Summary
    of: Rouge = field(default=Rouge(), metadata={"bare": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.of.adds_counts:
            raise UsageError(
                f"losses({self.of}): only pooled references can be split into causes; "
                "leave out jackknife, and write several=pool"
            )

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """ROUGE-N."""
        return isinstance(measure, Rouge)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of one word and of two."""
        yield Rouge()
        yield Rouge(n=2, stem=True)

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count account by account."""
        if language_of(family[0]) == AUTO:
            return tally_by_language(family, pairs, cls.tally_family)
        return [measure.count(pairs) for measure in family]

    def count(self, pairs: Sequence[Pair]) -> Array:
        """Count every output against each of its references."""
        self.of.tally(pairs)  # It refuses topics without a reference.
        texts, compared = Texts(), []
        for topic, output in pairs:
            assert isinstance(output, Summary)
            others = [one for one in topic.summaries if one.set == output.set]
            compared.append(
                (texts.number(output.sentences), [texts.number(one.sentences) for one in others])
            )
        counted = _CountedTexts(texts, self.of)
        rows = np.zeros((len(pairs), 2, 2, KINDS))
        for row, (own, references) in zip(rows, compared, strict=True):
            for other in references:
                row[0] += counted.split(other, own)
                row[1] += counted.split(own, other)
        return rows.reshape(len(pairs), -1)


class _CountedTexts:
    """The grams of texts with their kinds."""

    def __init__(self, texts: Texts, measure: Rouge) -> None:
        reading = TextReading(measure.preparation)
        self._grams = CountedGrams.of(texts.batch(reading), measure.n)
        self._kinds = CauseWords(texts, reading)

    def split(self, text: int, other: int) -> Floats:
        """What a text shares with another and what it has alone, by kind of word: 2 × kinds."""
        gram, count = self._of(text)
        theirs, times = self._of(other)
        shared = np.minimum(count, look_up(theirs, times, gram, np.ones(len(gram), dtype=bool)))
        whose = np.zeros(len(gram), dtype=np.intp)
        kinds = self._kinds.of_grams(
            whose, self._grams.words[gram], np.array([text]), np.zeros(1, dtype=np.intp)
        )
        return np.stack([add_up(kinds, shared, KINDS), add_up(kinds, count - shared, KINDS)])

    def _of(self, text: int) -> tuple[Places, Places]:
        """The grams of a text, in order, and how often it has each."""
        here = slice(self._grams.bounds[text], self._grams.bounds[text + 1])
        return self._grams.grams[here], self._grams.counts[here]
