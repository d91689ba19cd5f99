"""What managers read and set: time, agreement, tables, halves, notes, names, hints."""

import json
import random
import re
from pathlib import Path

import pytest

from chronoscore.demo import CORPUS
from chronoscore.workbench import web
from chronoscore.workbench.domain import access, formatting
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from workbench.office import Office, Visitor, open_link, refusal
from workbench.team import StreamTeam, UnitsTeam


@pytest.fixture
def team(office: Office) -> StreamTeam:
    return StreamTeam(office)


def test_a_long_gap_between_entries_counts_as_five_minutes(team: StreamTeam) -> None:
    with team.office.database.write() as connection:
        for time in (1_000.0, 1_060.0, 9_000.0, 8_990.0):
            entry = LogEntry(
                action="story.read", data={"story": "a1", "read": True}, time=time, step="identify",
                person=team.ann.id, project=team.project, topic=team.topic,
            )  # fmt: skip
            log.append(connection, entry)
        place = access.find_topic(connection, team.ann.id, team.topic)
        assert people.own_work(connection, place, "identify") == (4, 60.0 + 300.0)


def test_events_on_which_judges_agree_least_come_first(team: StreamTeam) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"], s2=["E2"], s5=["E2"])
    team.judge(team.bob, s1=["E1"], s3=["E2"], s5=["E2"])
    html = team.manager.get(f"/p/{team.project}/agreement")
    rows = re.findall(r'<th scope="row" dir="auto">([^<]+)</th>.*?Overlap">([^<]+)<', html, re.S)
    assert [figure for _, figure in rows] == ["0.33", "1.00"]
    assert rows[1][0] == "The dam leaks"


@pytest.mark.slow
def test_tables_and_halves_cover_the_corpus(office: Office) -> None:
    manager = office.person("Mara", founder=True)
    project = office.project(manager, "stream")
    for name in ("dam", "ferry"):
        raw = (CORPUS / name / "judgements.jsonl").read_bytes()
        manager.post(f"/p/{project}/import", files={"files": ("j.jsonl", raw)}, name=name)
    rows = [json.loads(row) for row in raw.decode().splitlines()]
    events = sum(row["kind"] == "event" for row in rows)
    html = manager.get(f"/p/{project}/tables")
    ferry = html.partition("</h1>")[2].partition("</table>")[0].split("<tr>")[-1]
    assert f'data-label="Events">{events}<' in ferry
    assert [f"Table {n}:" in html for n in (1, 2, 3)] == [True] * 3
    split = manager.get(f"/p/{project}/split")
    training, test = re.findall(r"<h2>(?:Training|Test)</h2>(.*?)</section>", split, re.S)
    assert (training.count("<li>"), test.count("<li>")) == (1, 1)


def test_people_are_numbered_in_an_export_unless_their_names_are_asked_for(
    team: StreamTeam,
) -> None:
    team.link()
    team.judge(team.ann, s1=["E1"])
    page = f"/p/{team.project}/export.jsonl"
    assert '"Ann"' not in team.manager.get(page)
    assert '"Ann"' in team.manager.get(f"{page}?names=yes")


def test_look_alikes_can_be_switched_off(team: StreamTeam) -> None:
    team.link()
    page = f"/t/{team.topic}/link.json"
    assert json.loads(team.ann.get(page))["mine"]["hints"] is True
    team.manager.post(f"/p/{team.project}/settings", name="Dams")
    assert json.loads(team.ann.get(page))["mine"]["hints"] is False
    exported = team.manager.get(f"/p/{team.project}/export.jsonl").splitlines()[0]
    assert json.loads(exported)["settings"]["hints"] is False


def test_a_note_reaches_the_managers_and_its_answer_only_its_author(team: StreamTeam) -> None:
    team.ann.post(f"/t/{team.topic}/notes", place="a1-s01", text="is this one event?")
    queue = team.manager.get(f"/p/{team.project}/notes")
    name = re.search(r'name="note" value="([^"]+)"', queue)[1]
    team.manager.post(f"/t/{team.topic}/notes/answer", note=name, answer="two of them")
    assert "two of them" in team.ann.get(f"/t/{team.topic}")
    assert "one event?" not in team.bob.get(f"/t/{team.topic}")
    answer = team.manager.post(f"/t/{team.topic}/notes/answer", note="n9", answer="x", status=400)
    assert "No such note" in refusal(answer.text)


def test_the_topics_number_draws_the_sample(office: Office) -> None:
    team = UnitsTeam(office).made()
    for unit in ("U1", "U2"):
        team.match(team.max, unit, {"members": []})
    team.max.post(f"/t/{team.topic}/submit", step="match")
    shown = re.findall(r'data-done="(U\d)"', team.nia.get(f"/t/{team.topic}/rematch"))
    assert shown == random.Random(team.topic).sample(["U1", "U2"], 1)


def test_colours_are_chosen_under_ones_name(team: StreamTeam) -> None:
    assert 'data-theme="auto"' in team.ann.get("/")
    team.ann.post("/account/theme", theme="dark")
    assert 'data-theme="dark"' in team.ann.get("/")
    assert 'data-theme="auto"' in team.bob.get("/")


def test_figures_leave_out_a_topic_in_which_the_manager_works(
    office: Office, manager: Visitor, project: int
) -> None:
    topic = office.topic(manager, project)
    office.assign(manager, topic, judge=manager)
    open_link(office, project, topic)
    for page in ("agreement", "tables", "split", "progress"):
        assert "Dam: hidden from you until it is final" in manager.get(f"/p/{project}/{page}")
    assert "No topic has reached" not in manager.get(f"/p/{project}/agreement")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The dam holds", "“The dam holds”"),
        ("“It will hold.”", "“It will hold.”"),
        ("«Il tiendra»", "«Il tiendra»"),
        ('"Go," he said', "‘&#34;Go,&#34; he said’"),
        ("“Go” and “stay”", "‘“Go” and “stay”’"),
        ('"', "‘&#34;’"),
    ],
)
def test_no_quotation_mark_is_doubled(team: StreamTeam, text: str, shown: str) -> None:
    team.ann.post(f"/t/{team.topic}/identify/candidates", sentence="a1-s01", text=text)
    history = team.ann.get(f"/t/{team.topic}/history")
    assert f"new candidate {shown} from 1.1" in history


def test_scripts_know_the_same_quotation_marks() -> None:
    script = (Path(web.__file__).parent / "static" / "page.js").read_text()
    (marks,) = re.findall(r"QUOTE = /\[(.*)\]/;", script)
    assert all(formatting.quote(f"{mark}no{mark}") == f"{mark}no{mark}" for mark in marks)
    others = (chr(code) for code in range(0x20, 0x3100) if chr(code) not in marks)
    assert {formatting.quote(f"{one}no{one}")[0] for one in others} == {"“"}


def test_no_line_ends_within_a_time(team: StreamTeam) -> None:
    team.link()
    pages = (team.manager.get(f"/p/{team.project}/progress"), team.ann.get(f"/t/{team.topic}"))
    for page in pages:
        assert re.search(r"\d\u00a0[A-Z][a-z]{2}\u00a020\d\d\u00a0\d\d:\d\d", page)
        assert not re.search(r" 20\d\d \d\d:\d\d", page)
