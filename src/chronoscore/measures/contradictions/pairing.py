"""Which sentences an entry is held against: dated near it, and about the same."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from chronoscore.core import Timeline, Topic, When
from chronoscore.core.texts import Entry
from chronoscore.measures.contradictions.claims import Statement
from chronoscore.text.preparation import Preparation
from chronoscore.text.unicode import tokenize

SHARED = 2
"""Content words that a sentence must share with an entry to be about the same.

An entry with fewer must share all that it has.
"""


@lru_cache(maxsize=100_000)
def content_words(text: str, language: str = "english") -> frozenset[str]:
    """The stems of the content words of a text, figures left out.

    >>> sorted(content_words("The dams broke on 3 May."))
    ['broke', 'dam']
    """
    reading = Preparation(name="unicode", stem=True, stop=True, language=language)
    words = tokenize(text, reading)
    return frozenset(word for word in words if not any(map(str.isdigit, word)))


def entry_words(entry: Entry, language: str) -> frozenset[str]:
    """The stems of the content words of an entry."""
    return frozenset().union(*(content_words(text, language) for text in entry.sentences))


class Evidence:
    """The dated sentences that entries of one topic are held against."""

    def __init__(self, statements: Iterable[Statement], language: str) -> None:
        self._language = language
        self._statements = sorted(statements, key=lambda one: one.when.first)
        self._first = [one.when.first for one in self._statements]
        self._longest = max((one.when.days for one in self._statements), default=0)

    def __len__(self) -> int:
        return len(self._statements)

    def near(self, when: When, within: int) -> Iterator[Statement]:
        """The sentences that are at most some days away."""
        start = bisect_left(self._first, when.first - within - self._longest)
        for statement in self._statements[start:]:
            if statement.when.first > when.last + within:
                return
            if statement.when.distance(when) <= within:
                yield statement

    def can_lack(self, entry: Entry) -> bool:
        """Whether an entry says anything by which it could be found to be invented."""
        return bool(entry_words(entry, self._language))

    def about(self, entry: Entry, within: int) -> list[Statement]:
        """The sentences that are near an entry and share content words with it."""
        own = entry_words(entry, self._language)
        if not own:
            return []
        enough = min(SHARED, len(own))
        return [
            statement
            for statement in self.near(entry.when, within)
            if len(own & content_words(statement.text, self._language)) >= enough
        ]


def reference_statements(references: Sequence[Timeline]) -> Iterator[Statement]:
    """The sentences of reference timelines, of the days of their entries."""
    for number, reference in enumerate(references, 1):
        name = reference.author or f"reference {number}"
        for entry in reference:
            yield from entry_statements(entry, name)


def entry_statements(entry: Entry, source: str = "") -> Iterator[Statement]:
    """The sentences of an entry."""
    for number, text in enumerate(entry.sentences, 1):
        if text.strip():
            yield Statement(text, entry.when, source, str(number))


def document_statements(topic: Topic) -> Iterator[Statement]:
    """The sentences of documents, by the days they tell of and by the day of publication."""
    for document in topic.documents:
        for sentence in document.sentences:
            whens = {when for when in (sentence.when, document.when) if when is not None}
            for when in whens:
                yield Statement(sentence.text, when, document.id, sentence.id)
