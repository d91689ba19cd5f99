"""People, their passwords, and the links by which they are let in."""

import hashlib
import json
import os
import re
import secrets
import sys
import threading
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
from sqlalchemy import Connection, delete, insert, select, update

from chronoscore.errors import UsageError
from chronoscore.workbench.domain import catalog
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 1000
STRENGTH = (
    f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; "
    "a short sentence is easy to keep in mind"
)
LONGEST_NAME = 60
IMPORTED = " (imported)"
"""The ending of names of people whose work was imported; no other name may end so."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE")


def _yield_to_others() -> None:
    """Let everything else on the machine go first; Linux keeps a priority for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)


_HASHING = ThreadPoolExecutor(1, "hashing", initializer=_yield_to_others)
"""A hash takes 64 MB and four threads on purpose; many at once would let a stranger fill the
memory and keep those who are signed in waiting."""


@dataclass(frozen=True)
class Person:
    """A person with an account."""

    id: int
    name: str
    founder: bool = False
    theme: str = "auto"
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Invitation:
    """What a link that was opened in time and for the first time allows."""

    digest: str
    project: int | None
    manager: bool
    founder: bool
    label: str


def digest_secret(token: str) -> str:
    """What the database keeps of a secret, so that a stolen copy opens nothing."""
    return hashlib.sha256(token.encode()).hexdigest()


@cache
def password_hasher() -> PasswordHasher:
    """Argon2id with its authors' parameters for interactive use."""
    return PasswordHasher()


def hash_password(password: str) -> str:
    """What the database keeps of a password.

    It takes its time and waits its turn: nobody should hold the database meanwhile.
    """
    check_strength(password)
    return _HASHING.submit(password_hasher().hash, password).result()


@cache
def _decoy_hash() -> str:
    return hash_password(secrets.token_urlsafe())


def create(connection: Connection, name: str, hashed: str | None, *, founder: bool) -> Person:
    """Make an account; one without password cannot sign in (judges of imported work)."""
    clean = _clean(name)
    if not clean or len(clean) > LONGEST_NAME or not clean.isprintable():
        raise UsageError(f"a name has 1 to {LONGEST_NAME} visible characters; choose another")
    if hashed is not None:
        _check_honest(clean)
    if find_by_name(connection, clean) is not None:
        raise UsageError("this name is taken; choose another")
    result = connection.execute(
        insert(tables.person).values(
            name=clean, password=hashed, founder=founder, keys="{}", theme="auto",
            created=time.time(),
        )
    )  # fmt: skip
    key = result.inserted_primary_key
    assert key is not None
    person = Person(int(key[0]), clean, founder)
    data = {"id": person.id, "name": clean, "founder": founder}
    by = None if hashed is None else person.id
    log.append(connection, LogEntry(action=catalog.ACCOUNT_CREATE.name, data=data, person=by))
    return person


def canonical_name(name: str) -> str:
    """The same for all spellings of a name that people would take for one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _clean(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _check_honest(name: str) -> None:
    """Refuse a name that could pass for another person's."""
    if name.casefold().endswith(IMPORTED):
        raise UsageError(f"names that end in '{IMPORTED.strip()}' are kept for imported work")
    if _INVISIBLE.search(unicodedata.normalize("NFKC", name)) or _INVISIBLE.search(name):
        raise UsageError("the name holds an invisible character; choose another")
    for word in name.split():
        first = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        if len(first & set(_ALPHABETS)) > 1:
            raise UsageError(f"'{word}' mixes two alphabets; write it in one")


def check_strength(password: str) -> None:
    """Refuse a password that is too short to help or too long to be meant."""
    if not is_strong(password):
        raise UsageError(STRENGTH)


def is_strong(password: str) -> bool:
    """Whether a password is neither too short to help nor too long to be meant."""
    return SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD


def find_by_name(connection: Connection, name: str) -> int | None:
    """The account of this name, whatever its letter case."""
    return _find(connection, name)[0]


def _find(connection: Connection, name: str) -> tuple[int | None, str | None]:
    # Compared here: SQLite's lower() knows only the letters of English.
    table, wanted, exact = tables.person, canonical_name(name), _clean(name)
    rows = connection.execute(select(table.c.id, table.c.name, table.c.password)).all()
    same = [row for row in rows if canonical_name(row.name) == wanted]
    if not same:
        return None, None
    row = max(same, key=lambda row: row.name == exact)
    return int(row.id), row.password


def find(connection: Connection, number: int) -> Person | None:
    """The person with this number."""
    table = tables.person
    row = connection.execute(select(table).where(table.c.id == number)).one_or_none()
    return None if row is None else read_person(row)


def read_person(row: Any) -> Person:
    """The person in a row of the table."""
    return Person(row.id, row.name, row.founder, row.theme, json.loads(row.keys))


def has_password(connection: Connection, number: int) -> bool:
    """Whether a person can sign in; judges of imported work cannot."""
    table = tables.person
    query = select(table.c.id).where(table.c.id == number, table.c.password.is_not(None))
    return connection.execute(query).scalar() is not None


def names(connection: Connection, numbers: set[int]) -> dict[int, str]:
    """The names of these people."""
    table = tables.person
    query = select(table.c.id, table.c.name).where(table.c.id.in_(numbers))
    return {row.id: row.name for row in connection.execute(query)}


def check_password(connection: Connection, name: str, password: str) -> int | None:
    """The person who gave the right password.

    An unknown name costs the same hashing as a known one, so time does not tell them apart.
    """
    number, known = _find(connection, name)
    decoy = _decoy_hash()
    try:
        given = password[:LONGEST_PASSWORD]
        _HASHING.submit(password_hasher().verify, known or decoy, given).result()
    except (VerifyMismatchError, VerificationError, InvalidHashError):
        return None
    return number


def change_password(connection: Connection, number: int, hashed: str) -> None:
    """A new password; the projection of its entry ends what depends on the old one."""
    table = tables.person
    connection.execute(update(table).where(table.c.id == number).values(password=hashed))
    log.append(connection, LogEntry(action=catalog.ACCOUNT_PASSWORD.name, data={}, person=number))


def make_invitation(connection: Connection, *, days: float, founder: bool, label: str = "") -> str:
    """Make a link of the server that lets one person in, once, and only for some days.

    A new link for the founder voids the older ones, which each start of the workbench prints.
    Links of managers let people into a project, and are entries of the log (`links`).
    """
    token = secrets.token_urlsafe(32)
    table = tables.invitation
    if founder:
        connection.execute(delete(table).where(table.c.founder, table.c.used_by.is_(None)))
    connection.execute(
        insert(table).values(
            digest=digest_secret(token), project=None, manager=False, founder=founder, label=label,
            expires=time.time() + days * 86400, used_by=None, by=None,
        )
    )  # fmt: skip
    return token


def find_invitation(connection: Connection, token: str) -> Invitation | None:
    """What the link allows, unless it is unknown, used or too old.

    A link for the founder allows nothing once there is one.
    """
    table = tables.invitation
    row = connection.execute(
        select(table).where(
            table.c.digest == digest_secret(token),
            table.c.used_by.is_(None),
            table.c.expires > time.time(),
        )
    ).one_or_none()
    if row is None or (row.founder and not needs_founder(connection)):
        return None
    return Invitation(row.digest, row.project, row.manager, row.founder, row.label)


def use_invitation(connection: Connection, link: Invitation, number: int) -> None:
    """Mark a link of the server as used; it opens nothing any more."""
    table = tables.invitation
    connection.execute(update(table).where(table.c.digest == link.digest).values(used_by=number))


def needs_founder(connection: Connection) -> bool:
    """Whether the workbench still waits for its first manager."""
    table = tables.person
    return connection.execute(select(table.c.id).where(table.c.founder).limit(1)).scalar() is None
