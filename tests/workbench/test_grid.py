"""Every address × everybody: who is let in, what is counted, and what is kept about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Insert, event

from chronoscore.workbench.domain import tokens
from chronoscore.workbench.domain.accounts import digest_secret
from chronoscore.workbench.domain.recovery import make_server_link
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.web import operations
from chronoscore.workbench.web.authority import ASKERS, AUDIENCES, DECISIONS, Decision
from chronoscore.workbench.web.forms import FormRoute
from chronoscore.workbench.web.routes import ROUTES
from workbench.attempts import addressed, sent
from workbench.office import Office, Visitor, invite
from workbench.twins import SECRET, Answer, Caller, House

EVERY = {
    (method, route.path)
    for route in (*ROUTES, *operations.ROUTES)
    for method in route.methods
    if method != "HEAD"
}
RULES = {
    "founder": {"founder"}, "manager": {"manager", "sighted manager", "manager's token"},
    "worker": {"role", "judge or writer", "at work"}, "everyone": {"topic", "member"},
    "discussing": {"discussing"}, "workbench": {"anyone", "account"},
}  # fmt: skip
"""For whom an address may be that does an action of each rule."""
BY_LINK = {("POST", "/invite/{token}"), ("POST", "/account/reset/refuse")}
"""What a rule leaves to managers, an invitation and one's own account do for one person."""
AT = {
    "disagreements": "verify", "discussion": "verify", "analyze": "match", "disagreements/unit":
    "rematch", "match/plain": "match", "again": "link",
}  # fmt: skip
WORKS = {
    "identify": ("ann", "eve"), "merge": ("ann", "eve"), "link": ("ann", "eve"),
    "verify": ("eve", "ann"), "write": ("ann", "uma"), "make": ("uma", "max"),
    "match": ("max", "uma"), "rematch": ("nia", "uma"),
}  # fmt: skip
"""Who works in a step of the house, and who works in the same topic in another one."""
UNTRIED = {"/certificate", "/t/{topic:int}/review"}
"""Only with --share, and only of practice: `test_sharing` and `test_practice` open them."""


NO_SECRET = {"/t/{topic:int}", "/p/{project:int}/notes"}
"""Pages with notes, which judges write to their managers."""


def test_every_address_is_decided_and_none_that_is_not_there() -> None:
    assert set(DECISIONS) == EVERY, "decide whom it is for in web/authority.py"


def test_no_address_does_what_other_people_may_than_those_it_is_for() -> None:
    """So no field of a form decides about rights: all that a form can do has the same rule."""
    for where, decision in DECISIONS.items():
        for action in decision.does:
            allowed = RULES[action.rule.who]
            assert decision.who in allowed or where in BY_LINK, (where, action.name)


def test_a_form_does_what_its_decision_says() -> None:
    for route in ROUTES:
        if isinstance(route, FormRoute):
            forms = route.form.values() if isinstance(route.form, dict) else [route.form]
            does = {one.action for one in forms}
            assert does == set(DECISIONS["POST", route.path].does), route.path


class Gate:
    """A house at whose doors everybody knocks; nothing that they do is kept."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.caller = Caller()
        self.office = house.office
        mara, ann = house.people["mara"], house.people["ann"]
        self.mona = self.office.person("Mona")
        self.fern = self.office.person("Fern", founder=True)
        self.otto = self.office.person("Otto")
        self.written: list[tuple[str, str]] = []
        self.forms: dict[str, dict[tuple[str, str], list[Any]]] = {}
        with self.office.database.write() as connection:
            for who, project, manager in (
                (self.otto, house.units, False), (self.mona, house.units, True),
                (self.mona, house.stream, True),
            ):  # fmt: skip
                data = {"person": who.id, "manager": manager}
                place = {"person": mara.id, "project": project}
                log.append(connection, LogEntry(action="member.add", data=data, **place))
            make_server_link(connection, ann.id, digest_secret("reset"))
            self.links = {
                "/invite/": invite(connection, project=house.stream),
                "/reset/": "reset",
                "/feed/": tokens.create(connection, mara.id, "feed", ""),
            }
            self.bearers = {
                "judge's token": tokens.create(connection, ann.id, "api", ""),
                "manager's token": tokens.create(connection, self.mona.id, "api", ""),
            }
        event.listen(self.office.database.engine, "before_execute", self._note)
        self.office.database.write = self._try  # type: ignore[method-assign]

    @contextmanager
    def _try(self) -> Iterator[Any]:
        with self.office.database.engine.connect() as connection:
            transaction = connection.execution_options(chronoscore_writes=True).begin()
            try:
                yield connection
            finally:
                transaction.rollback()

    def _note(self, _connection: Any, statement: Any, values: Any, one: Any, _: Any) -> None:
        if isinstance(statement, Insert) and statement.table in (tables.attempt, tables.log):
            self.written.append((statement.table.name, dict(one or {}).get("action", "")))

    def topic(self, path: str) -> str:
        """The topic in whose step an address is at home."""
        page = path.removeprefix("/t/{topic:int}").lstrip("/")
        first = page.partition("/")[0].partition(".")[0]
        return AT.get(page) or AT.get(first) or (first if first in WORKS else "link")

    def visitor(self, asker: str, path: str) -> Visitor:
        name = self.topic(path)
        role, other = WORKS[name]
        if path.endswith("/discussion"):
            # Judges discuss; the verifier waits until the topic is final.
            role, other = other, role
        return {
            "guest": self.office.nobody, "judge's token": self.office.nobody,
            "manager's token": self.office.nobody, "outsider": self.house.visitor("stranger"),
            "member": self.house.people["olaf"] if name in self.house.streams else self.otto,
            "other role": self.house.people[other], "role": self.house.people[role],
            "manager at work": self.house.people["boss"], "manager": self.mona,
            "founder": self.fern,
        }[asker]  # fmt: skip

    def knock(self, asker: str, method: str, path: str) -> Answer:
        name, who = self.topic(path), self.visitor(asker, path)
        where = addressed(self.house, path, name)
        for door, token in self.links.items():
            if path.startswith(door):
                where = door + token
        self.written.clear()
        if asker in self.bearers:
            return self.send(self.office.nobody, method, where, f"Bearer {self.bearers[asker]}")
        if method == "GET":
            return self.send(who, method, where)
        form = {} if path.startswith("/account/") else self.form(name, path)
        if path.endswith("/log"):
            return self.caller.json(who, where, form)
        return self.caller.form(who, where, form, "key")

    def send(self, who: Visitor, method: str, where: str, bearer: str = "") -> Answer:
        answer = who.client.request(method, where, headers={"authorization": bearer})
        text = "" if where.endswith(".zip") else answer.text
        return Answer(answer.status_code, dict(answer.headers), text)

    def form(self, name: str, path: str) -> Any:
        if name not in self.forms:
            self.forms[name] = sent(self.house, name)
        return {"step": name} if path.endswith("/submit") else self.forms[name]["POST", path][0]


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    folder: Path = tmp_path_factory.mktemp("grid")
    house = House(Office(folder / "house.sqlite"), busy=True)
    yield Gate(house)
    house.office.close()


def is_open(answer: Answer) -> bool:
    """Whether a visitor was let in, be it only to be told that a form makes no sense."""
    to_login = answer.headers.get("location", "").startswith("/login?")
    return answer.status not in (401, 404) and not to_login


def surprises(gate: Gate, asker: str) -> Iterator[str]:
    """Where somebody is let in, counted or noted otherwise than the table says."""
    for (method, path), decision in DECISIONS.items():
        if path in UNTRIED:
            continue
        answer = gate.knock(asker, method, path)
        may = asker in AUDIENCES[decision.who]
        shown = SECRET in answer.text and path not in NO_SECRET
        if "manager" in (asker, asker.removesuffix("'s token")) and shown and not decision.seen:
            yield f"{method} {path}: shows what others decided, and that is not kept"
        if is_open(answer) != may:
            yield f"{method} {path}: {answer.status}, though {decision.who}"
        yield from (f"{method} {path}: {one}" for one in unnoted(gate, decision, asker, may=may))


def unnoted(gate: Gate, decision: Decision, asker: str, *, may: bool) -> Iterator[str]:
    """What should be counted or kept about an answer and is not, or the other way round."""
    actions = {action for table, action in gate.written if table == "log"}
    tries = any(table == "attempt" for table, _ in gate.written)
    if tries != (decision.throttled and may and asker not in ("guest", *gate.bearers)):
        yield f"{'counted' if tries else 'not counted'} as a try"
    sighted = asker in ("manager", "manager's token")
    if ("project.export" in actions) > decision.exported:
        yield "kept as an export"
    if sighted and may and decision.exported and "project.export" not in actions:
        yield "not kept as an export"
    if ("topic.see" in actions) > decision.seen:
        yield "kept as seen"
    if sighted and may and decision.seen and "topic.see" not in actions:
        yield "not kept as seen"


@pytest.mark.slow
@pytest.mark.parametrize("asker", ASKERS)
def test_everybody_is_let_in_where_the_table_says_and_nowhere_else(gate: Gate, asker: str) -> None:
    before = gate.office.entries()
    assert list(surprises(gate, asker)) == []
    assert gate.office.entries() == before
