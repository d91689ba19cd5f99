"""What systems wrote, as the user passed it, made into runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from chronoscore.core import Collection, Output, Ranking, Run
from chronoscore.data.frames import is_data_frame
from chronoscore.data.tables import LONE, RunOutputs, outputs_by_system
from chronoscore.data.values import (
    are_paths,
    as_name,
    as_output,
    as_paths,
    check_output,
    index_by_name,
    is_missing,
    is_path,
    is_text,
)
from chronoscore.errors import DataError, WrongTypeError, describe_type
from chronoscore.formats.corpora import inputs
from chronoscore.formats.io.notes import warn_of_notes
from chronoscore.formats.timelines.entries import Repeated
from chronoscore.options import ReadingRules

Value = TypeVar("Value")


def as_runs(
    systems: Any,
    collection: Collection,
    needs: type[Output],
    *,
    repeated: Repeated = "merge",
    reading: ReadingRules | None = None,
) -> list[Run]:
    """Runs from paths, runs, what a system made, a dict of dicts, or a long table."""
    if hasattr(type(systems), "by_system"):
        systems = systems.by_system()
    load = partial(_load_path_runs, collection, needs, repeated, reading)
    if are_paths(systems):
        return load(as_paths(systems))
    if (ready := _ready_runs(systems)) is not None:
        index_by_name([(run.label, run) for run in ready], "system")
        return [_check_run(run, needs) for run in ready]
    if not isinstance(systems, Mapping) and not is_data_frame(systems) and not is_text(systems):
        raise WrongTypeError(
            f"{describe_type(systems)} does not say what systems wrote; give paths, "
            "{system: {topic: text}} or a table with the columns system, topic and text"
        )
    lone = next(iter(collection.topics)) if len(collection) == 1 else LONE
    runs: list[Run] = []
    for system, outputs in outputs_by_system(systems, lone, collection.topics).items():
        if isinstance(outputs, RunOutputs):
            own = outputs.by_run.items()
            runs += [_convert_outputs(system, one, needs, name) for name, one in own]
        elif is_path(outputs):
            runs += _join_runs(system, load(as_paths(outputs)))
        else:
            runs.append(_convert_outputs(system, outputs, needs))
    if not runs:
        raise DataError("there is no system; give at least one")
    return runs


def _ready_runs(systems: object) -> list[Run] | None:
    """The runs that were passed as such; none where anything else was."""
    given = [systems] if isinstance(systems, Run) else systems
    if not isinstance(given, list | tuple):
        return None
    runs = [one for one in given if isinstance(one, Run)]
    return runs if runs and len(runs) == len(given) else None


def _convert_outputs(
    system: str, outputs: Mapping[str, Any], needs: type[Output], name: str = ""
) -> Run:
    """A run from outputs by topic, in whatever form they are."""
    whose = f"system '{system}', run '{name}'" if name else f"system '{system}'"
    converted = {
        topic: as_output(value, needs, f"{whose}, topic '{topic}'")
        for topic, value in outputs.items()
    }
    return Run(system, converted, name=name)


def _join_runs(system: str, runs: Sequence[Run]) -> list[Run]:
    """What several files hold as the run of one system, or its runs if they are named."""
    if any(run.name for run in runs):
        return [replace(run, system=system) for run in runs]
    outputs = {topic: output for run in runs for topic, output in run.outputs.items()}
    lost = {topic: why for run in runs for topic, why in run.unreadable.items()}
    return [Run(system, outputs, unreadable=lost)]


def as_single_runs(runs: Sequence[Run]) -> list[Run]:
    """Runs each as a system of its own, for what knows nothing of repetition."""
    return [replace(run, system=run.label, name="") if run.name else run for run in runs]


def _load_path_runs(
    collection: Collection,
    needs: type[Output],
    repeated: Repeated,
    rules: ReadingRules | None,
    paths: Sequence[Path],
) -> list[Run]:
    """The runs of files, where the references came from elsewhere."""
    if needs is Ranking:
        from chronoscore.formats.corpora import judged_topics

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


def load_pool(pool: Any, collection: Collection) -> list[Run]:
    """Read runs that only say when they told something."""
    if is_missing(pool):
        return []
    if are_paths(pool):
        from chronoscore.formats.corpora import judged_topics

        paths = as_paths(pool)
        return [
            run
            for path in paths
            for run in judged_topics.load_judged_runs(path, [*collection.topics])
        ]
    return as_runs(pool, collection, Ranking)
