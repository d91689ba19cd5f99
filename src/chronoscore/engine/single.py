"""Counting one text against its references, without arrays: by the kernel, or in plain Python."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from chronoscore.engine import plain
from chronoscore.engine.kinds import Kind
from chronoscore.engine.plain import CountRow
from chronoscore.kernel import is_compiled
from chronoscore.text.plain import arrange_sentences, lower_to_ascii, prepare_text
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from chronoscore.engine.compiled import SingleCounter


class TextCounter:
    """Counts texts of one preparation, one after the other."""

    def __init__(self, kinds: Sequence[Kind], preparation: Preparation) -> None:
        self.kinds = kinds
        self.preparation = preparation
        self.reads_lines = preparation.name == "perl155" and preparation.sentences == "lines"
        """Whether the kernel reads texts as they are."""

    @cached_property
    def kernel(self) -> "SingleCounter":
        """The same by the kernel, which reads words of ASCII itself."""
        from chronoscore.engine.compiled import SingleCounter

        own = self.preparation if self.preparation.script.ascii_only else Preparation()
        return SingleCounter(self.kinds, own)

    def count(
        self, system: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Sequence[Sequence[CountRow]]:
        """What a text shares with each reference: a list of counts for each kind."""
        if is_compiled():
            counts = (
                self.kernel.count(system, references)
                if self.reads_lines
                else self._count_arranged(system, references)
            )
            if counts is not None:
                return counts
        ours = prepare_text(system, self.preparation)
        theirs = [prepare_text(reference, self.preparation) for reference in references]
        return [[plain.count(kind, ours, one) for one in theirs] for kind in self.kinds]

    def _count_arranged(
        self, system: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Sequence[Sequence[CountRow]] | None:
        """Count by the kernel what it does not read as it is."""
        numbers: dict[str, str] = {}
        ours, *theirs = (self._arrange(text, numbers) for text in (system, *references))
        return self.kernel.count(ours, theirs)

    def _arrange(self, text: Sequence[str], numbers: dict[str, str]) -> Sequence[str]:
        """A text as the kernel reads it: in its sentences, other words than ASCII by numbers."""
        if self.preparation.script.ascii_only:
            arranged = arrange_sentences(text, self.preparation)
            if self.preparation.name == "google":
                return [lower_to_ascii(sentence) for sentence in arranged]
            return arranged
        return [
            " ".join([numbers.setdefault(word, f"w{len(numbers)}") for word in sentence])
            for sentence in prepare_text(text, self.preparation).sentences
        ]
