"""Many records, compiled; `kernel.py` says when it is used."""

from typing import Any

INTERFACE: int

Buffer = Any  # before Python 3.12 the type of arrays does not say that they are buffers

def read_records(lines: bytes) -> tuple[list[str | None], bytes, bytes, bytes] | None: ...
def describe(ids: list[object], data: bytes, bounds: Buffer, sizes: Buffer) -> bytes: ...
def draw(state: Buffer, weights: Buffer, topics: int) -> None: ...
