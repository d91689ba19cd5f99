"""Whether a visitor may do an action of the catalog: the one place that applies its rules."""

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.catalog import Action, Rule
from chronoscore.workbench.domain.errors import ClosedError, NotFoundError
from chronoscore.workbench.store.workflow import TITLES


def check(access: TopicAccess | ProjectAccess, action: Action) -> None:
    """Refuse an action that its rule does not allow."""
    rule = action.rule
    if rule.who in ("founder", "workbench"):
        raise NotFoundError
    if rule.who == "manager":
        access.require_manager()
    if access.archived and not rule.on_archived:
        raise ClosedError("this is archived and cannot be changed; a manager can take it up again")
    if isinstance(access, ProjectAccess):
        return
    if rule.who == "discussing" and not access.discusses:
        raise NotFoundError
    if access.step not in (_open_steps(access, rule) if rule.who == "worker" else rule.steps):
        raise ClosedError(rule.closed)


def _open_steps(topic: TopicAccess, rule: Rule) -> set[str]:
    """The steps of a rule in which the visitor works and has not handed in."""
    steps = [step for step in rule.steps if topic.works_in(step)]
    if not steps:
        raise NotFoundError
    if not any(map(topic.started, steps)):
        raise ClosedError(f"the step '{TITLES[steps[0]]}' is not open yet; come back later")
    return {step for step in steps if step not in topic.submitted}


def allows(access: TopicAccess, action: Action) -> bool:
    """Whether the visitor may do an action now."""
    try:
        check(access, action)
    except (NotFoundError, ClosedError):
        return False
    return True
