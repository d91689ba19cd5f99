"""What a judge reads: judged sources, outputs of systems, nuggets, units, documents."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypedDict

from chronoscore.api.sources import as_topics_with_documents
from chronoscore.core import Collection, Output, Run, Timeline, Topic
from chronoscore.data.kinds import kind_of_inputs, kind_of_paths, kind_of_value
from chronoscore.data.references import as_collection
from chronoscore.data.runs import as_runs
from chronoscore.data.tables import outputs_by_system
from chronoscore.data.values import are_paths, as_list, as_paths, is_missing
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import judged_topics
from chronoscore.judging import outputs, sources, statements
from chronoscore.judging.jobs import Job
from chronoscore.options.judging import JudgeInputs

FACTS_WITHIN = 3
"""Days around an entry from which its evidence may come by default."""


class Asked(TypedDict):
    """How many items are asked about at once, and whose name the judgements have."""

    batch: int
    author: str


def build_job(task: str, given: Any, more: JudgeInputs, *, batch: int, author: str) -> Job:
    """The questions of a task, from its inputs in any format."""
    _check_inputs(task, more)
    return TASKS[task].build(given, more, {"batch": batch, "author": author})


def _link(given: Any, _more: JudgeInputs, asked: Asked) -> Job:
    """Which events the sentences of judged topics tell."""
    return sources.link_job(list(_as_judged_topics(given)), **asked)


def _nuggets(given: Any, more: JudgeInputs, asked: Asked) -> Job:
    """How far outputs support nuggets, or the nuggets of references."""
    if more.make:
        return outputs.nugget_making_job(list(as_collection(given, kind_of_inputs(None, given))))
    known = _as_judged_topics(more.nuggets).topics
    return outputs.nugget_job(_outputs_of(given, known), known, **asked)


def _units(given: Any, more: JudgeInputs, asked: Asked) -> Job:
    """Which content units sources express, or outputs."""
    if is_missing(more.units):
        return sources.unit_job(list(_as_judged_topics(given)), **asked)
    known = _as_judged_topics(more.units).topics
    return outputs.expressed_job(_outputs_of(given, known), known, **asked)


def _pairs(given: Any, more: JudgeInputs, asked: Asked) -> Job:
    """Whether entries of outputs and references tell the same event."""
    known = dict(as_collection(more.references, Timeline).topics)
    runs = as_runs(given, Collection(known), Timeline)
    return statements.pair_job(runs, known, within=more.within, unit=more.unit, **asked)


def _facts(given: Any, more: JudgeInputs, asked: Asked) -> Job:
    """Whether documents support the entries of outputs."""
    known = {topic.id: topic for topic in as_topics_with_documents(more.documents)}
    runs = as_runs(given, Collection(known), Timeline)
    within = FACTS_WITHIN if more.within is None else more.within
    return statements.facts_job(runs, known, within=within, evidence=more.evidence, **asked)


class TaskInputs(NamedTuple):
    """How a task builds its job, which inputs it has a use for, and which it cannot do without."""

    build: Callable[[Any, JudgeInputs, Asked], Job]
    used: tuple[str, ...] = ()
    needed: str = ""


TASKS = {
    "link": TaskInputs(_link),
    "nuggets": TaskInputs(_nuggets, ("nuggets", "make")),
    "units": TaskInputs(_units, ("units",)),
    "pairs": TaskInputs(_pairs, ("references", "within", "unit"), "references"),
    "facts": TaskInputs(_facts, ("documents", "within", "evidence"), "documents"),
}


def _check_inputs(task: str, more: JudgeInputs) -> None:
    """Refuse inputs that a task has no use for, and say which it lacks."""
    for field in fields(JudgeInputs):
        value = getattr(more, field.name)
        absent = is_missing(value) or (field.default is not None and value == field.default)
        if not absent and field.name not in TASKS[task].used:
            raise UsageError(f"`{field.name}` is of no use to '{task}'; leave it out")
    if task == "nuggets" and is_missing(more.nuggets) == (not more.make):
        raise UsageError("give either `nuggets`, or `make=True` to propose some")
    needed = TASKS[task].needed
    if needed and is_missing(getattr(more, needed)):
        raise UsageError(f"'{task}' needs `{needed}`; name them")


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
    return as_runs(given, Collection(topics), _output_kind(given))


def _output_kind(given: Any) -> type[Output]:
    """Whether outputs are timelines or texts, by a look at the first."""
    if are_paths(given):
        return kind_of_paths(as_paths(given))
    several = as_list(given)
    if several and all(isinstance(one, Run) for one in several):
        first = next((output for run in several for output in run.outputs.values()), None)
        return kind_of_value(first) if first is None else type(first)
    found = [value for own in outputs_by_system(given).values() for value in own.values()]
    return kind_of_value(next(iter(found), None))
