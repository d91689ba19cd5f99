"""Requests that no page of ours sends: fields twice, files for texts, others' ids, old tokens."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from chronoscore.workbench.domain import sessions, tokens
from chronoscore.workbench.domain.accounts import digest_secret
from chronoscore.workbench.web.routes import accounts as routes
from workbench.attempts import addresses
from workbench.office import PASSWORD, Office, Visitor, invited, login, with_password
from workbench.team import StreamTeam

FILE = ("a", b"a long enough sentence", "text/plain")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long tries at passwords had to wait; none of them does."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(routes, "sleep", sleep)
    return found


def at_the_door(office: Office) -> tuple[Any, str]:
    client = office.client()
    return client, re.search(r'name="proof" value="([^"]+)"', client.get("/login").text)[1]


GUESSES: dict[str, Callable[[int], dict[str, Any]]] = {
    "plain": lambda _: {"data": {"name": "Mara"}},
    "upper case": lambda n: {"data": {"name": "Mara" if n % 2 else "MARA"}},
    "spaces": lambda n: {"data": {"name": " " * n + "Mara" + "\u2003" * n}},
    "full width": lambda n: {"data": {"name": "Ｍａｒａ" if n % 2 else "Mara"}},
    "another name first": lambda n: {"data": {"name": [f"Nobody {n}", "Mara"]}},
    "forwarded": lambda n: {
        "data": {"name": "Mara"},
        "headers": {"x-forwarded-for": f"203.0.113.{n}", "forwarded": f"for=203.0.113.{n}"},
    },
    "another address": lambda n: {
        "data": {"name": "Mara"},
        "headers": {"x-real-ip": f"10.0.0.{n}"},
    },
    "in the address": lambda n: {"data": {"name": "Mara"}, "params": {"name": f"Nobody {n}"}},
}


@pytest.mark.parametrize("way", GUESSES)
def test_no_way_to_send_a_name_gives_further_tries(office: Office, pauses: Any, way: str) -> None:
    with_password(office, "Mara").close()
    for number in range(7):
        client, proof = at_the_door(office)
        sent = GUESSES[way](number)
        data = {"proof": proof, "password": "wrong", **sent.pop("data")}
        assert client.post("/login", data=data, **sent).status_code == 403
    assert pauses == [0, 0, 0, 0, 1, 2, 4]


def test_of_a_name_given_twice_the_one_that_counts_is_the_one_that_is_tried(
    office: Office, pauses: Any
) -> None:
    for name in ("Mara", "Eve"):
        with_password(office, name).close()
    client, proof = at_the_door(office)
    data = {"proof": proof, "name": ["Mara", "Eve"], "password": ["wrong", PASSWORD]}
    assert client.post("/login", data=data).status_code == 303
    assert "Eve" in client.get("/account").text


def test_a_file_is_no_password_and_no_name(office: Office, pauses: Any) -> None:
    mara = with_password(office, "Mara")
    proof = re.search(r'name="proof" value="([^"]+)"', mara.get("/account").text)[1]
    files = {"password": FILE, "again": FILE}
    data = {"proof": proof, "old": PASSWORD}
    assert mara.post("/account/password", data=data, files=files).status_code == 400
    client, proof = at_the_door(office)
    token = invited(office)
    data = {"proof": proof, "name": "New"}
    assert client.post(f"/invite/{token}", data=data, files=files).status_code == 400
    assert login(office.client(), "Mara", PASSWORD).status_code == 303
    for number in range(6):
        client, proof = at_the_door(office)
        sent = {"proof": proof, "password": f"wrong {number}"}
        assert client.post("/login", data=sent, files={"name": FILE}).status_code == 403
    assert pauses[-6:] == [0, 0, 0, 0, 1, 2], "a name that is none is counted as one"


@pytest.mark.slow
def test_json_is_taken_for_no_form(office: Office, manager: Visitor, project: int) -> None:
    """Not even with the proof where scripts have it: no page of ours sends it so."""
    topic = office.topic(manager, project)
    before = office.entries()
    fields = {"proof": manager.proof, "name": "Stolen", "workflow": "stream", "person": manager.id}
    for path in addresses("POST", project, topic):
        if not path.endswith("/log"):
            answer = manager.client.post(path, json=fields, headers={"x-form-proof": manager.proof})
            assert answer.status_code == 403, path
    assert office.entries() == before


def test_ids_of_another_project_mean_nothing_in_a_form(office: Office) -> None:
    """A manager of one project sends what belongs to another."""
    team = StreamTeam(office)
    boss = office.person("Boss")
    mine = office.project(boss, "stream")
    topic = office.topic(boss, mine)
    ann, theirs = team.ann.id, team.topic
    team.ann.post(f"/t/{theirs}/notes", place="a1-s01", text="Why?")
    page = team.manager.get(f"/p/{team.project}/notes")
    note = re.search(r'name="note" value="([^"]+)"', page)[1]
    with office.database.write() as connection:
        token = tokens.create(connection, ann, "api", "x")
    before = office.entries()
    for path, fields in (
        (f"/t/{topic}/assign", {"person": ann, "role": "judge"}),
        (f"/t/{topic}/unassign", {"person": ann, "role": "judge"}),
        (f"/t/{topic}/notes/answer", {"note": note, "answer": "So"}),
        (f"/t/{topic}/stories", {"story": "none", "title": "Mine"}),
        (f"/p/{mine}/roles", {"cell": f"{ann}:{theirs}:judge"}),
        (f"/p/{mine}/roles", {"cell": f"{ann}:{topic}:judge"}),
        (f"/p/{mine}/people/{ann}/manager", {}),
        (f"/p/{mine}/people/{ann}/remove", {}),
        (f"/p/{mine}/people/{ann}/reset", {}),
        (f"/p/{mine}/people/known", {"person": ann}),
        (f"/p/{mine}/people/reset/confirm", {"request": "none"}),
        (f"/t/{theirs}/assign", {"person": boss.id, "role": "judge"}),
    ):
        data = {"proof": boss.proof, "key": "k", **fields}
        assert boss.client.post(path, data=data).status_code in (400, 404, 409), (path, fields)
    boss.post("/account/tokens/revoke", token=digest_secret(token))
    assert office.entries() == before
    bearer = {"Authorization": f"Bearer {token}"}
    assert office.client().get("/api/projects", headers=bearer).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("change", ["remove", "member", "judge"])
def test_a_token_knows_of_every_change_at_once(office: Office, change: str) -> None:
    """It stands for its owner as they are now: let go, no longer managing, or at work."""
    team = StreamTeam(office).link()
    boss = office.person("Boss")
    boss.post(f"/invite/{invited(office, project=team.project, manager=True)}")
    with office.database.write() as connection:
        token = tokens.create(connection, boss.id, "api", "x")
    client, bearer = office.client(), {"Authorization": f"Bearer {token}"}
    where = f"/api/projects/{team.project}"

    def asked() -> list[int]:
        ends = ("", "/progress", "/export")
        codes = [client.get(where + end, headers=bearer).status_code for end in ends]
        return [*codes, client.get("/metrics", headers=bearer).status_code]

    if change == "judge":
        team.manager.post(f"/t/{team.topic}/assign", person=boss.id, role="judge")
        assert asked() == [200, 200, 400, 404]
        assert client.get(f"{where}/progress", headers=bearer).json() == {"progress": []}
        return
    assert asked() == [200, 200, 200, 200]
    team.manager.post(f"/p/{team.project}/people/{boss.id}/{change}")
    assert asked() == [404, 404, 404, 404]


def test_a_guests_cookie_that_somebody_else_chose_opens_nothing(office: Office) -> None:
    """Who plants it knows its proof; nothing of it holds once its owner is signed in."""
    with_password(office, "Mara", founder=True).close()
    name, planted = office.settings.cookie(sessions.GUEST), "planted-by-somebody-else"
    client = office.client()
    client.cookies.set(name, planted)
    proof = sessions.form_proof(office.secret, planted)
    data = {"proof": proof, "name": "Mara", "password": PASSWORD}
    assert client.post("/login", data=data).status_code == 303
    assert client.cookies.get(office.cookie) not in (None, planted)
    client.cookies.set(name, planted)
    form = {"proof": proof, "name": "Stolen", "workflow": "stream"}
    assert client.post("/projects", data=form).status_code == 403
    thief = office.client()
    for cookie in (name, office.cookie):
        thief.cookies.set(cookie, planted)
    assert thief.get("/").status_code == 303
