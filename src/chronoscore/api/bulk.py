"""Score files of records block by block: texts come and go, figures stay.

Where a file holds outputs and references, a record is scored by its own texts alone. Blocks can
then be counted anywhere and in any order, and memory is bounded by the blocks at work and the
figures of each record. Several files are several systems on the same topics.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from chronoscore.api.options import Workers
from chronoscore.api.shards import ShardFolder
from chronoscore.core import Collection, Run, Summary, Timeline, Topic
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora.unreadable import ReadingRules
from chronoscore.formats.io.decoding import wide_encoding
from chronoscore.formats.io.sources import Source, is_url
from chronoscore.formats.summaries.record_files import (
    FORMS,
    Columns,
    ReadRecords,
    RecordReader,
    record_file_format,
)
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.measures.languages import (
    is_ascii_only_measure,
    is_text_measure,
    language_of,
    warn_of_stop_words,
)
from chronoscore.measures.measure import Array, group_families
from chronoscore.measures.rouge.columns import Families, is_rouge_of_bytes, tally_rouge_of_block
from chronoscore.pipeline import begin_call, finish_in_order
from chronoscore.scoring import Progress, Scores, executor_capacity, make_score_signature
from chronoscore.text.languages import AUTO, is_in_unreadable_script

LARGE = 1 << 20
"""Bytes from which on a local file of JSON Lines is read in blocks."""


class TextsNeededError(Exception):
    """Something about these texts can only be decided from all of them together."""


@dataclass(frozen=True)
class Records:
    """Files of records that are to be scored, one for each system, and how."""

    sources: tuple[Source, ...]
    columns: Columns
    rules: ReadingRules

    def reader(self, source: Source) -> RecordReader:
        """A reader that has not begun."""
        return RecordReader(source, self.columns, self.rules.on_error)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems; no two files may have the same."""
        names = [source.bare_name for source in self.sources]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise DataError(
                    f"{self.sources[place]}: system '{name}' is named twice; "
                    "give systems different names"
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
        raise UsageError(f"{first}: holds texts and '{other}' scores {kind}; name another")

    def load(self) -> tuple[Collection, list[Run]]:
        """All records at once, for what needs all texts."""
        collection, runs, _ = self.load_with_notes()
        return collection, runs

    def load_with_notes(self) -> tuple[Collection, list[Run], str]:
        """The same, and how many records cannot be read, as a signature says it."""
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
            _warn_of_unreadable(reader)
            lost = lost or reader.describe_lost()
            runs.append(Run(system, outputs))
        return Collection(topics), runs, lost


def find_records(
    systems: Any, references: Any, columns: Columns | None, rules: ReadingRules, asked: bool
) -> Records | None:
    """The files of records that were passed; none where the arguments are anything else."""
    given = [systems] if isinstance(systems, str | Path) else systems
    paths = isinstance(given, list | tuple) and all(isinstance(one, str | Path) for one in given)
    nothing = references is None or (isinstance(references, list | tuple) and not references)
    sources = [Source.of(one) for one in given] if paths and nothing else []
    bulk = [source for source in sources if _is_read_in_blocks(source, columns, rules, asked)]
    if len(sources) > 1 and (
        rules.on_error in ("skip", "empty")
        or not all(source in bulk or _is_small_record_file(source, rules) for source in sources)
    ):
        bulk = []
    if bulk:
        _refuse_encoding(sources, rules)
        return Records(tuple(sources), columns or Columns(), rules)
    if len(sources) != 1:
        _refuse_columnar([given, references])
    return None


def _refuse_encoding(sources: Sequence[Source], rules: ReadingRules) -> None:
    """Refuse to read texts in blocks in another encoding than UTF-8."""
    plain = rules.encoding is None or rules.encoding.lower() in ("utf-8", "utf8", "utf-8-sig")
    if plain and rules.encoding_errors == "strict":
        return
    text = next((one for one in sources if record_file_format(one) != "parquet"), None)
    if text is not None:
        option = "--encoding-errors" if plain else "--encoding"
        raise UsageError(
            f"{text}: files of records are read in blocks as UTF-8; save the file as UTF-8 and "
            f"leave {option} out"
        )


def _is_small_record_file(source: Source, rules: ReadingRules) -> bool:
    """Whether a file that is too small to need blocks can be read beside one that does."""
    return (
        ".jsonl" in source.endings
        and rules.encoding is None
        and Path(source.name).is_file()
        and _holds_records(source)
    )


def _refuse_columnar(arguments: Sequence[Any]) -> None:
    """Refuse Parquet files and addresses where files are read as a whole."""
    for given in arguments:
        for one in given if isinstance(given, list | tuple) else [given]:
            if isinstance(one, str | Path) and (
                is_url(one) or Source.of(one).endings[-1:] == [".parquet"]
            ):
                raise UsageError(
                    f"{one}: a Parquet file or an address is scored with the references in its own "
                    "records, alone or beside other files of records and then without --on-error; "
                    "write JSON Lines for anything else"
                )


def _is_read_in_blocks(
    source: Source, columns: Columns | None, rules: ReadingRules, asked: bool
) -> bool:
    """Whether a file is read as records in blocks: by its name, its size and what it holds."""
    form = next((FORMS[ending] for ending in reversed(source.endings) if ending in FORMS), None)
    if is_url(source.name) or form == "parquet" or (form and asked):
        return True
    usual = rules.encoding is None and rules.encoding_errors == "strict"
    if form is None or not usual or not Path(source.name).is_file():
        return False
    if form == "csv":
        return _has_record_columns(source, columns or Columns())
    large = bool(source.packed) or source.size >= LARGE  # a small archive may hold anything
    tolerant = rules.on_error in ("skip", "empty")
    return (large or tolerant) and _holds_records(source)


def refuse_bulk() -> NoReturn:
    """Say that --column and --resume are for a file of records."""
    raise UsageError(
        "--column and --resume are for files of records with outputs and references "
        "(.jsonl, .csv or .parquet); leave them out"
    )


def _first_line(source: Source) -> bytes:
    """The first line that is not blank."""
    with source.open() as file:
        for line in file:
            if line.strip():
                return line
    return b""


def _holds_records(source: Source) -> bool:
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


def _has_record_columns(source: Source, columns: Columns) -> bool:
    """Whether the heading of a CSV file names the columns of records."""
    names = _first_line(source).decode("utf-8-sig", "replace").strip().split(",")
    bare = {name.strip().strip('"') for name in names}
    return {columns.system, *columns.references} <= bare


def score_in_blocks(
    records: Records,
    measures: Sequence[Measure],
    workers: Workers,
    shards: Path | None = None,
    progress: Progress | None = None,
) -> Scores | None:
    """Count block by block and put the tallies together; none where all texts are needed."""
    if not records.takes(measures) or any(language_of(m) == AUTO for m in measures):
        return None
    systems = records.systems
    warn_of_stop_words(measures, {})
    families = group_families(measures)
    folder = ShardFolder(shards, families) if shards else None
    threads = all(is_rouge_of_bytes(measure) for measure in measures)
    rows: list[list[Array]] = []
    readers: list[RecordReader] = []
    digests: list[str] = []
    try:
        with workers.executor(threads=threads) as executor:
            for source in records.sources:
                readers.append(records.reader(source))
                digest = hashlib.sha256()
                blocks = _read_blocks(readers, measures, progress)
                tallies = [*_count_blocks(blocks, families, executor, folder, digest)]
                rows.append([*_join_tallies(tallies)])
                digests.append(digest.hexdigest())
                _check_same_topics(readers, digests)
                del readers[1:]
    except TextsNeededError:
        return None
    reader = readers[0]
    _warn_of_unreadable(reader)
    signature = make_score_signature(
        list(dict.fromkeys(measures)),
        topics=str(len(reader.topics)),
        references=(reader.fewest, reader.most),
        digest=digests[0][:12],
        notes=reader.describe_lost(),
    )
    joined = (
        np.stack(one) if len(one) > 1 else one[0][np.newaxis] for one in zip(*rows, strict=True)
    )
    by_measure = dict(zip(chain.from_iterable(families), joined, strict=True))
    ordered = {measure: by_measure[measure] for measure in measures}
    return Scores(systems, tuple(reader.topics), ordered, signature)


def _check_same_topics(readers: Sequence[RecordReader], digests: Sequence[str]) -> None:
    """Take another way unless the files hold the same topics and references in the same order."""
    if digests[-1] != digests[0] or len(readers[-1].topics) != len(readers[0].topics):
        raise TextsNeededError


def _join_tallies(tallies: list[list[Array]]) -> Iterator[Array]:
    """The tallies of all blocks together, measure by measure, each let go once it is joined."""
    for place in range(len(tallies[0])):
        joined = np.concatenate([block[place] for block in tallies])
        for block in tallies:
            block[place] = joined[:0]
        yield joined


def _read_blocks(
    readers: Sequence[RecordReader], measures: Sequence[Measure], progress: Progress | None
) -> Iterator[ReadRecords]:
    """The blocks of the last of some files.

    A script that a measure cannot see stops the stream, and so do other topics than the first file
    has.
    """
    blind = any(is_text_measure(measure) and is_ascii_only_measure(measure) for measure in measures)
    first, reader = readers[0], readers[-1]
    done = 0
    for records in reader:
        block = records.block
        if reader is not first and first.topics[done : done + len(block)] != [*block.ids]:
            raise TextsNeededError
        for place in block.foreign_records() if blind else ():
            before = len(block) + int(block.sizes[:place].sum())
            theirs = [block.text(before + n) for n in range(int(block.sizes[place]))]
            if is_in_unreadable_script(theirs) or is_in_unreadable_script([block.text(place)]):
                raise TextsNeededError
        done += len(block)
        if progress:
            progress(done, 0)
        yield records


def _count_blocks(
    blocks: Iterator[ReadRecords],
    families: Families,
    executor: Executor | None,
    folder: ShardFolder | None,
    digest: "hashlib._Hash",
) -> Iterator[list[Array]]:
    """The tallies of each block in order, while the digest takes in its references.

    With an executor some blocks are counted there at a time, another thread feeds the digest, and
    the next blocks are read meanwhile.
    """

    def begin_block(number: int, records: ReadRecords) -> Callable[[], list[Array]]:
        block = records.block
        known = folder.load(number, block) if folder else None
        # First, as processes had better be forked before there is another thread.
        counted = (
            begin_call(executor, tally_rouge_of_block, families, block) if known is None else None
        )
        digested = begin_call(digester, lambda: digest.update(records.describe()))

        def finish_block() -> list[Array]:
            digested()
            if counted is None:
                return known or []
            tallies = list(chain.from_iterable(counted()))
            if folder:
                folder.save(number, block, tallies)
            return tallies

        return finish_block

    ahead = 0 if executor is None else 2 * executor_capacity(executor) + 1
    with nullcontext() if executor is None else ThreadPoolExecutor(1) as digester:
        begun = (begin_block(number, records) for number, records in enumerate(blocks))
        yield from finish_in_order(begun, ahead)


def _warn_of_unreadable(reader: RecordReader) -> None:
    """Say how many records could not be read, and what became of them."""
    lost = reader.left_out + reader.emptied
    if lost:
        what = "left out" if reader.left_out else "counted as empty"
        total = len(reader.topics) + reader.left_out
        warnings.warn(
            f"{lost} of {total} records cannot be read and are {what}; the first: "
            f"{reader.first_error}",
            ChronoscoreWarning,
            stacklevel=4,
        )
