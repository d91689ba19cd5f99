"""A whole run of a judge: the questions, and the file that the answers become."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from chronoscore.core import Row
from chronoscore.errors import UsageError
from chronoscore.judging.prompts import Question, Reading
from chronoscore.judging.rubrics import Rubric, Verdict, combine_votes

Piece = TypeVar("Piece")


@dataclass(frozen=True)
class Abstained:
    """Why there is no verdict on an item."""

    reason: str


Outcome: TypeAlias = Verdict | Abstained
Settings: TypeAlias = dict[str, Any]


class JudgedFile(ABC):
    """Judgements that can be written to a file of the format that people's have."""

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """Flat records, one for each item."""

    @abstractmethod
    def save(self, path: Path, settings: Settings) -> None:
        """Write the file, with how the judgements were made."""


@dataclass(frozen=True)
class Job:
    """Questions of one kind, and how their outcomes become a file.

    `by_rule` are items that were decided without asking, with the reason for people.
    """

    rubric: Rubric
    questions: tuple[Question, ...]
    finish: Callable[[Sequence[Mapping[str, Outcome]]], JudgedFile]
    by_rule: int = 0
    rule: str = ""
    keeps_confidence: bool = True
    """Whether the file has a place for how sure the model is."""

    @property
    def items(self) -> int:
        """How many items are asked about."""
        return sum(len(question.asked) for question in self.questions)

    def reworded(self, rubric: Rubric) -> "Job":
        """The same questions under another rubric, such as one with guidelines."""
        if rubric.confidence and not self.keeps_confidence:
            raise UsageError(
                f"the file of '{self.rubric.name}' has no place for a confidence; "
                "leave out `confidence`"
            )
        if not all(is_dataclass(one) and hasattr(one, "rubric") for one in self.questions):
            raise UsageError(
                f"the questions of '{self.rubric.name}' have wording of their own; leave out "
                "`guidelines`, `prompt` and `confidence`"
            )
        questions: list[Any] = [replace(one, rubric=rubric) for one in cast(Any, self.questions)]
        return replace(self, rubric=rubric, questions=tuple(questions))

    def settle(self, readings: Sequence[Sequence[Reading]]) -> list[dict[str, Outcome]]:
        """The outcome of each item of each question, over all votes that could be read."""
        return [
            {key: self.outcome(key, votes) for key in question.asked}
            for question, votes in zip(self.questions, readings, strict=True)
        ]

    def outcome(self, key: str, votes: Sequence[Reading]) -> Outcome:
        """What the votes on one item come to; without a readable one it is an abstention."""
        verdicts = [vote.values[key] for vote in votes if key in vote.values]
        if verdicts:
            return combine_votes(self.rubric, verdicts)
        return Abstained(votes[0].problems.get(key, "the item is not answered"))


def count_abstentions(outcomes: Sequence[Mapping[str, Outcome]]) -> Counter[str]:
    """How often there is no verdict, by reason."""
    return Counter(
        outcome.reason
        for one in outcomes
        for outcome in one.values()
        if isinstance(outcome, Abstained)
    )


def batches(pieces: Sequence[Piece], size: int) -> Iterator[tuple[Piece, ...]]:
    """Pieces in order, so many at a time."""
    for start in range(0, len(pieces), size):
        yield tuple(pieces[start : start + size])
