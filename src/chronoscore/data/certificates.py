"""Certificates that come with judgements: which files of a call have one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chronoscore.data.machines import machine_sources
from chronoscore.data.values import are_paths, as_paths, is_missing
from chronoscore.formats.io.layout import is_json_lines_file
from chronoscore.formats.judgements.certificate_files import Certificate, find_certificate


def certificates_beside(*given: Any, machine: Any = None) -> tuple[Certificate, ...]:
    """The certificates of the judges whose files were given, each once."""
    paths = [path for one in given if are_paths(one) for path in as_paths(one)]
    if not is_missing(machine):
        paths += machine_sources(machine).paths
    found = [find_certificate(file) for path in dict.fromkeys(paths) for file in _judged_in(path)]
    return tuple({one.digest: one for one in found if one is not None}.values())


def _judged_in(path: Path) -> Iterator[Path]:
    """A file of judgements, or those below a folder."""
    inside = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    yield from (file for file in inside if file.is_file() and is_json_lines_file(file))
