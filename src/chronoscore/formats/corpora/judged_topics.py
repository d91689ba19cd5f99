"""From the paths of a command to judged topics and the rankings of systems.

Judgements come as our own JSON Lines, as DUCView files, or as the directory of a shared task;
what a path is follows from what it holds. Files about the same topic complete each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore.core import Collection, Output, Run, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import (
    crisisfacts,
    crisisfacts_assessed,
    crisisfacts_runs,
    meantime,
    semeval2015,
    trects,
)
from chronoscore.formats.io.files import read_numbered_lines
from chronoscore.formats.io.layout import bare_name, is_json_lines_file
from chronoscore.formats.io.partial import leave_out, only_in_folders
from chronoscore.formats.judgements import ducview, judgement_files, nugget_files, rankings
from chronoscore.formats.judgements.rows import FORMAT

OWN = ("judgements.jsonl", "units.jsonl")
"""The names under which our own files are looked for in a directory."""
LOOKED_AT = 4096
"""Bytes of a file's first line that must name the format."""
SHARED_NAMES = {"ranking", "rankings", "run", "runs", "output", "selections"}
"""Names of files that say nothing about their system; the folder's name does."""


def load(
    systems: Sequence[Path], judged: Sequence[Path], *, texts: bool = True
) -> tuple[Collection, list[Run]]:
    """Read judgements and what systems chose, and pair them up by topic."""
    collection = load_collection(judged, texts=texts)
    return collection, load_runs(systems, judged, collection)


def load_collection(
    judged: Sequence[Path], *, texts: bool = True, task: trects.TaskOptions | None = None
) -> Collection:
    """Read judgements; files about the same topic complete each other."""
    if task and not any(path.is_dir() and trects.is_directory(path) for path in judged):
        raise UsageError("`matches` and `duplicates` are for a directory of TREC; leave them out")
    _check_paths(judged)
    topics: dict[str, Topic] = {}
    for path in judged:
        for topic in load_judged_topics(path, texts=texts, task=task):
            topics[topic.id] = _merge_topics(path, topics.get(topic.id), topic)
    return Collection(topics)


def load_runs(systems: Sequence[Path], judged: Sequence[Path], collection: Collection) -> list[Run]:
    """Read what systems chose from the topics that were judged in some files."""
    _check_paths(systems)
    topics = collection.topics
    runs: dict[str, dict[str, Output]] = {}
    for path in systems:
        for one in load_judged_runs(path, list(topics)):
            unjudged = only_in_folders(one, judged, topics)
            run = leave_out(one, unjudged, "topics are not judged", path)
            mine = runs.setdefault(run.system, {})
            twice = next((name for name in run.outputs if name in mine), None)
            if twice is not None:
                raise DataError(
                    f"system '{run.system}' has an output for topic '{twice}' already; "
                    "give systems different names",
                    place=path,
                )
            mine |= run.outputs
    if systems and not runs:
        raise DataError(
            f"has nothing on a judged topic (there are {len(topics)}, "
            f"'{next(iter(topics))}' first); check the topics' names",
            place=systems[0],
        )
    if any(_find_pyramid_files(path) for path in judged):
        ducview.report_other_pyramids(systems, topics)
    return [Run(system, outputs) for system, outputs in runs.items()]


def _check_paths(paths: Iterable[Path]) -> None:
    """Refuse what is not there."""
    for path in paths:
        if not path.exists():
            raise DataError("no such file or directory; check the path", place=path)


def load_judged_topics(
    path: Path, *, texts: bool = True, task: trects.TaskOptions | None = None
) -> Iterable[Topic]:
    """The judged topics at a path."""
    if path.is_dir():
        return _load_topics_below(path, texts=texts, task=task)
    if path.suffix in (".pyr", ".pan"):
        return [_load_pyramid_topic(path)]
    if (found := _load_crisisfacts(path)) is not None:
        return found
    if is_json_lines_file(path) and nugget_files.is_nuggets(path):
        return nugget_files.load(path).topics
    if is_json_lines_file(path):
        return judgement_files.load(path, texts=texts).topics.values()
    raise DataError(
        "holds no judgements in a known format; give .jsonl, .pyr, .pan, .facts.json "
        "or a task's directory",
        place=path,
    )


def _load_crisisfacts(path: Path) -> Iterable[Topic] | None:
    """The topics of CrisisFACTS at a path, or nothing if it is not the track's."""
    if crisisfacts.facts_file(path):
        return crisisfacts.load(path)
    if crisisfacts_assessed.find_files(path) is not None:
        return crisisfacts_assessed.load(path)
    match crisisfacts.kind_of(path):
        case "summaries":
            raise DataError("holds summaries, not judgements; give it as `references`", place=path)
        case "events":
            raise DataError("lists events without their facts; give the .facts.json", place=path)
        case "collapsed":
            raise DataError("holds facts of one request; give its folder", place=path)
        case "labels":
            raise DataError("there is no collapsed-event-days beside it; put it there", place=path)
    return None


def _load_topics_below(
    folder: Path, *, texts: bool, task: trects.TaskOptions | None = None
) -> Iterable[Topic]:
    """The judged topics of a directory, of whatever task it is."""
    if trects.is_directory(folder):
        return trects.load(folder, task)
    if (found := _load_crisisfacts(folder)) is not None:
        return found
    if semeval2015.is_directory(folder):
        return semeval2015.load(folder)
    if meantime.is_directory(folder):
        return meantime.load(folder)
    own = sorted(path for name in OWN for path in folder.rglob(name))
    if own:
        return _merge_files(own, texts=texts)
    if pyramids := _find_pyramid_files(folder):
        return [_load_pyramid_topic(path) for path in pyramids]
    if any(folder.rglob("*.pan")):
        return ducview.load_topics(folder)
    if named := find_judgement_files(folder):
        return _merge_files(named, texts=texts)
    raise DataError(
        f"holds no judgements in a known format; give the directory with "
        f"{' or '.join(OWN)}, or a task's own",
        place=folder,
    )


def _merge_files(paths: Iterable[Path], *, texts: bool) -> Iterable[Topic]:
    """The topics of our own files, which may complete each other."""
    found: dict[str, Topic] = {}
    for path in paths:
        for topic in judgement_files.load(path, texts=texts).topics.values():
            found[topic.id] = _merge_topics(path, found.get(topic.id), topic)
    return found.values()


def find_judgement_files(folder: Path) -> list[Path]:
    """The files below a folder whose first line says that they hold judgements."""
    return sorted(
        file for file in folder.rglob("*.jsonl*") if file.is_file() and _is_judgement_file(file)
    )


def _is_judgement_file(path: Path) -> bool:
    """Whether the first line says that the file holds judgements."""
    try:
        _, first = next(read_numbered_lines(path))
    except (DataError, StopIteration):
        return False
    return FORMAT.encode() in first[:LOOKED_AT]


def _find_pyramid_files(path: Path) -> list[Path]:
    """The pyramids without outputs at or below a path."""
    found = path.rglob("*.pyr") if path.is_dir() else [path]
    return sorted(file for file in found if file.suffix == ".pyr")


def _load_pyramid_topic(path: Path) -> Topic:
    """The topic of a DUCView file."""
    return Topic(id=ducview.parse_name(path).topic, pyramid=ducview.load(path))


def _merge_topics(path: Path, known: Topic | None, more: Topic) -> Topic:
    """A topic with what another file says about it; the same thing twice is refused."""
    if known is None:
        return more
    for field in ("judgements", "pyramid"):
        if getattr(known, field) is not None and getattr(more, field) is not None:
            raise DataError(f"topic '{more.id}' has {field} already; give them once", place=path)
    return replace(
        known,
        title=known.title or more.title,
        judgements=known.judgements or more.judgements,
        pyramid=known.pyramid or more.pyramid,
        documents=known.documents or more.documents,
        timelines=known.timelines or more.timelines,
    )


def load_judged_runs(path: Path, topics: Sequence[str]) -> list[Run]:
    """The runs at a path: a ranking, a run of a task, annotated outputs, or a folder of these."""
    if crisisfacts_assessed.find_files(path) is not None:
        return crisisfacts_assessed.load_runs(path, topics)
    if path.is_dir():
        if any(path.rglob("*.pan")):
            return ducview.load_runs(path)
        own = sorted(found for found in path.iterdir() if _may_hold_rankings(found))
        if not own:
            raise DataError(
                "holds no ranking (rankings.jsonl); judgements score what was retrieved, and "
                "timelines or texts are scored against `references`",
                place=path,
            )
        return [run for found in own for run in load_judged_runs(found, topics)]
    if path.suffix == ".pan":
        name = ducview.parse_name(path)
        return [Run(name.system, {name.topic: ducview.load_output(path)})]
    if crisisfacts_runs.is_run(path):
        return [_share_requests(run, topics, path) for run in crisisfacts_runs.load_runs(path)]
    if is_json_lines_file(path) or path.suffix == ".json":
        if is_json_lines_file(path) and nugget_files.is_nuggets(path):
            return nugget_files.load_runs(path)
        return rankings.load(path, system=_system_name(path))
    return trects.load_runs(path, topics)


def _may_hold_rankings(path: Path) -> bool:
    """Whether a file of a folder is one of rankings: JSON Lines, or a run of CrisisFACTS."""
    return path.is_file() and (is_json_lines_file(path) or crisisfacts_runs.is_run(path))


def _share_requests(run: Run, topics: Sequence[str], path: Path) -> Run:
    """The run on the requests that were judged, with a note on others."""
    if not topics:
        return run
    if not run.outputs:
        raise DataError("holds no fact that says anything; fill it", place=path)
    known = set(topics)
    more = [request for request in run.outputs if request not in known]
    return leave_out(run, more, "requests are not judged", path)


def _system_name(path: Path) -> str:
    """A file's name without its endings, or the folder's where it says nothing."""
    name = bare_name(path)
    return path.resolve().parent.name if name in SHARED_NAMES else name
