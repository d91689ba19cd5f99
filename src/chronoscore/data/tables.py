"""Outputs and references of many topics, from dicts and from long tables.

Dicts are `{system: {topic: text}}` and `{topic: references}`, or `{system: {run: {topic: text}}}`
where systems have several runs. Tables have the columns system, [run,] topic, [date,] text, and
topic, [author,] [date,] text.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from chronoscore.core import Run, Timeline
from chronoscore.data.frames import (
    column_values,
    frame_records,
    has_column,
    is_data_frame,
    is_frame_column,
    text_cell,
)
from chronoscore.data.values import (
    as_date,
    as_name,
    as_path,
    has_date_keys,
    is_bare_output,
    is_entry_list,
    is_path,
)
from chronoscore.dates.when import When
from chronoscore.errors import DataError, WrongTypeError, describe_type, number_with_noun, warn

RawOutputs: TypeAlias = dict[str, dict[str, Any]]
LONE = "1"
"""The topic of references that name none."""
RawReferences: TypeAlias = dict[str, list[tuple[str, Any]]]


class RunOutputs(NamedTuple):
    """What was given for each topic, run by run."""

    by_run: Mapping[str, Mapping[str, Any]]


def outputs_by_system(
    systems: Any, lone: str = LONE, topics: Collection[str] = ()
) -> dict[str, Any]:
    """By system: what was given for each topic, or for each of its runs, or the path of its files.

    An output by itself is for the topic `lone`, and of a system that has no other name. The known
    `topics` tell runs from topics.
    """
    if is_bare_output(systems):
        return {"system": {lone: systems}}
    if is_data_frame(systems):
        return _frame_outputs(systems)
    found: dict[str, Any] = {}
    for name, outputs in systems.items():
        system = as_name(name, "system")
        if runs := _outputs_by_run(outputs, topics):
            found[system] = RunOutputs(runs)
            continue
        if isinstance(outputs, Run):
            outputs = outputs.outputs
        if is_bare_output(outputs):
            outputs = {lone: outputs}
        if not isinstance(outputs, Mapping) and not is_path(outputs):
            raise WrongTypeError(
                f"system '{system}' has {describe_type(outputs)}; give {{topic: text}} or the "
                "path of its files"
            )
        if is_path(outputs) and not as_path(outputs).exists():
            raise DataError(
                f"system '{system}': there is no file {str(outputs)[:60]!r}; give its path, or "
                "{topic: text}"
            )
        if isinstance(outputs, Mapping):
            outputs = {as_name(topic, "topic"): value for topic, value in outputs.items()}
        found[system] = outputs
    return found


def _outputs_by_run(outputs: Any, topics: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """What was given for each run, where topics stand one level deeper; otherwise nothing."""
    if isinstance(outputs, list | tuple):
        runs = {f"run-{number}": one for number, one in enumerate(outputs, 1)}
    elif isinstance(outputs, Mapping) and not any(str(key) in topics for key in outputs):
        runs = {str(key): one for key, one in outputs.items()}
    else:
        return {}
    held = {name: one.outputs if isinstance(one, Run) else one for name, one in runs.items()}
    if not all(
        isinstance(one, Mapping) and any(str(key) in topics for key in one) for one in held.values()
    ):
        return {}
    return {
        name: {as_name(topic, "topic"): value for topic, value in one.items()}
        for name, one in held.items()
    }


def _frame_outputs(frame: Any) -> dict[str, Any]:
    """Outputs by system and topic from a long table: system, [run,] topic, [date,] text."""
    found: dict[str, RawOutputs] = {}
    dated, repeated = has_column(frame, "date"), has_column(frame, "run")
    columns = ("system", *(("run",) if repeated else ()), "topic", *(("date",) if dated else ()))
    days: dict[tuple[str, str, str], list[tuple[When, str]]] = {}
    for where, cells in frame_records(frame, (*columns, "text"), what="table of systems"):
        system, topic = text_cell(where, cells, "system"), text_cell(where, cells, "topic")
        run = text_cell(where, cells, "run") if repeated else ""
        own = found.setdefault(system, {}).setdefault(run, {})
        if dated:
            days.setdefault((system, run, topic), []).append(_row_entry(where, cells))
        elif topic in own:
            whose = f", run '{run}'," if run else ""
            raise DataError(
                f"system '{system}'{whose} has a text for topic '{topic}' already; keep one row"
                + ("" if run else ", or number them in a column 'run'"),
                place=where,
            )
        else:
            own[topic] = text_cell(where, cells, "text")
    for (system, run, topic), entries in days.items():
        _warn_of_repeated_rows(f"system '{system}', topic '{topic}'", entries)
        found[system][run][topic] = Timeline.of(entries)
    return {system: RunOutputs(own) if repeated else own[""] for system, own in found.items()}


def references_by_topic(references: Any) -> RawReferences:
    """By topic: the references that were given, each with its author."""
    if is_bare_output(references):
        return {LONE: [("", references)]}
    if is_data_frame(references):
        return _frame_references(references)
    if not isinstance(references, Mapping):
        raise WrongTypeError(
            f"{describe_type(references)} is not a set of references; give paths, "
            "{topic: references} or a table with the columns topic and text"
        )
    return {
        as_name(topic, "topic"): list(list_references(value)) for topic, value in references.items()
    }


def list_references(value: Any) -> Iterator[tuple[str, Any]]:
    """One reference or several of a topic, with their authors where they are named."""
    if isinstance(value, Mapping) and not has_date_keys(value):
        for author, text in value.items():
            yield as_name(author, "author"), text
    elif not isinstance(value, list | tuple) and is_data_frame(value):
        yield "", value
    elif is_frame_column(value) or (isinstance(value, list | tuple) and not is_entry_list(value)):
        for text in column_values(value):
            yield getattr(text, "author", ""), text
    else:
        yield getattr(value, "author", ""), value


def _frame_references(frame: Any) -> RawReferences:
    """References by topic from a long table: topic, [author,] [date,] text."""
    dated = has_column(frame, "date")
    required = ("topic", "date", "text") if dated else ("topic", "text")
    found: RawReferences = {}
    named: dict[str, bool] = {}
    days: dict[tuple[str, str], list[tuple[When, str]]] = {}
    for where, cells in frame_records(frame, required, ("author",), what="table of references"):
        topic = text_cell(where, cells, "topic")
        author = "" if cells["author"] is None else text_cell(where, cells, "author")
        if dated:
            if bool(author) != named.setdefault(topic, bool(author)):
                raise DataError(
                    f"topic '{topic}' has rows with and without an author; fill column "
                    "'author' in all of them or in none",
                    place=where,
                )
            days.setdefault((topic, author), []).append(_row_entry(where, cells))
            continue
        known = found.setdefault(topic, [])
        if author and any(author == other for other, _ in known):
            raise DataError(
                f"author '{author}' has a text for topic '{topic}' already; keep one row",
                place=where,
            )
        known.append((author, text_cell(where, cells, "text")))
    for (topic, author), entries in days.items():
        _warn_of_repeated_rows(f"references, topic '{topic}'", entries)
        found.setdefault(topic, []).append((author, Timeline.of(entries, author=author)))
    return found


def _warn_of_repeated_rows(what: str, entries: Sequence[tuple[When, str]]) -> None:
    """Warn of rows that say on a day what another row of the same timeline says on it."""
    if repeated := len(entries) - len({*entries}):
        rows = number_with_noun(repeated, "repeated row")
        warn(f"{what}: has {rows}; drop what is not meant to count again", kind="repeated-row")


def _row_entry(where: str, cells: Mapping[str, Any]) -> tuple[When, str]:
    """The date and the text of a row."""
    if cells["date"] is None:
        raise DataError("column 'date' is empty; fill it or drop the row", place=where)
    try:
        return as_date(cells["date"]), text_cell(where, cells, "text")
    except (DataError, WrongTypeError) as error:
        raise error.at(where) from None
