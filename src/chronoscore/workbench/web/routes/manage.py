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
from chronoscore.workbench.domain.access import Place, ProjectPlace, project_place
from chronoscore.workbench.domain.actions import notes as remarks
from chronoscore.workbench.domain.figures import Judged
from chronoscore.workbench.domain.history import told
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.exchange.exports import export
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web import charts
from chronoscore.workbench.web.routes.projects import places
from chronoscore.workbench.web.visit import Visit, not_here, route

PAGE = 200


@dataclass(frozen=True)
class Row:
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
        here = _managed(connection, visit)
        topics = places(connection, here)
        rows = [
            row
            for place in topics
            if place.unblinded
            for row in _rows(connection, place, visit.desk.library.source(connection, place.id))
        ]
    return visit.page("progress.html", project=here, topics=topics, rows=rows)


def _rows(connection: Connection, place: Place, source: Source) -> list[Row]:
    """Everybody who worked in a topic, or has to."""
    work = {(one.step, one.person): one for one in people.work(connection, place)}
    names = {one.person: one.name for one in people.assigned(connection, place)}
    rows = []
    for step in STEPS[place.project.workflow][1:-1]:
        if not (place.over(step) or place.step == step):
            continue
        done = people.submitted(connection, place.id, step)
        for person in people.workers(connection, place.id, step):
            one = work.get((step, person))
            share = figures.share_done(connection, place, step, person, source)
            rows.append(
                Row(
                    place.id, place.title, step, names.get(person, ""),
                    one.entries if one else 0, one.seconds if one else 0.0, share,
                    done.get(person),
                )
            )  # fmt: skip
    return rows


def agreement(visit: Visit) -> Response:
    """Agreement by topic and event, lowest first."""
    with visit.database.reading() as connection:
        here, found, hidden = _judged(connection, visit)
    found.sort(key=lambda one: _rank(one.agreed, verified=one.verified))
    shown = []
    for one in found:
        events = sorted(one.agreed.events, key=partial(_rank, verified=one.verified))
        bars = [(e.text, e.acceptance if one.verified else math.nan, e.jaccard) for e in events]
        chart = charts.bars(f"Agreement on the events of {one.place.title}", bars)
        shown.append((one, events, chart))
    return visit.page("agreement.html", project=here, shown=shown, out_of_sight=hidden)


def tables(visit: Visit) -> Response:
    """The paper's Tables 1, 2 and 3 for this corpus."""
    with visit.database.reading() as connection:
        here, found, hidden = _judged(connection, visit)
    sizes = [one.size for one in found]
    halves = balanced_halves(sizes) if len(sizes) >= 2 else None
    parts = []
    if halves:
        for title, names in (("Training", halves.training), ("Test", halves.test)):
            parts.append((title, characteristics(s for s in sizes if s.topic in names)))
    parts.append(("All", characteristics(sizes)))
    return visit.page(
        "tables.html",
        project=here,
        found=found,
        means=averages(sizes),
        columns=parts,
        out_of_sight=hidden,
    )


def split(visit: Visit) -> Response:
    """Two halves of about the same size and time."""
    with visit.database.reading() as connection:
        here, found, hidden = _judged(connection, visit)
    halves = balanced_halves([one.size for one in found]) if len(found) >= 2 else None
    by_name = {one.place.name: one for one in found}
    return visit.page(
        "split.html", project=here, halves=halves, by_name=by_name, out_of_sight=hidden
    )


def _judged(connection: Connection, visit: Visit) -> tuple[ProjectPlace, list[Judged], list[Place]]:
    """The topics with links that the manager may see, and those that stay hidden."""
    here = _managed(connection, visit)
    if here.workflow != "stream":
        raise not_here()
    topics = [place for place in places(connection, here) if place.over("merge")]
    library = visit.desk.library
    found = [
        figures.judged(connection, place, library.source(connection, place.id))
        for place in topics
        if place.unblinded
    ]
    return here, found, [place for place in topics if not place.unblinded]


def _rank(agreed: TopicAgreement | EventAgreement, *, verified: bool) -> float:
    """What is sorted by: acceptance once there is any, the judges' overlap before."""
    return _first(agreed.acceptance if verified else math.nan, agreed.jaccard)


def _first(*values: float) -> float:
    """The first value that is defined; what has none comes last."""
    return next((value for value in values if value == value), math.inf)


def notes(visit: Visit) -> Response:
    """All notes, open ones first."""
    with visit.database.reading() as connection:
        here = _managed(connection, visit)
        found = remarks.queue(connection, here, places(connection, here))
    return visit.page("notes.html", project=here, notes=found)


def history(visit: Visit) -> Response:
    """The project's log in words; topics in which the visitor is blind show only their own."""
    asked = visit.request.query_params.get("page", "")
    page = int(asked) if asked.isdecimal() and len(asked) < 9 else 1
    with visit.database.reading() as connection:
        here = _managed(connection, visit)
        blind = {place.id for place in places(connection, here) if not place.unblinded}
        # Left out where the database is read: a page that is not full would tell how many.
        entries = log.latest(
            connection, project=here.id, without=blind, except_by=here.person,
            skipped=PAGE * (page - 1), limit=PAGE,
        )  # fmt: skip
        rows = told(connection, entries)
    more = f"?page={page + 1}" if len(entries) == PAGE else ""
    return visit.page("history.html", place=None, project=here, rows=rows, more=more)


def exporting(visit: Visit) -> Response:
    """What an export holds, and the button for it."""
    with visit.database.reading() as connection:
        here = _managed(connection, visit)
        topics = places(connection, here)
    return visit.page("export.html", project=here, topics=topics)


def download(visit: Visit) -> Response:
    """The judgements file."""
    asked = visit.request.query_params
    with visit.database.reading() as connection:
        here = _managed(connection, visit)
        body = export(
            connection, here, places(connection, here), visit.desk.library,
            finished=asked.get("finished") == "yes", texts=asked.get("texts") != "no",
            anonymous=asked.get("names") != "yes",
        )  # fmt: skip
    name = re.sub(r"[^a-z0-9]+", "-", here.name.lower()).strip("-") or "project"
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return Response(body, media_type="application/jsonl", headers=headers)


def _managed(connection: Connection, visit: Visit) -> ProjectPlace:
    return project_place(connection, visit.someone.id, visit.number("project")).managed()


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
