"""`chronoscore.toml` on the command line: without systems, the file says what is scored."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from chronoscore.cli.derive import Command, option, stacked
from chronoscore.cli.slips import PathName

if TYPE_CHECKING:
    from chronoscore.projects.project import Project

PROJECT = "chronoscore.toml"


class SystemsArgument(click.Argument):
    """Systems by their paths, or those of a project: all of them, or the ones that are named.

    It is read before the options, for which the project has defaults.
    """

    def __init__(self, names: Sequence[str], **facts: Any) -> None:
        super().__init__(names, is_eager=True, **facts)

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        """The words, or the project."""
        words, source = super().consume_value(ctx, opts)
        words = words if isinstance(words, tuple) else ()
        asked = opts.get("project")
        if ctx.resilient_parsing or not (asked or Path(PROJECT).is_file()):
            return words, source
        project = _choose_project(Path(str(asked)) if asked else Path(PROJECT), words, bool(asked))
        if project is None:
            return words, source
        _announce(ctx, opts, project)
        ctx.default_map = {**(ctx.default_map or {}), **defaults(project)}
        return project, ParameterSource.DEFAULT_MAP

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The paths, or the project as it is."""
        if not hasattr(value, "given_systems"):
            return super().process_value(ctx, value)
        return value if self.callback is None else self.callback(ctx, self, value)


def _are_paths(words: Sequence[str]) -> bool:
    """Whether any word is the path of a system, so that all are meant as such."""
    return any("://" in word or Path(word).exists() for word in words)


def _choose_project(file: Path, words: Sequence[str], asked: bool) -> "Project | None":
    """The project, if systems are not named by their paths alone."""
    from chronoscore.projects.project import read_project

    # A folder of the project may have its system's name, and completion adds a slash.
    names = [word.rstrip("/\\") for word in words]
    paths = _are_paths(words)
    if paths and not asked and any("/" in name or "\\" in name for name in names):
        return None
    project = read_project(file)
    if not words:
        return project
    known = {*project.systems}
    if {*names} <= known:
        return project.choose(names)
    if paths:
        return project.of_paths(map(Path, words)) if asked else None
    # A name of the project beside a slip, or a slip near a name, is no path that is missing.
    meant = any(name in known or get_close_matches(name, known, n=1) for name in names)
    return project.choose(names) if asked or meant else None


def _announce(context: click.Context, opts: Mapping[str, Any], project: "Project") -> None:
    """Say on standard error which file counts."""
    if not opts.get("quiet"):
        click.echo(f"project: {project.file}", err=True)


def defaults(project: "Project") -> dict[str, Any]:
    """The project's values by the names of the parameters of commands."""
    found: dict[str, Any] = {**project.options, **project.reading, **project.statistics}
    if "level" in found:
        found["level"] = 100 * found["level"]
    found["columns"] = [
        f"{role}={name}"
        for role, names in project.columns.items()
        for name in ([names] if isinstance(names, str) else names)
    ]
    if measures := project.measures:
        found |= {"measures": measures, "measure": measures[0]}
    return {**found, **project.gate}


systems_option = option(
    "--project",
    group="common",
    type=PathName(),
    metavar="FILE",
    expose_value=False,
    help="Score as this file of `chronoscore init` says; without SYSTEM ./chronoscore.toml counts.",
)


def systems(
    kind: "click.ParamType[Any]", name: str = "systems", **facts: Any
) -> Callable[[Command], Command]:
    """The argument that names systems, and the option that names a project."""
    named = click.argument(
        name,
        nargs=-1,
        required=True,
        type=kind,
        metavar="SYSTEM...",
        cls=SystemsArgument,
        **facts,
    )
    return stacked(named, systems_option)
