"""Tables with a column for each system and one or more of references."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries.record_layout import Columns

Outputs = dict[str, dict[str, str]]
References = dict[str, list[str]]


def read_columns(
    path: Path, systems: Sequence[str], references: Sequence[str], record_id: str | None
) -> tuple[Outputs, References]:
    """What each system wrote about each topic, and the references of the topics."""
    named = tuple(references) or ("references",)
    return _read(path, tuple(systems), named, record_id, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _read(
    path: Path,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    record_id: str | None,
    _changed: int,
) -> tuple[Outputs, References]:
    # Readers of records import NumPy; only such tables pay for it.
    from chronoscore.formats.summaries.record_files import RecordReader

    outputs: Outputs = {}
    known: References = {}
    for system in systems:
        columns = Columns(id=record_id, system=system, references=references)
        own = outputs.setdefault(system, {})
        for records in RecordReader(FileSource.of(path), columns):
            for topic, output in records.block.pairs():
                own[topic.id] = "\n".join(output.sentences)
                known[topic.id] = ["\n".join(one.sentences) for one in topic.summaries]
    return outputs, known
