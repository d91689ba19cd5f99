"""Practice with answers, second decisions, machines that judge, and lists of sentences."""

from collections.abc import Callable

from starlette.responses import Response

from chronoscore.errors import DataError
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.actions import practice, steps
from chronoscore.workbench.domain.errors import ClosedError, InvalidError, NotFoundError
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.exchange import practice as exchange
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def post_practice_topic(visit: Visit) -> Response:
    """A topic for practice, made of a final one."""
    with visit.write_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        number = exchange.make_topic(connection, topic, source, visit.key)
    return visit.go(f"/t/{number}")


def review(visit: Visit) -> Response:
    """What a judge decided otherwise than the answers; for them, and for managers."""
    with visit.read_topic() as (connection, topic):
        answers = stream.practice_answers(connection, topic)
        source = visit.desk.library.source(connection, topic.id)
        events = {one.id: one.text for one in stream.joint_events(connection, topic.id)}
        marks = {topic.person: stream.own_marks(connection, topic)}
        if topic.unblinded:
            marks = stream.marks_by_judge(connection, topic) or marks
        names = accounts.names(connection, set(marks))
    person = visit.query_number("person", min(marks))
    if person not in marks:
        raise NotFoundError
    own = marks[person]
    rows = [
        (one, {event for event, _ in own.get(one.id, Mark()).links}, answers.get(one.id, set()))
        for one in source.sentences
    ]
    linked = [row for row in rows if row[1] or row[2]]
    return visit.page(
        "review.html", topic=topic, source=source, events=events, names=names, person=person,
        total=len(rows), same=sum(mine == key for _, mine, key in rows), linked=len(linked),
        same_linked=sum(mine == key for _, mine, key in linked),
        different=[row for row in rows if row[1] != row[2]],
    )  # fmt: skip


def again(visit: Visit) -> Response:
    """A last page before handing in: some sentences once more, without the first decision."""
    with visit.read_topic() as (connection, topic):
        topic.require_step("link")
        source = visit.desk.library.source(connection, topic.id)
        if not steps.must_repeat_decisions(connection, topic, source) or topic.frozen("link"):
            raise ClosedError("there is nothing to decide again")
        names = practice.sentences_to_repeat(connection, topic, source)
        events = stream.joint_events(connection, topic.id)
    cards = [
        (source.by_id[name], source.sentences[max(0, source.by_id[name].place - 1)])
        for name in names
    ]
    return visit.page("again.html", topic=topic, source=source, cards=cards, events=events)


def decide_again(visit: Visit) -> Response:
    """Keep the second decisions, and hand in."""
    with visit.write_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.require_step("link").id)
        wanted = practice.sentences_to_repeat(connection, topic, source)
        decisions = {}
        for name in wanted:
            links = visit.texts(f"link:{name}")
            off = visit.text(f"off:{name}") == "yes"
            if off == bool(links):
                raise InvalidError("decide every sentence: off, or one event or more")
            decisions[name] = links
        practice.repeat_decisions(connection, topic, visit.key, source, decisions)
        steps.submit(connection, topic, f"{visit.key}:submit", source)
    return visit.go(f"/t/{topic.id}")


def may_bring(visit: Visit) -> None:
    """Only a manager's upload is taken in at all."""
    with visit.read_topic() as (_, topic):
        topic.require_manager()


def bring_machine(visit: Visit) -> Response:
    """Read what machines judged."""
    return _bring(visit, exchange.add_machine, "judgements file")


def bring_queue(visit: Visit) -> Response:
    """Read which sentences are to be judged."""
    return _bring(visit, exchange.set_queue, "list of judge next")


def _bring(visit: Visit, take: Callable[..., object], what: str) -> Response:
    """Take in one file about the topic."""
    files = visit.files("files")
    if len(files) != 1:
        raise InvalidError(f"choose one {what}")
    with visit.write_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        try:
            take(connection, topic, source, files[0], visit.key)
        except DataError as error:
            raise InvalidError(str(error)) from None
    return visit.go(f"/t/{topic.id}")


ROUTES = [
    route("/t/{topic:int}/practice", post_practice_topic, "POST"),
    route("/t/{topic:int}/review", review),
    route("/t/{topic:int}/again", again),
    route("/t/{topic:int}/again", decide_again, "POST"),
    route("/t/{topic:int}/machine", bring_machine, "POST", before=may_bring),
    route("/t/{topic:int}/queue", bring_queue, "POST", before=may_bring),
]
