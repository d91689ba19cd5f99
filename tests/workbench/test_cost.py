"""What a key costs: few statements, and nothing anew that cannot have changed."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from chronoscore.workbench.domain import union
from chronoscore.workbench.store import log, replay
from chronoscore.workbench.store.log import LogEntry
from workbench.office import ON_BOTH, Office
from workbench.team import StreamTeam, UnitsTeam

MOST_STATEMENTS = 8


@contextmanager
def statements(office: Office) -> Iterator[list[str]]:
    """The statements that a database gets, those that open transactions included."""
    found: list[str] = []

    def watch(_connection, _cursor, statement, *_) -> None:
        found.append(statement)

    event.listen(office.database.engine, "before_cursor_execute", watch)
    yield found
    event.remove(office.database.engine, "before_cursor_execute", watch)


@pytest.mark.slow
@ON_BOTH
def test_a_key_costs_at_most_eight_statements(office: Office) -> None:
    stream, units = StreamTeam(office).link(), UnitsTeam(office).made()
    # PostgreSQL's writers also take a lock, and its BEGIN is no statement here.
    for number, sentence in enumerate(("a1-s01", "a1-s02", "a1-s03")):
        with statements(office) as marked:
            stream.ann.mark(stream.topic, sentence, "E1")
        with statements(office) as matched:
            assert "entry" in units.match(units.max, "U1", {"members": []}, base=number)
    for judge in (stream.ann, stream.bob):
        judge.post(f"/t/{stream.topic}/submit", step="link", rest_off="yes")
    for item in ("a1-s01", "a1-s02", "a1-s03"):
        with statements(office) as judged:
            stream.verdict("E1", item, True)
    assert max(map(len, (marked, matched, judged))) <= MOST_STATEMENTS
    assert replay.verify(office.database).equal


@pytest.fixture
def unions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the union of all marks was computed."""
    computed: list[int] = []
    unite = union.unite

    def counted(*args):
        computed.append(1)
        return unite(*args)

    monkeypatch.setattr(union, "unite", counted)
    return computed


@pytest.mark.slow
def test_the_union_of_marks_is_computed_once_while_they_are_frozen(office: Office, unions) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"], s2=["E1"])
    team.judge(team.bob, s1=["E2"])
    for item in ("a1-s01", "a1-s02"):
        team.verdict("E1", item, True)
        team.eve.get(f"/t/{team.topic}/verify")
    assert len(unions) == 1


@pytest.mark.slow
def test_the_union_follows_reopened_steps_and_changed_roles(office: Office, unions) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"])
    team.judge(team.bob, s2=["E1"])
    assert team.items("E1") == [("a1-s01", 0), ("a1-s02", 0)]
    team.manager.post(f"/t/{team.topic}/reopen", step="link", reason="look again")
    team.ann.mark(team.topic, "a1-s03", "E1", base=1)
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="link")
    assert team.items("E1") == [("a1-s01", 0), ("a1-s02", 0), ("a1-s03", 0)]
    team.manager.post(f"/t/{team.topic}/unassign", person=team.bob.id, role="judge")
    assert team.items("E1") == [("a1-s01", 0), ("a1-s03", 0)]
    answer = team.eve.send(
        team.topic,
        {
            "key": "on-bobs-sentence",
            "action": "verdict",
            "body": {"changes": [{"event": "E1", "item": "a1-s02", "kept": True, "base": 0}]},
        },
    )
    assert "marked by nobody" in answer[0]["refused"]


@pytest.mark.slow
def test_events_that_come_after_a_reopening_can_be_linked(office: Office) -> None:
    team = StreamTeam(office).link()
    assert "entry" in team.ann.mark(team.topic, "a1-s01", "E1")
    assert "no such event" in team.ann.mark(team.topic, "a1-s01", "E3", base=1)["refused"]
    team.manager.post(f"/t/{team.topic}/reopen", step="merge", reason="one is missing")
    page = f"/t/{team.topic}/merge"
    name = team.ann.get(page).partition('name="candidate" value="')[2].partition('"')[0]
    with statements(office) as merged:
        team.ann.post(page, do="same", candidate=[name], text="A third event")
    # What a key costs, and an event, its candidates, and whether there are such candidates.
    assert len(merged) <= MOST_STATEMENTS + 3
    team.ann.post(page, do="omit-event", event="E2", reason="not an event")
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="merge")
    assert "entry" in team.ann.mark(team.topic, "a1-s01", "E3", base=1)
    assert "no such event" in team.ann.mark(team.topic, "a1-s02", "E2")["refused"]


@pytest.mark.slow
@ON_BOTH
def test_an_entry_that_is_sent_twice_is_answered_as_before_whatever_has_changed(
    office: Office,
) -> None:
    team = StreamTeam(office).link()
    first = team.ann.mark(team.topic, "a1-s01", "E1", key="the-same-key")
    again = team.ann.mark(team.topic, "a1-s01", "E1", key="the-same-key")
    assert again == first
    for judge in (team.ann, team.bob):
        judge.post(f"/t/{team.topic}/submit", step="link", rest_off="yes")
    later = team.ann.mark(team.topic, "a1-s01", "E1", key="the-same-key")
    assert later["data"] == first["data"]
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_the_plain_form_of_a_long_story_is_paged(office: Office) -> None:
    """2,500 sentences with a box for each of 300 events would be 132 MB of page."""
    manager, ann = office.person("Mara", founder=True), office.person("Ann")
    project = office.project(manager, "stream", ann)
    article = {"id": "a1", "sentences": [f"Sentence {n} is told." for n in range(2500)]}
    upload = ("a.jsonl", json.dumps(article).encode(), "text/plain")
    topic = office.topic(manager, project, upload=upload)
    office.assign(manager, topic, judge=ann)
    with office.database.write() as connection:
        for number in range(1, 301):
            data = {"id": f"E{number}", "n": number, "text": f"Event {number}", "candidates": []}
            entry = LogEntry(action="event.add", data=data, project=project, topic=topic)
            log.append(connection, entry)
        opened = LogEntry(action="step.open", data={"step": "link"}, project=project, topic=topic)
        log.append(connection, opened)
    page = f"/t/{topic}/link/plain"
    first = ann.get(page)
    assert len(first) < 1_000_000
    assert "page 1 of 500" in first
    ann.mark(topic, "a1-s06", "E2")
    fields = {"base:a1-s01": "0", "link:a1-s01": ["E1", "E300"], "base:a1-s02": "0"}
    answer = ann.post(page, story="a1", page="1", **fields)
    assert answer.headers["location"].endswith("/link/plain?story=a1&page=2")
    second = ann.get(f"{page}?story=a1&page=2")
    assert re.search(r'name="link:a1-s06" value="E2" checked', second)
    again = ann.get(f"{page}?story=a1&page=1")
    assert len(re.findall(r'name="link:a1-s01" value="E(?:1|300)" checked', again)) == 2
    for wanted in ("0", "-1", "x", "501", "9" * 30):
        ann.get(f"{page}?story=a1&page={wanted}")
    last = ann.post(page, story="a1", page="500")
    assert last.headers["location"].endswith("/link/plain?story=a1")
