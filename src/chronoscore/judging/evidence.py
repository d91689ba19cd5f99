"""The sentences of documents that may support a statement: similar ones from the days around it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log

from chronoscore.core import Document, Entry, Sentence, When
from chronoscore.text.stems import STEMS
from chronoscore.text.stopwords import SMART
from chronoscore.text.unicode import split


class DocumentSentences:
    """The sentences of a topic's documents with their days, ready to be searched."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.sentences: list[tuple[Sentence, When | None]] = [
            (sentence, sentence.when or document.when)
            for document in documents
            for sentence in document.sentences
            if sentence.text.strip()
        ]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each sentence."""
        return [content_words(sentence.text) for sentence, _ in self.sentences]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What each word weighs: more, the fewer sentences have it."""
        counts = Counter(word for words in self.words for word in words)
        return {word: log((1 + len(self.words)) / (1 + n)) + 1 for word, n in counts.items()}

    def near(self, entry: Entry, *, within: int, most: int) -> list[tuple[Sentence, When | None]]:
        """The sentences within so many days of an entry that share most of its words' weight.

        Sentences without a date may be from any day. Equal ones stay in the documents' order.
        """
        wanted = content_words(" ".join(entry.sentences))
        first, last = entry.when.first - within, entry.when.last + within
        scored = [
            (sum(self.weights[word] for word in wanted & words), number)
            for number, words in enumerate(self.words)
            if (when := self.sentences[number][1]) is None
            or (first <= when.last and when.first <= last)
        ]
        best = sorted(scored, key=lambda one: (-one[0], one[1]))[:most]
        return [self.sentences[number] for _, number in best]


def content_words(text: str) -> frozenset[str]:
    """The words that carry content, stemmed where they are written in plain letters."""
    tokens = (token for token in split(text) if token not in SMART)
    return frozenset(STEMS[token] if token.isascii() else token for token in tokens)
