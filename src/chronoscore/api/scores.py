"""Scores as a result: figures by name, comparisons, explanations, plots, a page."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from chronoscore.api import score_files
from chronoscore.api.ceiling import (
    add_ceilings_to_result,
    ceiling_mean_records,
    ceiling_share_records,
    find_ceilings,
    plot_shares,
)
from chronoscore.api.results import ROW_FORMATS, Result, Section, save_plot
from chronoscore.core import Collection, Row, Run
from chronoscore.data.frames import build_frame
from chronoscore.data.runs import as_single_runs
from chronoscore.data.stages import Data, RecordData
from chronoscore.data.values import as_path
from chronoscore.errors import UsageError, WrongTypeError, check_choice, describe_type, did_you_mean
from chronoscore.formats.corpora.unreadable import describe_unreadable
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.options import (
    CEILING_LENGTHS,
    CORPORA,
    FORMATS,
    CeilingLength,
    Corpus,
    PairTests,
    Resampling,
    RowChoice,
)
from chronoscore.reports.scores import describe_runs, rank_systems, score_table, with_narrow
from chronoscore.reports.tables import Table
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import Average, averages, sign
from chronoscore.stats.run_spread import RunSpread, run_spreads
from chronoscore.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from chronoscore.api.comparison import ComparisonResult
    from chronoscore.api.explanation import ExplanationResult
    from chronoscore.api.losses import DifferenceResult
    from chronoscore.api.ppi import PoweredResult
    from chronoscore.api.results import TableResult
    from chronoscore.explanations.accounts import LossAccount
    from chronoscore.formats.judgements.certificate_files import Certificate
    from chronoscore.formats.judgements.draw_files import Draw
    from chronoscore.measures.streams.stream_curves import CurveOrder
    from chronoscore.oracles.shares import Ceiling
    from chronoscore.stats.ppi import PoweredInterval


@dataclass(frozen=True, repr=False)
class ScoreResult(Result):
    """Scores of systems with their averages; `result["mine", "align+.f"]` is one of these."""

    scores: Scores
    averages: tuple[Average, ...]
    resampling: Resampling
    ceilings: "tuple[Ceiling, ...]" = ()
    data: Data | RecordData | None = None
    """What was scored; scores from a file have none."""
    machine: "ScoreResult | None" = None
    """The same systems under a machine's judgements, if one was named."""
    sampled: bool = False
    """Whether people judged a random sample of the items of their topics."""
    draw: "Draw | None" = None
    """How the items that people judged were drawn, if each had a chance of its own."""
    certificates: "tuple[Certificate, ...]" = ()
    """What trials of the machines showed that judged, where they come with their judgements."""
    published: str = ""
    """The corpus whose published figures are shown below the table."""
    sorted_by: str | None = None
    """The measure that orders tables, or "none"; without it the first one."""

    project: str = ""
    """What names the project file, where one decided what is scored."""

    def __eq__(self, other: object) -> bool:
        """Whether figures, intervals and settings are the same; undefined figures are equal."""
        if not isinstance(other, ScoreResult):
            return NotImplemented
        settings = (self.resampling, self.sampled, self.draw, self.published)
        if settings != (other.resampling, other.sampled, other.draw, other.published):
            return False
        return repr(self.rows("all")) == repr(other.rows("all")) and self.machine == other.machine

    def __hash__(self) -> int:
        return hash((self.resampling, *map(str, self.measures)))

    @property
    def collection(self) -> Collection | None:
        """The topics with their references, where texts were kept."""
        return self.data.collection if isinstance(self.data, Data) else None

    @property
    def runs(self) -> tuple[Run, ...]:
        """What the systems wrote, where texts were kept."""
        return self.data.runs if isinstance(self.data, Data) else ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return self.scores.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics' ids."""
        return self.scores.topics

    @property
    def measures(self) -> tuple[str, ...]:
        """What the measures are called in this result."""
        return tuple(measure.title for measure in self.scores.measures)

    @property
    def signature(self) -> str:
        """How the figures were made: parameters, data, resampling, version."""
        return " ".join([sign(self.scores, self.resampling), *self.citations])

    @property
    def citations(self) -> list[str]:
        """The certificates of judges, as signatures cite them."""
        return [one.citation for one in self.certificates]

    def __repr__(self) -> str:
        return (
            f"<ScoreResult: {', '.join(self.measures)}; systems: {len(self.systems)}, "
            f"topics: {len(self.topics)}>"
        )

    def __getitem__(self, key: object) -> Average:
        """One average by system and measure, as in `result["mine", "align+.f"]`."""
        match key:
            case (str(system), str() | Measure() as named):
                measure, part = self.column(named)
            case _:
                raise WrongTypeError(
                    f"{key!r} names no figure; write result[system, 'measure.part']"
                )
        check_choice(system, self.systems, "system")
        return next(
            one
            for one in self.averages
            if (one.system, one.measure, one.part) == (system, measure, part)
        )

    def column(self, named: str | Measure) -> tuple[Measure, str]:
        """A measure and its part by name; without a part, the one that sums the measure up."""
        columns = {one.measure.heading(one.part): (one.measure, one.part) for one in self.averages}
        whole = {m.title: (m, m.compared_parts[-1]) for m in self.scores.measures}
        if not isinstance(named, str | Measure):
            raise WrongTypeError(f"{describe_type(named)} is not a measure; give its name")
        label = named.title if isinstance(named, Measure) else named
        found = columns.get(label) or whole.get(label)
        if found is None:
            found = self._spelled_otherwise(label)
        if found is None:
            near = did_you_mean(label, columns)
            raise UsageError(f"no measure '{label}' was scored; {near}")
        return found

    def _spelled_otherwise(self, label: str) -> tuple[Measure, str] | None:
        """The column of a measure that was scored under another spelling, as rouge2.f."""
        try:
            asked = parse_measure_text(label)
        except UsageError:
            return None
        named: list[tuple[Measure, str]] = []
        for measure in self.scores.measures:
            part = asked.part or measure.compared_parts[-1]
            if part in measure.shown and asked.whole == measure.whole:
                return measure, part
            if part in measure.shown and label.partition(".")[0] == measure.name:
                named.append((measure, part))
        # A jackknife or another tool's settings change a measure; its bare name still means it.
        if len(named) == 1:
            return named[0]
        return None

    def rows(self, which: RowChoice = "topics") -> list[Row]:
        """Flat records of topics, of averages, or of both, all with the same keys.

        Topics are means over runs where there are several; `which="runs"` gives each run.
        """
        return list(self.iterate_rows(which))

    def iterate_rows(self, which: RowChoice = "topics") -> Iterator[Row]:
        """The same records one by one, for results that are too large to list."""
        check_choice(which, get_args(RowChoice), "choice of rows")
        if which == "runs":
            return self.scores.run_rows()
        rows = self._plain_rows(which)
        note = describe_unreadable(self.runs)
        return self._annotate(rows, note) if note else rows

    def _annotate(self, rows: Iterable[Row], note: str) -> Iterator[Row]:
        """Records with why an answer could not be read, where any could not."""
        lost: dict[str, dict[str, str]] = {}
        for run in self.runs:
            lost.setdefault(run.system, {}).update(run.unreadable)
        for row in rows:
            reason = lost.get(str(row["system"]), {}).get(str(row.get("topic") or ""), "")
            yield {**row, "unreadable": reason, "answers": note}

    def _plain_rows(self, which: RowChoice) -> Iterator[Row]:
        """Records of scores; those of averages name the settings that were asked for."""
        blank: Row = {} if which == "topics" else {"low": math.nan, "high": math.nan, "n": 1}
        settings = score_files.changed_settings(self.resampling)
        if which != "averages":
            blank = {**blank, **dict.fromkeys(settings, "")} if blank else blank
            for row in chain(self.scores.rows(), ceiling_share_records(self.ceilings, self.scores)):
                yield {**row, **blank} if blank else row
        if which != "topics":
            means = ceiling_mean_records(self.ceilings, self.scores, self.averages)
            for row in chain((one.row() for one in self.averages), means):
                yield {**row, **settings}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the figures has to know: several runs, answers that cannot be read."""
        lost = describe_unreadable(self.runs)
        judges = [one.describe() for one in self.certificates]
        named = [self.project] if self.project else []
        return (*describe_runs(self.spreads()), *([lost] if lost else []), *judges, *named)

    def spreads(self) -> list[RunSpread]:
        """How much main figures vary over topics and over runs, where systems have several runs."""
        if not self.scores.nested:
            return []
        return [
            one
            for measure in self.scores.measures
            for part in measure.compared_parts
            for one in run_spreads(self.scores, measure, part)
        ]

    def sections(self) -> list[Section]:
        """The table of averages."""
        return [("", with_narrow(self._table, self.averages))]

    def _table(self, figures: Sequence[Average]) -> Table:
        """The table of some of the averages."""
        table = score_table(
            self.scores, figures, self.resampling, notes=self.notes, signature=self.signature
        )
        table = add_ceilings_to_result(table, self.ceilings, self.scores, self.averages)
        return self.quote(self.sort_rows(table), figures)

    def sort(self, by: str | None = None) -> "ScoreResult":
        """The same with another order of tables.

        `by` is a measure, as "dates.f", or "none" for the order in which the systems were named.
        Without it the first measure counts. Flat records stay in the order of the systems.
        """
        if by is not None and by != "none":
            self.column(by)
        return replace(self, sorted_by=by)

    @property
    def ranking(self) -> list[str]:
        """The systems in the order of tables, by default the best by the first measure first."""
        if self.sorted_by == "none":
            return list(self.systems)
        by = self.column(self.measures[0] if self.sorted_by is None else self.sorted_by)
        return rank_systems(self.systems, self.averages, *by)

    def sort_rows(self, table: Table) -> Table:
        """A table with a row for each system, in the order of tables."""
        rows = dict(zip(self.systems, table.rows, strict=True))
        return replace(table, rows=tuple(rows[system] for system in self.ranking))

    def quote(self, table: Table, figures: Sequence[Average]) -> Table:
        """The table with published figures below, if they were asked for."""
        if not self.published:
            return table
        from chronoscore.reports.published import add_published

        return add_published(table, self.scores, figures, self.resampling, self.published)

    def render(self, form: str = "table", which: RowChoice = "topics") -> str:
        """The result in a format; `which` says what json, jsonl and csv hold."""
        if check_choice(form, FORMATS, "format") in ROW_FORMATS:
            return ROW_FORMATS[form](self.rows(which))
        return super().render(form)

    def to_pandas(self, which: RowChoice = "all") -> Any:
        """The flat records as a pandas DataFrame; averages have no topic, and intervals."""
        return build_frame("pandas", self.rows(which))

    def to_polars(self, which: RowChoice = "all") -> Any:
        """The flat records as a polars DataFrame; averages have no topic, and intervals."""
        return build_frame("polars", self.rows(which))

    def compare(
        self,
        baseline: str | None = None,
        *,
        trials: int = 9999,
        tests: PairTests = "randomization",
    ) -> "ComparisonResult":
        """Test every pair of systems, or every system against a baseline.

        With `tests="all"` the p of the paired t test, of Wilcoxon's test and of the sign test
        stand beside that of the randomization test.
        """
        from chronoscore.api.comparison import compare_result

        return compare_result(self, baseline, trials, tests)

    def with_ceilings(
        self,
        length: CeilingLength = "reference",
        *,
        documents: str | PathLike[str] | None = None,
        workers: Workers | None = None,
    ) -> "ScoreResult":
        """Add each score's share of what the best text could reach.

        The text is as long as the references or as the system's `own`. Documents that the text
        may be taken from are those named, or those beside the references.
        """
        data = self._load("find ceilings")
        if documents is not None:
            data = replace(data, documents=replace(data.documents, named=as_path(documents)))
        check_choice(length, CEILING_LENGTHS, "length of the ceiling")
        found = find_ceilings(data, length, workers or Workers())
        return replace(self, ceilings=found)

    def with_published(self, corpus: Corpus | None) -> "ScoreResult":
        """Add the figures that others have published for a corpus, where the settings fit."""
        if corpus is None:
            return self
        check_choice(corpus, CORPORA, "corpus with published figures")
        return replace(self, published=corpus)

    def ppi(
        self,
        machine: "ScoreResult | None" = None,
        *,
        interval: "PoweredInterval" = "t",
    ) -> "PoweredResult":
        """Combine these scores, by people, with a machine's on these and on further topics.

        `machine` are the machine's scores of the same systems; without it, those of
        `score(…, machine=…)`. The machine's error on the people's topics is corrected (PPI++).
        """
        from chronoscore.api.ppi import power_result

        return power_result(self, machine, interval)

    def explain(
        self, system: str | None = None, topic: str | None = None, measure: str | None = None
    ) -> "ExplanationResult":
        """Show where a system's score comes from, on one topic or on all.

        One of several runs is named as "mine/run-1".
        """
        from chronoscore.api.explanation import explain_run, run_to_explain

        collection, runs = self.texts("explain")
        run = run_to_explain(runs, system)
        which = self.scores.measures[0] if measure is None else self.column(measure)[0]
        return explain_run(collection, run, which, topic)

    def losses(self, measure: str | None = None) -> "TableResult[LossAccount]":
        """Where the points of a measure went, system by system, in causes that add up.

        The first measure counts unless another is named. `plot(side="precision")` draws the other
        side; `to_pandas()` has every cause with its interval, and what repairs would reach.
        """
        from chronoscore.api.losses import losses_of_result

        return losses_of_result(self, measure)

    def diff(self, a: str, b: str, measure: str | None = None) -> "DifferenceResult":
        """Why `b` is behind `a`, or ahead: a sentence, causes, topics and days."""
        from chronoscore.api.losses import diff_result

        return diff_result(self, a, b, measure)

    def texts(self, what: str) -> tuple[Collection, Sequence[Run]]:
        """The texts that were scored; scores that were read from a file have none."""
        data = self._load(what)
        return data.collection, data.runs

    def _load(self, what: str) -> Data:
        """What was scored, with its texts; records are read again."""
        if self.data is None:
            raise UsageError(
                f"cannot {what}: scores from a file hold no texts; score the texts with score()"
            )
        return self.data.load()

    def plot(self, measure: str | None = None, path: str | PathLike[str] | None = None) -> "Figure":
        """Plot each system's average with its interval; save it if a path is given."""
        from chronoscore.reports.plots import intervals

        chosen, part = self.column(self.measures[0] if measure is None else measure)
        shown = [one for one in self.averages if (one.measure, one.part) == (chosen, part)]
        figure = intervals.averages(chosen.heading(part), shown)
        return save_plot(figure, path)

    def plot_ceilings(self, path: str | PathLike[str]) -> None:
        """Draw the systems into their ceilings; the scores must have been asked for them."""
        if not self.ceilings:
            raise UsageError("there are no ceilings; score with `ceiling=True`")
        plot_shares(self.ceilings, self.scores, self.averages, as_path(path))

    def curve(self, path: str | PathLike[str], by: "CurveOrder | None" = None) -> None:
        """Plot precision over recall of rankings to a .png, .svg or .pdf file.

        Of a stream, plot how its score grows by time or by rank of confidence. A .csv or .jsonl
        file gets the figures instead: of a stream, those after each update.
        """
        from chronoscore.api import judged_views

        collection, runs = self.texts("draw a curve")
        runs = as_single_runs(runs)
        if by is not None:
            check_choice(by, ("time", "rank"), "order")
        judged_views.draw_curve(
            collection, runs, self.scores.measures, self.resampling, as_path(path), by
        )

    def breakdown(self, path: str | PathLike[str]) -> None:
        """Write each content unit's or nugget's score, heaviest first, as CSV or JSON Lines."""
        from chronoscore.api import judged_views

        collection, runs = self.texts("break scores down by unit")
        runs = as_single_runs(runs)
        judged_views.write_breakdown(collection, runs, self.scores.measures, as_path(path))

    def report(self, path: str | PathLike[str]) -> Path:
        """Write one page with the averages, charts, and the comparison of all pairs."""
        from chronoscore.api.page import write_report

        return write_report(self, as_path(path))

    def log_to(self, tracker: str, **options: Any) -> None:
        """Log figures with intervals, the report and the signature to an experiment tracker.

        Trackers are mlflow, wandb and trackio. The active run gets them, or a new one that
        `options` describe, which are those of `mlflow.start_run`, `wandb.init` or `trackio.init`.
        """
        from chronoscore.api.tracking import log_to_tracker

        log_to_tracker(self, tracker, options)

    def save(
        self,
        path: str | PathLike[str],
        form: str | None = None,
        which: RowChoice = "all",
    ) -> None:
        """Write the result to a file, large ones piece by piece.

        Records of topics and averages can be loaded again; the ending `.parquet` needs pyarrow.
        """
        score_files.save(self, as_path(path), form, which)


def result_of(scores: Scores, resampling: Resampling, data: Data | RecordData) -> ScoreResult:
    """Scores with their averages and intervals."""
    return ScoreResult(scores, tuple(averages(scores, resampling)), resampling, data=data)
