"""Analyse: the pyramid, all splits of its writers, α, and how it hangs on z."""

from statistics import fmean

from starlette.responses import Response

from chronoscore.workbench.domain import figures
from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions.recording import record
from chronoscore.workbench.web import charts
from chronoscore.workbench.web.visit import RefusedError, Visit, route

LARGEST_Z = 100_000


def analyse(visit: Visit) -> Response:
    """What the content units of a topic look like."""
    with reading_topic(visit) as (connection, place):
        place.managed()
        source = visit.desk.library.source(connection, place.id)
        found = figures.content_units(connection, place, source)
    length = place.most or len(found.pyramid.units)
    alphas = [split.alpha for split in found.splits if split.alpha == split.alpha]
    return visit.page(
        "analyse.html", place=place, source=source, found=found, length=length,
        pyramid=charts.histogram("Units by weight", found.shape.counts),
        curve=charts.curve("Mean α by z", found.curve, at=found.unchosen.count),
        mean_grey=fmean(split.grey for split in found.splits) if found.splits else None,
        mean_alpha=fmean(alphas) if alphas else None,
    )  # fmt: skip


def set_z(visit: Visit) -> Response:
    """Set z by hand, or leave it to the estimate again."""
    text = visit.text("z", most=10)
    if text and not (text.isdecimal() and int(text) <= LARGEST_Z):
        raise RefusedError(400, f"z is a number from 0 to {LARGEST_Z:,}, or empty")
    with writing_topic(visit) as (connection, place):
        place.managed()
        data = {"z": float(text) if text else None}
        record(connection, place, "topic.estimate", data, visit.key)
    return visit.go(f"/t/{place.id}/analyse")


ROUTES = [
    route("/t/{topic:int}/analyse", analyse),
    route("/t/{topic:int}/analyse", set_z, "POST"),
]
