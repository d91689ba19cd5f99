"""The words that the two texts of each pair share, for many pairs at once.

Every count needs only these: a shared gram consists of shared words. Each distinct
system text of a chunk of pairs has its shared words numbered anew, in a range of its own,
so that all later keys are small and exact.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from chronoscore.engine.numbering import Numbering, Numbers, concatenate_ranges
from chronoscore.text.batch import Layout

# Places in a table that stays in the processor's cache.
SMALL = 1 << 20


@dataclass(frozen=True, slots=True)
class Pairs:
    """A chunk of pairs: the system texts in it, each once, and each pair's two texts.

    `slots` says for each pair which of `systems` it is about.
    """

    systems: Numbers
    slots: Numbers
    references: Numbers

    def __len__(self) -> int:
        return len(self.slots)


@dataclass(frozen=True, slots=True)
class Words:
    """Words of several texts laid end to end: what they are, whose, and where they stand.

    `ends` are the places where the texts end.
    """

    types: Numbers
    owners: Numbers
    places: Numbers
    ends: Numbers

    @classmethod
    def laid_out(cls, layout: Layout, texts: Numbers) -> Self:
        """Take all words of these texts, by their numbers in the batch."""
        starts = layout.sentences[layout.texts[texts]]
        lengths = layout.sentences[layout.texts[texts + 1]] - starts
        types = layout.words[concatenate_ranges(starts, lengths)].astype(np.int64)
        owners = np.repeat(np.arange(len(texts)), lengths)
        return cls(types, owners, np.arange(len(types)), np.cumsum(lengths))

    def kept(self, which: Numbers) -> "Words":
        """Keep some of the words."""
        return Words(self.types[which], self.owners[which], self.places[which], self.ends)

    def called(self, types: Numbers) -> "Words":
        """Call the words by new types, and keep those that have one."""
        named = Words(types, self.owners, self.places, self.ends)
        which = np.flatnonzero(types >= 0)
        return named if len(which) == len(types) else named.kept(which)

    def spaced(self, reach: int) -> Numbers:
        """Give places anew with more than `reach` between the words of different texts."""
        return self.places + self.owners * (reach + 1)


@dataclass(frozen=True, slots=True)
class Shared:
    """The words of each system text that any of its references has, and the other way round.

    Types are numbers of a system's distinct shared words: those of slot s run from
    `first[s]` to `first[s + 1]`. System words are owned by slots, reference words by pairs.
    """

    system: Words
    reference: Words
    first: Numbers


def find_shared_words(
    system_layout: Layout,
    reference_layout: Layout,
    pairs: Pairs,
    *,
    vocabulary: int,
    numbering: Numbering,
    everything: bool = False,
) -> Shared:
    """Find the shared words of each pair.

    With `everything` all system words are numbered, shared or not, so that their numbers
    do not depend on the references.
    """
    system = Words.laid_out(system_layout, pairs.systems)
    reference = Words.laid_out(reference_layout, pairs.references)
    size = vocabulary
    if size * len(pairs.systems) > SMALL:
        # Few of the vocabulary's words are in any system text of the chunk.
        types, found = numbering.number(system.types, reference.types, size)
        system, reference = system.called(types), reference.called(found)
        size = int(types.max(initial=-1)) + 1
    ours = system.owners * size + system.types
    theirs = (pairs.slots * size)[reference.owners] + reference.types
    size *= len(pairs.systems)
    if not everything:
        kept = numbering.among(ours, theirs, size)
        system, ours = system.kept(kept), ours[kept]
    types, found = numbering.number(ours, theirs, size)
    first = bounds_of_types(types, system.owners, len(pairs.systems))
    return Shared(system.called(types), reference.called(found), first)


def bounds_of_types(types: Numbers, owners: Numbers, count: int) -> Numbers:
    """Give where each owner's range of types begins, and where the last one ends."""
    ends = np.zeros(count + 1, dtype=np.int64)
    np.maximum.at(ends, owners + 1, types + 1)
    return np.maximum.accumulate(ends)


def sentence_lengths(layout: Layout, texts: Numbers) -> tuple[Numbers, Numbers]:
    """Give how many sentences each text has, and how many words each of these has."""
    counts = layout.texts[texts + 1] - layout.texts[texts]
    sentences = concatenate_ranges(layout.texts[texts], counts)
    return counts, layout.sentences[sentences + 1] - layout.sentences[sentences]
