"""Running the workbench: open the database, print the one-time link, serve."""

import errno
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import uvicorn

from chronoscore.errors import UsageError
from chronoscore.workbench.domain import accounts, sessions
from chronoscore.workbench.store import serving
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.settings import ONLY_HERE, Settings
from chronoscore.workbench.web.app import build_workbench
from chronoscore.workbench.web.sharing import codes

if TYPE_CHECKING:
    from chronoscore.workbench.web.sharing.certificate import ServerCertificate

GRACE = 10
"""Seconds that requests get to finish after the server was told to stop."""


def first_manager_link(database: Database, settings: Settings) -> str:
    """A one-time link for the first manager, or nothing where there is one already."""
    with database.write() as connection:
        if not accounts.needs_founder(connection):
            return ""
        token = accounts.make_invitation(connection, days=1, founder=True, label="manager")
    return f"{settings.public_url}/invite/{token}"


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket of our own; port 0 takes any that is free."""
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
        # Browsers may come as soon as the address is printed; they wait until it is served.
        door.listen(socket.SOMAXCONN)
    except OSError as error:
        door.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"--host {host}: is no address of this machine") from None
        raise UsageError(
            f"{host}:{port}: cannot be listened on ({error.strerror}); choose another --port"
        ) from None
    return door


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """How a server is run: whose word about visitors it takes, where requests are logged, TLS."""

    trusted_proxies: tuple[str, ...] = ()
    access_log: str = ""
    certificate: "ServerCertificate | None" = None


def serve(
    where: str | Path,
    settings: Settings,
    door: socket.socket,
    options: ServerOptions,
    *,
    talk: TextIO = sys.stderr,
) -> None:
    """Serve until stopped; one process, many threads."""
    with (
        serving.open_for_server(where) as database,
        _open_log(options.access_log, talk) as log,
    ):
        app = build_workbench(database, settings, log=log)
        with database.write() as connection:
            sessions.keep_address(connection, settings)
        _announce(database, settings, first_manager_link(database, settings), talk)
        own = options.certificate
        key, certificate = (own.key, own.certificate) if own else (None, None)
        config = uvicorn.Config(
            app, ssl_keyfile=key, ssl_certfile=certificate, lifespan="off",
            log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=GRACE, h11_max_incomplete_event_size=64 * 1024,
            proxy_headers=bool(options.trusted_proxies),
            forwarded_allow_ips=list(options.trusted_proxies),
        )  # fmt: skip
        _run_until_stopped(uvicorn.Server(config), door)
    print("chronoscore workbench: stopped", file=talk, flush=True)


def _run_until_stopped(server: uvicorn.Server, door: socket.socket) -> None:
    """Serve until Ctrl-C, SIGTERM or a closed terminal; requests under way are finished first.

    A second Ctrl-C does not wait for them. uvicorn sends the signals again when it is done; they
    must not end the process before the database is closed, so its own handler takes them again.
    """
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, server.handle_exit)
        # `nohup` asks to go on when the terminal is closed.
        hangup = getattr(signal, "SIGHUP", None)
        if hangup and signal.getsignal(hangup) != signal.SIG_IGN:
            signal.signal(hangup, server.handle_exit)
    server.run(sockets=[door])


@contextmanager
def _open_log(where: str, talk: TextIO) -> Iterator[TextIO | None]:
    """Where requests are logged: nowhere, the terminal (`-`), or a file that only grows."""
    if where in ("", "-"):
        yield talk if where else None
        return
    try:
        log = Path(where).open("a", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"--access-log {where}: cannot be written ({error.strerror})") from None
    with log:
        yield log


def _announce(database: Database, settings: Settings, link: str, talk: TextIO) -> None:
    shown = database.engine.url.render_as_string(hide_password=True)
    print(f"chronoscore workbench: {settings.public_url} (Ctrl-C stops it)", file=talk)
    print(f"database: {shown}", file=talk)
    if settings.shared:
        _announce_sharing(settings, talk)
    if link:
        print("Open this link once, within a day, to make the manager's account:", file=talk)
        print(f"  {link}", file=talk)
    if settings.on_loopback:
        print(f"Links work {ONLY_HERE}", file=talk)
    if settings.loses_cookies:
        print(
            "warning: browsers send passwords in the clear and refuse the session cookie without "
            "TLS; put a TLS proxy before it and give its address by --public-url https://…",
            file=talk,
        )
    talk.flush()


def _announce_sharing(settings: Settings, talk: TextIO) -> None:
    """The address as a QR code, and what to compare when the browser warns."""
    if "utf" in (getattr(talk, "encoding", "") or "").lower():
        for line in codes.terminal_lines(settings.public_url, colored=talk.isatty()):
            print(f"  {line}", file=talk)
    print(
        "Machines on the same network reach it until it is stopped. Browsers warn, since\n"
        "the certificate is the workbench's own. Compare its SHA-256 fingerprint first:",
        file=talk,
    )
    half = (len(settings.fingerprint) + 1) // 2
    print(f"  {settings.fingerprint[:half]}\n  {settings.fingerprint[half:]}", file=talk)
