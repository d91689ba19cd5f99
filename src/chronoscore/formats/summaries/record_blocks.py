"""Records as columns: many topics with their texts in one run of bytes.

A block holds some thousands of records. Its texts are the outputs, one for each record, and after
them all references. They lie in `data` as UTF-8 with `bounds` between them, so that a block goes to
another thread, process or machine as a few flat buffers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Summary, Topic
from chronoscore.kernel import compiled_bulk, is_bulk_compiled

Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """Records in the order of a file: record i has output i and `sizes[i]` references.

    >>> block = RecordBlock.of(["a", "b"], ["The dam.", "A dam."], [["The dam!"], ["No", "dam"]])
    >>> [block.text(number) for number in block.references]
    ['The dam!', 'No', 'dam']
    >>> block.systems.tolist()
    [0, 1, 1]
    """

    ids: Sequence[object]
    data: bytes
    bounds: Numbers
    sizes: Numbers

    @classmethod
    def of(
        cls, ids: Sequence[object], systems: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Self:
        """Lay texts out; a line of a text is a sentence."""
        texts = [text.encode("utf-8", "surrogatepass") for text in systems]
        for group in references:
            texts += [text.encode("utf-8", "surrogatepass") for text in group]
        return cls(
            ids,
            b"".join(texts),
            bounds_of(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))),
            np.fromiter(map(len, references), dtype=np.int64, count=len(references)),
        )

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def outputs(self) -> Numbers:
        """The text of the output of each record."""
        return np.arange(len(self.sizes), dtype=np.int64)

    @property
    def systems(self) -> Numbers:
        """The text of the output in each comparison."""
        return np.repeat(self.outputs, self.sizes)

    @property
    def references(self) -> Numbers:
        """The text of the reference in each comparison."""
        return np.arange(len(self.sizes), len(self.bounds) - 1, dtype=np.int64)

    def text(self, number: int) -> str:
        """One text as a string."""
        start, end = self.bounds[number : number + 2].tolist()
        return self.data[start:end].decode("utf-8", "surrogatepass")

    def pairs(self) -> list[tuple[Topic, Summary]]:
        """The records as topics and outputs, for measures that read texts one by one."""
        texts = map(self.text, self.references.tolist())
        outputs = map(self.text, self.outputs.tolist())
        pairs = []
        for topic, size, output in zip(self.ids, self.sizes.tolist(), outputs, strict=True):
            summaries = tuple(Summary.of(next(texts), author=str(n + 1)) for n in range(size))
            pairs.append((Topic(id=str(topic), summaries=summaries), Summary.of(output)))
        return pairs

    def foreign_records(self) -> list[int]:
        """The records with so many characters outside ASCII that their script is worth a look.

        Of the references together, or of the output, one character in seventeen or more.
        """
        if self.data.isascii():
            return []
        octets = np.frombuffer(self.data, dtype=np.uint8)
        following = np.searchsorted(np.flatnonzero((octets & 0xC0) == 0x80), self.bounds)
        more, lengths = np.diff(following), np.diff(self.bounds)
        own = _has_many_wide_characters(more[: len(self)], lengths[: len(self)])
        places = bounds_of(self.sizes) + len(self)
        theirs = _has_many_wide_characters(np.diff(following[places]), np.diff(self.bounds[places]))
        return np.flatnonzero(own | theirs).tolist()


def _has_many_wide_characters(following: Numbers, lengths: Numbers) -> NDArray[np.bool_]:
    """Whether characters of several bytes are many; `following` counts their further bytes."""
    foreign: NDArray[np.bool_] = (16 * following >= lengths - following) & (following > 0)
    return foreign


def bounds_of(lengths: NDArray[np.integer | np.bool_]) -> Numbers:
    """Turn lengths into where each begins, and where the last one ends."""
    bounds = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=bounds[1:])
    return bounds


def describe_reference(sentences: tuple[str, ...]) -> str:
    """A topic's only reference as a digest of references reads it."""
    return f"(Summary(sentences={sentences!r}, author='1', set='A'),)"


def describe_references(references: Sequence[tuple[str, ...]]) -> str:
    """Several references of a topic as a digest reads them."""
    return str(tuple(Summary(one, str(number)) for number, one in enumerate(references, 1)))


def describe_block(block: RecordBlock) -> bytes:
    """A block's topics and their references as a digest reads them, a line each."""
    if is_bulk_compiled():
        return compiled_bulk.describe([*block.ids], block.data, block.bounds, block.sizes)
    texts = iter([tuple(block.text(int(number)).split("\n")) for number in block.references])
    described = (
        describe_reference(next(texts))
        if size == 1
        else describe_references([next(texts) for _ in range(size)])
        for size in block.sizes.tolist()
    )
    topics = [f"({topic!r}, {one}, ())\n" for topic, one in zip(block.ids, described, strict=True)]
    return "".join(topics).encode("utf-8", "replace")
