"""Timelines: dated daily summaries in order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Self

from chronoscore.core.texts import Text, sentences_of
from chronoscore.dates.when import When
from chronoscore.errors import WrongTypeError, describe_type


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened at one time, in one or more sentences."""

    when: When
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Entries in order of time, one for each date.

    >>> timeline = Timeline.of({"2010-05-26": "BP begins.", "2010-05-06": ["A dome.", "It fails."]})
    >>> [str(entry.when) for entry in timeline]
    ['2010-05-06', '2010-05-26']
    """

    entries: tuple[Entry, ...]
    author: str = ""

    @classmethod
    def of(
        cls,
        entries: Mapping[When, Text]
        | Mapping[date, Text]
        | Mapping[str, Text]
        | Iterable[tuple[When | date | str, Text]],
        *,
        author: str = "",
    ) -> Self:
        """Build from dates and texts in any order; texts of the same date are joined.

        A string where a list of sentences is expected is a text, not characters.
        """
        try:
            items = entries.items() if isinstance(entries, Mapping) else entries
            pairs = [(when, text) for when, text in items]
        except (TypeError, ValueError):
            raise WrongTypeError(
                f"{describe_type(entries)} is not a timeline; give {{date: text}} or pairs of these"
            ) from None
        by_date: dict[When, list[str]] = {}
        for when, text in pairs:
            by_date.setdefault(When.of(when), []).extend(sentences_of(text))
        return cls(tuple(Entry(when, tuple(by_date[when])) for when in sorted(by_date)), author)

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have written for a topic that it left out."""
        return cls(())

    @property
    def dates(self) -> tuple[When, ...]:
        """The dates, earliest first."""
        return tuple(entry.when for entry in self.entries)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order of time."""
        return tuple(sentence for entry in self.entries for sentence in entry.sentences)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)
