"""What a report is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chronoscore.core import Collection, Run
from chronoscore.measures import Measure
from chronoscore.options import Resampling
from chronoscore.reports.tables import Table
from chronoscore.scoring import Scores
from chronoscore.stats.boards import Board, rank
from chronoscore.stats.corpus import Average
from chronoscore.stats.corpus_tests import PartComparison


@dataclass(frozen=True)
class Share:
    """How much of a ceiling each system reaches, by one part of one measure."""

    measure: Measure
    part: str
    kind: str
    shares: dict[str, float]


@dataclass(frozen=True)
class Contents:
    """Everything that the page shows; `collection` and `runs` are missing for saved scores."""

    scores: Scores
    averages: Sequence[Average]
    resampling: Resampling
    compared: Sequence[PartComparison] = ()
    shares: Sequence[Share] = ()
    collection: Collection | None = None
    runs: Sequence[Run] = ()
    notes: Sequence[str] = ()
    warnings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Each warning of a reader with all that it stands for."""
    command: str = ""
    title: str = ""
    published: Table | None = None
    """The averages with published figures below, if they were asked for."""

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """A ranking of the systems for each measure's main part."""
        return rank(self.averages, self.scores, self.compared)

    def share_of(self, board: Board) -> Share | None:
        """How much of a ceiling the systems of a board reach, if that is known."""
        wanted = (board.measure, board.part)
        return next((one for one in self.shares if (one.measure, one.part) == wanted), None)
