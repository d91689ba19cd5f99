"""Options that name what a command writes, refused before any work if it cannot be written."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from chronoscore.cli.derive import option
from chronoscore.cli.slips import ENDINGS, PathName, check_paths
from chronoscore.errors import UsageError

PICTURES = (".jpeg", ".jpg", ".pdf", ".png", ".svg")
FOREIGN = (".doc", ".docx", ".ods", ".tsv", ".xls", ".xlsx", ".xml", ".yaml", ".yml")
"""Endings of formats that no result has."""
OTHER_ENDINGS = (".html", ".tex", ".txt")
"""Of files that hold no timelines; `runs/llama3.1` is a folder."""
STANDARD_OUTPUT = "-"


class Target(PathName):
    """A file to write: its folder must be there.

    `-` is standard output, as if the option were left out, or refused where that has no output.
    """

    def __init__(self, *, printed: bool = False) -> None:
        super().__init__()
        self.printed = printed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, once it is clear that it can be written."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if str(path) == STANDARD_OUTPUT:
            if self.printed:
                return None
            name = param.opts[0] if param else ""
            raise UsageError(f"{name} - cannot be standard output; name a file or folder to write")
        self.check(path)
        return path

    def check(self, path: Path) -> None:
        """Refuse a file that could not be written after the work."""
        from chronoscore.formats.io.files import check_target

        check_target(path)


class Folder(Target):
    """A folder to write into, which is made if it is not there."""

    def check(self, path: Path) -> None:
        """Refuse a folder that could not be made after the work."""
        from chronoscore.formats.io.files import check_folder

        check_folder(path)


class FileOrFolder(Target):
    """A file or device, if it is there or its ending is one of a file, or a folder to be made."""

    def check(self, path: Path) -> None:
        """Refuse what could not be written after the work."""
        from chronoscore.formats.io.files import check_folder, check_target

        is_file = not path.is_dir() and (path.exists() or _is_file_ending(path.suffix))
        (check_target if is_file else check_folder)(path)


def _is_file_ending(ending: str) -> bool:
    """Whether an ending is one of a file: that of a timeline format, or another that we write."""
    from chronoscore.formats.timelines.registry import FORMATS

    return ending.lower() in OTHER_ENDINGS or ending[1:].lower() in FORMATS


class Picture(Target):
    """A plot to write, in a folder that is made if it is not there.

    Its ending must be one of a picture, and matplotlib there to draw it.
    """

    def check(self, path: Path) -> None:
        """Refuse what could not be drawn after the work."""
        from chronoscore.formats.io.files import check_folder, check_target
        from chronoscore.reports.plots import check_path

        check_path(path)
        check_folder(path.parent)
        if path.is_dir():
            check_target(path)


class PictureOrTable(Picture):
    """A plot, or a table of the figures that it would show."""

    def check(self, path: Path) -> None:
        """Refuse what could be neither drawn nor written after the work."""
        if path.suffix.lower() in (".csv", ".jsonl"):
            Target.check(self, path)
        else:
            super().check(path)


Command = TypeVar("Command", bound=Callable[..., Any])

target, folder, place, picture, curve = (
    Target(),
    Folder(),
    FileOrFolder(printed=True),
    Picture(),
    PictureOrTable(),
)

output = option(
    *("-o", "--output"),
    group="common",
    type=Target(printed=True),
    help="Write to this file, whole or not at all.",
)


def plot(what: str) -> Callable[[Command], Command]:
    """The option `--plot`, which says what it draws."""
    return option("--plot", group="common", type=picture, help=f"{what}: .png, .svg or .pdf.")


def check_files(context: click.Context) -> None:
    """Choose the format by the ending of `-o`, and refuse to write over what is read."""
    values, command = context.params, context.command
    written = {one.name: one for one in command.params if isinstance(one.type, Target)}
    if "form" in values and values.get("output"):
        values["form"] = choose_format(context, values["output"])
    read = [
        path
        for one in command.params
        if isinstance(one.type, click.Path) and one.name not in written
        for path in _paths(values.get(str(one.name)))
    ]
    check_paths(command, read)
    given: dict[str, Path] = {}
    for name, one in written.items():
        if target := values.get(str(name)):
            _protect(target, one.opts[0], read)
            if context.get_parameter_source(str(name)) is not ParameterSource.DEFAULT:
                given[one.opts[0]] = target
    _keep_apart(given)


def choose_format(context: click.Context, output: Path) -> str:
    """The format that `-f` or the ending of `-o` names; they must not differ."""
    chosen = str(context.params["form"])
    asked = ENDINGS.get(output.suffix.lower())
    check_ending(context, output)
    known = next(one.type for one in context.command.params if one.name == "form")
    if asked is None or asked == chosen:
        return chosen
    if context.get_parameter_source("form") is not ParameterSource.DEFAULT:
        raise UsageError(
            f"-o {output.name} asks for {asked} and -f for {chosen}; "
            "change the ending, or leave out -f"
        )
    if isinstance(known, click.Choice) and asked not in known.choices:
        if any(isinstance(one.type, FileOrFolder) for one in context.command.params):
            return chosen  # The file holds something else than a table.
        raise UsageError(
            f"-o {output.name} asks for {asked}, which {context.info_name} cannot write; "
            f"it writes {', '.join(known.choices)}"
        )
    return asked


def check_ending(context: click.Context, output: Path) -> None:
    """Refuse an ending of `-o` that promises what a result cannot be."""
    ending, params = output.suffix.lower(), context.command.params
    if any(isinstance(one.type, FileOrFolder) for one in params):
        return
    if ending in PICTURES:
        drawn = any(one.name == "plot" for one in params)
        advice = f"write --plot {output.name}" if drawn else "end the name in .html"
        raise UsageError(f"-o {output.name} writes a text, no picture; {advice}")
    if ending in FOREIGN:
        raise UsageError(
            f"-o {output.name}: {ending} is not written; end the name in .csv or .json"
        )


def _paths(value: Any) -> list[Path]:
    """The paths in the value of an option or argument, or those that a project reads."""
    value = getattr(value, "paths", value)
    if isinstance(value, tuple | list):
        return [path for one in value for path in _paths(one)]
    return [value] if isinstance(value, Path) else []


def _keep_apart(targets: Mapping[str, Path]) -> None:
    """Refuse two options that name one file or folder; devices take the output of both."""
    owners: dict[Path, str] = {}
    for name, target in targets.items():
        home = target.resolve()
        if home.exists() and not (home.is_file() or home.is_dir()):
            continue
        if home in owners:
            raise UsageError(f"{owners[home]} and {name} both write {target}; name two files")
        owners[home] = name


def _protect(target: Path, name: str, read: list[Path]) -> None:
    """Refuse a target that is an input itself, or a file that is there in a folder of inputs."""
    if not target.is_file():
        return
    home = target.resolve()
    for path in read:
        if path.is_file() and path.samefile(target):
            raise UsageError(f"{option} {target} would overwrite its input; name another file")
        if path.is_dir() and home.is_relative_to(path.resolve()):
            raise UsageError(
                f"{option} {target} lies in {path}, which is read; name a file outside it"
            )
