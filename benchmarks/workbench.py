"""The workbench under load and in the browser: `python -m benchmarks.workbench`.

A hundred judges make a mark a second each for a minute on SQLite, then two and three; one
marks while forty strangers try passwords; a verifier judges in a topic of 20,000 sentences;
topics of 17,000 and 50,000 sentences are opened in Chromium, and the time from a key to its mark
on the screen is taken there. CHRONOSCORE_LOAD_SECONDS shortens the first part; with an address in
CHRONOSCORE_LOAD_POSTGRESQL it is also done on that (new) database.
"""

import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from sqlalchemy import select

from benchmarks import load
from chronoscore.workbench.domain import accounts, sessions
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.store.workflow import DEFAULTS

JUDGES = 100
SECONDS = float(os.environ.get("CHRONOSCORE_LOAD_SECONDS", "60"))
PACES = (1, 2, 3)
"""Marks a second of each judge."""
POSTGRESQL = os.environ.get("CHRONOSCORE_LOAD_POSTGRESQL", "")
STRANGERS = 40
STORIES = 944
EVENTS = 15
KEYSTROKES = 300
SYLLABLES = [
    "ba",
    "do",
    "fer",
    "gan",
    "hol",
    "ist",
    "kel",
    "mor",
    "nes",
    "pra",
    "rit",
    "sol",
    "tun",
    "ver",
    "wick",
    "yar",
]
WORDS = ["".join(one) for size in (2, 3) for one in product(SYLLABLES, repeat=size)]
# Some words are in every second sentence and most in very few, as in real text.
COMMONNESS = [1 / rank for rank in range(1, len(WORDS) + 1)]

# From the key to the next frame on the screen, as the browser itself times events; it reports
# those of 16 ms and more, rounded to 8 ms, so that a key without report took less.
PROBE = """
() => {
  window.pressed = 0;
  window.taken = [];
  document.querySelector('#stream').addEventListener('keydown', () => { window.pressed += 1; });
  new PerformanceObserver((list) => {
    const keys = list.getEntries().filter((entry) => entry.name === 'keydown');
    window.taken.push(...keys.map((entry) => entry.duration));
  }).observe({ type: 'event', durationThreshold: 16 });
}
"""


def main() -> str:
    """Measure and give Markdown."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return "\n".join(
            [
                "## workbench: a hundred judges, and 50,000 sentences in a browser",
                "",
                "| what | measured | asked for |",
                "|---|---:|---:|",
                *under_load(folder),
                *beside_strangers(folder),
                *verifying(folder),
                *in_the_browser(folder),
                "",
            ]
        )


def under_load(folder: Path) -> list[str]:
    """Judges who mark a sentence a second, and then faster."""
    rows = []
    for pace in PACES:
        seconds = SECONDS if pace == 1 else min(SECONDS, 15.0)
        rows += judged_together(folder / f"load{pace}.sqlite", "SQLite", pace, seconds)
    if POSTGRESQL:
        for pace in PACES:
            rows += judged_together(POSTGRESQL, "PostgreSQL", pace, min(SECONDS, 15.0))
    return rows


def judged_together(where: Path | str, name: str, pace: int, seconds: float) -> list[str]:
    """What judges waited, and what it took the server."""
    database = Database.open(where)
    topic, people = judged_topic(database, JUDGES, stories=20)
    with served(where) as server:
        answers = load.judge_together(
            server.port, server.process, topic, people, seconds=seconds, pace=pace
        )
    database.close()
    count, asked = len(answers.taken), name == "SQLite" and pace == 1
    waited = f"{load.median(answers):.0f} / {answers.percentile(95):.0f} ms"
    what = f"{name}, {JUDGES} judges, {JUDGES * pace} marks a second for {seconds:g} s"
    return [
        row(f"{what}: errors", f"{answers.errors} of {count:,}", "0" if asked else ""),
        row("p50 / p95", waited, "– / 250 ms" if asked else ""),
        row("slowest", f"{max(answers.taken):.0f} ms", ""),
        row("the server's processor time for a mark, and of one core",
            f"{1000 * answers.processor / count:.1f} ms, "
            f"{100 * answers.processor / answers.seconds:.0f} %", ""),
    ]  # fmt: skip


def beside_strangers(folder: Path) -> list[str]:
    """A judge who marks while nobody, and then forty strangers at once, try to sign in."""
    database = Database.open(folder / "door.sqlite")
    topic, people = judged_topic(database, 1, stories=20)
    with served(folder / "door.sqlite") as server:

        def mark(first: int, strangers: int, least: int) -> load.Answers:
            return load.mark_beside(
                server.port, topic, people[0], first=first, strangers=strangers, least=least
            )

        mark(0, 0, 20)
        quiet = mark(21, 0, 100)
        flooded = mark(122, STRANGERS, 0)
    database.close()
    alone, beside = quiet.percentile(95), flooded.percentile(95)
    return [
        row("a mark of one judge, p95", f"{alone:.1f} ms", ""),
        row(f"while {STRANGERS} strangers try passwords at once ({len(flooded.taken)} marks)",
            f"{beside:.1f} ms", f"{2 * alone:.1f} ms"),
    ]  # fmt: skip


def verifying(folder: Path) -> list[str]:
    """Verdicts in a topic of 20,000 sentences that two judges have linked."""
    database = Database.open(folder / "verify.sqlite")
    topic, people = judged_topic(database, 3, stories=1112)
    with database.write() as connection:
        table = tables.assignment
        query = select(table.c.person).where(table.c.topic == topic).order_by(table.c.person)
        *judges, eve = connection.execute(query).scalars()
        names = [
            f"s{story:04d}-s{n:02d}" for story in range(1112) for n in range(1, load.PER_STORY + 1)
        ]
        marks = [
            {"sentence": name, "off": False, "links": [[f"E{at % EVENTS + 1}", ""]],
             "joined": False, "version": 1}
            for at, name in enumerate(names)
        ]  # fmt: skip
        entries = [("mark", {"changes": marks, "before": {}}, judge) for judge in judges]
        entries += [
            ("topic.unassign", {"person": eve, "role": "judge"}, None),
            ("topic.assign", {"person": eve, "role": "verifier"}, None),
            ("step.open", {"step": "verify"}, None),
        ]
        for action, data, person in entries:
            log.append(connection, LogEntry(action=action, data=data, person=person, topic=topic))
    changes = [
        {"event": "E1", "item": name, "kept": True, "base": 0}
        for name in names[: 20 * EVENTS : EVENTS]
    ]
    with served(folder / "verify.sqlite") as server:
        answers = load.send_one_by_one(
            server.port,
            [load.entry(topic, people[2], "verdict", {"changes": [one]}) for one in changes],
        )
    assert not answers.errors
    database.close()
    return [
        row("a verdict at 20,000 sentences, median", f"{load.median(answers):.0f} ms", "30 ms"),
        row("the first one", f"{answers.taken[0]:.0f} ms", ""),
    ]


def in_the_browser(folder: Path) -> list[str]:
    """Open a large topic and press keys."""
    program = shutil.which("chromium")
    if program is None:
        return [row("browser", "no chromium here", "")]
    from playwright.sync_api import sync_playwright

    database = Database.open(folder / "large.sqlite")
    topic, people = judged_topic(database, 1, stories=STORIES)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with served(folder / "large.sqlite") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        url = f"http://127.0.0.1:{server.port}"
        context.add_cookies([{"name": load.COOKIE, "value": people[0][0], "url": url}])
        opening = []
        for _ in range(7):
            page = context.new_page()
            page.goto(f"{url}/t/{topic}/link")
            page.wait_for_selector("#stream[data-ready]")
            opening.append(page.evaluate("performance.mark('ready').startTime"))
            if len(opening) < 7:
                page.close()
        page.wait_for_selector("#stream[data-hints]")
        page.evaluate(PROBE)
        paced, rushed = pressed(page, pause=125), pressed(page, pause=0)
        nodes = page.evaluate("document.querySelectorAll('.s').length")
        browser.close()
    database.close()
    largest = opened(folder, program, flags)
    return [
        row("50,000 sentences × 300 events: opens, median", f"{largest / 1000:.2f} s", "1.5 s"),
        row(f"{STORIES * load.PER_STORY:,} sentences: opens, median of 7",
            f"{statistics.median(opening) / 1000:.2f} s", "1.5 s"),
        row("slowest opening (the first)", f"{max(opening) / 1000:.2f} s", ""),
        row("key to mark on the screen at 8 keys a second, p50", ms(paced, 50), ""),
        row("key to mark on the screen at 8 keys a second, p95", ms(paced, 95), "50 ms"),
        row("the same, keys as fast as they can be pressed, p50", ms(rushed, 50), ""),
        row("the same, keys as fast as they can be pressed, p95", ms(rushed, 95), ""),
        row("sentences in the page at once", str(nodes), ""),
    ]  # fmt: skip


def opened(folder: Path, program: str, flags: list[str]) -> float:
    """How many milliseconds the largest topic takes to open."""
    from playwright.sync_api import sync_playwright

    database = Database.open(folder / "largest.sqlite")
    topic, people = judged_topic(database, 1, stories=2778, events=300)
    opening = []
    with served(folder / "largest.sqlite") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        url = f"http://127.0.0.1:{server.port}"
        context.add_cookies([{"name": load.COOKIE, "value": people[0][0], "url": url}])
        for _ in range(5):
            page = context.new_page()
            page.goto(f"{url}/t/{topic}/link")
            page.wait_for_selector("#stream[data-ready]")
            opening.append(page.evaluate("performance.mark('ready').startTime"))
            page.close()
        browser.close()
    database.close()
    return float(statistics.median(opening))


def pressed(page: Any, *, pause: int) -> list[float]:
    """Link, move on, link …: how long each key took to show, in milliseconds."""
    page.evaluate("() => { window.pressed = 0; window.taken = []; }")
    chosen = random.Random(1)
    for _ in range(KEYSTROKES // 2):
        for key in (chosen.choice("123456789qwo"), "j"):
            page.keyboard.press(key)
            if pause:
                page.wait_for_timeout(pause)
    page.wait_for_timeout(300)
    slow, count = page.evaluate("[window.taken, window.pressed]")
    return [*slow, *[16.0] * (count - len(slow))]


def ms(values: Sequence[float], share: int) -> str:
    """A percentile in milliseconds."""
    return f"{load.percentile(values, share):.0f} ms"


def judged_topic(
    database: Database, judges: int, *, stories: int, events: int = EVENTS
) -> tuple[int, list[tuple[str, str]]]:
    """A topic in its link step; its judges' session and proof."""
    chosen = random.Random(7)
    texts = [story(chosen, number) for number in range(stories)]
    people, batch = [], token_hex(4)
    with database.write() as connection:
        secret = sessions.server_secret(connection)
        manager = accounts.create(connection, f"Manager {batch}", None, founder=True).id
        data = {"name": "Large", "workflow": "stream", "settings": DEFAULTS["stream"]}
        project = log.append(
            connection, LogEntry(action="project.create", data=data, person=manager)
        ).seq
        whole = {"name": "large", "title": "A large topic", "stories": texts, "anchors": []}
        entry = LogEntry(action="topic.create", data=whole, person=manager, project=project)
        topic = log.append(connection, entry).seq

        def record(action: str, data: dict[str, object]) -> None:
            log.append(connection, LogEntry(action=action, data=data, project=project, topic=topic))

        for number in range(1, events + 1):
            text = f"Event {number}: " + " ".join(chosen.sample(WORDS, 5))
            record("event.add", {"id": f"E{number}", "n": number, "text": text, "candidates": []})
        for number in range(judges):
            person = accounts.create(connection, f"Judge {number} {batch}", None, founder=False).id
            record("member.add", {"person": person, "manager": False})
            record("topic.assign", {"person": person, "role": "judge"})
            token = sessions.start(connection, person)
            people.append((token, sessions.form_proof(secret, token)))
        record("step.open", {"step": "link"})
    return topic, people


def story(chosen: random.Random, number: int) -> dict[str, object]:
    """A story of invented sentences."""
    lines = [
        " ".join(chosen.choices(WORDS, COMMONNESS, k=chosen.randint(8, 24))).capitalize() + "."
        for _ in range(load.PER_STORY)
    ]
    spans, at = [], 0
    for n, line in enumerate(lines, 1):
        spans.append((f"s{number:04d}-s{n:02d}", at, at + len(line)))
        at += len(line) + 1
    return {
        "id": f"s{number:04d}",
        "time": f"2031-{1 + number // 240:02d}-{1 + number % 28:02d}T08:00:00",
        "title": " ".join(chosen.sample(WORDS, 4)).capitalize(), "publisher": "Wire",
        "text": "\n".join(lines), "sentences": spans,
    }  # fmt: skip


class Server(NamedTuple):
    """A running workbench."""

    port: int
    process: int


@contextmanager
def served(database: Path | str) -> Iterator[Server]:
    """The workbench in a process of its own."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    command = "from chronoscore.cli import main; main()"
    words = ["workbench", "--database", str(database), "--port", str(port)]
    # The cookies are named as if it were the usual port.
    words += ["--public-url", Settings.public_url]
    process = subprocess.Popen([sys.executable, "-c", command, *words], stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/static/app.css").close()
                break
            except OSError:
                time.sleep(0.05)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def row(what: str, measured: str, asked: str) -> str:
    """A line of the table."""
    return f"| {what} | {measured} | {asked} |"


if __name__ == "__main__":
    print(main())
