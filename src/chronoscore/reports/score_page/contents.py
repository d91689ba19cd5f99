"""What a report is about."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from chronoscore.core import Collection, Run
from chronoscore.data.coverage import group_runs, runs_to_show
from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import SystemDifference
from chronoscore.explanations.lengths import OutputLength, mean_length
from chronoscore.formats.judgements.certificate_files import Certificate
from chronoscore.measures import Measure
from chronoscore.options import Resampling
from chronoscore.reports.tables import Table
from chronoscore.scoring import Scores
from chronoscore.stats.boards import Board, rank
from chronoscore.stats.corpus import Average
from chronoscore.stats.corpus_tests import PartComparison
from chronoscore.stats.run_spread import RunSpread

PLACE = re.compile(r"(?P<file>[^:]+):(?:(?P<line>\d+):)? (?P<text>.+)", re.DOTALL)
"""A note of a reader: the file, often a line, and what was noted."""


@dataclass(frozen=True)
class Share:
    """How much of a ceiling each system reaches, by one part of one measure."""

    measure: Measure
    part: str
    kind: str
    shares: dict[str, float]


class FurtherCard(NamedTuple):
    """A card that a page has beside those of every report; its content is ready HTML."""

    anchor: str
    heading: str
    content: str


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
    certificates: Sequence[Certificate] = ()
    """What trials of the machines showed that judged."""
    cards: Sequence[FurtherCard] = ()
    """Cards below the leaderboard."""
    published: Table | None = None
    """The averages with published figures below, if they were asked for."""

    accounts: Sequence[LossAccount] = ()
    """Where the points of measures went."""
    spreads: Sequence[RunSpread] = ()
    """How much figures vary over topics and over runs, where systems have several runs."""
    differences: Sequence[SystemDifference] = ()
    """Why systems differ, pair by pair, the better one first."""

    def order(self, measure: Measure) -> list[str]:
        """The systems by a measure, best first."""
        board = next((one for one in self.boards if one.measure == measure), self.boards[0])
        return [one.system for one in board.figures]

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """A ranking of the systems for each measure's main part."""
        return rank(self.averages, self.scores, self.compared)

    @cached_property
    def shown_runs(self) -> list[Run]:
        """One run of each system, for days and explanations."""
        return runs_to_show(self.runs)

    @cached_property
    def lengths(self) -> dict[str, OutputLength]:
        """By system: how long its outputs are, where these are texts."""
        found = {
            self.runs[places[0]].system: mean_length([self.runs[place] for place in places])
            for places in group_runs(self.runs)
        }
        return {system: length for system, length in found.items() if length is not None}

    def value_of(self, board: Board, part: str, system: str) -> float:
        """A system's average of another part of a board's measure; nan where there is none."""
        return self._values.get((board.measure, part, system), math.nan)

    @cached_property
    def _values(self) -> dict[tuple[Measure, str, str], float]:
        return {(one.measure, one.part, one.system): one.value for one in self.averages}

    def spreads_of(self, board: Board) -> dict[str, RunSpread]:
        """By system: how much a board's figure varies, where a system has several runs."""
        wanted = (board.measure, board.part)
        return {one.system: one for one in self.spreads if (one.measure, one.part) == wanted}

    def notes_on(self, system: str, topic: str) -> list[str]:
        """What readers noted about one output, without the file's name."""
        return self._notes.get((system, topic), [])

    @cached_property
    def _notes(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        outputs = [(run.system, topic) for run in self.runs for topic in run.outputs]
        for line in (one for key, all_of in self.warnings.items() for one in all_of or (key,)):
            if not (told := PLACE.match(line)):
                continue
            *folders, file = PurePath(told["file"]).parts
            for system, topic in outputs:
                if file.startswith(f"{topic}.") and system in (*folders, file):
                    where = f"line {told['line']}: " if told["line"] else ""
                    found.setdefault((system, topic), []).append(where + told["text"])
        return found

    def share_of(self, board: Board) -> Share | None:
        """How much of a ceiling the systems of a board reach, if that is known."""
        wanted = (board.measure, board.part)
        return next((one for one in self.shares if (one.measure, one.part) == wanted), None)
