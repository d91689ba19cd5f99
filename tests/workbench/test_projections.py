"""Every action of the catalog is done: its projection, its tables, and how it reads."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Table, create_engine, select
from sqlalchemy.exc import IntegrityError

from chronoscore.workbench.domain import history
from chronoscore.workbench.domain.catalog import CATALOG
from chronoscore.workbench.store import log, replay, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections import BY_NAME
from chronoscore.workbench.store.projections.projects import create as create_project
from chronoscore.workbench.store.projections.rows import Projection
from workbench.office import Office
from workbench.twins import OPEN_WORK, House
from workbench.writes import Written, checked

RETIRED: set[str] = set()
"""Actions that are no longer offered, and that only old logs hold."""
UNDONE = {table for one in CATALOG.values() if one.undo for table in BY_NAME[one.name].tables}
"""Tables whose rows an undo in the log may hold."""


@pytest.mark.slow
def test_every_action_writes_the_tables_that_it_names_and_no_others(
    written: Written, tmp_path: Path
) -> None:
    """A new action fails here until somebody does it (`twins.py`)."""
    written.clear()
    house = House(Office(tmp_path / "workbench.sqlite"), busy=True)
    for action, do in OPEN_WORK.items():
        do(house)
        with house.office.database.read() as connection:
            assert any(log.read(connection, actions=[action])), action
    assert replay.verify(house.office.database).equal
    with house.office.database.read() as connection:
        for entry in log.read(connection):
            # A sentence that names a field which entries do not have fails here.
            assert "{" not in history.describe(entry, history.Vocabulary())
    house.office.close()
    undone = set(CATALOG) - RETIRED - set(written)
    assert not undone, f"do {undone} in twins.py: in House if it is hidden work, or in OPEN_WORK"
    named = {name: {table.name for table in BY_NAME[name].tables} for name in written}
    # What an undo changes depends on what it undoes.
    del written["undo"], named["undo"]
    assert written == named, "@applies names the tables that a projection writes"


def test_what_is_undone_can_be_found_in_the_tables() -> None:
    """Undo compares the rows of a topic, and of `own` actions those of the person."""
    for action in CATALOG.values():
        columns = {"own": {"topic", "person"}, "shared": {"topic"}, None: set()}[action.undo]
        for table in BY_NAME[action.name].tables if action.undo else ():
            assert columns <= set(table.columns.keys()), (action.name, table.name)


@pytest.mark.parametrize("table", sorted(UNDONE, key=str), ids=str)
def test_an_undo_in_a_log_of_the_first_release_is_still_replayed(table: Table) -> None:
    """An undo holds whole rows, with the columns that a table had when it was done."""
    with closing(sqlite3.connect(":memory:")) as old:
        old.executescript((Path(__file__).parent / "tables-0.1.sql").read_text())
        columns = [name for _, name, *_ in old.execute(f"PRAGMA table_info({table.name})")]
    if not columns:
        pytest.skip("the table is newer")
    row = {name: table.c[name].type.python_type() for name in columns}
    new = dict.fromkeys({*table.columns.keys()} - {*columns})
    entry = LogEntry(action="undo", data={"rows": {table.name: {"put": [row], "take": []}}})
    memory = create_engine("sqlite://")
    tables.metadata.create_all(memory)
    with memory.connect() as connection:
        try:
            BY_NAME["undo"].apply(connection, entry)
        except IntegrityError:
            pytest.fail(
                f"older undos say nothing of {[*new]}: name them in `nullable` of the table"
            )
        (found,) = connection.execute(select(table)).mappings()
    memory.dispose()
    assert found == {**row, **new}


def test_a_table_that_is_not_named_is_noticed_in_any_test(
    written: Written, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgetful = Projection(create_project, (tables.project,))
    monkeypatch.setitem(BY_NAME, "project.create", checked("project.create", forgetful, written))
    mara = office.person("Mara", founder=True)
    with pytest.raises(AssertionError, match=r"also writes {'member'}"):
        office.project(mara, "stream")
