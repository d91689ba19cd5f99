"""Nothing leaks: every address, as a rival, a stranger, without a session and with an old one."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Delete, Update, event

from chronoscore.workbench.store import log, replay, tables
from chronoscore.workbench.store.projections import BY_NAME
from workbench.attempts import MADE_UP, addressed, routes, sent
from workbench.twins import OPEN_WORK, SECRET, Answer, Caller, House, built

pytestmark = pytest.mark.slow

BLIND = {
    "ann": ("identify", "link", "verify", "write", "make", "match", "rematch", "other"),
    "boss": ("identify", "link", "verify", "write", "make", "match", "rematch"),
    "nia": ("write", "make", "match", "rematch", "link"),
    "max": ("write", "make"),
    "eve": ("identify", "link", "merge", "rematch"),
    "olaf": ("identify", "merge", "link", "verify", "write"),
    "stranger": ("identify", "verify", "rematch"),
    "nobody": ("link", "rematch"),
    "idle session": ("link",),
    "old session": ("link",),
}
"""Who must not know what was done in which topics. Boss manages both projects and judges."""

GUESTS = (
    "/login", "/invite/{token}", "/reset/{token}", "/feed/{token}", "/api/openapi.json",
    "/certificate",
)  # fmt: skip


class Twins:
    def __init__(self, busy: House, idle: House) -> None:
        self.houses = (busy, idle)
        self.caller = Caller()

    def both(self, who: str, method: str, path: str, name: str, tried: Any, key: str) -> list[Any]:
        """Send the same to both houses as the same person; of a pair, each gets its own part."""
        answers = []
        pair = tried if isinstance(tried, tuple) else (tried, tried)
        for house, tried in zip(self.houses, pair, strict=True):
            visitor = house.visitor(who)
            where = addressed(house, path, name)
            if method == "GET" or not isinstance(tried, dict):
                answers.append(self.caller.ask(visitor, method, where + (tried or "")))
            elif path.endswith("/log"):
                entries = [
                    {"key": f"{key}-{n}", **entry}
                    for n, entry in enumerate(tried["entries"])
                    if not entry.get("key", "").startswith(f"{who}s-")
                ]
                answers.append(self.caller.json(visitor, where, {"entries": entries}))
            else:
                answers.append(self.caller.form(visitor, where, tried, key))
        return answers


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    found = Twins(*built(tmp_path_factory.mktemp("twins")))
    changed_logs: list[str] = []
    for house in found.houses:

        @event.listens_for(house.office.database.engine, "before_execute")
        def watch(_connection: Any, statement: Any, *_: Any) -> None:
            if isinstance(statement, Update | Delete) and statement.table is tables.log:
                changed_logs.append(str(statement))

    yield found
    assert changed_logs == [], "whatever is tried, entries stay as they are"
    for house in found.houses:
        house.office.close()


def test_every_action_is_hidden_work_or_no_secret(twins: Twins) -> None:
    """A new action fails here until it is hidden work in `House`, or in `OPEN_WORK`."""
    counts = []
    for house in twins.houses:
        with house.office.database.read() as connection:
            counts.append(Counter(entry.action for entry in log.read(connection)))
    hidden = set(counts[0] - counts[1])
    assert set(BY_NAME) - hidden == set(OPEN_WORK), "do it in twins.py, in House or OPEN_WORK"


def same(busy: Answer, idle: Answer, where: object) -> None:
    one, two = busy.plain, idle.plain
    assert one[:2] == two[:2], where
    apart = [pair for pair in zip(one[2].split("\n"), two[2].split("\n"), strict=False)
             if pair[0] != pair[1]]  # fmt: skip
    assert apart[:1] == [], where
    assert one[2] == two[2], where


def attempts(twins: Twins, who: str) -> Iterator[tuple[str, str, str, Any, str]]:
    for name in BLIND[who]:
        # Things are called by chance, so a house has names of its own for them.
        busy, idle = (sent(house, name) for house in twins.houses)
        for method, path in routes():
            if "{" not in path and name != BLIND[who][0]:
                continue
            tries = zip(busy[method, path], idle[method, path], strict=True)
            for number, tried in enumerate(tries):
                yield method, path, name, tried, f"{who}-{name}-{path}-{number}"[-100:]


@pytest.mark.parametrize("who", BLIND)
def test_nobody_can_tell_what_the_others_did(twins: Twins, who: str) -> None:
    """The same answers, to the letter, whether the others worked hard or not at all.

    So a thing that is another's reads like one that does not exist. And nothing changes.
    """
    acting = [house.visitor(who).id for house in twins.houses]
    before = [house.hidden_rows(but) for house, but in zip(twins.houses, acting, strict=True)]
    answered: set[int] = set()
    for method, path, name, tried, key in attempts(twins, who):
        busy, idle = twins.both(who, method, path, name, tried, key)
        same(busy, idle, (method, path, name, tried))
        assert SECRET not in busy.text
        assert "etag" not in busy.headers
        assert int(busy.headers["content-length"]) == len(busy.text.encode())
        assert busy.status < 500
        answered.add(busy.status)
        if "session" in who or who == "nobody":
            allowed = (200, 303, 403, 404) if path in GUESTS else (303, 401)
            assert busy.status in allowed, path
        if who == "stranger" and "{" in path:
            # A session is nothing to the interface for programs, whoever it belongs to.
            assert busy.status == (401 if path.startswith("/api/") else 404), (method, path)
    after = [house.hidden_rows(but) for house, but in zip(twins.houses, acting, strict=True)]
    assert after == before
    if who in ("ann", "boss", "nia", "eve"):
        assert answered >= {200, 303, 400, 404, 409}


@pytest.mark.parametrize("who", ["ann", "olaf", "nobody"])
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "LOG"])
def test_other_methods_tell_nothing_either(twins: Twins, who: str, method: str) -> None:
    for path in sorted({path for _, path in routes()}):
        busy, idle = twins.both(who, method, path, BLIND[who][0], "", "")
        assert busy.plain[:2] == idle.plain[:2], (method, path)
        assert method == "HEAD" or busy.status == 405
        assert SECRET not in str(busy)


@pytest.mark.parametrize("who", ["olaf", "stranger"])
def test_what_is_not_open_reads_like_what_is_not_there(twins: Twins, who: str) -> None:
    house, caller = twins.houses[0], twins.caller
    visitor = house.visitor(who)
    for name in ("identify", "rematch"):
        for method, path in routes():
            if "{topic" not in path:
                continue
            tried = sent(house, name)[method, path][0]
            there = addressed(house, path, name)
            answers = []
            for where in (there, re.sub(r"/t/\d+", f"/t/{MADE_UP}", there)):
                if method == "GET":
                    answers.append(caller.ask(visitor, method, where))
                elif path.endswith("/log"):
                    answers.append(caller.json(visitor, where, tried))
                else:
                    answers.append(caller.form(visitor, where, tried, "same-for-both"))
            assert answers[0].plain == answers[1].plain, path


def test_the_twins_do_differ(twins: Twins) -> None:
    """The tests above would pass on empty houses: who did the work, or manages, sees it."""
    seen: dict[str, set[str]] = {}
    for who, name, page in (
        ("bob", "identify", "/identify"), ("bob", "link", "/link.json"), ("bob", "write", "/write"),
        ("bob", "verify", "/link/plain?story=verify1"), ("eve", "verify", "/verify?event=E2"),
        ("uma", "make", "/make"), ("max", "match", "/match"), ("max", "rematch", "/match"),
        ("olaf", "other", "/identify"), ("ann", "merge", "/merge"), ("mara", "link", ""),
        ("mara", "verify", "/history"), ("bob", "identify", "/history"),
    ):  # fmt: skip
        busy, idle = twins.both(who, "GET", "/t/{topic:int}" + page, name, "", "")
        assert busy.status == idle.status == 200
        assert busy.plain != idle.plain, (who, name, page)
        seen.setdefault(who, set()).add(SECRET if SECRET in busy.text else "")
    assert SECRET in seen["bob"] & seen["mara"] & seen["ann"] & seen["olaf"]
    for page in ("progress", "agreement", "notes", "history", "export.jsonl"):
        busy, idle = twins.both("mara", "GET", f"/p/{{project:int}}/{page}", "link", "", "")
        assert busy.plain != idle.plain, page


def test_all_of_it_is_in_the_log(twins: Twins) -> None:
    """After thousands of attempts the tables still follow from the log."""
    for house in twins.houses:
        assert replay.verify(house.office.database).equal


def test_a_manager_who_gives_back_a_role_stays_blind(twins: Twins) -> None:
    """Otherwise a judge who manages could step down, look, and step up again."""
    for house in twins.houses:
        topic, boss = house.topics["identify"], house.people["boss"]
        boss.post(f"/t/{topic}/identify/read", story="identify2")
        boss.post(f"/t/{topic}/unassign", person=boss.id, role="judge")
    for page in ("", "/history"):
        busy, idle = twins.both("boss", "GET", "/t/{topic:int}" + page, "identify", "", "")
        same(busy, idle, page)
    for page in ("progress", "notes", "history", ""):
        busy, idle = twins.both("boss", "GET", f"/p/{{project:int}}/{page}", "identify", "", "")
        same(busy, idle, page)


def test_new_numbers_do_not_count_what_others_did(twins: Twins) -> None:
    places = []
    for house in twins.houses:
        mara = house.people["mara"]
        made = [mara.post("/projects", name="New", workflow="stream").headers["location"]]
        project = made[0].rpartition("/")[2]
        files = {"files": ("a.txt", b"It rained.")}
        made.append(mara.post(f"/p/{project}/import", name="n", files=files).headers["location"])
        places.append(made)
    assert places[0] == places[1]


def test_own_numbers_count_only_own_work(twins: Twins) -> None:
    """Bob made many marks; the other judges' entries and versions are their own."""
    house = twins.houses[0]
    answer: Answer = twins.caller.ask(
        house.people["nia"], "GET", f"/t/{house.topics['rematch']}/rematch"
    )
    assert "entry" in answer.text
    mine = house.people["ann"].client.get(f"/t/{house.topics['link']}/link.json").json()["mine"]
    assert {mark["version"] for mark in mine["marks"].values()} <= {1, 2}
    assert "link1-s02" not in mine["marks"]
