"""A label for each item of a list: all that a task of a package needs beside its instruction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chronoscore.core import Row
from chronoscore.formats.io.files import write_text
from chronoscore.judging.jobs import (
    Abstained,
    Job,
    JudgedFile,
    Outcome,
    Settings,
    batches,
)
from chronoscore.judging.questions import Item, ItemQuestion
from chronoscore.judging.rubrics import Rubric


@dataclass(frozen=True)
class LabelFile(JudgedFile):
    """A label for each item, or the reason why there is none, as JSON Lines below a header."""

    outcomes: Mapping[str, Outcome]
    author: str

    def rows(self) -> Sequence[Row]:
        """A record for each item."""
        return [
            {"item": key, "author": self.author, "label": "", "reason": outcome.reason}
            if isinstance(outcome, Abstained)
            else {"item": key, "author": self.author, "label": outcome.label, "reason": ""}
            | ({} if outcome.confidence is None else {"confidence": outcome.confidence})
            for key, outcome in self.outcomes.items()
        ]

    def save(self, path: Path, settings: Settings) -> None:
        """Write the header, and a line for each item."""
        header = {"kind": "header", "format": "chronoscore-labels", "version": 1}
        lines = [{**header, "settings": settings}, *self.rows()]
        write_text(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))


def label_job(
    rubric: Rubric,
    items: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    batch: int,
    author: str,
    context: Mapping[str, Any] | None = None,
) -> Job:
    """Ask for a label of each item, which is a name of its own and what is shown of it."""
    every = [Item(key, shown) for key, shown in items]
    questions = tuple(ItemQuestion(rubric, some, context or {}) for some in batches(every, batch))

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> LabelFile:
        return LabelFile({key: one for own in outcomes for key, one in own.items()}, author)

    return Job(rubric, questions, finish)
