"""Counting by the compiled kernel: what it can count, and single texts."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from chronoscore.engine import weighted
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.plain import CountRow
from chronoscore.kernel import compiled
from chronoscore.text import limits
from chronoscore.text.plain import kernel_rules
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from chronoscore._kernel import KindCode, Lexicon, Texts

EXACT = 2.0**53
"""Whole numbers beyond this are not exact in doubles."""
USUAL_SENTENCE = 1024
"""Words; single texts with longer sentences are left to the plain engine by ROUGE-W."""
MOST_WORDS = 1 << 20
"""Words that the lexicon of single calls remembers."""


def is_countable(kind: Kind, longest: int) -> bool:
    """Whether the kernel counts this kind exactly in sentences of up to `longest` words."""
    match kind:
        case Grams(n):
            return n <= compiled.LARGEST_GRAM
        case WeightedSubsequence(weight):
            whole = float(weight).is_integer()
            return not whole or weighted.power(longest + 1, weight) <= EXACT
    return True


def kind_code(kind: Kind, longest: int) -> "KindCode":
    """A kind as the kernel reads it, for sentences of up to `longest` words."""
    match kind:
        case Grams(n):
            return 0, n, False, None
        case SkipGrams(gap, unigrams):
            return 1, gap, unigrams, None
        case Subsequence():
            return 2, 0, False, None
        case WeightedSubsequence(weight):
            return 3, 0, False, _run_weights(weight, longest + 1)


def _run_weights(weight: float, longest: int) -> memoryview:
    """The weights of runs of 0 to `longest` words, as doubles."""
    from array import array

    return memoryview(
        array("d", [float(weighted.power(run, weight)) for run in range(longest + 1)])
    )


@lru_cache(maxsize=64)
def _lexicon(preparation: Preparation) -> "Lexicon":
    return compiled.Lexicon(kernel_rules(preparation))


def _lexicon_of(preparation: Preparation) -> "Lexicon":
    """The lexicon of a preparation; a new one when the old one has met too many words."""
    lexicon = _lexicon(preparation)
    if len(lexicon) > MOST_WORDS:
        _lexicon.cache_clear()
        lexicon = _lexicon(preparation)
    return lexicon


class SingleCounter:
    """Counts single texts of one preparation by the kernel."""

    def __init__(self, kinds: Sequence[Kind], preparation: Preparation) -> None:
        self.preparation = preparation
        self.lexicon = _lexicon_of(preparation)
        self.able = all(is_countable(kind, USUAL_SENTENCE) for kind in kinds)
        self.codes = [kind_code(kind, USUAL_SENTENCE) for kind in kinds] if self.able else []
        self.weights = {
            place: kind.weight
            for place, kind in enumerate(kinds)
            if isinstance(kind, WeightedSubsequence)
        }

    def count(
        self, system: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[list[CountRow]] | None:
        """What a text shares with each of its references, for each kind.

        None where the kernel does not count these texts, or not exactly.
        """
        if not self.able:
            return None
        if len(self.lexicon) > MOST_WORDS:
            self.lexicon = _lexicon_of(self.preparation)
        whole, lines = self._cut([system, *references])
        counts = compiled.count_texts(self.lexicon, self.codes, whole, lines)
        if counts is None:
            return None
        for place, weight in self.weights.items():
            if any(reference >= EXACT for _, reference, _ in counts[place]):
                return None
            counts[place] = [_weigh_sizes(row, weight) for row in counts[place]]
        return counts

    def _cut(self, texts: list[Sequence[str]]) -> tuple["Texts", "Texts | None"]:
        """Texts within the limit, and as measures of sentences see them where that differs."""
        limit = self.preparation.limit
        if limit is None:
            return texts, None
        whole, lines = zip(*(limits.cut(text, limit) for text in texts), strict=True)
        return [*whole], None if limit.unit == "words" else [*lines]


def _weigh_sizes(row: CountRow, weight: float) -> CountRow:
    """Raise sizes to the weight, as whole numbers where it is one."""
    hits, reference, system = row
    total = int(reference) if float(weight).is_integer() else reference
    return hits, weighted.power(total, weight), weighted.power(int(system), weight)
