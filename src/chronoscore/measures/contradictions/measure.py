"""The measure: conflicts of each kind per 100 entries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from chronoscore.core import Timeline, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures.contradictions.conflicts import Conflict, Search
from chronoscore.measures.contradictions.kinds import INVENTED, KINDS
from chronoscore.measures.contradictions.pairing import (
    Evidence,
    document_statements,
    reference_statements,
)
from chronoscore.measures.languages import check_language, measure_for_topic
from chronoscore.measures.measure import AMOUNT, Array, Bounds, Measure, Pair, divide_tallies
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.texts import warn_of_empty_timelines
from chronoscore.text.languages import AUTO

AROUND = 7
"""Days within which an entry that is not invented has some evidence."""
PER = 100.0


@dataclass(frozen=True, kw_only=True)
class Contradictions(Measure):
    """Conflicts per 100 entries: numbers, dates, names, negation, roles, and what is invented.

    An entry is held against the sentences of the references that are at most `within` days away
    and share two content words with it; with `against=documents` against those of the source
    documents, by the day they tell of or were published. A claim that any of these confirms is no
    conflict, so a toll may grow. What shares two content words with no sentence of the documents
    within a week is `invented`; references leave too much out to say so, and count none.
    Languages other than English have numbers and dates only.

    >>> str(Contradictions(against="documents", part="number"))
    'contradictions(against=documents).number'
    """

    name: ClassVar[str] = "contradictions"
    needs = Timeline
    parts = (*KINDS, INVENTED, "total")
    columns = (*KINDS, INVENTED, "entries")
    lower_is_better: ClassVar[frozenset[str]] = frozenset(parts)
    known_faults: ClassVar[frozenset[str]] = (
        frozenset({"shift", "invented", "foreign", "repeated", "truncated"}) | blind_spots.OF_DATES
    )
    """A date that is off is no contradiction, however far; nor is what references do not have."""
    of_matches: ClassVar[frozenset[str]] = frozenset(parts)
    against: Literal["references", "documents"] = "references"
    within: int = 3
    language: str = AUTO

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.within < 0:
            raise UsageError(
                f"contradictions(within={self.within}): write a number of days, 0 or more"
            )
        check_language(self.name, "unicode", self.language)

    @property
    def reads_documents(self) -> bool:
        """Whether entries are held against the documents."""
        return self.against == "documents"

    def bounds(self, part: str) -> Bounds:
        """An entry may have several conflicts."""
        return AMOUNT

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count the conflicts of every output by kind, and its entries."""
        warn_of_empty_timelines(list(dict.fromkeys(_empty_topics(pairs))))
        prepared: dict[int, tuple[Search, Evidence]] = {}
        tallies = np.zeros((len(pairs), self.width))
        for row, (topic, output) in zip(tallies, pairs, strict=True):
            assert isinstance(output, Timeline)
            if id(topic) not in prepared:
                prepared[id(topic)] = self.prepare(topic)
            search, evidence = prepared[id(topic)]
            counts = Counter(one.kind for one in search.conflicts(output, evidence))
            row[:-1] = [counts[name] for name in self.columns[:-1]]
            row[-1] = len(output)
        return tallies

    def values(self, tallies: Array) -> Array:
        """Conflicts per 100 entries, by kind and in all."""
        counts = tallies[..., :-1]
        every = np.concatenate([counts, counts.sum(axis=-1, keepdims=True)], axis=-1)
        return PER * divide_tallies(every, tallies[..., -1:])

    def prepare(self, topic: Topic) -> tuple[Search, Evidence]:
        """What is looked for in a topic, and the sentences that entries are held against."""
        language = measure_for_topic(self, topic).language
        search = Search(
            within=self.within,
            around=max(AROUND, self.within),
            english=language == "english",
            invented=self.reads_documents,
        )
        if not self.reads_documents:
            return search, Evidence(reference_statements(topic.timelines), language)
        evidence = Evidence(document_statements(topic), language)
        if not len(evidence):
            raise DataError(
                f"topic '{topic.id}' has no dated documents; give `documents` with dates, or "
                "leave out against=documents"
            )
        return search, evidence

    def conflicts(self, topic: Topic, output: Timeline) -> list[Conflict]:
        """The conflicts of one output, in order of its entries."""
        search, evidence = self.prepare(topic)
        return list(search.conflicts(output, evidence))


def _empty_topics(pairs: Sequence[Pair]) -> Iterator[str]:
    """Topics whose references have no entry."""
    return (topic.id for topic, _ in pairs if not any(map(len, topic.timelines)))
