"""What the command line does without a browser: list, import, export.

Whoever can read the database file sees everything, so nothing is hidden here.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Connection, select

from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.formats.io.files import read_bytes
from chronoscore.workbench.domain.access import ProjectPlace, project_place, topic_place
from chronoscore.workbench.domain.actions.managing import create_project
from chronoscore.workbench.exchange.exports import export
from chronoscore.workbench.exchange.imports import File, TopicDraft
from chronoscore.workbench.exchange.uploads import add_all, read_files
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.settings import MEGABYTE
from chronoscore.workbench.store.source import Library

LARGEST = 2_000 * MEGABYTE


def listed(database: Database) -> Iterator[str]:
    """A line for each project."""
    project, topic = tables.project, tables.topic
    with database.reading() as connection:
        for row in connection.execute(select(project).order_by(project.c.id)).all():
            topics = connection.execute(
                select(topic.c.name, topic.c.step).where(topic.c.project == row.id)
            ).all()
            told = ", ".join(f"{one.name} ({one.step})" for one in topics)
            yield f"{row.id}\t{row.name}\t{row.workflow}\t{told}"


def exported(
    database: Database, project: str, *, finished: bool, texts: bool, anonymous: bool
) -> bytes:
    """A project as a judgements file."""
    with database.reading() as connection:
        place = _manager(connection, _found(connection, project))
        topics = [
            replace(topic_place(connection, place.person, number), roles=frozenset(), worked=False)
            for number in _topics(connection, place)
        ]
        return export(
            connection, place, topics, Library(), finished=finished, texts=texts,
            anonymous=anonymous,
        )  # fmt: skip


def brought_in(
    database: Database, project: str, files: tuple[Path, ...], *, name: str | None, title: str,
    workflow: str,
) -> Iterator[str]:  # fmt: skip
    """Bring files into a project and say what became of them."""
    read = [File(path.name, read_bytes(path)) for one in files for path in _inside(one)]
    with database.writing() as connection:
        try:
            number = _found(connection, project)
        except UsageError:
            if project.isdigit():
                raise
            number = _created(connection, project, workflow)
        place = _manager(connection, number)
        first = name or files[0].name.partition(".")[0]
        found = read_files(place.workflow, first, title, read, largest=LARGEST)
        for topic in add_all(connection, place, found, most="", key=token_hex(8)):
            row = connection.execute(select(tables.topic).where(tables.topic.c.id == topic)).one()
            yield f"topic {row.name} ({row.title}) is in project {number}"
        for one in found:
            if isinstance(one, TopicDraft) and one.remark:
                yield one.remark


def _inside(path: Path) -> list[Path]:
    """A file, or the files of a folder; links are not followed out of it."""
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.iterdir() if one.is_file() and not one.is_symlink())
    if not found:
        raise DataError(f"{path}: holds no file; give a folder of stories")
    return found


def _found(connection: Connection, name: str) -> int:
    project = tables.project
    rows = connection.execute(select(project.c.id, project.c.name)).all()
    matching = [row.id for row in rows if row.name == name or str(row.id) == name]
    if len(matching) == 1:
        return int(matching[0])
    if matching:
        raise UsageError(f"{len(matching)} projects are called '{name}'; give the number")
    raise UsageError(f"no project '{name}'; {did_you_mean(name, [row.name for row in rows])}")


def _created(connection: Connection, name: str, workflow: str) -> int:
    person = tables.person
    founder = connection.execute(
        select(person.c.id).where(person.c.founder).order_by(person.c.id).limit(1)
    ).scalar()
    if founder is None:
        raise UsageError("there is no manager yet; start the workbench and make the account first")
    return create_project(connection, founder, name, workflow)


def _manager(connection: Connection, number: int) -> ProjectPlace:
    member = tables.member
    person = connection.execute(
        select(member.c.person).where(member.c.project == number, member.c.manager).limit(1)
    ).scalar()
    if person is None:
        raise UsageError(f"project {number} has no manager; name one in the workbench")
    return project_place(connection, person, number)


def _topics(connection: Connection, place: ProjectPlace) -> list[int]:
    topic = tables.topic
    query = select(topic.c.id).where(topic.c.project == place.id).order_by(topic.c.id)
    return list(connection.execute(query).scalars())
