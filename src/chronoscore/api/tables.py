"""Outputs and references of many topics, from dicts and from long tables.

Dicts are `{system: {topic: text}}` and `{topic: references}`. Tables have the columns system,
topic, [date,] text, and topic, [author,] [date,] text.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from chronoscore.api.frames import (
    column_values,
    has_column,
    is_column,
    is_frame,
    records,
    text_cell,
)
from chronoscore.api.results import path_of
from chronoscore.api.values import date_of, has_dates, is_entry_list, is_path, name_of
from chronoscore.core import Run, Timeline
from chronoscore.dates.when import When
from chronoscore.errors import DataError, WrongTypeError, describe_type

RawOutputs: TypeAlias = dict[str, dict[str, Any]]
RawReferences: TypeAlias = dict[str, list[tuple[str, Any]]]


def raw_outputs(systems: Any) -> dict[str, Any]:
    """By system: what was given for each topic, or the path of its files."""
    if is_frame(systems):
        return dict(frame_outputs(systems))
    found: dict[str, Any] = {}
    for name, outputs in systems.items():
        system = name_of(name, "system")
        if isinstance(outputs, Run):
            outputs = outputs.outputs
        if not isinstance(outputs, Mapping) and not is_path(outputs):
            raise WrongTypeError(
                f"system '{system}' has {describe_type(outputs)}; give {{topic: text}} or the "
                "path of its files"
            )
        if is_path(outputs) and not path_of(outputs).exists():
            raise DataError(
                f"system '{system}': there is no file {str(outputs)[:60]!r}; give its path, or "
                "{topic: text}"
            )
        if isinstance(outputs, Mapping):
            outputs = {name_of(topic, "topic"): value for topic, value in outputs.items()}
        found[system] = outputs
    return found


def frame_outputs(frame: Any) -> RawOutputs:
    """Outputs by system and topic from a long table: system, topic, [date,] text."""
    found: RawOutputs = {}
    dated = has_column(frame, "date")
    required = ("system", "topic", "date", "text") if dated else ("system", "topic", "text")
    days: dict[tuple[str, str], list[tuple[When, str]]] = {}
    for where, cells in records(frame, required, what="table of systems"):
        system, topic = text_cell(where, cells, "system"), text_cell(where, cells, "topic")
        if dated:
            days.setdefault((system, topic), []).append(entry_of(where, cells))
        elif topic in found.setdefault(system, {}):
            raise DataError(
                f"{where}: system '{system}' has a text for topic '{topic}' already; keep one row"
            )
        else:
            found[system][topic] = text_cell(where, cells, "text")
    for (system, topic), entries in days.items():
        found.setdefault(system, {})[topic] = Timeline.of(entries)
    return found


def raw_references(references: Any) -> RawReferences:
    """By topic: the references that were given, each with its author."""
    if is_frame(references):
        return frame_references(references)
    if not isinstance(references, Mapping):
        raise WrongTypeError(
            f"{describe_type(references)} is not a set of references; give paths, "
            "{topic: references} or a table with the columns topic and text"
        )
    return {
        name_of(topic, "topic"): list(each_reference(value)) for topic, value in references.items()
    }


def each_reference(value: Any) -> Iterator[tuple[str, Any]]:
    """One reference or several of a topic, with their authors where they are named."""
    if isinstance(value, Mapping) and not has_dates(value):
        for author, text in value.items():
            yield name_of(author, "author"), text
    elif is_column(value) or (isinstance(value, list | tuple) and not is_entry_list(value)):
        for text in column_values(value):
            yield getattr(text, "author", ""), text
    else:
        yield getattr(value, "author", ""), value


def frame_references(frame: Any) -> RawReferences:
    """References by topic from a long table: topic, [author,] [date,] text."""
    dated = has_column(frame, "date")
    required = ("topic", "date", "text") if dated else ("topic", "text")
    found: RawReferences = {}
    named: dict[str, bool] = {}
    days: dict[tuple[str, str], list[tuple[When, str]]] = {}
    for where, cells in records(frame, required, ("author",), what="table of references"):
        topic = text_cell(where, cells, "topic")
        author = "" if cells["author"] is None else text_cell(where, cells, "author")
        if dated:
            if bool(author) != named.setdefault(topic, bool(author)):
                raise DataError(
                    f"{where}: topic '{topic}' has rows with and without an author; fill column "
                    "'author' in all of them or in none"
                )
            days.setdefault((topic, author), []).append(entry_of(where, cells))
            continue
        known = found.setdefault(topic, [])
        if author and any(author == other for other, _ in known):
            raise DataError(
                f"{where}: author '{author}' has a text for topic '{topic}' already; keep one row"
            )
        known.append((author, text_cell(where, cells, "text")))
    for (topic, author), entries in days.items():
        found.setdefault(topic, []).append((author, Timeline.of(entries, author=author)))
    return found


def entry_of(where: str, cells: Mapping[str, Any]) -> tuple[When, str]:
    """The date and the text of a row."""
    if cells["date"] is None:
        raise DataError(f"{where}: column 'date' is empty; fill it or drop the row")
    try:
        return date_of(cells["date"]), text_cell(where, cells, "text")
    except (DataError, WrongTypeError) as error:
        text = str(error)
        raise type(error)(text if text.startswith(where) else f"{where}: {text}") from None
