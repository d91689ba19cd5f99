"""Does a measure notice what it should? Damaged timelines and what measures make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from chronoscore.api.inputs import as_collection, as_measures
from chronoscore.api.options import Compat, Workers
from chronoscore.api.results import Result, Section, as_path, save_result_plot
from chronoscore.api.values import as_list
from chronoscore.checks import Outcome, list_checks
from chronoscore.checks import run_checks as run_checks
from chronoscore.core import Collection, Row, Timeline
from chronoscore.errors import DataError, UsageError, WrongTypeError, check_choice, number_with_noun
from chronoscore.formats.corpora import articles as article_files
from chronoscore.formats.io import layout
from chronoscore.measures import AVERAGES, Measure
from chronoscore.measures.compat import compatible_measure as compatible
from chronoscore.reports.tables import Cell, Table
from chronoscore.scoring import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL = ("concat", "agreement", "align", "align+", "align+m1")
"""The five measures of the paper."""


@dataclass(frozen=True)
class CheckResult(Result):
    """What each measure made of each damage, with a verdict."""

    outcomes: tuple[Outcome, ...]
    labels: Mapping[Measure, str]
    """The measures as they were asked for."""
    compat: Compat | None = None

    def faults(self, *, known: bool = False) -> list[Outcome]:
        """The failed expectations; those that a measure states itself only if `known`."""
        return [one for one in self.outcomes if one.fault and (known or not one.known)]

    def rows(self) -> Sequence[Row]:
        """A record for each test, measure and part."""
        return [
            {
                "test": outcome.test,
                "measure": str(outcome.measure),
                "part": part,
                "change": change,
                "timelines": outcome.timelines,
                "verdict": outcome.verdict,
            }
            for outcome in self.outcomes
            for part, change in outcome.changes.items()
        ]

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw what each damage changes in each measure; failed expectations have a frame."""
        from chronoscore.reports.panel_plots import FieldPlot, field_plot

        found = {(one.test, one.measure): one for one in self.outcomes}
        tests = list(dict.fromkeys(one.test for one in self.outcomes))
        figure = field_plot(
            FieldPlot(
                title="Change of F from the undamaged timeline",
                rows=tests,
                columns=list(self.labels.values()),
                values=[[_last_change(found[test, one]) for one in self.labels] for test in tests],
                framed=[[bool(found[test, one].fault) for one in self.labels] for test in tests],
                note="framed: not as expected",
            )
        )
        return save_result_plot(figure, path)

    def sections(self) -> Sequence[Section]:
        """The layout of the paper's Table 2, with a verdict."""
        count = max(outcome.timelines for outcome in self.outcomes)
        lines = []
        before = ""
        for outcome in self.outcomes:
            label = "" if outcome.test == before else outcome.test
            before = outcome.test
            lines.append(
                (Cell(label), Cell(self.labels[outcome.measure]), *_check_figures(outcome))
            )
        ways = dict.fromkeys(AVERAGES[outcome.measure.averaging] for outcome in self.outcomes)
        notes = [f"average: {'; '.join(ways)}"]
        if self.compat:
            notes.append(f"compat: {self.compat}")
        table = Table(
            title=f"Change from the undamaged timeline, {number_with_noun(count, 'timeline')}",
            columns=("test", "measure", "ΔP", "ΔR", "ΔF", "verdict"),
            rows=tuple(lines),
            notes=tuple(notes),
        )
        return [("", table)]


def check(
    measures: Any = USUAL,
    timelines: Any = None,
    *,
    articles: str | PathLike[str] | None = None,
    shifts: int | Sequence[int] = (1, 5),
    compat: Compat | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> CheckResult:
    """Damage timelines in known ways and see what each measure makes of it.

    Every timeline is compared with damaged copies of itself: a date removed or added, two
    merged, all shifted, texts swapped, split, duplicated, shuffled or halved. `articles` is a
    folder with DIR/TOPIC/articles.jsonl, from which an added day is taken.
    """
    if timelines is None:
        raise DataError("there is no timeline to damage; give at least one that has entries")
    if compat is not None:
        check_choice(compat, get_args(Compat), "compat")
    days = as_list(shifts)
    for day in days:
        if isinstance(day, bool) or not isinstance(day, int):
            raise WrongTypeError(f"shift {day!r}: must be an integer number of days")
    asked = as_measures(measures)
    if not asked:
        raise UsageError("no measure was given; name at least one, as in 'align+'")
    used = [compatible(measure, compat) if compat else measure for measure in asked]
    topics = as_collection(timelines, Timeline, repeated="last" if compat else "merge")
    if articles is not None:
        topics = _with_articles(topics, as_path(articles, "folder of articles"))
    with Workers(jobs=jobs).executor() as executor:
        outcomes = run_checks(used, topics, list_checks(days), executor=executor, progress=progress)
    return CheckResult(tuple(outcomes), dict(zip(used, map(str, asked), strict=True)), compat)


def _with_articles(topics: Collection, folder: Path) -> Collection:
    """The topics with their articles, where the folder has any."""
    files = {topic.id: layout.article_file(folder, topic.id) for topic in topics}
    if not any(files.values()):
        raise DataError(f"{folder}: no articles.jsonl for any topic; name folders after topics")
    found = {
        name: replace(topics.topics[name], documents=tuple(article_files.load(file)))
        for name, file in files.items()
        if file is not None
    }
    return Collection({**topics.topics, **found}, topics.name)


def _last_change(outcome: Outcome) -> float:
    """The change of F, or of a lone value."""
    changes = outcome.changes
    return changes["f"] if "f" in changes else [*changes.values()][-1]


def _check_figures(outcome: Outcome) -> tuple[Cell, Cell, Cell, Cell]:
    """The changes of precision, recall and F (or of a lone value), and the verdict."""
    changes = outcome.changes
    shown = (changes.get("p"), changes.get("r"), _last_change(outcome))
    p, r, f = ("" if change is None else f"{change:.3f}" for change in shown)
    cells = [Cell("0.000" if text == "-0.000" else text) for text in (p, r, f)]
    return cells[0], cells[1], cells[2], Cell(outcome.verdict)
