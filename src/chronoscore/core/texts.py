"""Texts: what documents are made of and what systems write."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, TypeAlias

from chronoscore.dates.when import When
from chronoscore.errors import WrongTypeError, describe_type

Text: TypeAlias = str | Iterable[str]
"""A text as a caller may give it: one string (a line is a sentence) or its sentences."""


def sentences_of(text: Text) -> tuple[str, ...]:
    """Split a string at its line ends only, as ROUGE's own reader does; keep a list as it is.

    >>> sentences_of("The dam broke.\\nNobody was hurt.")
    ('The dam broke.', 'Nobody was hurt.')
    """
    if isinstance(text, str):
        return tuple(text.split("\n"))
    sentences = tuple(text) if isinstance(text, Iterable) else (text,)
    for sentence in sentences:
        if not isinstance(sentence, str):
            raise WrongTypeError(
                f"{describe_type(sentence)} is not a text; give a string or a list of sentences"
            )
    return sentences


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document; its id never changes, whatever is done to the document."""

    id: str
    text: str
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A dated source text, such as a news article."""

    id: str
    sentences: tuple[Sentence, ...]
    when: When | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary and the set it belongs to: the original A, or an update B, C …"""

    sentences: tuple[str, ...]
    author: str = ""
    set: str = "A"

    @classmethod
    def of(cls, text: Text, *, author: str = "", set: str = "A") -> Self:  # noqa: A002
        """Take a string (a line is a sentence) or its sentences."""
        return cls(sentences_of(text), author, set)

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have written for a topic that it left out."""
        return cls(())
