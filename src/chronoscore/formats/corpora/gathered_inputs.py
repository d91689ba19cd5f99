"""What is read of the paths of a command, file by file: references, outputs, what is unreadable."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from chronoscore.core import Output, Run, Summary, Timeline
from chronoscore.errors import DataError
from chronoscore.formats.corpora import run_folders
from chronoscore.formats.corpora.labeled_outputs import (
    LabeledOutput,
    Read,
    file_outputs_with_role,
    topics_without_role,
)
from chronoscore.formats.corpora.result_files import (
    find_topic_in_file_name,
    split_topics_by_reference_file,
)
from chronoscore.formats.corpora.unreadable import (
    classify_unreadable_answer,
    describe_unreadable,
    is_judged,
    is_submission,
    refuses_to_answer,
)
from chronoscore.formats.io import layout
from chronoscore.formats.io.layout import bare_name, is_json
from chronoscore.formats.io.notes import Note
from chronoscore.options import ReadingRules

_Value = TypeVar("_Value")


@dataclass
class GatheredInputs:
    """What has been read so far: references by topic, outputs by system and topic."""

    read: Read
    blank: Output
    store: str = ""
    references: dict[str, list[Output]] = field(default_factory=dict)
    outputs: dict[str, dict[str, Output]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    reading: ReadingRules = field(default_factory=ReadingRules)
    unreadable: dict[str, dict[str, str]] = field(default_factory=dict)
    """Why outputs could not be read, by system and topic."""
    errors: list[DataError] = field(default_factory=list)
    split: dict[str, list[str]] = field(default_factory=dict)
    """The topics that each reference of a topic has become, where results are for references."""
    lone_names: dict[Path, str] = field(default_factory=dict)
    """What systems of a single file are called."""
    skips: bool = False
    """Whether systems are not scored on topics without output."""
    named_runs: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The system and the run's name, for outputs of one of several runs."""
    _pieces: dict[Path, list[LabeledOutput]] = field(default_factory=dict)
    _failed: dict[Path, DataError] = field(default_factory=dict)
    _files: dict[tuple[str, str], Path] = field(default_factory=dict)
    """The file of each system's output for a topic."""

    def pieces(self, file: Path) -> list[LabeledOutput]:
        """What a file holds, read once."""
        if file not in self._pieces:
            self._pieces[file] = self.read(file, self.notes)
        return self._pieces[file]

    def answers(self, file: Path) -> list[LabeledOutput] | None:
        """What a system's file holds; nothing where it cannot be read and need not be."""
        try:
            return None if file in self._failed else self.pieces(file)
        except DataError as error:
            # What the system does not let us read is no answer.
            if self.reading.on_error == "stop" or error.reason == "system":
                raise
            self._failed[file] = error
            return None

    def runs(self) -> list[Run]:
        """All systems; if none of their answers can be read, the first one's error is raised."""
        runs = [
            Run(
                system,
                self._for_each_reference(self.outputs.get(key, {})),
                unreadable=self._for_each_reference(self.unreadable.get(key, {})),
                skips=self.skips,
                name=name,
            )
            for key in dict.fromkeys([*self.outputs, *self.unreadable])
            for system, name in [self.named_runs.get(key, (key, ""))]
        ]
        readable = any(run.outputs.keys() - run.unreadable.keys() for run in runs)
        if self.errors and not readable and self.reading.on_error is None:
            raise self.errors[0]
        if self.errors:
            counted = "they count as empty" if self.reading.on_error != "skip" else "left out"
            text = f"{describe_unreadable(runs)}; {counted}; the first: {self.errors[0]}"
            self.notes.append(Note("", None, "unreadable", text))
        return runs

    def _for_each_reference(self, found: dict[str, _Value]) -> dict[str, _Value]:
        """What there is by topic, by the references of a topic where these are topics now."""
        return {
            name: value for topic, value in found.items() for name in self.split.get(topic, [topic])
        }

    def lone_topic(self, systems: Sequence[Path], references: Sequence[Path]) -> str | None:
        """The topic's name where only single outputs are compared, otherwise nothing."""
        paths = [*systems, *references]
        if not references or any(path.is_dir() for path in paths):
            return None
        held = [piece for path in systems for piece in self.answers(path) or ()]
        held += [piece for path in references for piece in self.pieces(path)]
        if any(piece.topic is not None for piece in held):
            return None
        home = references[0].resolve().parent
        if home.name == self.store:
            return layout.folder_name(home, self.store)
        return next(layout.reference_files(references[0], self.store))[0]

    def add_references(self, path: Path, lone: str | None) -> None:
        """Read each reference below a path, and put it under its topic."""
        for topic, file in layout.reference_files(path, self.store):
            pieces = self.pieces(file)
            if not pieces:
                raise DataError("holds no reference; fill it or leave it out", place=file)
            for name in topics_without_role(pieces, "reference"):
                raise DataError(f"topic '{name}' has no references; add them", place=file)
            for piece in file_outputs_with_role(pieces, "reference"):
                told = lone or topic if piece.topic is None else piece.topic
                self.references.setdefault(told, []).append(piece.output)

    def add_system(self, path: Path, lone: str | None) -> None:
        """Read one system: a directory of topics, a file of records, or a single output."""
        if path.is_dir():
            self._add_folder(path)
        elif lone is not None:
            self._add_file(path, self.lone_names.get(path) or bare_name(path), lone)
        else:
            self._add_file(
                path, layout.folder_name(path.resolve().parent, self.store), bare_name(path)
            )

    def _add_folder(self, path: Path, *, inside: bool = False) -> None:
        """Read a system's folder: its topics, or its runs with their topics."""
        system = layout.folder_name(path, self.store)
        inner = [one for one in layout.run_children(path, self.store) if one.is_dir()]
        if inner and self.reading.folders == "systems" and not inside:
            for folder in inner:
                self._add_folder(folder, inside=True)
            return
        runs: list[run_folders.RunFile] = []
        if inner and self.reading.folders == "runs":
            runs = run_folders.list_runs(path, self.store, self._topic_names)
        elif inner:
            runs = run_folders.find_runs(path, self.store, self._topic_names, self.notes)
        for one in runs:
            key = f"{system}/{one.run}"
            self.named_runs[key] = (system, one.run)
            self._add_file(one.file, key, one.topic, child=True)
        if not runs:
            for topic, file in layout.system_files(path, self.store):
                self._add_file(file, system, topic, child=True)

    def _add_file(self, file: Path, system: str, topic: str, *, child: bool = False) -> None:
        topic = self._find_topic(file, topic)
        pieces = self.answers(file)
        if pieces is None:
            self._add_unreadable(file, system, topic, child=child)
            return
        for name in topics_without_role(pieces, "system"):
            raise DataError(f"topic '{name}' has no 'system'; add its text", place=file)
        pieces = self._shared_pieces(pieces, file)
        found = file_outputs_with_role(pieces, "system")
        if not found:
            if is_judged(file):
                raise DataError("holds judgements, no system's output; name texts", place=file)
            raise DataError("holds no system's output; write it as 'system'", place=file)
        if sum(piece.topic is None for piece in found) > 1:
            self._add_in_order(found, file)
            return
        named = system in self.named_runs
        for piece in found:
            if self._refuses(piece, file):
                name = system if named or piece.topic is None else bare_name(file)
                self._add_refusal(file, name, topic if piece.topic is None else piece.topic)
            elif piece.topic is None:
                self._add_output(system, topic, piece.output, file)
                if isinstance(piece.output, Timeline) and not len(piece.output):
                    self._note_unreadable(system, topic, classify_unreadable_answer(file, None))
            else:
                author = getattr(piece.output, "author", "") or bare_name(file)
                self._add_output(system if named else author, piece.topic, piece.output, file)
        self._add_known(pieces, file)

    def _shared_pieces(self, pieces: Sequence[LabeledOutput], file: Path) -> list[LabeledOutput]:
        """The pieces of a run that have references, with a note on those that have none."""
        more = [one.topic for one in pieces if one.shared and one.topic not in self.references]
        if not more:
            return list(pieces)
        kept = [one for one in pieces if not one.shared or one.topic in self.references]
        if not kept:
            raise DataError(
                f"has no event that the references have ('{more[0]}' first); check both",
                place=file,
            )
        text = f"{len(more)} of {len(pieces)} events have no reference, '{more[0]}' first; left out"
        self.notes.append(Note(str(file), None, "dropped", text))
        return kept

    def _find_topic(self, file: Path, name: str) -> str:
        """The topic of a file: its name, or the one topic that stands inside its name."""
        if not self.references or name in self.references or name in self.split:
            return name
        known = {topic for one in self.references for topic in (one, one.rpartition(".")[0])}
        if name in known:
            return name
        topic = find_topic_in_file_name(name, known - {""})
        if topic is None:
            return name
        text = f"is taken to be for topic '{topic}', which its name holds"
        self.notes.append(Note(str(file), None, "guessed", text))
        return topic

    def _add_in_order(self, found: Sequence[LabeledOutput], file: Path) -> None:
        """Take outputs without a topic in the order of topics, as in a result file of news-tls.

        It has one for each reference of a topic: then each reference becomes a topic.
        """
        every = sum(map(len, self.references.values()))
        if len(found) == every and every != len(self.references):
            split = split_topics_by_reference_file(self.references)
            names = iter(split)
            self.split = {
                topic: [next(names) for _ in self.references[topic]]
                for topic in sorted(self.references)
            }
            self.references = split
        topics = list(self.references) if self.split else sorted(self.references)
        if len(found) != len(topics):
            raise DataError(
                f"holds {len(found)} outputs and does not say for which of the "
                f"{len(topics)} topics; give one for each, or records with a topic",
                place=file,
            )
        for topic, piece in zip(topics, found, strict=True):
            self._add_output(bare_name(file), topic, piece.output, file)
        order = "the topics and their references" if self.split else "the topics"
        text = f"names no topics; its {len(found)} outputs are taken in the order of {order}"
        self.notes.append(Note(str(file), None, "guessed", text))

    def _refuses(self, piece: LabeledOutput, file: Path) -> bool:
        """Whether a text is a model's refusal; `on_error="stop"` stops here."""
        if not isinstance(piece.output, Summary):
            return False
        if not refuses_to_answer("\n".join(piece.output.sentences)):
            return False
        if self.reading.on_error == "stop":
            raise DataError('holds a refusal; ask again or give `on_error="empty"`', place=file)
        return True

    def _add_refusal(self, file: Path, system: str, topic: str) -> None:
        """Count a refusal as an answer that cannot be read."""
        self.errors.append(DataError("holds a refusal; ask again", place=file))
        self._add_output(system, topic, self.blank, file)
        self._note_unreadable(system, topic, "refused")

    def _add_unreadable(self, file: Path, system: str, topic: str, *, child: bool) -> None:
        """Record an answer that cannot be read; a file that is for no topic is dropped."""
        problem = self._failed[file]
        if not child and isinstance(self.blank, Summary) and is_json(file):
            # Records of many topics are a run, not an answer.
            raise problem
        if not child and is_judged(file):
            raise problem
        reason = classify_unreadable_answer(file, problem)
        if not child and reason in ("binary", "encoding") and self.reading.on_error is None:
            # No model answers so: the wrong file was named, or its encoding must be.
            raise problem
        topics = [topic]
        if topic not in self._topic_names:
            if child:
                if is_submission(file):
                    return
                self.notes.append(
                    Note(str(file), None, "dropped", "is for no topic and cannot be read")
                )
                return
            system, topics = bare_name(file), list(self.references)
        self.errors.append(problem)
        for name in topics:
            self._add_output(system, name, self.blank, file)
            self._note_unreadable(system, name, reason)

    def _note_unreadable(self, system: str, topic: str, reason: str) -> None:
        self.unreadable.setdefault(system, {})[topic] = reason
        if self.reading.on_error == "skip":
            del self.outputs[system][topic]

    def _add_output(self, system: str, topic: str, output: Output, path: Path) -> None:
        """Keep an output; two for the same system and topic are refused."""
        mine = self.outputs.setdefault(system, {})
        if topic in mine:
            raise DataError(
                f"system '{system}' has an output for topic '{topic}' already"
                f"{self._explain_second_output(system, topic, output, path)}",
                place=path,
            )
        self._files[system, topic] = path
        mine[topic] = output

    def _explain_second_output(self, system: str, topic: str, output: Output, path: Path) -> str:
        """Where the first output for a topic is, and what to do about the second."""
        first = self._files[system, topic]
        folder = next((one for one in path.parents if one.name == system), None)
        if not self._topic_names:
            return "; there is no reference; if this is one, give it as `references`"
        if topic not in self._topic_names and folder is not None:
            return f"; if it holds systems, score each as one: {folder}/*"
        if folder is not None and run_folders.are_numbered_runs([system]):
            return f"; if they are runs, give the folders around them, as {folder.parent}"
        if first == path:
            return "; keep one of the two"
        if folder is not None and folder in first.parents and folder != path.parent:
            return f"; if {folder} holds references, give it as `references`"
        if first.parent == path.parent:
            return f", from {first.name}; keep one of the two files"
        return f", from {first}; rename one of the two, or its folder"

    @property
    def _topic_names(self) -> set[str]:
        """What topics are called, with and without an ending."""
        return {name for one in self.references for name in (one, one.rpartition(".")[0])}

    def _add_known(self, pieces: Sequence[LabeledOutput], file: Path) -> None:
        """Take the references that stand in the same records as a system's outputs."""
        for piece in pieces:
            if piece.topic is not None and piece.role == "reference":
                known = self.references.setdefault(piece.topic, [])
                known.extend([] if piece.output in known else [piece.output])
        for piece in pieces:
            if piece.topic is not None and piece.topic not in self.references:
                raise DataError(
                    f"topic '{piece.topic}' has no references; add them or give `references`",
                    place=file,
                )
