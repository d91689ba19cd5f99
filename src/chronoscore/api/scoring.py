"""Score systems: the whole way from what was passed to corpus figures."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from chronoscore.api import bulk, judged
from chronoscore.api.ceiling import check_ceiling_argument, find_ceilings
from chronoscore.api.documents import add_document_argument
from chronoscore.api.inputs import (
    as_measures,
    check_reading_argument,
    is_argument_missing,
    kind_of_arguments,
    load_inputs,
    share_topics,
)
from chronoscore.api.machine_data import JudgedSide, split_people_and_machine
from chronoscore.api.options import CORPORA, CeilingLength, Compat, Corpus, Workers
from chronoscore.api.results import as_path
from chronoscore.api.scores import ScoreResult
from chronoscore.api.shards import clear_shards
from chronoscore.api.values import are_path_arguments, as_paths
from chronoscore.core import Collection, Output, Ranking, Run, Summary, Timeline
from chronoscore.dates.forms import assume_day_month_order
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    check_level,
    check_whole,
    describe_type,
)
from chronoscore.formats.corpora.unreadable import ReadingRules
from chronoscore.formats.io.decoding import decode_as
from chronoscore.formats.summaries import updates
from chronoscore.formats.summaries.record_files import parse_record_columns
from chronoscore.formats.timelines.entries import Repeated
from chronoscore.measures import AVERAGES, Measure
from chronoscore.measures.compat import READINGS
from chronoscore.measures.compat import compatible_measure as compatible
from chronoscore.measures.function import FunctionMeasure
from chronoscore.measures.languages import choose_languages
from chronoscore.measures.streams.nuggets import add_first_times
from chronoscore.measures.units.classic import ClassicPyramid, writers_choices
from chronoscore.progress import announce
from chronoscore.scoring import Progress
from chronoscore.scoring import score as score_runs
from chronoscore.stats.corpus import Resampling, bootstrap_averages

if TYPE_CHECKING:
    from os import PathLike

    from chronoscore.api.machine import Machine

USUAL: dict[type[Output], tuple[str, ...]] = {
    Summary: ("rouge(n=1)", "rouge(n=2)", "rouge-l"),
    Timeline: ("align+", "dates"),
    Ranking: ("nu", "nu(strict)", "u", "n"),
}
"""The measures that are meant where none is named."""


def score(
    systems: Any,
    references: Any = None,
    measures: Any = None,
    *,
    originals: Any = None,
    judgements: Any = None,
    units: Any = None,
    machine: "Machine | None" = None,
    sampled: bool = False,
    pool: Any = None,
    matches: "str | PathLike[str] | None" = None,
    duplicates: "str | PathLike[str] | None" = None,
    compat: Compat | None = None,
    jackknife: bool = False,
    humans: bool = False,
    ceiling: bool | CeilingLength = False,
    documents: "str | PathLike[str] | None" = None,
    published: Corpus | None = None,
    reading: ReadingRules | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    columns: Any = None,
    shards: "str | PathLike[str] | None" = None,
    resume: bool = True,
    progress: Progress | None = None,
) -> ScoreResult:
    """Score systems against references.

    Systems and references are paths (globs and lists too), dicts as
    `{"mine": {"dam": answer}}` and `{"dam": [gold1, gold2]}`, long tables (pandas, polars, or
    a list of records) with the columns system, topic, [date,] text and topic, [author,]
    [date,] text, or runs and a collection. A timeline may be text in any format that files
    may have, such as a model's Markdown answer. Rankings are scored against `judgements` or
    content `units`. Without measures, timelines are scored by align+ and dates, texts by ROUGE,
    and rankings by nu. `reading` says how files are read, and what becomes of an answer that
    cannot be read. `ceiling` adds each score's share of what the best text could reach, as
    long as the references ("reference", True) or as the system's own ("own"). `machine` names
    the author of judgements that is a machine, or files that it wrote: the scores are then those
    by people, and `result.ppi()` combines them with those by the machine. `sampled` says that
    people judged a random sample of the sentences or nuggets of their topics.

    Files of records, a system each (.jsonl, .csv or .parquet, also packed as .gz or .zst, or an
    address that fsspec knows), are read block by block; `columns` names their columns, as in
    `{"system": "prediction", "references": ["gold1", "gold2"]}`. `shards` is a folder that keeps
    the counts of finished blocks, so that the same call goes on where it was stopped; with
    `resume=False` it starts anew. `published` adds the figures that others have published for a
    corpus, quoted, where the settings are theirs.

    >>> answer = {"2031-03-12": "The dam broke."}
    >>> gold = {"2031-03-12": "The old dam broke at last."}
    >>> result = score({"mine": {"dam": answer}}, {"dam": gold}, "align+")
    >>> round(result["mine", "align+.r"].value, 3)
    0.667
    """
    how, rules = check_resampling_argument(resampling), check_reading_argument(reading)
    length = check_ceiling_argument(ceiling)
    workers = Workers(jobs=jobs, cluster=cluster)
    if published is not None:
        check_choice(published, CORPORA, "corpus with published figures")
    sources = judged.Sources(
        as_paths(judgements), as_paths(units), judged.task_options(matches, duplicates)
    )
    bulk_columns = None if columns is None else parse_record_columns(columns)
    folder = None if shards is None else as_path(shards)
    asked = columns is not None or (shards is not None and resume)
    records = None
    plain = is_argument_missing(originals) and is_argument_missing(pool) and machine is None
    if plain and not sources.paths and sources.task is None:
        records = bulk.find_records(systems, references, bulk_columns, rules, asked)
    if asked and records is None:
        bulk.refuse_bulk()
    if folder is not None and not resume:
        clear_shards(folder)
    with decode_as(rules.encoding, rules.encoding_errors), assume_day_month_order(rules.date_order):
        kind = (
            partial(kind_of_arguments, systems, references) if records is None else lambda: Summary
        )
        chosen = as_measures(measures) or as_measures(
            _usual_of(compat) or sources.usual_measures or USUAL[kind()]
        )
        chosen = [apply_measure_options(_decide(m, kind), compat, jackknife) for m in chosen]
        _one_kind(chosen)
        if documents is not None and not ceiling and not any(m.reads_documents for m in chosen):
            raise UsageError(
                "--documents is for --ceiling and similarity=tfidf; add one or leave it out"
            )
        lost = ""
        if records:
            announce("scoring records")
        streamed = (
            bulk.score_in_blocks(records, chosen, workers, folder, progress)
            if records and not (humans or ceiling or rules.coarse != "keep")
            else None
        )
        if records and streamed:
            means = bootstrap_averages(streamed, how, jobs=workers.count, progress=progress)
            return ScoreResult(
                streamed, tuple(means), how, reload=records.load, published=published or ""
            )
        if records and records.takes(chosen):
            collection, runs, lost = records.load_with_notes()
        else:
            with _pause_garbage_collector():
                collection, runs = load_arguments_for_measure(
                    systems, references, originals, sources, chosen[0], compat, rules
                )
        collection = add_document_argument(collection, chosen, references, documents)
    theirs: JudgedSide | None = None
    if sampled and machine is None:
        raise UsageError("sampled is about people beside a machine; name the machine too")
    if machine is not None:
        judged.refuse_judged("machine", chosen[0])
        people, theirs = split_people_and_machine(
            collection, runs, systems, machine, chosen[0], sampled=sampled
        )
        collection, runs = people.collection, people.runs
    if rules.topics == "shared":
        collection, runs = share_topics(collection, runs)
    chosen = choose_languages(collection, runs, chosen)
    if humans:
        if any(m.needs is Ranking and not isinstance(m, ClassicPyramid) for m in chosen):
            raise UsageError("--humans scores references or classic pyramids; leave it out")
        runs = [*runs, *_human_runs(collection)]
    if any(measure.pooled for measure in chosen):
        collection = add_first_times(collection, [*runs, *judged.load_pool(pool, collection)])
    elif not is_argument_missing(pool):
        raise UsageError("--pool lends times to stream(times=all); leave it out")
    announce("scoring")
    with workers.executor() as executor:
        scores = score_runs(collection, runs, chosen, executor=executor, progress=progress)
        if lost:
            signature = scores.signature.replace(" data:", f"{lost} data:", 1)
            scores = replace(scores, signature=signature)
        if rules.coarse == "first" or compat == "chronos":
            scores = replace(scores, signature=f"{scores.signature} coarse:first")
        beside = as_paths(references) if are_path_arguments(references) else []
        found = (
            find_ceilings(collection, runs, chosen, beside, documents, length, executor)
            if ceiling
            else ()
        )
    means = bootstrap_averages(scores, how, jobs=workers.count, progress=progress)
    quoted = published or ""
    result = ScoreResult(
        scores, tuple(means), how, found, collection, tuple(runs), published=quoted
    )
    if theirs is None:
        return result
    other = score(
        theirs.runs,
        theirs.collection,
        chosen,
        pool=pool,
        reading=rules,
        resampling=how,
        jobs=jobs,
        cluster=cluster,
        progress=progress,
    )
    return replace(result, machine=other, sampled=sampled)


@contextmanager
def _pause_garbage_collector() -> Iterator[None]:
    """Do not look for cyclic garbage while many objects are made that all stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _usual_of(compat: Compat | None) -> tuple[str, ...]:
    """The measure of a tool that has only one."""
    return () if compat is None else READINGS[check_choice(compat, READINGS, "reading")].usual


def check_resampling_argument(given: Resampling | None) -> Resampling:
    """How to resample, checked."""
    if given is None:
        return Resampling()
    if not isinstance(given, Resampling):
        raise WrongTypeError(
            f"{describe_type(given)} does not say how to resample; give "
            "Resampling(times=1000, level=0.95, seed=1)"
        )
    check_whole(given.times, "resampling: times")
    check_whole(given.seed, "resampling: seed", least=0)
    check_level(given.level)
    if given.rule is not None:
        check_choice(given.rule, AVERAGES, "rule of averaging")
    return given


def _decide(measure: Measure, kind: Callable[[], type[Output]]) -> Measure:
    """The measure, made for what the files hold if it is a function that does not say."""
    if isinstance(measure, FunctionMeasure) and measure.undecided:
        return measure.for_kind(kind())
    return measure


def apply_measure_options(
    measure: Measure, compat: Compat | None = None, jackknife: bool = False
) -> Measure:
    """The measure as the options change it.

    Options that change every measure do not change what results call them; the signature
    shows them.
    """
    measure = replace(measure, label=measure.title)
    if compat is not None:
        measure = compatible(measure, check_choice(compat, READINGS, "reading"))
    if jackknife:
        measure = measure.with_jackknife()
    return measure


def _one_kind(measures: Sequence[Measure]) -> None:
    """Refuse measures that score different kinds of output."""
    needs = measures[0].needs
    for measure in measures:
        if measure.needs is not needs:
            raise UsageError(
                f"'{measures[0]}' scores a {needs.__name__.lower()} and '{measure}' a "
                f"{measure.needs.__name__.lower()}; score them in two calls"
            )


def load_arguments_for_measure(
    systems: Any,
    references: Any,
    originals: Any,
    sources: judged.Sources,
    measure: Measure,
    compat: Compat | None,
    rules: ReadingRules,
) -> tuple[Collection, list[Run]]:
    """Read or convert what was passed, as the measures need it."""
    if measure.needs is not Timeline and rules.coarse != "keep":
        raise UsageError(f"--coarse is about the dates of timelines; '{measure}' has none")
    other = measure.needs is Ranking or not is_argument_missing(originals)
    if other and rules.on_error is not None:
        raise UsageError("--on-error is for answers that are texts or timelines; leave it out")
    if measure.needs is Ranking:
        return judged.load_judged_arguments(systems, references, sources)
    sources.refuse(measure)
    if not is_argument_missing(originals) and measure.needs is not Summary:
        raise UsageError(f"--original is for update summaries; '{measure}' does not score these")
    if before := as_paths(originals):
        return updates.load(as_paths(systems), as_paths(references), before)
    # Table 2 of the paper and tilse's own scores keep the last of two blocks of a date.
    repeated: Repeated = "last" if compat else "merge"
    if compat == "chronos":
        rules = replace(rules, coarse="first")
    return load_inputs(systems, references, measure.needs, repeated=repeated, reading=rules)


def _human_runs(collection: Collection) -> list[Run]:
    """Each reference's author as a system that is compared only with the others' references."""
    outputs: dict[str, dict[str, Output]] = {}
    for topic in collection:
        if topic.pyramid is not None:
            for writer, units in writers_choices(topic.pyramid).items():
                outputs.setdefault(writer, {})[topic.id] = units
            continue
        latest = max((summary.set for summary in topic.summaries), default="")
        written = tuple(summary for summary in topic.summaries if summary.set == latest)
        references: tuple[Summary | Timeline, ...] = written or topic.timelines
        if len(references) < 2:
            raise DataError(f"topic '{topic.id}': --humans needs two references or more; add some")
        for number, reference in enumerate(references, 1):
            author = reference.author or f"reference {number}"
            outputs.setdefault(author, {})[topic.id] = reference
    return [Run(author, written, human=True) for author, written in outputs.items()]
