"""Read `chronoscore.toml`: data that may come from a stranger."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chronoscore.errors import ChronoscoreError, DataError, did_you_mean
from chronoscore.formats.io.files import explain_read_errors
from chronoscore.formats.io.opened import open_file
from chronoscore.options.declare import declared
from chronoscore.projects.schema import LINE_ONLY, OPTIONS, TABLES, ProjectTable

if TYPE_CHECKING:
    from chronoscore.measures.language import Spec

LARGEST = 1 << 20
"""Bytes of a project file; a larger one is something else."""
PARAMETERS = ("endpoint", "model", "path")
"""Parameters of measures that lead to a file or a server."""


class ProjectText:
    """The text of a project file, which knows on which line a key stands."""

    def __init__(self, path: Path, raw: bytes | None = None) -> None:
        self.path = path
        if raw is None:
            with explain_read_errors(path), open_file(path) as file:
                raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise DataError("is larger than 1 MiB; a project file is short", place=path)
        try:
            self.text = raw.decode("utf-8-sig")
            self.values: dict[str, Any] = tomllib.loads(self.text)
        except UnicodeDecodeError:
            raise DataError("is not UTF-8; save it as UTF-8", place=path) from None
        except RecursionError:
            raise DataError("is nested too deeply; flatten it", place=path) from None
        except ValueError as error:
            self._refuse_text(error)

    def _refuse_text(self, error: ValueError) -> None:
        """Say on which line a text is no TOML."""
        said = str(error).partition("\n")[0][:200]
        where = re.search(r" \(at line (\d+), column \d+\)$", said)
        place = f"{self.path}:{where[1]}" if where else self.path
        reason = said[: where.start()] if where else said.removesuffix(" (at end of document)")
        raise DataError(
            f"is not TOML ({reason[:1].lower()}{reason[1:]}); write key = value as chronoscore "
            "init does",
            place=place,
        ) from None

    def place(self, key: str, table: str = "") -> str:
        """The line of a key, as far as it is written plainly."""
        now = ""
        wanted = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line):
                now = header[1].strip("\"'")
                if not table and now == key:
                    return f"{self.path}:{number}"
            elif now == table and wanted.match(line):
                return f"{self.path}:{number}"
        return str(self.path)


def read_table(path: Path, raw: bytes | None = None) -> tuple[ProjectText, ProjectTable]:
    """The values of a project file; whatever is wrong is named with its line."""
    text = ProjectText(path, raw)
    _check_keys(text, text.values, ProjectTable)
    for name, kind in TABLES.items():
        if isinstance(inner := text.values.get(name), Mapping):
            _check_keys(text, inner, kind, name)
    try:
        table = msgspec.convert(text.values, ProjectTable)
    except msgspec.ValidationError as error:
        raise _explain(text, error) from None
    for name, kind in OPTIONS.items():
        if (given := getattr(table, name)) is not None:
            _check_options(text, given, kind, name)
    for measure in as_strings(table.measures):
        try:
            check_measure(measure)
        except ChronoscoreError as error:
            raise DataError(error.message, place=text.place("measures")) from None
    if table.language is not None:
        _check_language(text, table.language, as_strings(table.measures))
    return text, table


def _check_options(text: ProjectText, given: msgspec.Struct, kind: type, table: str) -> None:
    """Refuse values that an option cannot have."""
    keys = {one.name: one.encode_name for one in msgspec.structs.fields(type(given))}
    for one in declared(kind):
        if (value := getattr(given, one.name)) is None:
            continue
        try:
            one.verify(value)
        except ChronoscoreError as error:
            key = keys[one.name]
            # What the value is stands before the colon, as callers in Python write it.
            reason = error.message.partition(": ")[2] or error.message
            shown = f"{value:g}" if isinstance(value, float) else value
            raise DataError(f"{key} = {shown}: {reason}", place=text.place(key, table)) from None


def _check_language(text: ProjectText, language: str, measures: list[str]) -> None:
    """Refuse a language that is none, or where no measure is named that could be in it."""
    from chronoscore.measures.languages import name_language

    place = text.place("language")
    if not measures:
        raise DataError("'language' is that of measures; name some with measures", place=place)
    for measure in measures:
        try:
            name_language(measure, language)
        except ChronoscoreError as error:
            raise DataError(error.message, place=place) from None


def as_strings(value: str | list[str] | None) -> list[str]:
    """One text or several as a list."""
    return [value] if isinstance(value, str) else list(value or ())


def _check_keys(
    text: ProjectText, values: Mapping[str, Any], kind: type[msgspec.Struct], table: str = ""
) -> None:
    """Refuse keys that are not known, and those that only the command line may have."""
    known = [one.encode_name for one in msgspec.structs.fields(kind)]
    for key in values:
        if key in known:
            continue
        place = text.place(key, table)
        if what := LINE_ONLY.get(key.casefold().replace("_", "-")):
            raise DataError(
                f"'{key}': a project file does not set {what}, as it may come from a stranger; "
                "give it on the command line",
                place=place,
            )
        home = [name for name, one in TABLES.items() if key in one.__struct_encode_fields__]
        if not table and home:
            raise DataError(f"'{key}' belongs below [{home[0]}]; move it there", place=place)
        spelled = key.replace("_", "-")
        advice = f"write {spelled}" if spelled in known else did_you_mean(key, known)
        raise DataError(f"unknown key '{key[:80]}'; {advice}", place=place)


def _explain(text: ProjectText, error: msgspec.ValidationError) -> DataError:
    """What is wrong with a value, and on which line."""
    said, _, where = str(error).replace("`", "'").partition(" - at '$")
    names = re.findall(r"\.([\w-]+)", where)
    said = said.removeprefix("Object ")
    key = names[-1] if names else ""
    table = names[0] if len(names) > 1 else ""
    reason = said[:1].lower() + said[1:]
    if "missing required field" in said:
        return DataError('names no systems; write systems = ["outputs/*"]', place=text.path)
    return DataError(f"'{key}': {reason}; see chronoscore init", place=text.place(key, table))


def check_measure(text: str) -> None:
    """Refuse a measure that would import code, read another file or ask a server."""
    # Measures import NumPy; only projects that name some pay for it.
    from chronoscore.measures import MEASURES, parse_measure_text
    from chronoscore.measures.language import read_measure_spec
    from chronoscore.measures.similarity.similarities import SIMILARITIES

    ours = {*MEASURES.built_in, *MEASURES.presets, *SIMILARITIES.built_in}
    foreign = {*MEASURES, *SIMILARITIES} - ours
    for key, name in _words_of(read_measure_spec(text)):
        what = ""
        if ":" in name or name in foreign:
            what = "imports code"
        elif key in PARAMETERS or re.search(r"[/\\~]|\.json", name):
            what = "reads another file or asks a server"
        if what:
            raise DataError(
                f"'{text}' {what}, and a project does not; give it with `measures` on the command "
                "line"
            )
    parse_measure_text(text)


def _words_of(spec: "Spec") -> Iterator[tuple[str, str]]:
    """Every name and value of a measure with its parameter."""
    yield "", spec.name
    for key, value in spec.arguments:
        yield "", key.strip()
        if value is None or isinstance(value, str):
            yield key.strip(), value or ""
        else:
            yield from _words_of(value)
