"""Whether the database can be read, and the log written."""

import time

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.presence import ReplacedError


def find_problem(database: Database) -> str:
    """What is wrong with the database, or nothing.

    A log entry is written and taken back, and a row elsewhere is really kept, so that a full
    disk, a file that may only be read, and a lost server are all noticed.
    """
    log, secret = tables.log, tables.secret
    try:
        with database.read() as connection:
            connection.execute(select(func.max(log.c.seq))).scalar()
    except (SQLAlchemyError, OSError):
        return "the database cannot be read"
    try:
        with database.write() as connection:
            entry = {"time": 0.0, "step": "", "action": "health", "data": "{}", "key": "health"}
            trial = connection.begin_nested()
            connection.execute(insert(log).values(entry))
            trial.rollback()
            connection.execute(delete(secret).where(secret.c.name == "health"))
            connection.execute(insert(secret).values(name="health", value=f"{time.time():.0f}"))
    except ReplacedError as error:
        return str(error)
    except (SQLAlchemyError, OSError):
        return "the log cannot be written"
    return ""
