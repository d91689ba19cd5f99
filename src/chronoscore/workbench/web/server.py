"""Running the workbench: open the database, print the one-time link, serve."""

import socket
import sys
from pathlib import Path
from typing import TextIO

import uvicorn

from chronoscore.errors import UsageError
from chronoscore.workbench.domain import accounts, sessions
from chronoscore.workbench.store.database import Database, open_database
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.app import build


def first_link(database: Database, settings: Settings) -> str:
    """A one-time link for the first manager, or nothing where there is one already."""
    with database.writing() as connection:
        if not accounts.nobody_yet(connection):
            return ""
        token = accounts.invite(connection, days=1, founder=True, label="manager")
    return f"{settings.origin}/invite/{token}"


def listening(host: str, port: int) -> socket.socket:
    """A socket that nobody else has; port 0 takes any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        raise UsageError(f"--host {host}: no such address; give one of this machine") from None
    door = socket.socket(family, kind, protocol)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(address)
    except OSError as error:
        door.close()
        raise UsageError(
            f"{host}:{port}: cannot be listened on ({error.strerror}); choose another --port"
        ) from None
    return door


def serve(
    where: str | Path, settings: Settings, door: socket.socket, *, talk: TextIO = sys.stderr
) -> None:
    """Serve until stopped; one process, many threads."""
    database = open_database(where)
    app = build(database, settings)
    with database.writing() as connection:
        sessions.keep_address(connection, settings)
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
        app, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5, h11_max_incomplete_event_size=64 * 1024,
    )  # fmt: skip
    try:
        uvicorn.Server(config).run(sockets=[door])
    finally:
        database.close()
