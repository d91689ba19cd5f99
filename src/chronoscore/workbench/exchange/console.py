"""What the command line does without a browser: list, import, export, reset a password.

A person who can read the database file sees everything, so nothing is hidden here.
"""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select
from sqlalchemy.exc import DatabaseError

from chronoscore.errors import ChronoscoreError, DataError, UsageError, did_you_mean, warn
from chronoscore.formats.io.files import read_bytes, write_text
from chronoscore.formats.io.layout import bare_name
from chronoscore.workbench.domain import access, accounts, catalog, recovery, sessions
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions import projects
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import exports, uploads
from chronoscore.workbench.exchange.exports import corpus_files
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.store import log, serving, tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.settings import MEGABYTE
from chronoscore.workbench.store.source import Library

LARGEST = 2_000 * MEGABYTE


def list_projects(database: Database) -> Iterator[str]:
    """A line for each project."""
    project, topic = tables.project, tables.topic
    with database.read() as connection:
        for row in connection.execute(select(project).order_by(project.c.id)).all():
            query = select(topic.c.name, topic.c.step).where(topic.c.project == row.id)
            topics = ", ".join(f"{one.name} ({one.step})" for one in connection.execute(query))
            yield f"{row.id}\t{row.name}\t{row.workflow}\t{topics}"


def reset_password(database: Database, name: str, public_url: str | None) -> Iterator[str]:
    """A link by which any person with an account chooses a new password."""
    token = secrets.token_urlsafe(32)
    with database.write() as connection:
        number = accounts.find_by_name(connection, name)
        if number is None:
            names = connection.execute(select(tables.person.c.name)).scalars().all()
            raise UsageError(f"nobody is called '{name}'; {did_you_mean(name, names)}")
        if not accounts.has_password(connection, number):
            raise UsageError(f"'{name}' has no password: their work was imported")
        recovery.make_server_link(connection, number, accounts.digest_secret(token))
        address = public_url or sessions.known_address(connection)
    yield "Open this link once, within a day, to choose a new password:"
    yield f"  {address.rstrip('/')}/reset/{token}"


def export_project(
    database: Database, name: str, *, finished: bool, texts: bool, anonymous: bool
) -> bytes:
    """A project as a judgements file."""
    with database.read() as connection:
        project = _managed_project(connection, _find_project(connection, name))
        body = exports.judgements_file(
            connection, project, _every_topic(connection, project), Library(), finished=finished,
            texts=texts, anonymous=anonymous,
        )  # fmt: skip
    _keep_export(database, project, "judgements")
    return body


def export_corpus(
    database: Database, name: str, folder: Path, *, finished: bool, anonymous: bool
) -> Iterator[str]:
    """Write a project as a corpus: a folder for each topic, with its articles."""
    with database.read() as connection:
        project = _managed_project(connection, _find_project(connection, name))
        files = corpus_files(
            connection, project, _every_topic(connection, project), Library(), finished=finished,
            anonymous=anonymous,
        )  # fmt: skip
    taken = [path for path in files if (folder / path).exists()]
    if taken:
        raise UsageError(f"{folder / taken[0]} is there already; choose a new folder")
    _keep_export(database, project, "corpus")
    for path, body in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_text(folder / path, body.decode())
        yield str(folder / path)


def _keep_export(source: Database, project: ProjectAccess, kind: str) -> None:
    """Put an export into the project's history, before anything leaves the workbench.

    The database was opened to be read; a backup on a read-only disk has no history to add to.
    """
    topics = sorted({topic for topic, _ in project.witnessed})
    data = {"kind": f"{kind}, on the server", "topics": topics}
    entry = LogEntry(action=catalog.PROJECT_EXPORT.name, data=data, project=project.id)
    where = source.engine.url.render_as_string(hide_password=False)
    try:
        with serving.open_for_command(where) as target, target.write() as connection:
            log.append(connection, entry)
    except (ChronoscoreError, DatabaseError):
        warn("the database cannot be written, so its history lacks this export", kind="unwritten")


def _every_topic(connection: Connection, project: ProjectAccess) -> list[TopicAccess]:
    """All topics, as a manager sees them who works in none."""
    return [
        replace(topic, roles=frozenset(), worked=False)
        for topic in access.list_topics(connection, project)
    ]


def import_files(
    database: Database, project: str, files: tuple[Path, ...], *, name: str | None, title: str,
    workflow: str,
) -> Iterator[str]:  # fmt: skip
    """Bring files into a project and say what became of them."""
    contents = [File(path.name, read_bytes(path)) for one in files for path in _files_in(one)]
    with database.write() as connection:
        try:
            number = _find_project(connection, project)
        except UsageError:
            if project.isdigit():
                raise
            number = _create_project(connection, project, workflow)
        here = _managed_project(connection, number)
        first = name or bare_name(files[0])
        reading = uploads.UploadReading(here.workflow, first, title, LARGEST)
        drafts = uploads.read(reading, contents)
        for topic in uploads.add_topics(
            connection, here, drafts, most="", key=secrets.token_hex(8)
        ):
            row = connection.execute(select(tables.topic).where(tables.topic.c.id == topic)).one()
            yield f"topic {row.name} ({row.title}) is in project {number}"
        for draft in drafts:
            if isinstance(draft, TopicDraft) and draft.remark:
                yield draft.remark


def _files_in(path: Path) -> list[Path]:
    """A file, or the files of a folder; links are not followed out of it."""
    if not path.is_dir():
        return [path]
    files = sorted(one for one in path.iterdir() if one.is_file() and not one.is_symlink())
    if not files:
        raise DataError("holds no file; give a folder of stories", place=path)
    return files


def _find_project(connection: Connection, name: str) -> int:
    project = tables.project
    rows = connection.execute(select(project.c.id, project.c.name)).all()
    matching = [row.id for row in rows if row.name == name or str(row.id) == name]
    if len(matching) == 1:
        return int(matching[0])
    if matching:
        raise UsageError(f"{len(matching)} projects are called '{name}'; give the number")
    raise UsageError(f"no project '{name}'; {did_you_mean(name, [row.name for row in rows])}")


def _create_project(connection: Connection, name: str, workflow: str) -> int:
    person = tables.person
    founder = connection.execute(
        select(person.c.id).where(person.c.founder).order_by(person.c.id).limit(1)
    ).scalar()
    if founder is None:
        raise UsageError("there is no manager yet; start the workbench and make the account first")
    return projects.create(connection, founder, name, workflow)


def _managed_project(connection: Connection, number: int) -> ProjectAccess:
    member = tables.member
    person = connection.execute(
        select(member.c.person).where(member.c.project == number, member.c.manager).limit(1)
    ).scalar()
    if person is None:
        raise UsageError(f"project {number} has no manager; name one in the workbench")
    return access.find_project(connection, person, number)
