"""Which tasks a judge has, by name: ours, and those that installed packages bring."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypedDict

from chronoscore.errors import UsageError
from chronoscore.options.judging import JudgeInputs
from chronoscore.registry import Registry

if TYPE_CHECKING:
    from chronoscore.judging.jobs import Job


class JobOptions(TypedDict):
    """How many items a question has at most, and the judge's name in the file."""

    batch: int
    author: str


@dataclass(frozen=True)
class JudgeTask:
    """What a judge can be asked for: how the questions are made, and from which inputs.

    `build` takes what is judged, the further inputs, and `batch` and `author`. `inputs` names the
    fields of `JudgeInputs` that it reads, and `needs` those that it cannot do without.
    """

    name: str
    build: "Callable[[Any, JudgeInputs, JobOptions], Job]"
    inputs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def job(self, given: Any, more: JudgeInputs, *, batch: int, author: str) -> "Job":
        """The questions, from inputs in any format; those of no use are refused."""
        # Imported late: it loads what reads files, and `--help` needs only the names of tasks.
        from chronoscore.data.values import is_missing

        for field in fields(JudgeInputs):
            value = getattr(more, field.name)
            absent = is_missing(value) or (field.default is not None and value == field.default)
            if not absent and field.name not in self.inputs:
                raise UsageError(f"`{field.name}` is of no use to '{self.name}'; leave it out")
        for name in self.needs:
            if is_missing(getattr(more, name)):
                raise UsageError(f"'{self.name}' needs `{name}`; name them")
        return self.build(given, more, {"batch": batch, "author": author})


def _adopt(found: Any, name: str) -> JudgeTask:
    """What a package brings: a JudgeTask of the same name, with inputs that there are."""
    if not isinstance(found, JudgeTask):
        raise UsageError("it is not a chronoscore.judging.registry.JudgeTask")
    if found.name != name:
        raise UsageError(f"the task calls itself '{found.name}'; give both the same name")
    known = {field.name for field in fields(JudgeInputs)}
    for one in (*found.inputs, *found.needs):
        if one not in known:
            raise UsageError(
                f"judges have no input '{one}'; take some of {', '.join(sorted(known))}"
            )
    return found


JUDGES: Registry[JudgeTask] = Registry(
    "task",
    "chronoscore.judges",
    {
        "link": "chronoscore.judging.tasks:LINK",
        "nuggets": "chronoscore.judging.tasks:NUGGETS",
        "units": "chronoscore.judging.tasks:UNITS",
        "pairs": "chronoscore.judging.tasks:PAIRS",
        "facts": "chronoscore.judging.tasks:FACTS",
    },
    _adopt,
)
