"""One module per screen; each lists its addresses in `ROUTES`."""

from starlette.routing import Route

from chronoscore.workbench.web.routes import (
    accounts,
    adjudication,
    analyze,
    data,
    guidelines,
    identify,
    imports,
    link,
    make,
    manage,
    match,
    merge,
    people,
    practice,
    programs,
    projects,
    roles,
    setup,
    sharing,
    topics,
    verify,
    write,
)

_SCREENS = (
    accounts, projects, imports, people, roles, manage, topics, setup, identify, merge, link,
    verify, write, make, match, analyze, guidelines, adjudication, practice, programs, data,
    sharing,
)  # fmt: skip
ROUTES: list[Route] = [route for screen in _SCREENS for route in screen.ROUTES]
