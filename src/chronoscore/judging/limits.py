"""How much a run may send: requests and tokens, reserved before a request leaves."""

from threading import Lock
from typing import Any

import msgspec

from chronoscore.errors import StoppedError
from chronoscore.judging.counts import RequestCounts
from chronoscore.options.judging import RequestOptions

LETTERS_PER_TOKEN = 4


def text_tokens(text: str) -> int:
    """About how many tokens a text is, where nobody counted."""
    return -(-len(text) // LETTERS_PER_TOKEN)


def request_tokens(body: dict[str, Any]) -> int:
    """About how many tokens a request is: its messages, and the schema if it has one."""
    tokens = sum(text_tokens(message["content"]) for message in body["messages"])
    if "response_format" in body:
        tokens += text_tokens(msgspec.json.encode(body["response_format"]).decode())
    return tokens


class Budget:
    """What is used and reserved; several threads may ask.

    Requests that turn out larger than estimated make later estimates larger, never smaller.
    """

    def __init__(self, options: RequestOptions) -> None:
        self.options = options
        self.lock = Lock()
        self.reserved = 0
        self.estimated = 0
        self.used = 0

    def reserve(self, estimate: int, counts: RequestCounts) -> int:
        """Count a request that is about to be sent, or stop if a limit does not allow it."""
        with self.lock:
            scale = max(1.0, self.used / self.estimated) if self.estimated else 1.0
            wanted = round(estimate * scale)
            requests, tokens = self.options.max_requests, self.options.max_tokens
            reason = ""
            if requests is not None and counts.requests >= requests:
                reason = f"`max_requests={requests}`"
            elif tokens is not None and self.used + self.reserved + wanted > tokens:
                reason = f"`max_tokens={tokens}`, which the next request could exceed,"
            if reason:
                raise StoppedError(
                    f"stopped at {reason} with {counts.done:,} of {counts.questions:,} requests "
                    "done; run again with the same cache to continue"
                )
            self.reserved += wanted
            counts.requests += 1
            return wanted

    def settle(self, reserved: int, estimate: int, used: int | None) -> None:
        """Replace a reservation by what was used, or by nothing if there was no answer."""
        with self.lock:
            self.reserved -= reserved
            if used is not None:
                self.estimated += estimate
                self.used += used
