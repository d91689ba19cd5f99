"""Whose account opens what: resets, tokens, exports, and what somebody has seen."""

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from chronoscore.workbench.domain import accounts, corpora, sight, tokens
from chronoscore.workbench.store import log, replay, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import Library
from chronoscore.workbench.store.workflow import DEFAULTS
from workbench.office import (
    PASSWORD,
    SENTENCES,
    Office,
    Visitor,
    invite,
    login,
    open_link,
    refusal,
    with_password,
)
from workbench.team import StreamTeam, UnitsTeam
from workbench.travel import check_equal

NEW = "another long sentence"


@dataclass
class Offices:
    """Ann judges in two projects, P and Q, which do not know of each other.

    Pia manages P. Quentin and Quirin manage Q. Only Ann is in both.
    """

    office: Office
    p: int
    q: int
    topic: int
    people: dict[str, Visitor]

    def __getitem__(self, name: str) -> Visitor:
        return self.people[name]

    def ask(self, who: str, project: int, whom: str = "ann", status: int = 200) -> Any:
        path = f"/p/{project}/people/{self[whom].id}/reset"
        return self[who].post(path, status)

    def link(self, who: str, project: int, whom: str = "ann") -> str:
        return re.search(r"/reset/[\w-]{43}", self.ask(who, project, whom).text)[0]

    def choose(self, link: str) -> int:
        client = self.office.client()
        proof = re.search(r'name="proof" value="([^"]+)"', client.get(link).text)[1]
        data = {"proof": proof, "password": NEW, "again": NEW}
        return int(client.post(link, data=data).status_code)

    def request(self, who: str, project: int) -> str:
        page = self[who].get(f"/p/{project}/people")
        found = re.search(r'name="request" value="([^"]+)"', page)
        return found[1] if found else ""

    def changed(self) -> bool:
        return bool(login(self.office.client(), "Ann", NEW).status_code == 303)


@pytest.fixture
def two(office: Office) -> Offices:
    people = {}
    for name in ("Pia", "Quentin", "Quirin", "Ann", "Bob"):
        with_password(office, name).close()
        people[name.lower()] = office.person(name)
    p = office.project(people["pia"], "stream", people["ann"], people["bob"])
    q = office.project(people["quentin"], "stream", people["ann"], people["quirin"])
    people["quentin"].post(f"/p/{q}/people/{people['quirin'].id}/manager")
    topic = office.topic(people["pia"], p)
    office.assign(people["pia"], topic, judge=[people["ann"], people["bob"]])
    open_link(office, p, topic)
    people["ann"].mark(topic, "a1-s01", "E1")
    return Offices(office, p, q, topic, people)


# Resets -----------------------------------------------------------------------------------------


def test_a_reset_works_when_a_manager_of_each_project_agrees(two: Offices) -> None:
    link = two.link("quentin", two.q)
    assert two.choose(link) == 409
    assert not two.changed()
    two["ann"].get("/")
    # Another manager of the same project adds nothing.
    assert two.request("quirin", two.q) == ""
    asked = two.request("pia", two.p)
    two["quentin"].post(f"/p/{two.q}/people/reset/confirm", 400, request=asked)
    two["quentin"].post(f"/p/{two.p}/people/reset/confirm", 404, request=asked)
    two["bob"].post(f"/p/{two.p}/people/reset/confirm", 404, request=asked)
    assert two.choose(link) == 409
    two["pia"].post(f"/p/{two.p}/people/reset/confirm", request=asked)
    assert two.choose(link) == 303
    assert two.changed()
    two["ann"].get("/", 303)
    assert two.office.client().get(link).status_code == 404, "the link works once"
    for who, project, words in (
        ("pia", two.p, ("asked for elsewhere", "confirmed a new password for Ann")),
        ("quentin", two.q, ("made a link by which Ann",)),
    ):
        page = two[who].get(f"/p/{project}/history")
        for word in (*words, "Ann has a new password, chosen by a link"):
            assert word in page
    assert "Pia" not in two["quentin"].get(f"/p/{two.q}/history")
    assert "Quentin" not in two["pia"].get(f"/p/{two.p}/history")
    assert replay.verify(two.office.database).equal


def test_a_request_reads_the_same_whether_or_not_there_are_other_projects(two: Offices) -> None:
    with_password(two.office, "Zoe", project=two.q).close()
    two.people["zoe"] = two.office.person("Zoe")
    pages = []
    for name in ("Ann", "Zoe"):
        page = two.ask("quentin", two.q, name.lower()).text
        link = re.search(r"/reset/[\w-]{43}", page)[0]
        form = two.office.client().get(link)
        card = re.search(r'<section class="card next">.*?</section>', page, re.S)[0]
        for text in (card, form.text):
            text = re.sub(r"/reset/[\w-]{43}|[0-9a-f]{32,}", "#", text)
            pages.append(text.replace(name, "NAME"))
    assert pages[0] == pages[2]
    assert pages[1] == pages[3]


def test_consent_is_refused_withdrawn_or_lapses(two: Offices) -> None:
    link = two.link("quentin", two.q)
    two["pia"].post(f"/p/{two.p}/people/reset/refuse", request=two.request("pia", two.p))
    assert two.office.client().get(link).status_code == 404
    link = two.link("quentin", two.q)
    two["pia"].post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    two["ann"].post("/account/reset/refuse")
    assert two.office.client().get(link).status_code == 404
    assert "refused a new password for Ann" in two["quirin"].get(f"/p/{two.q}/history")
    link = two.link("quentin", two.q)
    two["pia"].post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    two["quirin"].post(f"/p/{two.q}/people/{two['quentin'].id}/member")
    assert two.choose(link) == 409, "who asked manages nothing any more"
    assert not two.changed()


def test_a_project_that_a_person_joins_later_must_agree_as_well(two: Offices) -> None:
    link = two.link("quentin", two.q)
    two["pia"].post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    third = two.office.project(two["bob"], "stream", two["ann"])
    assert two.choose(link) == 409
    # Bob judges beside Ann in P; his consent counts for nothing, and he is not told why.
    two["bob"].post(f"/p/{third}/people/reset/confirm", request=two.request("bob", third))
    assert two.choose(link) == 409


def test_who_works_in_the_same_topic_neither_asks_nor_confirms(two: Offices) -> None:
    pia, bob = two["pia"], two["bob"]
    pia.post(f"/p/{two.p}/people/{bob.id}/manager")
    answer = two.ask("bob", two.p, status=409)
    assert "work in a topic that is not final" in refusal(answer.text)
    link = two.link("quentin", two.q)
    bob.post(f"/p/{two.p}/people/reset/confirm", 409, request=two.request("bob", two.p))
    # Giving the role back changes nothing for who has worked.
    bob.mark(two.topic, "a1-s01", "E1")
    pia.post(f"/t/{two.topic}/unassign", person=bob.id, role="judge")
    two.ask("bob", two.p, status=409)
    bob.post(f"/p/{two.p}/people/reset/confirm", 409, request=two.request("bob", two.p))
    # Consent ends when its giver begins to work there.
    pia.post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    pia.post(f"/t/{two.topic}/assign", person=pia.id, role="judge")
    assert two.choose(link) == 409


@pytest.mark.parametrize("way", ["by hand", "by a link", "by somebody in between"])
def test_who_manages_through_a_rival_neither_asks_nor_confirms(two: Offices, way: str) -> None:
    """A second account, or a friend's, that was made a manager only for this."""
    office, pia, bob = two.office, two["pia"], two["bob"]
    pia.post(f"/p/{two.p}/people/{bob.id}/manager")
    with_password(office, "Bo").close()
    two.people["bo"] = bo = office.person("Bo")
    giver = bob
    if way == "by somebody in between":
        with_password(office, "Bea", project=two.p).close()
        giver = office.person("Bea")
        bob.post(f"/p/{two.p}/people/{giver.id}/manager")
    managing = {"manager": "yes"} if way == "by a link" else {}
    page = giver.post(f"/p/{two.p}/people", 200, label="", **managing)
    bo.post(re.search(r"/invite/[\w-]{43}", page.text)[0])
    if way != "by a link":
        giver.post(f"/p/{two.p}/people/{bo.id}/manager")
    two["quentin"].post(f"/p/{two.q}/people/{two['ann'].id}/remove")
    two.ask("bo", two.p, status=409)
    third = office.project(two["quirin"], "stream", two["ann"])
    link = two.link("quirin", third)
    bo.post(f"/p/{two.p}/people/reset/confirm", 409, request=two.request("bo", two.p))
    assert two.choose(link) == 409
    # Pia manages through nobody.
    pia.post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    assert two.choose(link) == 303


def test_a_rival_elsewhere_gets_a_link_that_never_works(two: Offices) -> None:
    """Bob judges beside Ann in P; that they both do must not be told in a project of his own."""
    own = two.office.project(two["bob"], "stream", two["ann"])
    two["quentin"].post(f"/p/{two.q}/people/{two['ann'].id}/remove")
    link = two.link("bob", own)
    two["pia"].post(f"/p/{two.p}/people/reset/confirm", request=two.request("pia", two.p))
    assert two.choose(link) == 409
    assert not two.changed()


def test_a_founders_account_is_opened_on_the_server_only(two: Offices) -> None:
    client = with_password(two.office, "Mara", founder=True)
    mara = two.office.person("Mara")
    two["pia"].post(f"/p/{two.p}/people", 200, label="")
    with two.office.database.write() as connection:
        token = invite(connection, project=two.p)
    mara.post(f"/invite/{token}")
    two.people["mara"] = mara
    answer = two.ask("pia", two.p, "mara", 409)
    assert "reset on the server" in refusal(answer.text)
    assert client.get("/").status_code == 200


def test_who_made_a_link_that_was_used_does_not_judge_beside_its_owner(two: Offices) -> None:
    """They may have used it themselves, and seen what Ann decided."""
    pia, ann = two["pia"], two["ann"]
    two["quentin"].post(f"/p/{two.q}/people/{ann.id}/remove")
    assert two.choose(two.link("pia", two.p)) == 303
    pia.post(f"/t/{two.topic}/assign", 409, person=pia.id, role="judge")


# What ends with a password ----------------------------------------------------------------------


@pytest.mark.parametrize("way", ["own", "link", "server"])
def test_all_that_a_thief_could_hold_ends_with_the_password(two: Offices, way: str) -> None:
    office, pia = two.office, two["pia"]
    with office.database.write() as connection:
        api = tokens.create(connection, pia.id, "api", "script")
        feed = tokens.create(connection, pia.id, "feed", "reader")
        theirs = tokens.create(connection, two["quentin"].id, "api", "script")
    bearer, thief = {"Authorization": f"Bearer {api}"}, office.person("Pia")
    client = office.client()
    page = pia.post(f"/p/{two.p}/people", 200, label="Back door", manager="yes").text
    back_door = re.search(r"/invite/[\w-]{43}", page)[0]
    page = pia.post(f"/p/{two.p}/people", 200, label="Judge").text
    plain = re.search(r"/invite/[\w-]{43}", page)[0]
    assert client.get("/api/projects", headers=bearer).status_code == 200
    assert client.get(f"/feed/{feed}").status_code == 200
    if way == "own":
        pia.post("/account/password", old=PASSWORD, password=NEW, again=NEW)
    else:
        from chronoscore.workbench.exchange import console

        if way == "link":
            with office.database.write() as connection:
                made = invite(connection, project=two.p, manager=True)
            two["quirin"].post(f"/invite/{made}")
            link = two.link("quirin", two.p, "pia")
        else:
            *_, line = console.reset_password(office.database, "Pia", None)
            link = re.search(r"/reset/[\w-]{43}", line)[0]
        assert two.choose(link) == 303
    assert client.get("/api/projects", headers=bearer).status_code == 401
    assert client.get(f"/feed/{feed}").status_code == 404
    assert client.get(back_door).status_code == 404
    assert client.get(plain).status_code == 200, "whom a member was invited for is let in"
    thief.get("/", 303)
    others = {"Authorization": f"Bearer {theirs}"}
    assert client.get("/api/projects", headers=others).status_code == 200
    assert replay.verify(office.database).equal


def test_a_rebuilt_workbench_keeps_the_tokens_and_sessions_that_stand(two: Offices) -> None:
    office, pia = two.office, two["pia"]
    pia.post("/account/password", old=PASSWORD, password=NEW, again=NEW)
    again = office.person("Pia")
    with office.database.write() as connection:
        kept, gone = (tokens.create(connection, pia.id, "api", name) for name in ("a", "b"))
        tokens.revoke(connection, pia.id, accounts.digest_secret(gone))
    replay.rebuild(office.database)
    again.get("/")
    asked = [
        office.client().get("/api/projects", headers={"Authorization": f"Bearer {one}"}).status_code
        for one in (kept, gone)
    ]
    assert asked == [200, 401]


def test_accounts_tokens_and_links_are_in_the_log_without_their_secrets(two: Offices) -> None:
    page = two["pia"].post("/account/tokens", 200, kind="api", label="script").text
    token = re.search(r"(?<![\w-])[\w-]{43}(?![\w-])", page)[0]
    link = two.link("quentin", two.q)
    with two.office.database.read() as connection:
        entries = list(log.read(connection))
    names = {entry.action for entry in entries}
    assert names >= {"account.create", "token.create", "member.reset", "reset.ask"}
    text = str(entries)
    for secret in (token, link.rpartition("/")[2], PASSWORD, "argon2"):
        assert secret not in text


TAMPERED = {
    "token": (
        update(tables.token).values(person=2),
        update(tables.token).values(kind="api"),
        delete(tables.token),
        insert(tables.token).values(
            digest="d", person=1, kind="api", label="", created=0.0, used=None
        ),
    ),
    "invitation": (
        update(tables.invitation).values(used_by=None),
        update(tables.invitation).values(manager=True),
        update(tables.invitation).values(expires=1e12),
        insert(tables.invitation).values(
            digest="d", project=1, manager=True, founder=False, label="", expires=1e12
        ),
    ),
    "reset": (
        update(tables.reset).values(request=None),
        update(tables.reset).values(expires=1e12),
        insert(tables.reset).values(digest="d", person=1, expires=1e12),
    ),
    "person": (
        update(tables.person).values(founder=True),
        update(tables.person).where(tables.person.c.name == "Ann").values(name="Anna"),
        insert(tables.person).values(id=99, name="Mallory", created=0.0),
    ),
}


@pytest.mark.parametrize("table", TAMPERED)
def test_accounts_tokens_and_links_that_do_not_follow_from_the_log_are_noticed(
    two: Offices, table: str
) -> None:
    two["pia"].post("/account/tokens", 200, kind="feed", label="reader")
    two["pia"].post(f"/p/{two.p}/people", 200, label="Open")
    with_password(two.office, "Used", project=two.p).close()
    two.link("quentin", two.q)
    assert replay.verify(two.office.database).equal
    for change in TAMPERED[table]:
        with two.office.database.engine.connect() as connection:
            connection.execute(change)
            connection.commit()
        assert set(replay.verify(two.office.database).differing) == {table}
        with two.office.database.write() as connection:
            for one in (tables.token, tables.reset, tables.invitation, tables.session,
                        tables.person):  # fmt: skip
                connection.execute(delete(one))
        replay.rebuild(two.office.database)
        assert replay.verify(two.office.database).equal


# What somebody has seen -------------------------------------------------------------------------

LOOKS = ("/p/{p}/export.jsonl", "/p/{p}/export.csv", "/p/{p}/export.zip", "/p/{p}/agreement",
         "/p/{p}/agreement.csv", "/p/{p}/tables", "/p/{p}/split", "/p/{p}/history",
         "/t/{t}/history", "/api/projects/{p}/export")  # fmt: skip


@pytest.mark.parametrize("page", LOOKS)
def test_who_has_seen_marks_does_no_blind_work_in_the_topic(two: Offices, page: str) -> None:
    office, pia = two.office, two["pia"]
    with office.database.write() as connection:
        token = tokens.create(connection, pia.id, "api", "script")
    client = office.client() if page.startswith("/api") else pia.client
    where = page.format(p=two.p, t=two.topic)
    answer = client.get(where, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    for role in ("judge", "verifier"):
        refused = pia.post(f"/t/{two.topic}/assign", 409, person=pia.id, role=role)
        assert sight.SEEN[5:] in refusal(refused.text)
    pia.post(f"/t/{two.topic}/assign", person=pia.id, role="merger")
    kept = "export" in page or page.endswith("agreement.csv")
    with office.database.read() as connection:
        exports = list(log.read(connection, actions=["project.export"]))
    assert [entry.data["topics"] for entry in exports] == ([[two.topic]] if kept else [])
    # Neither giving up to manage nor another manager changes that.
    pia.post(f"/p/{two.p}/people/{two['bob'].id}/manager")
    two["bob"].post(f"/p/{two.p}/people/{pia.id}/member")
    two["bob"].post(f"/t/{two.topic}/assign", 409, person=pia.id, role="judge")
    assert replay.verify(office.database).equal


def test_what_shows_no_marks_hinders_nobody(two: Offices) -> None:
    pia = two["pia"]
    for page in ("", "/people", "/progress", "/notes", "/settings", "/guidelines", "/export"):
        pia.get(f"/p/{two.p}{page}")
    pia.get(f"/t/{two.topic}")
    other = two.office.topic(pia, two.p, "other")
    pia.get(f"/t/{other}/history")
    for topic in (two.topic, other):
        pia.post(f"/t/{topic}/assign", person=pia.id, role="judge")


def test_who_brings_in_judged_work_does_not_judge_it_blind(two: Offices) -> None:
    """Not even in a project of their own, from which nothing was ever exported."""
    quirin = two["quirin"]
    raw = two["pia"].get(f"/p/{two.p}/export.jsonl").encode()
    own = two.office.project(quirin, "stream", two["bob"])
    answer = quirin.post(f"/p/{own}/import", files={"files": ("j.jsonl", raw, "text/plain")})
    topic = int(re.search(r"/t/(\d+)", answer.headers["location"])[1])
    quirin.post(f"/t/{topic}/reopen", step="link", reason="More")
    quirin.post(f"/t/{topic}/assign", 409, person=quirin.id, role="judge")
    quirin.post(f"/t/{topic}/assign", person=two["bob"].id, role="judge")


def test_a_refusal_that_tells_of_marks_counts_as_seeing(two: Offices) -> None:
    """A form about a link is refused in one way if somebody made it, and in another if not."""
    pia = two["pia"]
    for judge in (two["ann"], two["bob"]):
        judge.post(f"/t/{two.topic}/submit", step="link", rest_off="yes")
    said = [
        refusal(pia.post(f"/t/{two.topic}/disagreements/link", status, verdict="drop", **form).text)
        for status, form in (
            (409, {"event": "E1", "item": "a1-s01", "base": "7"}),
            (400, {"event": "E1", "item": "a2-s01", "base": "7"}),
        )
    ]
    assert said[0] != said[1]
    pia.post(f"/t/{two.topic}/assign", 409, person=pia.id, role="judge")


def test_a_role_that_was_given_back_still_excludes_another(two: Offices) -> None:
    pia, bob = two["pia"], two["bob"]
    bob.mark(two.topic, "a1-s01", "E1")
    pia.post(f"/t/{two.topic}/unassign", person=bob.id, role="judge")
    pia.post(f"/t/{two.topic}/assign", 409, person=bob.id, role="verifier")
    pia.post(f"/t/{two.topic}/assign", person=bob.id, role="judge")


def test_a_verifier_who_only_looked_does_not_become_a_judge(two: Offices) -> None:
    pia, ann, bob = two["pia"], two["ann"], two["bob"]
    with_password(two.office, "Eve", project=two.p).close()
    eve = two.office.person("Eve")
    pia.post(f"/t/{two.topic}/assign", person=eve.id, role="verifier")
    for judge in (ann, bob):
        judge.post(f"/t/{two.topic}/submit", step="link", rest_off="yes")
    eve.get(f"/t/{two.topic}/verify")
    pia.post(f"/t/{two.topic}/reopen", step="link", reason="More")
    pia.post(f"/t/{two.topic}/unassign", person=eve.id, role="verifier")
    pia.post(f"/t/{two.topic}/assign", 409, person=eve.id, role="judge")
    pia.post(f"/t/{two.topic}/assign", person=eve.id, role="verifier")


def test_who_saw_a_final_topic_judges_no_further_when_it_is_reopened(office: Office) -> None:
    """What they handed in before stays; a step with nobody else in it cannot be reopened."""
    team = StreamTeam(office)
    team.manager.post(f"/p/{team.project}/people/{team.ann.id}/manager")
    team.link()
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob, s1=["E1"])
    topic = team.topic
    eve_verifies(team)
    team.ann.get(f"/t/{topic}/history")
    team.manager.post(f"/t/{topic}/reopen", step="link", reason="Bob slipped")
    assert json.loads(team.ann.get(f"/t/{topic}/link.json"))["mine"]["frozen"]
    assert "handed in" in team.ann.mark(topic, "a1-s02", "E2", base=1)["refused"]
    assert "what 1 person who has seen" in team.manager.get(f"/t/{topic}/history")
    assert "entry" in team.bob.mark(topic, "a1-s02", "E2", base=1)
    team.bob.post(f"/t/{topic}/submit", step="link")
    eve_verifies(team)
    with office.database.read() as connection:
        judged = corpora.build_topic(connection, topic, Library().source(connection, topic))
    marked = {link.sentence: set(link.marked_by) for link in judged.judgements.links}
    assert marked == {"a1-s01": {"Ann", "Bob"}, "a1-s02": {"Bob"}}
    team.manager.post(f"/p/{team.project}/people/{team.bob.id}/manager")
    team.bob.get(f"/t/{topic}/history")
    answer = team.manager.post(f"/t/{topic}/reopen", 409, step="identify", reason="Again")
    assert "Nobody can work in &#39;Identify&#39;" in refusal(answer.text)
    assert replay.verify(office.database).equal


def eve_verifies(team: StreamTeam) -> None:
    """Everything that is open is kept, and handed in."""
    for event in ("E1", "E2"):
        for item, base in team.items(event):
            fields = {"event": event, "item": item, "base": base, "verdict": "keep"}
            team.eve.post(f"/t/{team.topic}/verify", **fields)
    team.eve.post(f"/t/{team.topic}/submit", step="verify")


def test_to_look_is_kept_once_and_is_no_work(two: Offices) -> None:
    pia = two["pia"]
    for _ in range(3):
        pia.get(f"/t/{two.topic}/history")
    with two.office.database.read() as connection:
        assert len(list(log.read(connection, actions=["topic.see"]))) == 1
        rows = connection.execute(tables.activity.select()).all()
    assert pia.id not in {row.person for row in rows}


# Ids --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_that_leaves_without_names_carries_the_number_of_an_account(office: Office) -> None:
    """Also after many accounts, whose numbers could not be anything else."""
    for number in range(40):
        office.person(f"Nobody {number}")
    team = UnitsTeam(office)
    people = {team.will.id, team.wanda.id}
    assert min(people) > 40
    team.write(team.will, ("1997", "one"))
    team.write(team.wanda, ("1998", "two"))
    with office.database.read() as connection:
        ids = set(
            connection.execute(tables.line.select().with_only_columns(tables.line.c.id)).scalars()
        )
    assert len(ids) == 2
    for one in ids:
        assert re.fullmatch(r"l[0-9a-f]{12}", one)
        assert not any(one.startswith(f"l{number}-") for number in people)


NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")


def judged_by_many(office: Office, key: str) -> tuple[Visitor, int]:
    """A project whose judge number n links n sentences to the same event."""
    people = [office.person(name) for name in NAMES]
    manager = office.person("Mara", founder=True)
    data = {"name": "P", "workflow": "stream", "settings": DEFAULTS["stream"]}
    with office.database.write() as connection:
        entry = LogEntry(action="project.create", data=data, person=manager.id, key=key)
        project = log.append(connection, entry).seq
        for person in people:
            data = {"person": person.id, "manager": False}
            log.append(connection, LogEntry(action="member.add", data=data, project=project))
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=people)
    open_link(office, project, topic)
    for count, person in enumerate(people, 1):
        for sentence in SENTENCES[:count]:
            person.mark(topic, sentence, "E1")
    return manager, project


def exported_judges(manager: Visitor, project: int, query: str = "") -> list[list[str]]:
    """Who marked each sentence, in the order of an export; the first has everybody."""
    text = manager.get(f"/p/{project}/export.jsonl{query}")
    rows = map(json.loads, text.splitlines())
    return [row["marked_by"] for row in rows if row["kind"] == "link"]


def test_numbers_in_a_file_without_names_do_not_follow_the_names(office: Office) -> None:
    orders = []
    for key in ("one project's key", "another's"):
        manager, project = judged_by_many(office, key)
        marked = exported_judges(manager, project)
        assert marked == exported_judges(manager, project), "the same whenever one exports"
        for judges in marked:
            assert judges == sorted(judges), "nor does their order within a link"
        assert len(marked[0]) == len(NAMES)
        # Sentence n was marked by all but the first n judges.
        gone = [set(more) - set(fewer) for more, fewer in pairwise([*marked, []])]
        assert [len(one) for one in gone] == [1] * len(NAMES)
        orders.append([one.pop() for one in gone])
        assert exported_judges(manager, project, "?names=yes")[0] == list(NAMES)
        check_equal(office, manager, project, "stream")
    by_name = [f"j{number}" for number in range(1, len(NAMES) + 1)]
    assert orders[0] != orders[1]
    assert by_name not in orders
