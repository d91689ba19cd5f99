"""Links that managers hand out: open invitations, and links to choose a new password."""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

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


def open_invitations(connection: Connection, project: int) -> list[OpenInvitation]:
    """The invitations to a project that nobody has used and that are not too old."""
    table = tables.invitation
    rows = connection.execute(
        select(table)
        .where(table.c.project == project, table.c.used_by.is_(None), table.c.expires > time.time())
        .order_by(table.c.expires, table.c.digest)
    )
    return [OpenInvitation(row.digest, row.label, row.manager, row.expires) for row in rows]


def withdraw(connection: Connection, project: int, name: str) -> None:
    """Make an invitation to this project let nobody in any more."""
    table = tables.invitation
    connection.execute(
        delete(table).where(
            table.c.project == project, table.c.digest == name, table.c.used_by.is_(None)
        )
    )


def keep_reset(connection: Connection, person: int, name: str, *, days: float = RESET_DAYS) -> None:
    """Let a link, known here by its digest, choose a new password; older ones no longer do."""
    table = tables.reset
    connection.execute(delete(table).where(table.c.person == person))
    expires = time.time() + days * 86400
    connection.execute(insert(table).values(digest=name, person=person, expires=expires))


def person_to_reset(connection: Connection, token: str) -> Person | None:
    """Whose password a link may change, unless it is unknown, used or too old."""
    table = tables.reset
    person = connection.execute(
        select(table.c.person).where(
            table.c.digest == digest_secret(token), table.c.expires > time.time()
        )
    ).scalar()
    return None if person is None else accounts.find(connection, person)
