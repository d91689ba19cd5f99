"""What a shared workbench says about its certificate."""

from starlette.responses import Response

from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def certificate(visit: Visit) -> Response:
    """The browser's warning as a picture, and the fingerprint to compare."""
    settings = visit.desk.settings
    if not settings.shared:
        raise NotFoundError
    parts = settings.fingerprint.split(":")
    rows = [":".join(parts[at : at + 8]) for at in range(0, len(parts), 8)]
    return visit.page("certificate.html", rows=rows, host=settings.origin.partition("//")[2])


ROUTES = [route("/certificate", certificate, guests=True)]
