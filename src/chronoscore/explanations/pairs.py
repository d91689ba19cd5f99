"""Sentences matched one to one: which says the same as which, and what nothing is matched with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chronoscore.core import Timeline, When
from chronoscore.explanations.explanation import Explanation
from chronoscore.measures.timelines.pairs import Matching, PairsMeasure, Shard, match_units


class DatedText(NamedTuple):
    """A sentence, or all of an entry, with its date."""

    when: When
    text: str


class TextMatch(NamedTuple):
    """Two matched texts, or one that nothing is matched with."""

    reference: DatedText | None
    system: DatedText | None
    days: int | None = None
    similarity: float = 0.0
    words: float = 0.0
    """ROUGE-1 F of the two."""


class MatchedReference(NamedTuple):
    """One reference: what it is called, its matches, and the figures against it alone."""

    name: str
    matches: tuple[TextMatch, ...]
    values: Mapping[str, float]


@dataclass(frozen=True)
class PairsExplanation(Explanation):
    """The matched texts of the system and of each reference."""

    measures = (PairsMeasure,)

    measure: PairsMeasure
    output: Timeline

    @cached_property
    def references(self) -> list[MatchedReference]:
        """The matches against each reference."""
        shard, matchings = match_units(self.measure, self.topic, self.output)
        scores = self.measure.score_matchings(matchings, shard).tolist()
        return [
            MatchedReference(
                reference.author or f"reference {number}",
                tuple(_matches(matching, shard)),
                dict(zip(self.measure.parts, row, strict=True)),
            )
            for number, (reference, matching, row) in enumerate(
                zip(self.topic.timelines, matchings, scores, strict=True), 1
            )
        ]


def _matches(matching: Matching, shard: Shard) -> Iterator[TextMatch]:
    """The reference's texts with what they are matched with, then what is left of the system's."""
    strings = shard.material.strings
    reference, system = (
        [DatedText(when, strings[text]) for when, text in zip(side.whens, side.texts, strict=True)]
        for side in (matching.reference, matching.system)
    )
    rows, columns = matching.rows.tolist(), matching.columns.tolist()
    figures = zip(
        matching.distances.tolist(),
        matching.similarities.tolist(),
        shard.word_overlaps([matching]).tolist(),
        strict=True,
    )
    matched = {
        there: TextMatch(reference[there], system[here], *three)
        for there, here, three in zip(columns, rows, figures, strict=True)
    }
    for place, text in enumerate(reference):
        yield matched.get(place, TextMatch(text, None))
    taken = set(rows)
    yield from (TextMatch(None, text) for place, text in enumerate(system) if place not in taken)
