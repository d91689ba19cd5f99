"""Compress answers in the thread that made them, not in the event loop of all requests."""

import gzip
import struct
import zlib
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

SMALLEST = 1_000
LARGE = 1_000_000
_KINDS = ("text/", "application/json", "application/jsonl", "application/xml", "application/atom")


@dataclass(frozen=True)
class Beginning:
    """A text with which many answers begin, compressed once."""

    length: int
    checksum: int
    deflated: bytes

    def complete(self, rest: bytes) -> bytes:
        """The whole in gzip: only the rest is compressed now."""
        packer = _deflater(rest)
        head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
        tail = struct.pack(
            "<II", zlib.crc32(rest, self.checksum), (self.length + len(rest)) & 0xFFFFFFFF
        )
        return b"".join([head, self.deflated, packer.compress(rest), packer.flush(), tail])


def compress_beginning(text: bytes) -> Beginning:
    """Compress a text so that another compressed one may follow it."""
    packer = _deflater(text)
    deflated = packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)
    return Beginning(len(text), zlib.crc32(text), deflated)


def _deflater(text: bytes) -> "zlib._Compress":
    return zlib.compressobj(_level(text), zlib.DEFLATED, -zlib.MAX_WBITS)


def _level(text: bytes) -> int:
    """The level of compression: low for large texts, because a visitor waits for them."""
    return 1 if len(text) >= LARGE else 5


def accepts_gzip(request: Request) -> bool:
    """Whether the browser reads gzip."""
    for offer in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = offer.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def is_compressible(answer: Response) -> bool:
    """Whether an answer is text, and long enough to be worth it."""
    kind = answer.headers.get("content-type", "")
    return (
        not isinstance(answer, StreamingResponse)
        and len(answer.body) >= SMALLEST
        and kind.startswith(_KINDS)
        and "content-encoding" not in answer.headers
    )


def compress(answer: Response) -> None:
    """Compress an answer in place."""
    raw = bytes(answer.body)
    replace_body(answer, gzip.compress(raw, _level(raw), mtime=0))


def replace_body(answer: Response, compressed: bytes) -> None:
    """Give an answer the compressed form of what it says."""
    answer.body = compressed
    answer.headers["content-length"] = str(len(answer.body))
    answer.headers["content-encoding"] = "gzip"
    answer.headers.add_vary_header("Accept-Encoding")
