"""Who may do which action in which step: one table, and the one place that applies it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from sqlalchemy import Connection

from chronoscore.errors import ChronoscoreError
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.errors import ClosedError, NotFoundError
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import STEPS, TITLES, WORKER

P = ParamSpec("P")
A = TypeVar("A", TopicAccess, ProjectAccess)
EVERY_STEP = tuple(dict.fromkeys(step for steps in STEPS.values() for step in steps))


@dataclass(frozen=True)
class Rule:
    """Who may do an action, and in which steps of a topic.

    Workers are those whose role the step needs (`workflow.WORKER`; without a merger the
    judges merge), until they hand in. Everyone is everyone with a role in the topic, and
    its managers; `TopicAccess.discusses` says who of them is discussing it. What the
    workbench does, nobody may ask for.
    """

    who: Literal["founder", "manager", "worker", "everyone", "discussing", "workbench"]
    steps: tuple[str, ...] = EVERY_STEP
    closed: str = "this was handed in and is frozen; ask a manager to reopen the step"


MANAGER = Rule("manager")
IDENTIFY, MERGE, WRITE, MAKE = (
    Rule("worker", (step,)) for step in ("identify", "merge", "write", "make")
)
MATCH = Rule("worker", ("match", "rematch"))

RULES: dict[str, Rule] = {
    "project.create": Rule("founder"),
    "project.change": MANAGER,
    "project.archive": MANAGER,
    "member.add": MANAGER,
    "member.remove": MANAGER,
    "member.reset": MANAGER,
    "topic.create": MANAGER,
    "topic.rename": MANAGER,
    "topic.archive": MANAGER,
    "story.retitle": Rule(
        "manager", ("draft",), "judging has begun; a story keeps its title from the first step on"
    ),
    "topic.deadline": MANAGER,
    "topic.practice": Rule("manager", ("draft",), "only a draft becomes a topic for practice"),
    "machine.add": Rule(
        "manager", ("link", "verify", "final"), "a machine judges events that are merged; wait"
    ),
    "mark.repeat": Rule("worker", ("link",)),
    "guideline.write": MANAGER,
    "guideline.read": Rule("everyone"),
    "comment.add": Rule("discussing"),
    "topic.assign": MANAGER,
    "topic.unassign": MANAGER,
    "topic.estimate": MANAGER,
    "step.open": Rule(
        "manager",
        tuple(step for step in EVERY_STEP if step != "final"),
        "the topic is final; reopen a step to change it",
    ),
    "step.reopen": Rule(
        "manager",
        tuple(step for step in EVERY_STEP if step != "draft"),
        "no step was opened yet; there is nothing to reopen",
    ),
    "step.submit": Rule("worker", tuple(WORKER)),
    "note.add": Rule("everyone"),
    "note.answer": MANAGER,
    "story.read": IDENTIFY,
    "candidate.add": IDENTIFY,
    "candidate.edit": IDENTIFY,
    "candidate.omit": MERGE,
    "event.add": MERGE,
    "event.put": MERGE,
    "event.take": MERGE,
    "event.edit": MERGE,
    "mark": Rule("worker", ("link",)),
    "verdict": Rule("worker", ("verify",)),
    "verdict.adjudicate": Rule(
        "manager", ("verify",), "links are decided while they are verified; reopen that step"
    ),
    "line.add": WRITE,
    "line.edit": WRITE,
    "line.omit": MAKE,
    "unit.add": MAKE,
    "unit.edit": MAKE,
    "unit.put": MAKE,
    "unit.take": MAKE,
    "unit.merge": MAKE,
    "unit.sample": Rule("workbench"),
    "anchor.add": MATCH,
    "match": MATCH,
    "match.adjudicate": Rule(
        "manager", ("final",), "matchings are decided when both are handed in; wait"
    ),
    # What is undone must be an action that the visitor may do; `undoing` asks for that too.
    "undo": Rule("everyone"),
}


TAKEN_UP_BY = frozenset({"project.archive", "topic.archive"})
"""The only actions on what is archived."""


def check_permission(access: TopicAccess | ProjectAccess, action: str) -> None:
    """Refuse an action that the table does not allow."""
    rule = RULES[action]
    if rule.who in ("founder", "workbench"):
        raise NotFoundError
    if rule.who == "manager":
        access.managed()
    if access.archived and action not in TAKEN_UP_BY:
        raise ClosedError("this is archived and cannot be changed; a manager can take it up again")
    if isinstance(access, ProjectAccess):
        return
    if rule.who == "discussing" and not access.discusses:
        raise NotFoundError
    steps = rule.steps
    if rule.who == "worker":
        steps = tuple(step for step in steps if access.works_in(step))
        if not steps:
            raise NotFoundError
        if not any(map(access.started, steps)):
            raise ClosedError(f"the step '{TITLES[steps[0]]}' is not open yet; come back later")
    if access.step not in steps or (rule.who == "worker" and access.step in access.submitted):
        raise ClosedError(rule.closed)


def is_action_permitted(access: TopicAccess, action: str) -> bool:
    """Whether the table allows an action."""
    try:
        check_permission(access, action)
    except (NotFoundError, ClosedError):
        return False
    return True


def require_permission(
    action: str,
) -> Callable[
    [Callable[Concatenate[Connection, A, str, P], LogEntry]],
    Callable[Concatenate[Connection, A, str, P], LogEntry],
]:
    """Turn a function into an action: refused as the table says, and done once for each key."""

    def decorate(
        function: Callable[Concatenate[Connection, A, str, P], LogEntry],
    ) -> Callable[Concatenate[Connection, A, str, P], LogEntry]:
        @wraps(function)
        def act(
            connection: Connection, access: A, key: str, /, *args: P.args, **options: P.kwargs
        ) -> LogEntry:
            try:
                check_permission(access, action)
                return function(connection, access, key, *args, **options)
            except ChronoscoreError:
                # What was done already is not refused when it is sent again.
                known = log.find_log_entry(connection, access.person, key)
                if known is None:
                    raise
                return known

        return act

    return decorate
