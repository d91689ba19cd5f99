"""Run systems on topics: several at once, in several processes, each within a time limit.

What goes wrong in one system on one topic is a `Failure`; the others go on.
"""

import multiprocessing
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from chronoscore.core import Document, Output, Topic
from chronoscore.errors import (
    ChronoscoreWarning,
    DataError,
    UsageError,
    describe_error,
    show_warning,
)
from chronoscore.scoring import Progress
from chronoscore.systems.material import prepare_documents
from chronoscore.systems.system import System
from chronoscore.systems.user_systems import CommandSystem, UserSystem
from chronoscore.workers import begin_processes, leave_signals_to_parent


@dataclass(frozen=True)
class Failure:
    """Why there is no output of a system for a topic."""

    system: str
    topic: str
    reason: str

    def __str__(self) -> str:
        return f"system '{self.system}', topic '{self.topic}': {self.reason}"


Made: TypeAlias = Output | Failure


def run_systems(
    systems: Sequence[System],
    topics: Sequence[Topic],
    *,
    jobs: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> list[list[Made]]:
    """What each system makes of each topic: a row for each system.

    Topics are shared among processes; a topic's documents are prepared once for all systems.
    """
    if time_limit is not None or jobs > 1:
        _require_fork(systems, "a time limit" if time_limit is not None else "jobs")
    columns: list[list[Made]] = []
    for column in _run_topics(Work(systems, topics, time_limit), min(jobs, len(topics))):
        columns.append(column)
        if progress:
            progress(len(columns), len(topics))
    return [[column[row] for column in columns] for row in range(len(systems))]


@dataclass(frozen=True)
class Work:
    """All that a process needs to know to run the systems on any of the topics."""

    systems: Sequence[System]
    topics: Sequence[Topic]
    time_limit: float | None

    def run_topic(self, number: int) -> list[Made]:
        """Run all systems on one topic."""
        topic = self.topics[number]
        others = tuple(
            document for other in self.topics if other is not topic for document in other.documents
        )
        ours = any(not isinstance(system, UserSystem) for system in self.systems)
        if self.time_limit is not None and ours and topic.documents:
            # Processes that are started below inherit the words and dates found here.
            prepare_documents(topic.documents)
        return [_run_system(system, topic, others, self.time_limit) for system in self.systems]


def _run_topics(work: Work, jobs: int) -> Iterator[list[Made]]:
    """The outputs for each topic, in order; warnings of other processes are repeated here."""
    if jobs <= 1:
        yield from map(work.run_topic, range(len(work.topics)))
        return
    context = multiprocessing.get_context("fork")
    with begin_processes(jobs, partial(_share, work), context) as pool:
        for column, caught in pool.map(_run_shared, range(len(work.topics))):
            for warning in caught:
                show_warning(warning)
            yield column


_shared: list[Work] = []
"""The work of this process, where it is one of several."""


def _share(work: Work) -> None:
    _shared[:] = [work]


def _run_shared(number: int) -> tuple[list[Made], list[ChronoscoreWarning]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        column = _shared[0].run_topic(number)
    return column, [one.message for one in caught if isinstance(one.message, ChronoscoreWarning)]


def _run_system(
    system: System, topic: Topic, background: Sequence[Document], seconds: float | None
) -> Made:
    """One output, or why there is none; a bug of our own is not hidden."""

    def call() -> Output:
        return system(topic, background=background)

    try:
        if isinstance(system, CommandSystem):
            return system.run_within(topic, seconds)
        return call() if seconds is None else _call_within(call, seconds)
    except TimeoutError:
        reason = f"took longer than {seconds:g} seconds; allow more or give less"
    except (DataError, UsageError) as error:
        if not isinstance(error, DataError) and not isinstance(system, UserSystem):
            raise
        own = error.place == f"topic '{topic.id}'"
        reason = error.message if own else str(error)
    except (Exception, SystemExit) as error:
        if not isinstance(system, UserSystem):
            raise
        reason = describe_error(error)
    return Failure(str(system), topic.id, reason)


def _call_within(call: Callable[[], Output], seconds: float) -> Output:
    """Call in a process of its own, which is stopped when the time is over."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_answer, args=(sender, call))
    with warnings.catch_warnings():
        # The progress bar is a thread, which the process does not use.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            raise TimeoutError
        answer = receiver.recv()
    except EOFError:
        process.join()
        raise DataError(f"its process ended with code {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if isinstance(answer, BaseException):
        raise answer
    output: Output = answer
    return output


def _send_answer(sender: Any, call: Callable[[], Output]) -> None:
    """Send what a call returns or raises, in words where it cannot be sent as it is."""
    leave_signals_to_parent()
    try:
        answer: Any = call()
    except (Exception, SystemExit) as error:
        known = type(error).__module__.split(".")[0] in ("builtins", "chronoscore")
        answer = error if known else DataError(describe_error(error))
    try:
        sender.send(answer)
    except Exception as error:
        sender.send(DataError(f"its answer cannot be sent: {describe_error(error)}"))


def _require_fork(systems: Sequence[System], what: str) -> None:
    """Refuse on platforms whose processes cannot inherit what is in memory."""
    own = all(isinstance(system, CommandSystem) for system in systems)
    if not own and "fork" not in multiprocessing.get_all_start_methods():
        raise UsageError(f"{what} needs processes that fork, which this platform lacks")
