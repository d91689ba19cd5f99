"""Files of records: found among the arguments, and read as a whole where texts are needed.

What can be counted block by block never comes here: see `chronoscore.scoring.blocks`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.core import Collection, Run, Summary, Timeline, Topic
from chronoscore.data.values import is_missing
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.formats.io.decoding import wide_encoding
from chronoscore.formats.io.sources import FileSource, is_url
from chronoscore.formats.summaries.record_layout import (
    FORMS,
    Columns,
    RecordForm,
    record_file_format,
)
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.options import ReadingRules
from chronoscore.options.scoring import RecordOptions

if TYPE_CHECKING:
    from chronoscore.formats.summaries.record_files import RecordReader

LARGE = 1 << 20
"""Bytes from which on a local file of JSON Lines is read in blocks."""


@dataclass(frozen=True)
class RecordFiles:
    """Files of records that are to be scored, one for each system, and how."""

    sources: tuple[FileSource, ...]
    columns: Columns
    rules: ReadingRules

    def reader(self, source: FileSource) -> "RecordReader":
        """A reader that has not begun."""
        # Only files that are read in blocks pay for its import.
        from chronoscore.formats.summaries.record_files import RecordReader

        return RecordReader(source, self.columns, self.rules.on_error)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems; no two files may have the same."""
        names = [source.bare_name for source in self.sources]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise DataError(
                    f"system '{name}' is named twice; give systems different names",
                    place=self.sources[place],
                )
        return tuple(names)

    def takes(self, measures: Sequence[Measure]) -> bool:
        """Whether the measures score what the file holds.

        JSON Lines may hold timelines as text; other files of records hold nothing but texts.
        """
        other = next((one for one in measures if one.needs is not Summary), None)
        if other is None:
            return True
        first = self.sources[0]
        if record_file_format(first) == "jsonl" and not is_url(first.name):
            return False
        kind = "timelines" if other.needs is Timeline else "rankings"
        raise UsageError(f"holds texts and '{other}' scores {kind}; name another", place=first)

    def load(self) -> tuple[Collection, list[Run], str]:
        """All records at once, and how many cannot be read, as a signature says it."""
        topics: dict[str, Topic] = {}
        runs: list[Run] = []
        lost = ""
        for system, source in zip(self.systems, self.sources, strict=True):
            outputs: dict[str, Summary] = {}
            reader = self.reader(source)
            for records in reader:
                for topic, output in records.block.pairs():
                    known = topics.setdefault(topic.id, topic)
                    more = tuple(one for one in topic.summaries if one not in known.summaries)
                    if more:
                        topics[topic.id] = replace(known, summaries=known.summaries + more)
                    outputs[topic.id] = output
            warn_of_unreadable(reader)
            lost = lost or reader.describe_lost()
            runs.append(Run(system, outputs))
        return Collection(topics), runs, lost


def find(
    systems: Any, references: Any, options: RecordOptions, rules: ReadingRules
) -> RecordFiles | None:
    """The files of records that were passed; none where the arguments are anything else."""
    given = [systems] if isinstance(systems, str | Path) else systems
    sources = _sources_of(given) if is_missing(references) else []
    look = _RecordLook(options.columns or Columns(), rules, options.asked)
    bulk = [source for source in sources if look.is_read_in_blocks(source)]
    if bulk and look.fit_together(sources, bulk):
        _refuse_encoding(sources, rules)
        return RecordFiles(tuple(sources), look.columns, rules)
    if len(sources) != 1:
        _refuse_columnar([given, references])
    return None


def _sources_of(given: object) -> list[FileSource]:
    """The files and addresses that systems are; none where any is something else."""
    if not isinstance(given, list | tuple):
        return []
    paths = [one for one in given if isinstance(one, str | Path)]
    return [FileSource.of(one) for one in paths] if len(paths) == len(given) else []


@dataclass(frozen=True)
class _RecordLook:
    """Tells files that are read as records in blocks: by name, by size and by their first line."""

    columns: Columns
    rules: ReadingRules
    asked: bool
    """Whether the user expects files of records."""

    @property
    def tolerant(self) -> bool:
        """Whether records that cannot be read are to be passed over."""
        return self.rules.on_error in ("skip", "empty")

    def is_read_in_blocks(self, source: FileSource) -> bool:
        """Whether a file has to be read in blocks, or is large enough."""
        form = next((FORMS[ending] for ending in reversed(source.endings) if ending in FORMS), None)
        if is_url(source.name) or form == "parquet":
            return True
        if form is None or self.asked:
            return form is not None
        usual = self.rules.encoding is None and self.rules.encoding_errors == "strict"
        return usual and Path(source.name).is_file() and self._looks_like_records(source, form)

    def _looks_like_records(self, source: FileSource, form: RecordForm) -> bool:
        """Whether the first line is that of records; small JSON Lines are not looked at."""
        if form == "csv":
            return _has_record_columns(source, self.columns)
        large = bool(source.packed) or source.size >= LARGE  # a small archive may hold anything
        return (large or self.tolerant) and _holds_records(source)

    def fit_together(self, sources: Sequence[FileSource], bulk: Sequence[FileSource]) -> bool:
        """Whether all files can be read as records: one file, or several without broken records."""
        if len(sources) == 1:
            return True
        if self.tolerant and self.asked and len(bulk) == len(sources):
            raise UsageError(
                f"`on_error={self.rules.on_error!r}` with `columns` or `resume` is for one file of "
                "records; score each file alone, or leave it out"
            )
        return not self.tolerant and all(
            source in bulk or self._is_small(source) for source in sources
        )

    def _is_small(self, source: FileSource) -> bool:
        """Whether a file that is too small to need blocks can be read beside one that does."""
        return (
            ".jsonl" in source.endings
            and self.rules.encoding is None
            and Path(source.name).is_file()
            and _holds_records(source)
        )


def _refuse_encoding(sources: Sequence[FileSource], rules: ReadingRules) -> None:
    """Refuse to read texts in blocks in another encoding than UTF-8."""
    plain = rules.encoding is None or rules.encoding.lower() in ("utf-8", "utf8", "utf-8-sig")
    if plain and rules.encoding_errors == "strict":
        return
    text = next((one for one in sources if record_file_format(one) != "parquet"), None)
    if text is not None:
        option = "encoding_errors" if plain else "encoding"
        raise UsageError(
            f"{text}: files of records are read in blocks as UTF-8; save the file as UTF-8 and "
            f"leave out `{option}`"
        )


def _refuse_columnar(arguments: Sequence[Any]) -> None:
    """Refuse Parquet files and addresses where files are read as a whole."""
    for given in arguments:
        for one in given if isinstance(given, list | tuple) else [given]:
            if isinstance(one, str | Path) and (
                is_url(one) or FileSource.of(one).endings[-1:] == [".parquet"]
            ):
                raise UsageError(
                    "a Parquet file or an address is scored with the references in its own "
                    "records, alone or beside other files of records and then without `on_error`; "
                    "write JSON Lines for anything else",
                    place=one,
                )


def _first_line(source: FileSource) -> bytes:
    """The first line that is not blank."""
    with source.open() as file:
        for line in file:
            if line.strip():
                return line
    return b""


def _holds_records(source: FileSource) -> bool:
    """Whether JSON Lines hold texts with their references, by a look at the first line."""
    line = _first_line(source)
    if wide_encoding(line) or b'"references"' not in line or b'"system"' not in line:
        return False
    try:
        reading = timeline_files.read_timeline_text(
            line.decode("utf-8-sig"), str(source), form="jsonl"
        )
    except (DataError, UnicodeDecodeError):
        return True
    return not any(len(labeled.timeline) for labeled in reading.timelines)


def _has_record_columns(source: FileSource, columns: Columns) -> bool:
    """Whether the heading of a CSV file names the columns of records."""
    names = _first_line(source).decode("utf-8-sig", "replace").strip().split(",")
    bare = {name.strip().strip('"') for name in names}
    return {columns.system, *columns.references} <= bare


def warn_of_unreadable(reader: "RecordReader") -> None:
    """Say how many records could not be read, and what became of them."""
    lost = reader.left_out + reader.emptied
    if lost:
        what = "left out" if reader.left_out else "counted as empty"
        total = len(reader.topics) + reader.left_out
        warn(
            f"{lost} of {total} records cannot be read and are {what}; the first: "
            f"{reader.first_error}",
            kind="unreadable-records",
        )
