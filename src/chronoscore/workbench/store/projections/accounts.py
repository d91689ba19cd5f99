"""What follows from accounts: tokens, new passwords, and who has seen what."""

from sqlalchemy import Connection, delete

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import applies, put_rows, take_rows


@applies("account.create")
@applies("account.reset")
@applies("member.invite")
@applies("member.withdraw")
@applies("project.export")
@applies("reset.ask")
@applies("reset.done")
def note(_connection: Connection, _entry: LogEntry) -> None:
    """Kept in the log for those who ask what happened; changes no table."""


@applies("account.password", tables.session, tables.token, tables.reset, tables.invitation)
def change_password(connection: Connection, entry: LogEntry) -> None:
    """All that a thief could hold of an account ends with its password: here, and only here.

    Sessions, tokens, links to choose a password, and open invitations to manage. What was made
    after the password stays when the log is replayed.
    """
    for table in (tables.session, tables.token):
        older = (table.c.person == entry.person) & (table.c.created <= entry.time)
        connection.execute(delete(table).where(older))
    take_rows(connection, tables.reset, {"person": entry.person})
    own = {"by": entry.person, "manager": True, "used_by": None}
    take_rows(connection, tables.invitation, own)


@applies("token.create", tables.token)
def create_token(connection: Connection, entry: LogEntry) -> None:
    """A token that lets a program or a feed reader see what its owner sees."""
    row = {name: entry.data[name] for name in ("digest", "kind", "label")}
    whose = {"person": entry.person, "created": entry.time, "used": None}
    put_rows(connection, tables.token, [{**row, **whose}])


@applies("token.revoke", tables.token)
def revoke_token(connection: Connection, entry: LogEntry) -> None:
    """A token opens nothing any more."""
    take_rows(connection, tables.token, {"digest": entry.data["digest"]})


@applies("member.reset", tables.recovery)
def ask_for_reset(connection: Connection, entry: LogEntry) -> None:
    """A manager asks for a member's new password; that is their project's consent."""
    # Older entries were no requests: their links worked at once.
    if "request" in entry.data:
        confirm_reset(connection, entry)


@applies("reset.confirm", tables.recovery)
def confirm_reset(connection: Connection, entry: LogEntry) -> None:
    """A manager of a project agrees to a member's new password."""
    row = {"request": entry.data["request"], "project": entry.project, "person": entry.person}
    put_rows(connection, tables.recovery, [row])


@applies("reset.refuse", tables.reset)
def refuse_reset(connection: Connection, entry: LogEntry) -> None:
    """A manager, or the person, does not agree: the link opens nothing."""
    take_rows(connection, tables.reset, {"request": entry.data["request"]})


@applies("topic.see", tables.sight, administrative=True)
def see_topic(connection: Connection, entry: LogEntry) -> None:
    """A person has seen what others decided."""
    row = {"topic": entry.topic, "person": entry.person, "role": entry.data["role"]}
    put_rows(connection, tables.sight, [{**row, "time": entry.time}])
