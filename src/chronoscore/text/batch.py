"""Many raw texts to one batch of numbered words, from which bulk work is counted."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chronoscore.kernel import compiled, is_compiled
from chronoscore.text import limits, ranges
from chronoscore.text.plain import (
    arrange_sentences,
    kernel_rules,
    lower_to_ascii,
    prepare_text,
)
from chronoscore.text.preparation import Preparation
from chronoscore.text.ranges import Numbers


@dataclass(frozen=True, slots=True)
class Layout:
    """Texts as one run of word numbers with the bounds of sentences and of texts.

    Sentence s is `words[sentences[s] : sentences[s + 1]]`, and text t has the sentences
    from `texts[t]` to `texts[t + 1]`.
    """

    words: NDArray[np.int32]
    sentences: Numbers
    texts: Numbers

    @property
    def bounds(self) -> Numbers:
        """Where each text begins in `words`, and where the last one ends."""
        return self.sentences[self.texts]

    def join(self, other: "Layout") -> "Layout":
        """These texts, then those of another layout."""
        return Layout(
            np.concatenate([self.words, other.words]),
            np.concatenate([self.sentences, other.sentences[1:] + self.sentences[-1]]),
            np.concatenate([self.texts, other.texts[1:] + self.texts[-1]]),
        )

    def merge(self, groups: Sequence[NDArray[np.integer]]) -> "Layout":
        """Texts made of groups of these texts, one after the other."""
        texts = np.concatenate([np.empty(0, dtype=np.int64), *groups])
        sizes = np.diff(self.texts)[texts]
        lines = ranges.concatenate(self.texts[texts], sizes)
        lengths = np.diff(self.sentences)[lines]
        words = self.words[ranges.concatenate(self.sentences[lines], lengths)]
        ends = ranges.bounds(sizes)[ranges.bounds([*map(len, groups)])]
        return Layout(words, ranges.bounds(lengths), ends)


@dataclass(frozen=True, slots=True)
class Batch:
    """Prepared texts, numbered from 0 in the order given.

    `whole` is for measures that see a text as one run of tokens, `lines` for those that
    match sentence with sentence. They are one and the same unless a byte limit cuts:
    ROUGE-1.5.5 then forgets, in its sentence reader, what the sentences before have used up.
    """

    whole: Layout
    lines: Layout
    vocabulary: Sequence[str] = ()
    """The words by number, for callers that need to show them."""

    def __len__(self) -> int:
        return len(self.whole.texts) - 1

    def merge(self, groups: Sequence[NDArray[np.integer]]) -> "Batch":
        """Texts made of groups of these texts, without reading them again."""
        whole = self.whole.merge(groups)
        lines = whole if self.lines is self.whole else self.lines.merge(groups)
        return Batch(whole, lines, self.vocabulary)


def prepare_texts(texts: Sequence[Sequence[str]], preparation: Preparation) -> Batch:
    """Cut, split into tokens, drop stop words, stem and number, as the preparation says.

    >>> batch = prepare_texts([["The floods"], ["a flood"]], Preparation(stem=True))
    >>> [batch.vocabulary[word] for word in batch.whole.words]
    ['the', 'flood', 'a', 'flood']
    """
    reader = reader_for(preparation)
    whole, lines = reader.read(texts)
    return Batch(whole, lines, tuple(reader.forms()))


class TextReader(Protocol):
    """Reads texts into layouts that share one vocabulary of word forms.

    A form is what a word counts as: itself, or its stem. A stop word has none.
    """

    def read(self, texts: Sequence[Sequence[str]]) -> tuple[Layout, Layout]:
        """Texts as measures of the whole text see them, and as those of sentences do."""

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""

    def __len__(self) -> int:
        """How many different words are remembered."""


def reader_for(preparation: Preparation) -> TextReader:
    """A reader that has met no word yet."""
    preparation.require_language()
    by_kernel = preparation.script.ascii_only and is_compiled()
    return KernelReader(preparation) if by_kernel else PlainReader(preparation)


class KernelReader:
    """Reads texts by the compiled kernel."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._lexicon = compiled.Lexicon(kernel_rules(preparation))
        _keep_freed_memory()

    def __len__(self) -> int:
        return len(self._lexicon)

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""
        return self._lexicon.spelled()

    def read(self, texts: Sequence[Sequence[str]]) -> tuple[Layout, Layout]:
        """Texts as measures of the whole text see them, and as those of sentences do."""
        if self._preparation.sentences != "lines":
            texts = [arrange_sentences(text, self._preparation) for text in texts]
        if self._preparation.name == "google" and not all(
            map(str.isascii, chain.from_iterable(texts))
        ):
            texts = [[lower_to_ascii(sentence) for sentence in text] for text in texts]
        limit = self._preparation.limit
        if limit is None:
            whole = self._lay_out(texts)
            return whole, whole
        cuts = [limits.cut(text, limit) for text in texts]
        whole = self._lay_out([text for text, _ in cuts])
        return whole, whole if limit.unit == "words" else self._lay_out([text for _, text in cuts])

    def _lay_out(self, texts: Sequence[Sequence[Any]]) -> Layout:
        found = self._lexicon.read(list(chain.from_iterable(texts)))
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        return Layout(*_as_arrays(*found), ranges.bounds(sizes))

    def scan(self, text: bytes, bounds: Numbers) -> tuple[NDArray[np.int32], Numbers]:
        """The numbers of all words; where the sentences between the bounds begin, and the end."""
        return _as_arrays(*self._lexicon.scan(text, bounds))


def _keep_freed_memory() -> None:
    """Let the allocator keep some tens of megabytes instead of handing them back each time.

    The GNU C library returns freed memory to the system above a threshold that grows with the
    largest block that it has seen freed, if that has no more than 32 MB. Texts that are read one
    batch after the other pay again for memory that was there a moment ago, up to a quarter of the
    time. The block is never written to, so it takes no memory; other allocators take no notice.
    """
    np.empty(31 << 20, dtype=np.uint8)


def _as_arrays(words: bytearray, ends: bytearray) -> tuple[NDArray[np.int32], Numbers]:
    return np.frombuffer(words, dtype=np.int32), np.frombuffer(ends, dtype=np.int64)


class PlainReader:
    """Reads text by text in plain Python; only the numbering is shared."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._numbers = _Numbers()

    def __len__(self) -> int:
        return len(self._numbers)

    def forms(self) -> Sequence[str]:
        """Spell the forms, in the order of their numbers."""
        return tuple(self._numbers)

    def read(self, texts: Sequence[Sequence[str]]) -> tuple[Layout, Layout]:
        """Texts as measures of the whole text see them, and as those of sentences do."""
        lines, whole = _Pages(self._numbers), _Pages(self._numbers)
        limit, script = self._preparation.limit, self._preparation.script
        differ = limit is not None and limit.unit == "bytes" and script.ascii_only
        for text in texts:
            prepared = prepare_text(text, self._preparation)
            lines.add(prepared.sentences)
            if differ:
                whole.add([prepared.tokens])
        layout = lines.lay_out()
        return whole.lay_out() if differ else layout, layout


class _Numbers(dict[str, int]):
    """A number for each form, in the order in which they are met."""

    def __missing__(self, form: str) -> int:
        number = self[form] = len(self)
        return number


@dataclass(slots=True)
class _Pages:
    """A layout in the making, a few bytes for each word."""

    numbers: _Numbers
    words: "array[int]" = field(default_factory=lambda: array("i"))
    sentences: "array[int]" = field(default_factory=lambda: array("q", [0]))
    texts: "array[int]" = field(default_factory=lambda: array("q", [0]))

    def add(self, sentences: Iterable[Sequence[str]]) -> None:
        """Add a text."""
        for sentence in sentences:
            self.words.extend(map(self.numbers.__getitem__, sentence))
            self.sentences.append(len(self.words))
        self.texts.append(len(self.sentences) - 1)

    def lay_out(self) -> Layout:
        """The texts that were added."""
        return Layout(
            np.frombuffer(self.words, dtype=np.int32),
            np.frombuffer(self.sentences, dtype=np.int64),
            np.frombuffer(self.texts, dtype=np.int64),
        )
