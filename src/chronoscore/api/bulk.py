"""Score a file of records block by block: texts come and go, figures stay.

Where one file holds outputs and references, a record is scored by its own texts alone. Blocks can
then be counted anywhere and in any order, and memory is bounded by the blocks at work and the
figures of each record.
"""

import hashlib
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
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
from chronoscore.formats.summaries.record_blocks import RecordBlock
from chronoscore.formats.summaries.record_files import FORMS, Columns, RecordReader, form_of
from chronoscore.formats.timelines import timeline_files
from chronoscore.measures import Measure
from chronoscore.measures.languages import is_blind, language_of, reads_text, warn_of_stop_words
from chronoscore.measures.measure import Array, group_families
from chronoscore.measures.rouge.columns import Families, is_flat, tally_block
from chronoscore.scoring import Progress, Scores, capacity, sign
from chronoscore.text.languages import AUTO, is_unseen

LARGE = 16 << 20
"""Bytes from which on a local file of JSON Lines is read in blocks."""


class TextsNeededError(Exception):
    """Something about these texts can only be decided from all of them together."""


@dataclass(frozen=True)
class Records:
    """One file of records that is to be scored, and how."""

    source: Source
    columns: Columns
    rules: ReadingRules

    def reader(self) -> RecordReader:
        """A reader that has not begun."""
        return RecordReader(self.source, self.columns, self.rules.on_error)

    def takes(self, measures: Sequence[Measure]) -> bool:
        """Whether the measures score what the file holds.

        JSON Lines may hold timelines as text; other files of records hold nothing but texts.
        """
        other = next((one for one in measures if one.needs is not Summary), None)
        if other is None:
            return True
        if form_of(self.source) == "jsonl" and not is_url(self.source.name):
            return False
        kind = "timelines" if other.needs is Timeline else "rankings"
        raise UsageError(f"{self.source}: holds texts and '{other}' scores {kind}; name another")

    def load(self) -> tuple[Collection, list[Run]]:
        """All records at once, for what needs all texts."""
        topics: dict[str, Topic] = {}
        outputs: dict[str, Summary] = {}
        reader = self.reader()
        for records in reader:
            for topic, output in records.block.pairs():
                topics[topic.id], outputs[topic.id] = topic, output
        warn_of_unreadable(reader)
        return Collection(topics), [Run(self.source.bare_name, outputs)]


def find_records(
    systems: Any, references: Any, columns: Columns | None, rules: ReadingRules, asked: bool
) -> Records | None:
    """The one file of records that was passed; none where the arguments are anything else."""
    given = [systems] if isinstance(systems, str | Path) else systems
    lone = isinstance(given, list | tuple) and len(given) == 1 and isinstance(given[0], str | Path)
    nothing = references is None or (isinstance(references, list | tuple) and not references)
    source = Source.of(given[0]) if lone and nothing else None
    if source is None:
        refuse_columnar([given, references])
    if source is not None and is_bulk(source, columns, rules, asked):
        return Records(source, columns or Columns(), rules)
    return None


def refuse_columnar(arguments: Sequence[Any]) -> None:
    """Refuse Parquet files and addresses where files are read as a whole."""
    for given in arguments:
        for one in given if isinstance(given, list | tuple) else [given]:
            if isinstance(one, str | Path) and (
                is_url(one) or Source.of(one).endings[-1:] == [".parquet"]
            ):
                raise UsageError(
                    f"{one}: a Parquet file or an address is scored alone, with the references in "
                    "its own records; write JSON Lines to score several"
                )


def is_bulk(source: Source, columns: Columns | None, rules: ReadingRules, asked: bool) -> bool:
    """Whether a file is read as records in blocks: by its name, its size and what it holds."""
    form = next((FORMS[ending] for ending in reversed(source.endings) if ending in FORMS), None)
    if is_url(source.name) or form == "parquet" or (form and asked):
        return True
    usual = rules.encoding is None and rules.encoding_errors == "strict"
    if form is None or not usual or not Path(source.name).is_file():
        return False
    if form == "csv":
        return has_columns(source, columns or Columns())
    large = bool(source.packed) or source.size >= LARGE  # a small archive may hold anything
    tolerant = rules.on_error in ("skip", "empty")
    return (large or tolerant) and holds_records(source)


def refuse_bulk() -> NoReturn:
    """Say that --column and --resume are for a file of records."""
    raise UsageError(
        "--column and --resume are for one file of records with outputs and references "
        "(.jsonl, .csv or .parquet); leave them out"
    )


def first_line(source: Source) -> bytes:
    """The first line that is not blank."""
    with source.open() as file:
        for line in file:
            if line.strip():
                return line
    return b""


def holds_records(source: Source) -> bool:
    """Whether JSON Lines hold texts with their references, by a look at the first line."""
    line = first_line(source)
    if wide_encoding(line) or b'"references"' not in line or b'"system"' not in line:
        return False
    try:
        reading = timeline_files.read_content(line.decode("utf-8-sig"), str(source), form="jsonl")
    except (DataError, UnicodeDecodeError):
        return True
    return not any(len(labeled.timeline) for labeled in reading.timelines)


def has_columns(source: Source, columns: Columns) -> bool:
    """Whether the heading of a CSV file names the columns of records."""
    names = first_line(source).decode("utf-8-sig", "replace").strip().split(",")
    bare = {name.strip().strip('"') for name in names}
    return {columns.system, *columns.references} <= bare


def stream_scores(
    records: Records,
    measures: Sequence[Measure],
    workers: Workers,
    shards: Path | None = None,
    progress: Progress | None = None,
) -> Scores | None:
    """Count block by block and put the tallies together; none where all texts are needed."""
    if not records.takes(measures) or any(language_of(m) == AUTO for m in measures):
        return None
    warn_of_stop_words(measures, {})
    families = group_families(measures)
    reader, digest = records.reader(), hashlib.sha256()
    tallies: list[list[Array]] = []
    threads = all(is_flat(measure) for measure in measures)
    try:
        with workers.executor(threads=threads) as executor:
            blocks = read_blocks(reader, digest, measures, progress)
            folder = ShardFolder(shards, families) if shards else None
            ahead = 0 if executor is None else 2 * capacity(executor) + 1
            for counted in count_blocks(blocks, families, executor, folder, ahead):
                tallies.append(counted)
    except TextsNeededError:
        return None
    warn_of_unreadable(reader)
    signature = sign(
        list(dict.fromkeys(measures)),
        topics=str(len(reader.topics)),
        references=(reader.fewest, reader.most),
        digest=digest.hexdigest()[:12],
        notes=reader.describe_lost(),
    )
    by_measure = dict(zip(chain.from_iterable(families), join_columns(tallies), strict=True))
    ordered = {measure: by_measure[measure] for measure in measures}
    return Scores((records.source.bare_name,), tuple(reader.topics), ordered, signature)


def join_columns(tallies: list[list[Array]]) -> Iterator[Array]:
    """The tallies of all blocks together, measure by measure, each let go once it is joined."""
    for place in range(len(tallies[0])):
        joined = np.concatenate([block[place] for block in tallies])
        for block in tallies:
            block[place] = joined[:0]
        yield joined[np.newaxis]


def read_blocks(
    reader: RecordReader,
    digest: "hashlib._Hash",
    measures: Sequence[Measure],
    progress: Progress | None,
) -> Iterator[RecordBlock]:
    """The blocks of a file; a script that a measure cannot see stops the stream."""
    blind = any(reads_text(measure) and is_blind(measure) for measure in measures)
    done = 0
    for records in reader:
        block = records.block
        digest.update(records.described)
        for place in block.foreign_records() if blind else ():
            before = len(block) + int(block.sizes[:place].sum())
            theirs = [block.text(before + n) for n in range(int(block.sizes[place]))]
            if is_unseen(theirs) or is_unseen([block.text(place)]):
                raise TextsNeededError
        done += len(block)
        if progress:
            progress(done, 0)
        yield block


def count_blocks(
    blocks: Iterator[RecordBlock],
    families: Families,
    executor: Executor | None,
    folder: ShardFolder | None,
    ahead: int,
) -> Iterator[list[Array]]:
    """The tallies of each block in order, with at most `ahead` blocks at work or waiting."""
    waiting: deque[Callable[[], list[Array]]] = deque()
    for number, block in enumerate(blocks):
        known = folder.load(number, block) if folder else None
        if known is not None:
            waiting.append(lambda known=known: known)  # type: ignore[misc]
        else:
            count = (
                partial(tally_block, families, block)
                if executor is None
                else executor.submit(tally_block, families, block).result
            )
            waiting.append(partial(finish_block, count, number, block, folder))
        while len(waiting) > ahead:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def finish_block(
    count: Callable[[], list[list[Array]]],
    number: int,
    block: RecordBlock,
    folder: ShardFolder | None,
) -> list[Array]:
    """Wait for a block's tallies, and keep them for another run if asked for."""
    tallies = list(chain.from_iterable(count()))
    if folder:
        folder.save(number, block, tallies)
    return tallies


def warn_of_unreadable(reader: RecordReader) -> None:
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
