"""Measures of ROUGE by name, with options of a call laid over them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from chronoscore.errors import (
    UsageError,
    WrongTypeError,
    check_choice,
    describe_type,
    did_you_mean,
)
from chronoscore.measures.compat import READINGS, compatible_measure
from chronoscore.measures.language import convert_spec_value
from chronoscore.measures.measure import Measure
from chronoscore.measures.registry import make_measure, parse_measure_text
from chronoscore.measures.rouge.measures import RougeMeasure
from chronoscore.text.preparation import Limit

Options: TypeAlias = tuple[tuple[str, Any], ...]


def hashable(options: Mapping[str, Any]) -> Options:
    """Options in a fixed order, to be looked up by."""
    for key, value in options.items():
        if value is not True and not isinstance(value, str | int | float | bool | Limit | None):
            raise WrongTypeError(
                f"{key}={value!r}: {describe_type(value)} is not a value of an option; give text, "
                "a number, True or False"
            )
    return tuple(sorted(options.items()))


@lru_cache(maxsize=256)
def choose(text: str, options: Options) -> RougeMeasure:
    """The measure of a name as another tool computes it, with options laid over it."""
    measure: Measure = parse_measure_text(text)
    reading = dict(options).get("compat")
    if reading is not None:
        measure = compatible_measure(measure, check_choice(reading, READINGS, "reading"))
    options = tuple((key, value) for key, value in options if key != "compat")
    if not isinstance(measure, RougeMeasure):
        raise UsageError(
            f"measure '{text}' is not a ROUGE measure; score it with chronoscore.score"
        )
    known = [f.name for f in measure.parameters()]
    for key, _ in options:
        if key not in known:
            raise UsageError(
                f"measure '{text}' has no parameter '{key}'; {did_you_mean(key, known)}"
            )
    hints = get_type_hints(type(measure))
    values = {key: _option_value(text, key, value, hints[key]) for key, value in options}
    return replace(measure, **values)


def _option_value(measure: str, key: str, value: Any, hint: Any) -> Any:
    """The value of an option, checked against the type of the measure's parameter."""
    if isinstance(value, str):
        return convert_spec_value(f"{measure}({key})", value, hint, make_measure)
    kinds = get_args(hint) if get_origin(hint) is not None else (hint,)
    if type(value) in kinds or (float in kinds and type(value) is int):
        return value
    names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
    raise WrongTypeError(
        f"{measure}({key}): {describe_type(value)} is not a value of this option; give text as on "
        f"the command line, or one of: {names}"
    )
