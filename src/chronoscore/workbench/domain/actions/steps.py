"""Opening, handing in and reopening steps."""

import random

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions import judging, matching, merging, writing
from chronoscore.workbench.domain.actions.recording import record
from chronoscore.workbench.domain.queries import people, stream, units
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.store.workflow import FORBIDDEN, ROLES, STEPS, TITLES, after
from chronoscore.workbench.web.visit import RefusedError


def assign(connection: Connection, place: Place, person: int, role: str, key: str) -> Entry:
    """Give a member a role in a topic, unless it excludes one that they have."""
    place.managed()
    if role not in ROLES[place.project.workflow]:
        raise RefusedError(400, "no such role")
    if person not in {number for number, _, _ in people.members(connection, place.project)}:
        raise RefusedError(400, "no such member")
    has = {one.role for one in people.assigned(connection, place) if one.person == person}
    for pair, reason in FORBIDDEN.items():
        if role in pair and pair - {role} <= has:
            raise RefusedError(409, reason)
    return record(connection, place, "topic.assign", {"person": person, "role": role}, key)


def unassign(connection: Connection, place: Place, person: int, role: str, key: str) -> Entry:
    """Take a role from somebody; what they did stays in the log."""
    place.managed()
    if (known := log.found(connection, place.person, key)) is not None:
        return known
    has = {(one.person, one.role) for one in people.assigned(connection, place)}
    if (person, role) not in has:
        raise RefusedError(400, "they do not have this role; look again")
    return record(connection, place, "topic.unassign", {"person": person, "role": role}, key)


def open_next(connection: Connection, place: Place, key: str) -> None:
    """A manager opens the step after this one, once nobody is still at work in it."""
    place.managed()
    waiting = people.still_working(connection, place.id, place.step)
    if waiting and place.step != "draft":
        raise RefusedError(409, "not everybody has handed in this step; wait or reassign")
    if place.step == "final":
        raise RefusedError(409, "the topic is final; reopen a step to change it")
    following = after(place.project.workflow, place.step)
    if place.step == "draft" and not people.workers(connection, place.id, following):
        raise RefusedError(409, f"nobody works in '{TITLES[following]}'; assign people first")
    _open(connection, place, following, place.person, key)


def submit(
    connection: Connection, place: Place, source: Source, key: str, *, rest_off: bool = False
) -> None:
    """Hand in the visitor's work in the current step, if it is complete."""
    step = place.step
    place.writable(step)
    if step == "link" and rest_off and judging.undecided(connection, place, source):
        judging.rest_is_off(connection, place, source, f"{key}:rest")
    _check_complete(connection, place, source)
    record(connection, place, "step.submit", {"step": step, "rest_off": rest_off}, key)
    if not people.still_working(connection, place.id, step):
        following = after(place.project.workflow, step)
        _open(connection, place, following, None, f"{key}:next")


def reopen(connection: Connection, place: Place, step: str, reason: str, key: str) -> Entry:
    """Go back to a step, as a new version of the topic."""
    place.managed()
    if step not in STEPS[place.project.workflow][1:-1]:
        raise RefusedError(400, "no such step")
    started = place.over(step) or place.step == step
    if not started:
        raise RefusedError(409, "this step was never opened; there is nothing to reopen")
    if not reason:
        raise RefusedError(400, "say why the step is reopened")
    data = {"step": step, "reason": reason, "version": place.version + 1}
    return record(connection, place, "step.reopen", data, key)


def _open(connection: Connection, place: Place, step: str, person: int | None, key: str) -> None:
    entry = Entry(
        action="step.open",
        data={"step": step},
        person=person,
        project=place.project.id,
        topic=place.id,
        step=place.step,
        key=key,
    )
    log.append(connection, entry)
    if step == "rematch":
        _draw_sample(connection, place)


def _draw_sample(connection: Connection, place: Place) -> None:
    """Choose the units to be matched again; the topic's number is the seed."""
    names = [unit.id for unit in units.units(connection, place.id)]
    size = min(len(names), int(place.project.settings.get("sample", 10)))
    chosen = sorted(random.Random(place.id).sample(names, size), key=names.index)
    entry = Entry(
        action="unit.sample",
        data={"units": chosen},
        project=place.project.id,
        topic=place.id,
        step="rematch",
    )
    log.append(connection, entry)


def _check_complete(connection: Connection, place: Place, source: Source) -> None:
    """Refuse to hand in what is not finished, and say what is missing."""
    step = place.step
    if step == "identify":
        unread = len(source.stories) - len(stream.read_stories(connection, place))
        _none_left(unread, "stories are not marked as read")
    elif step == "merge":
        _none_left(len(merging.unassigned(connection, place)), "candidates are in no event")
        if not stream.events(connection, place.id):
            raise RefusedError(409, "there is no event yet; make one")
    elif step == "link":
        missing = len(judging.undecided(connection, place, source))
        _none_left(missing, "sentences are undecided; decide, or tick 'the rest is off'")
    elif step == "verify":
        _none_left(
            judging.unjudged(connection, place, source), "marks are neither kept nor dropped"
        )
    elif step == "write":
        if not units.own_lines(connection, place):
            raise RefusedError(409, "your timeline has no line yet; write one")
    elif step == "make":
        _none_left(len(writing.unused_lines(connection, place)), "lines are in no unit")
    else:
        _none_left(matching.unmatched(connection, place), "units are not marked as matched")


def _none_left(count: int, what: str) -> None:
    if count > 0:
        raise RefusedError(409, f"{count} {what}")
