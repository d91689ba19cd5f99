"""Berkeley DB files, the format of WordNet-2.0.exc.db: every key and its value.

Pages are read one after the other whatever they hang together by: hash pages and leaves of
B-trees name their kind, and keys and values take turns on them.
"""

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from chronoscore.errors import DataError

MAGIC = {0x061561: "hash", 0x053162: "btree"}
HASH_PAGES, BTREE_LEAVES = {2, 13}, {5}
SMALLEST_PAGE, LARGEST_PAGE = 512, 1 << 16
HEADER = 26
"""Bytes before the table of offsets of a page."""
KEY_OR_VALUE = 1
"""The kind of an item that holds its bytes itself."""
DELETED = 0x80


def load(path: Path) -> dict[bytes, bytes]:
    """Read a database of Berkeley DB 3 or later; a file of no bytes is an empty one."""
    try:
        raw = path.read_bytes()
        return dict(_pairs(raw)) if raw else {}
    except (OSError, ValueError, struct.error, IndexError) as error:
        raise DataError(
            f"cannot be read as a Berkeley DB ({error}); "
            "remove it and put WordNet's *.exc lists beside it, or leave -e out",
            place=path,
        ) from None


def _pairs(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    order = next((sign for sign in "<>" if _magic(raw, sign) in MAGIC), None)
    if order is None:
        raise ValueError("its signature is another")
    (size,) = struct.unpack_from(f"{order}I", raw, 20)
    encrypted, _, flags = raw[24:27]
    if not SMALLEST_PAGE <= size <= LARGEST_PAGE or size & (size - 1) or len(raw) % size:
        raise ValueError("it is cut off")
    if encrypted or flags & 1:
        raise ValueError("it is encrypted or has checksums")
    for start in range(size, len(raw), size):
        items = list(_items(raw[start : start + size], order))
        if len(items) % 2:
            raise ValueError(f"the page at byte {start} has a key without a value")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if key is not None and value is not None:
                yield key, value


def _magic(raw: bytes, order: str) -> int:
    number: int = struct.unpack_from(f"{order}I", raw, 12)[0]
    return number


def _items(page: bytes, order: str) -> Iterator[bytes | None]:
    """Give what is on a page; nothing for deleted items and for pages of other kinds."""
    kind = page[25]
    if kind not in HASH_PAGES | BTREE_LEAVES:
        return
    (count,) = struct.unpack_from(f"{order}H", page, 20)
    end = len(page)
    for offset in struct.unpack_from(f"{order}{count}H", page, HEADER):
        if kind in HASH_PAGES:
            # An item reaches up to the one before it; its first byte is its kind.
            item, content = page[offset], page[offset + 1 : end]
            end = offset
        else:
            (length,) = struct.unpack_from(f"{order}H", page, offset)
            item, content = page[offset + 2], page[offset + 3 : offset + 3 + length]
        if item & ~DELETED != KEY_OR_VALUE:
            raise ValueError("it holds long or repeated entries")
        yield None if item & DELETED else content


def decode_perl_database(pairs: Mapping[bytes, bytes]) -> dict[str, str]:
    """Keys and values as text; a zero byte at the end, which C programs write, is dropped."""
    return {
        key.rstrip(b"\0").decode("latin-1"): value.rstrip(b"\0").decode("latin-1")
        for key, value in pairs.items()
    }
