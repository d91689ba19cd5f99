"""Link: every sentence of the stream is off, or linked to events; blind."""

from collections.abc import Collection
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from chronoscore.workbench.domain.actions import judging
from chronoscore.workbench.domain.actions.judging import MarkChange
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.keys import event_keys
from chronoscore.workbench.domain.queries import notes, people, stream
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import SourceSentence, SourceStory, TopicSource
from chronoscore.workbench.web.compression import accepts_gzip, compress_beginning, replace_body
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit

MOST_ON_PAGE, MOST_BOXES = 40, 1_500
"""Sentences and boxes on a page of the plain form."""


def link(visit: Visit) -> Response:
    """The screen; its script fetches the stream and the judge's own marks."""
    with open_step(visit, "link") as view:
        events = stream.joint_events(view.connection, view.topic.id)
        queued = len(stream.queue(view.connection, view.topic.id))
    own = event_keys(visit.require_person().keys)
    return view.page("link.html", events=events, event_keys=own, queued=queued)


def stream_data(visit: Visit) -> Response:
    """The stream, the events, and only the visitor's own marks."""
    with visit.read_topic() as (connection, topic):
        topic.require_step("link")
        source = visit.desk.library.source(connection, topic.id)
        marks = stream.own_marks(connection, topic)
        events = stream.joint_events(connection, topic.id)
        entries, seconds = people.own_work(connection, topic, "link")
        undo = log.read_undoable(connection, topic.id, topic.person, "mark")
        noted = notes.own_places(connection, topic)
        queue = stream.queue(connection, topic.id)
    mine = {
        "marks": marks,
        "events": [{"id": event.id, "text": event.text} for event in events],
        "entry": entries,
        "seconds": seconds,
        "hints": bool(topic.project.settings.get("hints", True)),
        "frozen": topic.frozen("link"),
        "undo": undo,
        "notes": noted,
        "queue": sorted(queue),
    }
    return answer_stream(visit, source, b',"mine":' + msgspec.json.encode(mine))


def answer_stream(visit: Visit, source: TopicSource, rest: bytes = b"") -> Response:
    """The stories, which are compressed once for all judges, and something more."""
    rest += b"}"
    if not accepts_gzip(visit.request):
        return Response(b'{"stories":' + source.json + rest, media_type="application/json")
    start = source.remember(
        "compressed", None, lambda: compress_beginning(b'{"stories":' + source.json)
    )
    answer = Response(media_type="application/json")
    replace_body(answer, start.complete(rest))
    return answer


def link_without_script(visit: Visit) -> Response:
    """The same, story by story, for browsers without script."""
    with visit.read_topic() as (connection, topic):
        topic.require_step("link")
        source = visit.desk.library.source(connection, topic.id)
        marks = stream.own_marks(connection, topic)
        events = stream.joint_events(connection, topic.id)
        queue = stream.queue(connection, topic.id)
    asked = visit.query("story")
    story = source.story.get(asked, source.stories[0])
    pages = _pages(story, len(events), queue)
    page = min(visit.query_number("page"), len(pages))
    return visit.page(
        "link_plain.html", topic=topic, source=source, story=story, events=events,
        marks={s.id: marks.get(s.id, Mark()) for s in pages[page - 1]}, sentences=pages[page - 1],
        page=page, pages=len(pages), frozen=topic.frozen("link"), queued=len(queue),
    )  # fmt: skip


def _pages(
    story: SourceStory, events: int, queue: Collection[str]
) -> list[tuple[SourceSentence, ...]]:
    """A story's sentences in pages that a browser shows at once: each has a box for each event."""
    size = max(1, min(MOST_ON_PAGE, MOST_BOXES // max(1, events)))
    wanted = tuple(one for one in story.sentences if not queue or one.id in queue)
    return [wanted[start : start + size] for start in range(0, len(wanted), size)] or [()]


def save_plain(visit: Visit) -> Response:
    """Keep the decisions about the sentences of one page of a story."""
    with visit.write_topic() as (connection, topic):
        topic.require_step("link")
        source = visit.desk.library.source(connection, topic.id)
        story = source.story.get(visit.id("story"))
        if story is None:
            raise InvalidError("no such story")
        # Of the other pages' sentences the form says nothing.
        sentences = [s for s in story.sentences if f"base:{s.id}" in visit.form]
        now = stream.own_marks(connection, topic, [s.id for s in sentences])
        events = len(stream.joint_events(connection, topic.id))
        queue = stream.queue(connection, topic.id)
        changes = []
        for sentence in sentences:
            old = now.get(sentence.id, Mark())
            off = visit.text(f"off:{sentence.id}") == "yes"
            groups = dict(old.links)
            links = [] if off else [
                (event, groups.get(event, "")) for event in visit.texts(f"link:{sentence.id}")
            ]  # fmt: skip
            joined = visit.text(f"join:{sentence.id}") == "yes"
            if (off, sorted(links), joined) != (old.off, sorted(old.links), old.joined):
                given = visit.text(f"base:{sentence.id}", most=10)
                base = int(given) if given.isdecimal() else -1
                changes.append(MarkChange(sentence.id, base, off, links, joined))
        if changes:
            judging.mark_sentences(connection, topic, visit.key, source, changes)
    given = visit.text("page", most=8)
    page = int(given) if given.isdecimal() else 1
    if page < len(_pages(story, events, queue)):
        where = f"{quote(story.id)}&page={page + 1}"
    else:
        where = quote(source.stories[min(story.n, len(source.stories) - 1)].id)
    return visit.go(f"/t/{topic.id}/link/plain?story={where}")


ROUTES = [
    step_route("link", link),
    route("/t/{topic:int}/link.json", stream_data, json=True),
    route("/t/{topic:int}/link/plain", link_without_script),
    route("/t/{topic:int}/link/plain", save_plain, "POST"),
]
