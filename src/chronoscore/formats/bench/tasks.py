"""A shared task: `task.json` says what is scored and how, and freezes it by checksums."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io.files import BOM, read_bytes

TASK = "task.json"
COLLECTION = "collection"
BASELINES = "baselines"
NOT_STATED = "not stated"
LARGEST = 4 << 20
"""Bytes of a description; more is no description."""
Read = TypeVar("Read", bound=msgspec.Struct)


class CorpusCard(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Where a corpus comes from; what was counted stands beside what people say of it."""

    title: str = ""
    source: str = NOT_STATED
    license: str = NOT_STATED
    judged_by: str = NOT_STATED
    known_faults: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    """The first and the last date of the references."""
    sizes: dict[str, int] = {}


class SharedTask(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What is scored, against what, by which measures."""

    chronoscore_task: int = 1
    name: str
    kind: str
    measures: tuple[str, ...]
    signatures: dict[str, str]
    splits: dict[str, tuple[str, ...]]
    files: dict[str, str]
    """The checksum of each file of the collection."""
    card: CorpusCard

    @property
    def checksum(self) -> str:
        """What a submission names; a corrected card changes nothing."""
        frozen = {
            name: value
            for name, value in msgspec.to_builtins(self).items()
            if name not in ("card", "signatures")
        }
        return hashlib.sha256(encode(frozen)).hexdigest()


def encode(value: Any) -> bytes:
    """A description as it is written, the same for equal values."""
    return msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2) + b"\n"


def checksum_of(path: Path) -> str:
    """The checksum of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def checksums_below(folder: Path) -> dict[str, str]:
    """The checksum of every file of a folder, by its path in it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): checksum_of(path) for path in files}


def decode(path: Path, kind: type[Read]) -> Read:
    """Read a description; what is no such description is refused with the key at fault."""
    if path.is_file() and path.stat().st_size > LARGEST:
        raise DataError(f"is larger than {LARGEST >> 20} MB and no description", place=path)
    raw = read_bytes(path).removeprefix(BOM)
    try:
        value = msgspec.json.decode(raw, type=kind)
        json.loads(raw, object_pairs_hook=_refuse_repeated)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        # A message of msgspec begins with a capital letter and names the key.
        text = str(error)
        text = text if text.startswith("JSON") else f"{text[:1].lower()}{text[1:]}"
        raise DataError(
            f"cannot be used ({text}); write it with chronoscore bench", place=path
        ) from None
    return value


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> None:
    """Refuse a key that comes twice: people may read the one, and programs the other."""
    keys = [key for key, _ in pairs]
    if len({*keys}) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"'{twice[:60]}' comes twice")


def load(folder: Path) -> SharedTask:
    """The task of a folder; a collection that has changed since it was frozen is refused."""
    if not (folder / TASK).exists():
        raise DataError(f"holds no {TASK}; make a task with chronoscore bench make", place=folder)
    task = decode(folder / TASK, SharedTask)
    now = checksums_below(folder / COLLECTION)
    changed = sorted(name for name in {*now, *task.files} if now.get(name) != task.files.get(name))
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise DataError(
            f"'{changed[0]}'{more} changed after the task was frozen; restore it",
            place=folder / COLLECTION,
        )
    return task


def describe_card(task: SharedTask) -> str:
    """The card as a page of Markdown."""
    card = task.card
    rows: Mapping[str, str] = {
        "source": card.source,
        "license": card.license,
        "languages": ", ".join(card.languages) or NOT_STATED,
        "dates": " to ".join(card.dates) or NOT_STATED,
        "sizes": ", ".join(f"{name}: {count:,}" for name, count in card.sizes.items()),
        "splits": ", ".join(f"{name}: {len(ids)} topics" for name, ids in task.splits.items()),
        "judged by": card.judged_by,
        "known faults": "; ".join(card.known_faults) or "none stated",
        "measures": ", ".join(task.measures),
        "checksum": task.checksum,
    }
    lines = [f"| {name} | {_in_cell(value)} |" for name, value in rows.items()]
    table = "\n".join(["| | |", "|---|---|", *lines])
    return f"# {_in_cell(card.title or task.name)}\n\n{table}\n"


def _in_cell(text: str) -> str:
    """Text that cannot end a cell of a table, nor begin markup of a page."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
