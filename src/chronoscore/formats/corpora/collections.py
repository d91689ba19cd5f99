"""Collections that hold documents and references together: what oracles read.

JSON Lines (or a JSON array) with a topic a line, ``{"id": …, "documents": [{"id": …,
"sentences": […]}], "references": [[sentence, …], …]}``; sentences are kept as they stand, so
that their numbers are those of the file, and `text` in their place is split. Or a folder of
topics, each with its `articles.jsonl` and its references: `timelines`, or `summaries` with a file
for each one or a folder for each set of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.core import Collection, Output, Summary, Timeline, Topic, When
from chronoscore.core.texts import Document, Sentence, sentences_of
from chronoscore.errors import DataError
from chronoscore.formats.corpora import articles, inputs
from chronoscore.formats.io import layout
from chronoscore.formats.io.layout import is_json
from chronoscore.formats.summaries import plain
from chronoscore.formats.summaries.records import describe_json_error, read_json_records

SHAPE = '{"id": "…", "documents": [{"id": "…", "sentences": ["…"]}], "references": [["…"]]}'


class SourceRecord(msgspec.Struct):
    """A document as a record gives it."""

    sentences: str | list[str]
    id: str | int | None = None
    time: str | None = None
    title: str = ""


class TopicRecord(msgspec.Struct):
    """What a topic's record may hold; other keys are ignored."""

    documents: list[SourceRecord]
    id: str | int | None = None
    references: str | list[str | list[str]] = []


def load(path: Path, needs: type[Output] = Summary) -> Collection:
    """Read a collection with its documents; `needs` says which references are wanted."""
    if not path.exists():
        raise DataError("no such file or directory; check the path", place=path)
    if path.is_dir():
        found = _read_folders(path) if needs is Summary else _read_timelines(path)
    elif is_json(path) and needs is Summary:
        found = read_records(read_json_records(path))
    elif needs is Timeline and is_json(path):
        raise DataError("a file holds no reference timelines; give a folder of topics", place=path)
    else:
        raise DataError("is not a collection; give a folder of topics or JSON Lines", place=path)
    topics = {topic.id: topic for topic in found}
    if not topics:
        raise DataError("holds no topic; fill it or leave it out", place=path)
    return Collection(topics, layout.bare_name(path))


def read_records(records: Iterable[tuple[str, Any]]) -> Iterator[Topic]:
    """The topics of records, each with the place to name when it is wrong."""
    seen: dict[str, str] = {}
    for number, (where, value) in enumerate(records, 1):
        try:
            fields = msgspec.convert(_add_sentences(value, where), TopicRecord)
        except msgspec.ValidationError as error:
            raise DataError(f"{describe_json_error(error)}; write {SHAPE}", place=where) from None
        name = str(number) if fields.id is None else str(fields.id)
        if name in seen:
            raise DataError(
                f"id '{name}' is a duplicate of {seen[name]}; make ids unique", place=where
            )
        seen[name] = where
        yield Topic(
            id=name,
            summaries=tuple(_read_references(fields.references, where)),
            documents=tuple(_read_documents(fields.documents, where)),
        )


def _add_sentences(record: Any, where: str) -> Any:
    """A topic's record whose documents have their fields under our names, texts split."""
    documents = record.get("documents") if isinstance(record, Mapping) else None
    if not isinstance(documents, list):
        return record
    return {**record, "documents": [_source_fields(one, where) for one in documents]}


def _source_fields(document: Any, where: str) -> Any:
    """A document's fields under our names; sentences that are given stay as they are."""
    if not isinstance(document, Mapping) or "sentences" in document:
        return document
    fields = articles.known_fields(document, where)
    found = {name: fields[name] for name in ("id", "title", "time") if fields.get(name) is not None}
    sentences = fields.get("sentences")
    if sentences is None:
        sentences = articles.split_text(fields.get("text"), where)
    return {**found, "sentences": sentences}


def _read_references(given: str | list[str | list[str]], where: str) -> Iterator[Summary]:
    """The references of a record: a list of texts, each a string or its sentences."""
    several = [given] if isinstance(given, str) else given
    if not several:
        raise DataError("there is no reference; give at least one", place=where)
    for number, text in enumerate(several, 1):
        yield Summary(sentences_of(text), str(number))


def _read_documents(given: list[SourceRecord], where: str) -> Iterator[Document]:
    """The documents of a record, their sentences untouched."""
    seen: set[str] = set()
    for number, source in enumerate(given, 1):
        name = str(number) if source.id is None else str(source.id)
        if name in seen:
            raise DataError(f"duplicate document '{name}'; make ids unique", place=where)
        seen.add(name)
        texts = sentences_of(source.sentences)
        try:
            when = When.parse(source.time) if source.time else None
        except DataError as error:
            raise DataError(f"document '{name}': {error}", place=where) from None
        yield Document(
            id=name,
            sentences=tuple(Sentence(f"{name}-s{n:02}", text) for n, text in enumerate(texts, 1)),
            when=when,
            title=source.title,
        )


def _read_timelines(path: Path) -> Iterator[Topic]:
    """Topics with reference timelines and articles."""
    found = inputs.load_reference_files([path], Timeline, documents=True)
    bare = [topic.id for topic in found if not topic.documents]
    if bare:
        raise DataError(
            f"topic '{bare[0]}' has no articles.jsonl ({len(bare)} without in all); "
            "put one in its folder",
            place=path,
        )
    return iter(found)


def _read_folders(path: Path) -> Iterator[Topic]:
    """Topics with reference summaries and articles; each set of summaries is a topic."""
    inside = [child for child in layout.list_folder(path) if child.is_dir()]
    homes = [path] if (path / "summaries").is_dir() else inside
    homes = [home for home in homes if (home / "summaries").is_dir()]
    if not homes:
        raise DataError(
            "no topic has a folder 'summaries'; put references there, a file for each", place=path
        )
    for home in homes:
        name = layout.folder_name(home)
        file = layout.article_file(home, name)
        if file is None:
            raise DataError("there is no articles.jsonl; add the topic's documents", place=home)
        sources = tuple(articles.load(file))
        for label, files in _reference_sets(home / "summaries"):
            yield Topic(
                id=f"{name}-{label}" if label else name,
                summaries=tuple(
                    Summary(plain.load(f).sentences, layout.bare_name(f)) for f in files
                ),
                documents=sources,
            )


def _reference_sets(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """The sets of references of a topic; one without a name where files lie in the folder."""
    files = [child for child in layout.list_folder(folder) if child.is_file()]
    if files:
        yield "", files
    for child in layout.list_folder(folder):
        if child.is_dir():
            yield child.name, layout.list_folder(child)


def save(topics: Collection, path: Path) -> None:
    """Write a collection as JSON Lines, summaries as its references."""
    from chronoscore.formats.io.files import write_text

    encoder = msgspec.json.Encoder()
    lines = [
        encoder.encode(
            {
                "id": topic.id,
                "documents": [
                    {"id": d.id, "sentences": [sentence.text for sentence in d.sentences]}
                    for d in topic.documents
                ],
                "references": [list(summary.sentences) for summary in topic.summaries],
            }
        ).decode()
        for topic in topics
    ]
    write_text(path, "".join(f"{line}\n" for line in lines))
