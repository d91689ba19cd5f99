"""Source documents, and what systems make of them: summaries, timelines and rankings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Self, TypeAlias

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
        dated = [Entry(When.of(when), sentences_of(text)) for when, text in pairs]
        dated.sort(key=lambda entry: entry.when.order)
        merged: list[Entry] = []
        first = None
        for entry in dated:
            if entry.when.first == first and entry.when == merged[-1].when:
                merged[-1] = Entry(entry.when, merged[-1].sentences + entry.sentences)
            else:
                merged.append(entry)
            first = entry.when.first
        return cls(tuple(merged), author)

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have written for a topic that it left out."""
        return cls(())

    def on_first_days(self) -> "Timeline":
        """The timeline with months, years and the like on their first day."""
        if all(entry.when.grain == "day" for entry in self.entries):
            return self
        days = [When(entry.when.first, entry.when.first, "day") for entry in self.entries]
        pairs = zip(days, (entry.sentences for entry in self.entries), strict=True)
        return Timeline.of(pairs, author=self.author)

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


class Selection(NamedTuple):
    """One thing that a system chose, with its score and the time of the decision.

    Mostly a sentence of the source. With `start` and `end` it is only these characters of
    it (or of the document that `sentence` names), with `event` a single event of the
    source, and with `text` the system's own words.
    """

    sentence: str
    score: float = 0.0
    time: float | None = None
    start: int | None = None
    end: int | None = None
    event: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a system selected for a topic, in the order it gave.

    `author` is the writer whose own content units these are, where people are scored.
    """

    selections: tuple[Selection, ...]
    author: str = ""

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have chosen for a topic that it left out."""
        return cls(())

    @property
    def best_first(self) -> tuple[Selection, ...]:
        """By falling score; equal scores stay in the order in which they were given."""
        return tuple(sorted(self.selections, key=lambda selection: -selection.score))

    @property
    def time_order(self) -> list[int]:
        """The places of the selections by rising time; equal ones stay in order, unknown last."""
        times = [float("inf") if one.time is None else one.time for one in self.selections]
        return sorted(range(len(times)), key=times.__getitem__)

    @property
    def by_time(self) -> tuple[Selection, ...]:
        """By rising time of decision; equal times stay in order, unknown ones come last."""
        return tuple(
            sorted(
                self.selections,
                key=lambda selection: float("inf") if selection.time is None else selection.time,
            )
        )

    def __iter__(self) -> Iterator[Selection]:
        return iter(self.selections)

    def __len__(self) -> int:
        return len(self.selections)


Output: TypeAlias = Summary | Timeline | Ranking
"""What a system gives for a topic."""
