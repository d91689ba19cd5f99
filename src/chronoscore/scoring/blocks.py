"""Score files of records block by block: texts come and go, figures stay.

Where a file holds outputs and references, a record is scored by its own texts alone. Blocks can
then be counted anywhere and in any order, and memory is bounded by the blocks at work and the
figures of each record. Several files are several systems on the same topics.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from itertools import chain

import numpy as np

from chronoscore.data.records import warn_of_unreadable
from chronoscore.data.stages import RecordData
from chronoscore.formats.summaries.record_files import ReadRecords, RecordReader
from chronoscore.kernel import warn_of_slow_counting
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
from chronoscore.progress import announce
from chronoscore.scoring.counting import executor_capacity
from chronoscore.scoring.finished import ShardFolder, clear_shards
from chronoscore.scoring.scores import Progress, Scores
from chronoscore.scoring.signature import compose, digest_lines, join_digests
from chronoscore.text.languages import AUTO, is_in_unreadable_script
from chronoscore.workers import Workers


class TextsNeededError(Exception):
    """Something about these texts can only be decided from all of them together."""


def evaluate_blocks(
    data: RecordData, workers: Workers | None = None, progress: Progress | None = None
) -> Scores | None:
    """Count block by block and put the tallies together; none where all texts are needed."""
    announce("scoring records")
    if data.shards and not data.resume:
        clear_shards(data.shards)
    records, measures = data.files, data.choice.measures
    if any(language_of(m) == AUTO for m in measures):
        return None
    systems = records.systems
    warn_of_stop_words(measures, {})
    families = group_families(measures)
    folder = ShardFolder(data.shards, families) if data.shards else None
    threads = all(is_rouge_of_bytes(measure) for measure in measures)
    rows: list[list[Array]] = []
    readers: list[RecordReader] = []
    hashes: list[str] = []
    try:
        with (workers or Workers()).executor(threads=threads) as executor:
            for source in records.sources:
                readers.append(records.reader(source))
                digests: list[bytes] = []
                blocks = _read_blocks(readers, measures, progress)
                tallies = [*_count_blocks(blocks, families, executor, folder, digests)]
                rows.append([*_join_tallies(tallies)])
                hashes.append(join_digests(digests))
                _check_same_topics(readers, hashes)
                del readers[1:]
    except TextsNeededError:
        return None
    reader = readers[0]
    warn_of_unreadable(reader)
    warn_of_slow_counting([len(systems) * len(reader.topics) * reader.fewest])
    signature = compose(
        list(dict.fromkeys(measures)),
        topics=str(len(reader.topics)),
        references=(reader.fewest, reader.most),
        digest=hashes[0],
        notes=reader.describe_lost(),
    )
    joined = (
        np.stack(one) if len(one) > 1 else one[0][np.newaxis] for one in zip(*rows, strict=True)
    )
    by_measure = dict(zip(chain.from_iterable(families), joined, strict=True))
    ordered = {measure: by_measure[measure] for measure in measures}
    return Scores(systems, tuple(reader.topics), ordered, signature)


def _check_same_topics(readers: Sequence[RecordReader], hashes: Sequence[str]) -> None:
    """Take another way unless the files hold the same topics and references."""
    if hashes[-1] != hashes[0] or len(readers[-1].topics) != len(readers[0].topics):
        raise TextsNeededError


def _join_tallies(tallies: list[list[Array]]) -> Iterator[Array]:
    """The tallies of all blocks together, measure by measure, each removed once it is joined."""
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
    digests: list[bytes],
) -> Iterator[list[Array]]:
    """The tallies of each block in order, while its references are digested.

    With an executor some blocks are counted there at a time, another thread digests, and the next
    blocks are read meanwhile.
    """

    def begin_block(number: int, records: ReadRecords) -> Callable[[], list[Array]]:
        block = records.block
        known = folder.load(number, block) if folder else None
        # First, as processes had better be forked before there is another thread.
        counted = (
            begin_call(executor, tally_rouge_of_block, families, block) if known is None else None
        )
        digested = begin_call(digester, lambda: digests.append(digest_lines(records.describe())))

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
