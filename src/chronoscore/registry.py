"""What can be chosen by name: measures, systems, formats, similarities, judges.

A table has a name and a target, `"module:attribute"`, for each of ours, which is imported when it
is first asked for. Installed packages bring their own by entry points of the same form: these are
looked up only if a name is not one of ours, and imported only if they are asked for by name or
listed.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from chronoscore.errors import (
    ChronoscoreError,
    UsageError,
    describe_error,
    did_you_mean,
    warn,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Value = TypeVar("Value")
Preset: TypeAlias = tuple[str, Mapping[str, Any]]
"""A name with some parameters set."""


def load(target: str) -> Any:
    """Import what a `module:attribute` names.

    >>> load("math:sqrt")(9)
    3.0
    """
    module, _, names = target.partition(":")
    value: Any = import_module(module)
    for name in names.split("."):
        value = getattr(value, name)
    return value


def load_own(target: str, what: str, kind: type = object) -> Any:
    """Import `module:function` as a user typed it, also from the working directory.

    A value of `kind` may stand there instead of a function.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = load(target)
    except ChronoscoreError:
        raise
    except Exception as error:  # Anything may go wrong in code that is not ours.
        raise UsageError(
            f"{what} '{target}' cannot be imported: {describe_error(error)}; write module:function"
        ) from None
    if not callable(found) and (kind is object or not isinstance(found, kind)):
        raise UsageError(f"{what} '{target}' is not a function; write module:function")
    return found


class Registry(Generic[Value]):
    """Values of one kind by name; iterating gives the names and imports nothing.

    `adopt` takes what an entry point names, with the entry point's name, and returns the value or
    raises a UsageError that says what is wrong with it. `presets` are further names, read
    whatever their case, for values with some parameters set. `hint` ends the refusal of an unknown
    name.
    """

    def __init__(
        self,
        what: str,
        group: str,
        built_in: Mapping[str, str],
        adopt: Callable[[Any, str], Value],
        presets: Mapping[str, Preset] = {},
        hint: str = "",
    ) -> None:
        self.what, self.group, self.built_in, self.presets = what, group, built_in, presets
        self._adopt, self._hint = adopt, hint
        self._loaded: dict[str, Value] = {}
        self._adopted: dict[EntryPoint, Value] = {}
        self._points: tuple[tuple[str, ...], dict[str, list[EntryPoint]]] = ((), {})

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in
        taken = {*self.built_in, *self.presets}
        yield from (name for name in sorted(self._entry_points()) if name not in taken)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self.presets or name in self._entry_points()

    def find(self, name: str) -> Value:
        """The value of a name; an unknown one is refused with the nearest."""
        if name in self._loaded:
            return self._loaded[name]
        if name in self.built_in:
            return self._loaded.setdefault(name, load(self.built_in[name]))
        points = self._entry_points().get(name)
        if not points:
            near = did_you_mean(name, [*self, *self.presets])
            raise UsageError(f"unknown {self.what} '{name}'; {near}{self._hint}")
        return self._load_point(points)

    def resolve(self, name: str) -> tuple[Value, dict[str, Any]]:
        """The value of a name or preset, and the parameters that the preset sets."""
        if name not in self.built_in and name.casefold() in self.presets:
            whole, chosen = self.presets[name.casefold()]
            return self.find(whole), dict(chosen)
        return self.find(name), {}

    def load_all(self) -> dict[str, Value]:
        """All values by name; what cannot be used of a package is left out and reported."""
        found = {name: self.find(name) for name in self.built_in}
        for name, points in sorted(self._entry_points().items()):
            try:
                if name in found or name in self.presets:
                    raise UsageError(
                        f"{self._name_point(points[0])} is not used: chronoscore has a "
                        f"{self.what} of that name; the package has to rename it"
                    )
                found[name] = self._load_point(points)
            except UsageError as error:
                # A broken package must not hide the others.
                warn(str(error), kind="package")
        return found

    def _load_point(self, points: "list[EntryPoint]") -> Value:
        """Import what an entry point names; all that goes wrong is one sentence."""
        point = points[0]
        if len(points) > 1:
            raise UsageError(
                f"{self.what} '{point.name}' is brought by several packages, "
                f"{' and '.join(map(_package, points))}; uninstall all but one"
            )
        if point not in self._adopted:
            try:
                self._adopted[point] = self._adopt(point.load(), point.name)
            except Exception as error:  # Anything may go wrong in code that is not ours.
                raise UsageError(
                    f"{self._name_point(point)} cannot be used: {describe_error(error)}; "
                    "fix the package or uninstall it"
                ) from None
        return self._adopted[point]

    def _name_point(self, point: "EntryPoint") -> str:
        return f"{self.what} '{point.name}' of package {_package(point)}"

    def _entry_points(self) -> "dict[str, list[EntryPoint]]":
        """The entry points by name; packages are looked for again only if the path changes."""
        path = tuple(sys.path)
        if path != self._points[0]:
            # Reading the metadata of packages is slow to import.
            from importlib.metadata import entry_points

            found: dict[str, list[EntryPoint]] = {}
            for point in entry_points(group=self.group):
                found.setdefault(point.name, []).append(point)
            self._points = path, found
        return self._points[1]


def _package(point: "EntryPoint") -> str:
    """The distribution that an entry point belongs to, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "of an unknown name"
