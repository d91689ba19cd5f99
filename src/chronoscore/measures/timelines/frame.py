"""Which day is aligned with which, and with what weight: the frame of all aligned measures.

Each date is paired with one on the other side by a cost, and a pair of days counts by a
weight. Measures that are counted together share one `Counting`: numbered texts, prepared
once for each reading, and the overlaps of days that costs are made of.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.align import (
    Alignment,
    Similarity,
    align_by_content,
    align_by_costs,
    align_by_date,
    align_same_dates,
)
from chronoscore.align.dates import Floats, Places
from chronoscore.align.line import date_costs
from chronoscore.align.ties import FREE
from chronoscore.errors import UsageError
from chronoscore.kernel import is_compiled
from chronoscore.measures.measure import Pair
from chronoscore.measures.similarity.material import Material
from chronoscore.measures.similarity.similarities import WORDS, TextSimilarity
from chronoscore.measures.timelines.cost_functions import (
    CONTENT,
    DAYS,
    SAME,
    CostFunction,
    DayFunction,
)
from chronoscore.measures.timelines.flat import FlatPairs
from chronoscore.measures.timelines.texts import (
    PreparedTopics,
    TextReading,
    Texts,
    TimelinePair,
)
from chronoscore.measures.timelines.tilse import tilse_cost_words
from chronoscore.text import ranges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from chronoscore.text.batch import Batch


@dataclass(frozen=True, slots=True)
class Frame:
    """All that decides which day is aligned with which, and how much a pair counts."""

    cost: CostFunction
    weight: CostFunction
    many: bool = False
    content: str = "own"
    first: bool = False
    similarity: TextSimilarity = WORDS


class Counting:
    """The timelines of many pairs, and how the cost of aligning them reads their texts."""

    def __init__(
        self, pairs: Sequence[Pair], reading: TextReading, topics: PreparedTopics | None = None
    ) -> None:
        self.texts = Texts(topics)
        self.flat = FlatPairs(pairs, self.texts)
        self.topics = [topic for topic, _ in pairs]
        self.reading = reading
        self._tables: dict[TextSimilarity, list[Floats]] = {}
        self.alignments: dict[Frame, Alignment] = {}
        """What was aligned already, by frame."""

    @property
    def pairs(self) -> list[TimelinePair]:
        """Each pair by itself."""
        return self.flat.pairs

    @cached_property
    def peer_batch(self) -> "Batch":
        """Every day's text as tilse compares days for the cost of an alignment."""
        return tilse_cost_words(self.texts.texts)

    def cost_texts(self, content: str) -> "Batch":
        """The texts as the cost of an alignment compares them."""
        return self.peer_batch if content == "tilse" else self.texts.batch(self.reading)

    def similarities(
        self, content: str, but: Container[int] = ()
    ) -> Iterator[tuple[int, Similarity]]:
        """The number of each pair and how alike its days are, some pairs at a time.

        Systems with the same references are taken together, so that texts they share are
        compared once. Pairs whose numbers are in `but` are left out.
        """
        from chronoscore.engine import overlap

        groups = [[n for n in group.tolist() if n not in but] for group in self.flat.groups()]
        if not any(groups):
            return
        batch = self.cost_texts(content)
        lengths = np.diff(batch.whole.bounds).astype(np.float64)
        for group in filter(None, groups):
            first = self.pairs[group[0]]
            texts, places = np.unique(
                np.concatenate([self.pairs[g].system.texts for g in group]), return_inverse=True
            )
            by_text = overlap.count_all(batch, texts, first.reference.texts)
            by_date = sum_columns(by_text, first.reference.owners, len(first.reference.whens))
            wanted: Floats = np.bincount(
                first.reference.owners,
                lengths[first.reference.texts],
                minlength=len(first.reference.whens),
            ).astype(np.float64)
            start = 0
            for number in group:
                size = len(self.pairs[number].system.texts)
                rows = places[start : start + size]
                offered = first.references * lengths[texts[rows]]
                yield number, Similarity(_take_rows(by_date, rows), offered, wanted)
                start += size

    def tables(self, similarity: TextSimilarity) -> list[Floats]:
        """By pair: how alike every text of the system's and every text of the references' are.

        Systems with the same references are compared with them in one call.
        """
        if similarity not in self._tables:
            tables: dict[int, Floats] = {}
            material = Material(self.texts, self.reading)
            for group in map(np.ndarray.tolist, self.flat.groups()):
                sizes = [len(self.pairs[g].system.texts) for g in group]
                texts, places = np.unique(
                    np.concatenate([self.pairs[g].system.texts for g in group]), return_inverse=True
                )
                references = self.pairs[group[0]].reference.texts
                values = similarity.compare(material, texts, references, self.topics[group[0]])
                rows = np.split(places, np.cumsum(sizes)[:-1])
                tables |= {g: values[some] for g, some in zip(group, rows, strict=True)}
            self._tables[similarity] = [tables[number] for number in range(len(self.pairs))]
        return self._tables[similarity]


class FrameAlignments:
    """The alignments of all pairs in one frame, as far as they are found."""

    def __init__(self, flat: FlatPairs) -> None:
        self._flat = flat
        reference = flat.reference.sizes[flat.reference_of]
        self._starts = ranges.bounds(reference)
        self.alignment = Alignment(
            np.full(flat.system.bounds[-1], FREE, dtype=np.intp),
            np.full(self._starts[-1], FREE, dtype=np.intp),
        )
        self.done: set[int] = set()

    def put(self, number: int, found: Alignment) -> None:
        """Keep the alignment of a pair."""
        start, there = self._flat.system.bounds[number], self._starts[number]
        self.alignment.system[start : start + len(found.system)] = found.system
        self.alignment.reference[there : there + len(found.reference)] = found.reference
        self.done.add(number)

    def put_all(self, numbers: Places, found: Alignment) -> None:
        """Keep the alignments of several pairs, their dates end to end."""
        here = self._flat.system.places(numbers)
        sizes = np.diff(self._starts)[numbers]
        self.alignment.system[here] = found.system
        self.alignment.reference[ranges.concatenate(self._starts[numbers], sizes)] = found.reference
        self.done.update(numbers.tolist())


def align_timelines(frames: Sequence[Frame], counting: Counting) -> dict[Frame, Alignment]:
    """Align every pair in every frame; the words of two days are compared once for all.

    The dates of all pairs lie end to end; each is aligned with a place among those of its own pair.
    """
    missing = [frame for frame in frames if frame not in counting.alignments]
    placed = {frame: FrameAlignments(counting.flat) for frame in missing}
    for frame, found in placed.items():
        _align_compiled(frame, counting, found)
        left = [n for n in range(len(counting.flat)) if n not in found.done]
        if frame.cost != CONTENT:
            for number in left:
                found.put(number, _align_pair(frame, counting.pairs[number], counting.texts))
        elif frame.similarity != WORDS:
            for number, alignment in enumerate(_align_similar(frame, counting)):
                found.put(number, alignment)
    by_content = [frame for frame in missing if frame.cost == CONTENT and frame.similarity == WORDS]
    for content in dict.fromkeys(frame.content for frame in by_content):
        same = [frame for frame in by_content if frame.content == content]
        for number, similarity in counting.similarities(content, placed[same[0]].done):
            for frame in same:
                aligned = _align_alike(frame, counting.pairs[number], similarity)
                placed[frame].put(number, aligned)
    counting.alignments |= {frame: found.alignment for frame, found in placed.items()}
    return {frame: counting.alignments[frame] for frame in frames}


def _align_compiled(frame: Frame, counting: Counting, placed: FrameAlignments) -> None:
    """Align by the compiled kernel what it can."""
    if frame.cost not in (DAYS, CONTENT) or not is_compiled():
        return
    if frame.cost == CONTENT and frame.similarity != WORDS:
        return
    from chronoscore.align.compiled import MOST_DATES, align_outputs

    flat = counting.flat
    batch = counting.cost_texts(frame.content) if frame.cost == CONTENT else None
    for group in flat.groups():
        reference = flat.references[flat.reference_of[group[0]]]
        if len(reference.whens) > MOST_DATES:
            continue
        fits = group[flat.system.sizes[group] <= MOST_DATES]
        outputs = flat.system.only(fits)
        found = align_outputs(
            outputs,
            outputs.bounds,
            reference,
            batch,
            references=len(reference.wholes),
            many=frame.many,
            first=frame.first,
        )
        placed.put_all(fits, found)


def _align_alike(frame: Frame, pair: TimelinePair, similarity: Similarity) -> Alignment:
    """Align by distance and words."""
    return align_by_content(
        pair.system.dates,
        pair.reference.dates,
        similarity,
        many=frame.many,
        first=frame.first,
    )


def _align_similar(frame: Frame, counting: Counting) -> list[Alignment]:
    """Align all pairs by distance and another similarity than shared words."""
    return [
        align_by_costs(
            similarity_costs(pair, table),
            pair.system.dates,
            pair.reference.dates,
            many=frame.many,
            first=frame.first,
        )
        for pair, table in zip(counting.pairs, counting.tables(frame.similarity), strict=True)
    ]


def similarity_costs(pair: TimelinePair, table: Floats) -> Floats:
    """Costs of every two days: (1 − 1/(d+1)) · (1 − similarity)."""
    distances = pair.system.dates.distances(pair.reference.dates)
    costs: Floats = date_costs(distances) * (1.0 - day_similarities(pair, table))
    return costs


def day_similarities(pair: TimelinePair, table: Floats) -> Floats:
    """How alike every two days are; one that several references have, as its texts on average."""
    alike = np.zeros((len(pair.system.whens), len(pair.reference.whens)))
    np.add.at(alike.T, pair.reference.owners, table.T)
    return alike / np.maximum(pair.reference.counts, 1)


def _align_pair(frame: Frame, pair: TimelinePair, texts: Texts) -> Alignment:
    """Align by dates, or by a user's cost."""
    system, reference = pair.system, pair.reference
    if frame.cost.function is None:
        if frame.cost == SAME and not frame.many:
            return align_same_dates(system.dates, reference.dates)
        if frame.cost == DAYS:
            return align_by_date(system.dates, reference.dates, many=frame.many)
        distances = system.dates.distances(reference.dates)
        costs = np.where(distances == 0, 0.0, np.inf)
    else:
        costs = cost_table(frame.cost.function, pair, texts)
    return align_by_costs(costs, system.dates, reference.dates, many=frame.many, first=frame.first)


def cost_table(function: DayFunction, pair: TimelinePair, texts: Texts) -> Floats:
    """Ask a user's function for the cost of every pair of days."""
    system, reference = pair.system.days(texts), pair.reference.days(texts)
    costs = np.array([[function(ours, theirs) for theirs in reference] for ours in system])
    costs = costs.astype(np.float64).reshape(len(system), len(reference))
    if np.isnan(costs).any() or (costs == -np.inf).any():
        raise UsageError("a cost is nan or minus infinity; let the function return a number or inf")
    return costs


def sum_columns(table: "csr_array", owners: Places, size: int) -> "csr_array":
    """Add up the columns of each owner."""
    if len(owners) == size:
        return table
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import csr_array

    ones = np.ones(len(owners), dtype=table.dtype)
    belongs = csr_array((ones, (np.arange(len(owners)), owners)), shape=(len(owners), size))
    return csr_array(table @ belongs)


def _take_rows(table: "csr_array", rows: Places) -> "csr_array":
    """Some rows of a table; the table itself where they are all of it."""
    if len(rows) == table.shape[0] and (np.diff(rows) == 1).all():
        return table
    return table[rows]
