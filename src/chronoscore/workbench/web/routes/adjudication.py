"""Adjudication: where people differ, deciding it, and talking about sentences after hand-in."""

from starlette.responses import Response

from chronoscore.workbench.domain import catalog, permissions
from chronoscore.workbench.domain.actions import guiding as guiding_actions
from chronoscore.workbench.domain.actions import judging, matching
from chronoscore.workbench.domain.queries import disagreements as queries
from chronoscore.workbench.domain.queries import guiding, matchings, people, stream
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.routes.verify import read_verdict
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

PAGE = 50


def disagreements(visit: Visit) -> Response:
    """What the judges or the matchers of a topic differ on, side by side, worst first."""
    with visit.read_topic() as (_, topic):
        units = topic.project.workflow == "units"
    return _matchings(visit) if units else _links(visit)


def _matchings(visit: Visit) -> Response:
    """Units that the two matchers express differently."""
    with visit.read_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        found = matchings.find_differences(connection, topic, source)
        names = {
            one.role: one.name
            for one in people.all_assignments(connection, topic.id)
            if one.role in matchings.ROLES
        }
    return visit.page(
        "matchings.html", topic=topic, source=source, shown=found,
        names=[names.get(role, "nobody") for role in matchings.ROLES],
        roles_of=matchings.ROLES, may_decide=permissions.allows(topic, catalog.MATCH_ADJUDICATE),
    )  # fmt: skip


def _links(visit: Visit) -> Response:
    """Sentences on which the judges differ."""
    event = visit.query("event")
    with visit.read_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        found = queries.find(connection, topic, source, event)
        events = stream.joint_events(connection, topic.id)
        comments = guiding.comments(connection, topic)
    return visit.page(
        "disagreements.html", topic=topic, source=source, event=event, events=events,
        total=len(found), comments=comments, **visit.paginate(found, PAGE),
        may_decide=permissions.allows(topic, catalog.VERDICT_ADJUDICATE),
    )  # fmt: skip


def decide_link(visit: Visit) -> Response:
    """Keep or drop a link, as a manager."""
    with visit.write_topic() as (connection, topic):
        change = read_verdict(visit)
        source = visit.desk.library.source(connection, topic.id)
        judging.adjudicate(connection, topic, visit.key, source, [change])
    return visit.back(f"/t/{topic.id}/disagreements")


def discussion(visit: Visit) -> Response:
    """The comments on sentences, with the visitor's own decision beside them."""
    with visit.read_topic() as (connection, topic):
        comments = guiding.comments(connection, topic)
        source = visit.desk.library.source(connection, topic.id)
        own = stream.own_marks(connection, topic)
        events = {one.id: one.text for one in stream.joint_events(connection, topic.id)}
    threads: dict[str, list[guiding.Comment]] = {}
    for comment in comments:
        threads.setdefault(comment.sentence, []).append(comment)
    return visit.page(
        "discussion.html", topic=topic, source=source, own=own, events=events,
        threads=[(source.by_id[name], said) for name, said in threads.items()],
        judge="judge" in topic.roles,
    )  # fmt: skip


def comment(visit: Visit) -> Response:
    """Say something about a sentence, named by its number or its id."""
    with visit.write_topic() as (connection, topic):
        permissions.check(topic, catalog.COMMENT_ADD)
        source = visit.desk.library.source(connection, topic.id)
        label, name = visit.text("label", most=20), visit.id("sentence")
        if label:
            name = source.find_sentence(label).id
        guiding_actions.add_comment(connection, topic, visit.key, source, name, visit.text("text"))
    return visit.back(f"/t/{topic.id}/discussion")


ROUTES = [
    route("/t/{topic:int}/disagreements", disagreements),
    route("/t/{topic:int}/disagreements/link", decide_link, "POST"),
    topic_form("disagreements/unit", matching.adjudicate, where="/t/{topic}/disagreements"),
    route("/t/{topic:int}/discussion", discussion),
    route("/t/{topic:int}/discussion", comment, "POST"),
]
