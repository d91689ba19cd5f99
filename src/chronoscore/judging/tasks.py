"""The tasks of judges: what each reads, in any format, and the questions it asks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chronoscore.core import Collection, Output, Run, Timeline, Topic
from chronoscore.data.kinds import kind_of_inputs, kind_of_paths, kind_of_value
from chronoscore.data.references import as_collection
from chronoscore.data.runs import as_runs, as_single_runs
from chronoscore.data.sources import as_topics
from chronoscore.data.tables import RunOutputs, outputs_by_system
from chronoscore.data.values import are_paths, as_list, as_paths, is_missing
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import judged_topics
from chronoscore.judging import outputs, sources, statements
from chronoscore.judging.jobs import Job
from chronoscore.judging.registry import JobOptions, JudgeTask
from chronoscore.options.judging import JudgeInputs

FACTS_WITHIN = 3
"""Days around an entry from which its evidence may come by default."""


def _link(given: Any, _more: JudgeInputs, options: JobOptions) -> Job:
    """Which events the sentences of judged topics tell."""
    return sources.link_job(list(_as_judged_topics(given)), **options)


def _nuggets(given: Any, more: JudgeInputs, options: JobOptions) -> Job:
    """How far outputs support nuggets, or the nuggets of references."""
    if is_missing(more.nuggets) == (not more.make):
        raise UsageError("give either `nuggets`, or `make=True` to propose some")
    if more.make:
        return outputs.nugget_making_job(list(as_collection(given, kind_of_inputs(None, given))))
    known = _as_judged_topics(more.nuggets).topics
    job = outputs.nugget_job(_outputs_of(given, known), known, **options)
    return _without_dates(job, outputs.NUGGETS_WITHOUT_DATES) if more.ignore_dates else job


def _units(given: Any, more: JudgeInputs, options: JobOptions) -> Job:
    """Which content units sources express, or outputs."""
    if is_missing(more.units):
        return sources.unit_job(list(_as_judged_topics(given)), **options)
    known = _as_judged_topics(more.units).topics
    return outputs.expressed_job(_outputs_of(given, known), known, **options)


def _pairs(given: Any, more: JudgeInputs, options: JobOptions) -> Job:
    """Whether entries of outputs and references tell the same event."""
    known = dict(as_collection(more.references, Timeline).topics)
    runs = as_single_runs(as_runs(given, Collection(known), Timeline))
    return statements.pair_job(runs, known, within=more.within, unit=more.unit, **options)


def _facts(given: Any, more: JudgeInputs, options: JobOptions) -> Job:
    """Whether documents support the entries of outputs."""
    known = {topic.id: topic for topic in as_topics(more.documents)}
    runs = as_single_runs(as_runs(given, Collection(known), Timeline))
    within = FACTS_WITHIN if more.within is None else more.within
    job = statements.facts_job(
        runs, known, within=within, evidence=more.evidence, claims=more.claims, **options
    )
    return _without_dates(job, statements.FACTS_WITHOUT_DATES) if more.ignore_dates else job


def _without_dates(job: Job, sentence: str) -> Job:
    """The same questions, told that dates do not count."""
    return job.reworded(replace(job.rubric, dates=sentence))


LINK = JudgeTask("link", _link)
NUGGETS = JudgeTask("nuggets", _nuggets, ("nuggets", "make", "ignore_dates"))
UNITS = JudgeTask("units", _units, ("units",))
PAIRS = JudgeTask("pairs", _pairs, ("references", "within", "unit"), ("references",))
FACTS = JudgeTask(
    "facts", _facts, ("documents", "within", "evidence", "claims", "ignore_dates"), ("documents",)
)


def _as_judged_topics(given: Any) -> Collection:
    """Topics with judgements, from paths or as they are."""
    if are_paths(given):
        return judged_topics.load((), as_paths(given, "file of judgements"))[0]
    several = list(given) if isinstance(given, Collection) else as_list(given)
    if not several or not all(isinstance(one, Topic) for one in several):
        raise WrongTypeError(f"{describe_type(given)} is not a judged topic; give paths or topics")
    return Collection({topic.id: topic for topic in several})


def _outputs_of(given: Any, topics: Mapping[str, Topic]) -> list[Run]:
    """What systems wrote: timelines or summaries, whichever they are."""
    return as_single_runs(as_runs(given, Collection(topics), _output_kind(given, topics)))


def _output_kind(given: Any, topics: Mapping[str, Topic]) -> type[Output]:
    """Whether outputs are timelines or texts, by a look at the first."""
    if are_paths(given):
        return kind_of_paths(as_paths(given))
    several = as_list(given)
    if several and all(isinstance(one, Run) for one in several):
        first = next((output for run in several for output in run.outputs.values()), None)
        return kind_of_value(first) if first is None else type(first)
    for own in outputs_by_system(given, topics=topics).values():
        runs = [*own.by_run.values()] if isinstance(own, RunOutputs) else [own]
        for value in (value for run in runs for value in run.values()):
            return kind_of_value(value)
    return kind_of_value(None)
