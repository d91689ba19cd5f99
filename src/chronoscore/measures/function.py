"""A user's own function as a measure, in one line.

>>> from chronoscore.core import Summary
>>> def length(output, references):
...     return len(output.sentences)
>>> measure = measure_of(length, needs=Summary)
>>> measure.signature
'length|function:length'
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, ClassVar, TypeAlias, get_type_hints

import numpy as np

from chronoscore.core import Output, Ranking, Summary, Timeline, Topic
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_error, describe_type
from chronoscore.measures.measure import ANY_NUMBER, Array, Bounds, Measure, Pair
from chronoscore.registry import load_own

Scorer: TypeAlias = Callable[[Any, Sequence[Any]], float]
"""Takes an output and its topic's references of the same kind, gives a number."""


@dataclass(frozen=True, kw_only=True)
class FunctionMeasure(Measure):
    """What a function of an output and its references returns."""

    parts = ("value",)
    columns = ("value", "count")
    undecided: ClassVar[bool] = False
    """Whether the function does not say what it scores, so that the files decide."""
    function: ClassVar[Scorer]

    def bounds(self, part: str) -> Bounds:
        """A function may return any number."""
        return ANY_NUMBER

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Call the function for each pair."""
        values = [self.call(topic, output) for topic, output in pairs]
        return np.column_stack([np.array(values, dtype=float), np.ones(len(values))])

    def call(self, topic: Topic, output: Output) -> float:
        """What the function returns for one output; anything but a number is refused."""
        known = _references_like(topic, output)
        where = f"measure '{self.name}', topic '{topic.id}'"
        value = call_function(where, type(self).function, output, known)
        try:
            if isinstance(value, str | bytes):
                raise TypeError
            return float(value)
        except (TypeError, ValueError):
            raise UsageError(
                f"the function returned {describe_type(value)}; let it return a number", place=where
            ) from None

    def for_kind(self, kind: type[Output]) -> "FunctionMeasure":
        """The measure for what the files hold, where the function does not say."""
        if not self.undecided or self.needs is kind:
            return self
        decided = measure_of(type(self).function, name=self.name, needs=kind)
        return replace(decided, label=self.label)

    def values(self, tallies: Array) -> Array:
        """The mean of what the function returned."""
        return tallies[..., :1] / tallies[..., 1:]

    @property
    def signature(self) -> str:
        """The function's own name; what it does is the caller's business."""
        return f"{self.name}|function:{self.function.__qualname__}"

    def __str__(self) -> str:
        return self.name


def call_function(where: str, function: Callable[..., Any], *values: Any) -> Any:
    """Call a user's function; what it raises becomes one sentence with its place."""
    try:
        return function(*values)
    except Exception as error:  # Anything may go wrong in code that is not ours.
        message = f"the function raised {describe_error(error)}; fix it"
        raise UsageError(message, place=where) from error


def measure_of(
    function: Scorer, *, name: str = "", needs: type[Output] | None = None
) -> FunctionMeasure:
    """Make a measure of a function `(output, references) -> float`.

    What it needs (summaries, timelines, rankings) is read off the first parameter's
    annotation where it is not given; without one, `score` looks at the files.
    """
    if not callable(function):
        raise WrongTypeError(
            f"{describe_type(function)} is not a function of output and references"
        )
    if not _takes_two(function):
        raise WrongTypeError("a measure's function takes two arguments: an output and references")
    label = name or getattr(function, "__name__", "function")
    kind = type(
        "UserMeasure",
        (FunctionMeasure,),
        {
            "name": label,
            "function": staticmethod(function),
            "needs": needs or _annotated_kind(function) or Summary,
            "undecided": needs is None and _annotated_kind(function) is None,
            "__module__": __name__,
        },
    )
    return kind()  # type: ignore[no-any-return]


def _takes_two(function: Scorer) -> bool:
    """Whether a function can be called with two arguments, as far as it tells."""
    try:
        signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        # Some functions written in C have no signature.
        return True
    return True


def _annotated_kind(function: Scorer) -> type[Output] | None:
    """The kind of output that the annotation of a function's first parameter names, if any."""
    try:
        first = next(iter(signature(function).parameters), "")
        kind = get_type_hints(function).get(first)
    except (NameError, TypeError, ValueError):
        # Annotations that only a type checker can resolve say nothing here.
        return None
    return next((known for known in (Summary, Timeline, Ranking) if kind is known), None)


def _references_like(topic: Topic, output: Output) -> Sequence[Output]:
    """A topic's references of the same kind as the output."""
    found: Sequence[Output] = ()
    if isinstance(output, Summary):
        found = tuple(s for s in topic.summaries if s.set == output.set)
    elif isinstance(output, Timeline):
        found = topic.timelines
    if not found:
        raise DataError(
            "no reference to compare with; give at least one", place=f"topic '{topic.id}'"
        )
    return found


def import_measure(target: str) -> Measure:
    """Import `module:function`, also from the working directory, as a measure."""
    found = load_own(target, "measure", Measure)
    return found if isinstance(found, Measure) else measure_of(found, name=target)


def adopt_measure(found: Any, name: str) -> type[Measure]:
    """The class of a measure that a package brings: a subclass, or a function as one."""
    if isinstance(found, type) and issubclass(found, Measure):
        if found.name != name:
            raise UsageError(f"the class calls itself '{found.name}'; give both the same name")
        return found
    return type(measure_of(found, name=name))
