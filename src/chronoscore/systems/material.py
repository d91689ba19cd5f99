"""A topic's documents made ready for systems: words, days, and what repeats."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from chronoscore.core import Document, Topic
from chronoscore.dates.finder import dates_in
from chronoscore.errors import DataError, warn
from chronoscore.systems.vectors import Sparse, tfidf
from chronoscore.text.stems import STEMS
from chronoscore.text.unicode import split_into_words

FEWEST_WORDS, MOST_WORDS = 5, 100
"""Sentences outside this range are captions, bylines and lists: no system chooses them."""

_marks_a_block = re.compile(r"\s*(?:-{3,}|\d{4}-\d\d-\d\d)\s*", re.ASCII).fullmatch


class SourceLine(NamedTuple):
    """A sentence: its stems without stop words, where it stands, and the days it names.

    `day` is the day it tells of: the first that it names, else that of its article.
    """

    id: str
    text: str
    words: tuple[str, ...]
    length: int
    article: int
    place: int
    published: int | None
    day: int | None
    named: tuple[int, ...]

    @property
    def mentioned(self) -> tuple[int, ...]:
        """The days that it names other than its article's own."""
        return tuple(day for day in self.named if day != self.published)

    @property
    def wording(self) -> str:
        """Its text but for spacing and case: what no timeline should have twice."""
        return " ".join(self.text.split()).casefold()

    @property
    def usable(self) -> bool:
        """Whether a system may choose it."""
        sized = FEWEST_WORDS <= self.length <= MOST_WORDS
        return sized and bool(self.words) and not _marks_a_block(self.text)


@dataclass(frozen=True, eq=False)
class TopicArticles:
    """Articles in order of time, their lines in order, and key words that a timeline is about.

    What several systems need is computed once and kept.
    """

    documents: tuple[Document, ...]
    lines: tuple[SourceLine, ...]
    keywords: tuple[str, ...] = ()

    @cached_property
    def usable(self) -> tuple[SourceLine, ...]:
        """The lines that may be chosen, or any with words where all are too short or long."""
        return tuple(line for line in self.lines if line.usable) or tuple(
            line for line in self.lines if line.words and not _marks_a_block(line.text)
        )

    @cached_property
    def rows(self) -> Sparse:
        """The usable lines as tf-idf vectors."""
        return tfidf([line.words for line in self.usable])

    @cached_property
    def relevant(self) -> tuple[SourceLine, ...]:
        """The usable lines that have a key word, or all of them where there are no key words."""
        return tuple(line for line in self.usable if self.is_relevant(line))

    def is_relevant(self, line: SourceLine) -> bool:
        """Whether a line contains a key word, also inside a word, as in news-tls."""
        text = line.text.casefold()
        return not self.keywords or any(keyword in text for keyword in self.keywords)

    # The systems of news-tls ask for the same days.
    @lru_cache(maxsize=4)  # noqa: B019
    def published_within(self, first: int, last: int) -> "TopicArticles":
        """Only the articles that appeared from one day to another, or whose day is unknown."""
        kept = [
            (document, lines)
            for document, lines in self.stories()
            if lines[0].published is None or first <= lines[0].published <= last
        ]
        if not kept:
            return self
        documents, lines = zip(*kept, strict=True)
        return replace(self, documents=documents, lines=tuple(chain.from_iterable(lines)))

    def stories(self) -> Iterator[tuple[Document, tuple[SourceLine, ...]]]:
        """Each article with its lines."""
        start = 0
        for document in self.documents:
            end = start + len(document.sentences)
            yield document, self.lines[start:end]
            start = end


def prepare_material(topic: Topic) -> TopicArticles:
    """Read a topic's documents; empty and repeated ones are left out with a warning."""
    if not topic.documents:
        raise DataError(
            "there are no documents; give articles to summarize", place=f"topic '{topic.id}'"
        )
    found = prepare_documents(topic.documents)
    if not found.lines:
        raise DataError(
            "its documents have no text; give some with text", place=f"topic '{topic.id}'"
        )
    return found


def prepare_dated_material(topic: Topic) -> TopicArticles:
    """The same, where at least one sentence must tell of a day."""
    found = _about_keywords(prepare_material(topic), topic)
    if all(line.day is None for line in found.lines):
        raise DataError(
            "no article has a date and no sentence names a day; "
            "give articles a 'time', or name their files by date as in 2010-06-03.txt",
            place=f"topic '{topic.id}'",
        )
    return found


def _about_keywords(found: TopicArticles, topic: Topic) -> TopicArticles:
    """The material with the topic's key words; words that no sentence has are not used."""
    keywords = tuple(
        dict.fromkeys(word.strip().casefold() for word in topic.keywords if word.strip())
    )
    if not keywords:
        return found
    narrowed = _narrow_to_keywords(found, keywords)
    if not narrowed.relevant:
        warn(
            f"topic '{topic.id}': no sentence has a key word ({', '.join(keywords[:5])}); "
            "sentences are not filtered",
            kind="unmatched-keywords",
        )
        return found
    return narrowed


@lru_cache(maxsize=4)
def _narrow_to_keywords(found: TopicArticles, keywords: tuple[str, ...]) -> TopicArticles:
    """The material with key words, made once for all systems."""
    return replace(found, keywords=keywords)


# The systems of one comparison read the same documents one after another.
@lru_cache(maxsize=4)
def prepare_documents(documents: tuple[Document, ...]) -> TopicArticles:
    """Order by date, leave out what is empty or there before, find words and days."""
    kept: dict[tuple[str, ...], Document] = {}
    empty: list[str] = []
    repeated: list[str] = []
    for document in sorted(documents, key=publication_order_key):
        texts = tuple(sentence.text for sentence in document.sentences)
        if not any(text.strip() for text in texts):
            empty.append(document.id)
        elif texts in kept:
            repeated.append(document.id)
        else:
            kept[texts] = document
    _warn_left_out(empty, len(documents), "no text")
    _warn_left_out(repeated, len(documents), "the text of an earlier one")
    chosen = tuple(kept.values())
    lines = [line for number, document in enumerate(chosen) for line in _lines_of(document, number)]
    return TopicArticles(chosen, tuple(lines))


def publication_order_key(document: Document) -> tuple[bool, int]:
    """Earlier days first; without a date last. Files in a wrong order are no matter."""
    return document.when is None, document.when.first if document.when else 0


def _warn_left_out(names: Sequence[str], total: int, what: str) -> None:
    """Say which articles are left out."""
    if names:
        warn(
            f"{len(names)} of {total} articles have {what}, '{names[0]}' first; left out",
            kind="unusable-articles",
        )


def _lines_of(document: Document, number: int) -> Iterator[SourceLine]:
    """The sentences of an article."""
    published = document.when.first if document.when and document.when.grain == "day" else None
    for place, (sentence, days) in enumerate(
        zip(document.sentences, named_days(document), strict=True)
    ):
        tokens = split_into_words(sentence.text)
        yield SourceLine(
            id=sentence.id,
            text=sentence.text,
            words=content_word_stems(tokens),
            length=len(tokens),
            article=number,
            place=place,
            published=published,
            day=days[0] if days else published,
            named=tuple(dict.fromkeys(days)),
        )


# The same article is read by many systems, and for several splits of a topic.
@lru_cache(maxsize=10_000)
def named_days(document: Document) -> list[list[int]]:
    """The days that each sentence names: those that its file tells, else those the tagger finds.

    The tagger reads the article as a whole, since "the day after" looks back over sentences.
    """
    if any(sentence.when is not None for sentence in document.sentences):
        return [
            [one.when.first] if one.when is not None and one.when.grain == "day" else []
            for one in document.sentences
        ]
    texts = [sentence.text.replace("\n", " ") for sentence in document.sentences]
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    found: list[list[int]] = [[] for _ in texts]
    for mention in dates_in("\n".join(texts), on=document.when):
        if mention.when is not None and mention.when.grain == "day":
            found[bisect_right(starts, mention.start) - 1].append(mention.when.first)
    return found


@lru_cache(maxsize=10_000)
def count_background_words(document: Document) -> Counter[str]:
    """How often an article has each word, for those that only serve as background."""
    return Counter(
        word
        for one in document.sentences
        for word in content_word_stems(split_into_words(one.text))
    )


def content_word_stems(tokens: Sequence[str]) -> tuple[str, ...]:
    """Words that carry content, stemmed where they are written in plain letters.

    >>> content_word_stems(["the", "floods", "потоп"])
    ('flood', 'потоп')
    """
    from chronoscore.text.stopwords import SMART

    return tuple(
        STEMS[token] if token.isascii() else token for token in tokens if token not in SMART
    )
