"""Compressing answers, in the thread that made them rather than where all requests pass."""

import gzip

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

SMALLEST = 1_000
LARGE = 1_000_000
_KINDS = ("text/", "application/json", "application/jsonl", "application/xml", "application/atom")


def accepts_gzip(request: Request) -> bool:
    """Whether the browser reads gzip."""
    for offer in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = offer.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def compressible(answer: Response) -> bool:
    """Whether an answer is text, and long enough to be worth it."""
    kind = answer.headers.get("content-type", "")
    return (
        not isinstance(answer, StreamingResponse)
        and len(answer.body) >= SMALLEST
        and kind.startswith(_KINDS)
        and "content-encoding" not in answer.headers
    )


def compress(answer: Response) -> None:
    """Compress an answer in place; a large one quickly, for somebody waits for it."""
    level = 1 if len(answer.body) >= LARGE else 5
    answer.body = gzip.compress(bytes(answer.body), level, mtime=0)
    answer.headers["content-length"] = str(len(answer.body))
    answer.headers["content-encoding"] = "gzip"
    answer.headers.add_vary_header("Accept-Encoding")
