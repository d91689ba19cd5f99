"""What a judge reads: judged sources, outputs of systems, nuggets, units, documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chronoscore.api.inputs import (
    as_collection,
    as_runs,
    is_argument_missing,
    kind_of_argument,
    kind_of_arguments,
    path_kind,
)
from chronoscore.api.sources import Sources, as_topics_with_documents
from chronoscore.api.tables import outputs_argument_by_system
from chronoscore.api.values import are_path_arguments, as_list, as_paths
from chronoscore.core import Collection, Output, Run, Timeline, Topic
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import judged_topics
from chronoscore.judging import outputs, sources, statements
from chronoscore.judging.jobs import Job
from chronoscore.judging.statements import PairUnit


@dataclass(frozen=True, kw_only=True)
class JudgeInputs:
    """Everything that a task may need beside what is judged."""

    references: Any = None
    nuggets: Any = None
    units: Any = None
    documents: Sources = None
    make: bool = False
    within: int | None = None
    evidence: int = 5
    unit: PairUnit = "entry"


NEEDED = {"pairs": ("references", "-r"), "facts": ("documents", "--documents")}
"""What some tasks cannot do without, and the option that gives it."""
ALLOWED = {
    "link": (),
    "nuggets": ("nuggets", "make"),
    "units": ("units",),
    "pairs": ("references", "within", "unit"),
    "facts": ("documents", "within", "evidence"),
}
"""The tasks, and which of the inputs each has a use for."""
FACTS_WITHIN = 3
"""Days around an entry from which its evidence may come, if nothing else is said."""


def build_job(task: str, given: Any, more: JudgeInputs, *, batch: int, author: str) -> Job:
    """The questions of a task, from whatever form its inputs have."""
    _check_inputs(task, more)
    if task == "link":
        return sources.link_job(list(_as_judged_topics(given)), batch=batch, author=author)
    if task == "nuggets" and more.make:
        return outputs.nugget_making_job(list(as_collection(given, kind_of_arguments(None, given))))
    if task == "nuggets":
        known = _topics_by_id(more.nuggets)
        return outputs.nugget_job(_outputs_of(given, known), known, batch=batch, author=author)
    if task == "units" and is_argument_missing(more.units):
        return sources.unit_job(list(_as_judged_topics(given)), batch=batch, author=author)
    if task == "units":
        known = _topics_by_id(more.units)
        return outputs.expressed_job(_outputs_of(given, known), known, batch=batch, author=author)
    if task == "pairs":
        known = dict(as_collection(more.references, Timeline).topics)
        runs = as_runs(given, Collection(known), Timeline)
        return statements.pair_job(
            runs, known, batch=batch, author=author, within=more.within, unit=more.unit
        )
    known = {topic.id: topic for topic in as_topics_with_documents(more.documents)}
    return statements.facts_job(
        as_runs(given, Collection(known), Timeline),
        known,
        batch=batch,
        author=author,
        within=FACTS_WITHIN if more.within is None else more.within,
        evidence=more.evidence,
    )


def _check_inputs(task: str, more: JudgeInputs) -> None:
    """Refuse inputs that a task has no use for, and say which it lacks."""
    default = JudgeInputs()
    for name in JudgeInputs.__dataclass_fields__:
        value, usual = getattr(more, name), getattr(default, name)
        left_out = is_argument_missing(value) or (usual is not None and value == usual)
        if not left_out and name not in ALLOWED[task]:
            raise UsageError(f"'{name}' is of no use to '{task}'; leave it out")
    if task == "nuggets" and is_argument_missing(more.nuggets) == (not more.make):
        raise UsageError("nuggets are either given with --nuggets or made with --make; choose one")
    name, option = NEEDED.get(task, ("", ""))
    if name and is_argument_missing(getattr(more, name)):
        raise UsageError(f"'{task}' needs {name}; give them with {option}")


def _as_judged_topics(given: Any) -> Collection:
    """Topics with judgements, from paths or as they are."""
    if are_path_arguments(given):
        return judged_topics.load((), as_paths(given, "file of judgements"))[0]
    several = as_list(given)
    if isinstance(given, Collection):
        several = list(given)
    if not several or not all(isinstance(one, Topic) for one in several):
        raise WrongTypeError(f"{describe_type(given)} is not a judged topic; give paths or topics")
    return Collection({topic.id: topic for topic in several})


def _topics_by_id(given: Any) -> Mapping[str, Topic]:
    """Topics with nuggets or units, by id."""
    return _as_judged_topics(given).topics


def _outputs_of(given: Any, topics: Mapping[str, Topic]) -> list[Run]:
    """What systems wrote: timelines or summaries, whichever they are."""
    return as_runs(given, Collection(topics), _output_kind(given))


def _output_kind(given: Any) -> type[Output]:
    """Whether outputs are timelines or texts, by a look at the first."""
    if are_path_arguments(given):
        return path_kind(as_paths(given))
    several = as_list(given)
    if several and all(isinstance(one, Run) for one in several):
        first = next((output for run in several for output in run.outputs.values()), None)
        return kind_of_argument(first) if first is None else type(first)
    found = [value for own in outputs_argument_by_system(given).values() for value in own.values()]
    return kind_of_argument(next(iter(found), None))
