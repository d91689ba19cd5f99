"""ROUGE-BE: basic elements (head, modifier, relation) shared with references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from chronoscore.engine import elements
from chronoscore.engine.kinds import Elements
from chronoscore.measures.measure import Array, Pair
from chronoscore.measures.rouge.pooling import PooledMeasure, SummaryPairs
from chronoscore.text.stems import base_form


@dataclass(frozen=True, kw_only=True)
class RougeBE(PooledMeasure):
    """ROUGE-BE: basic elements, a HEAD|MODIFIER|RELATION a line, shared with the references.

    The mode says which parts of an element must match, as ROUGE-1.5.5's -3 does.
    """

    name: ClassVar[str] = "rouge-be"
    spoken: ClassVar[frozenset[str]] = frozenset({"mode"})
    mode: Literal["H", "HM", "HMR", "HM1", "HMR1", "HMR2"] = "HM"
    stem: bool = False

    @property
    def kind(self) -> Elements:
        """Basic elements."""
        return Elements(self.mode)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count the elements of every text once, and what each pair shares."""
        paired = SummaryPairs.of(pairs)
        bags = [
            elements.count(
                elements.parse(lines, f"text {number}"),
                self.mode,
                base=base_form if self.stem else None,
            )
            for number, lines in enumerate(paired.documents, 1)
        ]
        compared = zip(paired.systems, paired.references, strict=True)
        counts = [elements.count_shared(bags[ours], bags[theirs]) for ours, theirs in compared]
        return self.pool(np.array(counts, dtype=float), paired.sizes, paired.human)
