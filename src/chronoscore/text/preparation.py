"""How raw text becomes tokens: a value that names every choice."""

import re
from dataclasses import dataclass
from typing import Literal, Self

from chronoscore.errors import UsageError

PREPARATIONS = ("perl155", "unicode")


@dataclass(frozen=True, slots=True)
class Limit:
    """A length budget: the first so many words or bytes count.

    >>> Limit.parse("665b")
    Limit(size=665, unit='bytes')
    >>> str(Limit.parse("100w"))
    '100w'
    """

    size: int
    unit: Literal["words", "bytes"]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `100w` (words) or `665b` (bytes)."""
        found = re.fullmatch(r"(\d+)\s*(w|words?|b|bytes?)", text.strip())
        if not found or int(found[1]) == 0:
            raise UsageError(
                f"'{text}' is no length limit; write a number and its unit, as in 100w or 665b"
            )
        return cls(int(found[1]), "words" if found[2].startswith("w") else "bytes")

    def __str__(self) -> str:
        return f"{self.size}{self.unit[0]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Preparation:
    """Every choice between raw text and tokens.

    `perl155` does to each byte what ROUGE-1.5.5 does: runs of ASCII letters and
    digits, its own stemmer, its own stop words. `unicode` segments words of any
    script, folds case and stems with Snowball by language.
    """

    name: str = "perl155"
    stem: bool = False
    stop: bool = False
    limit: Limit | None = None
    language: str = "english"
