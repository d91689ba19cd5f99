"""Counting one text against its references, without arrays: by the kernel, or in plain Python."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
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
        own = preparation.stem or preparation.stop or preparation.limit
        self.reads_ascii = not own and preparation.language != "turkish"
        """Whether the kernel finds the words of ASCII, as any script's."""

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
        texts = [system, *references]
        if self.preparation.script.ascii_only:
            arranged = [self._arrange(text) for text in texts]
        elif self.reads_ascii and all(map(str.isascii, chain(*texts))):
            arranged = [arrange_sentences(text, self.preparation) for text in texts]
        else:
            arranged = [self._join_words(text) for text in texts]
            if not all(map(str.isascii, chain(*arranged))):
                numbers = _WordCodes()
                arranged = [[numbers.write(sentence) for sentence in text] for text in arranged]
        return self.kernel.count(arranged[0], arranged[1:])

    def _arrange(self, text: Sequence[str]) -> Sequence[str]:
        """A text in its sentences, as the kernel reads them."""
        arranged = arrange_sentences(text, self.preparation)
        if self.preparation.name == "google":
            return [lower_to_ascii(sentence) for sentence in arranged]
        return arranged

    def _join_words(self, text: Sequence[str]) -> Sequence[str]:
        """The words of each sentence with blanks between them."""
        if self.preparation.limit is not None:
            return [" ".join(words) for words in prepare_text(text, self.preparation).sentences]
        from chronoscore.text import unicode

        arranged = arrange_sentences(text, self.preparation)
        return [" ".join(unicode.tokenize(one, self.preparation)) for one in arranged]


class _WordCodes(dict[str, str]):
    """A word of ASCII for each word of any script."""

    def __missing__(self, word: str) -> str:
        number = self[word] = f"w{len(self)}"
        return number

    def write(self, sentence: str) -> str:
        """A sentence with its words replaced."""
        return " ".join(map(self.__getitem__, sentence.split(" "))) if sentence else ""
