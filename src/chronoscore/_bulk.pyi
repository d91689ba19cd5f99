"""Many records, compiled; `kernel.py` says when it is used."""

from typing import Any

INTERFACE: int

Buffer = Any  # before Python 3.12 the type of arrays does not say that they are buffers

Columns = tuple[list[str | None], bytes, bytes, bytes, int]

def read_records(lines: bytes) -> Columns | None: ...
def read_table(rows: bytes, roles: bytes) -> Columns | None: ...
def describe(ids: list[object], data: bytes, bounds: Buffer, sizes: Buffer) -> bytes: ...
