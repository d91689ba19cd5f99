"""Accounts and tokens older than their entries get one each, so that the log tells of all.

Open links to choose a password are not in older logs and end here; managers make them again.
"""

from uuid import uuid4

from alembic import op
from sqlalchemy import Connection, insert, select

from chronoscore.workbench.store import log, tables

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Write the entries that are missing."""
    connection = op.get_bind()
    person, token = tables.person.c, tables.token.c
    known = {entry.data["id"] for entry in log.read(connection, actions=["account.create"])}
    for row in connection.execute(select(person.id, person.name, person.founder, person.created)):
        if row.id not in known:
            data = {"id": row.id, "name": row.name, "founder": row.founder}
            _write(connection, "account.create", data, None, row.created)
    known = {entry.data["digest"] for entry in log.read(connection, actions=["token.create"])}
    for row in connection.execute(select(*token)):
        if row.digest not in known:
            data = {"digest": row.digest, "kind": row.kind, "label": row.label}
            _write(connection, "token.create", data, row.person, row.created)
    connection.execute(tables.reset.delete())


def _write(
    connection: Connection, action: str, data: log.Data, person: int | None, time: float
) -> None:
    """An entry whose effect is there already."""
    row = {"time": time, "person": person, "step": "", "action": action, "key": uuid4().hex}
    connection.execute(insert(tables.log).values(data=log.to_json(data), **row))
