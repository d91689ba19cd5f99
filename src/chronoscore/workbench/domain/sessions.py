"""Who is visiting: sessions, the proof that a form is ours, and a brake on guessing."""

import hashlib
import hmac
import secrets
import time

from sqlalchemy import Connection, delete, func, insert, select, update

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.accounts import Person, digest
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.settings import Settings

COOKIE = "chronoscore"
GUEST = "chronoscore_guest"
_SEEN_EVERY = 600.0
_WINDOW = 900.0
TRIES = {"name": 8, "address": 40}
"""Wrong passwords within a quarter of an hour, for one name and from one address."""


def start(connection: Connection, number: int) -> str:
    """A new session under a new secret, whatever the browser held before."""
    token = secrets.token_urlsafe(32)
    now = time.time()
    connection.execute(
        insert(tables.session).values(digest=digest(token), person=number, created=now, seen=now)
    )
    return token


def end(connection: Connection, token: str) -> None:
    """Sign out: the secret opens nothing any more."""
    table = tables.session
    connection.execute(delete(table).where(table.c.digest == digest(token)))


def visitor(connection: Connection, token: str, settings: Settings) -> tuple[Person | None, bool]:
    """Who holds this secret, and whether the visit should be noted."""
    table = tables.session
    row = connection.execute(select(table).where(table.c.digest == digest(token))).one_or_none()
    if row is None:
        return None, False
    now = time.time()
    idle = now - row.seen > settings.session_idle_hours * 3600
    if idle or now - row.created > settings.session_days * 86400:
        return None, False
    return accounts.by_id(connection, row.person), now - row.seen > _SEEN_EVERY


def note_visit(connection: Connection, token: str) -> None:
    """Put off the end of a session that is in use."""
    table = tables.session
    connection.execute(
        update(table).where(table.c.digest == digest(token)).values(seen=time.time())
    )


def clear_out(connection: Connection, settings: Settings) -> None:
    """Forget sessions and attempts that are over."""
    now = time.time()
    session, attempt = tables.session, tables.attempt
    connection.execute(
        delete(session).where(session.c.seen < now - settings.session_idle_hours * 3600)
    )
    connection.execute(delete(attempt).where(attempt.c.time < now - _WINDOW))


def server_secret(connection: Connection) -> str:
    """The workbench's own secret, made at its first start."""
    table = tables.secret
    known = connection.execute(select(table.c.value).where(table.c.name == "forms")).scalar()
    if known is not None:
        return str(known)
    fresh = secrets.token_hex(32)
    connection.execute(insert(table).values(name="forms", value=fresh))
    return fresh


def form_proof(secret: str, token: str) -> str:
    """What a form must carry to show that it came from a page of this very visitor."""
    return hmac.new(secret.encode(), token.encode(), hashlib.sha256).hexdigest()


def proof_matches(secret: str, token: str, given: str) -> bool:
    """Whether a form carries its visitor's proof."""
    return bool(token) and hmac.compare_digest(form_proof(secret, token).encode(), given.encode())


def may_try(connection: Connection, name: str, address: str) -> bool:
    """Whether this name and address may try another password; the try is counted at once.

    Were it counted only once it has proved wrong, many tries sent at the same moment would
    all find that none had failed yet.
    """
    table, now = tables.attempt, time.time()
    tries = {kind: _what(kind, value) for kind, value in (("name", name), ("address", address))}
    for kind, what in tries.items():
        recent = (table.c.what == what) & (table.c.time > now - _WINDOW)
        query = select(func.count()).select_from(table).where(recent)
        if (connection.execute(query).scalar() or 0) >= TRIES[kind]:
            return False
    connection.execute(insert(table), [{"what": what, "time": now} for what in tries.values()])
    return True


def forgive(connection: Connection, name: str, address: str) -> None:
    """A right password clears the name's tries, and takes its own from the address."""
    table = tables.attempt
    connection.execute(delete(table).where(table.c.what == _what("name", name)))
    last = (
        select(func.max(table.c.id)).where(table.c.what == _what("address", address))
    ).scalar_subquery()
    connection.execute(delete(table).where(table.c.id == last))


def _what(kind: str, value: str) -> str:
    return f"{kind}:{digest(accounts.canonical(value))}"
