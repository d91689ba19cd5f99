"""ICSISum: the sentences that hold the most bigrams of weight, exactly (Gillick & Favre 2009)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, hstack, vstack

from chronoscore.core import Document, Topic
from chronoscore.errors import DataError, warn
from chronoscore.oracles.solvers import Program, solve_program
from chronoscore.systems.material import SourceLine
from chronoscore.systems.summaries import Summarizer
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.vectors import Sparse
from chronoscore.text.stems import STEMS
from chronoscore.text.unicode import count_words, split_into_words


@dataclass(frozen=True, kw_only=True)
class Icsisum(Summarizer):
    """Solve for the sentences whose different bigrams occur in most articles.

    A bigram counts if `least` articles have it and one of its words is no stop word. The
    solution is exact over the `candidates` sentences that hold most; 0 takes all, which can
    take minutes beyond a thousand.
    """

    name: ClassVar[str] = "icsisum"
    line: ClassVar[str] = "bigrams that most articles have, solved exactly"
    paper: ClassVar[str] = "Gillick & Favre, ILP-NLP 2009"
    least: int = 3
    candidates: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, least=1, candidates=0)

    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> list[SourceLine]:
        """Weigh bigrams and solve."""
        unique = list({line.text: line for line in reversed(lines)}.values())[::-1]
        held = [bigrams_worth_having(line.text) for line in unique]
        found = Counter(
            pair
            for _, pair in {
                (line.article, pair) for line, own in zip(unique, held, strict=True) for pair in own
            }
        )
        # A topic of few articles may have no bigram that three have.
        least = min(self.least, max(found.values(), default=1))
        weights = {pair: float(count) for pair, count in found.items() if count >= least}
        rich = [n for n, own in enumerate(held) if own & weights.keys()]
        rich = [n for n in rich if count_words(unique[n].text) <= self.words]
        if self.candidates and len(rich) > self.candidates:
            warn(
                f"topic '{topic.id}': {len(rich)} sentences for icsisum, the best "
                f"{self.candidates} are considered; raise candidates for more",
                kind="unconsidered-sentences",
            )
            value = {n: sum(weights.get(pair, 0.0) for pair in held[n]) for n in rich}
            rich = sorted(sorted(rich, key=lambda n: -value[n])[: self.candidates])
        if not rich:
            return []
        sizes = [count_words(unique[n].text) for n in rich]
        chosen = select_covering_sentences(
            [held[n] & weights.keys() for n in rich], weights, sizes, self.words
        )
        return [unique[rich[n]] for n in chosen]


def bigrams_worth_having(text: str) -> set[tuple[str, str]]:
    """Stemmed pairs of neighbors, but for pairs of stop words.

    >>> sorted(bigrams_worth_having("the dam of the town"))
    [('dam', 'of'), ('the', 'dam'), ('the', 'town')]
    """
    from chronoscore.text.stopwords import SMART

    words = split_into_words(text)
    return {
        (STEMS[a] if a.isascii() else a, STEMS[b] if b.isascii() else b)
        for a, b in pairwise(words)
        if not (a in SMART and b in SMART)
    }


def select_covering_sentences(
    held: Sequence[set[tuple[str, str]]],
    weights: dict[tuple[str, str], float],
    sizes: Sequence[int],
    budget: int,
) -> list[int]:
    """The sentences within the budget whose different concepts weigh most, by integer program."""
    concepts = sorted(set().union(*held))
    place = {concept: number for number, concept in enumerate(concepts)}
    pairs = [(place[one], n) for n, own in enumerate(held) for one in sorted(own)]
    rows = np.array([row for row, _ in pairs])
    columns = np.array([column for _, column in pairs])
    shape = (len(concepts), len(held))
    occurs: Sparse = csr_array((np.ones(len(pairs)), (rows, columns)), shape=shape)
    worth = np.array([weights[concept] for concept in concepts])
    identity: Sparse = csr_array(
        (np.ones(len(concepts)), (np.arange(len(concepts)),) * 2), shape=(len(concepts),) * 2
    )
    lengths: Sparse = csr_array(np.array([sizes], dtype=float))
    nothing: Sparse = csr_array((1, len(concepts)))
    # A concept counts only with a sentence that has it; the other direction is free, since
    # every concept weighs something.
    matrix = vstack([hstack([identity, -occurs]), hstack([nothing, lengths])]).tocsr()
    upper = np.append(np.zeros(len(concepts)), float(budget))
    program = Program(
        gains=np.concatenate([worth, np.zeros(len(held))]),
        rows=matrix,
        most=upper,
        upper=np.ones(len(concepts) + len(held)),
        whole=np.arange(len(concepts) + len(held)) >= len(concepts),
    )
    chosen = solve_program(program).values
    if chosen is None:
        raise DataError("the integer program was not solved; ask for fewer words")
    return [n for n, value in enumerate(chosen[len(concepts) :].tolist()) if value > 0.5]
