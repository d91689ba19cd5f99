"""How an option class is declared: fields that know their help, group, choices and bounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from functools import cache
from inspect import Parameter, Signature, signature
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from chronoscore.errors import (
    UsageError,
    WrongTypeError,
    check_whole,
    describe_type,
    did_you_mean,
)

Group: TypeAlias = Literal[
    "common", "input", "measures", "judging", "model", "statistics", "output"
]
Kind = TypeVar("Kind")
Called = TypeVar("Called", bound=Callable[..., Any])
Advice: TypeAlias = Callable[[Any], str]
"""What to write instead of a value, or nothing where it will do."""


def option(
    default: Any,
    text: str,
    *,
    group: Group = "input",
    name: str = "",
    metavar: str = "",
    least: int | None = None,
    check: Advice | None = None,
) -> Any:
    """A field of an option class.

    `name` is what the command line calls it, where that is not the field's own name; a further
    word is an older name. `least` is the smallest integer, and `check` says what to write instead
    of a value that is wrong otherwise.
    """
    facts = {
        "help": text,
        "group": group,
        "names": name or None,
        "metavar": metavar,
        "least": least,
        "check": check,
    }
    return field(default=default, metadata=facts)


def positive(value: float) -> str:
    """A number of seconds, of days or the like."""
    return "" if 0 < value < float("inf") else "write a number above 0"


def share(value: float) -> str:
    """A number between 0 and 1, as a confidence level."""
    if 0 < value < 1:
        return ""
    meant = f"; write {value / 100:g}" if 1 < value < 100 else ", such as 0.95"
    return f"must be between 0 and 1{meant}"


class Declared(NamedTuple):
    """A field of an option class, as its annotation and its metadata describe it."""

    name: str
    kind: type
    """What a value is: bool, int, float, str, Path, or tuple for several texts."""
    choices: tuple[str, ...]
    optional: bool
    default: Any
    help: str
    group: Group
    names: str | None
    """What the command line calls it instead."""
    metavar: str
    least: int | None
    check: Advice | None

    def verify(self, value: object) -> None:
        """Refuse a value that the field cannot have."""
        if value is None and self.optional:
            return
        shown = f"`{self.name}={f'{value:g}' if isinstance(value, float) else repr(value)}`"
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                kind = UsageError if isinstance(value, str) else WrongTypeError
                raise kind(f"{shown} must be one of {', '.join(self.choices)}")
        elif self.kind is int:
            check_whole(value, f"`{self.name}`", least=1 if self.least is None else self.least)
        elif self.kind in PLAIN:
            kinds, what = PLAIN[self.kind]
            if not isinstance(value, kinds) or isinstance(value, bool) != (self.kind is bool):
                raise WrongTypeError(f"{shown} must be {what}")
        advice = self.check(value) if self.check is not None else ""
        if advice:
            raise UsageError(f"{shown}: {advice}")


PLAIN: Mapping[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "True or False"),
    float: ((int, float), "a number"),
    str: ((str,), "text"),
    Path: ((str, PathLike), "a path"),
}
"""What values of these kinds are, and how errors call them."""


@cache
def declared(kind: Any) -> tuple[Declared, ...]:
    """The options that a class declares; other fields are left to their class."""
    hints = get_type_hints(kind)
    return tuple(
        _describe(one.name, hints[one.name], one.default, dict(one.metadata))
        for one in fields(kind)
        if "help" in one.metadata
    )


def _describe(name: str, hint: Any, default: Any, facts: dict[str, Any]) -> Declared:
    """Read an annotation: `Literal[…]`, bool, int, float, str, a path or a tuple, or `| None`."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = [get_origin(part) or part for part in parts if part is not NoneType]
    choices = next((get_args(part) for part in parts if get_origin(part) is Literal), ())
    kind = str if choices else Path if PathLike in kinds else kinds[0]
    return Declared(name, kind, choices, NoneType in parts, default, **facts)


class Options:
    """What all option classes share: values are checked when they are made."""

    example: ClassVar[str] = ""
    """How such a value is written, for errors."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for one in declared(kind):
            one.verify(getattr(self, one.name))


def or_default(value: object, kind: type[Kind]) -> Kind:
    """The options that were passed, or the default ones for None."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        example = getattr(kind, "example", "") or f"{kind.__name__}(…)"
        raise WrongTypeError(f"{describe_type(value)} is not a {kind.__name__}; give {example}")
    return value


def accepts(*kinds: Any) -> Callable[[Called], Called]:
    """A function that takes the fields of option classes as flat keywords.

    Type checkers know them by `**keywords: Unpack[…]`; from here `help()`, notebooks and the
    reference page know them, with their defaults.
    """

    def decorate(function: Called) -> Called:
        own = signature(function).parameters.values()
        more = [
            Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
            for kind in kinds
            for one in fields(kind)
        ]
        named = [one for one in own if one.kind is not Parameter.VAR_KEYWORD]
        facts = {"__signature__": Signature([*named, *more]), "option_classes": kinds}
        vars(function).update(facts)
        return function

    return decorate


def sort_keywords(given: Mapping[str, Any], *kinds: Any) -> tuple[Any, ...]:
    """A value of each option class from the flat keywords of a call; unknown ones are refused."""
    names = [[one.name for one in fields(kind)] for kind in kinds]
    known = [name for own in names for name in own]
    for name in given:
        if name not in known:
            advice = _inside(name, known) or did_you_mean(name, known)
            raise WrongTypeError(f"there is no parameter '{name}'; {advice}")
    return tuple(
        kind(**{name: given[name] for name in own if name in given})
        for kind, own in zip(kinds, names, strict=True)
    )


def _inside(name: str, known: Sequence[str]) -> str:
    """How to write a keyword, or an option of commands, that is a field of another parameter."""
    from chronoscore.options import ReadingRules, Resampling

    for parameter, kind in {"reading": ReadingRules, "resampling": Resampling}.items():
        for one in declared(kind) if parameter in known else ():
            if name in (one.name, *(one.names or "").split()):
                return f"write `{parameter}={kind.__name__}({one.name}=…)`"
    return ""
