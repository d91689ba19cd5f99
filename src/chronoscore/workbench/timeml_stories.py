"""TimeML and TREC-TS uploads, read by the same code as everywhere else.

Those readers want files, so an upload is put into a private folder under a name of ours;
XML is looked through first, with the expansion of entities switched off.
"""

import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from chronoscore.core import ChronoscoreWarning, DataError, Topic
from chronoscore.formats import timeml, trects
from chronoscore.workbench.imports import LONGEST_STORY, File, StoryDraft, label

LARGEST_XML = 8 * LONGEST_STORY
"""Bytes of a file of which one story is made; its tree in memory is many times larger."""

TREC = {"nuggets.tsv", "matches.tsv", *trects.UPDATES}


def timeml_story(file: File) -> StoryDraft:
    """A story with the events that software marked in it."""
    if len(file.raw) > LARGEST_XML:
        raise DataError(f"{label(file.name)}: is larger than a story may be; split it")
    try:
        defusedxml.ElementTree.fromstring(file.raw)
    except DefusedXmlException:
        raise DataError(f"{label(file.name)}: declares entities; remove them") from None
    except (ParseError, ValueError, LookupError) as error:
        raise DataError(f"{label(file.name)}: no XML ({error}); mend it") from None
    with _private([File("story.tml", file.raw)], file.name) as folder:
        tagged = timeml.load(folder / "story.tml")
    stem = PurePosixPath(file.name).stem
    spans = tuple((place.start, place.end) for place in tagged.sentences) or None
    created = tagged.created
    return StoryDraft(
        id=tagged.id if tagged.id != "story" else stem,
        text=tagged.text,
        time=str(created) if created is not None and created.grain == "day" else "",
        title=tagged.title or stem,
        spans=spans,
        anchors=tuple((event.id, event.start, event.end) for event in tagged.events),
    )


def is_trec(files: Iterable[File]) -> bool:
    """Whether these are the tables of TREC's Temporal Summarization track."""
    names = {PurePosixPath(file.name).name for file in files}
    return {"nuggets.tsv", "matches.tsv"} <= names


def is_updates(file: File) -> bool:
    """Whether this is a table of TREC's updates."""
    return file.raw.startswith(b"query_id\tupdate_id\t") and b"update_text" in file.raw[:200]


def trec_topics(files: Iterable[File]) -> list[Topic]:
    """The judged topics of TREC-TS tables; what the reader warns about is let pass."""
    tables = [
        File(PurePosixPath(file.name).name, file.raw)
        for file in files
        if PurePosixPath(file.name).name in TREC
    ]
    with _private(tables, "TREC-TS") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return list(trects.load(folder))


def trec_streams(file: File) -> list[Topic]:
    """The topics of a table of updates that nobody has judged yet."""
    with _private([File("updates.tsv", file.raw)], file.name) as folder:
        updates = trects.load_updates(folder / "updates.tsv")
    return [
        Topic(id=name, judgements=trects.judgements((), found, {}))
        for name, found in updates.items()
    ]


@contextmanager
def _private(files: Iterable[File], name: str) -> Iterator[Path]:
    """A folder that only we know, and errors that do not tell where it was."""
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            (Path(folder) / file.name).write_bytes(file.raw)
        try:
            yield Path(folder)
        except DataError as error:
            words = str(error).replace(f"{folder}/story.tml", label(name)).replace(f"{folder}/", "")
            raise DataError(words.replace(folder, label(name))) from None
