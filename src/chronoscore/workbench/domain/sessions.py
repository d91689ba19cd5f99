"""Who is visiting: sessions, the proof that a form is ours, and a brake on guessing."""

import hashlib
import hmac
import secrets
import time

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.accounts import Person, digest_secret
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.settings import Settings

COOKIE = "chronoscore"
GUEST = "chronoscore_guest"
DEVICE = "chronoscore_device"
DEVICE_DAYS = 365.0
_MOST_ON_DEVICE = 5
_SEEN_EVERY = 600.0
_WINDOW = 900.0
FREE_TRIES = {"name": 4, "address": 20, "device": 8, "session": 4}
"""Wrong passwords within a quarter of an hour that nobody has to wait for."""
LONGEST_PAUSE = 8.0
"""Seconds that a try waits at most: guessing is slowed down, and nobody is ever locked out."""
_VISITOR = (
    select(
        tables.session.c.created,
        tables.session.c.seen,
        *(tables.person.c[name] for name in ("id", "name", "founder", "theme", "keys")),
    )
    .join(tables.person, tables.person.c.id == tables.session.c.person)
    .where(tables.session.c.digest == bindparam("digest"))
)


def start(connection: Connection, number: int) -> str:
    """A new session under a new secret, whatever the browser held before."""
    token = secrets.token_urlsafe(32)
    now = time.time()
    connection.execute(
        insert(tables.session).values(
            digest=digest_secret(token), person=number, created=now, seen=now
        )
    )
    return token


def end(connection: Connection, token: str) -> None:
    """Sign out: the secret opens nothing any more."""
    table = tables.session
    connection.execute(delete(table).where(table.c.digest == digest_secret(token)))


def find_visitor(
    connection: Connection, token: str, settings: Settings
) -> tuple[Person | None, bool]:
    """Who holds this secret, and whether the visit should be noted."""
    row = connection.execute(_VISITOR, {"digest": digest_secret(token)}).one_or_none()
    if row is None:
        return None, False
    now = time.time()
    idle = now - row.seen > settings.session_idle_hours * 3600
    if idle or now - row.created > settings.session_days * 86400:
        return None, False
    return accounts.read_person(row), now - row.seen > _SEEN_EVERY


def note_visit(connection: Connection, token: str) -> None:
    """Put off the end of a session that is in use."""
    table = tables.session
    connection.execute(
        update(table).where(table.c.digest == digest_secret(token)).values(seen=time.time())
    )


def clear_old(connection: Connection, settings: Settings) -> None:
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


def keep_address(connection: Connection, settings: Settings) -> None:
    """Note how browsers reach this workbench, for links that the command line makes."""
    table = tables.secret
    connection.execute(delete(table).where(table.c.name == "address"))
    connection.execute(insert(table).values(name="address", value=settings.public_url))


def known_address(connection: Connection) -> str:
    """How browsers reached the workbench when it was last started."""
    table = tables.secret
    known = connection.execute(select(table.c.value).where(table.c.name == "address")).scalar()
    return str(known or Settings.public_url)


def form_proof(secret: str, token: str) -> str:
    """What a form must carry to show that it came from a page of this very visitor."""
    return hmac.new(secret.encode(), token.encode(), hashlib.sha256).hexdigest()


def proof_matches(secret: str, token: str, given: str) -> bool:
    """Whether a form carries its visitor's proof."""
    proof = form_proof(secret, token)
    if len(given) == 2 * len(proof):
        given = _unmask_proof(given)
    return bool(token) and hmac.compare_digest(proof.encode(), given.encode())


def mask_proof(proof: str) -> str:
    """The same proof, written differently each time."""
    pad = secrets.token_bytes(len(proof) // 2)
    return pad.hex() + _xor(pad, bytes.fromhex(proof)).hex()


def _unmask_proof(given: str) -> str:
    try:
        raw = bytes.fromhex(given)
    except ValueError:
        return ""
    half = len(raw) // 2
    return _xor(raw[:half], raw[half:]).hex()


def _xor(one: bytes, two: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, two, strict=True))


def count_try(connection: Connection, *, name: str, **sources: str) -> float:
    """Count another try at a name's password; how long it has to wait.

    It is always counted for the name. It waits for what was tried from its own session or
    device, if it has one, and else for what anybody tried at the name and from the address.
    The seconds double with each try beyond the free ones. A try is counted before it has
    proved wrong: of many that are sent at the same moment each waits longer than the last.
    """
    table, now = tables.attempt, time.time()
    pause = 0.0
    own = {kind: value for kind, value in sources.items() if kind in ("session", "device")}
    sources = {"name": name, **sources}
    for kind, value in (own or sources).items():
        recent = (table.c.what == _what(kind, value)) & (table.c.time > now - _WINDOW)
        query = select(func.count()).select_from(table).where(recent)
        beyond = (connection.execute(query).scalar() or 0) - FREE_TRIES[kind]
        if beyond >= 0:
            pause = max(pause, min(LONGEST_PAUSE, 2.0 ** min(beyond, 10)))
    rows = [{"what": _what(kind, value), "time": now} for kind, value in sources.items()]
    connection.execute(insert(table), rows)
    return pause


def forgive_tries(connection: Connection, **sources: str) -> None:
    """A right password clears all tries but those from the address, which loses its own."""
    table = tables.attempt
    address = sources.pop("address", None)
    cleared = [_what(kind, value) for kind, value in sources.items()]
    connection.execute(delete(table).where(table.c.what.in_(cleared)))
    if address is not None:
        last = (
            select(func.max(table.c.id)).where(table.c.what == _what("address", address))
        ).scalar_subquery()
        connection.execute(delete(table).where(table.c.id == last))


def remember_device(secret: str, cookie: str, name: str) -> str:
    """The device's cookie, with proof that this person has signed in there."""
    others = [one for one in cookie.split("|") if one and one != find_device(secret, cookie, name)]
    nonce = secrets.token_urlsafe(12)
    return "|".join([f"{nonce}.{_device_proof(secret, nonce, name)}", *others][:_MOST_ON_DEVICE])


def find_device(secret: str, cookie: str, name: str) -> str:
    """The part of a device's cookie that shows that this person has signed in there."""
    for one in cookie.split("|")[:_MOST_ON_DEVICE]:
        nonce, _, given = one.partition(".")
        proof = _device_proof(secret, nonce, name)
        if given and hmac.compare_digest(proof.encode(), given.encode()):
            return one
    return ""


def _device_proof(secret: str, nonce: str, name: str) -> str:
    message = f"device:{nonce}:{accounts.canonical_name(name)}".encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def _what(kind: str, value: str) -> str:
    subject = accounts.canonical_name(value) if kind == "name" else value
    return f"{kind}:{digest_secret(subject)}"
