"""Messages name parameters as Python callers write them; here they become the command's options."""

import ast
import re
import shlex
from collections.abc import Mapping

import click

ALIASES = {"resamples": ("times",)}
"""Other names in Python of what a command calls so."""
PARAMETER = re.compile(r"`(?:[a-z]\w*\.)*([a-z]\w*)(?:=([^`]+))?`")


def name_options(message: str, command: click.Command) -> str:
    """A message with the options of a command for the parameters that it names.

    `documents` becomes --documents, `topics="shared"` becomes --topics shared, `reading.coarse`
    becomes --coarse, and an argument is named as the usage line names it. What the command does
    not have stays as it is.
    """
    if message.count("`") < 2:
        return message
    options = _spellings(command)

    def spell(found: re.Match[str]) -> str:
        name, value = found.groups()
        return found[0] if name not in options else _with_value(options[name], value)

    return PARAMETER.sub(spell, message)


def _spellings(command: click.Command) -> dict[str, str]:
    """The longest spelling of each option, by the names that Python may have for it."""
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    for param in command.params:
        name = param.name or ""
        if isinstance(param, click.Argument):
            found[name] = re.sub(r"[\[\].]", "", param.human_readable_name)
            continue
        found[name] = max(param.opts, key=len)
        stems = [option.lstrip("-").replace("-", "_") for option in param.opts]
        for other in (*stems, *ALIASES.get(name, ())):
            others[other] = found[name]
    return {**others, **found}


def _with_value(option: str, written: str | None) -> str:
    """An option with a value that was written as in Python."""
    if written is None:
        return option
    try:
        value = ast.literal_eval(written)
    except (SyntaxError, ValueError):
        return f"{option} {written}"
    if value is True:
        return option
    if isinstance(value, Mapping):
        value = [
            f"{key}={one}"
            for key, inner in value.items()
            for one in (inner if isinstance(inner, list) else [inner])
        ]
    values = value if isinstance(value, list | tuple) else [value]
    return " ".join(f"{option} {shlex.quote(str(one))}" for one in values)
