"""MEANTIME: Wikinews articles with event instances across documents, as judged topics.

A directory holds `corpus_airbus`, `corpus_apple` … with an article in CAT format each, or is
one of these. Each corpus is a topic, its stories in order of their dates; a sentence tells of
an event instance when one of its event mentions refers to it.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from chronoscore.core import (
    Collection,
    Document,
    Event,
    Judgements,
    Link,
    Sentence,
    Story,
    Topic,
    When,
)
from chronoscore.errors import DataError
from chronoscore.formats.corpora import cat

PREFIX = "corpus_"


def is_directory(path: Path) -> bool:
    """Whether a path is a directory of this kind."""
    return bool(_find_corpora(path))


def _find_corpora(folder: Path) -> list[Path]:
    """The corpora in or at a directory; of both annotations the one across documents."""
    across = folder / "intra_cross-doc_annotation"
    home = across if across.is_dir() else folder
    if not home.is_dir():
        return []
    found = sorted(path for path in home.glob(f"{PREFIX}*") if path.is_dir())
    own = folder.name.startswith(PREFIX) and any(folder.glob("*.xml"))
    return found if found and all(any(path.glob("*.xml")) for path in found) else [folder] * own


def load(folder: Path) -> Collection:
    """Read the corpora of a directory as topics."""
    found = _find_corpora(folder)
    if not found:
        raise DataError(
            "holds no corpus of articles; give the corpus's own directory", place=folder
        )
    topics = [_load_topic(path) for path in found]
    return Collection({topic.id: topic for topic in topics}, name=folder.name)


def _load_topic(folder: Path) -> Topic:
    """Read one corpus as a topic."""
    articles = [cat.load(path) for path in sorted(folder.glob("*.xml"))]
    articles.sort(key=lambda article: (sort_key_of_article_date(article.created), article.id))
    name = folder.name.removeprefix(PREFIX)
    return Topic(
        id=name,
        title=name,
        documents=tuple(article_as_document(article) for article in articles),
        judgements=_read_judgements(articles),
    )


def _read_judgements(articles: Sequence[cat.CatArticle]) -> Judgements:
    """Sentences linked to the event instances that they mention."""
    events: dict[str, Event] = {}
    links: dict[tuple[str, str], Link] = {}
    texts: dict[str, str] = {}
    stories = []
    for article in articles:
        named = {article.sentence_id(n): text for n, text in article.sentences.items()}
        texts |= named
        stories.append(
            Story(
                id=article.id,
                sentences=tuple(named),
                time=article_date_in_seconds(article.created),
                title=article.name,
            )
        )
        for mention, instance in article.refers.items():
            number, _ = article.mentions[mention]
            known, label = article.instances[instance]
            # An instance without an id in the corpus occurs in this article only.
            event = known or f"{article.id}:{instance}"
            sentence = article.sentence_id(number)
            events.setdefault(event, Event(event, label, origin=sentence))
            links.setdefault((sentence, event), Link(sentence=sentence, event=event))
    return Judgements(
        sentences=tuple(texts),
        events=tuple(events.values()),
        links=tuple(links.values()),
        stories=tuple(stories),
        texts=texts,
    )


def article_as_document(article: cat.CatArticle) -> Document:
    """An article as a source document."""
    return Document(
        id=article.id,
        sentences=tuple(
            Sentence(article.sentence_id(number), text)
            for number, text in article.sentences.items()
        ),
        when=article.created,
        title=article.name,
    )


def sort_key_of_article_date(when: When | None) -> float:
    """Undated articles come last."""
    return float("inf") if when is None else float(when.first)


def article_date_in_seconds(when: When | None) -> float | None:
    """Midnight of a day, in seconds since 1970."""
    if when is None or when.first < 1:
        return None
    day = date.fromordinal(when.first)
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
