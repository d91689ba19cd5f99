"""Tokens for programs: what a person lets a script or a feed reader see in their name."""

import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from chronoscore.workbench.domain import accounts, catalog
from chronoscore.workbench.domain.accounts import LONGEST_NAME, Person, digest_secret
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry

KINDS = ("api", "feed")
MOST = 20
_NOTED_EVERY = 3600.0


@dataclass(frozen=True)
class AccessToken:
    """A token as its owner sees it later; the secret itself is shown once."""

    digest: str
    kind: str
    label: str
    created: float
    used: float | None


def create(connection: Connection, person: int, kind: str, label: str) -> str:
    """Make a token; what the database keeps of it opens nothing."""
    if kind not in KINDS:
        raise InvalidError("no such kind of token")
    if len(list_own(connection, person)) >= MOST:
        raise InvalidError(f"you have {MOST} tokens; revoke one first")
    token = secrets.token_urlsafe(32)
    data = {"digest": digest_secret(token), "kind": kind, "label": label[:LONGEST_NAME]}
    action = catalog.TOKEN_CREATE.name
    log.append(connection, LogEntry(action=action, data=data, person=person))
    return token


def list_own(connection: Connection, person: int) -> list[AccessToken]:
    """A person's tokens, oldest first."""
    table = tables.token
    rows = connection.execute(
        select(table).where(table.c.person == person).order_by(table.c.created, table.c.digest)
    )
    return [AccessToken(row.digest, row.kind, row.label, row.created, row.used) for row in rows]


def revoke(connection: Connection, person: int, name: str) -> None:
    """A token of this person opens nothing any more."""
    for one in list_own(connection, person):
        if one.digest == name:
            data = {"digest": name, "label": one.label}
            action = catalog.TOKEN_REVOKE.name
            log.append(connection, LogEntry(action=action, data=data, person=person))


def find_holder(connection: Connection, token: str, kind: str) -> tuple[Person | None, bool]:
    """Who made this token, and whether its use should be noted."""
    table = tables.token
    row = connection.execute(
        select(table).where(table.c.digest == digest_secret(token), table.c.kind == kind)
    ).one_or_none()
    if row is None:
        return None, False
    noted = row.used is not None and time.time() - row.used < _NOTED_EVERY
    return accounts.find(connection, row.person), not noted


def note_use(connection: Connection, token: str) -> None:
    """Remember that a token was used."""
    table = tables.token
    connection.execute(
        update(table).where(table.c.digest == digest_secret(token)).values(used=time.time())
    )
