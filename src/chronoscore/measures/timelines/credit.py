"""What a matched pair of texts is worth, apart from the cost by which it was matched.

A credit says how texts are read, what a pair of them earns, what there was to earn in each,
and how the sums become precision and recall. To add one, write a subclass of `TextCredit` and let
`over` choose it in `timeline_measure`; `SimilarityCredit` is what `credit=similarity` chooses.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.engine.kinds import Kind
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.measures.similarity.similarities import TextSimilarity
from chronoscore.measures.timelines.texts import TextReading, Texts


@dataclass(frozen=True, slots=True)
class Credit(ABC):
    """What a matched pair of texts is worth."""

    reading: TextReading
    """How the texts are read; the cost of matching may read them otherwise."""

    @property
    def width(self) -> int:
        """How many amounts a pair of texts earns: more than 1 where several orders are counted."""
        return 1

    @property
    def alpha(self) -> float:
        """The weight of precision in F."""
        return 0.5

    @property
    def gram_length(self) -> int | None:
        """The words in a run, where runs of words are counted; oracles and explanations ask."""
        return None

    @abstractmethod
    def sizes(self, texts: Texts) -> tuple[Array, Array]:
        """What there is to earn in each text as a reference's, and as a system's: × width."""

    def rates(self, tallies: Array) -> tuple[Array, Array]:
        """Precision and recall from tallies: found, wanted, kept, offered, each of `width`."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        return divide_tallies(kept, offered), divide_tallies(found, wanted)


@dataclass(frozen=True, slots=True)
class TextCredit(Credit):
    """A credit that looks at two texts alone, whatever topic they belong to."""

    @classmethod
    @abstractmethod
    def earn_together(
        cls, family: Sequence[Self], texts: Texts, systems: Places, references: Places
    ) -> list[Array]:
        """What text systems[i] earns by text references[i], for credits of one reading.

        Gives for each credit an array of pairs × width.
        """


@dataclass(frozen=True, slots=True)
class SimilarityCredit(Credit):
    """How alike two texts are; every text that is not empty has 1 to earn."""

    similarity: TextSimilarity

    def sizes(self, texts: Texts) -> tuple[Array, Array]:
        """Count the texts."""
        ones = np.array([[float(any(map(str.strip, text)))] for text in texts.texts])
        return ones.reshape(-1, 1), ones.reshape(-1, 1)


@dataclass(frozen=True, slots=True)
class OverlapCredit(TextCredit):
    """What two texts share by a kind of ROUGE: words, runs of words, skipped pairs …"""

    kind: Kind

    @property
    def gram_length(self) -> int | None:
        """The words in a run, where runs of words are counted."""
        return self.kind.gram_length

    @classmethod
    def earn_together(
        cls, family: Sequence[Self], texts: Texts, systems: Places, references: Places
    ) -> list[Array]:
        """Count what the texts share, all kinds in one go."""
        from chronoscore.engine.batch import count_hits

        kinds = [credit.kind for credit in family]
        hits = count_hits(kinds, texts.batch(family[0].reading), systems, references)
        return [column[:, np.newaxis] for column in hits]

    def sizes(self, texts: Texts) -> tuple[Array, Array]:
        """Count what there is to hit."""
        from chronoscore.engine import totals

        batch = texts.batch(self.reading)
        every = np.arange(len(batch))
        as_reference, as_system = totals.count(self.kind, batch, every, every)
        return as_reference[:, np.newaxis], as_system[:, np.newaxis]


def credit_comparisons(
    family: Iterable[Credit], texts: Texts, systems: Places, references: Places
) -> dict[Credit, Array]:
    """What each credit of texts gives to each comparison; repeated ones are counted once."""
    width = len(texts.texts)
    distinct, which = np.unique(systems * width + references, return_inverse=True)
    ours, theirs = distinct // max(width, 1), distinct % max(width, 1)
    together: dict[tuple[type[TextCredit], TextReading], list[TextCredit]] = {}
    for credit in dict.fromkeys(one for one in family if isinstance(one, TextCredit)):
        together.setdefault((type(credit), credit.reading), []).append(credit)
    earned: dict[Credit, Array] = {}
    for (kind, _), group in together.items():
        amounts = kind.earn_together(group, texts, ours, theirs)
        earned |= {credit: amount[which] for credit, amount in zip(group, amounts, strict=True)}
    return earned
