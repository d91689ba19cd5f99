"""Single values as people write them: names, dates, paths, texts, timelines, rankings.

Where an output is expected, a string is a text and a `Path` a file.
"""

import glob
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from os import PathLike
from os.path import exists
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from chronoscore.core import (
    Document,
    Entry,
    Output,
    Ranking,
    Selection,
    Sentence,
    Summary,
    Timeline,
)
from chronoscore.data.frames import (
    column_values,
    has_column,
    is_data_frame,
    is_frame_column,
    whole_records,
)
from chronoscore.dates.when import When
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type
from chronoscore.formats.io import layout
from chronoscore.formats.io.notes import Note, warn_of_notes
from chronoscore.formats.summaries import plain
from chronoscore.formats.timelines import fields, timeline_files
from chronoscore.formats.timelines.field_values import flatten

Value = TypeVar("Value")
Report: TypeAlias = Callable[[Sequence[Note]], None]


def as_list(value: Any) -> list[Any]:
    """Several values as a list; a single one, and a string, is a list of one."""
    if value is None:
        return []
    if is_frame_column(value):
        return column_values(value)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return [value]
    if not isinstance(value, list | tuple) and is_data_frame(value):
        return [value]
    return list(value)


def is_missing(value: object) -> bool:
    """Whether an argument was left out, or is an empty list."""
    return value is None or (isinstance(value, list | tuple) and not value)


def index_by_name(items: Sequence[tuple[Any, Value]], what: str) -> dict[str, Value]:
    """Values by name; a name that comes twice is refused."""
    found: dict[str, Value] = {}
    for name, value in items:
        if name in found:
            raise DataError(f"two {what}s are named {name!r}; rename one")
        found[name] = value
    return found


def as_name(value: Any, what: str) -> str:
    """The name of a system, topic or author; a whole number will do."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise WrongTypeError(f"{value!r} is not the name of a {what}; give text")


def as_date(value: Any) -> When:
    """A date from text, a date, a period or a `When`; a number may be a year."""
    if isinstance(value, str) or (_is_date(value) and not is_period(value)):
        return When.of(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return When.parse(str(value))
    if is_period(value):
        return as_timeline([[period_text(value), []]], "date").entries[0].when
    raise WrongTypeError(f"{describe_type(value)} is not a date; give 2010-06-03")


def is_period(value: object) -> bool:
    """Whether a value is a period of pandas: a month, a quarter, a week …"""
    return type(value).__name__ == "Period" and hasattr(value, "freqstr")


def period_text(value: object) -> str:
    """A period as people write it: 2010Q2 is Q2 2010, and a week is a range of days."""
    text = str(value).replace("/", " to ")
    return f"{text[4:]} {text[:4]}" if text[4:5] == "Q" else text


def _is_date(value: object) -> bool:
    """Whether a value is, or reads as, a date."""
    if not isinstance(value, str):
        known = isinstance(value, When | date) or type(value).__name__ == "datetime64"
        return known or is_period(value)
    try:
        When.parse(value)
    except DataError:
        return False
    return True


def has_date_keys(value: Mapping[Any, Any]) -> bool:
    """Whether any key is a date, so that the others must be dates too."""
    return any(_is_date(key) for key in value)


def is_entry_list(value: Sequence[Any]) -> bool:
    """Whether a list is one timeline: pairs of date and text, or records with a date."""
    if is_data_frame(value):
        named = all(isinstance(key, str) for row in value for key in row)
        return named and not any(map(has_date_keys, value)) and _has_dates(value)
    return bool(value) and all(
        isinstance(item, list | tuple) and len(item) == 2 and _is_date(item[0]) for item in value
    )


def _has_dates(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a field of records is their date."""
    return bool(fields.choose([flatten(row) for row in rows]).dates)


def is_text(value: object) -> bool:
    """Whether a value can only be a text: several lines, or an entry that is no file."""
    if not isinstance(value, str):
        return False
    return "\n" in value.strip() or _is_dated_item(value.strip())


def _is_dated_item(line: str) -> bool:
    """Whether a line is an entry of a list, as in `- 3 May 2010: The dam broke`."""
    mark, blank, _ = line.partition(" ")
    # `Path.exists` raises an error where a line is too long for a name.
    if not blank or "/" in mark or exists(line):  # noqa: PTH110
        return False
    return timeline_files.is_timeline_text(line)


def is_path(value: object) -> bool:
    """Whether a value can only be a path where outputs are expected."""
    known = isinstance(value, str | PathLike) and not isinstance(value, bytes)
    return known and not is_text(value)


def is_bare_output(value: object) -> bool:
    """Whether a value is one output by itself: a text, or a table that names no topic or system."""
    if isinstance(value, Mapping) or not is_data_frame(value):
        return is_text(value) or isinstance(value, Timeline | Summary)
    return not (has_column(value, "topic") or has_column(value, "system"))


def are_paths(value: object) -> bool:
    """Whether a value is a path or several."""
    if isinstance(value, list | tuple):
        return bool(value) and all(is_path(item) for item in value)
    return is_path(value)


def as_path(value: object, what: str = "path") -> Path:
    """A path from a string or a path; anything else is refused."""
    if isinstance(value, bytes) or not isinstance(value, str | PathLike):
        raise WrongTypeError(f"{describe_type(value)} is not a {what}; give a string or a Path")
    path = Path(value)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # Those who open the file say what is wrong with it.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        shown = str(value)[:60]
        raise UsageError(f"{what} cannot be used ({reason}); check it", place=shown) from None
    if not str(value):
        raise UsageError(f"the {what} is empty; name a file or a folder")
    return path


def as_paths(given: Any, what: str = "path") -> list[Path]:
    """The paths that a string, a path, a glob, or a list of these names."""
    return [path for one in as_list(given) for path in expand_path_pattern(as_path(one, what))]


def expand_path_pattern(path: Path) -> list[Path]:
    """A path itself, or what a pattern matches; a zip archive is the folder that it holds."""
    if not glob.has_magic(str(path)) or path.exists():
        return [_unpacked(path)]
    root = Path(path.anchor)
    try:
        matches = sorted(root.glob(str(path.relative_to(root))))
    except ValueError as error:
        raise UsageError(f"{str(error)[:1].lower()}{str(error)[1:]}", place=path) from None
    if not matches:
        raise DataError("no file matches; check the pattern", place=path)
    return [_unpacked(match) for match in matches]


def _unpacked(path: Path) -> Path:
    """The folder that a zip archive holds, or a path as it is."""
    if path.suffix.lower() != ".zip":
        return path
    from chronoscore.formats.io.archives import as_folder

    return as_folder(path)


def as_output(value: Any, needs: type[Output], where: str, author: str = "") -> Output:
    """An output or a reference of one kind from whatever a caller has."""
    if isinstance(value, Summary | Timeline | Ranking):
        return check_output(value, needs, where)
    if needs is Timeline:
        return Timeline(as_timeline(value, where).entries, author)
    if isinstance(value, Path):
        if needs is Summary:
            return Summary(plain.load(value).sentences, author or layout.bare_name(value))
        raise _wrong_kind_error(where, value, needs)
    if needs is Summary:
        return Summary.of(as_summary_text(value, where), author=author)
    return Ranking(tuple(_as_selection(one, where) for one in as_list(value)))


def check_output(output: object, needs: type[Output], where: str) -> Output:
    """An output of ours of the kind that the measures need, made of what it should be made of."""
    if not isinstance(output, needs):
        raise _wrong_kind_error(where, output, needs)
    if not _is_sound(output):
        build = f"{needs.__name__}.of(…)" if needs is not Ranking else "Ranking((Selection(id), …))"
        raise WrongTypeError(
            f"the {needs.__name__.lower()} holds values of a wrong type or order; build "
            f"it with {build}",
            place=where,
        )
    return output


def _is_sound(output: object) -> bool:
    """Whether an output is made of values of the right types, and of days in their order."""
    match output:
        case Summary(sentences=list() | tuple() as sentences):
            return all(isinstance(one, str) for one in sentences)
        case Timeline(entries=list() | tuple() as entries):
            return all(map(_is_entry, entries)) and all(
                one.when < later.when for one, later in pairwise(entries)
            )
        case Ranking(selections=list() | tuple() as selections):
            return all(isinstance(one, Selection) for one in selections)
    return False


def _is_entry(value: object) -> bool:
    """Whether a value is an entry with a date and sentences."""
    return (
        isinstance(value, Entry)
        and isinstance(value.when, When)
        and isinstance(value.sentences, list | tuple)
        and all(isinstance(text, str) for text in value.sentences)
    )


def is_document(value: object) -> bool:
    """Whether a value is a document of sentences."""
    return (
        isinstance(value, Document)
        and isinstance(value.sentences, list | tuple)
        and all(isinstance(one, Sentence) and isinstance(one.text, str) for one in value.sentences)
    )


def _wrong_kind_error(where: str, output: object, needs: type[Output]) -> WrongTypeError:
    """The error for an output that the measures cannot score."""
    return WrongTypeError(
        f"the measures score a {needs.__name__.lower()} and this is a "
        f"{type(output).__name__.lower()}; choose other measures or convert it",
        place=where,
    )


def as_summary_text(value: Any, where: str) -> str | list[str]:
    """A text: a string, or a list of its sentences."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) or is_frame_column(value):
        sentences = column_values(value)
        if all(isinstance(sentence, str) for sentence in sentences):
            return sentences
    raise WrongTypeError(
        f"{describe_type(value)} is not a text; give a string or a list of sentences", place=where
    )


def as_timeline(value: Any, where: str, *, report: Report = warn_of_notes) -> Timeline:
    """A timeline from a dict by date, pairs, records, a file, or any text that files may hold.

    `report` is told what a reader of text noted.
    """
    if isinstance(value, Path):
        return timeline_files.load(value)
    if isinstance(value, str):
        return _parse_timeline(value, where, report=report)
    if isinstance(value, Mapping) and has_date_keys(value):
        return Timeline.of([_as_entry(*entry, where) for entry in value.items()])
    if isinstance(value, list | tuple) and is_entry_list(value) and not is_data_frame(value):
        return Timeline.of([(as_date(k), as_summary_text(v, where)) for k, v in map(tuple, value)])
    if is_data_frame(value) and not isinstance(value, list | tuple):
        value = whole_records(value)
    if isinstance(value, Mapping | list | tuple):
        return _parse_timeline(_as_json(value, where), where, "json", report=report)
    raise _no_timeline_error(where, value)


def _as_entry(when: Any, text: Any, where: str) -> tuple[Any, str | list[str]]:
    """A day and its text as `Timeline.of` takes them; strings go as they are."""
    return (
        when if type(when) is str else as_date(when),
        text if type(text) is str else as_summary_text(text, where),
    )


def _as_json(value: object, where: str) -> str:
    """Plain values as the text of a JSON file; nothing is no text."""
    if not value:
        return ""
    try:
        return json.dumps(value, default=_date_as_text)
    except (TypeError, ValueError, RecursionError):
        raise _no_timeline_error(where, value) from None


def _no_timeline_error(where: str, value: object) -> WrongTypeError:
    """The error for a value that holds no timeline."""
    return WrongTypeError(
        f"{describe_type(value)} is not a timeline; give {{date: text}}, a text or a Timeline",
        place=where,
    )


def _date_as_text(value: object) -> str:
    """A date inside plain values as text."""
    if is_period(value):
        return period_text(value)
    if isinstance(value, date | When):
        return value.isoformat() if isinstance(value, date) else str(value)
    raise TypeError


def _parse_timeline(
    text: str, where: str, form: str | None = None, *, report: Report = warn_of_notes
) -> Timeline:
    """The one timeline of a text in any of our formats, such as a model's Markdown answer."""
    if not text.strip():
        return Timeline.empty()
    reading = timeline_files.read_timeline_text(text, where, form=form)
    report(reading.notes)
    if len(reading.timelines) != 1:
        raise DataError(
            f"holds {len(reading.timelines)} timelines where one is expected", place=where
        )
    return reading.timelines[0].timeline


def _as_selection(value: Any, where: str) -> Selection:
    """A chosen sentence: its id, the id and a score, or a selection."""
    if isinstance(value, Selection):
        return value
    if isinstance(value, str):
        return Selection(value)
    match value:
        case [str(sentence), int() | float() as score] if not isinstance(score, bool):
            return Selection(sentence, float(score))
    raise WrongTypeError(
        f"{describe_type(value)} is not a selection; give a sentence's id, or (id, score)",
        place=where,
    )
