"""The web process is killed under four judges: no acknowledge mark is lost."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import select

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.replay import verify
from workbench.office import Office, Visitor, open_link
from workbench.running import Server, postgres

KILLS = 20
JUDGES = 4
MARKS_BETWEEN_KILLS = 12


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request, tmp_path: Path) -> Iterator[Office]:
    if request.param == "sqlite":
        office = Office(tmp_path / "workbench.sqlite")
        yield office
        office.close()
        return
    with postgres() as url:
        office = Office(url)
        yield office
        office.close()


class Judge(threading.Thread):
    """Marks sentences as fast as answers come, resending what was not acknowledge."""

    def __init__(self, server: Server, person: Visitor, topic: int, sentences: list[str]) -> None:
        super().__init__(daemon=True)
        self.server, self.person, self.topic = server, person, topic
        self.sentences = sentences
        self.acknowledge: dict[str, tuple[str, int, bool]] = {}
        self.wrong: list[object] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.stopped.is_set():
            sentence = self.sentences[number % len(self.sentences)]
            base = number // len(self.sentences)
            off = (number + base) % 2 == 0
            key = token_hex(8)
            while not self.send(key, sentence, base, off):
                if self.stopped.is_set():
                    return
                time.sleep(0.02)
            number += 1

    def send(self, key: str, sentence: str, base: int, off: bool) -> bool:
        change = {"sentence": sentence, "base": base, "off": off, "joined": False,
                  "links": [] if off else [["E1", ""]]}  # fmt: skip
        entry = {"key": key, "action": "mark", "body": {"changes": [change]}}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            connection.request(
                "POST", f"/t/{self.topic}/log", json.dumps({"entries": [entry]}),
                {"Content-Type": "application/json", "X-Form-Proof": self.person.proof,
                 "Cookie": f"chronoscore={self.person.token}"},
            )  # fmt: skip
            response = connection.getresponse()
            answer = json.loads(response.read())["answers"][0]
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return False
        finally:
            connection.close()
        if "entry" not in answer:
            self.wrong.append(answer)
        self.acknowledge[key] = (sentence, base + 1, off)
        return True


def judged_topic(office: Office, judges: list[Visitor]) -> tuple[int, list[str]]:
    manager = office.person(f"Mara {token_hex(4)}", founder=True)
    project = office.project(manager, "stream", *judges)
    text = json.dumps({"id": "a1", "sentences": [f"Sentence {n}." for n in range(40)]})
    topic = office.topic(manager, project, upload=("a.jsonl", text.encode(), "application/jsonl"))
    office.assign(manager, topic, judge=judges)
    open_link(office, project, topic)
    return topic, [f"a1-s{n:02d}" for n in range(1, 41)]


def test_no_acknowledged_mark_is_lost_when_the_process_is_killed(
    house: Office, tmp_path: Path
) -> None:
    people = [house.person(f"Judge {n} {token_hex(4)}") for n in range(JUDGES)]
    topic, sentences = judged_topic(house, people)
    url = house.database.engine.url
    where = url.database if house.database.is_sqlite else url.render_as_string(hide_password=False)
    server = Server(where, tmp_path / "server.log").start()
    judges = [Judge(server, person, topic, sentences) for person in people]
    for judge in judges:
        judge.start()
    try:
        for _ in range(KILLS):
            done = sum(len(judge.acknowledge) for judge in judges)
            for _ in range(6000):
                if sum(len(j.acknowledge) for j in judges) >= done + MARKS_BETWEEN_KILLS:
                    break
                time.sleep(0.01)
            server.kill()
            server.start()
    finally:
        for judge in judges:
            judge.stopped.set()
        for judge in judges:
            judge.join(30)
        server.stop()
    with house.database.reading() as connection:
        kept = {
            (row.person, row.key): json.loads(row.data)["changes"][0]
            for row in connection.execute(select(tables.log).where(tables.log.c.action == "mark"))
        }
    acknowledge = 0
    for judge in judges:
        assert judge.wrong == []
        for key, (sentence, version, off) in judge.acknowledge.items():
            change = kept[judge.person.id, key]
            assert (change["sentence"], change["version"], change["off"]) == (
                sentence, version, off,
            )  # fmt: skip
            acknowledge += 1
    assert acknowledge >= KILLS * MARKS_BETWEEN_KILLS
    assert verify(house.database).equal


def test_eight_tabs_that_save_at_once_give_one_success(house: Office, tmp_path: Path) -> None:
    (person,) = (house.person(f"Judge {token_hex(4)}"),)
    topic, sentences = judged_topic(house, [person])
    url = house.database.engine.url
    where = url.database if house.database.is_sqlite else url.render_as_string(hide_password=False)
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
