"""What follows from accounts: tokens, new passwords, and who has seen what."""

from sqlalchemy import Connection, delete

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import upsert
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import (
    applies,
    open_invitations,
    put_rows,
    take_rows,
)


@applies("project.export")
@applies("reset.ask")
@applies("reset.done")
def note(_connection: Connection, _entry: LogEntry) -> None:
    """Kept in the log for those who ask what happened; changes no table."""


@applies("account.create", tables.person)
def create_account(connection: Connection, entry: LogEntry) -> None:
    """An account; the row is there already, with its password, unless the log is replayed."""
    row = {name: entry.data[name] for name in ("id", "name", "founder")}
    usual = {"password": None, "keys": "{}", "theme": "auto", "created": entry.time}
    add_row = upsert(connection.dialect.name, tables.person).on_conflict_do_nothing()
    connection.execute(add_row, {**row, **usual})


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


@applies("member.invite", tables.invitation)
def invite(connection: Connection, entry: LogEntry) -> None:
    """A link lets one person into a project."""
    # Older entries do not say which link they made; those that were open have entries of their own.
    if "digest" in entry.data:
        row = {name: entry.data[name] for name in ("digest", "label", "manager", "expires")}
        row |= {"project": entry.project, "by": entry.person, "founder": False}
        row["used_by"] = entry.data.get("used_by")
        put_rows(connection, tables.invitation, [row])


@applies("member.withdraw", tables.invitation)
def withdraw_invitation(connection: Connection, entry: LogEntry) -> None:
    """An open invitation lets nobody in any more."""
    if "digest" in entry.data:
        digest = {"digest": entry.data["digest"]}
        take_rows(connection, tables.invitation, {**open_invitations(entry), **digest})


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


@applies("member.reset", tables.recovery, tables.reset)
def ask_for_reset(connection: Connection, entry: LogEntry) -> None:
    """A manager asks for a member's new password; that is their project's consent."""
    # Older entries were no requests: their links worked at once.
    if "request" in entry.data:
        confirm_reset(connection, entry)
    link = {"request": entry.data.get("request"), "project": entry.project, "by": entry.person}
    _put_link(connection, entry, link)


@applies("account.reset", tables.reset)
def make_server_link(connection: Connection, entry: LogEntry) -> None:
    """A link that was made on the server; each project of the person has an entry about it."""
    _put_link(connection, entry, {"request": None, "project": None, "by": None})


def _put_link(connection: Connection, entry: LogEntry, link: dict[str, object]) -> None:
    """A link chooses a new password; older ones of the same person no longer do."""
    # Older entries do not say which link they made; all of those have ended.
    if "digest" in entry.data:
        row = {name: entry.data[name] for name in ("digest", "person", "expires")}
        take_rows(connection, tables.reset, {"person": row["person"]})
        put_rows(connection, tables.reset, [{**row, **link}])


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
