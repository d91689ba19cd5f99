"""What people should judge next, so that their judgements and a machine's go farthest."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar

from chronoscore.api.results import Result, Section
from chronoscore.core import Row
from chronoscore.data.arguments import Paths
from chronoscore.data.values import as_path, as_paths
from chronoscore.errors import UsageError, warn
from chronoscore.formats.judgements import draw_files
from chronoscore.judging.proposals import DrawnItems, propose
from chronoscore.reports.tables import Cell, Table


@dataclass(frozen=True, kw_only=True)
class ProposalResult(Result):
    """Items that people should judge, each with the probability by which it was drawn."""

    title: ClassVar[str] = "To be judged next"

    proposal: DrawnItems

    def rows(self) -> Sequence[Row]:
        """A record for each item."""
        return [
            {
                "topic": one.topic,
                "system": one.system,
                "item": one.item,
                "probability": one.probability,
                "text": one.text,
            }
            for one in self.proposal.drawn
        ]

    def sections(self) -> Sequence[Section]:
        """The items with their probabilities."""
        rows = tuple(
            (
                Cell(one.topic),
                Cell(one.system),
                Cell(one.item),
                Cell(f"{one.probability:.3f}"),
                Cell(one.text),
            )
            for one in self.proposal.drawn
        )
        columns = ("topic", "system", "item", "probability", "text")
        return [("", Table(self.title, columns, rows, (self.describe(),)))]

    def describe(self) -> str:
        """What was drawn, in one line."""
        drawn = self.proposal
        topics = len({row.topic for row in drawn.frame})
        return f"{len(drawn.drawn):,} of {drawn.size:,} {drawn.kind} of {topics} topics"

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the list that `score` takes as `drawn`, or another form as of any table."""
        file = as_path(path)
        if form is None and file.suffix == ".jsonl":
            own = self.proposal
            draw_files.save(file, own.kind, own.frame, own.drawn, own.settings)
            return
        super().save(path, form)


def propose_items(
    machine: Paths,
    *,
    budget: int = 50,
    seed: int = 0,
    output: str | PathLike[str] | None = None,
) -> ProposalResult:
    """Draw what people should judge next from what a machine judged.

    The chance of an item grows with the machine's doubt (its confidence; where several machines
    judged, how they differ) and is at least a fifth of what it would be if all had the same.
    """
    if budget < 1:
        raise UsageError(f"budget {budget}: write how many items people can judge, as 50")
    proposal = propose(as_paths(machine), budget, seed)
    if not proposal.doubted:
        warn(
            "nothing says how sure the machine is, so every topic has the same share and its "
            "items the same chance; judge with `confidence`",
            kind="no-confidence",
        )
    result = ProposalResult(proposal=proposal)
    if output is not None:
        result.save(output)
    return result
