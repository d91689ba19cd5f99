"""Damaged copies of timelines as files, for judges and other programs that read files."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from chronoscore.checks import choose_alterations, list_copies
from chronoscore.core import Timeline
from chronoscore.data.arguments import References
from chronoscore.data.references import as_collection
from chronoscore.data.values import as_list, as_path
from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.options.checks import Altering


def write_copies(
    timelines: References,
    folder: str | PathLike[str],
    *,
    damages: str | Sequence[str] = "all",
    share: float = Altering.share,
    seed: int = Altering.seed,
) -> list[Path]:
    """Write every timeline unaltered, and its damaged copies, one folder for each damage.

    They are those that `check` compares with the same damages, share and seed.
    """
    top = as_path(folder, "folder of copies")
    if top.exists() and (not top.is_dir() or any(top.iterdir())):
        raise DataError("is there already; name a new or an empty folder", place=top)
    topics = as_collection(timelines, Timeline, repeated="merge")
    how = Altering(share=share, seed=seed)
    copies = list(list_copies(topics, choose_alterations(as_list(damages)), how))
    if not copies:
        raise DataError("there is no timeline to damage; give at least one that has entries")
    files = [top / one.run / f"{one.topic}.jsonl" for one in copies]
    if bad := next((file for file in files if file.parent.parent != top), None):
        raise DataError(f"topic '{bad.stem}' cannot name a file; rename it")
    for file, one in zip(files, copies, strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        timeline_files.save(one.timeline, file, "jsonl")
    return files
