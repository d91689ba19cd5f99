"""Analyze: the pyramid, all splits of its writers, α, and how it depends on z."""

from statistics import fmean

from starlette.responses import Response

from chronoscore.workbench.domain import figures
from chronoscore.workbench.domain.actions import topics
from chronoscore.workbench.web import charts
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def analyze(visit: Visit) -> Response:
    """What the content units of a topic look like."""
    with visit.read_topic() as (connection, topic):
        topic.require_manager()
        source = visit.desk.library.source(connection, topic.id)
        units = figures.compute_units(connection, topic, source)
    length = topic.most or len(units.pyramid.units)
    alphas = [split.alpha for split in units.splits if split.alpha == split.alpha]
    return visit.page(
        "analyze.html", topic=topic, source=source, figures=units, length=length,
        pyramid=charts.weight_histogram("Units by weight", units.shape.counts),
        curve=charts.line_with_mark("Mean α by z", units.curve, at=units.unchosen.count),
        mean_grey=fmean(split.grey for split in units.splits) if units.splits else None,
        mean_alpha=fmean(alphas) if alphas else None,
    )  # fmt: skip


ROUTES = [
    route("/t/{topic:int}/analyze", analyze),
    topic_form("analyze", topics.set_unchosen, where="/t/{topic}/analyze"),
]
