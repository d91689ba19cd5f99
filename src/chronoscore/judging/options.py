"""How a model is asked, and what has been asked and answered so far."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from chronoscore.errors import UsageError, WrongTypeError, check_whole, describe_type


@dataclass(frozen=True, kw_only=True)
class RequestOptions:
    """How a model is asked: randomness, votes, speed, limits, and where answers are kept.

    Without a `temperature` the endpoint's own is used. `cache` is a file of answers; `offline`
    takes all answers from it. The limits stop a run; what was answered by then is kept. A `seed`
    is sent where one is given, and with several votes, each of which has its own.
    """

    temperature: float | None = 0.0
    votes: int = 1
    seed: int | None = None
    concurrency: int = 4
    timeout: float = 120.0
    retries: int = 5
    cache: str | PathLike[str] | None = None
    offline: bool = False
    max_requests: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        least = {"votes": 1, "concurrency": 1}
        least |= dict.fromkeys(("seed", "retries", "max_requests", "max_tokens"), 0)
        optional = ("seed", "max_requests", "max_tokens")
        for name, bound in least.items():
            value = getattr(self, name)
            if value is None and name in optional:
                continue
            check_whole(value, name, least=bound)
        for name, most in (("timeout", 86_400), ("temperature", 10)):
            value = getattr(self, name)
            if value is None and name == "temperature":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise WrongTypeError(f"{name} {value!r}: must be a number")
            if not 0 <= value <= most or (name == "timeout" and not value):
                raise UsageError(f"{name} {value:g}: must be a number up to {most:,}")
        if self.cache is not None and not isinstance(self.cache, str | PathLike):
            raise WrongTypeError(f"{describe_type(self.cache)} is not a path; give the cache's")

    @property
    def cache_file(self) -> Path | None:
        """Where answers are kept, if anywhere."""
        return None if self.cache is None else Path(self.cache)


@dataclass
class Counts:
    """What has happened so far."""

    questions: int = 0
    done: int = 0
    requests: int = 0
    cached: int = 0
    repaired: int = 0
    retried: int = 0
    invented: int = 0
    tokens: int = 0
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


Watch: TypeAlias = Callable[[Counts], None]


@dataclass(frozen=True)
class Estimate:
    """What a run would send: requests that the cache does not answer, and about how many tokens."""

    requests: int
    cached: int
    tokens: int
