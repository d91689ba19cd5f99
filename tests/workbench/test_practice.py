"""Practice with answers, sentences decided twice, and machines that judge."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.workbench.domain import figures
from chronoscore.workbench.domain.access import find_topic
from chronoscore.workbench.store import replay
from chronoscore.workbench.store.source import load
from judging.chat_server import Body, Said, data_of, serving
from workbench.office import Office, Visitor, to_link

pytestmark = pytest.mark.filterwarnings("ignore:.*has no footer")


class Team:
    """A stream whose links Ann and Bob made and Eve verified; Nia is new."""

    def __init__(self, office: Office, **settings: Any) -> None:
        self.office = office
        names = ("Ann", "Bob", "Eve", "Nia")
        self.mara = office.person("Mara", founder=True)
        self.ann, self.bob, self.eve, self.nia = people = [office.person(name) for name in names]
        self.project = office.project(self.mara, "stream", *people, **settings)
        self.topic = office.topic(self.mara, self.project)
        office.assign(self.mara, self.topic, judge=[self.ann, self.bob], verifier=self.eve)
        self.mara.post(f"/t/{self.topic}/open")
        to_link(office, self.mara, self.topic, self.ann, self.bob)
        for judge in (self.ann, self.bob):
            judge.mark(self.topic, "a1-s01", "E1")
            judge.mark(self.topic, "a2-s01", "E2")

    def submit(self, *judges: Visitor) -> "Team":
        for judge in judges or (self.ann, self.bob):
            judge.post(f"/t/{self.topic}/submit", step="link", rest_off="yes")
        return self

    def verified(self) -> "Team":
        self.submit()
        for event, item in (("E1", "a1-s01"), ("E2", "a2-s01")):
            self.eve.post(
                f"/t/{self.topic}/verify", event=event, item=item, base="0", verdict="keep"
            )
        self.eve.post(f"/t/{self.topic}/submit", step="verify")
        return self

    def practice(self) -> int:
        answer = self.mara.post(f"/t/{self.topic}/practice")
        return int(answer.headers["location"].rpartition("/")[2])


@pytest.mark.slow
def test_a_judge_sees_at_the_end_what_differed(office: Office) -> None:
    team = Team(office).verified()
    practice = team.practice()
    draft = team.mara.get(f"/t/{practice}")
    assert "Assign everyone who wants to practice as a judge." in draft
    for word in ("Merge", "Verif", "Identify"):
        assert word not in draft, "practice goes from its draft to linking"
    team.mara.post(f"/t/{practice}/deadline", 400, step="verify", day="2031-03-12")
    office.assign(team.mara, practice, judge=[team.nia, team.ann])
    team.mara.post(f"/t/{practice}/open")
    team.mara.post(f"/t/{practice}/reopen", 400, step="identify", reason="there is no such step")
    assert "Practice: Dam" in team.nia.get("/")
    data = json.loads(team.nia.get(f"/t/{practice}/link.json"))
    assert [event["text"] for event in data["mine"]["events"]] == [
        "The dam leaks",
        "The dam breaks",
    ]
    team.nia.get(f"/t/{practice}/review", 404)
    team.nia.mark(practice, "a1-s01", "E1")
    team.nia.mark(practice, "a2-s02", "E2")
    team.nia.post(f"/t/{practice}/submit", step="link", rest_off="yes")
    page = team.nia.get(f"/t/{practice}/review")
    assert "<b>5</b> of 7 sentences are decided as in the answers" in page
    assert "of the 3 that are linked to an event here or there, <b>1</b>" in page
    assert len(re.findall("<h2>Answer</h2>", page)) == 2
    assert "a1-s01" not in page
    team.ann.get(f"/t/{practice}/review", 404)
    assert "Nia" in team.mara.get(f"/t/{practice}/review?person={team.nia.id}")
    team.nia.get(f"/t/{practice}/review?person={team.ann.id}", 404)
    assert "Link" in team.ann.get("/"), "it stays open for the others"
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_practice_is_part_of_no_figure_and_no_export(office: Office) -> None:
    team = Team(office).verified()
    before = [team.mara.get(f"/p/{team.project}/{page}") for page in ("tables", "export.jsonl")]
    practice = team.practice()
    office.assign(team.mara, practice, judge=team.nia)
    team.mara.post(f"/t/{practice}/open")
    team.nia.post(f"/t/{practice}/submit", step="link", rest_off="yes")
    team.mara.post(f"/t/{practice}/open")
    after = [team.mara.get(f"/p/{team.project}/{page}") for page in ("tables", "export.jsonl")]
    key = r"[0-9a-f]{32,128}"
    assert [re.sub(key, "", one) for one in before] == [re.sub(key, "", one) for one in after]


def test_practice_is_made_of_final_topics_by_managers(office: Office) -> None:
    team = Team(office)
    team.mara.post(f"/t/{team.topic}/practice", 409)
    team.verified()
    for nobody in (team.ann, team.eve):
        nobody.post(f"/t/{team.topic}/practice", 404)
    practice = team.practice()
    team.mara.post(f"/t/{practice}/practice", 409)


@pytest.mark.slow
def test_some_sentences_are_decided_twice_before_handing_in(office: Office) -> None:
    team = Team(office, repeats=4)
    where = f"/t/{team.topic}/again"
    answer = team.ann.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    assert answer.headers["location"] == where
    page = team.ann.get(where)
    names = re.findall(r'name="off:([^"]+)"', page)
    assert len(names) == 4
    assert {"a1-s01", "a2-s01"} <= set(names), "half of them are linked ones"
    assert "checked" not in page, "the first decision is not shown"
    assert names == re.findall(r'name="off:([^"]+)"', team.ann.get(where))
    team.ann.post(where, 400, **{f"off:{name}": "yes" for name in names[1:]})
    team.ann.post(where, 400, **{f"link:{name}": "E9" for name in names})
    fields = {f"off:{name}": "yes" for name in names if name != "a1-s01"}
    team.ann.post(where, **fields, **{"link:a1-s01": "E1"})
    team.ann.get(where, 409)
    team.ann.post(where, 409, **fields, **{"link:a1-s01": "E1"})
    with office.database.read() as connection:
        access = find_topic(connection, team.mara.id, team.topic)
        assert figures.self_agreement(connection, access) == {"Ann": (3, 4)}
    team.bob.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    names = re.findall(r'name="off:([^"]+)"', team.bob.get(where))
    team.bob.post(where, **{f"off:{name}": "yes" for name in names})
    page = team.mara.get(f"/p/{team.project}/agreement")
    assert "Ann <b>3 of 4</b>" in page
    assert "Bob <b>2 of 4</b>" in page
    assert replay.verify(office.database).equal


def test_nobody_hands_in_past_the_second_decisions(office: Office) -> None:
    team = Team(office, repeats=3)
    for sentence in ("a1-s02", "a1-s03", "a1-s04", "a2-s02", "a2-s03"):
        team.ann.mark(team.topic, sentence, off=True)
    team.ann.post(f"/t/{team.topic}/submit", step="link")
    assert "Link now" in team.ann.get(f"/t/{team.topic}")
    team.eve.get(f"/t/{team.topic}/again", 404)


def machine_file(
    team: Team, *links: tuple[str, str], topic: str = "dam", unsure: str = ""
) -> bytes:
    """An export of the topic in which only a machine judged."""
    exported = team.mara.get(f"/p/{team.project}/export.jsonl").splitlines()
    rows = [json.loads(line) for line in exported]
    kept = [row for row in rows if row["kind"] not in ("link", "footer")]
    for row in kept:
        if row["kind"] == "topic":
            row["id"] = topic
        elif "topic" in row:
            row["topic"] = topic
    kept += [
        {"kind": "link", "sentence": s, "event": e, "marked_by": ["some-model"], "verdict": "kept"}
        for s, e in links
    ]
    if unsure:
        kept.append({"kind": "abstention", "sentence": unsure, "author": "some-model"})
    return "\n".join(json.dumps(row) for row in kept).encode() + b"\n"


def bring(team: Team, raw: bytes, status: int = 303) -> Any:
    files = {"files": ("judged.jsonl", raw, "application/jsonl")}
    return team.mara.post(f"/t/{team.topic}/machine", status, files=files)


@pytest.mark.slow
def test_what_a_machine_linked_is_shown_to_managers_and_the_verifier_only(office: Office) -> None:
    team = Team(office)
    team.ann.mark(team.topic, "a2-s03", "E1")
    team.submit()
    before = {who.name: who.get(f"/t/{team.topic}/link.json") for who in (team.ann, team.bob)}
    bring(team, machine_file(team, ("a1-s01", "dam-E1"), ("a2-s03", "dam-E1")))
    assert "some-model (machine): yes" in team.eve.get(f"/t/{team.topic}/verify?event=E1")
    assert "some-model (machine): no" in team.eve.get(f"/t/{team.topic}/verify?event=E2")
    assert "some-model (machine): yes" in team.mara.get(f"/t/{team.topic}/disagreements")
    page = team.mara.get(f"/p/{team.project}/agreement")
    head, row = page.partition('class="matrix"')[2].split("<tr>")[1:3]
    assert re.findall(r'<th scope="col">([^<]+)<', head)[-1] == "some-model (machine)"
    assert re.search(
        r'<th scope="row">Ann</th>.*<td><b>0\.\d\d</b>[^<]*(<span[^<]*</span>)?</td></tr>',
        row,
        re.S,
    )
    for who in (team.ann, team.bob):
        seconds = r'"seconds":[\d.]+'
        shown = who.get(f"/t/{team.topic}/link.json")
        assert re.sub(seconds, "", shown) == re.sub(seconds, "", before[who.name])
        for end in ("", "/link/plain", "/history", "/discussion"):
            assert "some-model" not in who.get(f"/t/{team.topic}{end}")
    assert "some-model" not in team.mara.get(f"/p/{team.project}/export.jsonl")
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_a_file_of_chronoscore_judge_is_brought_in_with_its_abstentions(
    office: Office, tmp_path: Path
) -> None:
    """The export is judged at a real server; one sentence gets no usable answer."""
    team = Team(office)
    team.ann.mark(team.topic, "a2-s03", "E1")
    team.submit()
    exported = tmp_path / "export.jsonl"
    exported.write_text(team.mara.get(f"/p/{team.project}/export.jsonl"), encoding="utf-8")

    def say(_number: int, body: Body) -> Said:
        items = [item["id"] for item in data_of(body)["items"]]
        chosen = [{"id": name, "events": ["c1"] if name == "i1" else []} for name in items]
        unsure = next(i["id"] for i in data_of(body)["items"] if i["text"] == disputed)
        return Said(json.dumps({"answers": [one for one in chosen if one["id"] != unsure]}))

    rows = [json.loads(line) for line in exported.read_text().splitlines()]
    disputed = next(row["text"] for row in rows if row.get("id") == "a2-s03")
    judged = tmp_path / "judged.jsonl"
    with serving(say) as server:
        cs.judge("link", exported, model="m", endpoint=server.url, output=judged, batch=1000)
    bring(team, judged.read_bytes())
    page = team.mara.get(f"/t/{team.topic}/disagreements")
    assert "model (machine): abstained" in page
    assert "model (machine): yes" in team.eve.get(f"/t/{team.topic}/verify?event=E1")
    assert "model (machine)" not in team.ann.get(f"/t/{team.topic}")
    assert replay.verify(office.database).equal


@pytest.mark.parametrize("unsure", ["", "a2-s02"])
def test_kappa_with_a_machine_is_that_of_two_judges(office: Office, unsure: str) -> None:
    """A machine that links what Ann linked agrees with her; where it abstains, nothing counts."""
    team = Team(office)
    team.ann.mark(team.topic, "a2-s03", "E1")
    if unsure:
        team.ann.mark(team.topic, unsure, "E1")
        team.bob.mark(team.topic, unsure, "E1")
    team.submit()
    same = (("a1-s01", "dam-E1"), ("a2-s03", "dam-E1"), ("a2-s01", "dam-E2"))
    bring(team, machine_file(team, *same, unsure=unsure))
    with office.database.read() as connection:
        access = find_topic(connection, team.mara.id, team.topic)
        found = figures.compute_stream(connection, access, load(connection, team.topic))
    kappas = found.machines["some-model"]
    assert kappas["Ann"].value == 1
    if not unsure:
        assert kappas["Bob"].value == pytest.approx(found.chance.kappas["Ann", "Bob"].value)
    assert set(found.chance.judges) == {"Ann", "Bob"}, "people's figures stay people's"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("links", "topic", "said"),
    [
        ([("a9-s01", "dam-E1")], "dam", "a9-s01"),
        ([("a1-s01", "dam-E7")], "dam", "dam-E7"),
        ([("a1-s01", "dam-E1")], "flood", "has no topic"),
        ([], "dam", "links nothing"),
    ],
)
def test_a_machine_that_judged_something_else_is_refused(
    office: Office, links: list[tuple[str, str]], topic: str, said: str
) -> None:
    team = Team(office).submit()
    answer = bring(team, machine_file(team, *links, topic=topic), 400)
    assert said in answer.text
    for raw in (b"", b"not json", b"\xff\xfe\x00"):
        bring(team, raw, 400)
    team.ann.post(f"/t/{team.topic}/machine", 404, files={"files": ("a", b"x")})
    team.mara.post(f"/t/{team.topic}/machine", 400)


def drawn_list(team: Team, *sentences: str, topic: str = "dam", items: str = "sentences") -> bytes:
    """A list as `judge next` writes it."""
    rows: list[dict[str, Any]] = [
        {"kind": "header", "items": items, "format": "chronoscore-draw", "version": 1},
        {"kind": "frame", "topic": topic, "items": 6},
    ]
    rows += [
        {"kind": "draw", "topic": topic, "item": name, "probability": 0.5} for name in sentences
    ]
    return "\n".join(map(json.dumps, rows)).encode() + b"\n"


def give(team: Team, raw: bytes, status: int = 303) -> Any:
    files = {"files": ("next.jsonl", raw, "application/jsonl")}
    return team.mara.post(f"/t/{team.topic}/queue", status, files=files)


@pytest.mark.slow
def test_judges_decide_about_the_sentences_of_a_list_and_no_others(office: Office) -> None:
    team = Team(office)
    give(team, drawn_list(team, "a1-s01", "a2-s03"))
    assert json.loads(team.ann.get(f"/t/{team.topic}/link.json"))["mine"]["queue"] == [
        "a1-s01",
        "a2-s03",
    ]
    plain = team.ann.get(f"/t/{team.topic}/link/plain?story=a2")
    assert re.findall(r'name="base:([^"]+)"', plain) == ["a2-s03"]
    assert "rest_off" not in plain
    # What was drawn and skipped does not become off by a tick.
    answer = team.ann.post(f"/t/{team.topic}/submit", 409, step="link", rest_off="yes")
    assert "1 sentence is undecided; decide" in answer.text
    assert "rest is off" not in answer.text
    for judge in (team.ann, team.bob):
        judge.mark(team.topic, "a2-s03", "E2")
        judge.post(f"/t/{team.topic}/submit", step="link")
    exported = team.mara.get(f"/p/{team.project}/export.jsonl").splitlines()
    rows = [json.loads(line) for line in exported]
    unasked = {row["sentence"] for row in rows if row["kind"] == "abstention"}
    judged = {"a1-s01", "a2-s01", "a2-s03"}
    assert not unasked & judged
    assert unasked | judged == {row["id"] for row in rows if row["kind"] == "sentence"}
    assert replay.verify(office.database).equal


@pytest.mark.parametrize(
    ("sentences", "more", "reason"),
    [
        (["none"], {}, "&#39;none&#39; is not in the topic"),
        (["a1-s01"], {"topic": "quake"}, "ames no sentence of topic &#39;dam&#39;"),
        (["a1-s01"], {"items": "nuggets"}, "is a list of nuggets"),
    ],
)
@pytest.mark.slow
def test_a_list_of_something_else_is_refused(
    office: Office, sentences: list[str], more: dict[str, str], reason: str
) -> None:
    team = Team(office)
    assert reason in give(team, drawn_list(team, *sentences, **more), 400).text
    team.ann.post(f"/t/{team.topic}/queue", 404, files={"files": ("a", b"x")})
    assert json.loads(team.ann.get(f"/t/{team.topic}/link.json"))["mine"]["queue"] == []
