"""Two workbenches that differ only in what some people did where others must stay blind.

Whoever must not know sees the same on both, to the letter: that is what blindness means,
whether it could be broken by a word, a count, an id, an order or the text of an error.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode

from anyio import sleep_forever
from sqlalchemy import select, update

from chronoscore.workbench.domain import accounts, tokens
from chronoscore.workbench.exchange import console
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from workbench.office import Office, Visitor, candidates, invited, to_link

NAMES = ("Mara", "Ann", "Bob", "Boss", "Eve", "Olaf", "Uma", "Max", "Nia", "Stranger")
SECRET = "zebra"
"""A word that only those write whose work must stay hidden."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def plain(self) -> tuple[int, dict[str, str], str]:
        """Without what differs by chance: proofs, keys, times, and the length of those."""
        by_chance = ("content-length", "x-request-id")
        kept = {name: value for name, value in self.headers.items() if name not in by_chance}
        if "set-cookie" in kept:
            kept["set-cookie"] = re.sub(r"=[\w-]*;", "=;", kept["set-cookie"])
        text = re.sub(r"\b[0-9a-f]{32,128}\b|/invite/[\w-]{43}", "#", self.text)
        text = re.sub(r"\b[a-z][0-9a-f]{12}\b", "#", text)
        text = re.sub(r"\d+\s\w{3}\s\d{4}\s\d\d:\d\d", "#", text)
        text = re.sub(r'"seconds":[\d.e-]+|\b\d+ min\b', "#", text)
        return self.status, kept, text


class Caller:
    """Calls the application itself, thousands of times, without a browser's weight.

    One call at a time needs no threads for its parts, whose hand-overs would take longer than
    the answers.
    """

    def ask(
        self, who: Visitor, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> Answer:
        where, _, query = path.partition("?")
        headers = [
            (b"host", b"127.0.0.1:8765"),
            (b"content-length", str(len(body)).encode()),
            (b"cookie", f"{who.office.cookie}={who.token}".encode()),
            (b"x-form-proof", who.proof.encode()),
        ]
        if kind:
            headers.append((b"content-type", kind.encode()))
        scope = {
            "type": "http", "method": method, "path": where, "query_string": query.encode(),
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8765),
            "scheme": "http", "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0"},
        }  # fmt: skip
        with mock.patch("anyio.to_thread.run_sync", _run_here):
            return who.office.portal.call(_called, who.office.app, scope, body)

    def form(self, who: Visitor, path: str, fields: dict[str, Any], key: str) -> Answer:
        sent = {"proof": who.proof, "key": key, **fields}
        if "files" in sent:
            body, kind = _multipart(sent)
        else:
            kind = "application/x-www-form-urlencoded"
            body = urlencode(sent, doseq=True).encode()
        return self.ask(who, "POST", path, body, kind)

    def json(self, who: Visitor, path: str, value: Any) -> Answer:
        return self.ask(who, "POST", path, json.dumps(value).encode(), "application/json")


async def _run_here(work: Any, *values: Any, **_: Any) -> Any:
    return work(*values)


async def _called(app: Any, scope: dict[str, Any], body: bytes) -> Answer:
    sent: list[Any] = []
    unread = [body]

    async def receive() -> dict[str, Any]:
        if not unread:
            await sleep_forever()
        return {"type": "http.request", "body": unread.pop(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers: dict[str, str] = {}
    for name, value in sent[0]["headers"]:
        known = headers.get(name.decode())
        headers[name.decode()] = value.decode() if known is None else f"{known}, {value.decode()}"
    raw = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], headers, raw.decode())


def _multipart(fields: dict[str, Any]) -> tuple[bytes, str]:
    parts = []
    for name, value in fields.items():
        file = '; filename="c.jsonl"' if name == "files" else ""
        parts.append(f'--b\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{value}')
    return "\r\n".join([*parts, "--b--\r\n"]).encode(), "multipart/form-data; boundary=b"


@dataclass
class House:
    """A workbench with a topic in every step; `busy` says whether the hidden people work."""

    office: Office
    busy: bool
    topics: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        people = {name.lower(): self.office.person(name, founder=name == "Mara") for name in NAMES}
        self.people: dict[str, Visitor] = people
        self.stream = self.project("stream", "boss", "ann", "bob", "eve", "olaf")
        self.units = self.project("units", "boss", "ann", "bob", "uma", "max", "nia", sample=2)
        for name in ("identify", "merge", "link", "verify"):
            self.open(name, self.stream, judge=["ann", "bob", "boss"], verifier=["eve"])
        self.open("other", self.stream, judge=["olaf", "boss"])
        for name in ("write", "make", "match", "rematch"):
            self.open(
                name, self.units, writer=["ann", "bob", "boss"], maker=["uma"], matcher=["max"],
                rematcher=["nia"],
            )  # fmt: skip
        for project in (self.stream, self.units):
            mara = self.people["mara"]
            mara.post(f"/p/{project}/guidelines", step="", text="# Read *this*", base="0")
        mara.post(f"/p/{self.stream}/guidelines", step="verify", text="And this", base="0")
        for who in self.people:
            self.read_guidelines(who, ":1", *(["verify:1"] if who == "eve" else []))
        self.judge()
        self.write()
        if self.busy:
            self.hide_more()
            verdict = {"event": "E2", "item": "verify1-s03", "base": "1", "verdict": "drop"}
            self.people["mara"].post(f"/t/{self.topics['verify']}/disagreements/link", **verdict)

    def hide_more(self) -> None:
        """What a machine linked, and what Bob decided a second time."""
        for name in ("link", "verify"):
            place = {"project": self.stream, "topic": self.topics[name], "step": "link"}
            sentence = f"{name}1-s03"
            again = {"sentence": sentence, "off": False, "links": ["E1"]}
            with self.office.database.write() as connection:
                for action, data, person in (
                    ("machine.add", {"judge": SECRET, "links": {sentence: ["E2"]}}, "mara"),
                    ("mark.repeat", {"decisions": [again]}, "bob"),
                ):
                    whose = self.people[person].id
                    log.append(
                        connection, LogEntry(action=action, data=data, person=whose, **place)
                    )

    def read_guidelines(self, name: str, *versions: str) -> None:
        """Tell the workbench what somebody has read, where they belong to the project."""
        who = self.people[name]
        for project in (self.stream, self.units):
            data = {"proof": who.proof, "read": list(versions)}
            who.client.post(f"/p/{project}/guidelines/read", data=data)

    def project(self, workflow: str, manager: str, *members: str, **settings: Any) -> int:
        mara = self.people["mara"]
        found = self.office.project(mara, workflow, *map(self.people.get, members), **settings)
        data = {"person": self.people[manager].id, "manager": True}
        with self.office.database.write() as connection:
            entry = LogEntry(action="member.add", data=data, person=mara.id, project=found)
            log.append(connection, entry)
        return found

    def open(self, name: str, project: int, **roles: list[str]) -> None:
        mara = self.people["mara"]
        sentences = [f"The {name} dam leaked.", "Nobody was hurt.", "The lake fell.", "It broke."]
        stories = "\n".join(
            json.dumps({"id": f"{name}{n}", "time": f"2031-03-0{n}", "title": "Dam",
                        "sentences": sentences}) for n in (1, 2)
        )  # fmt: skip
        upload = ("s.jsonl", stories.encode(), "application/jsonl")
        number = self.topics[name] = self.office.topic(mara, project, name, upload=upload)
        for role, people in roles.items():
            self.office.assign(mara, number, **{role: [self.people[one] for one in people]})
        mara.post(f"/t/{number}/open")

    def judge(self) -> None:
        """The stream: Bob, Eve and Olaf do their work, or hardly any of it."""
        mara, bob, eve, olaf = (self.people[name] for name in ("mara", "bob", "eve", "olaf"))
        judges = [self.people[name] for name in ("ann", "bob", "boss")]
        merge, identify, other = (self.topics[name] for name in ("merge", "identify", "other"))
        for name in ("link", "verify"):
            first, second = f"{name}1", f"{name}2"
            to_link(self.office, mara, self.topics[name], *judges, stories=(first, second))
        for judge in judges:
            for story in ("merge1", "merge2"):
                judge.post(f"/t/{merge}/identify/read", story=story)
        if self.busy:
            for number in range(3):
                self.candidate(bob, merge, "merge1-s03", f"{SECRET} {number}")
                self.candidate(bob, identify, "identify1-s03", f"{SECRET} {number}")
                self.candidate(olaf, other, "other1-s03", f"{SECRET} {number}")
            self.change_own(bob, identify, "identify", "/candidates/change", thing="candidate")
            bob.post(f"/t/{identify}/identify/read", story="identify1", key="bobs-read-key")
            for name in ("identify", "link", "verify"):
                where = f"{name}1-s03"
                bob.post(f"/t/{self.topics[name]}/notes", place=where, text=f"{SECRET} note")
            queue = mara.get(f"/p/{self.stream}/notes")
            form = rf'/t/{identify}/notes/answer.*?name="note" value="([^"]+)"'
            note = re.search(form, queue, re.S)[1]
            mara.post(f"/t/{identify}/notes/answer", note=note, answer=SECRET)
        for judge in judges:
            judge.post(f"/t/{merge}/submit", step="identify")
        if self.busy:
            self.merge(bob, merge)
        for name in ("link", "verify"):
            if self.busy:
                mark = [("E1", "g-zebra"), "E2"]
                for number, sentence in enumerate(("s03", "s04", "s02")):
                    key = f"bobs-mark-{number}"
                    bob.mark(self.topics[name], f"{name}1-{sentence}", *mark, key=f"{key}-{name}")
                bob.mark(self.topics[name], f"{name}2-s02", joined=True)
                bob.post(f"/t/{self.topics[name]}/submit", step="link", rest_off="yes")
        verify = self.topics["verify"]
        for judge in judges:
            if not (self.busy and judge is bob):
                judge.post(f"/t/{verify}/submit", step="link", rest_off="yes")
        if self.busy:
            change = {"event": "E2", "item": "verify1-s03", "kept": True, "base": 0}
            body = {"changes": [change]}
            eve.send(verify, {"key": "eves-verdict-key", "action": "verdict", "body": body})

    def change_own(
        self, who: Visitor, topic: int, step: str, at: str, *, thing: str, **fields: str
    ) -> None:
        """Change one's first thing in a step twice, and take the second change back."""
        page = f"/t/{topic}/{step}"
        fields[thing] = re.search(rf'name="{thing}" value="([^"]+)"', who.get(page))[1]
        for text in (f"{SECRET} once", f"{SECRET} twice"):
            who.post(page + at, text=text, **fields)
        last = re.search(r'name="action" value="([^"]+)"', who.get(page))[1]
        who.post(f"/t/{topic}/undo", action=last)

    def merge(self, who: Visitor, topic: int) -> None:
        """Everything that can be done with candidates and events."""
        page = f"/t/{topic}/merge"
        first, second, third = candidates(self.office, topic)
        who.post(page, do="same", candidate=[first], text=SECRET)
        who.post(page, do="add", candidate=[second], event="E1")
        who.post(page, do="take", candidate=second, event="E1")
        who.post(page, do="rename", event="E1", text=f"{SECRET} again")
        who.post(page, do="omit", candidate=[third], reason=SECRET)
        who.post(page, do="same", candidate=[second], text=f"{SECRET} and gone")
        who.post(page, do="take", candidate=second, event="E2")
        who.post(page, do="same", candidate=[second], text=f"{SECRET} in one")
        who.post(page, do="apart", event="E3")

    def make(self, who: Visitor, topic: int, lines: list[str]) -> None:
        """Everything that can be done with lines and units."""
        page = f"/t/{topic}/make"
        for chosen in (lines[:2], lines[2:3]):
            who.post(page, do="unit", line=chosen)
        who.post(page, do="edit", unit="U1", action=SECRET)
        who.post(page, do="merge", unit="U1", other="U2")
        who.post(page, do="take", unit="U1", line=lines[2])
        who.post(page, do="put", unit="U1", line=lines[2:3])
        who.post(page, do="omit", line=lines[3:4], reason=SECRET)
        who.post(page, do="unit", line=lines[4:5])
        who.post(page, do="take", unit="U3", line=lines[4])

    def candidate(self, who: Visitor, topic: int, sentence: str, text: str) -> None:
        who.post(f"/t/{topic}/identify/candidates", sentence=sentence, text=text)

    def write(self) -> None:
        """Content units: Bob, Uma and Max do their work, or hardly any of it."""
        bob, uma, max_ = (self.people[name] for name in ("bob", "uma", "max"))
        writers = [self.people[name] for name in ("ann", "bob", "boss")]
        write, make = self.topics["write"], self.topics["make"]
        if self.busy:
            for number in range(3):
                bob.post(f"/t/{write}/write", when="1997", text=f"{SECRET} {number}")
                bob.post(f"/t/{make}/write", when="1997", text=f"{SECRET} {number}")
            self.change_own(bob, write, "write", "/change", thing="line", when="1997")
            bob.post(f"/t/{write}/submit", step="write")
        for name in ("make", "match", "rematch"):
            topic = self.topics[name]
            for writer in writers:
                writer.post(f"/t/{topic}/write", when="1998", text="It broke")
                writer.post(f"/t/{topic}/submit", step="write")
            lines = re.findall(r'name="line" value="([^"]+)"', uma.get(f"/t/{topic}/make"))
            if name == "make":
                if self.busy:
                    self.make(uma, make, lines)
                continue
            for line in lines:
                uma.post(f"/t/{topic}/make", do="unit", line=line)
            uma.post(f"/t/{topic}/submit", step="make")
        for name in ("match", "rematch"):
            topic, tree = self.topics[name], {"members": []}
            if self.busy:
                place = {"sentence": f"{name}1-s02", "start": 0, "stop": 6}
                new = {"key": f"maxs-anchor-{name}", "action": "anchor", "body": place}
                anchor = max_.send(topic, new)[0]["data"]["id"]
                tree = {"members": [{"anchor": anchor, "v": 0.7}]}
            for unit in ("U1", "U2", "U3") if self.busy or name == "rematch" else ():
                body = {"unit": unit, "tree": tree, "done": True, "base": 0}
                max_.send(topic, {"key": f"maxs-{name}-{unit}", "action": "match", "body": body})
        max_.post(f"/t/{self.topics['rematch']}/submit", step="match")

    @property
    def streams(self) -> tuple[str, ...]:
        """The topics that are streams."""
        return ("identify", "merge", "link", "verify", "other")

    def visitor(self, who: str) -> Visitor:
        """Somebody of the house, nobody, or Bob with a session that is over."""
        if who not in self.people:
            columns = {"idle session": "seen", "old session": "created"}
            column = columns.get(who)
            self.people[who] = self.expired(column) if column else self.office.nobody
        return self.people[who]

    def expired(self, column: str) -> Visitor:
        """Bob, with a session that was left alone, or kept in use, for too long."""
        visitor = self.office.person("Bob")
        table = tables.session
        with self.office.database.write() as connection:
            connection.execute(
                update(table)
                .where(table.c.digest == accounts.digest_secret(visitor.token))
                .values(**{column: 1.0})
            )
        return visitor

    def hidden_rows(self, but: int) -> dict[str, list[tuple[Any, ...]]]:
        """All that the hidden people (but one) did, and what was made of it together."""
        hidden = {self.people[name].id for name in ("bob", "eve", "olaf", "uma", "max", "mara")}
        hidden -= {but}
        whole = (tables.event, tables.merged, tables.verdict, tables.unit, tables.contribution)
        found = {}
        with self.office.database.read() as connection:
            for table in (*tables.PROJECTIONS, tables.log, tables.session):
                query = select(table)
                if "person" in table.c:
                    query = query.where(table.c.person.in_(hidden))
                elif table is tables.anchor:
                    query = query.where(table.c.by.in_(hidden))
                elif table is tables.topic:
                    query = select(table.c.id, table.c.step, table.c.version)
                    query = query.where(table.c.id.in_(self.topics.values()))
                elif table not in whole:
                    continue
                rows = [tuple(row) for row in connection.execute(query)]
                found[table.name] = sorted(rows, key=repr)
        return found


def built(where: Path) -> tuple[House, House]:
    """The busy house and the idle one."""
    return (
        House(Office(where / "busy.sqlite"), busy=True),
        House(Office(where / "idle.sqlite"), busy=False),
    )


def _post(path: str, topic: str = "merge", **fields: Any) -> Callable[[House], object]:
    """What Mara does by a form of a topic, or of the stream."""

    def do(house: House) -> object:
        here = path.format(
            topic=house.topics[topic], stream=house.stream, bob=house.people["bob"].id
        )
        return house.people["mara"].post(here, **fields)

    return do


def _unassign(house: House) -> None:
    ann, topic = house.people["ann"].id, house.topics["merge"]
    house.people["mara"].post(f"/t/{topic}/unassign", person=ann, role="judge")


def _retitle(house: House) -> None:
    mara = house.people["mara"]
    draft = house.office.topic(mara, house.stream, "draft")
    mara.post(f"/t/{draft}/stories", story="a1", title="Retitled")


def _change_password(house: House) -> None:
    bob = house.people["bob"].id
    with house.office.database.write() as connection:
        tokens.create(connection, bob, "feed", "reader")
        accounts.change_password(connection, bob, accounts.hash_password("x" * 12))
    house.people["bob"] = house.office.person("Bob")


def _ask_for_reset(house: House) -> Any:
    """Mara asks in the stream; the people of another project must agree."""
    olga, bob, mara = house.office.person("Olga"), house.people["bob"], house.people["mara"]
    known = house.office.project(olga, "stream", bob)
    page = mara.post(f"/p/{house.stream}/people/{bob.id}/reset", status=200)
    asked = re.search(r'name="request" value="([^"]+)"', olga.get(f"/p/{known}/people"))[1]
    link = re.search(r"/reset/[\w-]{43}", page.text)[0]
    return known, olga, asked, link


def _confirm_reset(house: House) -> None:
    known, olga, asked, link = _ask_for_reset(house)
    olga.post(f"/p/{known}/people/reset/confirm", request=asked)
    newcomer = house.office.person("Newcomer")
    newcomer.post(link, password="y" * 12, again="y" * 12)
    house.people["bob"] = house.office.person("Bob")
    # The other project is not one of the house's.
    house.people["mara"].get(f"/p/{house.stream}/people")
    olga.post(f"/p/{known}/people/{house.people['bob'].id}/remove")


def _refuse_reset(house: House) -> None:
    known, olga, asked, _ = _ask_for_reset(house)
    olga.post(f"/p/{known}/people/reset/refuse", request=asked)


def _reset_on_the_server(house: House) -> None:
    for _ in console.reset_password(house.office.database, "Bob", None):
        pass


def _revoke(house: House) -> None:
    mara = house.people["mara"]
    mara.post("/account/tokens", status=200, kind="api", label="x")
    digest = re.search(r'name="token" value="([^"]+)"', mara.get("/account/tokens"))[1]
    mara.post("/account/tokens/revoke", token=digest)


def _export(house: House) -> None:
    house.people["mara"].get(f"/p/{house.stream}/export.jsonl")


def _decide_matching(house: House) -> None:
    """The second matcher finishes first."""
    topic, nia = house.topics["rematch"], house.people["nia"]
    with house.office.database.read() as connection:
        sampled = select(tables.unit.c.id).where(
            tables.unit.c.topic == topic, tables.unit.c.sampled
        )
        names = list(connection.execute(sampled).scalars())
    for name in names:
        body = {"unit": name, "tree": {"members": []}, "done": True, "base": 0}
        nia.send(topic, {"key": f"nias-match-{name}", "action": "match", "body": body})
    nia.post(f"/t/{topic}/submit", step="rematch")
    chosen = {"unit": names[0], "role": "rematcher", "base": 0}
    house.people["mara"].post(f"/t/{topic}/disagreements/unit", **chosen)


def _practice(house: House) -> None:
    """The verifier finishes first."""
    topic, eve = house.topics["verify"], house.people["eve"]
    for event in ("E1", "E2"):
        html = eve.get(f"/t/{topic}/verify?event={event}")
        for item, base in re.findall(r'data-item="([^"]+)" data-base="(\d+)"', html):
            fields = {"event": event, "item": unescape(item), "base": base, "verdict": "keep"}
            eve.post(f"/t/{topic}/verify", **fields)
    eve.post(f"/t/{topic}/submit", step="verify")
    house.people["mara"].post(f"/t/{topic}/practice")


def _join(house: House) -> None:
    link = f"/invite/{invited(house.office, project=house.stream)}"
    house.office.person("Joe").post(link)


def _let_go(house: House) -> None:
    """A manager, whose open links end."""
    where = f"/p/{house.stream}/people/{house.people['bob'].id}"
    for what in ("manager", "remove"):
        house.people["mara"].post(f"{where}/{what}")


def _built_with_it(_house: House) -> None:
    """Every house is."""


def _give_list(house: House) -> None:
    """A list of what is to be judged, of a topic in which all is decided already."""
    rows = (
        {"kind": "header", "items": "sentences", "format": "chronoscore-draw", "version": 1},
        {"kind": "frame", "topic": "link", "items": 3},
        {"kind": "draw", "topic": "link", "item": "link1-s01", "probability": 0.5},
    )
    raw = "\n".join(map(json.dumps, rows)).encode()
    files = {"files": ("next.jsonl", raw, "application/jsonl")}
    house.people["mara"].post(f"/t/{house.topics['link']}/queue", files=files)


OPEN_WORK: dict[str, Callable[[House], object]] = {
    "project.create": lambda house: house.people["mara"].post(
        "/projects", name="Other", workflow="units"
    ),
    "project.change": _post("/p/{stream}/settings", name="Renamed"),
    "member.add": _join,
    "topic.create": _built_with_it,
    "topic.assign": _built_with_it,
    "step.open": _built_with_it,
    "unit.sample": _built_with_it,
    "guideline.write": _built_with_it,
    "guideline.read": _built_with_it,
    "topic.rename": _post("/t/{topic}/title", title="Renamed"),
    "topic.deadline": _post("/t/{topic}/deadline", step="merge", day="2031-05-01"),
    "topic.estimate": _post("/t/{topic}/analyze", "match", z="7"),
    "topic.unassign": _unassign,
    "topic.practice": _practice,
    "topic.queue": _give_list,
    "comment.add": _post("/t/{topic}/discussion", "verify", label="1.1", text="So it is"),
    "step.reopen": _post("/t/{topic}/reopen", step="identify", reason="Another story"),
    "match.adjudicate": _decide_matching,
    "story.retitle": _retitle,
    "account.create": _built_with_it,
    "account.password": _change_password,
    "account.reset": _reset_on_the_server,
    "token.create": _revoke,
    "token.revoke": _revoke,
    "member.invite": _post("/p/{stream}/people", label="New", status=200),
    "member.withdraw": _post("/p/{stream}/people/withdraw", invitation="none"),
    "member.reset": _confirm_reset,
    "reset.ask": _built_with_it,
    "reset.confirm": _built_with_it,
    "reset.done": _built_with_it,
    "reset.refuse": _refuse_reset,
    "project.export": _export,
    "member.remove": _let_go,
    "topic.archive": _post("/t/{topic}/archive", archived="yes"),
    "project.archive": _post("/p/{stream}/archive", archived="yes"),
}
"""What managers and the workbench do in the open, from which no member's work can be read.

All other actions are done by people whose work is hidden (`House`). Managers know who has read
the guidelines, also of topics where they work. Comments are for the judges and managers of a
topic, after they handed in; `test_guiding` tries who else could read them.
"""
