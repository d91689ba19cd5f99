"""Conflicts of an output: what it says, and what it contradicts."""

import math
from dataclasses import dataclass
from functools import cached_property

from chronoscore.core import Row, Timeline
from chronoscore.explanations.explanation import Explanation
from chronoscore.measures.contradictions.conflicts import Conflict
from chronoscore.measures.contradictions.measure import Contradictions


@dataclass(frozen=True)
class ContradictionsExplanation(Explanation):
    """Every conflict with both spans and their places."""

    measures = (Contradictions,)

    measure: Contradictions
    output: Timeline

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """The conflicts that are counted, in order of the entries; of one kind, if one is asked."""
        found = self.measure.conflicts(self.topic, self.output)
        kind = self.measure.part
        return [one for one in found if kind in (None, "total", one.kind)]

    def records(self, system: str) -> list[Row]:
        """A flat record for each conflict."""
        return [self._record(system, one) for one in self.conflicts]

    def _record(self, system: str, one: Conflict) -> Row:
        other = one.other
        return {
            "system": system,
            "topic": self.topic.id,
            "kind": one.kind,
            "strength": round(one.strength, 3),
            "date": str(one.when),
            "sentence": one.own.sentence,
            "start": one.start,
            "end": one.end,
            "span": one.span,
            "text": one.own.text,
            "source": other.source if other else "",
            "source_date": str(other.when) if other else "",
            "source_sentence": other.sentence if other else "",
            "source_start": one.other_start if other else math.nan,
            "source_end": one.other_end if other else math.nan,
            "source_span": one.other_span,
            "source_text": other.text if other else "",
        }
