"""What a language model judges with, and how it is asked."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from chronoscore.options.declare import Options, option

PairUnit: TypeAlias = Literal["entry", "sentence"]


def _longest_wait(seconds: float) -> str:
    return "" if 0 < seconds <= 86_400 else "write a number above 0, up to 86,400"


def _highest_temperature(value: float) -> str:
    return "" if 0 <= value <= 10 else "write a number from 0 to 10"


def _two_prices(text: str) -> str:
    advice = "write two prices of a million tokens, read and written, as 0.15,0.6"
    try:
        prices = [float(one) for one in text.split(",")]
    except ValueError:
        return advice
    return "" if len(prices) == 2 and all(0 <= one < float("inf") for one in prices) else advice


@dataclass(frozen=True, kw_only=True)
class ModelAccess(Options):
    """Where a model is asked, and where its answers are kept."""

    endpoint: str | None = option(
        None, "An OpenAI-compatible address, as http://host/v1.", group="model", metavar="URL"
    )
    cache: str | PathLike[str] | None = option(
        None, "Answers that are known (SQLite); default: beside the output.", group="model"
    )
    offline: bool = option(False, "Take all answers from the cache.", group="model")

    @property
    def cache_file(self) -> Path | None:
        """Where answers are kept, if anywhere."""
        return None if self.cache is None else Path(self.cache)


@dataclass(frozen=True, kw_only=True)
class RequestOptions(ModelAccess):
    """How a model is asked: where, with how much randomness, how fast, up to which limits.

    `endpoint` is any OpenAI-compatible address. `cache` is a file of answers; `offline` takes all
    answers from it. Without a `temperature` the endpoint's own is used. A `seed` is sent where one
    is given, and with several votes, each of which has its own. `batch` is how many items a judge
    is asked about at once. The limits stop a run; what was answered by then is kept.
    `guidelines` and `prompt` are files of text.
    """

    example: ClassVar[str] = "RequestOptions(votes=3, cache='answers.sqlite')"

    temperature: float | None = option(
        0.0,
        "Randomness of answers; 'default' leaves it to the endpoint.",
        group="model",
        metavar="NUMBER",
        check=_highest_temperature,
    )
    votes: int = option(1, "Answers to each question.", group="model")
    seed: int | None = option(
        None, "Sent with requests; further votes count up from it.", group="model", least=0
    )
    batch: int = option(20, "Items in one request.", group="model")
    concurrency: int = option(4, "Requests at a time.", group="model", name="concurrency jobs")
    timeout: float = option(120.0, "Seconds for one answer.", group="model", check=_longest_wait)
    retries: int = option(5, "After 429, 5xx or a time-out.", group="model", least=0)
    max_requests: int | None = option(None, "Stop after sending this many.", group="model", least=0)
    max_tokens: int | None = option(
        None, "Stop before using more than this many.", group="model", least=0
    )
    guidelines: str | PathLike[str] | None = option(
        None, "What annotators were told (text), added to the instruction.", group="model"
    )
    prompt: str | PathLike[str] | None = option(
        None, "An instruction of your own (text) in place of ours.", group="model"
    )
    confidence: bool = option(False, "Ask how sure the model is, 0 to 100.", group="model")
    price: str | None = option(
        None,
        "Prices of a million tokens, read and written; a dry run estimates the cost.",
        group="model",
        metavar="IN,OUT",
        check=_two_prices,
    )

    def cost(self, read: int, written: int) -> float | None:
        """What so many tokens cost, where prices are given."""
        if self.price is None:
            return None
        prices = [float(one) for one in self.price.split(",")]
        return (prices[0] * read + prices[1] * written) / 1_000_000


@dataclass(frozen=True, kw_only=True)
class JudgeInputs(Options):
    """What a task needs beside what is judged, and how it pairs one with the other."""

    references: Any = None
    nuggets: Any = None
    units: Any = None
    documents: Any = None
    make: bool = option(False, "Propose nuggets: INPUT are references.")
    within: int | None = option(
        None,
        "facts: evidence from so many days around (3); pairs: only entries so near (all).",
        metavar="DAYS",
        least=0,
    )
    evidence: int = option(20, "facts: sentences for an entry.")
    unit: PairUnit = option("entry", "pairs: what is compared.")
    claims: bool = option(False, "facts: split entries into claims, a verdict for each.")
    ignore_dates: bool = option(False, "facts, nuggets: a wrong date does not count.")
