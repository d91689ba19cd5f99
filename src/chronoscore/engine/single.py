"""Counting one text against its references, without arrays: by the kernel, or in plain Python."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from chronoscore.engine import plain
from chronoscore.engine.kinds import Kind
from chronoscore.engine.plain import CountRow
from chronoscore.kernel import is_compiled
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from chronoscore.engine.compiled import SingleCounter


class TextCounter:
    """Counts texts of one preparation, one after the other."""

    def __init__(self, kinds: Sequence[Kind], preparation: Preparation) -> None:
        self.kinds = kinds
        self.preparation = preparation
        self.readable = preparation.name == "perl155" and preparation.sentences == "lines"
        """Whether the kernel reads texts in this way."""

    @cached_property
    def kernel(self) -> "SingleCounter":
        """The same by the kernel."""
        from chronoscore.engine.compiled import SingleCounter

        return SingleCounter(self.kinds, self.preparation)

    def count(
        self, system: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Sequence[Sequence[CountRow]]:
        """What a text shares with each reference: a list of counts for each kind."""
        if self.readable and is_compiled():
            counts = self.kernel.count(system, references)
            if counts is not None:
                return counts
        ours = prepare_text(system, self.preparation)
        theirs = [prepare_text(reference, self.preparation) for reference in references]
        return [[plain.count(kind, ours, one) for one in theirs] for kind in self.kinds]
