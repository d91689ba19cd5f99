"""Sentences or entries matched one to one by what they say, and how far their dates agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from chronoscore.align.crowded import Alike
from chronoscore.align.dates import Dates, Floats, Places
from chronoscore.align.matching import match_pieces
from chronoscore.core import Timeline, Topic, When
from chronoscore.engine.kinds import Grams
from chronoscore.errors import UsageError
from chronoscore.measures.languages import check_language, tally_by_language
from chronoscore.measures.measure import Array, Pair, divide_tallies, f_scores
from chronoscore.measures.similarity.material import Material
from chronoscore.measures.similarity.similarities import (
    DIGITS,
    WORDS,
    MatrixFunction,
    TextSimilarity,
)
from chronoscore.measures.similarity.similarity_measure import SimilarityMeasure
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.credit import OverlapCredit, credit_comparisons
from chronoscore.measures.timelines.flat import CELLS
from chronoscore.measures.timelines.texts import TextReading, Texts, warn_of_empty_timelines
from chronoscore.text.languages import AUTO
from chronoscore.text.preparation import Preparation, PreparationName

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 500_000
"""Cells of a table of similarities that are computed at a time."""
PIECE = BLOCK // 4
"""Cells whose pairs are given away at a time; a pair takes six times as much as a cell."""
FULL = 1 / 3
"""From this share of cells on, a block of all takes less memory than those that are kept."""
UNITS = 10.0**DIGITS
"""A similarity of 1 as a whole number: as they are rounded, none loses by it."""


@dataclass(frozen=True, kw_only=True)
class PairsMeasure(SimilarityMeasure):
    """Match sentences one to one by what they say, then ask whether their dates agree.

    Units are sentences, or with `unit=entry` all sentences of a date. Of all one-to-one
    matchings of units whose similarity is at least `threshold` (by default 0.25 for words, 0.2 for
    tfidf, 0.45 for embed, 0.4 for soft, 0.5 for others), the one of the largest total similarity
    is taken, whatever the dates; of equally good ones, that with the nearer dates.
    p and r are the shares of the system's and the reference's units that are matched; `soft`
    counts a matched unit by its similarity, `date` only if the two dates are at most `within`
    days apart; `rouge.f` is the mean ROUGE-1 F of the matched pairs. Of several references the
    mean is taken, or with `several=best` the one with the best f.

    >>> str(PairsMeasure(similarity="mixed", threshold=0.6, part="date.f"))
    'pairs(similarity=mixed,threshold=0.6).date.f'
    """

    name: ClassVar[str] = "pairs"
    needs = Timeline
    parts = (
        *("p", "r", "f"),
        *("soft.p", "soft.r", "soft.f"),
        *("date.p", "date.r", "date.f"),
        "rouge.f",
    )
    columns = (*parts, "references")
    known_faults: ClassVar[frozenset[str]] = (
        frozenset({"merge", "shift", "swap", "split", "shuffle", "numbers", "tenfold", "names"})
        | blind_spots.OF_WORDS
        | blind_spots.OF_DATES
    )
    """Dates are ignored by all parts but date.p, date.r and date.f.

    What is false in a sentence leaves it similar enough to be matched.
    """
    of_matches: ClassVar[frozenset[str]] = frozenset({"rouge.f"})
    similarity: TextSimilarity | MatrixFunction | str = WORDS
    threshold: float | None = None
    unit: Literal["sentence", "entry"] = "sentence"
    within: int = 0
    several: Literal["mean", "best"] = "mean"
    prepare: PreparationName = "perl155"
    stem: bool = True
    stop: bool = True
    language: str = "english"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.name, self.prepare, self.language)
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise UsageError(
                f"pairs(threshold={self.threshold:g}): write a number above 0, up to 1"
            )
        if self.within < 0:
            raise UsageError(f"pairs(within={self.within}): write a number of days, 0 or more")

    @property
    def least(self) -> float:
        """The least similarity of a pair: the threshold, or the usual one of the similarity."""
        return self.text_similarity.usual_threshold if self.threshold is None else self.threshold

    def sign_parameter(self, name: str) -> str:
        """The threshold is signed as it is used."""
        return f"{self.least:g}" if name == "threshold" else super().sign_parameter(name)

    @property
    def main_part(self) -> str:
        """F of the matched units, unless another part was asked for."""
        return self.part or "f"

    @property
    def reading(self) -> TextReading:
        """How texts become the words that are compared."""
        return TextReading(
            Preparation(name=self.prepare, stem=self.stem, stop=self.stop, language=self.language)
        )

    @property
    def family(self) -> object:
        """Measures of the same units and reading are counted together."""
        return (PairsMeasure, self.reading, self.unit)

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Read and embed all texts once, then match every output with each reference."""
        if family[0].language == AUTO:
            return tally_by_language(family, pairs, cls.tally_family)
        shard = Shard(pairs, family[0])
        return [measure.add_up(shard.matchings(measure), shard) for measure in family]

    def values(self, tallies: Array) -> Array:
        """Average the parts over the references."""
        return divide_tallies(tallies[..., :-1], tallies[..., -1:])

    def add_up(self, matchings: Sequence["Matching"], shard: "Shard") -> Array:
        """Sums of the parts over the references of each pair, and the number of references."""
        scores = self.score_matchings(matchings, shard)
        tallies = np.zeros((len(shard.outputs), self.width))
        start = 0
        for row, references in enumerate(shard.references):
            some = scores[start : start + len(references)]
            start += len(references)
            if len(some) and self.several == "best":
                some = some[[np.argmax(some[:, 2])]]
            tallies[row, :-1], tallies[row, -1] = some.sum(axis=0), len(some)
        return tallies

    def score_matchings(self, matchings: Sequence["Matching"], shard: "Shard") -> Array:
        """The parts of each matching."""
        scores = np.zeros((len(matchings), len(self.parts)))
        ends = np.cumsum([len(matching.rows) for matching in matchings], dtype=np.intp)
        alike = np.split(shard.word_overlaps(matchings), ends)[:-1]
        for row, (matching, words) in enumerate(zip(matchings, alike, strict=True)):
            near = matching.distances <= self.within
            for place, amount in enumerate(
                (len(matching.rows), matching.similarities.sum(), near.sum())
            ):
                precision = amount / max(len(matching.system), 1)
                recall = amount / max(len(matching.reference), 1)
                scores[row, 3 * place : 3 * place + 2] = precision, recall
            scores[row, -1] = words.mean() if len(words) else 0.0
        scores[:, 2:9:3] = f_scores(scores[:, 0:9:3], scores[:, 1:9:3])
        return scores


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a timeline: their dates and the numbers of their texts."""

    whens: tuple[When, ...]
    texts: Places

    def __len__(self) -> int:
        return len(self.whens)

    @cached_property
    def dates(self) -> Dates:
        """The dates as arrays."""
        return Dates.of(self.whens)


@dataclass(frozen=True, eq=False)
class Matching:
    """Which unit of a system is matched with which unit of one reference."""

    system: Units
    reference: Units
    rows: Places
    columns: Places
    similarities: Floats
    distances: Places


class AlikeTexts:
    """How alike texts are that reach a threshold, some rows in one block."""

    def __init__(self) -> None:
        self._starts = [0]
        self._blocks: list[Places | csr_array] = []

    def add(self, values: Floats, least: float) -> None:
        """Add rows of a table. Where many cells are kept, all of them as whole numbers are less."""
        from scipy.sparse import csr_array

        kept = values >= least
        if np.count_nonzero(kept) > FULL * kept.size and values.max() <= 1:
            units = np.rint(values * UNITS).astype(np.int32)
            self._blocks.append(np.where(kept, units, 0))
        else:
            alike = Alike.of(values, least)
            cells = alike.values, (alike.rows, alike.columns)
            self._blocks.append(csr_array(cells, shape=values.shape))
        self._starts.append(self._starts[-1] + len(values))

    def pieces(self, rows: Places, columns: Places) -> Iterator[Alike]:
        """The pairs of units, whose texts are at these places, block by block."""
        order = np.argsort(rows, kind="stable")
        bounds = np.searchsorted(rows[order], self._starts)
        size = max(1, PIECE // max(1, len(columns)))
        for number, block in enumerate(self._blocks):
            for start in range(bounds[number], bounds[number + 1], size):
                units = order[start : min(start + size, bounds[number + 1])]
                own = _cells_of(block[rows[units] - self._starts[number]][:, columns])
                yield Alike(units[own.rows], own.columns, own.values)


def _cells_of(block: "Places | csr_array") -> Alike:
    """The cells of a block that are kept."""
    if isinstance(block, np.ndarray):
        rows, columns = np.nonzero(block)
        return Alike(rows, columns, block[rows, columns] / UNITS)
    rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
    return Alike(rows, block.indices.astype(np.intp), block.data)


class Shard:
    """The units of many pairs of topic and output, numbered once."""

    def __init__(self, pairs: Sequence[Pair], measure: PairsMeasure) -> None:
        self.unit = measure.unit
        self.texts = Texts()
        self.topics = [topic for topic, _ in pairs]
        self._units: dict[int, Units] = {}
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.outputs = [self.number(output) for _, output in pairs if isinstance(output, Timeline)]
        self.references = [[self.number(one) for one in topic.timelines] for topic in self.topics]
        # Outputs are kept, so that no other can get the id of one.
        self._pairs = pairs
        self.material = Material(self.texts, measure.reading)
        empty = {
            topic.id: None
            for topic, references in zip(self.topics, self.references, strict=True)
            if not any(map(len, references))
        }
        warn_of_empty_timelines(list(empty))

    def number(self, timeline: Timeline) -> Units:
        """The units of a timeline; blank ones do not count, and equal texts are one."""
        if id(timeline) not in self._units:
            units = list(_units_of(timeline, self.unit))
            numbers = [self.texts.number(self._shared.setdefault(t, t)) for _, t in units]
            whens = tuple(when for when, _ in units)
            self._units[id(timeline)] = Units(whens, np.array(numbers, dtype=np.intp))
        return self._units[id(timeline)]

    def matchings(self, measure: PairsMeasure) -> list[Matching]:
        """Match every output with each of its references."""
        similarity, least = measure.text_similarity, measure.least
        found: dict[int, dict[int, Matching]] = {place: {} for place in range(len(self.outputs))}
        for group, numbers in self._parts(similarity):
            references = [self.references[group[0]][number] for number in numbers]
            ours, theirs = _distinct([self.outputs[one] for one in group]), _distinct(references)
            table = self._alike_texts(similarity, least, (ours, theirs), self.topics[group[0]])
            for one, (number, reference) in product(group, zip(numbers, references, strict=True)):
                system = self.outputs[one]
                rows = np.searchsorted(ours, system.texts)
                columns = np.searchsorted(theirs, reference.texts)
                taken = match_pieces(table.pieces(rows, columns), system.dates, reference.dates)
                distances = system.dates.distance(reference.dates, taken.rows, taken.columns)
                found[one][number] = Matching(system, reference, *taken, distances)
        return [own[number] for own in found.values() for number in sorted(own)]

    def _parts(self, similarity: TextSimilarity) -> Iterator[tuple[list[int], list[int]]]:
        """Outputs of one topic, and which references they are compared with in one table.

        A single output with several references may be too large for one.
        """
        for group in self.groups():
            references = self.references[group[0]]
            cells = max(len(self.outputs[one]) for one in group) * sum(map(len, references))
            numbers = list(range(len(references)))
            if similarity.by_rows and cells > CELLS:
                yield from ((group, [number]) for number in numbers)
            elif numbers:
                yield group, numbers

    def _alike_texts(
        self,
        similarity: TextSimilarity,
        least: float,
        texts: tuple[Places, Places],
        topic: Topic,
    ) -> "AlikeTexts":
        """The similarities that reach the threshold, compared some rows at a time."""
        ours, theirs = texts
        size = max(1, BLOCK // max(1, len(theirs))) if similarity.by_rows else max(1, len(ours))
        table = AlikeTexts()
        for start in range(0, len(ours), size):
            some = ours[start : start + size]
            table.add(similarity.compare(self.material, some, theirs, topic), least)
        return table

    def tables(self, similarity: TextSimilarity) -> Iterator[Floats]:
        """How alike the units of every output and each of its references are, in order."""
        found: dict[int, list[Floats]] = {}
        for group in self.groups():
            topic, references = self.topics[group[0]], self.references[group[0]]
            ours, theirs = _distinct([self.outputs[one] for one in group]), _distinct(references)
            values = similarity.compare(self.material, ours, theirs, topic)
            columns = [np.searchsorted(theirs, reference.texts) for reference in references]
            for one in group:
                rows = np.searchsorted(ours, self.outputs[one].texts)
                found[one] = [values[np.ix_(rows, places)] for places in columns]
        for place in range(len(self.outputs)):
            yield from found.pop(place)

    def groups(self) -> Iterator[list[int]]:
        """Outputs of one topic, which are compared in one call, as many as memory allows."""
        by_topic: dict[int, list[int]] = {}
        for place, topic in enumerate(self.topics):
            by_topic.setdefault(id(topic), []).append(place)
        for places in by_topic.values():
            width = max(1, sum(map(len, self.references[places[0]])))
            most = max(1, CELLS // (width * max(1, *(len(self.outputs[p]) for p in places), 1)))
            yield from (places[start : start + most] for start in range(0, len(places), most))

    def word_overlaps(self, matchings: Sequence[Matching]) -> Floats:
        """ROUGE-1 F of all matched pairs."""
        empty = np.empty(0, dtype=np.intp)
        systems = np.concatenate([empty, *(m.system.texts[m.rows] for m in matchings)])
        references = np.concatenate([empty, *(m.reference.texts[m.columns] for m in matchings)])
        credit = OverlapCredit(self.material.reading, Grams(1))
        hits = credit_comparisons([credit], self.texts, systems, references)[credit][:, 0]
        words = self.material.lengths[systems] + self.material.lengths[references]
        same = self.material.string_numbers[systems] == self.material.string_numbers[references]
        return np.where(same, 1.0, divide_tallies(2 * hits, words))


def _units_of(timeline: Timeline, unit: str) -> Iterator[tuple[When, tuple[str, ...]]]:
    """Sentences or entries with their dates, in order; blank ones are left out."""
    for entry in timeline:
        texts = [entry.sentences] if unit == "entry" else [(one,) for one in entry.sentences]
        yield from ((entry.when, text) for text in texts if any(map(str.strip, text)))


def _distinct(units: Sequence[Units]) -> Places:
    """The numbers of the texts of several timelines, each once and in order."""
    return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *(one.texts for one in units)]))


def match_units(
    measure: PairsMeasure, topic: Topic, output: Timeline
) -> tuple["Shard", list[Matching]]:
    """The matchings behind a score, one for each reference, and the texts they are about."""
    shard = Shard([(topic, output)], measure)
    return shard, shard.matchings(measure)
