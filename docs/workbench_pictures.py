"""Take the pictures of the workbench anew: `python docs/pictures.py --all`.

A team judges the bundled corpus on a workbench in a temporary folder, and every screen is
photographed in the middle of the work. The tests' own helpers play the people.
"""

import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
IMAGES = HERE / "images"
sys.path[:0] = [str(HERE.parent / "tests")]

from anyio.from_thread import start_blocking_portal  # noqa: E402
from PIL import Image  # noqa: E402

from chronoscore.demo import CORPUS  # noqa: E402
from chronoscore.workbench.store import log  # noqa: E402
from chronoscore.workbench.store.log import LogEntry  # noqa: E402
from workbench.office import Office, Visitor  # noqa: E402
from workbench.running import FLAGS, Served  # noqa: E402
from workbench.team import UnitsTeam  # noqa: E402

GUIDELINES = """\
An **event** is something that happened at a time and place. Read the whole story first.

- Link a sentence to every event that it *tells*, also in passing.
- A sentence about the aftermath is off, unless the aftermath is an event of the list.

| sentence | decision |
|---|---|
| The dam broke at noon. | linked |
| Residents had feared it for years. | off |
"""
NARROW = ("f", "Tab", "u", "Tab", "Tab", "Enter")
FERRY = "tr:has-text('Corrin Head'):has-text('Link')"
DAM = "section:has(h2:has-text('The failure of the Corvane dam'))"


@dataclass(frozen=True)
class Picture:
    """A screen, who looks at it, and what they did before."""

    name: str
    person: Visitor | None
    path: str
    keys: tuple[str, ...] = ()
    width: int = 1280
    height: int = 800
    scheme: str = "light"
    at: str = ""


class Project:
    """A stream with three judges and a verifier, topics in every step."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.mara = office.person("Mara", founder=True)
        names = ("Ann", "Bob", "Cem", "Eve", "Nia", "Dora")
        self.ann, self.bob, self.cem, self.eve, self.nia, self.dora = people = [
            office.person(name) for name in names
        ]
        self.number = office.project(self.mara, "stream", *people, repeats=4)
        form = {"name": "Disasters of 2031", "hints": "yes", "additions": "yes", "repeats": "4"}
        self.mara.post(f"/p/{self.number}/settings", **form)
        for step, text in (("", GUIDELINES), ("link", "Undecided is *not* off.")):
            self.mara.post(f"/p/{self.number}/guidelines", step=step, text=text, base="0")
        for person in people[:4]:
            self.read(person)
        self.topics = {
            "identify": self.topic("theft", "The theft at Elverfield"),
            "link": self.topic("ferry", "The ferry aground at Corrin Head"),
            "verify": self.topic("dam", "The failure of the Corvane dam"),
            "draft": self.topic("theft", "A draft: the theft again", name="theft-2"),
        }
        self.identify(self.topics["identify"])
        self.link("link", "ferry", handed_in=False)
        self.link("verify", "dam", handed_in=True)
        self.merge = self.merging()
        self.practice = self.make_practice()

    def read(self, person: Visitor) -> None:
        """Somebody has read the guidelines."""
        where = f"/p/{self.number}/guidelines/read"
        person.client.post(where, data={"proof": person.proof, "read": [":1", "link:1"]})

    def topic(self, corpus: str, title: str, name: str = "") -> int:
        """A topic of the bundled corpus, with judges unless it has a name of its own."""
        stories: dict[str, dict[str, Any]] = {}
        for row in rows(corpus):
            if row["kind"] == "story":
                stories[row["id"]] = {**row, "sentences": []}
            elif row["kind"] == "sentence":
                stories[row["story"]]["sentences"].append(row["text"])
        upload = "\n".join(json.dumps(one) for one in stories.values()).encode()
        files = {"files": ("stories.jsonl", upload, "application/jsonl")}
        short = name or f"{corpus}-own"
        answer = self.mara.post(f"/p/{self.number}/import", files=files, name=short, title=title)
        number = int(answer.headers["location"].rpartition("/")[2])
        judges = [self.ann, self.bob, self.cem]
        if not name:
            self.office.assign(self.mara, number, judge=judges, verifier=self.eve)
        return number

    def identify(self, topic: int) -> None:
        """Ann has begun to note events."""
        self.mara.post(f"/t/{topic}/deadline", step="identify", day="2031-04-18")
        self.mara.post(f"/t/{topic}/open")
        data = self.sentences(topic)
        for number in (0, 3):
            text = data[number][1].split(",")[0][:80]
            where = f"/t/{topic}/identify/candidates"
            self.ann.post(where, sentence=data[number][0], text=text)

    def sentences(self, topic: int) -> list[tuple[str, str]]:
        """The sentences of a topic, by id."""
        with self.office.database.read() as connection:
            from chronoscore.workbench.store.source import load

            return [(one.id, one.text) for one in load(connection, topic).sentences]

    def record(self, topic: int, action: str, data: dict[str, Any]) -> None:
        """An entry of the workbench itself."""
        with self.office.database.write() as connection:
            place = {"project": self.number, "topic": topic}
            log.append(connection, LogEntry(action=action, data=data, **place))

    def link(self, step: str, corpus: str, *, handed_in: bool) -> None:
        """Judges link as the corpus says, each with slips of their own."""
        topic, draw = self.topics[step], random.Random(corpus)
        own = {row["text"]: one for row, one in zip(
            (row for row in rows(corpus) if row["kind"] == "sentence"),
            (one for one, _ in self.sentences(topic)), strict=True,
        )}  # fmt: skip
        ids = {row["id"]: own[row["text"]] for row in rows(corpus) if row["kind"] == "sentence"}
        events = [row for row in rows(corpus) if row["kind"] == "event"]
        names = {}
        for number, event in enumerate(events, 1):
            names[event["id"]] = f"E{number}"
            data = {"id": f"E{number}", "n": number, "text": event["text"], "candidates": []}
            self.record(topic, "event.add", data)
        self.record(topic, "step.open", {"step": "link"})
        self.mara.post(f"/t/{topic}/deadline", step="link", day="2031-04-25")
        truth: dict[str, set[str]] = {}
        for row in rows(corpus):
            if row["kind"] == "link":
                truth.setdefault(ids[row["sentence"]], set()).add(names[row["event"]])
        share = {self.ann: 0.6, self.bob: 0.9, self.cem: 0.3}
        for judge, far in share.items():
            every = list(ids.values())
            for sentence in every if handed_in else every[: int(far * len(every))]:
                links = {one for one in truth.get(sentence, ()) if draw.random() > 0.12}
                if draw.random() < 0.04:
                    links.add(draw.choice(list(names.values())))
                judge.mark(topic, sentence, *sorted(links), off=not links)
            if handed_in:
                self.hand_in(judge, topic, draw)
        if handed_in:
            self.bob.post(f"/t/{topic}/discussion", label="1.2", text="Is this the first leak?")
            self.ann.post(f"/t/{topic}/discussion", label="1.2", text="I took it for the warning.")
            for event, item in list(self.items(topic))[:6]:
                where = f"/t/{topic}/verify"
                self.eve.post(where, event=event, item=item, base="0", verdict="keep")
        else:
            place = next(iter(ids.values()))
            self.ann.post(f"/t/{topic}/notes", place=place, text="Is the storm an event?")

    def hand_in(self, judge: Visitor, topic: int, draw: random.Random) -> None:
        """Decide some sentences again, with slips, and hand in."""
        judge.post(f"/t/{topic}/submit", step="link")
        again = judge.get(f"/t/{topic}/again")
        marks = judge.client.get(f"/t/{topic}/link.json").json()["mine"]["marks"]
        fields: dict[str, Any] = {}
        for name in re.findall(r'name="off:([^"]+)"', again):
            links = [event for event, _ in marks[name]["links"]]
            if links and draw.random() > 0.2:
                fields[f"link:{name}"] = links
            else:
                fields[f"off:{name}"] = "yes"
        judge.post(f"/t/{topic}/again", **fields)

    def items(self, topic: int) -> Iterator[tuple[str, str]]:
        """The marks of the first event."""
        html = self.eve.get(f"/t/{topic}/verify?event=E1")
        for item in re.findall(r'data-item="([^"]+)"', html):
            yield "E1", item

    def merging(self) -> int:
        """A topic whose candidates are being merged."""
        topic = self.topic("theft", "The theft, being merged", name="theft-3")
        self.office.assign(self.mara, topic, judge=[self.ann, self.bob])
        self.mara.post(f"/t/{topic}/open")
        data = self.sentences(topic)
        stories = dict.fromkeys(name.rpartition("-")[0] for name, _ in data)
        for judge, places in ((self.ann, (0, 3, 7, 12, 20)), (self.bob, (0, 8, 12, 26))):
            for place in places:
                text = data[place][1].split(",")[0][:70]
                where = f"/t/{topic}/identify/candidates"
                judge.post(where, sentence=data[place][0], text=text)
            for story in stories:
                judge.post(f"/t/{topic}/identify/read", story=story)
            judge.post(f"/t/{topic}/submit", step="identify")
        return topic

    def make_practice(self) -> int:
        """A newcomer has practiced, with some slips."""
        judged = (CORPUS / "dam" / "judgements.jsonl").read_bytes()
        files = {"files": ("dam.jsonl", judged, "application/jsonl")}
        answer = self.mara.post(f"/p/{self.number}/import", files=files, name="dam", title="")
        answer = self.mara.post(f"{answer.headers['location']}/practice")
        topic = int(answer.headers["location"].rpartition("/")[2])
        self.office.assign(self.mara, topic, judge=self.nia)
        self.mara.post(f"/t/{topic}/open")
        self.read(self.nia)
        with self.office.database.read() as connection:
            query = "SELECT answers FROM topic WHERE id = ?"
            text = connection.exec_driver_sql(query, (topic,)).scalar_one()
        for number, (sentence, links) in enumerate(json.loads(text)["links"].items()):
            if number % 6:
                self.nia.mark(topic, sentence, *links)
        self.nia.post(f"/t/{topic}/submit", step="link", rest_off="yes")
        self.nia.get(f"/t/{topic}")
        return topic


def rows(corpus: str) -> list[dict[str, Any]]:
    """The lines of a judged topic of the bundled corpus."""
    text = (CORPUS / corpus / "judgements.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def pictures(office: Office) -> list[Picture]:
    """Every screen, and who looks at it."""
    team = Project(office)
    p, t, mara = f"/p/{team.number}", team.topics, team.mara
    link, verify = f"/t/{t['link']}", f"/t/{t['verify']}"
    mara.post(f"{p}/people", 200, label="Finn")
    with office.database.write() as connection:
        # What takes people two days took the script a second.
        connection.exec_driver_sql("UPDATE activity SET seconds = entries * 9.5")
        connection.exec_driver_sql("UPDATE log SET time = time - 170000 WHERE person > 1")
    nia = team.nia
    units = UnitsTeam(office).made()
    found = sorted(units.start(units.max)["anchors"])
    first = {"members": [{"anchor": name, "v": 0.5} for name in found[:2]]}
    for unit in ("U1", "U2"):
        units.match(units.max, unit, first)
    units.max.post(f"/t/{units.topic}/submit", step="match")
    again = units.start(units.nia, "rematch", unit="")["unit"]
    second = {"members": [{"anchor": found[1], "v": 1}, {"anchor": found[3], "v": 0.3}]}
    units.match(units.nia, again, second)
    units.nia.post(f"/t/{units.topic}/submit", step="rematch")
    mara.post("/demo")
    home = mara.get("/")
    demo = {one: re.search(rf"/t/(\d+)/{one}", home)[1] for one in ("match", "write")}
    analyze = re.findall(r'href="/t/(\d+)"', mara.get(re.search(
        r'(/p/\d+)">Demo: content units', home)[1]))[-1]  # fmt: skip
    making = office.topic(units.manager, units.project, "flood")
    office.assign(units.manager, making, writer=[units.will, units.wanda], maker=units.uma)
    units.manager.post(f"/t/{making}/open")
    for writer in (units.will, units.wanda):
        writer.post(f"/t/{making}/write", when="1997", text=f"The dam leaks, {writer.name} says")
        writer.post(f"/t/{making}/submit", step="write")
    office.assign(mara, t["draft"], judge=team.dora)
    mara.post(f"/t/{t['draft']}/open")
    phone = {"width": 390, "height": 844}
    return [
        Picture("login", None, "/login", height=520),
        Picture("home", mara, "/"),
        Picture("project", mara, p),
        Picture("import", mara, f"{p}/import"),
        Picture("guidelines", mara, f"{p}/guidelines"),
        Picture("guidelines-write", mara, f"{p}/guidelines/edit?step="),
        Picture("before-you-begin", team.dora, f"/t/{t['draft']}/identify", height=700),
        Picture("people", mara, f"{p}/people"),
        Picture("roles", mara, f"{p}/roles"),
        Picture("topic", mara, link),
        Picture("stories", mara, f"{link}/stories", height=600),
        Picture("settings", mara, f"{p}/settings"),
        Picture("identify", team.ann, f"/t/{t['identify']}/identify"),
        Picture("merge", team.ann, f"/t/{team.merge}/merge"),
        Picture("link", team.ann, f"{link}/link"),
        Picture("link-dark", team.ann, f"{link}/link", scheme="dark"),
        Picture("find", team.ann, f"{link}/link", keys=("f",)),
        Picture("verify", team.eve, f"{verify}/verify"),
        Picture(
            "progress", mara, f"{p}/progress", at="tr:has-text('Corrin Head'):has-text('Link')"
        ),
        Picture("agreement", mara, f"{p}/agreement", at=DAM),
        Picture("disagreements", mara, f"{verify}/disagreements"),
        Picture("matchings", units.manager, f"/t/{units.topic}/disagreements", height=640),
        Picture("narrowed", team.ann, f"{link}/link", keys=NARROW),
        Picture("discussion", team.ann, f"{verify}/discussion", height=640),
        Picture("practice", nia, f"/t/{team.practice}/review"),
        Picture("notes", mara, f"{p}/notes", height=520),
        Picture("tables", mara, f"{p}/tables"),
        Picture("split", mara, f"{p}/split", height=640),
        Picture("export", mara, f"{p}/export", height=700),
        Picture("history", mara, f"{p}/history", height=640),
        Picture("keys", team.ann, "/keys"),
        Picture("account", team.ann, "/account", height=560),
        Picture("programs", mara, "/account/tokens", height=560),
        Picture("write", mara, f"/t/{demo['write']}/write"),
        Picture("make", units.uma, f"/t/{making}/make"),
        Picture("match", mara, f"/t/{demo['match']}/match"),
        Picture("analyse", mara, f"/t/{analyze}/analyze"),
        Picture("phone", team.ann, f"{link}/link", **phone),
        Picture("phone-agreement", mara, f"{p}/agreement", **phone, at=DAM),
    ]


@contextmanager
def served() -> Iterator[tuple[Office, Served]]:
    """A workbench in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, start_blocking_portal() as Office.portal:
        office = Office(Path(folder) / "workbench.sqlite")
        server = Served(office.database)
        yield office, server
        server.stop()
        office.close()


def take(browser: Any, server: Served, picture: Picture) -> None:
    """Open a screen as a person, and keep what is seen."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme=picture.scheme, reduced_motion="reduce",
    )  # fmt: skip
    if picture.person:
        cookie = {"name": server.cookie, "value": picture.person.token, "url": server.url}
        context.add_cookies([cookie])
    page = context.new_page()
    page.goto(server.url + picture.path)
    if page.locator("#stream[tabindex]").count():
        page.wait_for_selector("#stream[data-ready]")
    for key in picture.keys:
        page.keyboard.press(key)
    if picture.at:
        page.locator(picture.at).first.evaluate("node => node.scrollIntoView()")
    path = IMAGES / f"workbench-{picture.name}.png"
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(96).save(path, optimize=True)
    context.close()


def main(program: str) -> None:
    """Take every picture with this Chromium."""
    from playwright.sync_api import sync_playwright

    with served() as (office, server):
        wanted = pictures(office)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            for picture in wanted:
                take(browser, server, picture)
            browser.close()
