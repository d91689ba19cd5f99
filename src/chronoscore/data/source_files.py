"""From paths to topics with documents: what systems are run on.

A path is a file of articles (JSON Lines), a topic's folder with such a file, a folder of
plain texts whose names tell their dates, a folder of such topics, TimeML, or MEANTIME or
SemEval-2015's timelines as they are distributed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from chronoscore.core import Document, Sentence, Topic, When
from chronoscore.data import keywords
from chronoscore.errors import DataError, warn
from chronoscore.formats.corpora import (
    articles,
    cat,
    meantime,
    semeval2015,
    timeml,
)
from chronoscore.formats.corpora.timeml import TaggedText
from chronoscore.formats.io import layout
from chronoscore.formats.io.files import read_lines, read_text
from chronoscore.formats.io.json_values import decode_json
from chronoscore.text.sentences import split_into_sentences

_named_day = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)").search
TAGGED = (".tml", ".timeml")


def load_topics(paths: Sequence[Path]) -> list[Topic]:
    """The topics at the paths; two of one name are refused."""
    found: dict[str, Topic] = {}
    for path in paths:
        if not path.exists():
            raise DataError("no such file or directory; check the path", place=path)
        if not path.is_file() and not path.is_dir():
            raise DataError("is neither a file nor a folder; give one of documents", place=path)
        for topic in _topics_at(path):
            if topic.id in found:
                raise DataError(f"duplicate topic '{topic.id}'; rename one", place=path)
            found[topic.id] = topic
    return list(found.values())


def _topics_at(path: Path) -> Iterator[Topic]:
    """The topics at one path."""
    if path.is_file():
        name = layout.bare_name(path)
        if name.startswith("articles"):
            name = path.resolve().parent.name
        yield _topic_in(path.parent, name, _documents_in(path))
        return
    if file := layout.article_file(path.parent / path.name, ""):
        yield _topic_in(path, layout.folder_name(path), _documents_in(file))
        return
    below = [child for child in layout.list_folder(path) if child.is_dir()]
    nested = [child for child in below if layout.article_file(child, "")]
    if nested:
        for child in nested:
            yield from _topics_at(child)
        return
    if distributed := _distributed_topics(path):
        yield from distributed
        return
    yield from _plain_topics(path, below)


def _plain_topics(path: Path, below: Sequence[Path]) -> Iterator[Topic]:
    """The topic that a folder of plain texts is, or those that the folders below it are."""
    texts = sorted(path.rglob("*.txt"))
    if not texts:
        raise DataError(
            "holds no documents; give articles.jsonl, texts named by date "
            "as in 2010-06-03.txt, or TimeML (.tml)",
            place=path,
        )
    by_topic = [child for child in below if any(child.rglob("*.txt")) and not day_in(child.name)]
    if by_topic and not any(text.parent == path and text.is_file() for text in texts):
        for child in by_topic:
            yield from _topics_at(child)
        return
    documents = [_document_in(text, text.relative_to(path)) for text in texts]
    yield _topic_in(path, layout.folder_name(path), tuple(documents))


def _distributed_topics(folder: Path) -> list[Topic]:
    """The topics of a corpus as it is distributed, or of TimeML; none where it is something else.

    What people judged or wrote about them is left out: systems have only the documents.
    """
    if any(child.suffix in TAGGED for child in layout.list_folder(folder)):
        documents = tuple(_tagged_document(text) for text in load_tagged([folder]))
        return [_topic_in(folder, layout.folder_name(folder), documents)]
    for corpus in (meantime, semeval2015):
        if corpus.is_directory(folder):
            return [
                Topic(id=topic.id, documents=topic.documents, title=topic.title)
                for topic in corpus.load(folder)
            ]
    return []


def _topic_in(folder: Path, name: str, documents: tuple[Document, ...]) -> Topic:
    """A topic with the title and the key words that its folder tells."""
    file = folder / "keywords.json"
    try:
        words = keywords.load(file) if file.is_file() else ()
    except DataError as error:
        warn(f"{error}; its key words are not used", kind="unused-keywords")
        words = ()
    own = words.get(name, ()) if isinstance(words, Mapping) else words
    return Topic(id=name, documents=documents, title=_title_of(folder), keywords=tuple(own))


def _documents_in(path: Path) -> tuple[Document, ...]:
    """The articles of a file, or the one that a plain text, TimeML or CAT is."""
    if path.suffix == ".txt":
        return (_document_in(path, Path(path.name)),)
    if path.suffix in TAGGED:
        return (_tagged_document(timeml.load(path)),)
    if path.suffix == ".xml":
        return (meantime.article_as_document(cat.load(path)),)
    return tuple(articles.load(path))


def _document_in(path: Path, place: Path) -> Document:
    """A plain text, dated by its name or a folder's, split into sentences."""
    name = str(place.with_suffix(""))
    when = next((day for part in reversed(place.parts) if (day := day_in(part))), None)
    sentences = tuple(
        Sentence(f"{name}-s{number:02}", text)
        for number, text in enumerate(split_into_sentences("\n".join(read_lines(path))), 1)
    )
    return Document(id=name, sentences=sentences, when=when)


def _tagged_document(tagged: TaggedText) -> Document:
    """A TimeML text, its sentences as marked or else split."""
    marked = [tagged.text[place.start : place.end] for place in tagged.sentences]
    texts = [" ".join(text.split()) for text in marked or split_into_sentences(tagged.text)]
    return Document(
        id=tagged.id,
        sentences=tuple(
            Sentence(f"{tagged.id}-s{number:02}", text)
            for number, text in enumerate(filter(None, texts), 1)
        ),
        when=tagged.created,
    )


def day_in(name: str) -> When | None:
    """The day that a name tells: 2010-06-03, 20100603."""
    found = _named_day(name)
    if not found:
        return None
    try:
        return When.day(*(int(part) for part in found.groups()))
    except DataError:
        return None


def _title_of(folder: Path) -> str:
    """What topic.json says the topic is about: its title and query."""
    file = folder / "topic.json"
    if not file.is_file():
        return ""
    topic = decode_json(read_text(file), str(file))
    if not isinstance(topic, dict):
        raise DataError('must be an object; write {"title": "…", "query": "…"}', place=file)
    return " ".join(str(topic[key]) for key in ("title", "query") if topic.get(key))


def load_tagged(paths: Sequence[Path]) -> list[TaggedText]:
    """The TimeML files at the paths; none where the paths hold something else."""
    files: list[Path] = []
    for path in paths:
        found = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [file for file in found if file.suffix in TAGGED]
    texts = [timeml.load(file) for file in files]
    seen: set[str] = set()
    for file, text in zip(files, texts, strict=True):
        if text.id in seen:
            raise DataError(f"duplicate text '{text.id}'; rename one", place=file)
        seen.add(text.id)
    return texts
