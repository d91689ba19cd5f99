"""How raw text becomes tokens: a value that names every choice."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self, TypeAlias

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.text.languages import AUTO, LANGUAGES
from chronoscore.text.stems import Lexicon

PreparationName: TypeAlias = Literal["perl155", "unicode", "google"]
Sentences: TypeAlias = Literal["lines", "text", "split"]


class Script(NamedTuple):
    """What a preparation takes for text."""

    ascii_only: bool
    """Whether words are ASCII letters and digits and any other byte is a blank."""
    undecodable: Literal["ignore", "surrogateescape"]
    """What becomes of bytes that are not a character: nothing, or a stand-in for each."""


PREPARATIONS: Mapping[str, Script] = {
    "perl155": Script(ascii_only=True, undecodable="surrogateescape"),
    "unicode": Script(ascii_only=False, undecodable="ignore"),
    "google": Script(ascii_only=True, undecodable="surrogateescape"),
}
"""All preparations; how each one reads a text stands in `text.plain.PREPARE`."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A length budget: the first words or bytes that count.

    >>> Limit.parse("665b")
    Limit(size=665, unit='bytes')
    >>> str(Limit.parse("100w"))
    '100w'
    """

    size: int
    unit: Literal["words", "bytes"]

    def __post_init__(self) -> None:
        if self.size < 1:
            raise UsageError(f"a limit of {self.size} {self.unit} leaves nothing; write 1 or more")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `100w` (words) or `665b` (bytes)."""
        found = re.fullmatch(r"(\d+)\s*(w|words?|b|bytes?)", text.strip())
        if not found or int(found[1]) == 0:
            raise UsageError(
                f"'{text}' is not a length limit; write a number and its unit, as in 100w or 665b"
            )
        return cls(int(found[1]), "words" if found[2].startswith("w") else "bytes")

    def __str__(self) -> str:
        return f"{self.size}{self.unit[0]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Preparation:
    """Every choice between raw text and tokens.

    `perl155` does to each byte what ROUGE-1.5.5 does: runs of ASCII letters and
    digits, its own stemmer, its own stop words. `unicode` segments words of any
    script, folds case and stems with Snowball by language. Languages without a stemmer
    (Chinese, Japanese, Korean, `any`) are not stemmed, and from languages without a list
    (`text.function_words`) no stop words are removed. `google` splits into words
    as `perl155` does and stems as the package rouge-score does, with NLTK's rules.
    """

    name: str = "perl155"
    stem: bool = False
    stop: bool = False
    limit: Limit | None = None
    language: str = "english"
    sentences: Sentences = "lines"
    """What is one sentence: a line, the whole text, or what the splitter takes for one."""
    lexicon: Lexicon | None = None
    """Irregular words and stop words other than the bundled ones, for `perl155`."""

    def __post_init__(self) -> None:
        if self.name not in PREPARATIONS:
            near = did_you_mean(self.name, PREPARATIONS)
            raise UsageError(f"unknown preparation '{self.name}'; {near}")
        if self.language not in LANGUAGES and self.language != AUTO:
            near = did_you_mean(self.language, LANGUAGES)
            raise UsageError(f"unknown language '{self.language}'; {near}")

    def require_language(self) -> None:
        """Refuse `language=auto` where nobody has chosen a language for the texts."""
        if self.language == AUTO:
            raise UsageError("language=auto is for scoring; name the texts' language here")

    def for_language(self, language: str) -> "Preparation":
        """The preparation for texts of a language; what is not English is read by `unicode`."""
        name = self.name if language == "english" else "unicode"
        return replace(self, name=name, language=language)

    @property
    def script(self) -> Script:
        """What the preparation takes for text."""
        return PREPARATIONS[self.name]
