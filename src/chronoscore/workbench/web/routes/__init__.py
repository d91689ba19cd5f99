"""One module per screen; each lists its addresses in `ROUTES`."""

from starlette.routing import Route

from chronoscore.workbench.web.routes import (
    accounts,
    analyze,
    data,
    identify,
    link,
    make,
    manage,
    match,
    merge,
    projects,
    topics,
    verify,
    write,
)

ROUTES: list[Route] = [
    *accounts.ROUTES,
    *projects.ROUTES,
    *manage.ROUTES,
    *topics.ROUTES,
    *identify.ROUTES,
    *merge.ROUTES,
    *link.ROUTES,
    *verify.ROUTES,
    *write.ROUTES,
    *make.ROUTES,
    *match.ROUTES,
    *analyze.ROUTES,
    *data.ROUTES,
]
