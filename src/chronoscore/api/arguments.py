"""Checks of single arguments, so that a wrong one is refused where it is given."""

from collections.abc import Iterable
from typing import Any, TypeVar

from chronoscore.api.values import as_list
from chronoscore.errors import UsageError, WrongTypeError, describe_type, did_you_mean

Kind = TypeVar("Kind")


def check_text(name: str, value: object) -> None:
    """Refuse anything but text, or None."""
    if value is not None and not isinstance(value, str):
        raise WrongTypeError(f"{name}: {describe_type(value)} is not text; give a name")


def text_list(name: str, value: Any) -> list[str]:
    """One name or several as a list."""
    names = as_list(value)
    for one in names:
        if not isinstance(one, str):
            raise WrongTypeError(f"{name}: {describe_type(one)} is not text; give names")
    return names


def check_whole(name: str, value: object, *, least: int = 1, optional: bool = True) -> None:
    """Refuse anything but a whole number that is large enough, or None if it is optional."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongTypeError(f"{name} {value!r}: must be an integer")
    if value < least:
        raise UsageError(f"{name} {value}: write {least} or more")


def check_choice(name: str, value: Any, known: Iterable[str]) -> None:
    """Refuse a word that is not one of the known ones."""
    words = list(known)
    if not isinstance(value, str):
        raise WrongTypeError(f"{name} {value!r}: must be one of {', '.join(words)}")
    if value not in words:
        raise UsageError(f"unknown {name} '{value}'; {did_you_mean(value, words)}")


def check_share(level: object) -> float:
    """A confidence level as a share, which lies between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, int | float):
        raise WrongTypeError(f"level {level!r}: must be a number between 0 and 1")
    if not 0 < level < 1:
        raise UsageError(f"level {level:g}: must be between 0 and 1, as 0.95")
    return float(level)


def instance_or(value: object, kind: type[Kind]) -> Kind:
    """The options that were given, or the default ones for None."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise WrongTypeError(f"{describe_type(value)} is not a {kind.__name__}; give one")
    return value
