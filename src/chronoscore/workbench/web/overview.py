"""What a topic's page shows to its managers: people, what comes next, which steps may open."""

from dataclasses import dataclass

from sqlalchemy import Connection

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain import accounts, catalog, links, permissions
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.domain.queries.people import Assignment
from chronoscore.workbench.store.workflow import ROLES, WORKER, step_after


@dataclass(frozen=True)
class SetupTask:
    """Something to do before the first step is opened."""

    text: str
    done: bool = False
    link: str = ""


@dataclass(frozen=True)
class ManagerView:
    """A topic as its manager steers it."""

    assignments: list[Assignment]
    roles: dict[str, str]
    members: list[tuple[int, str, bool]]
    at_work: frozenset[int]
    setup: list[SetupTask]
    may_open: bool
    hint: str
    reopenable: list[str]
    analyzable: bool


def first_steps(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess]
) -> list[SetupTask]:
    """The way of a new project until others judge in it; nothing once they do, or for others."""
    if not project.manager or project.archived:
        return []
    here = f"/p/{project.id}"
    # Judges of imported work cannot sign in.
    others = {
        number
        for number, _, _ in people.members(connection, project)
        if number != project.person and accounts.has_password(connection, number)
    }
    invited = len(links.open_invitations(connection, project.id))
    given = [
        topic
        for topic in topics
        if any(one.person in others for one in people.assignments(connection, topic))
    ]
    at_work = any(topic.step != "draft" for topic in given)
    if at_work and not invited:
        return []
    stories = number_with_noun(len(topics), "topic")
    return [
        SetupTask(
            f"Stories: {stories}." if topics else "Import the stories of a topic.",
            bool(topics), f"{here}/import",
        ),
        SetupTask(_describe_invitations(len(others), invited), bool(others) and not invited,
                  f"{here}/people"),
        SetupTask("Give them roles, in a grid of people and topics.", bool(given), f"{here}/roles"),
        SetupTask("Open the first step, below the grid.", at_work, f"{here}/roles"),
    ]  # fmt: skip


def _describe_invitations(joined: int, invited: int) -> str:
    """How many people have joined, and how many have not opened their links yet."""
    if not joined and not invited:
        return "Invite people: each gets a link."
    waiting = f"; {number_with_noun(invited, 'invitation is', 'invitations are')} open"
    words = f"{number_with_noun(joined, 'person has', 'people have')} joined"
    return f"Invite people: {words}{waiting if invited else ''}."


def build(connection: Connection, topic: TopicAccess) -> ManagerView:
    """What a manager may know and do; who works in the topic does not see who is at work."""
    workflow = topic.project.workflow
    assignments = people.assignments(connection, topic)
    members = people.members(connection, topic.project)
    waiting = people.unfinished_workers(connection, topic.id, topic.step) if topic.unblinded else []
    draft = topic.step == "draft"
    first = WORKER[step_after(topic.steps, "draft")]
    # Practice has neither candidates to merge nor links to verify.
    roles = {first: ROLES[workflow][first]} if topic.practice else ROLES[workflow]
    unstaffed = draft and first not in {one.role for one in assignments}
    hint = ""
    if unstaffed:
        hint = f"Assign a {ROLES[workflow][first].lower()} first."
    elif waiting and not draft:
        count = number_with_noun(len(waiting), "person", "people")
        hint = f"Waits for {count}; the next step opens by itself when all have handed in."
    return ManagerView(
        assignments=assignments,
        roles=roles,
        members=members,
        at_work=frozenset(waiting),
        setup=_setup(topic, assignments, len(members), roles)
        if draft and not topic.archived
        else [],
        may_open=permissions.allows(topic, catalog.STEP_OPEN) and not hint,
        hint=hint,
        reopenable=[step for step in topic.steps[1:-1] if topic.started(step)],
        analyzable=workflow == "units" and topic.unblinded and topic.over("make"),
    )


def _setup(
    topic: TopicAccess, assignments: list[Assignment], members: int, roles: dict[str, str]
) -> list[SetupTask]:
    """What a manager does before the first step."""
    tasks = []
    if members < 2:
        link = f"/p/{topic.project.id}/people"
        tasks.append(
            SetupTask("Invite people to the project; so far you are alone in it.", link=link)
        )
    for role, title in roles.items():
        names = ", ".join(one.name for one in assignments if one.role == role)
        if role == "merger":
            text = "A merger, if you like; without one the judges merge together."
        elif names:
            text = f"Assign a {title.lower()}: {names}."
        elif topic.practice:
            text = "Assign everyone who wants to practice as a judge."
        elif role == next(iter(roles)):
            text = f"Assign two or more people as {title.lower()}."
        else:
            text = f"Assign a {title.lower()}, now or later."
        tasks.append(SetupTask(text, done=bool(names)))
    text = "Open the first step: it then appears on the first page of everybody assigned to it."
    return [*tasks, SetupTask(text)]
