"""Guidelines, deadlines, disagreements, discussion, progress, tables, feeds and tokens."""

import csv
import io
import json
import re
import time
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from sqlalchemy import update

from chronoscore.stats.chance import link_agreement
from chronoscore.workbench.domain import pace, tokens
from chronoscore.workbench.domain.access import find_topic
from chronoscore.workbench.exchange.spreadsheets import csv_bytes
from chronoscore.workbench.store import log, replay, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import load
from chronoscore.workbench.web import markdown
from chronoscore.workbench.web.routes.programs import API
from workbench.office import Office, Visitor, to_link

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"


class Team:
    """A stream with two judges and a verifier."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.mara = office.person("Mara", founder=True)
        self.ann, self.bob, self.eve = (office.person(name) for name in ("Ann", "Bob", "Eve"))
        self.stranger = office.person("Stranger")
        self.project = office.project(self.mara, "stream", self.ann, self.bob, self.eve)
        self.topic = office.topic(self.mara, self.project)
        office.assign(self.mara, self.topic, judge=[self.ann, self.bob], verifier=self.eve)

    def opened(self) -> "Team":
        self.mara.post(f"/t/{self.topic}/open")
        return self

    def linked(self) -> "Team":
        """Ann links two sentences to E1, Bob the first of them and another to E2."""
        to_link(self.office, self.mara, self.topic, self.ann, self.bob)
        self.ann.mark(self.topic, "a1-s01", "E1")
        self.ann.mark(self.topic, "a2-s03", "E1")
        self.bob.mark(self.topic, "a1-s01", "E1")
        self.bob.mark(self.topic, "a2-s01", "E2")
        return self

    def handed_in(self) -> "Team":
        for judge in (self.ann, self.bob):
            judge.post(f"/t/{self.topic}/submit", step="link", rest_off="yes")
        return self


@pytest.fixture
def team(office: Office) -> Team:
    return Team(office)


def write(team: Team, text: str, step: str = "", base: int = 0, status: int = 303) -> Any:
    where = f"/p/{team.project}/guidelines"
    return team.mara.post(where, status, step=step, text=text, base=str(base))


def test_guidelines_are_shown_before_the_first_visit_and_after_a_change(team: Team) -> None:
    write(team, "Be **kind**.")
    write(team, "# Events\n\nAn event *happened*.", "identify")
    team.opened()
    where = f"/t/{team.topic}/identify"
    page = team.ann.get(where)
    assert "Before you begin: Identify" in page
    assert "<strong>kind</strong>" in page
    assert "<em>happened</em>" in page
    read = f"/p/{team.project}/guidelines/read"
    answer = team.ann.post(read, read=[":1", "identify:1"], back=where)
    assert answer.headers["location"] == where
    assert "Before you begin" not in team.ann.get(where)
    assert "Before you begin" in team.bob.get(where)
    write(team, "An event happened once.", "identify", base=1)
    page = team.ann.get(where)
    assert "happened once" in page
    assert "kind" not in page, "what was read already is not shown again"
    team.ann.post(read, 400, read="identify:1")
    page = team.mara.get(f"/p/{team.project}/guidelines")
    assert re.search(r"Ann</th>\s*<td[^>]*>1 ✓</td>\s*<td[^>]*>1</td>", page), page
    assert "Who has read" not in team.ann.get(f"/p/{team.project}/guidelines")
    team.stranger.get(f"/p/{team.project}/guidelines", 404)
    assert replay.verify(team.office.database).equal


def test_two_managers_do_not_overwrite_each_others_guidelines(team: Team) -> None:
    write(team, "First.")
    write(team, "Second.", base=1)
    assert "nother tab changed" in write(team, "Third.", base=1, status=409).text
    write(team, "x", "none", status=400)
    page = team.mara.get(f"/p/{team.project}/guidelines/edit?step=")
    assert "Version 1 of" in page
    team.ann.get(f"/p/{team.project}/guidelines/edit?step=", 404)
    team.ann.post(f"/p/{team.project}/guidelines", 404, step="", text="Mine.", base="2")


def test_guidelines_that_are_handed_in_or_emptied_bother_nobody(team: Team) -> None:
    write(team, "Read me.")
    write(team, "", base=1)
    team.opened()
    assert "Before you begin" not in team.ann.get(f"/t/{team.topic}/identify")


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](https://evil.example/x.png)",
        "<img src=x onerror=alert(1)>", "[x](data:text/html,<b>)", "<a href=//evil.example>x</a>",
    ],
)  # fmt: skip
def test_guidelines_run_nothing_and_load_nothing(evil: str) -> None:
    html = str(markdown.render(evil))
    assert not re.search(r"<(script|img|a href=[\"']?(javascript|data|//))", html, re.I)


def test_markdown_keeps_what_people_write() -> None:
    html = str(
        markdown.render(
            "# A\n\n- one\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |"
        )
    )
    for part in ("<h3>A</h3>", "<li>one</li>", 'href="https://example.org"', "<td>1</td>",
                 'rel="noopener noreferrer"'):  # fmt: skip
        assert part in html


def test_deadlines_are_shown_where_work_waits(team: Team) -> None:
    where = f"/t/{team.topic}/deadline"
    team.mara.post(where, step="identify", day="2001-03-12")
    team.mara.post(where, step="link", day="2999-03-12")
    for step, day in (("identify", "soon"), ("identify", "2001-02-30"), ("draft", "2001-01-01")):
        team.mara.post(where, 400, step=step, day=day)
    team.ann.post(where, 404, step="identify", day="2001-03-12")
    team.ann.post(where, 404)
    before = team.office.entries()
    page = team.mara.get(f"/t/{team.topic}")
    assert page.count(f'action="{where}"') == 1, "one form has the days of all steps"
    assert page.count('name="day"') == 4
    both = {"step": ["identify", "link"], "day": ["2001-03-12", "2999-03-13"]}
    team.mara.post(where, **both)
    assert team.office.entries() == before + 1, "the day that stays is not logged again"
    team.opened()
    assert "was due Mon 12 Mar 2001" in team.ann.get("/")
    assert "was due" in team.mara.get(f"/p/{team.project}/progress")
    team.mara.post(where, step="identify", day="")
    assert "was due" not in team.ann.get("/")
    assert replay.verify(team.office.database).equal


def test_the_digest_says_what_waits_for_whom(team: Team) -> None:
    page = team.mara.get("/")
    assert "is a draft: give roles" in page
    team.opened()
    assert "Identify now" in team.ann.get("/")
    assert "Waits for others" not in team.ann.get("/")
    assert re.search(r"<b>Ann, Bob</b> – .*?Identify: “Dam”", team.mara.get("/"))
    team.ann.post(f"/t/{team.topic}/notes", place="", text="What is an event?")
    assert "1 note waits for an answer" in team.mara.get("/")


def test_a_manager_who_judges_does_not_learn_who_is_at_work(team: Team) -> None:
    team.office.assign(team.mara, team.topic, judge=team.mara)
    team.opened()
    assert "Waits for others" not in team.mara.get("/")


def test_the_feed_is_what_waits_for_its_owner(team: Team) -> None:
    team.mara.post(f"/t/{team.topic}/deadline", step="identify", day="2999-03-12")
    team.opened()
    for person, wanted in (
        (team.ann, "Identify: “Dam”"),
        (team.mara, "Ann, Bob – Identify: “Dam”"),
    ):
        page = person.post("/account/tokens", 200, kind="feed", label="reader").text
        address = re.search(r"http://127\.0\.0\.1:8765(/feed/[\w-]{43})", page)[1]
        answer = team.office.client().get(address)
        assert answer.headers["content-type"] == "application/atom+xml"
        root = ElementTree.fromstring(answer.text)
        assert [one.text for one in root.iter(f"{ATOM}title")][1:] == [wanted]
        assert "due 2999-03-12" in answer.text
        token = address.rpartition("/")[2]
        headers = {"Authorization": f"Bearer {token}"}
        assert team.office.client().get("/api/projects", headers=headers).status_code == 401
        digest = re.search(r'name="token" value="([^"]+)"', page)[1]
        team.bob.post("/account/tokens/revoke", token=digest)
        assert team.office.client().get(address).status_code == 200, "only its owner revokes it"
        person.post("/account/tokens/revoke", token=digest)
        assert team.office.client().get(address).status_code == 404


def asked(team: Team, person: Visitor, path: str) -> Any:
    with team.office.database.write() as connection:
        token = tokens.create(connection, person.id, "api", "test")
    client = team.office.client()
    return client.get(path, headers={"Authorization": f"Bearer {token}"})


def test_the_interface_answers_as_its_description_says(team: Team) -> None:
    team.opened().linked().handed_in()
    described = team.office.client().get("/api/openapi.json").json()
    assert described["servers"] == [{"url": "http://127.0.0.1:8765"}]
    for path, operation in API.items():
        responses = described["paths"][path.replace(":int", "")]["get"]["responses"]
        answer = asked(team, team.mara, path.replace("{project:int}", str(team.project)))
        assert answer.status_code == 200
        kind = answer.headers["content-type"].partition(";")[0]
        assert list(responses["200"]["content"]) == [kind]
        if operation.answer is not None:
            name = responses["200"]["content"][kind]["schema"]["$ref"].rpartition("/")[2]
            schema = described["components"]["schemas"][name]
            assert set(schema["properties"]) == set(schema["required"]) == set(answer.json())
            assert msgspec.json.decode(answer.content, type=operation.answer)
    whole = asked(team, team.mara, f"/api/projects/{team.project}/export")
    assert whole.text == team.mara.get(f"/p/{team.project}/export.jsonl")


def test_tokens_open_only_what_their_owner_manages(team: Team) -> None:
    """A session alone opens nothing there, so no other site can make a browser ask."""
    where = f"/api/projects/{team.project}"
    assert asked(team, team.ann, "/api/projects").json() == {"projects": []}
    for person in (team.ann, team.stranger):
        for end in ("", "/progress", "/export"):
            assert asked(team, person, where + end).status_code == 404
    assert team.mara.client.get(where).status_code == 401
    for wrong in ("Bearer wrong", "Basic bWFyYQ==", "Bearer", "Bearer "):
        answer = team.office.client().get(where, headers={"Authorization": wrong})
        assert answer.status_code == 401
    for method in ("POST", "PUT", "DELETE"):
        assert team.mara.client.request(method, where).status_code == 405


def test_programs_of_a_manager_who_judges_stay_blind(team: Team) -> None:
    team.office.assign(team.mara, team.topic, judge=team.mara)
    team.opened()
    page = asked(team, team.mara, f"/api/projects/{team.project}").json()
    assert page["topics"][0]["blind"] is True
    assert page["topics"][0]["waits_for"] is None
    rows = asked(team, team.mara, f"/api/projects/{team.project}/progress").json()
    assert rows == {"progress": []}
    assert asked(team, team.mara, f"/api/projects/{team.project}/export").status_code == 400


def test_a_token_is_kept_as_a_hash_and_its_use_is_noted(team: Team) -> None:
    page = team.mara.post("/account/tokens", 200, kind="api", label="my script").text
    token = re.search(r'id="fresh">([\w-]{43})<', page)[1]
    assert "never used" in page
    with team.office.database.read() as connection:
        rows = str(connection.exec_driver_sql("SELECT * FROM token").all())
    assert token not in rows
    headers = {"Authorization": f"Bearer {token}"}
    assert team.office.client().get("/api/projects", headers=headers).status_code == 200
    listed = team.mara.get("/account/tokens")
    assert "never used" not in listed
    assert token not in listed
    team.mara.post("/account/tokens", 400, kind="root", label="x")


def test_disagreements_stand_side_by_side_worst_first(team: Team) -> None:
    where = f"/t/{team.topic}/disagreements"
    team.opened().linked()
    team.mara.get(where, 404)
    team.handed_in()
    page = team.mara.get(where)
    assert "2 links on which" in page
    assert re.search(r"Yes \(1\)</h2><p>Ann</p>.*?No \(1\)</h2><p>Bob: .*?off", page, re.S)
    for nobody in (team.ann, team.eve, team.stranger):
        nobody.get(where, 404)
    agreement = team.mara.get(f"/p/{team.project}/agreement")
    assert f"/t/{team.topic}/disagreements?event=E1" in agreement
    assert "The dam breaks" in team.mara.get(f"{where}?event=E2")
    assert "1 link on which" in team.mara.get(f"{where}?event=E1")


@pytest.mark.slow
def test_more_evenly_split_links_come_first(office: Office) -> None:
    mara = office.person("Mara", founder=True)
    judges = [office.person(f"Judge {n}") for n in range(4)]
    project = office.project(mara, "stream", *judges)
    topic = office.topic(mara, project)
    office.assign(mara, topic, judge=judges)
    mara.post(f"/t/{topic}/open")
    to_link(office, mara, topic, *judges)
    for judge, sentences in zip(judges, ("s01 s02 s03", "s02 s03", "s03", "s03"), strict=True):
        for sentence in sentences.split():
            judge.mark(topic, f"a1-{sentence}", "E1")
        judge.post(f"/t/{topic}/submit", step="link", rest_off="yes")
    page = mara.get(f"/t/{topic}/disagreements")
    assert [int(n) for n in re.findall(r"Yes \((\d)\)", page)] == [2, 1]
    matrix = (
        mara.get(f"/p/{project}/agreement")
        .partition('class="matrix"')[2]
        .partition('<tr><th scope="row">All')[0]
    )
    assert len(re.findall(r"<td><b>", matrix)) == 6, "every pair"


@pytest.mark.slow
def test_a_manager_decides_and_the_verifier_sees_it_decided(team: Team) -> None:
    team.opened().linked().handed_in()
    where = f"/t/{team.topic}/disagreements/link"
    decision = {"event": "E1", "item": "a2-s03", "base": "0", "verdict": "drop"}
    for nobody in (team.ann, team.eve):
        nobody.post(where, 404, **decision)
    team.mara.post(where, **decision)
    team.mara.post(where, 409, **decision)
    assert "✗ dropped" in team.eve.get(f"/t/{team.topic}/verify?event=E1")
    history = team.mara.get(f"/t/{team.topic}/history")
    assert "decided: 2.3 for “" in history
    with team.office.database.read() as connection:
        access = find_topic(connection, team.mara.id, team.topic)
    assert access.unblinded, "deciding is not judging: the manager still sees everything"
    assert replay.verify(team.office.database).equal


def test_a_manager_who_judges_decides_nothing(team: Team) -> None:
    team.office.assign(team.mara, team.topic, judge=team.mara)
    team.opened()
    to_link(team.office, team.mara, team.topic, team.ann, team.bob, team.mara)
    team.ann.mark(team.topic, "a1-s01", "E1")
    for judge in (team.ann, team.bob, team.mara):
        judge.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    decision = {"event": "E1", "item": "a1-s01", "base": "0", "verdict": "drop"}
    team.mara.post(f"/t/{team.topic}/disagreements/link", 404, **decision)


@pytest.mark.slow
def test_sentences_are_discussed_after_hand_in_by_those_who_may(team: Team) -> None:
    where = f"/t/{team.topic}/discussion"
    team.opened().linked()
    said = {"label": "1.1", "text": "I linked this one"}
    for person in (team.ann, team.mara):
        person.get(where, 404)
        person.post(where, 404, **said)
    team.handed_in()
    team.ann.post(where, **said)
    team.bob.post(where, sentence="a1-s01", text="So did I")
    for person in (team.bob, team.mara):
        page = person.get(where)
        assert "I linked this one" in page
        assert "So did I" in page
    assert "You linked it to:" in team.bob.get(where)
    for nobody in (team.eve, team.stranger):
        nobody.get(where, 404)
        nobody.post(where, 404, **said)
    assert "I linked" not in team.eve.get(f"/t/{team.topic}/verify")
    assert "I linked" not in team.eve.get(f"/t/{team.topic}")
    team.ann.post(where, 400, sentence="a1-s01", text="")
    team.ann.post(where, 400, sentence="none", text="x")
    for event, items in (("E1", ("a1-s01", "a2-s03")), ("E2", ("a2-s01",))):
        for item in items:
            team.eve.post(
                f"/t/{team.topic}/verify", event=event, item=item, base="0", verdict="keep"
            )
    team.eve.post(f"/t/{team.topic}/submit", step="verify")
    assert "I linked this one" in team.eve.get(where), "final: nothing is blind any more"


def test_progress_tells_pace_and_expected_end(team: Team) -> None:
    """Three of seven sentences in 30 minutes of work, begun three hours ago."""
    team.opened().linked()
    now = time.time()
    place = {"person": team.ann.id, "project": team.project, "topic": team.topic, "step": "link"}
    with team.office.database.write() as connection:
        connection.execute(
            update(tables.activity)
            .where(tables.activity.c.person == team.ann.id, tables.activity.c.step == "link")
            .values(seconds=1800.0)
        )
        connection.execute(
            update(tables.log)
            .where(tables.log.c.person == team.ann.id, tables.log.c.action == "mark")
            .values(time=now - 3 * 3600)
        )
        change = {"sentence": "a2-s02", "off": True, "links": [], "joined": False, "version": 1}
        data = {"changes": [change], "before": []}
        log.append(connection, LogEntry(action="mark", data=data, time=now - 3 * 3600, **place))
        connection.execute(
            update(tables.activity)
            .where(tables.activity.c.person == team.ann.id, tables.activity.c.step == "link")
            .values(seconds=1800.0)
        )
        source = load(connection, team.topic)
        rows = pace.list_rows(connection, find_topic(connection, team.mara.id, team.topic), source)
    (row,) = (row for row in rows if row.step == "link" and row.name == "Ann")
    assert row.share == pytest.approx(3 / 7)
    assert row.rate == pytest.approx(6)
    assert row.left == pytest.approx(2400)
    assert row.ends == pytest.approx(now + 4 * 3600, abs=60)
    page = team.mara.get(f"/p/{team.project}/progress")
    assert "6 sentences/h" in page
    assert "<progress" in page


def table(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_csv_tables_say_what_the_judgements_file_says(team: Team) -> None:
    team.opened().linked().handed_in()
    rows = table(team.mara.get(f"/p/{team.project}/export.csv"))
    lines = team.mara.get(f"/p/{team.project}/export.jsonl").splitlines()
    links = [one for one in map(json.loads, lines) if one["kind"] == "link"]
    assert [(r["sentence"], r["event"], r["judges"]) for r in rows] == [
        (one["sentence"], one["event"], " ".join(one["marked_by"])) for one in links
    ]
    assert rows[0]["text"] == "The Corvane dam began to leak on Saturday."
    assert rows[0]["event_text"] == "The dam leaks"
    progress = table(team.mara.get(f"/p/{team.project}/progress.csv"))
    assert {row["person"] for row in progress} == {"Ann", "Bob", "Eve"}
    agreement = table(team.mara.get(f"/p/{team.project}/agreement.csv"))
    assert [row["disputed"] for row in agreement] == ["1", "1"]
    for page in ("export", "progress", "agreement"):
        team.ann.get(f"/p/{team.project}/{page}.csv", 404)


@pytest.mark.slow
def test_units_are_a_table_too(office: Office) -> None:
    mara = office.person("Mara", founder=True)
    mara.post("/demo")
    project = re.search(r'/p/(\d+)">Demo: content units', mara.get("/"))[1]
    rows = table(mara.get(f"/p/{project}/export.csv?finished=yes"))
    assert len(rows) > 5
    assert all(row["action"] and row["lines"] for row in rows)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_a_spreadsheet_runs_nothing(cell: str) -> None:
    assert b"'" + cell[:1].encode() in csv_bytes(["a"], [[cell]])


def test_agreement_on_the_page_is_what_the_library_computes(team: Team) -> None:
    team.opened().linked().handed_in()
    page = team.mara.get(f"/p/{team.project}/agreement")
    with team.office.database.read() as connection:
        from chronoscore.workbench.domain import corpora

        judged = corpora.build_topic(connection, team.topic, load(connection, team.topic))
    found = link_agreement(judged.judgements, ["Ann", "Bob"])
    # E1: both 1, Ann 1, neither 5; E2: Bob 1, neither 6 — 14 decisions.
    both, ann, bob, neither = 1, 1, 1, 11
    chance = ((both + ann) * (both + bob) + (neither + ann) * (neither + bob)) / 14**2
    kappa = ((both + neither) / 14 - chance) / (1 - chance)
    assert found.kappas["Ann", "Bob"].value == pytest.approx(kappa)
    assert re.search(rf'<th scope="row">Ann</th><td><b>{kappa:.2f}', page)
