"""Score systems: the front door from what was passed to corpus figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from chronoscore.api.ceiling import ceiling_length
from chronoscore.api.scores import ScoreResult, result_of
from chronoscore.core import Ranking
from chronoscore.data import refusals
from chronoscore.data.arguments import Measures, OnePath, Paths, References, Systems
from chronoscore.data.choice import Choice, as_measures
from chronoscore.data.inputs import Inputs
from chronoscore.data.stages import Data, JudgedData, RecordData
from chronoscore.data.values import as_path, is_missing
from chronoscore.errors import UsageError, warn
from chronoscore.formats.summaries.record_layout import Columns
from chronoscore.measures import Measure
from chronoscore.options import CeilingLength, Compat, Corpus, ReadingRules, Resampling
from chronoscore.options.declare import accepts, or_default, sort_keywords
from chronoscore.options.scoring import (
    JudgedOptions,
    MeasureOptions,
    RecordOptions,
    ResultOptions,
    SourceOptions,
)
from chronoscore.projects.project import Project
from chronoscore.scoring import Progress, Scores, evaluate
from chronoscore.workers import Workers

if TYPE_CHECKING:
    from chronoscore.formats.judgements.draw_files import Draw

INPUT_OPTIONS = (SourceOptions, JudgedOptions, MeasureOptions)
"""What decides about the data: what `explain` takes."""
SCORE_OPTIONS = (*INPUT_OPTIONS, RecordOptions, ResultOptions, Workers)
"""What `score`, `compare` and `report` take."""


class InputOptions(TypedDict, total=False):
    """The keywords of `explain` that decide about the data, for type checkers."""

    originals: References | None
    documents: OnePath | None
    reading: ReadingRules | None
    judgements: Paths | None
    units: Paths | None
    pool: Systems | None
    matches: OnePath | None
    duplicates: OnePath | None
    compat: Compat | None
    jackknife: bool


class ScoreOptions(InputOptions, total=False):
    """The keywords of `score`, `compare` and `report`, for type checkers."""

    columns: Columns | Mapping[str, str | list[str]] | None
    shards: OnePath | None
    resume: bool
    machine: Paths | None
    sampled: bool
    drawn: OnePath | None
    humans: bool
    ceiling: bool | CeilingLength | None
    published: Corpus | None
    resampling: Resampling | None
    progress: Progress | None
    jobs: int
    cluster: str | None


@accepts(*SCORE_OPTIONS)
def score(
    systems: Systems,
    references: References | None = None,
    measures: Measures | None = None,
    **options: Unpack[ScoreOptions],
) -> ScoreResult:
    """Score systems against references.

    Systems and references are paths (globs and lists too), dicts as
    `{"mine": {"dam": answer}}` and `{"dam": [gold1, gold2]}`, long tables (pandas, polars, or
    a list of records) with the columns system, topic, [date,] text and topic, [author,]
    [date,] text, or runs and a collection. A timeline may be text in any format that files
    may have, such as a model's Markdown answer, records, or a frame; where there is only one
    topic, it may stand by itself. Rankings are scored against `judgements`.
    Without measures, timelines are scored by align+ and dates, texts by ROUGE, and rankings by
    nu, or by pyramid where the judgements are content units. A `project` stands for all of this;
    whatever the call gives itself comes first.

    Files of records, a system each (.jsonl, .csv or .parquet, also packed as .gz or .zst, or an
    address that fsspec knows), are read block by block. With `shards` the same call continues
    where it was stopped, or starts again with `resume=False`. `docs/options.md` says which option
    is for which data.

    >>> answer = {"2031-03-12": "The dam broke."}
    >>> gold = {"2031-03-12": "The old dam broke at last."}
    >>> result = score({"mine": {"dam": answer}}, {"dam": gold}, "align+")
    >>> round(result["mine", "align+.r"].value, 3)
    0.667
    """
    if isinstance(systems, Project):
        *stated, more_options = complete_call(systems, references, measures, options)
        return replace(score(*stated, **more_options), project=systems.note)
    sources, judged, changes, records, more, workers = sort_keywords(options, *SCORE_OPTIONS)
    inputs = Inputs.of(systems, references, sources, judged, records)
    resampling = or_default(more.resampling, Resampling)
    if is_missing(more.machine):
        resampling.check_drawn()
    evaluator = Evaluator(resampling, workers, more.progress)
    ceiling = ceiling_length(more.ceiling)
    with inputs.keep_files():
        data = inputs.read(choose(inputs, measures, changes, options))
        result = None
        if isinstance(data, RecordData) and not more.humans and not ceiling:
            result = evaluator.blocks(data)
        if result is None:
            result = evaluator.texts(data.load(), more)
        if isinstance(data, JudgedData):
            # Files of judgements take long to load; only judged topics pay for them.
            from chronoscore.data.certificates import certificates_beside

            given = (systems, judged.judgements, judged.units)
            result = replace(result, certificates=certificates_beside(*given, machine=more.machine))
        if ceiling:
            result = result.with_ceilings(ceiling, workers=workers)
    return result.with_published(more.published)


class Evaluator(NamedTuple):
    """How data become a result: how figures are averaged, and where they are counted."""

    resampling: Resampling
    workers: Workers
    progress: Progress | None

    def result(self, scores: Scores, data: Data | RecordData) -> ScoreResult:
        """Scores with averages and intervals."""
        return result_of(scores, self.resampling, data)

    def blocks(self, data: RecordData) -> ScoreResult | None:
        """Records counted block by block; none where all texts are needed."""
        # What reads blocks takes long to load; only records pay for it.
        from chronoscore.scoring.blocks import evaluate_blocks

        scores = evaluate_blocks(data, self.workers, self.progress)
        return None if scores is None else self.result(scores, data)

    def texts(self, data: Data, more: ResultOptions) -> ScoreResult:
        """Texts counted together, people's judgements beside a machine's if one is named."""
        theirs = None
        if isinstance(data, JudgedData) and not is_missing(more.machine):
            sampled = more.sampled or more.drawn is not None
            data, theirs = data.split(more.machine, sampled=sampled)
        data = data.prepare()
        if more.humans:
            _warn_of_uneven_references(data.measures)
        result = self._count(data.with_humans() if more.humans else data)
        if theirs is None:
            return result
        other = self._count(replace(theirs, choice=data.choice).prepare())
        draw = None if more.drawn is None else load_draw(more.drawn)
        return replace(result, machine=other, sampled=more.sampled, draw=draw)

    def _count(self, data: Data) -> ScoreResult:
        return self.result(evaluate(data, self.workers, self.progress), data)


def _warn_of_uneven_references(measures: Sequence[Measure]) -> None:
    """Warn if people, who are not their own references, meet fewer references than systems."""
    uneven = [one for one in measures if one.can_jackknife and not one.jackknife]
    if uneven:
        warn(
            f"'{uneven[0]}' compares people with one reference fewer than systems; "
            "with `jackknife` both meet the same number",
            kind="uneven-references",
        )


def load_draw(given: OnePath) -> "Draw":
    """The list by which people's items were drawn."""
    from chronoscore.formats.judgements import draw_files

    return draw_files.load(as_path(given, "drawn"))


def complete_call(
    project: Project, references: Any, measures: Any, options: Mapping[str, Any]
) -> tuple[Any, Any, Any, Any]:
    """Systems, references, measures and options of a call for a project, which may have more.

    A project's references are for its texts and timelines, and not for its rankings.
    """
    systems, stated, named, more = project.complete(references, measures, options)
    chosen = as_measures(named)
    judged = not (is_missing(more.get("judgements")) and is_missing(more.get("units")))
    rankings = chosen[0].needs is Ranking if chosen else judged
    if judged and rankings and is_missing(references):
        stated = None
    return systems, stated, named, more


def choose(
    inputs: Inputs,
    measures: Measures | None,
    changes: MeasureOptions,
    options: Mapping[str, object],
) -> Choice:
    """The measures, once every option is known to be of use for them and for the data."""
    choice = inputs.choose(measures, compat=changes.compat, jackknife=changes.jackknife)
    if choice.kind is Ranking and inputs.look.judgements and not is_missing(inputs.references):
        raise UsageError(
            f"'{choice.measures[0]}' scores rankings against judgements; leave out `references`"
        )
    given = {
        name: value
        for name, value in options.items()
        if name not in ("resume", "columns") and value is not False and not is_missing(value)
    }
    if inputs.records.columns is not None:
        given["columns"] = inputs.records.columns
    if inputs.records.shards is not None and inputs.records.resume:
        given["resume"] = True
    refusals.check(
        given | refusals.changed(inputs.reading), inputs.data_kind(choice), choice.measures
    )
    return choice
