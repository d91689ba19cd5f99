"""Rankings and streams: sentences chosen one after another."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Selection:
    """One sentence that a system chose, with its score and the time of the decision."""

    sentence: str
    score: float = 0.0
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The sentences that a system chose for a topic, best first or in order of decision."""

    selections: tuple[Selection, ...]

    @classmethod
    def empty(cls) -> Self:
        """What a system is taken to have chosen for a topic that it left out."""
        return cls(())

    def __iter__(self) -> Iterator[Selection]:
        return iter(self.selections)

    def __len__(self) -> int:
        return len(self.selections)
