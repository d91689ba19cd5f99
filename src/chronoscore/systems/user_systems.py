"""Systems that are not ours: a Python function, or a command that reads JSON."""

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, ClassVar

from chronoscore.core import Document, Output, Ranking, Summary, Timeline, Topic, When
from chronoscore.errors import DataError, UsageError, describe_type
from chronoscore.formats.io.files import encode_text
from chronoscore.formats.io.notes import warn_of_notes
from chronoscore.formats.timelines import timeline_files
from chronoscore.registry import load_own
from chronoscore.systems.system import System, check_system_parameters
from chronoscore.systems.timelines import wanted_timeline_shape

COMMAND = "command:"
"""What the text of a system begins with that is a command."""


@dataclass(frozen=True, kw_only=True)
class UserSystem(System):
    """A function or a command that makes an output from documents.

    It is told the length that is asked for, but shown no references.
    """

    makes = Timeline
    line: ClassVar[str] = "a system of your own"
    dates: int | None = None
    sentences: int | None = None
    words: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, dates=1, sentences=1, words=1)

    def run(self, topic: Topic, background: Sequence[Document]) -> Output:
        """Ask for the output and check that it is one."""
        return self.run_within(topic, None)

    def run_within(self, topic: Topic, seconds: float | None) -> Output:
        """Ask for the output and check it; a command may take only so many seconds."""
        shown = replace(topic, timelines=(), summaries=(), judgements=None, pyramid=None)
        answer = self.ask(shown, self.length(topic), seconds)
        return read_answer(answer, f"the answer for topic '{topic.id}'", summary=bool(self.words))

    def length(self, topic: Topic) -> dict[str, int | str]:
        """What is asked for: `dates`, `sentences`, `words`, the `first` and `last` day, a seed."""
        asked: dict[str, int | str | None] = {
            "dates": self.dates,
            "sentences": self.sentences,
            "words": self.words,
            "seed": self.seed,
        }
        if any(len(timeline) for timeline in topic.timelines):
            shape = wanted_timeline_shape(topic, self.dates, self.sentences)
            asked |= {"dates": shape.dates, "sentences": shape.sentences}
            for name, day in (("first", shape.first), ("last", shape.last)):
                asked[name] = None if day is None else str(When(day, day, "day"))
        return {name: value for name, value in asked.items() if value is not None}

    def ask(self, topic: Topic, length: Mapping[str, int | str], seconds: float | None) -> Any:
        """Whatever the system answers."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class FunctionSystem(UserSystem):
    """A function of a topic, and of those of `dates`, `sentences` … that it has parameters for."""

    function: ClassVar[Callable[..., Any]]

    def ask(self, topic: Topic, length: Mapping[str, int | str], seconds: float | None) -> Any:
        """Call the function."""
        function = type(self).function
        return function(
            topic, **{name: length[name] for name in length if _takes_parameter(function, name)}
        )


@dataclass(frozen=True, kw_only=True)
class CommandSystem(UserSystem):
    """A command, run without a shell, that reads a topic as JSON and prints a timeline."""

    command: ClassVar[tuple[str, ...]]

    def ask(self, topic: Topic, length: Mapping[str, int | str], seconds: float | None) -> str:
        """Run the command; it and what it started are stopped when the time is over."""
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise DataError(f"cannot be started: {error.strerror or error}") from None
        request = encode_text(json.dumps(_request_of(topic, length), ensure_ascii=False))
        try:
            printed, said = process.communicate(request, timeout=seconds)
        except subprocess.TimeoutExpired:
            _stop_process(process)
            raise TimeoutError from None
        except BaseException:
            _stop_process(process)
            raise
        if process.returncode:
            last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
            why = f": {last[0].strip()}" if last else ""
            raise DataError(f"ended with code {process.returncode}{why}")
        try:
            return printed.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError("printed something that is not UTF-8 text") from None


def _stop_process(process: "subprocess.Popen[bytes]") -> None:
    """End a command and all that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _request_of(topic: Topic, length: Mapping[str, int | str]) -> dict[str, Any]:
    """What a command reads: the topic, the length that is asked for, and the documents."""
    return {
        "topic": topic.id,
        "title": topic.title,
        "keywords": list(topic.keywords),
        **length,
        "documents": [
            {
                "id": document.id,
                "time": str(document.when) if document.when else None,
                "title": document.title,
                "sentences": [sentence.text for sentence in document.sentences],
            }
            for document in topic.documents
        ],
    }


def _takes_parameter(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter that can be given by this name."""
    try:
        parameters = signature(function).parameters
    except (TypeError, ValueError):
        return False
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    first = next(iter(parameters), None)
    return any(
        one.kind is Parameter.VAR_KEYWORD
        or (one.name == name and one.kind in named and name != first)
        for one in parameters.values()
    )


def read_answer(answer: Any, place: str, *, summary: bool = False) -> Output:
    """Check what a system gave: one of our outputs, a text, or dates with texts."""
    if isinstance(answer, Ranking):
        return answer
    if isinstance(answer, Summary):
        found: Summary | Timeline = Summary.of(
            answer.sentences, author=answer.author, set=answer.set
        )
    elif isinstance(answer, str):
        found = _read_text(answer, place, summary=summary)
    elif isinstance(answer, Timeline):
        entries = [(entry.when, entry.sentences) for entry in answer]
        found = Timeline.of(entries, author=answer.author)
    elif summary and isinstance(answer, Iterable) and not isinstance(answer, Mapping):
        found = Summary.of(answer)
    elif isinstance(answer, Iterable) and not isinstance(answer, bytes):
        found = Timeline.of(answer)
    else:
        raise DataError(f"{describe_type(answer)} is not a timeline; return {{date: text}}")
    if not any(text.strip() for text in found.sentences):
        raise DataError("the output has no text")
    return found


def _read_text(text: str, place: str, *, summary: bool) -> Summary | Timeline:
    """A summary with a sentence a line, or a timeline in any of our formats."""
    if not text.strip():
        raise DataError("the output is empty")
    if summary:
        return Summary.of([line for line in text.splitlines() if line.strip()])
    file = timeline_files.read_timeline_text(text, place)
    warn_of_notes(file.notes)
    if len(file.timelines) != 1:
        raise DataError(f"the output holds {len(file.timelines)} timelines; give one")
    return file.timelines[0].timeline


def _system_of(function: Callable[..., Any], name: str = "") -> type[FunctionSystem]:
    """The kind of system that calls a function."""
    label = name or getattr(function, "__name__", type(function).__name__)
    said = (getattr(function, "__doc__", None) or "").strip().splitlines()
    own = {"name": label, "function": staticmethod(function), "__module__": __name__}
    if said and not isinstance(function, type):
        own["line"] = said[0].strip()
    return type("FunctionSystem", (FunctionSystem,), own)


def command_system(text: str) -> CommandSystem:
    """The system that runs a command."""
    try:
        words = tuple(shlex.split(text.removeprefix(COMMAND)))
    except ValueError as error:
        raise UsageError(f"system '{text}': {str(error).lower()}; close the quotes") from None
    if not words:
        raise UsageError(f"system '{text}' names no command; write 'command: python mine.py'")
    own = {"name": text, "command": words, "__module__": __name__}
    made: CommandSystem = type("CommandSystem", (CommandSystem,), own)()
    return made


def import_system(target: str) -> type[System] | System:
    """Import `module:function`, also from the working directory."""
    return adopt_system(load_own(target, "system"), target)


def adopt_system(found: Any, name: str) -> type[System] | System:
    """A system as it is, and a function as one."""
    if isinstance(found, System) or (isinstance(found, type) and issubclass(found, System)):
        return found
    if not callable(found):
        raise UsageError("it is neither a system nor a function")
    return _system_of(found, name)
