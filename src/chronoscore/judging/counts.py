"""What has been asked and answered so far, and what would be asked."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass
class RequestCounts:
    """What has happened so far."""

    questions: int = 0
    done: int = 0
    requests: int = 0
    cached: int = 0
    repaired: int = 0
    retried: int = 0
    invented: int = 0
    tokens: int = 0
    answer_tokens: int = 0
    """How many of the tokens were written, not read."""
    started: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Requests done in a second."""
        return self.done / max(1e-9, time.monotonic() - self.started)

    def brief(self) -> str:
        """What a progress bar has room for."""
        return (
            f"{self.done:,}/{self.questions:,}  {self.rate:,.1f}/s  "
            f"{self.retried:,} failures  {self.tokens:,} tokens"
        )

    def describe(self) -> str:
        """All of it in a line."""
        parts = [
            f"{self.done:,} of {self.questions:,} requests",
            f"{self.rate:,.1f} a second",
            f"{self.cached:,} from the cache",
            f"{self.retried:,} failures",
            f"{self.repaired:,} repairs",
            f"{self.tokens:,} tokens",
        ]
        return ", ".join(parts)


Watch: TypeAlias = Callable[[RequestCounts], None]


@dataclass(frozen=True)
class RequestEstimate:
    """What a run would send: requests that the cache does not answer, and about how many tokens.

    `tokens` are those of the requests with their schemas, `answer_tokens` those of the answers if
    all goes well; both are estimates. `cost` is in the currency of the prices, if there are any.
    """

    requests: int
    cached: int
    tokens: int
    answer_tokens: int = 0
    cost: float | None = None
