"""The application: screens, static files, and the guard before them."""

from pathlib import Path
from typing import TextIO

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from chronoscore.workbench.domain import sessions
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web import operations
from chronoscore.workbench.web.guard import Guard, TooMuchError, refuse_long_request
from chronoscore.workbench.web.routes import ROUTES
from chronoscore.workbench.web.routing import HANDLERS
from chronoscore.workbench.web.visit import Desk
from chronoscore.workbench.web.watch import Watch

STATIC = Path(__file__).parent / "static"


def build_workbench(
    database: Database, settings: Settings, *, log: TextIO | None = None
) -> ASGIApp:
    """Put the application together on a database; `log` gets a line for each request."""
    with database.write() as connection:
        secret = sessions.server_secret(connection)
        sessions.clear_old(connection, settings)
    app = Starlette(
        routes=[
            *ROUTES,
            *operations.ROUTES,
            Mount("/static", GZipMiddleware(StaticFiles(directory=STATIC))),
        ],
        exception_handlers={**HANDLERS, TooMuchError: refuse_long_request},
    )
    # The address of such a redirect would be made of what the request says our name is.
    app.router.redirect_slashes = False
    app.state.desk = desk = Desk(database, settings, secret)
    app.state.checkup = operations.Checkup()
    return Watch(Guard(app, settings), desk.metrics, log)
