"""What people pass, made into collections, runs and measures.

Paths are strings, paths, globs or lists of these. Outputs and references may also be our own
objects, dicts or long tables: see `chronoscore.api.tables`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from chronoscore.api.frames import is_data_frame
from chronoscore.api.results import Result
from chronoscore.api.tables import outputs_argument_by_system, references_argument_by_topic
from chronoscore.api.values import (
    are_path_arguments,
    as_list,
    as_name,
    as_output,
    as_paths,
    check_output,
    is_document,
    is_entry_list,
    is_path_argument,
)
from chronoscore.core import Collection, Output, Ranking, Run, Summary, Timeline, Topic
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import inputs, judged_topics
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.corpora.unreadable import ReadingRules
from chronoscore.formats.io import layout
from chronoscore.formats.io.notes import warn_of_notes
from chronoscore.formats.timelines import tilse, timeline_files
from chronoscore.formats.timelines.entries import Repeated
from chronoscore.measures import Measure, measure_of, parse_measure_text

Value = TypeVar("Value")
KINDS: Mapping[str, type[Output]] = {
    "summaries": Summary,
    "timelines": Timeline,
    "rankings": Ranking,
}


def as_measures(given: Any) -> list[Measure]:
    """Measures from texts, measures, functions, or a list of these."""
    return [parse_measure(one) for one in as_list(given)]


def parse_measure(given: Any) -> Measure:
    """A measure from its text, as in `align+(n=2).f`, from a function, or as it is.

    Text may name a function of your own as `module:function`.

    >>> str(parse_measure("rouge2.f"))
    'rouge(n=2).f'
    """
    if isinstance(given, Measure):
        return given
    if isinstance(given, str):
        return parse_measure_text(given, allow_import=True)
    if callable(given) and not isinstance(given, type):
        return measure_of(given)
    raise WrongTypeError(
        f"{describe_type(given)} is not a measure; give text as in 'rouge(n=2).f', a measure "
        "or a function"
    )


def is_argument_missing(value: object) -> bool:
    """Whether an argument was left out, or is an empty list."""
    return value is None or (isinstance(value, list | tuple) and not value)


def load_inputs(
    systems: Any,
    references: Any,
    needs: type[Output],
    *,
    repeated: Repeated = "merge",
    reading: ReadingRules | None = None,
) -> tuple[Collection, list[Run]]:
    """Read or convert outputs and references of one kind, and pair them up by topic."""
    rules = reading or ReadingRules()
    if are_path_arguments(systems) and (
        is_argument_missing(references) or are_path_arguments(references)
    ):
        paths = as_paths(systems), as_paths(references)
        collection, runs = inputs.load(*paths, needs, repeated=repeated, reading=rules)
    else:
        collection = as_collection(references, needs, repeated=repeated)
        runs = as_runs(systems, collection, needs, repeated=repeated, reading=rules)
    if rules.coarse == "first":
        collection = Collection({t.id: _move_to_first_days(t) for t in collection}, collection.name)
        runs = [replace(run, outputs=_move_outputs_to_first_days(run.outputs)) for run in runs]
    return collection, runs


def check_reading_argument(given: ReadingRules | None) -> ReadingRules:
    """How to read, checked."""
    if given is None:
        return ReadingRules()
    if not isinstance(given, ReadingRules):
        raise WrongTypeError(
            f"{describe_type(given)} does not say how to read; give "
            "ReadingRules(on_error='skip', encoding='cp1252')"
        )
    choices = (
        ("encoding_errors", given.encoding_errors, ("strict", "replace")),
        ("on_error", given.on_error or "empty", ("stop", "empty", "skip")),
        ("coarse", given.coarse, ("keep", "first")),
        ("topics", given.topics, ("all", "shared")),
        ("date_order", given.date_order or "day", ("day", "month")),
    )
    for name, value, known in choices:
        if not isinstance(value, str) or value not in known:
            raise WrongTypeError(f"reading: {name}={value!r} must be one of {', '.join(known)}")
    if given.encoding is not None and not isinstance(given.encoding, str):
        raise WrongTypeError(f"reading: encoding={given.encoding!r} must be a name as 'utf-8'")
    return given


def share_topics(collection: Collection, runs: Sequence[Run]) -> tuple[Collection, list[Run]]:
    """The topics that every run has an output for, and the runs on these topics only."""
    have = [run.outputs.keys() | run.unreadable.keys() for run in runs]
    shared = {topic.id: topic for topic in collection if all(topic.id in own for own in have)}
    if not shared:
        raise DataError("the systems share no topic with the references; leave out --topics shared")
    part = len(collection) if len(shared) < len(collection) else 0
    cut = [
        replace(
            run,
            outputs={name: out for name, out in run.outputs.items() if name in shared},
            unreadable={name: why for name, why in run.unreadable.items() if name in shared},
        )
        for run in runs
    ]
    return Collection(shared, collection.name, part), cut


def _move_to_first_days(topic: Topic) -> Topic:
    """The topic with each coarse date of its timelines on its first day."""
    return replace(topic, timelines=tuple(one.on_first_days() for one in topic.timelines))


def _move_outputs_to_first_days(outputs: Mapping[str, Output]) -> dict[str, Output]:
    """Outputs with each coarse date of a timeline on its first day."""
    return {
        name: out.on_first_days() if isinstance(out, Timeline) else out
        for name, out in outputs.items()
    }


def as_collection(
    references: Any,
    needs: type[Output] = Timeline,
    *,
    repeated: Repeated = "merge",
    documents: bool = False,
) -> Collection:
    """A collection from paths, a collection, topics, a dict or a long table."""
    if isinstance(references, Topic):
        references = [references]
    if (
        isinstance(references, list | tuple)
        and references
        and all(isinstance(one, Topic) for one in references)
    ):
        references = Collection(_by_name([(one.id, one) for one in references], "topic"))
    if isinstance(references, Collection):
        for name, topic in references.topics.items():
            _check_topic(name, topic)
        return references
    if are_path_arguments(references):
        return inputs.load_reference_files(
            as_paths(references), needs, repeated=repeated, documents=documents
        )
    raw = references_argument_by_topic(references)
    if not raw:
        raise DataError("there is no reference; give at least one")
    topics = {name: _as_topic(name, found, needs) for name, found in raw.items()}
    return Collection(topics)


def _by_name(items: Sequence[tuple[Any, Value]], what: str) -> dict[str, Value]:
    """Values by name; a name that comes twice is refused."""
    found: dict[str, Value] = {}
    for name, value in items:
        if name in found:
            raise DataError(f"two {what}s are named {name!r}; rename one")
        found[name] = value
    return found


def _check_topic(name: str, topic: object) -> None:
    """Refuse a topic of ours that is not made of what it should be made of."""
    if not isinstance(topic, Topic):
        raise WrongTypeError(f"topic '{name}' is {describe_type(topic)}; give a Topic")
    fields: tuple[tuple[str, Any, type[Output]], ...] = (
        ("summaries", topic.summaries, Summary),
        ("timelines", topic.timelines, Timeline),
    )
    for field, references, kind in fields:
        if not isinstance(references, list | tuple):
            found = describe_type(references)
            raise WrongTypeError(f"topic '{name}': {field} is {found}; give a tuple")
        for reference in references:
            check_output(reference, kind, f"reference of topic '{name}'")
    documents: Any = topic.documents
    if not isinstance(documents, list | tuple) or not all(map(is_document, documents)):
        raise WrongTypeError(f"topic '{name}': documents must be a tuple of Document")


def _as_topic(name: str, found: Sequence[tuple[str, Any]], needs: type[Output]) -> Topic:
    """A topic with its references in the field of their kind."""
    if len(found) == 1 and isinstance(found[0][1], Topic):
        _check_topic(name, found[0][1])
        return found[0][1]
    outputs = [
        as_output(value, needs, f"reference of topic '{name}'", author or str(number))
        for number, (author, value) in enumerate(found, 1)
    ]
    if needs is Ranking:
        raise UsageError("rankings are scored against judgements; give judgements or units")
    return inputs.topic_of_loaded_references(name, outputs)


def as_runs(
    systems: Any,
    collection: Collection,
    needs: type[Output],
    *,
    repeated: Repeated = "merge",
    reading: ReadingRules | None = None,
) -> list[Run]:
    """Runs from paths, runs, what a system made, a dict of dicts, or a long table."""
    if isinstance(systems, Result):
        # Only then are all systems worth loading.
        from chronoscore.api.system_results import SystemResult

        if isinstance(systems, SystemResult):
            systems = {systems.label or str(systems.system): systems}
    if isinstance(systems, Run):
        systems = [systems]
    if isinstance(systems, list | tuple) and systems and all(isinstance(s, Run) for s in systems):
        _by_name([(run.system, run) for run in systems], "system")
        return [_check_run(run, needs) for run in systems]
    if are_path_arguments(systems):
        return _load_path_runs(as_paths(systems), collection, needs, repeated, reading)
    if not isinstance(systems, Mapping) and not is_data_frame(systems):
        raise WrongTypeError(
            f"{describe_type(systems)} does not say what systems wrote; give paths, "
            "{system: {topic: text}} or a table with the columns system, topic and text"
        )
    runs = []
    for system, outputs in outputs_argument_by_system(systems).items():
        if is_path_argument(outputs):
            found = _load_path_runs(as_paths(outputs), collection, needs, repeated, reading)
            merged = {topic: output for run in found for topic, output in run.outputs.items()}
            lost = {topic: why for run in found for topic, why in run.unreadable.items()}
            runs.append(Run(system, merged, unreadable=lost))
            continue
        runs.append(
            Run(
                system,
                {
                    topic: as_output(value, needs, f"system '{system}', topic '{topic}'")
                    for topic, value in outputs.items()
                },
            )
        )
    if not runs:
        raise DataError("there is no system; give at least one")
    return runs


def _load_path_runs(
    paths: Sequence[Path],
    collection: Collection,
    needs: type[Output],
    repeated: Repeated,
    rules: ReadingRules | None = None,
) -> list[Run]:
    """The runs of files, where the references came from elsewhere."""
    if needs is Ranking:
        return judged_topics.load(paths, ())[1]
    reading = inputs.check_input_files(paths, needs, repeated, rules)
    reading.references = {topic: [] for topic in collection.topics}
    single = len(collection) == 1 and all(path.is_file() for path in paths)
    for path in paths:
        reading.add_system(path, next(iter(collection.topics)) if single else None)
    runs = reading.runs()
    warn_of_notes(reading.notes, every=reading.reading.verbose)
    return runs


def _check_run(run: Run, needs: type[Output]) -> Run:
    """A run whose outputs are of the kind that the measures need."""
    system = as_name(run.system, "system")
    for topic, output in run.outputs.items():
        check_output(output, needs, f"run '{system}', topic '{topic}'")
    return run if run.system == system else replace(run, system=system)


def kind_of_arguments(systems: Any, references: Any) -> type[Output]:
    """What is scored where no measure says so: timelines, if the references are dated."""
    if are_path_arguments(references):
        return path_kind(as_paths(references))
    if is_argument_missing(references) and are_path_arguments(systems):
        return path_kind(as_paths(systems))
    if isinstance(references, Topic | Collection) or (
        isinstance(references, list | tuple) and all(isinstance(t, Topic) for t in references)
    ):
        topics = list(as_collection(references))
        if any(topic.timelines for topic in topics):
            return Timeline
        return Summary if any(topic.summaries for topic in topics) else Ranking
    found = [
        value for values in references_argument_by_topic(references).values() for _, value in values
    ]
    return kind_of_argument(next(iter(found), None))


def kind_of_argument(value: Any) -> type[Output]:
    """Whether one reference is a timeline or a plain text."""
    if isinstance(value, Topic):
        return Timeline if value.timelines else Summary
    if isinstance(value, Path):
        return path_kind([value])
    if isinstance(value, str):
        return Timeline if tilse.detect(value) else Summary
    if isinstance(value, Mapping | Timeline):
        return Timeline
    return Timeline if isinstance(value, list | tuple) and is_entry_list(value) else Summary


def path_kind(paths: Sequence[Path]) -> type[Output]:
    """Whether references hold timelines, by their folders or by a look at the first file."""
    for path in paths:
        if path.name == STORE or any(path.rglob(STORE)):
            return Timeline
        for _, file in layout.reference_files(path, STORE):
            if file.is_file():
                return Timeline if timeline_files.holds_timeline(file) else Summary
    return Summary
