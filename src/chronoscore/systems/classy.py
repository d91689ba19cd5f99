"""CLASSY: sentences by the words that a person would use, without repeats (Conroy et al.).

A word's worth is whether the query has it and whether the topic has it more often than chance.
A sentence's worth is the mean of its words'. Of the best, a pivoted QR factorization takes
the longest vector again and again and removes its direction from the others. The projected
variant first removes all that an earlier summary says.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chronoscore.core import Document, Topic
from chronoscore.measures.measure import Array
from chronoscore.systems.material import (
    SourceLine,
    content_word_stems,
    count_background_words,
    prepare_material,
)
from chronoscore.systems.summaries import (
    Part,
    Summarizer,
    split_source_documents,
)
from chronoscore.systems.system import check_system_parameters
from chronoscore.text.unicode import count_words, split_into_words

SIGNIFICANT = 10.83
"""Chi-squared with one degree of freedom at p = .001."""
NOTHING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Classy(Summarizer):
    """Choose by signature and query words, then by pivoted QR.

    Query words are those of the topic's title, or of its articles' titles. Signature words
    are commoner than in the background: other topics' articles, else the topic's other
    part. `pool` times the words asked for go into the factorization; `feedback` lets words
    of the best-ranked sentences count, too.
    """

    name: ClassVar[str] = "classy"
    line: ClassVar[str] = "signature and query words, pivoted QR"
    paper: ClassVar[str] = "Conroy, Schlesinger & O'Leary, COLING-ACL 2006; CLASSY 2009"
    projected: ClassVar[bool] = False
    pool: float = 2.0
    shortest: int = 5
    longest: int = 50
    feedback: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, pool=1, shortest=1, longest=self.shortest)

    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> list[SourceLine]:
        """Score, project where that is asked for, and factorize."""
        kept = [n for n in lines if self.shortest <= n.length <= self.longest] or list(lines)
        worth = self.worth(topic, kept, background)
        terms = sorted({word for line in kept for word in line.words})
        scores = sentence_scores(kept, worth)
        if self.projected and self.part == "update":
            original = Classy(
                **{f: getattr(self, f) for f in ("words", "at", "pool", "shortest", "longest")},
                feedback=self.feedback,
                part="original",
            )
            earlier = _earlier_lines(topic, original, background)
            terms = sorted({*terms, *(word for words in earlier for word in words)})
            basis = orthonormal(term_matrix(earlier, terms))
            scores = projected_scores(kept, scores, terms, basis)
        else:
            basis = np.zeros((len(terms), 0))
        best = self.best(kept, scores)
        matrix = term_matrix([kept[n].words for n in best], terms)
        matrix = matrix - basis @ (basis.T @ matrix)
        sizes = [count_words(kept[n].text) for n in best]
        chosen = pivoted_qr(_scale_columns(matrix, scores[best]), sizes, self.words)
        return [kept[best[n]] for n in chosen]

    def worth(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> dict[str, float]:
        """The chance that a person would use each word."""
        query = _query_words(topic)
        signature = signature_words(
            Counter(word for line in lines for word in line.words),
            _background_counts(topic, self.part, self.at, background),
        )
        if not signature:
            signature = _widespread_words(lines)
        if not query:
            return dict.fromkeys(signature, 1.0)
        worth = {w: 0.5 * (w in query) + 0.5 * (w in signature) for w in query | signature}
        if not self.feedback:
            return worth
        scores = sentence_scores(lines, worth)
        top = np.argsort(-scores, kind="stable")[: max(1, len(lines) // 5)].tolist()
        ranked_words = Counter(word for number in top for word in set(lines[number].words))
        return {
            word: 0.5 * (word in query)
            + 0.25 * (word in signature)
            + 0.25 * ranked_words[word] / len(top)
            for word in query | signature | set(ranked_words)
        }

    def best(self, lines: Sequence[SourceLine], scores: Array) -> list[int]:
        """The best sentences until they hold `pool` times the words asked for."""
        chosen: list[int] = []
        held = 0
        for number in np.argsort(-scores, kind="stable").tolist():
            if held >= self.pool * self.words:
                break
            if scores[number] > NOTHING and count_words(lines[number].text) <= self.words:
                chosen.append(number)
                held += count_words(lines[number].text)
        return chosen


@dataclass(frozen=True, kw_only=True)
class ProjectedClassy(Classy):
    """CLASSY for updates: what its own summary of the original says counts for nothing."""

    name: ClassVar[str] = "projected-classy"
    line: ClassVar[str] = "CLASSY with the original summary's content projected away"
    paper: ClassVar[str] = "Conroy, Schlesinger & O'Leary 2011; CLASSY 2009"
    projected: ClassVar[bool] = True
    part: Part = "update"


def _earlier_lines(
    topic: Topic, original: Classy, background: Sequence[Document]
) -> list[tuple[str, ...]]:
    """The words of the sentences that the system itself chose for the original."""
    documents = split_source_documents(topic, original.at)[0]
    if not documents:
        return []
    lines = prepare_material(replace(topic, documents=documents)).usable
    return [line.words for line in original.choose(topic, lines, background)]


def _query_words(topic: Topic) -> set[str]:
    """Words of the topic's title, else of the articles' titles."""
    titles = [topic.title] if topic.title else [document.title for document in topic.documents]
    return {word for title in titles for word in content_word_stems(split_into_words(title))}


def _background_counts(
    topic: Topic, part: Part, at: str, background: Sequence[Document]
) -> Counter[str]:
    """How often words are used elsewhere: in other topics, else in the topic's other part."""
    if not background and part != "all":
        original, update = split_source_documents(topic, at)
        background = update if part == "original" else original
    found: Counter[str] = Counter()
    for document in background:
        found.update(count_background_words(document))
    return found


def signature_words(topic: Mapping[str, int], background: Mapping[str, int]) -> set[str]:
    """Words that the topic has significantly more often than the background (Dunning's G)."""
    here, there = sum(topic.values()), sum(background.values())
    if not here or not there:
        return set()
    return {
        word
        for word, count in topic.items()
        if count / here > background.get(word, 0) / there
        and log_likelihood(count, here, background.get(word, 0), there) > SIGNIFICANT
    }


def log_likelihood(first: int, of: int, second: int, of_second: int) -> float:
    """Twice the log ratio of two shares being two rather than one.

    >>> round(log_likelihood(10, 100, 10, 1000), 3)
    22.908
    """
    joint = (first + second) / (of + of_second)
    apart = _log_chance(first, of, first / of) + _log_chance(second, of_second, second / of_second)
    together = _log_chance(first, of, joint) + _log_chance(second, of_second, joint)
    return 2 * (apart - together)


def _log_chance(count: int, of: int, share: float) -> float:
    """The log probability of a count, but for what cancels out."""
    found = float(count * np.log(share)) if count else 0.0
    return found + (float((of - count) * np.log(1 - share)) if of > count else 0.0)


def _widespread_words(lines: Sequence[SourceLine]) -> set[str]:
    """Where there is nothing to compare with: words that a quarter of the articles have."""
    held = Counter(word for _, word in {(n.article, word) for n in lines for word in n.words})
    articles = len({line.article for line in lines})
    return {word for word, count in held.items() if count >= max(1.0, articles / 4)}


def sentence_scores(lines: Sequence[SourceLine], worth: Mapping[str, float]) -> Array:
    """The mean worth of each sentence's different words."""
    return np.array(
        [
            sum(worth.get(word, 0.0) for word in set(line.words)) / max(1, len(set(line.words)))
            for line in lines
        ]
    )


def term_matrix(texts: Iterable[Sequence[str]], terms: Sequence[str]) -> Array:
    """Terms × sentences, 1 where the sentence has the term."""
    place = {term: number for number, term in enumerate(terms)}
    columns = [list({place[word] for word in words}) for words in texts]
    matrix = np.zeros((len(terms), len(columns)))
    for number, rows in enumerate(columns):
        matrix[rows, number] = 1.0
    return matrix


def orthonormal(matrix: Array) -> Array:
    """A basis of what the columns span; directions that are only rounding are left out."""
    if not matrix.size:
        return np.zeros((len(matrix), 0))
    left, values, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(left[:, values > 1e-10 * values[0]], dtype=np.float64)


def projected_scores(
    lines: Sequence[SourceLine], scores: Array, terms: Sequence[str], basis: Array
) -> Array:
    """Scores times the share of each sentence's vector that lies outside the basis."""
    place = {term: number for number, term in enumerate(terms)}
    shares = np.empty(len(lines))
    for number, line in enumerate(lines):
        rows = [place[word] for word in set(line.words)]
        inside = basis[rows].sum(axis=0)
        shares[number] = max(0.0, 1 - float(inside @ inside) / len(rows)) if rows else 0.0
    # Rounding must not let a copy of an earlier sentence count.
    return scores * np.sqrt(np.where(shares < NOTHING, 0.0, shares))


def _scale_columns(matrix: Array, lengths: Array) -> Array:
    """Columns of given lengths; a column of zeros stays."""
    norms = np.linalg.norm(matrix, axis=0)
    scale: Array = np.divide(lengths, norms, out=np.zeros_like(norms), where=norms > NOTHING)
    return matrix * scale


def pivoted_qr(matrix: Array, sizes: Sequence[int], budget: int) -> list[int]:
    """Take the longest column that fits and remove its direction from all, until none is left."""
    rest = matrix.copy()
    open_ = np.ones(rest.shape[1], dtype=bool)
    chosen: list[int] = []
    while open_.any():
        norms = np.where(open_, np.linalg.norm(rest, axis=0), -1.0)
        best = int(np.argmax(norms))
        if norms[best] < NOTHING:
            break
        open_[best] = False
        if sizes[best] > budget:
            continue
        budget -= sizes[best]
        chosen.append(best)
        direction = rest[:, best] / norms[best]
        rest -= np.outer(direction, direction @ rest)
    return chosen
