"""Check a submission to a shared task, and sign one."""

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.api.scores import ScoreResult
from chronoscore.api.scoring import score
from chronoscore.core import Collection, Output, Ranking, Run
from chronoscore.data.kinds import KINDS
from chronoscore.data.references import as_collection
from chronoscore.data.values import as_output
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError, did_you_mean
from chronoscore.formats.bench import submissions, tasks
from chronoscore.formats.bench.submissions import SUBMISSION, Submission
from chronoscore.formats.bench.tasks import COLLECTION, SharedTask
from chronoscore.formats.io.files import write_bytes
from chronoscore.progress import track

MOST_FAULTS = 100
"""Faults of one submission that are named."""


@dataclass(frozen=True)
class OpenTask:
    """A task that was read, with the references of one of its splits."""

    task: SharedTask
    split: str
    collection: Collection
    place: Path

    @classmethod
    def load(cls, folder: Path, split: str | None = None) -> "OpenTask":
        """Read a task; of several splits one has to be named."""
        task = tasks.load(folder)
        if split is None:
            split = "test" if "test" in task.splits else next(iter(task.splits))
        if split not in task.splits:
            raise UsageError(f"no split '{split}'; {did_you_mean(split, task.splits)}")
        known = as_collection(folder / COLLECTION, KINDS[task.kind])
        topics = {topic: known.topics[topic] for topic in task.splits[split]}
        return cls(task, split, Collection(topics, task.name), folder)

    def score(self, runs: Sequence[Run]) -> ScoreResult:
        """Score runs by the task's measures."""
        return score(list(runs), self.collection, list(self.task.measures))


@dataclass(frozen=True)
class Examined:
    """A submission that was read: what it says, what is wrong with it, what it holds."""

    path: Path
    faults: tuple[str, ...]
    submission: Submission | None = None
    run: Run | None = None


def check_submission(path: Path, task: Path) -> Examined:
    """Read a submission and score it again; every fault is one sentence."""
    named = _split_named(path)
    known = tasks.load(task).splits
    return examine(path, OpenTask.load(task, named if named in known else None))


def sign(
    path: Path, task: Path, *, split: str | None = None, name: str = "", by: str = ""
) -> Submission:
    """Score a folder of answers and write its `submission.json`; faults are refused."""
    if not path.is_dir():
        raise DataError("is no folder; sign the folder before it is packed", place=path)
    bench = OpenTask.load(task, split)
    system = name or path.resolve().name
    if fault := submissions.name_fault(system, by):
        raise UsageError(fault)
    files, faults = submissions.find_faults(path, tuple(bench.collection.topics))
    outputs, unread = _read(files, bench)
    if faults or unread:
        raise DataError([*faults, *unread][0], place=path)
    result = bench.score([Run(system, outputs)])
    submission = Submission(
        task=bench.task.name,
        checksum=bench.task.checksum,
        split=bench.split,
        system=system,
        by=by,
        signature=_portable(result.signature),
        scores=_figures(result),
        files={file.name: tasks.checksum_of(file) for file in files.values()},
    )
    write_bytes(path / SUBMISSION, tasks.encode(submission))
    return submission


def examine(path: Path, bench: OpenTask) -> Examined:
    """What is wrong with a submission; one that cannot be opened has a single fault."""
    try:
        folder = submissions.open_folder(path, len(bench.collection.topics))
        if not (folder / SUBMISSION).exists():
            raise DataError(f"holds no {SUBMISSION}; sign the folder with chronoscore bench check")
        given = tasks.decode(folder / SUBMISSION, Submission)
    except DataError as error:
        return Examined(path, clean([_without_place(error, path)]))
    if stranger := list(_find_strangeness(given, bench)):
        return Examined(path, clean(stranger), given)
    files, faults = submissions.find_faults(folder, tuple(bench.collection.topics))
    faults += submissions.find_changes(given, files)
    outputs, unread = _read(files, bench)
    run = Run(given.system, outputs)
    if not faults and not unread:
        result = bench.score([run])
        now = _portable(result.signature)
        faults += submissions.find_differences(given, now, _figures(result))
    return Examined(path, clean([*faults, *unread]), given, run)


def clean(faults: Sequence[str]) -> tuple[str, ...]:
    """Faults as they may be printed: a stranger's names can move no cursor and fill no screen."""
    shown = ["".join(c if c.isprintable() else "?" for c in one)[:400] for one in faults]
    more = len(shown) - MOST_FAULTS
    return (*shown[:MOST_FAULTS], *([f"and {more:,} more faults"] if more > 0 else []))


def _split_named(path: Path) -> str | None:
    """The split that a submission names, if it can be read."""
    try:
        folder = submissions.open_folder(path, submissions.MOST_TOPICS)
        return tasks.decode(folder / SUBMISSION, Submission).split
    except DataError:
        return None


def _find_strangeness(given: Submission, bench: OpenTask) -> Iterator[str]:
    """What shows that a submission was made for something else."""
    if fault := submissions.name_fault(given.system, given.by):
        yield fault
    if given.checksum != bench.task.checksum:
        yield (
            f"it was signed for another task or other references ({given.checksum[:12]}, and "
            f"this is {bench.task.checksum[:12]}); sign it with this task"
        )
    elif given.split != bench.split:
        yield f"it is of split '{given.split[:60]}' and not of '{bench.split}'"


def _read(files: Mapping[str, Path], bench: OpenTask) -> tuple[dict[str, Output], list[str]]:
    """The outputs of topics, and a sentence for each file that cannot be read."""
    needs, found, faults = KINDS[bench.task.kind], {}, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        for topic, file in track("reading", files.items(), len(files)):
            try:
                found[topic] = as_output(file, needs, f"topic '{topic}'")
            except DataError as error:
                faults.append(f"'{file.name}' cannot be read: {_without_place(error, file)}")
            except RecursionError:
                faults.append(f"'{file.name}' cannot be read: it is nested too deeply")
            else:
                if not _has_text(found[topic]):
                    faults.append(f"'{file.name}' holds no answer; write one for topic '{topic}'")
    return found, faults


def _has_text(output: Output) -> bool:
    """Whether an answer says anything; an empty one would pass for a poor one."""
    said = () if isinstance(output, Ranking) else output.sentences
    return any(one.strip() for one in said)


def _figures(result: ScoreResult) -> dict[str, float | None]:
    """The averages by name; undefined ones are nothing, as JSON has no other word."""
    return {
        one.measure.heading(one.part): None if math.isnan(one.value) else one.value
        for one in result.averages
    }


def _portable(signature: str) -> str:
    """A signature without the engine, which changes no figure."""
    return re.sub(r"\|engine:\w+", "", signature)


def _without_place(error: DataError, path: Path) -> str:
    """What an error says, without the folder that the reader of a report knows."""
    return str(error).replace(f"{path}: ", "").replace(f"{path.parent}/", "")
