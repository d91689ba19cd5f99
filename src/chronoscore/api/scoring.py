"""Score systems: the front door from what was passed to corpus figures."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from chronoscore.api.ceiling import ceiling_length
from chronoscore.api.scores import ScoreResult, result_of
from chronoscore.data import refusals
from chronoscore.data.choice import Choice, Measures
from chronoscore.data.inputs import Inputs, JudgedOptions, RecordOptions
from chronoscore.data.stages import JudgedData, RecordData
from chronoscore.data.values import (
    Paths,
    References,
    Systems,
    as_path,
    is_missing,
)
from chronoscore.errors import WrongTypeError, did_you_mean
from chronoscore.formats.summaries.record_layout import Columns, parse_record_columns
from chronoscore.options import (
    CeilingLength,
    Compat,
    Corpus,
    ReadingRules,
    Resampling,
)
from chronoscore.options.declare import or_default
from chronoscore.scoring import Progress, evaluate
from chronoscore.workers import Workers

if TYPE_CHECKING:
    from chronoscore.data.machines import Machine


class InputOptions(TypedDict, total=False):
    """What decides about the data: for `score`, `compare`, `report` and `explain`."""

    originals: Paths | None
    """References for the earlier summary, which an update must not repeat."""
    judgements: Paths | None
    """Judged events or content units: files, a task's directory, or a folder of topics."""
    units: Paths | None
    """Another name for judgements, where no measure is named: score by pyramid."""
    pool: Systems | None
    """Further runs that lend their times to nuggets but are not scored."""
    matches: str | PathLike[str] | None
    """Which table of matches to take from a task's directory."""
    duplicates: str | PathLike[str] | None
    """Pairs of ids of equal updates, for a task's directory."""
    documents: str | PathLike[str] | None
    """A collection with the documents, for `ceiling` and tf-idf."""
    compat: Compat | None
    """Measures as another tool computes them."""
    jackknife: bool
    """Leave one reference out at a time."""
    reading: ReadingRules | None
    """How files are read, and what becomes of an answer that cannot be read."""


class ScoreOptions(InputOptions, total=False):
    """What `score` takes, and `compare` and `report` with it."""

    machine: "Machine | None"
    """The author of judgements that is a machine, or files that it wrote: see `result.ppi()`."""
    sampled: bool
    """Whether people judged a random sample of the sentences or nuggets of their topics."""
    humans: bool
    """Score each reference's author too."""
    ceiling: bool | CeilingLength
    """Add each score's share of what the best text could reach: `result.with_ceilings()`."""
    published: Corpus | None
    """Add the figures that others have published: `result.with_published()`."""
    resampling: Resampling | None
    """How topics are averaged, and how intervals are drawn."""
    jobs: int
    """Processes; 0 for all cores."""
    cluster: str | None
    """A Dask scheduler, as tcp://host:port."""
    columns: "Columns | Mapping[str, str | list[str]] | None"
    """Which columns of files of records hold what."""
    shards: str | PathLike[str] | None
    """A folder that keeps the counts of finished blocks of records."""
    resume: bool
    """Whether to continue with the blocks in that folder."""
    progress: Progress | None
    """Called with the number of finished shards and of all."""


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
    may have, such as a model's Markdown answer. Rankings are scored against `judgements`.
    Without measures, timelines are scored by align+ and dates, texts by ROUGE, and rankings by
    nu, or by pyramid where the judgements are content units.

    Files of records, a system each (.jsonl, .csv or .parquet, also packed as .gz or .zst, or an
    address that fsspec knows), are read block by block; `columns` names their columns, as in
    `{"system": "prediction", "references": ["gold1", "gold2"]}`. `shards` is a folder that keeps
    the counts of finished blocks, so that the same call continues where it was stopped; with
    `resume=False` it starts again.

    The options are those of `ScoreOptions`; `docs/options.md` says which is for which data.

    >>> answer = {"2031-03-12": "The dam broke."}
    >>> gold = {"2031-03-12": "The old dam broke at last."}
    >>> result = score({"mine": {"dam": answer}}, {"dam": gold}, "align+")
    >>> round(result["mine", "align+.r"].value, 3)
    0.667
    """
    check_names(options, ScoreOptions)
    resampling = or_default(options.get("resampling"), Resampling)
    workers = Workers(jobs=options.get("jobs", 1), cluster=options.get("cluster"))
    progress, ceiling = options.get("progress"), ceiling_length(options.get("ceiling", False))
    inputs = inputs_of(systems, references, options)
    choice = choose(inputs, measures, options)
    humans, machine = bool(options.get("humans")), options.get("machine")
    if inputs.records.shards is not None and not inputs.records.resume:
        from chronoscore.scoring.finished import clear_shards

        clear_shards(inputs.records.shards)
    data = inputs.read(choice)
    if isinstance(data, RecordData):
        from chronoscore.scoring.blocks import evaluate_blocks

        counted = None if humans or ceiling else evaluate_blocks(data, workers, progress)
        if counted is not None:
            result = result_of(counted, resampling, data, workers, progress)
            return result.with_published(options.get("published"))
        data = data.load()
    theirs = None
    if isinstance(data, JudgedData) and not is_missing(machine):
        data, theirs = data.split(machine, sampled=bool(options.get("sampled")))
    data = data.prepare().with_humans() if humans else data.prepare()
    result = result_of(evaluate(data, workers, progress), resampling, data, workers, progress)
    if theirs is not None:
        theirs = replace(theirs, choice=data.choice).prepare()
        scores = evaluate(theirs, workers, progress)
        other = result_of(scores, resampling, theirs, workers, progress)
        result = replace(result, machine=other, sampled=bool(options.get("sampled")))
    if ceiling:
        result = result.with_ceilings(ceiling, workers=workers)
    return result.with_published(options.get("published"))


def check_names(options: Mapping[str, object], known: Any) -> None:
    """Refuse a keyword that is not among the options; Python itself checks only named ones."""
    names = known.__optional_keys__
    for name in options:
        if name not in names:
            raise WrongTypeError(f"unknown option '{name}'; {did_you_mean(name, names)}")


def inputs_of(systems: Any, references: Any, options: InputOptions | ScoreOptions) -> Inputs:
    """What was passed, in one value."""
    columns, shards = options.get("columns"), options.get("shards")
    documents = options.get("documents")
    return Inputs(
        systems=systems,
        references=references,
        originals=options.get("originals"),
        documents=None if documents is None else as_path(documents),
        judged=JudgedOptions.of(
            options.get("judgements"),
            options.get("units"),
            options.get("pool"),
            options.get("matches"),
            options.get("duplicates"),
        ),
        records=RecordOptions(
            columns=None if columns is None else parse_record_columns(columns),
            shards=None if shards is None else as_path(shards),
            resume=bool(options.get("resume", True)),
        ),
        reading=or_default(options.get("reading"), ReadingRules),
    )


def choose(inputs: Inputs, measures: Any, options: InputOptions | ScoreOptions) -> Choice:
    """The measures, once every option is known to be of use for them and for the data."""
    choice = inputs.choose(
        measures, compat=options.get("compat"), jackknife=bool(options.get("jackknife"))
    )
    given = {
        name: value
        for name, value in options.items()
        if value is not False and not is_missing(value)
    }
    given.pop("resume", None)
    if inputs.records.shards is not None and inputs.records.resume:
        given["resume"] = True
    refusals.check(
        given | refusals.changed(inputs.reading), inputs.data_kind(choice), choice.measures
    )
    return choice
