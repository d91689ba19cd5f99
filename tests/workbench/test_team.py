"""A team: forgotten passwords, invitations, roles in many topics, renaming and archiving."""

import re
from typing import Any

import pytest
from sqlalchemy import delete, update

from chronoscore.cli import main
from chronoscore.workbench.domain import accounts, links
from chronoscore.workbench.domain.actions import projects
from chronoscore.workbench.store import log, replay, tables
from workbench.office import (
    PASSWORD,
    Office,
    Visitor,
    invite,
    login,
    open_link,
    refusal,
    to_link,
    with_password,
)

NEW = "another long sentence"


def signed_up(office: Office, name: str, **more: Any) -> Visitor:
    """Somebody with a password, and a session."""
    with_password(office, name, **more)
    return office.person(name)


def proof_on(client: Any, path: str) -> str:
    return re.search(r'name="proof" value="([^"]+)"', client.get(path).text)[1]


def reset_link(manager: Visitor, project: int, person: Visitor) -> str:
    answer = manager.post(f"/p/{project}/people/{person.id}/reset", 200)
    return re.search(r"/reset/[\w-]{43}", answer.text)[0]


def choose(client: Any, path: str, password: str, again: str | None = None) -> Any:
    data = {"proof": proof_on(client, path), "password": password}
    return client.post(path, data={**data, "again": password if again is None else again})


def test_a_manager_makes_a_link_for_a_new_password(
    office: Office, manager: Visitor, project: int
) -> None:
    ann = signed_up(office, "Ann", project=project)
    link, client = reset_link(manager, project, ann), office.client()
    assert login(office.client(), "Ann", PASSWORD).status_code == 303
    assert choose(client, link, "short").status_code == 400
    assert choose(client, link, NEW, "something else entirely").status_code == 400
    assert choose(client, link, NEW).headers["location"] == "/login"
    assert login(office.client(), "Ann", PASSWORD).status_code == 403
    assert login(office.client(), "Ann", NEW).status_code == 303
    assert client.get(link).status_code == 404, "the link works once"
    ann.get("/", 303)
    assert "made a link by which Ann chooses" in manager.get(f"/p/{project}/history")
    assert replay.verify(office.database).equal


def test_of_two_who_use_a_link_for_a_new_password_one_is_refused(
    office: Office, manager: Visitor, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has sent the form before the first is done."""
    link = reset_link(manager, project, signed_up(office, "Ann", project=project))
    client, hashes = office.client(), accounts.hash_password
    data = {"proof": proof_on(client, link), "password": NEW, "again": NEW}

    def overtaken(password: str) -> str:
        monkeypatch.setattr(accounts, "hash_password", hashes)
        with office.database.write() as connection:
            connection.execute(delete(tables.reset))
        return hashes(password)

    monkeypatch.setattr(accounts, "hash_password", overtaken)
    assert client.post(link, data=data).status_code == 404
    assert client.post(link, data=data).status_code == 404
    assert login(office.client(), "Ann", PASSWORD).status_code == 303


@pytest.mark.slow
def test_only_the_newest_link_works_and_only_for_a_day(
    office: Office, manager: Visitor, project: int
) -> None:
    ann, client = signed_up(office, "Ann", project=project), office.client()
    old, new = (reset_link(manager, project, ann) for _ in range(2))
    assert (client.get(old).status_code, client.get(new).status_code) == (404, 200)
    with office.database.write() as connection:
        connection.execute(update(tables.reset).values(expires=1.0))
    assert client.get(new).status_code == 404


def test_changing_the_password_voids_the_link(
    office: Office, manager: Visitor, project: int
) -> None:
    ann = signed_up(office, "Ann", project=project)
    link = reset_link(manager, project, ann)
    ann.post("/account/password", old=PASSWORD, password=NEW, again=NEW)
    assert office.client().get(link).status_code == 404


def test_a_link_does_not_make_anybody_more_than_they_are(
    office: Office, manager: Visitor, project: int
) -> None:
    """A manager could otherwise sign in as a founder, or as the manager of another project."""
    boss = signed_up(office, "Boss", project=project, manager=True)
    other = signed_up(office, "Olga", project=project)
    ann = signed_up(office, "Ann", project=project)
    elsewhere = office.project(other, "stream")
    assert elsewhere != project
    for person, status in ((manager, 400), (other, 200), (boss, 400), (ann, 200)):
        boss.post(f"/p/{project}/people/{person.id}/reset", status)
    with office.database.write() as connection:
        connection.execute(
            update(tables.person).where(tables.person.c.id == ann.id).values(founder=True)
        )
    boss.post(f"/p/{project}/people/{ann.id}/reset", 409)
    manager.post(f"/p/{project}/people/{other.id}/reset", 200)
    ann_elsewhere = signed_up(office, "Stranger")
    boss.post(f"/p/{project}/people/{ann_elsewhere.id}/reset", 400)
    other.post(f"/p/{project}/people/{boss.id}/reset", 404)


def test_the_command_line_resets_anybody(office: Office, capsys: Any) -> None:
    signed_up(office, "Mara", founder=True)
    office.person("Ann (imported)")
    database = str(office.database.engine.url.database)

    def reset(*words: str) -> int:
        with pytest.raises(SystemExit) as stopped:
            main(["workbench", "reset", "--database", database, *words])
        return int(stopped.value.code or 0)

    assert reset("mara", "--public-url", "https://judge.example.org/wb/") == 0
    out = capsys.readouterr().out
    link = re.search(r"https://judge\.example\.org/wb(/reset/[\w-]{43})", out)
    assert choose(office.client(), link[1], NEW).status_code == 303
    assert login(office.client(), "Mara", NEW).status_code == 303
    assert reset("Mira") == 2
    assert "did you mean 'Mara'?" in capsys.readouterr().err
    assert reset("Ann (imported)") == 2
    assert "was imported" in capsys.readouterr().err


def test_open_invitations_are_listed_and_withdrawn(
    office: Office, manager: Visitor, project: int
) -> None:
    page = manager.post(f"/p/{project}/people", 200, label="Ann from Turku", manager="yes").text
    link = re.search(r"/invite/[\w-]{43}", page)[0]
    assert "Ann from Turku" in page
    digest = re.search(r'name="invitation" value="([^"]+)"', page)[1]
    assert digest not in link
    other = office.project(manager, "stream")
    manager.post(f"/p/{other}/people/withdraw", invitation=digest)
    assert office.client().get(link).status_code == 200, "another project cannot withdraw it"
    manager.post(f"/p/{project}/people/withdraw", invitation=digest)
    assert office.client().get(link).status_code == 404
    assert "Ann from Turku" not in manager.get(f"/p/{project}/people")


def test_used_and_old_invitations_are_not_listed(office: Office, project: int) -> None:
    with office.database.write() as connection:
        invite(connection, days=-1, project=project, label="old")
        token = invite(connection, project=project, label="used")
        projects.join(connection, accounts.find_invitation(connection, token), 1)
        assert links.open_invitations(connection, project) == []


def test_a_known_person_joins_with_one_click(
    office: Office, manager: Visitor, project: int
) -> None:
    boss = signed_up(office, "Boss", project=project, manager=True)
    ann = signed_up(office, "Ann", project=project)
    stranger = signed_up(office, "Stranger")
    second = office.project(boss, "units")
    page = boss.get(f"/p/{second}/people")
    assert ">Ann</option>" in page
    assert "Stranger" not in page, "a manager knows the people of their own projects only"
    boss.post(f"/p/{second}/people/known", 400, person=stranger.id)
    imported = office.person("Judge 1 (imported)")
    assert imported.name not in manager.get(f"/p/{project}/people"), "cannot sign in"
    manager.post(f"/p/{project}/people/known", 400, person=imported.id)
    boss.post(f"/p/{second}/people/known", person=ann.id)
    ann.get(f"/p/{second}")
    ann.get(f"/p/{second}/people", 404)
    boss.post(f"/p/{second}/people/known", 400, person=ann.id)
    manager.post(f"/p/{project}/people/known", person=stranger.id)
    stranger.get(f"/p/{project}")


@pytest.mark.slow
def test_one_person_gets_a_role_in_many_topics(
    office: Office, manager: Visitor, project: int
) -> None:
    ann = signed_up(office, "Ann", project=project)
    names = ("dam", "flood", "storm")
    topics = [office.topic(manager, project, name) for name in names]
    office.assign(manager, topics[1], verifier=ann)
    where = f"/p/{project}/roles"
    seen = f"{ann.id}:{topics[1]}:verifier"
    cells = [f"{ann.id}:{topic}:judge" for topic in topics]
    answer = manager.post(where, 409, cell=[seen, *cells], seen=seen)
    assert "2 changes were saved, 1 not" in answer.text
    assert "Flood</span>: a topic&#39;s verifier must not be one of its judges" in answer.text
    with office.database.read() as connection:
        given = {
            (entry.topic, entry.data["role"])
            for entry in log.read(connection, actions=["topic.assign"])
        }
    assert given == {(topics[0], "judge"), (topics[1], "verifier"), (topics[2], "judge")}
    ann.post(where, 404, cell=cells)


def test_a_box_that_nobody_touched_takes_back_nothing_that_another_manager_did(
    office: Office, manager: Visitor, project: int
) -> None:
    ann, bob = (signed_up(office, name, project=project) for name in ("Ann", "Bob"))
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=ann)
    page = manager.get(f"/p/{project}/roles")
    boxes = set(re.findall(r'name="cell" value="([^"]+)" checked', page))
    seen = set(re.findall(r'name="seen" value="([^"]+)"', page))
    assert boxes == seen == {f"{ann.id}:{topic}:judge"}
    office.assign(manager, topic, verifier=bob)
    manager.post(f"/p/{project}/roles", cell=[f"{ann.id}:{topic}:merger"], seen=[*seen])
    page = manager.get(f"/p/{project}/roles")
    boxes = set(re.findall(r'name="cell" value="([^"]+)" checked', page))
    assert boxes == {f"{ann.id}:{topic}:merger", f"{bob.id}:{topic}:verifier"}


def test_roles_are_saved_and_drafts_opened_at_once(
    office: Office, manager: Visitor, project: int
) -> None:
    ann = signed_up(office, "Ann", project=project)
    staffed, empty = (office.topic(manager, project, name) for name in ("dam", "flood"))
    manager.post(f"/p/{project}/roles", cell=f"{ann.id}:{staffed}:judge", then="open")
    assert f"/t/{staffed}/identify" in ann.get("/")
    assert "Open the first step" in manager.get(f"/t/{empty}")


@pytest.mark.parametrize(("role", "asks"), [("verifier", True), ("judge", True), ("merger", False)])
def test_managers_are_asked_once_before_a_role_hides_the_figures_from_them(
    office: Office, manager: Visitor, project: int, role: str, asks: bool
) -> None:
    topic = office.topic(manager, project)
    cell = f"{manager.id}:{topic}:{role}"
    before = office.entries()
    answer = manager.post(f"/p/{project}/roles", 200 if asks else 303, cell=cell)
    if asks:
        assert "hidden from you until it is final" in answer.text
        assert f'value="{cell}" checked' in answer.text
        assert office.entries() == before
        manager.post(f"/p/{project}/roles", cell=cell, sure="yes")
    assert f'value="{cell}" checked' in manager.get(f"/p/{project}/roles")


def test_topics_of_another_project_are_not_assigned(
    office: Office, manager: Visitor, project: int
) -> None:
    boss = office.person("Boss")
    mine = office.project(boss, "stream")
    theirs = office.topic(manager, project)
    boss.post(f"/p/{mine}/roles", 400, cell=f"{boss.id}:{theirs}:judge", sure="yes")


def test_a_topic_is_renamed_and_its_ids_stay(
    office: Office, manager: Visitor, project: int
) -> None:
    topic = office.topic(manager, project)
    manager.post(f"/t/{topic}/title", title="The Corvane dam")
    page = manager.get(f"/t/{topic}")
    assert '<h1 dir="auto">The Corvane dam</h1>' in page
    assert "dam · 2 stories" in page
    manager.post(f"/t/{topic}/title", 400, title="")
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_an_archived_topic_leaves_the_lists_and_comes_back(
    office: Office, manager: Visitor, project: int
) -> None:
    ann = signed_up(office, "Ann", project=project)
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=ann)
    open_link(office, project, topic)
    assert "Link now" in ann.get("/")
    manager.post(f"/t/{topic}/archive", archived="yes")
    assert "Link now" not in ann.get("/")
    assert ann.mark(topic, "a1-s01", "E1")["refused"].startswith("this is archived")
    ann.get(f"/t/{topic}/link")
    manager.get(f"/p/{project}/export.jsonl", 400)
    assert "Archived topics (1)" in manager.get(f"/p/{project}")
    page = manager.get(f"/t/{topic}")
    assert set(re.findall(r'action="(/t/[^"]+)"', page)) == {f"/t/{topic}/archive"}
    assert "Dam" not in manager.get(f"/p/{project}/progress")
    manager.post(f"/t/{topic}/archive", archived="no")
    assert "entry" in ann.mark(topic, "a1-s01", "E1")
    manager.get(f"/p/{project}/export.jsonl")
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_an_archived_project_is_read_only(office: Office, manager: Visitor, project: int) -> None:
    ann = signed_up(office, "Ann", project=project)
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=ann)
    open_link(office, project, topic)
    manager.post(f"/p/{project}/people", 200, label="late")
    manager.post(f"/p/{project}/archive", archived="yes")
    assert "Archived projects (1)" in ann.get("/")
    assert "refused" in ann.mark(topic, "a1-s01", "E1")
    for path, fields in (
        ("people", {"label": "x"}), ("settings", {"name": "x"}), ("people/known", {"person": 1}),
        ("roles", {"cell": f"{ann.id}:{topic}:merger"}),
    ):  # fmt: skip
        manager.post(f"/p/{project}/{path}", 409, **fields)
    manager.get(f"/p/{project}/export.jsonl")
    for path in (f"/t/{topic}", f"/p/{project}/people"):
        forms = re.findall(r'action="(/[pt]/[^"]+)"', manager.get(path))
        assert forms == [], "what would be refused is not offered"
    with office.database.read() as connection:
        assert links.open_invitations(connection, project) == []
    manager.post(f"/p/{project}/archive", archived="no")
    assert "entry" in ann.mark(topic, "a1-s01", "E1")


@pytest.mark.slow
def test_a_story_gets_another_title_before_judging_begins(
    office: Office, manager: Visitor, project: int
) -> None:
    ann, bob = (signed_up(office, name, project=project) for name in ("Ann", "Bob"))
    topic = office.topic(manager, project)
    manager.get(f"/t/{topic}")
    manager.post(f"/t/{topic}/stories", story="a1", title="The dam leaks")
    assert "The dam leaks" in manager.get(f"/t/{topic}/stories")
    manager.post(f"/t/{topic}/stories", 400, story="a9", title="None")
    office.assign(manager, topic, judge=[ann, bob])
    ann.get(f"/t/{topic}/stories", 404)
    ann.post(f"/t/{topic}/stories", 404, story="a1", title="Mine")
    manager.post(f"/t/{topic}/open")
    answer = manager.post(f"/t/{topic}/stories", 409, story="a1", title="Too late")
    assert "judging has begun" in refusal(answer.text).lower()
    to_link(office, manager, topic, ann, bob)
    assert "The dam leaks" in ann.get(f"/t/{topic}/link.json")
    assert replay.verify(office.database).equal


def test_a_project_keeps_a_manager(office: Office, manager: Visitor, project: int) -> None:
    for change in ("member", "remove"):
        manager.post(f"/p/{project}/people/{manager.id}/{change}", 409)
    manager.get(f"/p/{project}/people")


@pytest.mark.parametrize(("column", "hours"), [("seen", 13), ("created", 15 * 24)])
def test_a_session_ends_when_it_is_idle_or_old(
    office: Office, manager: Visitor, column: str, hours: int
) -> None:
    manager.get("/account")
    with office.database.write() as connection:
        earlier = tables.session.c[column] - hours * 3600
        connection.execute(update(tables.session).values({column: earlier}))
    assert manager.client.get("/account").status_code == 303
