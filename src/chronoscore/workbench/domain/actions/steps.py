"""Handing in a step, and what opens the next one."""

import random
from typing import Any

from sqlalchemy import Connection

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, matching, merging, writing
from chronoscore.workbench.domain.actions.practice import sentences_to_repeat
from chronoscore.workbench.domain.actions.recording import record_action
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import people, stream, units
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import step_after


@require_permission("step.submit")
def submit_step(
    connection: Connection,
    topic: TopicAccess,
    key: str,
    source: TopicSource,
    *,
    rest_off: bool = False,
) -> LogEntry:
    """Hand in the visitor's work in the current step, if it is complete."""
    step = topic.step
    if step == "link" and rest_off and judging.undecided_sentences(connection, topic, source):
        judging.mark_rest_off(connection, topic, f"{key}:rest", source)
    _check_complete(connection, topic, source)
    if must_repeat_decisions(connection, topic, source):
        raise ConflictError("one page is left: decide some sentences again before you hand in")
    data = {"step": step, "rest_off": rest_off}
    entry = record_action(connection, topic, "step.submit", data, key)
    # Others may come to practice later; a manager closes it.
    if not topic.practice and not people.unfinished_workers(connection, topic.id, step):
        open_step(connection, topic, f"{key}:next", step_after(topic.steps, step), None)
    return entry


def must_repeat_decisions(connection: Connection, topic: TopicAccess, source: TopicSource) -> bool:
    """Whether the visitor has still to decide some sentences a second time."""
    if topic.step != "link" or topic.practice or not topic.project.settings.get("repeats"):
        return False
    repeated = stream.own_repeats(connection, topic)
    return not repeated and bool(sentences_to_repeat(connection, topic, source))


def open_step(
    connection: Connection, topic: TopicAccess, key: str, step: str, person: int | None
) -> LogEntry:
    """Open a step, by a manager or (without a person) by the workbench itself."""
    place: dict[str, Any] = {"project": topic.project.id, "topic": topic.id}
    by = {**place, "person": person, "step": topic.step, "key": key}
    entry = log.append_log_entry(
        connection, LogEntry(action="step.open", data={"step": step}, **by)
    )
    if step == "rematch":
        # The topic's number is the seed, so that a replay or a reopening draws the same units.
        names = [unit.id for unit in units.units(connection, topic.id)]
        size = min(len(names), int(topic.project.settings.get("sample", 10)))
        chosen = sorted(random.Random(topic.id).sample(names, size), key=names.index)
        sample = {"units": chosen}
        log.append_log_entry(
            connection, LogEntry(action="unit.sample", data=sample, step=step, **place)
        )
    return entry


def _check_complete(connection: Connection, topic: TopicAccess, source: TopicSource) -> None:
    """Refuse to hand in what is not finished, and say what is missing."""
    step = topic.step
    if step == "identify":
        unread = len(source.stories) - len(stream.own_read_stories(connection, topic))
        _check_none_left(unread, "story is", "stories are", "not marked as read")
    elif step == "merge":
        left = len(merging.unassigned_candidates(connection, topic))
        _check_none_left(left, "candidate is", "candidates are", "not in an event")
        if not stream.joint_events(connection, topic.id):
            raise ConflictError("there is no event yet; make one")
    elif step == "link":
        missing = len(judging.undecided_sentences(connection, topic, source))
        words = "undecided; decide, or tick 'the rest is off'"
        _check_none_left(missing, "sentence is", "sentences are", words)
    elif step == "verify":
        left = judging.count_open_items(connection, topic, source)
        _check_none_left(left, "mark is", "marks are", "neither kept nor dropped")
    elif step == "write":
        if not units.own_lines(connection, topic):
            raise ConflictError("your timeline has no line yet; write one")
    elif step == "make":
        left = len(writing.unused_lines(connection, topic))
        _check_none_left(left, "line is", "lines are", "not in a unit")
    else:
        left = matching.count_unmatched(connection, topic)
        _check_none_left(left, "unit is", "units are", "not marked as matched")


def _check_none_left(count: int, one: str, many: str, what: str) -> None:
    if count > 0:
        raise ConflictError(f"{number_with_noun(count, one, many)} {what}")
