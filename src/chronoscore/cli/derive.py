"""Options of the command line: derived from option classes, and grouped in `--help`.

Only choices, flags, numbers and texts are derived; whatever has a callback, an optional value or
a type of its own is written by hand with `option`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from chronoscore.cli.slips import PathName
from chronoscore.errors import UsageError
from chronoscore.options.declare import Declared, Group, declared

Command = TypeVar("Command", bound=Callable[..., Any])

HEADINGS: dict[Group, str] = {
    "common": "Most used options",
    "input": "Input",
    "measures": "Measures",
    "judging": "Judged topics",
    "model": "Language model",
    "statistics": "Statistics",
    "output": "Output",
}
"""The groups of options, in the order of `--help`."""


class GroupedOption(click.Option):
    """An option that knows under which heading `--help` lists it."""

    def __init__(self, *names: Any, group: Group | None = None, **facts: Any) -> None:
        super().__init__(*names, **facts)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose `--help` lists options by group; those without one come last."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Refuse long options with one dash before they are read as short ones."""
        _check_dashes(self, args)
        return super().parse_args(context, args)

    def invoke(self, context: click.Context) -> Any:
        """Check what is read and written before any work."""
        from chronoscore.cli.targets import check_files

        check_files(context)
        return super().invoke(context)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group that has options."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for one in self.get_params(context):
            record = one.get_help_record(context)
            group = getattr(one, "group", None)
            if record is not None and isinstance(one, click.Option):
                rows.setdefault(HEADINGS[group] if group else "Options", []).append(record)
        for heading in [*HEADINGS.values(), "Options"]:
            if heading in rows:
                with formatter.section(heading):
                    formatter.write_dl(rows[heading])


def option(
    *names: str, group: Group | None = None, choices: Sequence[str] = (), **facts: Any
) -> Callable[[Command], Command]:
    """An option written by hand, in a group of `--help`, which shows its default."""
    if choices:
        facts["type"] = click.Choice(choices)
    if not facts.get("is_flag"):
        facts.setdefault("show_default", facts.get("default") not in (None, "", ()))
    return click.option(*names, cls=GroupedOption, group=group, **facts)


def files(*names: str, group: Group, **facts: Any) -> Callable[[Command], Command]:
    """An option that names files or folders and may be repeated."""
    return option(*names, group=group, multiple=True, type=PathName(), **facts)


def stacked(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Several options as one, in the order in which --help lists them."""

    def decorate(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


def grouped(
    parameter: str, make: Callable[..., Any], *options: Callable[[Any], Any]
) -> Callable[[Command], Command]:
    """Several options whose values reach the command as one typed value."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(**values: Any) -> Any:
            own = {name: values.pop(name) for name in names}
            return command(**values, **{parameter: make(**own)})

        before = len(getattr(call, "__click_params__", ()))
        decorated = stacked(*options)(call)
        params: list[click.Parameter] = decorated.__click_params__  # type: ignore[attr-defined]
        names = [str(one.name) for one in params[before:] if one.expose_value]
        return cast(Command, decorated)

    return decorate


def derive(
    kind: Any, parameter: str, **by_hand: Callable[[Any], Any]
) -> Callable[[Command], Command]:
    """The options of a class, whose values reach the command as one value of that class.

    `by_hand` are options that replace derived ones or add to them, by the name of their field.
    """
    known = {one.name: _derive_option(one) for one in declared(kind)} | by_hand
    names = [one.name for one in fields(kind) if one.name in known]
    return grouped(parameter, kind, *(known[name] for name in names))


def derive_one(kind: type, name: str, **changes: Any) -> Callable[[Command], Command]:
    """The option of a single field; `changes` are what a command does differently."""
    return _derive_option(next(one for one in declared(kind) if one.name == name), **changes)


def _derive_option(one: Declared, **changes: Any) -> Callable[[Command], Command]:
    """The click option of a field."""
    flags = [_flag(name, one) for name in (one.names or one.name.replace("_", "-")).split()]
    facts: dict[str, Any] = {"help": one.help, "group": one.group, "default": one.default}
    if one.kind is bool:
        return option(*flags, one.name, is_flag=True, **facts | changes)
    if one.choices:
        facts["choices"] = one.choices
    elif one.kind is Path:
        facts["type"] = PathName()
    elif one.kind is tuple:
        facts["multiple"] = True
    elif one.kind in (int, float, str):
        facts["type"] = one.kind
    facts["metavar"] = one.metavar or ("NUMBER" if one.kind in (int, float) else None)
    return option(*flags, one.name, **facts | changes)


def _flag(name: str, one: Declared) -> str:
    """How a name is written as an option; what is on by default can be switched off."""
    if name.startswith("-"):
        return name
    return f"--{name}/--no-{name}" if one.kind is bool and one.default else f"--{name}"


def _check_dashes(command: click.Command, words: Sequence[str]) -> None:
    """Refuse `-reference`, which would be read as `-r eference`."""
    long = {name for one in command.params for name in one.opts if name.startswith("--")}
    for word in words:
        name = word.partition("=")[0]
        if re.fullmatch(r"-[a-z][\w-]+", name) and f"-{name}" in long:
            raise UsageError(f"'{name}' has one dash; write -{name}")
