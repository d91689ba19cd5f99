"""A project that was read: what `score` takes in its place."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.io import layout
from chronoscore.options import ReadingRules, Resampling
from chronoscore.projects.places import NamedPlace, find_places
from chronoscore.projects.reading import ProjectText, as_strings, read_table
from chronoscore.projects.schema import NAME, ProjectTable

INPUTS = ("originals", "judgements", "units")


def find_project(folder: Path) -> Path | None:
    """The project file of a folder; never that of a folder around it."""
    file = folder / NAME
    return file if file.is_file() else None


def read_project(file: Path, raw: bytes | None = None) -> "Project":
    """Read a project file, or what it is going to hold."""
    text, table = read_table(file, raw)
    return Project(file=file, text=text, table=table)


@dataclass(frozen=True, kw_only=True, repr=False)
class Project:
    """What a `chronoscore.toml` says; `score`, `compare`, `report` and `explain` take it.

    It stands in place of the systems and brings references, measures and options along; whatever
    a call gives itself comes first.
    """

    file: Path
    text: ProjectText
    table: ProjectTable
    chosen: tuple[str, ...] = ()
    """The systems that are scored; all, if none is named."""
    others: tuple[Path, ...] = ()
    """Systems that are scored in place of its own, by the paths that a user typed."""

    def __repr__(self) -> str:
        return f"<Project: {self.file}; systems: {', '.join(self.names)}>"

    @property
    def root(self) -> Path:
        """The folder in which everything lies."""
        return self.file.parent

    @property
    def note(self) -> str:
        """The file and its checksum, as outputs name it."""
        digest = sha256(self.text.text.encode()).hexdigest()[:12]
        return f"Scored as {self.file.name} says (sha256 {digest})."

    def places(self, key: str) -> list[NamedPlace]:
        """What the patterns of a key name."""
        found: list[NamedPlace] = []
        for pattern in as_strings(getattr(self.table, key)):
            line = self.text.place(key)
            try:
                places = find_places(self.root, pattern)
            except DataError as error:
                shown = f"{error.place}: " if error.place else ""
                raise DataError(f"{key}: {shown}{error.message}", place=line) from None
            places = [one for one in places if not self._is_own(one.path)]
            if not places:
                raise DataError(f"{key}: nothing is called '{pattern}'; correct it", place=line)
            found += [one for one in places if one.path not in {had.path for had in found}]
        return found

    def _is_own(self, path: Path) -> bool:
        return path.name == NAME or layout.is_about(path)

    @cached_property
    def systems(self) -> dict[str, Any]:
        """By name: a system's file or folder, or its files by topic, or by run and topic."""
        if self._cells is not None:
            return self._cells[0]
        taken = {one.path for key in ("references", *INPUTS) for one in self.places(key)}
        places = [
            one for one in self.places("systems") if not taken & {one.path, *one.path.parents}
        ]
        if not places:
            raise DataError(
                "systems: all of these are references or judgements; name other files",
                place=self.text.place("systems"),
            )
        found: dict[str, Any] = {}
        plain = [one.path for one in places if not one.labels]
        names = layout.distinct_names(plain)
        called = [layout.folder_name(one, STORE) if one.is_dir() else names[one] for one in plain]
        if len({*called}) < len(called):
            shared = os.path.commonpath([str(one) for one in plain])
            called = [Path(os.path.relpath(one, shared)).as_posix() for one in plain]
        found |= dict(zip(called, plain, strict=True))
        for one in places:
            if one.labels:
                self._add_labeled(found, one)
        return found

    def _add_labeled(self, found: dict[str, Any], place: NamedPlace) -> None:
        """Add a file whose name says what it is."""
        labels = place.labels
        named = labels.get("system")
        whole = layout.bare_name(place.path) not in labels.values()
        system = named or (layout.bare_name(place.path) if whole else self._folder_of(place))
        if "topic" not in labels:
            self._put(found, system, place.path, place)
            return
        own = found.setdefault(system, {})
        if isinstance(own, Path):
            raise DataError(f"system '{system}' is there already; rename one", place=place.path)
        if "run" in labels:
            own = own.setdefault(labels["run"], {})
        self._put(own, labels["topic"], place.path, place)

    def _folder_of(self, place: NamedPlace) -> str:
        """The folder of a file whose name is that of a topic."""
        names = [one for one in place.path.parent.parts if one not in place.labels.values()]
        return names[-1] if names else self.root.resolve().name

    def _put(self, found: dict[str, Any], name: str, value: Any, place: NamedPlace) -> None:
        if name in found:
            raise DataError(
                f"'{name}' is there already, as {found[name]}; name each file once",
                place=place.path,
            )
        found[name] = value

    @cached_property
    def _cells(self) -> "tuple[dict[str, Any], dict[str, Any]] | None":
        """Outputs and references of records whose columns the file names.

        None where `score` reads the records itself: texts with their references beside them.
        """
        table = self.table.columns
        if table is None or not (table.system or table.references):
            return None
        from chronoscore.projects import rows

        columns = as_strings(table.system) or ["system"], as_strings(table.references)
        files = [one.path for one in self.places("systems")]
        others = [one.path for one in self.places("references")]
        if not others and len(columns[0]) == 1 and rows.are_plain_records(files, columns[0][0]):
            return None
        outputs: dict[str, Any] = {}
        known: dict[str, Any] = {}
        for path in files:
            if path in others:
                continue
            own, found = rows.cells(path, columns[0], () if others else columns[1], table.id)
            for name, one in own.items():
                if name in outputs:
                    raise DataError(f"system '{name}' is there already; rename one", place=path)
                outputs[name] = one
            rows.merge_references(known, found)
        for path in others:
            rows.merge_references(known, rows.cells(path, (), columns[1], table.id)[1])
        return outputs, known

    @cached_property
    def references(self) -> Any:
        """Paths of references, or references by topic and author."""
        if self._cells is not None:
            return self._cells[1]
        places = self.places("references")
        if not any(one.labels for one in places):
            return [one.path for one in places]
        found: dict[str, Any] = {}
        for one in places:
            topic = one.labels.get("topic", layout.bare_name(one.path))
            own = found.setdefault(topic, {})
            self._put(own, one.labels.get("author") or str(len(own) + 1), one.path, one)
        return found

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
        if len(paths) == len(chosen) and not any("/" in name for name in chosen):
            return paths
        return chosen

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
            if value is not None and not (read and key in ("id", "system", "references"))
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
