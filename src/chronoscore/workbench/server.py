"""Running the workbench: open the database, print the one-time link, serve."""

import sys
from pathlib import Path
from typing import TextIO

import uvicorn

from chronoscore.workbench import accounts
from chronoscore.workbench.app import build
from chronoscore.workbench.database import Database, opened
from chronoscore.workbench.settings import Settings


def first_link(database: Database, settings: Settings) -> str:
    """A one-time link for the first manager, or nothing where there is one already."""
    with database.writing() as connection:
        if not accounts.nobody_yet(connection):
            return ""
        token = accounts.invite(connection, days=1, founder=True, label="manager")
    return f"{settings.origin}/invite/{token}"


def serve(
    where: str | Path, settings: Settings, *, host: str, port: int, talk: TextIO = sys.stderr
) -> None:
    """Serve until stopped; one process, many threads."""
    database = opened(where)
    app = build(database, settings)
    link = first_link(database, settings)
    shown = database.engine.url.render_as_string(hide_password=True)
    print(f"chronoscore workbench: {settings.origin} (Ctrl-C stops it)", file=talk)
    print(f"database: {shown}", file=talk)
    if link:
        print("Open this link once, within a day, to make the manager's account:", file=talk)
        print(f"  {link}", file=talk)
    if not settings.on_loopback and not settings.encrypted:
        print(
            "warning: browsers send passwords in the clear and refuse the session cookie without "
            "TLS; put a TLS proxy before it and give its address by --public-url https://…",
            file=talk,
        )
    talk.flush()
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5, h11_max_incomplete_event_size=64 * 1024,
    )  # fmt: skip
    try:
        uvicorn.Server(config).run()
    finally:
        database.close()
