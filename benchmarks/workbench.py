"""The workbench under load and in the browser: `python -m benchmarks.workbench`.

A hundred judges make a mark a second each for a minute on SQLite; one marks while forty
strangers try passwords; a verifier judges in a topic of 20,000 sentences; topics of 17,000 and
50,000 sentences are opened in Chromium, and the time from a key to its mark on the screen is
taken there. CHRONOSCORE_LOAD_SECONDS shortens the first part.
"""

import contextlib
import http.client
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import select

from chronoscore.workbench.domain import accounts, sessions
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.database import Database, open_database
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import DEFAULTS

JUDGES = 100
SECONDS = float(os.environ.get("CHRONOSCORE_LOAD_SECONDS", "60"))
STRANGERS = 40
STORIES, PER_STORY = 944, 18
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
                "## workbench: thirty judges, and 17,000 sentences in a browser",
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
    """Judges who mark a sentence a second."""
    database = open_database(folder / "load.sqlite")
    topic, people = judged_topic(database, JUDGES, stories=20)
    with served(folder / "load.sqlite") as port:
        judges = [Judge(port, topic, person, number) for number, person in enumerate(people)]
        for judge in judges:
            judge.start()
        for judge in judges:
            judge.join()
    database.close()
    taken = [one for judge in judges for one in judge.taken]
    errors = sum(judge.errors for judge in judges)
    return [
        row(f"{JUDGES} judges, {SECONDS:g} s: marks acknowledge", f"{len(taken):,}", ""),
        row("errors", str(errors), "0"),
        row("p50", f"{1000 * statistics.median(taken):.0f} ms", ""),
        row("p95", f"{1000 * percentile(taken, 95):.0f} ms", "250 ms"),
        row("slowest", f"{1000 * max(taken):.0f} ms", ""),
    ]


class Judge(threading.Thread):
    """Marks one sentence after another, once a second."""

    def __init__(self, port: int, topic: int, person: tuple[str, str], number: int) -> None:
        super().__init__()
        self.port, self.topic, self.number = port, topic, number
        self.token, self.proof = person
        self.taken: list[float] = []
        self.errors = 0

    def run(self) -> None:
        """Keep to the beat, whatever the answers take."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        begun = time.perf_counter() + self.number / JUDGES
        for beat in range(int(SECONDS)):
            time.sleep(max(0.0, begun + beat - time.perf_counter()))
            story, n = divmod(beat % (20 * PER_STORY), PER_STORY)
            change = {
                "sentence": f"s{story:04d}-s{n + 1:02d}", "base": beat // (20 * PER_STORY),
                "off": beat % 3 == 0, "links": [] if beat % 3 == 0 else [["E1", ""]],
                "joined": False,
            }  # fmt: skip
            at = time.perf_counter()
            person = (self.token, self.proof)
            ok = sent(connection, self.topic, person, "mark", {"changes": [change]})
            self.taken.append(time.perf_counter() - at)
            self.errors += not ok


def sent(
    connection: http.client.HTTPConnection, topic: int, person: tuple[str, str], action: str,
    body: dict[str, Any],
) -> bool:  # fmt: skip
    """Send an entry; whether it was kept."""
    entry = {"key": token_hex(8), "action": action, "body": body}
    headers = {
        "Content-Type": "application/json", "X-Form-Proof": person[1],
        "Cookie": f"{sessions.COOKIE}={person[0]}",
    }  # fmt: skip
    try:
        connection.request("POST", f"/t/{topic}/log", json.dumps({"entries": [entry]}), headers)
        return "entry" in json.loads(connection.getresponse().read())["answers"][0]
    except (OSError, ValueError, KeyError, http.client.HTTPException):
        return False


def beside_strangers(folder: Path) -> list[str]:
    """A judge who marks while nobody, and then forty strangers at once, try to sign in."""
    database = open_database(folder / "door.sqlite")
    topic, people = judged_topic(database, 1, stories=20)
    figures = []
    with served(folder / "door.sqlite") as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        for strangers in (0, 0, STRANGERS):
            crowd = [threading.Thread(target=knock, args=(port, n)) for n in range(strangers)]
            for stranger in crowd:
                stranger.start()
            taken = []
            for beat in range(100):
                change = {"sentence": f"s{beat // 18:04d}-s{beat % 18 + 1:02d}", "off": True,
                          "links": [], "joined": False, "base": len(figures)}  # fmt: skip
                at = time.perf_counter()
                assert sent(connection, topic, people[0], "mark", {"changes": [change]})
                taken.append(time.perf_counter() - at)
                time.sleep(0.05)
            for stranger in crowd:
                stranger.join()
            figures.append(1000 * percentile(taken, 95))
    database.close()
    _, quiet, flooded = figures
    return [
        row("a mark of one judge, p95", f"{quiet:.0f} ms", ""),
        row(f"while {STRANGERS} strangers try passwords at once", f"{flooded:.0f} ms",
            f"{2 * quiet:.0f} ms"),
    ]  # fmt: skip


def knock(port: int, number: int) -> None:
    """Try to sign in with a wrong password."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    url = f"http://127.0.0.1:{port}/login"
    page = opener.open(url, timeout=60).read().decode()
    proof = page.partition('name="proof" value="')[2].partition('"')[0]
    fields = {"proof": proof, "name": f"Stranger {number}", "password": "not this one"}
    with contextlib.suppress(OSError):
        opener.open(url, urllib.parse.urlencode(fields).encode(), timeout=60)


def verifying(folder: Path) -> list[str]:
    """Verdicts in a topic of 20,000 sentences that two judges have linked."""
    database = open_database(folder / "verify.sqlite")
    topic, people = judged_topic(database, 3, stories=1112)
    with database.writing() as connection:
        table = tables.assignment
        query = select(table.c.person).where(table.c.topic == topic).order_by(table.c.person)
        *judges, eve = connection.execute(query).scalars()
        names = [f"s{story:04d}-s{n:02d}" for story in range(1112) for n in range(1, PER_STORY + 1)]
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
    taken = []
    with served(folder / "verify.sqlite") as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        for name in names[: 20 * EVENTS : EVENTS]:
            change = {"event": "E1", "item": name, "kept": True, "base": 0}
            at = time.perf_counter()
            assert sent(connection, topic, people[2], "verdict", {"changes": [change]})
            taken.append(1000 * (time.perf_counter() - at))
    database.close()
    return [
        row("a verdict at 20,000 sentences, median", f"{statistics.median(taken):.0f} ms", "30 ms"),
        row("the first one", f"{taken[0]:.0f} ms", ""),
    ]


def in_the_browser(folder: Path) -> list[str]:
    """Open a large topic and press keys."""
    program = shutil.which("chromium")
    if program is None:
        return [row("browser", "no chromium here", "")]
    from playwright.sync_api import sync_playwright

    database = open_database(folder / "large.sqlite")
    topic, people = judged_topic(database, 1, stories=STORIES)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with served(folder / "large.sqlite") as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        url = f"http://127.0.0.1:{port}"
        context.add_cookies([{"name": sessions.COOKIE, "value": people[0][0], "url": url}])
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
        row(f"{STORIES * PER_STORY:,} sentences: opens, median of 7",
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

    database = open_database(folder / "largest.sqlite")
    topic, people = judged_topic(database, 1, stories=2778, events=300)
    opening = []
    with served(folder / "largest.sqlite") as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        url = f"http://127.0.0.1:{port}"
        context.add_cookies([{"name": sessions.COOKIE, "value": people[0][0], "url": url}])
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
    return f"{percentile(values, share):.0f} ms"


def judged_topic(
    database: Database, judges: int, *, stories: int, events: int = EVENTS
) -> tuple[int, list[tuple[str, str]]]:
    """A topic in its link step; its judges' session and proof."""
    chosen = random.Random(7)
    texts = [story(chosen, number) for number in range(stories)]
    people = []
    with database.writing() as connection:
        secret = sessions.server_secret(connection)
        manager = accounts.create(connection, "Manager", None, founder=True).id
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
            person = accounts.create(connection, f"Judge {number}", None, founder=False).id
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
        for _ in range(PER_STORY)
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


@contextmanager
def served(database: Path) -> Iterator[int]:
    """The workbench in a process of its own."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    command = "from chronoscore.cli import main; main()"
    words = ["workbench", "--database", str(database), "--port", str(port)]
    process = subprocess.Popen([sys.executable, "-c", command, *words], stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/static/app.css").close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def percentile(values: Sequence[float], share: int) -> float:
    """The value below which so many percent lie."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def row(what: str, measured: str, asked: str) -> str:
    """A line of the table."""
    return f"| {what} | {measured} | {asked} |"


if __name__ == "__main__":
    print(main())
