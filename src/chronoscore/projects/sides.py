"""The two sides that a project names: outputs of systems, and references."""

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from chronoscore.errors import DataError
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.io import layout
from chronoscore.formats.io.decoding import decode_as
from chronoscore.projects.cells import (
    Outputs,
    Roles,
    are_plain_records,
    merge_references,
    read_cells,
)
from chronoscore.projects.places import NamedPlace, find_places
from chronoscore.projects.reading import ProjectText, as_strings
from chronoscore.projects.schema import NAME, ProjectTable

INPUTS = ("originals", "judgements", "units")


@dataclass(frozen=True, kw_only=True, repr=False)
class ProjectSides:
    """What the patterns of a project file name, as systems and as references."""

    file: Path
    text: ProjectText
    table: ProjectTable

    @property
    def root(self) -> Path:
        """The folder in which everything lies."""
        return self.file.parent

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
        system = named or self._name_of(place)
        if "topic" not in labels:
            self._put(found, system, place.path, place)
            return
        own = found.setdefault(system, {})
        if isinstance(own, Path):
            raise DataError(f"system '{system}' is there already; rename one", place=place.path)
        if "run" in labels:
            own = own.setdefault(labels["run"], {})
        self._put(own, labels["topic"], place.path, place)

    def _name_of(self, place: NamedPlace) -> str:
        """What a system is called: its file, but for a topic in its name, or its folder."""
        whole = layout.bare_name(place.path)
        topic = place.labels.get("topic", "")
        folders = place.path.parent.parts
        rest = whole if topic in folders else whole.replace(topic, "", 1).strip(" ._-")
        beside = {one.path.parent for one in self.places("references")}
        if rest and (rest == whole or place.path.parent in beside):
            return rest
        names = [one for one in folders if one not in place.labels.values()]
        return names[-1] if names else self.root.resolve().name

    def _put(self, found: dict[str, Any], name: str, value: Any, place: NamedPlace) -> None:
        if name in found:
            raise DataError(
                f"'{name}' is there already, as {found[name]}; name each file once",
                place=place.path,
            )
        found[name] = value

    @cached_property
    def _cells(self) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """Outputs and references of records whose columns the file names.

        None where `score` reads the records itself: texts with their references beside them.
        """
        table = self.table.columns
        if table is None or not (table.system or table.references):
            return None
        systems = tuple(as_strings(table.system)) or ("system",)
        references = tuple(as_strings(table.references))
        files = [one.path for one in self.places("systems")]
        others = [one.path for one in self.places("references")]
        lone = not others and len(systems) == 1 and table.author is None
        roles = Roles(systems, () if others else references, table.id, table.author)
        outputs: dict[str, Any] = {}
        known: dict[str, Any] = {}
        with self._decoding():
            if lone and are_plain_records(files, systems[0]):
                return None
            for path in files:
                if path not in others:
                    own, found = read_cells(path, roles)
                    self._add_cells(outputs, own, path)
                    merge_references(known, found)
            for path in others if references else ():
                theirs = Roles(references=references, topic=table.id)
                merge_references(known, read_cells(path, theirs)[1])
        return outputs, known if references else None

    def _decoding(self) -> AbstractContextManager[None]:
        reading = self.table.reading
        if reading is None:
            return nullcontext()
        return decode_as(reading.encoding, reading.encoding_errors or "strict")

    def _add_cells(self, outputs: dict[str, Any], own: Outputs, path: Path) -> None:
        """Add what systems wrote in another file, about other topics."""
        for name, one in own.items():
            had = outputs.setdefault(name, {})
            if twice := next((topic for topic in one if topic in had), None):
                raise DataError(
                    f"system '{name}' has an output for '{twice}' already; rename one", place=path
                )
            had |= one

    @cached_property
    def references(self) -> Any:
        """Paths of references, or references by topic and author."""
        if self._cells is not None and self._cells[1] is not None:
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
