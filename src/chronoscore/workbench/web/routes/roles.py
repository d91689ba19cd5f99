"""Who does what: a grid of a project's people and topics, saved at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain import access
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions import topics as actions
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store.workflow import BLINDING, ROLES, WORKER, step_after
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

LETTERS = {
    "judge": "J", "merger": "M", "verifier": "V", "writer": "W", "maker": "U", "matcher": "M",
    "rematcher": "2",
}  # fmt: skip
"""What a role is called in a cell; the line above the grid explains it."""


@dataclass(frozen=True, order=True)
class RoleCell:
    """A person's role in a topic, as a box of the form names it."""

    person: int
    topic: int
    role: str

    def __str__(self) -> str:
        return f"{self.person}:{self.topic}:{self.role}"


def parse(texts: Iterable[str]) -> set[RoleCell]:
    """The cells that a form names."""
    found = set()
    for text in texts:
        person, _, rest = text.partition(":")
        topic, _, role = rest.partition(":")
        if not (person.isdecimal() and topic.isdecimal() and len(text) < 60):
            raise InvalidError("no such cell; open the page again")
        found.add(RoleCell(int(person), int(topic), role))
    return found


def show(visit: Visit) -> Response:
    """The grid as it is."""
    opened = [int(one) for one in visit.query("opened").split(",") if one.isdecimal()]
    with visit.read_project() as (connection, here):
        return _page(visit, connection, here, done=visit.query("done"), opened=opened)


def save(visit: Visit) -> Response:
    """Give and take the roles in which the boxes differ from what the page showed."""
    with visit.write_project() as (connection, here):
        ticked, seen = parse(visit.texts("cell")), parse(visit.texts("seen"))
        topics = {one.id: one for one in _topics(connection, here)}
        # Boxes of topics that are final are not sent.
        closed = {cell for cell in seen if cell.topic in topics and _is_closed(topics[cell.topic])}
        taken, given = sorted(seen - ticked - closed), sorted(ticked - seen)
        own = [
            topics[topic]
            for topic in sorted({cell.topic for cell in given if _hides(cell, here.person)})
            if topic in topics
        ]
        if own and visit.text("sure") != "yes":
            return _page(visit, connection, here, ticked=ticked, own=own, then=visit.text("then"))
        refused = _change(visit, connection, topics, taken, given)
        if refused:
            changed = len(taken) + len(given) - len(refused)
            return _page(visit, connection, here, status=409, refused=refused, changed=changed)
        opened = []
        if visit.text("then") == "open":
            opened = _open_drafts(visit, connection, here)
    told = ",".join(map(str, opened))
    return visit.go(f"/p/{here.id}/roles?done=yes" + (f"&opened={told}" if told else ""))


def _hides(cell: RoleCell, visitor: int) -> bool:
    """Whether a role keeps figures from the one who gives it."""
    return cell.person == visitor and cell.role in BLINDING


def _change(
    visit: Visit, connection: Connection, topics: dict[int, TopicAccess], taken: list[RoleCell],
    given: list[RoleCell],
) -> list[tuple[str, str]]:  # fmt: skip
    """Take roles, then give roles; what is not possible, and why."""
    refused = []
    for cell, act in [
        *((one, actions.unassign) for one in taken),
        *((one, actions.assign) for one in given),
    ]:
        if cell.topic not in topics:
            raise InvalidError("no such topic; open the page again")
        topic = topics[cell.topic]
        try:
            act(connection, topic, f"{visit.key}:{cell}", cell.person, cell.role)
        except ConflictError as error:
            refused.append((topic.title, str(error)))
    return refused


def _open_drafts(visit: Visit, connection: Connection, here: ProjectAccess) -> list[int]:
    """Open the topics in draft whose first step has a person assigned."""
    opened = []
    for topic in _topics(connection, here):
        first = step_after(topic.steps, "draft")
        workers = people.step_workers(connection, topic.id, first)
        if topic.step == "draft" and workers and not topic.archived:
            actions.open_next(connection, topic, f"{visit.key}:open:{topic.id}")
            opened.append(topic.id)
    return opened


def _topics(connection: Connection, here: ProjectAccess) -> list[TopicAccess]:
    return [one for one in access.list_topics(connection, here) if not one.put_away]


def _is_closed(topic: TopicAccess) -> bool:
    return topic.step == "final" or topic.archived


def _page(
    visit: Visit, connection: Connection, here: ProjectAccess, *, status: int = 200,
    ticked: set[RoleCell] | None = None, opened: Iterable[int] = (), **shown: object,
) -> Response:  # fmt: skip
    topics = _topics(connection, here)
    seen = {
        RoleCell(one.person, topic.id, one.role)
        for topic in topics
        for one in people.assignments(connection, topic)
    }
    usual = {"refused": [], "changed": 0, "own": [], "done": "", "then": ""}
    return visit.page(
        "roles.html", status, project=here, topics=topics, letters=LETTERS,
        members=people.members(connection, here),
        seen=sorted(map(str, seen)), ticked=set(map(str, seen if ticked is None else ticked)),
        offered={topic.id: _offered(topic) for topic in topics},
        drafts=[topic for topic in topics if topic.step == "draft"],
        opened=[topic.title for topic in topics if topic.id in set(opened)],
        **usual | shown,
    )  # fmt: skip


def _offered(topic: TopicAccess) -> list[str]:
    """The roles that a topic has; practice is only judged."""
    roles = ROLES[topic.project.workflow]
    return [WORKER[step_after(topic.steps, "draft")]] if topic.practice else list(roles)


ROUTES = [
    route("/p/{project:int}/roles", show),
    route("/p/{project:int}/roles", save, "POST"),
]
