"""From the paths of a command to a collection and its runs.

One rule for every kind of output: a directory given as a system is named by itself and
its files are topics; a directory of references holds a file for each topic, or a folder
for each topic with a file for each reference; single files are compared with each other
as one topic; JSON and JSON Lines hold many topics in one file.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from chronoscore.core import Collection, Output, Run, Summary, Timeline, Topic
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.formats.corpora.gathered_inputs import GatheredInputs
from chronoscore.formats.corpora.labeled_outputs import (
    STORE,
    read_summaries,
    read_timelines,
)
from chronoscore.formats.corpora.unreadable import is_judged
from chronoscore.formats.io import layout
from chronoscore.formats.io.files import PACKED
from chronoscore.formats.io.layout import is_json
from chronoscore.formats.io.notes import warn_of_notes
from chronoscore.formats.timelines.entries import Repeated
from chronoscore.options import Edition, ReadingRules


def load(
    systems: Sequence[Path],
    references: Sequence[Path],
    needs: type[Output] = Summary,
    *,
    repeated: Repeated = "merge",
    reading: ReadingRules | None = None,
    edition: Edition | None = None,
) -> tuple[Collection, list[Run]]:
    """Read systems and references, files or directories, and pair them up by topic.

    `needs` is what the measures score: summaries or timelines. `repeated` says what becomes
    of a timeline's date that has two blocks, and `edition` how facts of CrisisFACTS become texts.
    """
    inputs = check_input_files([*systems, *references], needs, repeated, reading)
    if needs is Summary:
        references = _follow_track(inputs, references, edition)
    lone = inputs.lone_topic(systems, references)
    for path in references:
        inputs.add_references(path, lone)
    inputs.lone_names = layout.distinct_names(systems)
    for path in systems:
        inputs.add_system(path, lone)
    _warn_of_own_references(systems, references)
    runs = inputs.runs()
    warn_of_notes(inputs.notes, every=inputs.reading.verbose)
    if not inputs.references:
        raise _explain_missing(references)
    _regroup_references(inputs)
    topics = {
        topic: topic_of_loaded_references(topic, found)
        for topic, found in inputs.references.items()
    }
    return Collection(topics), runs


def _explain_missing(references: Sequence[Path]) -> DataError:
    """What to say where no file holds a reference."""
    for path in references:
        if is_judged(path):
            return DataError("holds judgements; give it as `judgements`", place=path)
    if references:
        return DataError("holds no reference; give timelines or texts", place=references[0])
    return DataError("there is no reference; give `references`, a file or a directory")


def _warn_of_own_references(systems: Sequence[Path], references: Sequence[Path]) -> None:
    """Warn of a system that is scored against itself."""
    known = {path.resolve() for path in references}
    for path in systems:
        if path.resolve() in known:
            warn(
                f"{path}: is both a system and a reference; leave it out of one of them",
                kind="own-reference",
            )


def _follow_track(
    inputs: GatheredInputs, references: Sequence[Path], edition: Edition | None
) -> Sequence[Path]:
    """The files of summaries, where references are those of CrisisFACTS, and its rules."""
    if edition is None and inputs.reading.summaries_by is None and not _may_be_track(references):
        return references
    from chronoscore.formats.corpora import crisisfacts_texts as texts

    track = texts.find_references(references)
    rules = texts.FactRules.of(track, edition, inputs.reading.summaries_by, inputs.notes)
    inputs.read = partial(read_summaries, rules=rules)
    inputs.skips = edition == "crisisfacts2023"
    return references if track is None else track.summaries


def _may_be_track(references: Sequence[Path]) -> bool:
    """Whether files of a track may be among references: JSON, or in a folder."""
    return any(path.is_dir() or path.suffix in PACKED or is_json(path) for path in references)


def load_reference_files(
    references: Sequence[Path],
    needs: type[Output] = Summary,
    *,
    repeated: Repeated = "merge",
    documents: bool = False,
) -> Collection:
    """Read references alone, with the articles beside them if they are wanted."""
    inputs = check_input_files(references, needs, repeated)
    if needs is Summary:
        references = _follow_track(inputs, references, None)
    lone = inputs.lone_topic([], references)
    for path in references:
        inputs.add_references(path, lone)
    warn_of_notes(inputs.notes)
    topics = {
        topic: topic_of_loaded_references(topic, found)
        for topic, found in inputs.references.items()
    }
    if documents:
        from chronoscore.formats.corpora import articles

        for path in references:
            for name, topic in topics.items():
                if not topic.documents and (file := layout.article_file(path, name)):
                    topics[name] = replace(topic, documents=tuple(articles.load(file)))
    return Collection(topics)


def check_input_files(
    paths: Sequence[Path],
    needs: type[Output],
    repeated: Repeated,
    reading: ReadingRules | None = None,
) -> GatheredInputs:
    """Nothing read yet, but every path is there and the kind is one that we read."""
    for path in paths:
        if not path.exists():
            raise DataError("no such file or directory; check the path", place=path)
    rules = reading or ReadingRules(on_error="stop")
    if needs is Summary:
        return GatheredInputs(read_summaries, needs.empty(), store="summaries", reading=rules)
    if needs is Timeline:
        read = partial(read_timelines, repeated=repeated, first_days=rules.coarse == "first")
        return GatheredInputs(read, needs.empty(), store=STORE, reading=rules)
    raise UsageError(f"no files of kind '{needs.__name__.lower()}' are read here")


def _regroup_references(inputs: GatheredInputs) -> None:
    """Let `bp.a.txt` and `bp.b.txt` be two references of `bp`, where systems speak of `bp`."""
    asked = {topic for outputs in inputs.outputs.values() for topic in outputs}
    for name in list(inputs.references):
        topic = name.rpartition(".")[0]
        if name not in asked and topic in asked:
            inputs.references.setdefault(topic, []).extend(inputs.references.pop(name))


def topic_of_loaded_references(name: str, found: Sequence[Output]) -> Topic:
    """A topic with its references in the field of their kind."""
    return Topic(
        id=name,
        summaries=tuple(output for output in found if isinstance(output, Summary)),
        timelines=tuple(output for output in found if isinstance(output, Timeline)),
    )
