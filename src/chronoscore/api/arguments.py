"""Checks of single arguments, so that a wrong one is refused where it is given."""

from typing import Any, TypeVar

from chronoscore.api.values import as_list
from chronoscore.errors import WrongTypeError, check_whole, describe_type

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


def check_optional(value: object, what: str, *, least: int = 1) -> None:
    """Refuse anything but an integer that is large enough, or None."""
    if value is not None:
        check_whole(value, what, least=least)


def options_or_default(value: object, kind: type[Kind]) -> Kind:
    """The options that were given, or the default ones for None."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise WrongTypeError(f"{describe_type(value)} is not a {kind.__name__}; give one")
    return value
