"""Accounts, tokens and invitations older than their entries get one each: the log tells of all.

Open links to choose a password are not in older logs and end here; managers make them again.
"""

from uuid import uuid4

from alembic import op
from sqlalchemy import Connection, insert, select

from chronoscore.workbench.store import log, tables

revision = "0008"
down_revision = "0007"
LINK_SECONDS = 7 * 24 * 60 * 60
"""How long invitations were good for when none of them was in the log."""


def upgrade() -> None:
    """Write the entries that are missing."""
    connection = op.get_bind()
    person, token = tables.person.c, tables.token.c
    known = {entry.data["id"] for entry in log.read(connection, actions=["account.create"])}
    for row in connection.execute(select(person.id, person.name, person.founder, person.created)):
        if row.id not in known:
            data = {"id": row.id, "name": row.name, "founder": row.founder}
            _write(connection, "account.create", data, time=row.created)
    known = {entry.data["digest"] for entry in log.read(connection, actions=["token.create"])}
    for row in connection.execute(select(*token)):
        if row.digest not in known:
            data = {"digest": row.digest, "kind": row.kind, "label": row.label}
            _write(connection, "token.create", data, time=row.created, person=row.person)
    link = tables.invitation.c
    for row in connection.execute(select(*link).where(link.project.is_not(None))):
        names = ("digest", "label", "manager", "expires", "used_by")
        data = {name: getattr(row, name) for name in names}
        where = {"project": row.project, "person": row.by}
        _write(connection, "member.invite", data, time=row.expires - LINK_SECONDS, **where)
    connection.execute(tables.reset.delete())


def _write(
    connection: Connection, action: str, data: log.Data, *, time: float, **where: int | None
) -> None:
    """An entry whose effect is there already."""
    row = {"time": time, "step": "", "action": action, "key": uuid4().hex, **where}
    connection.execute(insert(tables.log).values(data=log.to_json(data), **row))
