"""Many judges at once, and a topic as large as the paper's whole corpus.

How long it takes is measured by `python -m benchmarks.workbench`, not here.
"""

import json
import threading
from pathlib import Path
from secrets import token_hex

import pytest
from sqlalchemy import func, select

from chronoscore.workbench.store import replay, tables
from workbench.judges import Judge, judged_topic
from workbench.office import Office, open_link
from workbench.running import Hands, Served, Server

JUDGES, MARKS = 30, 8
STORIES, PER_STORY = 944, 18


@pytest.mark.slow
def test_thirty_judges_at_once_meet_no_error(office: Office, tmp_path: Path) -> None:
    people = [office.person(f"Judge {number}") for number in range(JUDGES)]
    topic, sentences = judged_topic(office, people)
    server = Server(office.database.engine.url.database, tmp_path / "server.log").start()
    judges = [Judge(server, person, topic, sentences) for person in people]
    failed: list[str] = []

    def work(judge: Judge) -> None:
        for sentence in sentences[:MARKS]:
            if not judge.send(token_hex(8), sentence, 0, True):
                failed.append(sentence)

    threads = [threading.Thread(target=work, args=(judge,)) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.stop()
    assert failed == []
    assert [answer for judge in judges for answer in judge.wrong] == []
    with office.database.read() as connection:
        count = connection.execute(select(func.count()).select_from(tables.mark)).scalar()
    assert count == JUDGES * MARKS
    assert replay.verify(office.database).equal


def test_of_17_000_sentences_only_the_visible_ones_are_in_the_page(
    office: Office, server: Served, visit
) -> None:
    manager = office.person("Mara", founder=True)
    project = office.project(manager, "stream")
    rows = [
        json.dumps({"id": f"s{n:04d}", "title": f"Story {n}", "time": f"2031-01-{1 + n % 28:02d}",
                    "sentences": [f"Story {n} tells thing {k} here." for k in range(PER_STORY)]})
        for n in range(STORIES)
    ]  # fmt: skip
    upload = ("large.jsonl", "\n".join(rows).encode(), "application/jsonl")
    topic = office.topic(manager, project, upload=upload)
    office.assign(manager, topic, judge=manager)
    open_link(office, project, topic)
    page = visit(manager)
    page.goto(f"{server.url}/t/{topic}/link")
    hands = Hands(page).ready()
    assert page.text_content("#total") == str(STORIES * PER_STORY)
    assert page.locator(".s").count() < 200
    hands.press("1", "j", "o").saved()
    # From the first to the last: back from the first undecided wraps nowhere, the rail leads on.
    page.locator("#rail button").last.focus()
    hands.press("Enter")
    assert page.text_content("#cur") == f"{STORIES}.1"
    assert page.locator(".s").count() < 200
    hands.press(*["j"] * (PER_STORY + 3)).press("1").saved()
    assert page.text_content("#cur") == f"{STORIES}.{PER_STORY}"
    selected = page.locator(".s[aria-selected=true]")
    assert selected.count() == 1
    box = selected.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 800
    hands.press("n")
    assert page.text_content("#cur") == "1.3"
    assert page.text_content("#done") == "3"
