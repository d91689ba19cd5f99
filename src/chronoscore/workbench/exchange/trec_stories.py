"""Uploads of TREC's Temporal Summarization track: judged topics, or updates to be judged."""

import warnings
from collections.abc import Iterable
from pathlib import PurePosixPath

from chronoscore.core import Topic
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import trects
from chronoscore.workbench.exchange.folders import in_folder
from chronoscore.workbench.exchange.imports import File

TABLES = {"nuggets.tsv", "matches.tsv", *trects.UPDATES}


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
        if PurePosixPath(file.name).name in TABLES
    ]
    with in_folder(tables, "TREC-TS") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return list(trects.load(folder))


def trec_streams(file: File) -> list[Topic]:
    """The topics of a table of updates that nobody has judged yet."""
    with in_folder([File("updates.tsv", file.raw)], file.name) as folder:
        updates = trects.load_updates(folder / "updates.tsv")
    return [
        Topic(id=name, judgements=trects.judgements((), found, {}))
        for name, found in updates.items()
    ]
