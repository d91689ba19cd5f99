"""Handing in a step, and what opens the next one."""

import random

from sqlalchemy import Connection

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, matching, merging, writing
from chronoscore.workbench.domain.actions.performing import Data, performs
from chronoscore.workbench.domain.actions.practice import sentences_to_repeat
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.domain.queries import people, stream, units
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import step_after


def must_repeat_decisions(connection: Connection, topic: TopicAccess, source: TopicSource) -> bool:
    """Whether the visitor has still to decide some sentences a second time."""
    if topic.step != "link" or topic.practice or not topic.project.settings.get("repeats"):
        return False
    repeated = stream.own_repeats(connection, topic)
    return not repeated and bool(sentences_to_repeat(connection, topic, source))


def draw_sample(connection: Connection, topic: TopicAccess, _key: str) -> None:
    """Draw the units that are matched again, if that is the step that was opened just now."""
    step = step_after(topic.steps, topic.step)
    if step != "rematch":
        return
    # The topic's number is the seed, so that a replay or a reopening draws the same units.
    names = [unit.id for unit in units.list_units(connection, topic.id)]
    size = min(len(names), int(topic.project.settings.get("sample", 10)))
    chosen = sorted(random.Random(topic.id).sample(names, size), key=names.index)
    _log_for_workbench(connection, topic, catalog.UNIT_SAMPLE, {"units": chosen}, step=step)


def _open_next(connection: Connection, topic: TopicAccess, key: str) -> None:
    """Open the next step once all have handed in, except in practice, which a manager closes."""
    if topic.practice or people.unfinished_workers(connection, topic.id, topic.step):
        return
    data = {"step": step_after(topic.steps, topic.step)}
    opened = {"step": topic.step, "key": f"{key}:next"}
    _log_for_workbench(connection, topic, catalog.STEP_OPEN, data, **opened)
    draw_sample(connection, topic, key)


def _log_for_workbench(
    connection: Connection, topic: TopicAccess, action: catalog.Action, data: Data, **more: str
) -> None:
    place: Data = {"project": topic.project.id, "topic": topic.id, **more}
    log.append(connection, LogEntry(action=action.name, data=data, **place))


@performs(catalog.STEP_SUBMIT, then=_open_next)
def submit(
    connection: Connection, topic: TopicAccess, source: TopicSource, *, rest_off: bool = False
) -> Data:
    """Hand in the visitor's work in the current step, if it is complete."""
    _check_complete(connection, topic, source)
    if must_repeat_decisions(connection, topic, source):
        raise ConflictError("one page is left: decide some sentences again before you hand in")
    return {"step": topic.step, "rest_off": rest_off}


def hand_in(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource,
    *, rest_off: bool = False,
) -> LogEntry | None:  # fmt: skip
    """Hand in a step; nothing is handed in yet where sentences are left to be decided again.

    `rest_off` first decides that every undecided sentence is off.
    """
    if topic.step == "link":
        undecided = bool(judging.undecided_sentences(connection, topic, source))
        # What was drawn and skipped must not count as off.
        if undecided and rest_off and not stream.queue(connection, topic.id):
            judging.mark_rest_off(connection, topic, f"{key}:rest", source)
            undecided = False
        if not undecided and must_repeat_decisions(connection, topic, source):
            return None
    return submit(connection, topic, key, source, rest_off=rest_off)


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
        rest = "" if stream.queue(connection, topic.id) else ", or tick 'the rest is off'"
        words = f"undecided; decide{rest}"
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
