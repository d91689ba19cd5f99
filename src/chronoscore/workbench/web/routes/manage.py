"""Managers' screens: progress, agreement, tables, split, notes, history, export."""

import math
import re
import zipfile
from collections.abc import Callable
from functools import partial
from io import BytesIO

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.stats.agreement import EventAgreement, TopicAgreement
from chronoscore.stats.corpora import average_topic_sizes, balanced_halves, corpus_characteristics
from chronoscore.workbench.domain import access, figures, pace
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions import projects as actions
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.figures import StreamFigures
from chronoscore.workbench.domain.formatting import moment
from chronoscore.workbench.domain.history import describe_all
from chronoscore.workbench.domain.pace import ProgressRow
from chronoscore.workbench.domain.queries import notes as note_queries
from chronoscore.workbench.exchange import exports, spreadsheets
from chronoscore.workbench.exchange.exports import corpus_files
from chronoscore.workbench.exchange.spreadsheets import csv_bytes, number
from chronoscore.workbench.web import charts
from chronoscore.workbench.web.logbook import Logbook
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit, download

PAGE = 200


def progress(visit: Visit) -> Response:
    """Who is where, and how long it took them."""
    with visit.read_project() as (connection, here):
        rows = _progress(connection, visit, here)
        topics = access.list_topics(connection, here)
    hidden = [topic for topic in topics if not topic.unblinded and not topic.put_away]
    return visit.page("progress.html", project=here, rows=rows, out_of_sight=hidden)


def progress_csv(visit: Visit) -> Response:
    """The same for a spreadsheet."""
    with visit.read_project() as (connection, here):
        rows = _progress(connection, visit, here)
    head = ("topic", "step", "person", "entries", "hours", "done", "per_hour", "due", "handed_in")
    body = csv_bytes(
        head,
        (
            (row.title, row.step, row.name, row.entries, f"{row.seconds / 3600:.3f}",
             number(row.share), number(row.rate), row.due,
             moment(row.submitted) if row.submitted else "")
            for row in rows
        ),
    )  # fmt: skip
    return download(body, f"{_file_name(here)}-progress.csv")


def _progress(connection: Connection, visit: Visit, here: ProjectAccess) -> list[ProgressRow]:
    library = visit.desk.library
    return [
        row
        for topic in access.list_topics(connection, here)
        if topic.unblinded and not topic.put_away
        for row in pace.list_rows(connection, topic, library.source(connection, topic.id))
    ]


def agreement(visit: Visit) -> Response:
    """Agreement by topic and event, lowest first."""
    here, judged, hidden = _judged_topics(visit)
    judged.sort(key=lambda one: _rank(one.agreed, verified=one.verified))
    shown = []
    for one in judged:
        events = sorted(one.agreed.events, key=partial(_rank, verified=one.verified))
        bars = [(e.text, e.acceptance if one.verified else math.nan, e.jaccard) for e in events]
        chart = charts.share_bars(f"Agreement on the events of {one.topic.title}", bars)
        shown.append((one, events, chart))
    return visit.page("agreement.html", project=here, shown=shown, out_of_sight=hidden)


def tables(visit: Visit) -> Response:
    """The paper's Tables 1, 2 and 3 for this corpus."""
    here, judged, hidden = _judged_topics(visit)
    sizes = [one.size for one in judged]
    halves = balanced_halves(sizes) if len(sizes) >= 2 else None
    parts = []
    if halves:
        for title, names in (("Training", halves.training), ("Test", halves.test)):
            parts.append((title, corpus_characteristics(s for s in sizes if s.topic in names)))
    parts.append(("All", corpus_characteristics(sizes)))
    return visit.page(
        "tables.html", project=here, judged=judged, means=average_topic_sizes(sizes), columns=parts,
        out_of_sight=hidden,
    )  # fmt: skip


def split(visit: Visit) -> Response:
    """Two halves of about the same size and time."""
    here, judged, hidden = _judged_topics(visit)
    halves = balanced_halves([one.size for one in judged]) if len(judged) >= 2 else None
    by_name = {one.topic.name: one for one in judged}
    return visit.page(
        "split.html", project=here, halves=halves, by_name=by_name, out_of_sight=hidden
    )


def _judged_topics(visit: Visit) -> tuple[ProjectAccess, list[StreamFigures], list[TopicAccess]]:
    """The topics with links that the manager may see, and those that stay hidden."""
    library = visit.desk.library
    with visit.read_project() as (connection, here):
        if here.workflow != "stream":
            raise NotFoundError
        topics = [
            topic
            for topic in access.list_topics(connection, here)
            if topic.over("merge") and not topic.put_away and not topic.practice
        ]
        judged = [
            figures.compute_stream(connection, topic, library.source(connection, topic.id))
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
    with visit.read_project() as (connection, here):
        rows = note_queries.project_notes(connection, here, access.list_topics(connection, here))
        places = {
            (row.topic, row.place): visit.desk.library.source(connection, row.topic).label(
                row.place
            )
            for row in rows
        }
    return visit.page("notes.html", project=here, notes=rows, places=places)


def history(visit: Visit) -> Response:
    """The project's log in words; topics in which the visitor is blind show only their own."""
    with visit.read_project() as (connection, here):
        topics = access.list_topics(connection, here)
        blind = {topic.id for topic in topics if not topic.unblinded}
        # Left out where the database is read: a page that is not full would tell how many.
        book = Logbook.open(visit, connection, here)
        entries = book.read(connection, project=here.id, without=blind, except_by=here.person)
        shown = {entry.topic for entry in entries if entry.person != here.person}
        for topic in topics:
            if topic.id in shown:
                topic.require_sight()
        rows = describe_all(connection, entries)
    return book.page(visit, rows)


def export_page(visit: Visit) -> Response:
    """What an export holds, and the button for it."""
    with visit.read_project() as (connection, here):
        topics = access.list_topics(connection, here)
    return visit.page("export.html", project=here, topics=topics)


def export_response(
    visit: Visit, write: Callable[..., bytes] = exports.judgements_file
) -> tuple[ProjectAccess, bytes]:
    """A managed project and its topics in a file, as the address asks for them."""
    with visit.read_project() as (connection, here):
        body = write(
            connection, here, access.list_topics(connection, here), visit.desk.library,
            finished=visit.query("finished") == "yes", texts=visit.query("texts") != "no",
            anonymous=visit.query("names") != "yes",
        )  # fmt: skip
    _log_export(visit)
    return here, body


def _log_export(visit: Visit) -> None:
    """Keep that the visitor took something out, before they get it."""
    kind = visit.request.url.path.rpartition("/")[2]
    topics = sorted({topic for topic, _ in visit.witnessed})
    with visit.write_project() as (connection, here):
        actions.export(connection, here, visit.key, kind=kind, topics=topics)


def judgements(visit: Visit) -> Response:
    """The judgements file."""
    here, body = export_response(visit)
    return download(body, f"{_file_name(here)}.jsonl")


def table(visit: Visit) -> Response:
    """The links or units of the same topics for a spreadsheet."""
    here, body = export_response(visit, spreadsheets.build)
    return download(body, f"{_file_name(here)}.csv")


def agreement_csv(visit: Visit) -> Response:
    """Agreement by event for a spreadsheet."""
    here, judged, _ = _judged_topics(visit)
    _log_export(visit)
    head = (
        "topic", "event", "text", "marked", "kept", "acceptance", "overlap", "alpha", "alpha_low",
        "alpha_high", "disputed",
    )  # fmt: skip
    rows = []
    for one in judged:
        chance = {e.event: e for e in one.chance.events} if one.chance else {}
        for e in one.agreed.events:
            c = chance.get(e.event)
            alpha = (c.alpha.value, c.alpha.low, c.alpha.high) if c else (math.nan,) * 3
            rows.append(
                (one.topic.name, e.event, e.text, e.marked, e.sentences if one.verified else "",
                 number(e.acceptance if one.verified else math.nan), number(e.jaccard),
                 *map(number, alpha), c.disputed if c else "")
            )  # fmt: skip
    return download(csv_bytes(head, rows), f"{_file_name(here)}-agreement.csv")


def corpus(visit: Visit) -> Response:
    """An archive of a corpus with articles, as `summarize` reads it."""
    with visit.read_project() as (connection, here):
        files = corpus_files(
            connection, here, access.list_topics(connection, here), visit.desk.library,
            finished=visit.query("finished") == "yes", anonymous=visit.query("names") != "yes",
        )  # fmt: skip
    _log_export(visit)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, body in files.items():
            archive.writestr(zipfile.ZipInfo(path), body, zipfile.ZIP_DEFLATED)
    return download(packed.getvalue(), f"{_file_name(here)}.zip")


def _file_name(project: ProjectAccess) -> str:
    return re.sub(r"[^a-z0-9]+", "-", project.name.lower()).strip("-") or "project"


ROUTES = [
    route("/p/{project:int}/progress", progress),
    route("/p/{project:int}/agreement", agreement),
    route("/p/{project:int}/tables", tables),
    route("/p/{project:int}/split", split),
    route("/p/{project:int}/notes", notes),
    route("/p/{project:int}/history", history),
    route("/p/{project:int}/export", export_page),
    route("/p/{project:int}/export.jsonl", judgements),
    route("/p/{project:int}/export.csv", table),
    route("/p/{project:int}/progress.csv", progress_csv),
    route("/p/{project:int}/agreement.csv", agreement_csv),
    route("/p/{project:int}/export.zip", corpus),
]
