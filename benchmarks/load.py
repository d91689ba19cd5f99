"""The workbench's server under load, with a client that leaves the processor to it.

Client and server share the machine. So the judges are connections of one event loop that send
requests prepared beforehand, and the strangers live in a process of their own.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import time
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from pathlib import Path
from secrets import token_hex

from chronoscore.workbench.domain import sessions
from chronoscore.workbench.store.settings import Settings

COOKIE = Settings().cookie(sessions.COOKIE)
"""What a workbench at the usual port calls the cookie of a session."""

PER_STORY = 18
"""Sentences of a story in the topics that are judged here."""


@dataclass
class Answers:
    """How long answers took, in milliseconds, how many were wrong, and what the server spent."""

    taken: list[float] = field(default_factory=list)
    errors: int = 0
    processor: float = 0.0
    """Seconds of processor time."""
    seconds: float = 0.0

    def percentile(self, share: int) -> float:
        """The time below which so many percent of the answers lie."""
        return percentile(self.taken, share)


class Connection:
    """A kept-alive connection that reads no more of an answer than it must."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request as it is; the status and the body."""
        if not hasattr(self, "writer"):
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        body = await self.reader.readexactly(int(length or 0))
        self.head = head
        return int(head[9:12]), body


def post(path: str, body: bytes, **headers: str) -> bytes:
    """A whole POST request."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def mark(topic: int, person: tuple[str, str], number: int, stories: int = 20) -> bytes:
    """A judge's decision about the next sentence; after all, another one about each."""
    version, at = divmod(number, stories * PER_STORY)
    story, n = divmod(at, PER_STORY)
    off = (number + version) % 3 == 0
    change = {
        "sentence": f"s{story:04d}-s{n + 1:02d}", "base": version, "off": off,
        "links": [] if off else [["E1", ""]], "joined": False,
    }  # fmt: skip
    return entry(topic, person, "mark", {"changes": [change]})


def entry(topic: int, person: tuple[str, str], action: str, body: dict[str, object]) -> bytes:
    """What a script sends when somebody has done something."""
    made = {"key": token_hex(8), "action": action, "body": body}
    return post(
        f"/t/{topic}/log", json.dumps({"entries": [made]}).encode(),
        Content_Type="application/json", X_Form_Proof=person[1],
        Cookie=f"{COOKIE}={person[0]}",
    )  # fmt: skip


def send_one_by_one(port: int, requests: Sequence[bytes]) -> Answers:
    """Send entries, each after the answer to the one before."""
    answers = Answers()

    async def send() -> None:
        connection = Connection(port)
        for request in requests:
            await _send(connection, request, answers)

    asyncio.run(send())
    return answers


async def _send(connection: Connection, request: bytes, answers: Answers) -> None:
    at = time.perf_counter()
    status, body = await connection.ask(request)
    answers.taken.append(1000 * (time.perf_counter() - at))
    answers.errors += status != 200 or b'"entry":' not in body


def judge_together(
    port: int, process: int, topic: int, people: Sequence[tuple[str, str]], *, seconds: float,
    pace: float = 1.0,
) -> Answers:  # fmt: skip
    """Let all judges mark at the same pace (marks a second), their beats spread evenly."""
    answers = Answers()

    async def judge(number: int, begun: float) -> None:
        connection = Connection(port)
        person = people[number]
        for beat in range(int(seconds * pace)):
            request = mark(topic, person, beat)
            due = begun + (beat + number / len(people)) / pace
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await _send(connection, request, answers)

    async def all_judges() -> None:
        begun = time.perf_counter() + 0.5
        await asyncio.gather(*(judge(number, begun) for number in range(len(people))))

    spent, start = processor_time(process), time.perf_counter()
    asyncio.run(all_judges())
    answers.processor = processor_time(process) - spent
    answers.seconds = time.perf_counter() - start
    return answers


def mark_beside(
    port: int, topic: int, person: tuple[str, str], *, first: int, strangers: int, least: int
) -> Answers:
    """A judge who marks twenty times a second while strangers try passwords, all at once.

    Only answers that came while a stranger was still waiting count.
    """
    system = multiprocessing.get_context("fork")
    start = system.Event()
    crowd = system.Process(target=_knock, args=(port, strangers, start))
    if strangers:
        crowd.start()
    answers = Answers()

    async def judge() -> None:
        connection = Connection(port)
        await connection.ask(mark(topic, person, first))
        start.set()
        number = first + 1
        while crowd.is_alive() if strangers else len(answers.taken) < least:
            request = mark(topic, person, number)
            await _send(connection, request, answers)
            number += 1
            await asyncio.sleep(0.05)

    asyncio.run(judge())
    return answers


def _knock(port: int, strangers: int, start: Event) -> None:
    async def knock(number: int) -> None:
        connection = Connection(port)
        _, page = await connection.ask(b"GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        proof = page.decode().partition('name="proof" value="')[2].partition('"')[0]
        cookie = connection.head.decode().partition("set-cookie: ")[2].partition(";")[0]
        fields = {"proof": proof, "name": f"Stranger {number}", "password": "not this one"}
        form = urllib.parse.urlencode(fields).encode()
        kind = "application/x-www-form-urlencoded"
        status, _ = await connection.ask(post("/login", form, Content_Type=kind, Cookie=cookie))
        assert status in (403, 429), status

    async def all_strangers() -> None:
        await asyncio.gather(*(knock(number) for number in range(strangers)))

    start.wait()
    asyncio.run(all_strangers())


def processor_time(process: int) -> float:
    """Seconds of processor time that a process has used; 0 where the system does not say."""
    try:
        with Path(f"/proc/{process}/stat").open(encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], share: int) -> float:
    """The value below which so many percent lie."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def median(answers: Answers) -> float:
    """The middle time."""
    return statistics.median(answers.taken)
