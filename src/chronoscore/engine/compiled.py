"""Counting by the compiled kernel: many pairs of a batch, or a single pair."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import Counts, skip_size
from chronoscore.engine.weighted import power
from chronoscore.kernel import compiled
from chronoscore.text.plain import cut_bytes, cut_words, exact_bytes, form_words
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from chronoscore._kernel import KindCode, Lexicon, Reading

EXACT = 2.0**53
"""Whole numbers beyond this are not exact in doubles."""
MOST_PAIRS = 1 << 24
"""Skip-bigrams of a text that are held at once."""
MOST_WORDS = 1 << 20
"""Words that the lexicon of single calls remembers."""


def is_countable(kind: Kind, longest_text: int, longest_sentence: int) -> bool:
    """Whether the kernel counts this kind on texts of up to these lengths exactly."""
    match kind:
        case Grams(n):
            return n <= compiled.LARGEST_GRAM
        case SkipGrams(gap):
            reach = longest_text if gap < 0 else min(gap + 1, longest_text)
            return reach * longest_text <= MOST_PAIRS
        case WeightedSubsequence(weight):
            return not float(weight).is_integer() or power(longest_sentence + 1, weight) <= EXACT
    return True


def kind_code(kind: Kind, longest_sentence: int) -> "KindCode":
    """A kind as the kernel reads it."""
    match kind:
        case Grams(n):
            return 0, n, False, None
        case SkipGrams(gap, unigrams):
            return 1, gap, unigrams, None
        case Subsequence():
            return 2, 0, False, None
        case WeightedSubsequence(weight):
            return 3, 0, False, run_weights(weight, longest_sentence + 1)


def run_weights(weight: float, longest: int) -> memoryview:
    """The weights of runs of 0 to `longest` words, as doubles."""
    from array import array

    return memoryview(array("d", [float(power(run, weight)) for run in range(longest + 1)]))


class Reader:
    """Reads single texts for the kernel, and remembers what words count as."""

    def __init__(self, preparation: Preparation) -> None:
        self.preparation = preparation
        self.lexicon: Lexicon = compiled.Lexicon()
        self.resolve: Callable[[list[str]], list[str | None]] = form_words(preparation)

    def read(self, sentences: Sequence[str]) -> "tuple[Reading, Reading]":
        """The whole text, and the same text as measures of sentences see it."""
        limit = self.preparation.limit
        if limit is None:
            whole = lines = self._read(sentences)
        elif limit.unit == "words":
            whole = lines = self._read(cut_words(map(exact_bytes, sentences), limit.size))
        else:
            exact = [exact_bytes(sentence) for sentence in sentences]
            whole = self._read(cut_bytes(exact, limit.size))
            lines = self._read(cut_bytes(exact, limit.size, forgetful=True))
        return whole, lines

    def _read(self, sentences: Sequence[str] | Sequence[bytes]) -> "Reading":
        return compiled.read(self.lexicon, sentences, self.resolve)


@lru_cache(maxsize=64)
def _reader(preparation: Preparation) -> Reader:
    return Reader(preparation)


def reader_of(preparation: Preparation) -> Reader:
    """The reader of a preparation; a new one when the old one has met too many words."""
    reader = _reader(preparation)
    if len(reader.lexicon) > MOST_WORDS:
        _reader.cache_clear()
        reader = _reader(preparation)
    return reader


def count_texts(
    kinds: Sequence[Kind],
    system: Sequence[str],
    references: Sequence[Sequence[str]],
    preparation: Preparation,
) -> list[list[Counts]] | None:
    """What a text shares with each of its references, for each kind.

    None where the kernel cannot count these texts exactly.
    """
    reader = reader_of(preparation)
    ours, our_lines = reader.read(system)
    theirs = [reader.read(reference) for reference in references]
    longest_text = max(len(ours), *(len(whole) for whole, _ in theirs))
    lengths = [lines.lengths() for _, lines in theirs]
    longest = max([*our_lines.lengths(), *(n for each in lengths for n in each)], default=0)
    if not all(is_countable(kind, longest_text, longest) for kind in kinds):
        return None
    hits = compiled.count_readings(
        [kind_code(kind, longest) for kind in kinds],
        ours,
        our_lines,
        [whole for whole, _ in theirs],
        [lines for _, lines in theirs],
    )
    return [
        [
            Counts(shared, *sizes_of(kind, len(ours), len(whole), sentences))
            for shared, (whole, _), sentences in zip(row, theirs, lengths, strict=True)
        ]
        for kind, row in zip(kinds, hits, strict=True)
    ]


def sizes_of(
    kind: Kind, system: int, reference: int, sentences: Sequence[int]
) -> tuple[float, float]:
    """What there is to hit in the reference, and in the system's text."""
    match kind:
        case Grams(n):
            return max(0, reference - n + 1), max(0, system - n + 1)
        case SkipGrams(gap, unigrams):
            return skip_size(reference, gap, unigrams), skip_size(system, gap, unigrams)
        case Subsequence():
            return sum(sentences), system
        case WeightedSubsequence(weight):
            total: float = 0
            for length in sentences:
                total += power(length, weight)
            return power(total, weight), power(system, weight)
