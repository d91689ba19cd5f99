"""Checks of single arguments, so that a wrong one is refused where it is given."""

from typing import Any

from chronoscore.data.values import as_list
from chronoscore.errors import WrongTypeError, check_whole, describe_type


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
