"""Rankings and streams: sentences chosen one after another."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self


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
    """What a system chose for a topic, in the order in which it said so."""

    selections: tuple[Selection, ...]

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have chosen for a topic that it left out."""
        return cls(())

    @property
    def best_first(self) -> tuple[Selection, ...]:
        """By falling score; equal scores stay in the order in which they were given."""
        return tuple(sorted(self.selections, key=lambda selection: -selection.score))

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
