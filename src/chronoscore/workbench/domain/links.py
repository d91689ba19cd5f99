"""Links that managers hand out: open invitations, and links to choose a new password."""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.accounts import Person, digest_secret
from chronoscore.workbench.store import tables

RESET_DAYS = 1


@dataclass(frozen=True)
class OpenInvitation:
    """An invitation that nobody has used; only the manager who made it knows its link."""

    digest: str
    label: str
    manager: bool
    expires: float


@dataclass(frozen=True)
class ResetLink:
    """A link to choose a new password; one that was asked for must be confirmed.

    Without a request it was made on the server.
    """

    person: int
    request: str | None = None
    project: int | None = None
    by: int | None = None


def open_invitations(connection: Connection, project: int) -> list[OpenInvitation]:
    """The invitations to a project that nobody has used and that are not too old."""
    table = tables.invitation
    rows = connection.execute(
        select(table)
        .where(table.c.project == project, table.c.used_by.is_(None), table.c.expires > time.time())
        .order_by(table.c.expires, table.c.digest)
    )
    return [OpenInvitation(row.digest, row.label, row.manager, row.expires) for row in rows]


def describe_invitation(digest: str, label: str, days: float) -> dict[str, object]:
    """What an entry says of a fresh link that lets one person in, once, and for some days."""
    expires = time.time() + days * 86400
    return {"digest": digest, "label": label[: accounts.LONGEST_NAME], "expires": expires}


def describe_reset(person: int, digest: str) -> dict[str, object]:
    """What an entry says of a fresh link to choose a new password; older ones end with it."""
    expires = time.time() + RESET_DAYS * 86400
    return {"person": person, "digest": digest, "expires": expires}


def find_reset(connection: Connection, token: str) -> ResetLink | None:
    """A link to choose a new password, unless it is unknown, used or too old."""
    table = tables.reset
    mine = (table.c.digest == digest_secret(token)) & (table.c.expires > time.time())
    row = connection.execute(select(table).where(mine)).one_or_none()
    return None if row is None else ResetLink(row.person, row.request, row.project, row.by)


def person_to_reset(connection: Connection, token: str) -> Person | None:
    """Whose password a link is for, unless it is unknown, used or too old."""
    link = find_reset(connection, token)
    return None if link is None else accounts.find(connection, link.person)
