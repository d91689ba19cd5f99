"""Several runs of one system: which folders or files inside a system's folder are runs.

A system's folder may hold a folder for each run with a file for each topic, or a folder for each
topic with a file for each run. Folders of several systems look the same, so that names and topics
must speak for runs: names that are equal apart from a whole number, which says what is repeated
(`seed-42`) or counts up from 0 or 1, and runs that have topics in common.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.errors import DataError
from chronoscore.formats.io import layout
from chronoscore.formats.io.notes import Note

_DIGITS = lazy.pattern(r"(\d+)")
_WORD = lazy.pattern(r"[^\W\d_]+")
_REPEATED = frozenset(
    (
        *("run", "runs", "seed", "sample", "rep", "repeat", "repetition", "replica", "replicate"),
        *("trial", "try", "attempt", "iter", "iteration", "pass", "take", "draw", "generation"),
        *("gen", "completion", "response", "roll", "rollout", "round"),
    )
)
"""Words that say that the same was done again, whatever number follows."""
_VARIED = frozenset(
    (
        *("v", "ver", "version", "model", "system", "prompt", "variant", "config"),
        *("configuration", "setting", "method", "approach", "baseline", "ablation", "exp"),
        *("experiment", "condition", "temp", "temperature", "top", "shot", "shots", "team"),
        *("group", "topic", "person", "annotator", "author", "judge", "checkpoint", "epoch"),
        *("step",),
    )
)
"""Words that say that each is another thing, although they are numbered."""


class RunFile(NamedTuple):
    """A file of a run: which run it is of, and which topic."""

    run: str
    topic: str
    file: Path


def are_numbered_runs(names: Collection[str]) -> bool:
    """Whether names are those of runs: equal apart from a whole number that counts repetitions.

    >>> are_numbered_runs(["run-1", "run-2"]), are_numbered_runs(["seed7", "seed42"])
    (True, True)
    >>> are_numbered_runs(["gpt-3", "gpt-4"]), are_numbered_runs(["v1", "v2"])
    (False, False)
    """
    split = [_DIGITS.split(name) for name in names]
    if len({tuple(pieces[::2]) for pieces in split}) != 1 or len(split[0]) < 3:
        return False
    numbers = [*zip(*(pieces[1::2] for pieces in split), strict=True)]
    varying = [place for place, column in enumerate(numbers) if len({*column}) > 1]
    if len(varying) > 1:
        return False
    place = varying[0] if varying else len(numbers) - 1
    before, after = split[0][2 * place], split[0][2 * place + 2]
    if (before == "." and place) or (after == "." and place + 1 < len(numbers)):
        # A decimal number is a setting.
        return False
    words = {word.casefold() for word in _WORD.findall(before)[-1:] + _WORD.findall(after)[:1]}
    if words & _REPEATED:
        return True
    counted = sorted(map(int, numbers[place]))
    upwards = counted == list(range(counted[0], counted[0] + len(counted)))
    return len(counted) > 1 and counted[0] in (0, 1) and upwards and not words & _VARIED


def find_runs(path: Path, store: str, topics: Collection[str], notes: list[Note]) -> list[RunFile]:
    """The runs that names and topics show a system's folder to hold; none where they do not.

    A note says what was taken as runs.
    """
    try:
        found = list_runs(path, store, topics)
    except DataError:
        return []
    names = list(dict.fromkeys(one.run for one in found))
    if not are_numbered_runs(names) or not _share_topics(found):
        return []
    notes.append(Note(str(path), None, "guessed", _describe_runs(path, found)))
    return found


def list_runs(path: Path, store: str, topics: Collection[str]) -> list[RunFile]:
    """The files of a folder of runs: a folder for each run, or for each of the known topics."""
    children = layout.run_children(path, store)
    folders = [child for child in children if child.is_dir()]
    beside = [child for child in children if child not in folders]
    if beside:
        raise DataError(
            f"holds files ('{beside[0].name}') beside folders of runs ('{folders[0].name}'); "
            "keep one kind",
            place=path,
        )
    if all(folder.name in topics for folder in folders):
        return [
            RunFile(layout.bare_name(file), folder.name, file)
            for folder in folders
            for file in _files(folder)
        ]
    return [
        RunFile(folder.name, topic, file)
        for folder in folders
        for topic, file in layout.system_files(folder, store)
    ]


def _files(folder: Path) -> list[Path]:
    """The files of a topic's folder, which must not hold folders."""
    found = layout.list_folder(folder)
    if inside := [file for file in found if file.is_dir()]:
        raise DataError(f"holds folders ('{inside[0].name}'); put files in it", place=folder)
    return found


def _share_topics(found: Sequence[RunFile]) -> bool:
    """Whether each run has a topic that another run has too."""
    by_run: dict[str, set[str]] = {}
    for one in found:
        by_run.setdefault(one.run, set()).add(one.topic)
    if len(by_run) == 1:
        return True
    counts: dict[str, int] = {}
    for topics in by_run.values():
        for topic in topics:
            counts[topic] = counts.get(topic, 0) + 1
    return all(any(counts[topic] > 1 for topic in topics) for topics in by_run.values())


def _describe_runs(path: Path, found: Sequence[RunFile]) -> str:
    """What was taken as runs, and what to type if it is something else."""
    names = list(dict.fromkeys(one.run for one in found))
    sign = " and " if len(names) == 2 else " … "
    listed = f"'{names[0]}'" if len(names) == 1 else f"'{names[0]}'{sign}'{names[-1]}'"
    what = f"{len(names)} runs of one system" if len(names) > 1 else "a run of this system"
    if found[0].topic == found[0].file.parent.name:
        return f"the files {listed} in its folders are taken as {what}"
    verb = "are" if len(names) > 1 else "is"
    return f"{listed} {verb} taken as {what}; to score each as a system, give {path}/*"
