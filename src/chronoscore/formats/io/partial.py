"""Runs on more topics than people judged or wrote references for."""

from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.core import Run
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import Note, warn_of_notes


def only_in_folders(run: Run, paths: Sequence[Path], known: Container[str]) -> list[str]:
    """The unknown topics of a run that do have a folder at one of the paths.

    They belong to the corpus, but lack what the others are scored by. Any other unknown topic is
    more likely a wrong name.
    """
    unknown = [name for name in run.outputs if name not in known]
    if not unknown:
        return []
    folders = {
        one.name for path in paths if path.is_dir() for one in path.iterdir() if one.is_dir()
    }
    return [name for name in unknown if name in folders]


def leave_out(run: Run, names: Sequence[str], lack: str, place: Path) -> Run:
    """The run without some of its topics, with a note on what these lack."""
    if not names:
        return run
    if len(names) == len(run.outputs):
        raise DataError(f"all its {lack} ('{names[0]}' first); check both", place=place)
    text = f"{len(names)} of {len(run.outputs)} {lack}, '{names[0]}' first; left out"
    warn_of_notes([Note(str(place), None, "dropped", text)])
    outputs = {name: output for name, output in run.outputs.items() if name not in names}
    return replace(run, outputs=outputs)
