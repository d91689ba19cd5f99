"""The sentences of documents that may support a statement: similar ones from the days around it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log

from chronoscore.core import Document, Entry, Sentence, When
from chronoscore.text.stems import STEMS
from chronoscore.text.stopwords import SMART
from chronoscore.text.unicode import split_into_words


class DocumentSentences:
    """The sentences of a topic's documents with their days, ready to be searched."""

    def __init__(self, documents: Sequence[Document]) -> None:
        placed = [
            (sentence, document.when)
            for document in documents
            for sentence in document.sentences
            if sentence.text.strip()
        ]
        self.sentences = [(sentence, sentence.when or when) for sentence, when in placed]
        """Each sentence with the day that it tells of, else that of its document."""
        self.days = [
            [day for day in (sentence.when, when) if day is not None] for sentence, when in placed
        ]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each sentence."""
        return [evidence_words(sentence.text) for sentence, _ in self.sentences]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What each word weighs: more, the fewer sentences have it."""
        counts = Counter(word for words in self.words for word in words)
        return {word: log((1 + len(self.words)) / (1 + n)) + 1 for word, n in counts.items()}

    def near(self, entry: Entry, *, within: int, most: int) -> list[tuple[Sentence, When | None]]:
        """The sentences within so many days of an entry that share most of its words' weight.

        What counts is the day that a sentence tells of, where that is known, and otherwise the one
        that its document appeared on; sentences without either may be from any day. Those that
        appeared in time but tell of another day come last. Equal ones stay in the documents' order.
        """
        wanted = evidence_words(" ".join(entry.sentences))
        first, last = entry.when.first - within, entry.when.last + within
        scored = []
        for number, words in enumerate(self.words):
            near = [first <= day.last and day.first <= last for day in self.days[number]]
            if not near or any(near):
                weight = sum(self.weights[word] for word in wanted & words)
                scored.append((bool(near) and not near[0], -weight, number))
        return [self.sentences[number] for *_, number in sorted(scored)[:most]]


def evidence_words(text: str) -> frozenset[str]:
    """The words that carry content, stemmed where they are written in plain letters."""
    tokens = (token for token in split_into_words(text) if token not in SMART)
    return frozenset(STEMS[token] if token.isascii() else token for token in tokens)
