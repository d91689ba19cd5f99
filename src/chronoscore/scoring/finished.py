"""Tallies of finished blocks in a folder, so that a run that was stopped can go on.

A shard's name has a hash of its block's texts, the measures and the version: one whose name fits
is right, whatever has happened to the input since.
"""

import hashlib
from pathlib import Path

import numpy as np

from chronoscore.errors import DataError
from chronoscore.formats.io.files import write_bytes
from chronoscore.formats.summaries.record_blocks import RecordBlock
from chronoscore.measures.measure import Array
from chronoscore.measures.rouge.columns import Families
from chronoscore.version import __version__

CHECKSUM = 16
"""Bytes at the end of a shard, by which damage is noticed; a damaged one is counted again."""


def shard_folder(output: Path) -> Path | None:
    """The folder for the shards of an output file, hidden beside it; none for a pipe or device."""
    if output.exists() and not output.is_file():
        return None
    home = output.resolve()
    return home.with_name(f".{home.name}.parts")


def clear_shards(folder: Path) -> None:
    """Remove the shards of a folder, and the folder if nothing else is in it."""
    for file in folder.glob("*.tallies") if folder.is_dir() else ():
        file.unlink(missing_ok=True)
    for file in folder.glob(".*.tallies.*") if folder.is_dir() else ():
        file.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


class ShardFolder:
    """The shards of one run."""

    def __init__(self, folder: Path, families: Families) -> None:
        self.folder = folder
        self.widths = [measure.width for family in families for measure in family]
        signatures = [measure.signature for family in families for measure in family]
        self.settings = repr((signatures, __version__)).encode()

    def path(self, number: int, block: RecordBlock) -> Path:
        """The file of a block's tallies."""
        key = hashlib.blake2b(self.settings, digest_size=12)
        key.update(block.data)
        key.update(block.bounds.tobytes() + block.sizes.tobytes())
        return self.folder / f"{number:06d}-{key.hexdigest()}.tallies"

    def load(self, number: int, block: RecordBlock) -> list[Array] | None:
        """The tallies of a block that was finished before; none if there are none."""
        path = self.path(number, block)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror}); remove it", place=path) from None
        raw, checksum = raw[:-CHECKSUM], raw[-CHECKSUM:]
        if len(raw) != 8 * sum(self.widths) * len(block) or checksum != _checksum(raw):
            return None
        rows = np.frombuffer(raw, dtype="<f8").reshape(len(block), -1)
        return np.split(rows, np.cumsum(self.widths)[:-1], axis=1)

    def save(self, number: int, block: RecordBlock, tallies: list[Array]) -> None:
        """Keep the tallies of a block, whole or not at all."""
        rows = np.ascontiguousarray(np.concatenate(tallies, axis=1), dtype="<f8")
        raw = rows.tobytes()
        write_bytes(self.path(number, block), raw + _checksum(raw))


def _checksum(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, digest_size=CHECKSUM).digest()
