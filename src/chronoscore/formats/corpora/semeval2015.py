"""SemEval-2015 task 4: timelines of entities over the events of news articles.

A directory `corpus_1` … holds articles in CAT format and, in `TimeLines_Gold_Standard`, a
table for each entity: order, date, and the mentions of one event as article-sentence-words.
Each entity is a topic: its events are linked to the sentences that mention them, and the
dated ones make a reference timeline of these sentences.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore import lazy
from chronoscore.core import (
    Collection,
    Document,
    Event,
    Judgements,
    Link,
    Story,
    Timeline,
    Topic,
    When,
)
from chronoscore.errors import DataError, warn
from chronoscore.formats.corpora import cat, meantime
from chronoscore.formats.io.files import text_lines

GOLD = "TimeLines_Gold_Standard"
ARTICLES = ("corpus_trackB_CAT", "corpus_trackA_CAT")
MENTION = lazy.pattern(r"(?P<article>[^-]+)-(?P<sentence>\d+)-(?P<words>.+)")


@dataclass(frozen=True)
class TimelineRow:
    """One event of an entity's timeline: where it stands, when it was, where it is told."""

    order: int
    when: When | None
    mentions: tuple[tuple[str, str], ...]
    """Sentence ids and words."""


def is_directory(path: Path) -> bool:
    """Whether a path is a directory of this kind."""
    return any(_find_corpora(path))


def _find_corpora(folder: Path) -> list[Path]:
    """The corpora in or at a directory."""
    if (folder / GOLD).is_dir():
        return [folder]
    return sorted(gold.parent for gold in folder.glob(f"**/{GOLD}") if gold.is_dir())


def load(folder: Path) -> Collection:
    """Read every entity of every corpus below a directory as a topic."""
    topics: dict[str, Topic] = {}
    for corpus in _find_corpora(folder):
        home = next((corpus / name for name in ARTICLES if (corpus / name).is_dir()), None)
        if home is None:
            raise DataError(f"has no articles; add {' or '.join(ARTICLES)}", place=corpus)
        articles = [cat.load(path) for path in sorted(home.glob("*.xml"))]
        articles.sort(
            key=lambda article: (meantime.sort_key_of_article_date(article.created), article.id)
        )
        source = SourceSentences.of(articles)
        for path in sorted((corpus / GOLD).glob("*.txt")):
            topic = _load_entity(f"{corpus.name}-{path.stem}", path, source)
            topics[topic.id] = topic
    if not topics:
        raise DataError(f"holds no {GOLD}; give the task's own directory", place=folder)
    return Collection(topics, name=folder.name)


@dataclass(frozen=True)
class SourceSentences:
    """The articles of a corpus, shared by the topics of its entities."""

    documents: tuple[Document, ...]
    stories: tuple[Story, ...]
    texts: Mapping[str, str]

    @classmethod
    def of(cls, articles: Sequence[cat.CatArticle]) -> "SourceSentences":
        """Take the sentences of articles."""
        documents = tuple(meantime.article_as_document(article) for article in articles)
        return cls(
            documents,
            tuple(
                Story(
                    id=article.id,
                    sentences=tuple(sentence.id for sentence in document.sentences),
                    time=meantime.article_date_in_seconds(article.created),
                    title=article.name,
                )
                for article, document in zip(articles, documents, strict=True)
            ),
            {s.id: s.text for document in documents for s in document.sentences},
        )


def _load_entity(name: str, path: Path, source: SourceSentences) -> Topic:
    """One entity."""
    title, rows = _load_gold(path, source.texts)
    events, links = [], []
    dated: list[tuple[When, str]] = []
    for number, row in enumerate(rows, 1):
        event = f"{name}-e{number:02}"
        text = " / ".join(dict.fromkeys(words.replace("_", " ") for _, words in row.mentions))
        origin = row.mentions[0][0]
        events.append(Event(event, text, meantime.article_date_in_seconds(row.when), origin=origin))
        told = dict.fromkeys(sentence for sentence, _ in row.mentions)
        links += [Link(sentence=sentence, event=event) for sentence in told]
        if row.when is not None:
            dated.append((row.when, source.texts[origin]))
    return Topic(
        id=name,
        title=title,
        documents=source.documents,
        timelines=(Timeline.of(list(dict.fromkeys(dated)), author="gold"),) if dated else (),
        judgements=Judgements(
            sentences=tuple(source.texts),
            events=tuple(events),
            links=tuple(links),
            stories=source.stories,
            texts=source.texts,
        ),
    )


def _load_gold(path: Path, sentences: Mapping[str, str]) -> tuple[str, list[TimelineRow]]:
    """Read a gold timeline: the entity, and its events in order.

    The published files name a few mentions that are in no article; these are left out,
    counted and reported once for each file.
    """
    lines = list(text_lines(path))
    rows: list[TimelineRow] = []
    strange: list[tuple[int, str]] = []
    for number, line in lines[1:]:
        if line.strip():
            row, lost = _read_row(path, number, line, sentences)
            strange += [(number, mention) for mention in lost]
            rows += [row] if row.mentions else []
    if strange:
        number, mention = strange[0]
        warn(
            f"{path}:{number}: {len(strange)} mentions are in no article, '{mention}' here "
            "first; they are left out",
            kind="unknown-mentions",
        )
    return lines[0][1].strip(), rows


def _read_row(
    path: Path, number: int, line: str, sentences: Mapping[str, str]
) -> tuple[TimelineRow, list[str]]:
    """The event of a line, and those of its mentions that lead nowhere."""
    fields = [field.strip() for field in line.split("\t") if field.strip()]
    if len(fields) < 3 or not fields[0].isdecimal():
        raise DataError(
            "no event; write order, date and mentions, with tabs", place=f"{path}:{number}"
        )
    mentions: list[tuple[str, str]] = []
    lost: list[str] = []
    for field in fields[2:]:
        found = MENTION.fullmatch(field)
        sentence = f"{found['article']}-{found['sentence']}" if found else ""
        if found and sentence in sentences:
            mentions.append((sentence, found["words"]))
        else:
            lost.append(field)
    return TimelineRow(int(fields[0]), _read_date(path, number, fields[1]), tuple(mentions)), lost


def _read_date(path: Path, number: int, text: str) -> When | None:
    """A date as finely as it is known; XXXX-XX-XX is none."""
    known = re.sub(r"(-X+)+$", "", text)
    if known.startswith("X"):
        return None
    try:
        return When.parse(known)
    except DataError as error:
        raise error.at(f"{path}:{number}") from None
