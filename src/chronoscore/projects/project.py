"""A project that was read: what `score` takes in its place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.io import layout
from chronoscore.options import ReadingRules, Resampling
from chronoscore.projects.reading import as_strings, read_table
from chronoscore.projects.schema import NAME
from chronoscore.projects.sides import INPUTS, ProjectSides


def find_project(folder: Path) -> Path | None:
    """The project file of a folder; never that of a folder around it."""
    file = folder / NAME
    return file if file.is_file() else None


def read_project(file: Path, raw: bytes | None = None) -> "Project":
    """Read a project file, or what it is going to hold."""
    text, table = read_table(file, raw)
    return Project(file=file, text=text, table=table)


@dataclass(frozen=True, kw_only=True, repr=False)
class Project(ProjectSides):
    """What a `chronoscore.toml` says; `score`, `compare`, `report` and `explain` take it.

    It stands in place of the systems and brings references, measures and options along; whatever
    a call gives itself comes first.
    """

    chosen: tuple[str, ...] = ()
    """The systems that are scored; all, if none is named."""
    others: tuple[Path, ...] = ()
    """Systems that are scored in place of its own, by the paths that a user typed."""

    def __repr__(self) -> str:
        return f"<Project: {self.file}; systems: {', '.join(self.names)}>"

    @property
    def note(self) -> str:
        """The file and its checksum, as outputs name it."""
        digest = sha256(self.text.text.encode()).hexdigest()[:12]
        return f"Scored as {self.file.name} says (sha256 {digest})."

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        if self.others:
            return tuple(layout.distinct_names(self.others).values())
        return self.chosen or tuple(self.systems)

    def choose(self, names: Iterable[str]) -> "Project":
        """The project with some of its systems."""
        known = tuple(self.systems)
        for name in names:
            if name not in known:
                raise UsageError(
                    f"{self.file.name}: no system '{name}'; {did_you_mean(name, known)}"
                )
        return replace(self, chosen=tuple(names))

    def lone(self) -> "Project":
        """The project with its only system; one of several has to be named."""
        if len(self.names) == 1:
            return self
        raise UsageError(
            f"{self.file.name} names {len(self.names)} systems; name one of them: "
            f"{', '.join(self.names[:6])}{' …' if len(self.names) > 6 else ''}"
        )

    def of_paths(self, paths: Iterable[Path]) -> "Project":
        """The project with other systems."""
        return replace(self, others=tuple(paths))

    @property
    def given_systems(self) -> Any:
        """The systems as `score` takes them."""
        if self.others:
            return [*self.others]
        chosen = {name: self.systems[name] for name in self.names}
        paths = [one for one in chosen.values() if isinstance(one, Path)]
        called = [layout.folder_name(one, STORE) if one.is_dir() else layout.bare_name(one)
                  for one in paths]  # fmt: skip
        return paths if called == [*chosen] else chosen

    @property
    def paths(self) -> list[Path]:
        """Everything that is read."""
        keys = ("systems", "references", *INPUTS)
        read = [one.path for key in keys for one in self.places(key)]
        return [self.file, *self.others, *read]

    @property
    def measures(self) -> list[str]:
        """The measures, in the language that the file names."""
        named = as_strings(self.table.measures)
        language = self.table.language
        if not named or language is None:
            return named
        from chronoscore.measures.languages import name_language

        return [name_language(one, language) for one in named]

    @property
    def options(self) -> dict[str, Any]:
        """What else `score` is given, by the names of its parameters."""
        table = self.table
        found: dict[str, Any] = {
            key: [one.path for one in self.places(key)]
            for key in INPUTS
            if getattr(table, key) is not None
        }
        if table.documents is not None:
            found["documents"] = self.places("documents")[0].path
        changes = {"compat": table.compat, "jackknife": table.jackknife or None}
        return found | {key: value for key, value in changes.items() if value is not None}

    @property
    def columns(self) -> dict[str, Any]:
        """The columns by what they hold."""
        read = self._cells is not None
        given = {} if self.table.columns is None else msgspec.structs.asdict(self.table.columns)
        return {
            key: value
            for key, value in given.items()
            if value is not None and not (read and key in ("id", "system", "references", "author"))
        }

    @property
    def reading(self) -> Mapping[str, Any]:
        """The rules of reading that the file sets."""
        return _set_values(self.table.reading)

    @property
    def statistics(self) -> Mapping[str, Any]:
        """How averages and intervals are computed, as far as the file says it."""
        return _set_values(self.table.statistics)

    @property
    def gate(self) -> Mapping[str, Any]:
        """What must be reached, by the parameters of `score` and `diff`."""
        gate = self.table.gate
        if gate is None:
            return {}
        found = {
            "thresholds": as_strings(gate.fail_under) or None,
            "fail_on_regression": gate.fail_on_regression,
            "strict": gate.strict or None,
        }
        return {key: value for key, value in found.items() if value is not None}

    def complete(
        self, references: Any, measures: Any, options: Mapping[str, Any]
    ) -> tuple[Any, Any, Any, Any]:
        """Systems, references, measures and options of a call, which come first."""
        given = {
            key: one for key, one in options.items() if not _is_missing(one) and one is not False
        }
        more = {**self.options}
        if self.reading or self.columns:
            more["reading"] = ReadingRules(**self.reading, columns=self.columns or None)
        if self.statistics:
            more["resampling"] = Resampling(**self.statistics)
        if _is_missing(references):
            references = self.references
        if _is_missing(measures):
            measures = self.measures or None
        return self.given_systems, references or None, measures, {**options, **more, **given}


def _set_values(table: msgspec.Struct | None) -> dict[str, Any]:
    """What a table sets."""
    given = {} if table is None else msgspec.structs.asdict(table)
    return {key: value for key, value in given.items() if value is not None}


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, Sequence) and not value)
