"""Managers' screens: progress, agreement, tables, split, notes, history, export."""

import math
import re
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.stats.agreement import EventAgreement, TopicAgreement
from chronoscore.stats.corpora import averages, balanced_halves, characteristics
from chronoscore.workbench.domain import figures
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess, project_topics
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.figures import StreamFigures
from chronoscore.workbench.domain.history import describe_all
from chronoscore.workbench.domain.queries import notes as note_queries
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.exchange.exports import export
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web import charts
from chronoscore.workbench.web.visit import Visit, route

PAGE = 200


@dataclass(frozen=True)
class ProgressRow:
    """A person's progress in a step of a topic."""

    topic: int
    title: str
    step: str
    name: str
    entries: int
    seconds: float
    share: float
    submitted: float | None


def progress(visit: Visit) -> Response:
    """Who is where, and how long it took them."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        topics = [one for one in project_topics(connection, here) if not one.put_away]
        rows = [
            row
            for topic in topics
            if topic.unblinded
            for row in _rows(connection, topic, visit.desk.library.source(connection, topic.id))
        ]
    hidden = [topic for topic in topics if not topic.unblinded]
    return visit.page("progress.html", project=here, rows=rows, out_of_sight=hidden)


def _rows(connection: Connection, topic: TopicAccess, source: TopicSource) -> list[ProgressRow]:
    """Everybody who worked in a topic, or has to."""
    work = {(one.step, one.person): one for one in people.work(connection, topic)}
    names = {one.person: one.name for one in people.assignments(connection, topic)}
    rows = []
    for step in STEPS[topic.project.workflow][1:-1]:
        if not (topic.over(step) or topic.step == step):
            continue
        done = people.submissions(connection, topic.id, step)
        for person in people.workers(connection, topic.id, step):
            one = work.get((step, person))
            share = figures.share_done(connection, topic, step, person, source)
            rows.append(
                ProgressRow(
                    topic.id, topic.title, step, names.get(person, ""),
                    one.entries if one else 0, one.seconds if one else 0.0, share,
                    done.get(person),
                )
            )  # fmt: skip
    return rows


def agreement(visit: Visit) -> Response:
    """Agreement by topic and event, lowest first."""
    with visit.database.reading() as connection:
        here, judged, hidden = _judged_topics(connection, visit)
    judged.sort(key=lambda one: _rank(one.agreed, verified=one.verified))
    shown = []
    for one in judged:
        events = sorted(one.agreed.events, key=partial(_rank, verified=one.verified))
        bars = [(e.text, e.acceptance if one.verified else math.nan, e.jaccard) for e in events]
        chart = charts.bars(f"Agreement on the events of {one.topic.title}", bars)
        shown.append((one, events, chart))
    return visit.page("agreement.html", project=here, shown=shown, out_of_sight=hidden)


def tables(visit: Visit) -> Response:
    """The paper's Tables 1, 2 and 3 for this corpus."""
    with visit.database.reading() as connection:
        here, judged, hidden = _judged_topics(connection, visit)
    sizes = [one.size for one in judged]
    halves = balanced_halves(sizes) if len(sizes) >= 2 else None
    parts = []
    if halves:
        for title, names in (("Training", halves.training), ("Test", halves.test)):
            parts.append((title, characteristics(s for s in sizes if s.topic in names)))
    parts.append(("All", characteristics(sizes)))
    return visit.page(
        "tables.html", project=here, judged=judged, means=averages(sizes), columns=parts,
        out_of_sight=hidden,
    )  # fmt: skip


def split(visit: Visit) -> Response:
    """Two halves of about the same size and time."""
    with visit.database.reading() as connection:
        here, judged, hidden = _judged_topics(connection, visit)
    halves = balanced_halves([one.size for one in judged]) if len(judged) >= 2 else None
    by_name = {one.topic.name: one for one in judged}
    return visit.page(
        "split.html", project=here, halves=halves, by_name=by_name, out_of_sight=hidden
    )


def _judged_topics(
    connection: Connection, visit: Visit
) -> tuple[ProjectAccess, list[StreamFigures], list[TopicAccess]]:
    """The topics with links that the manager may see, and those that stay hidden."""
    here = visit.managed_project(connection)
    if here.workflow != "stream":
        raise NotFoundError
    topics = [
        topic
        for topic in project_topics(connection, here)
        if topic.over("merge") and not topic.put_away
    ]
    library = visit.desk.library
    judged = [
        figures.stream_figures(connection, topic, library.source(connection, topic.id))
        for topic in topics
        if topic.unblinded
    ]
    return here, judged, [topic for topic in topics if not topic.unblinded]


def _rank(agreed: TopicAgreement | EventAgreement, *, verified: bool) -> float:
    """Sort by acceptance once there is any, by the judges' overlap before; undefined comes last."""
    values = (agreed.acceptance if verified else math.nan, agreed.jaccard)
    return next((value for value in values if value == value), math.inf)


def notes(visit: Visit) -> Response:
    """All notes, open ones first."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        rows = note_queries.project_notes(connection, here, project_topics(connection, here))
    return visit.page("notes.html", project=here, notes=rows)


def history(visit: Visit) -> Response:
    """The project's log in words; topics in which the visitor is blind show only their own."""
    asked = visit.request.query_params.get("page", "")
    page = int(asked) if asked.isdecimal() and len(asked) < 9 else 1
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        blind = {topic.id for topic in project_topics(connection, here) if not topic.unblinded}
        # Left out where the database is read: a page that is not full would tell how many.
        entries = log.latest(
            connection, project=here.id, without=blind, except_by=here.person,
            skipped=PAGE * (page - 1), limit=PAGE,
        )  # fmt: skip
        rows = describe_all(connection, entries)
    more = f"?page={page + 1}" if len(entries) == PAGE else ""
    return visit.page("history.html", topic=None, project=here, rows=rows, more=more)


def exporting(visit: Visit) -> Response:
    """What an export holds, and the button for it."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        topics = project_topics(connection, here)
    return visit.page("export.html", project=here, topics=topics)


def download(visit: Visit) -> Response:
    """The judgements file."""
    asked = visit.request.query_params
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        body = export(
            connection, here, project_topics(connection, here), visit.desk.library,
            finished=asked.get("finished") == "yes", texts=asked.get("texts") != "no",
            anonymous=asked.get("names") != "yes",
        )  # fmt: skip
    name = re.sub(r"[^a-z0-9]+", "-", here.name.lower()).strip("-") or "project"
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return Response(body, media_type="application/jsonl", headers=headers)


ROUTES = [
    route("/p/{project:int}/progress", progress),
    route("/p/{project:int}/agreement", agreement),
    route("/p/{project:int}/tables", tables),
    route("/p/{project:int}/split", split),
    route("/p/{project:int}/notes", notes),
    route("/p/{project:int}/history", history),
    route("/p/{project:int}/export", exporting),
    route("/p/{project:int}/export.jsonl", download),
]
