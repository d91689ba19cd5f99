"""The web process is killed under four judges: no acknowledged mark is lost."""

import json
import threading
import time
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import select

from chronoscore.workbench.store import replay, tables
from workbench.judges import Judge, judged_topic
from workbench.office import ON_BOTH, Office
from workbench.running import PATIENCE, Server

KILLS = 3
"""On each of the two databases."""
JUDGES = 4
MARKS_BETWEEN_KILLS = 12


@pytest.mark.slow
@ON_BOTH
def test_no_acknowledged_mark_is_lost_when_the_process_is_killed(
    office: Office, tmp_path: Path
) -> None:
    people = [office.person(f"Judge {n} {token_hex(4)}") for n in range(JUDGES)]
    topic, sentences = judged_topic(office, people)
    url = office.database.engine.url
    where = url.database if office.database.is_sqlite else url.render_as_string(hide_password=False)
    server = Server(where, tmp_path / "server.log").start()
    judges = [Judge(server, person, topic, sentences) for person in people]
    for judge in judges:
        judge.start()
    try:
        for _ in range(KILLS):
            done = sum(len(judge.acknowledged) for judge in judges)
            for _ in range(PATIENCE * 100):
                if sum(len(j.acknowledged) for j in judges) >= done + MARKS_BETWEEN_KILLS:
                    break
                time.sleep(0.01)
            server.kill()
            server.start()
    finally:
        for judge in judges:
            judge.stopped.set()
        for judge in judges:
            judge.join(PATIENCE)
        server.stop()
    with office.database.read() as connection:
        kept = {
            (row.person, row.key): json.loads(row.data)["changes"][0]
            for row in connection.execute(select(tables.log).where(tables.log.c.action == "mark"))
        }
    acknowledged = 0
    for judge in judges:
        assert judge.wrong == []
        for key, (sentence, version, off) in judge.acknowledged.items():
            change = kept[judge.person.id, key]
            assert (change["sentence"], change["version"], change["off"]) == (
                sentence, version, off,
            )  # fmt: skip
            acknowledged += 1
    assert acknowledged >= KILLS * MARKS_BETWEEN_KILLS
    assert replay.verify(office.database).equal


@pytest.mark.slow
@ON_BOTH
def test_eight_tabs_that_save_at_once_give_one_success(office: Office, tmp_path: Path) -> None:
    (person,) = (office.person(f"Judge {token_hex(4)}"),)
    topic, sentences = judged_topic(office, [person])
    url = office.database.engine.url
    where = url.database if office.database.is_sqlite else url.render_as_string(hide_password=False)
    server = Server(where, tmp_path / "server.log").start()
    tabs = [Judge(server, person, topic, sentences) for _ in range(8)]
    together = threading.Barrier(8)

    def save(tab: Judge) -> None:
        together.wait()
        tab.send(token_hex(8), sentences[0], 0, True)

    threads = [threading.Thread(target=save, args=(tab,)) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.stop()
    conflicts = [answer for tab in tabs for answer in tab.wrong]
    assert len(conflicts) == 7
    assert all(answer["conflict"][sentences[0]]["version"] == 1 for answer in conflicts)
