"""Undo where work is done by forms: each click takes one action back, by an entry of its own."""

import re
from itertools import count
from typing import Any

import pytest
from sqlalchemy import select

from chronoscore.workbench.domain.actions import performing
from chronoscore.workbench.store import replay, tables
from workbench.office import ON_BOTH, Office, Visitor, candidates, refusal
from workbench.team import StreamTeam, UnitsTeam

pytestmark = [ON_BOTH, pytest.mark.slow]

SHOWN = (tables.candidate, tables.reading, tables.event, tables.merged,
         tables.line, tables.unit, tables.contribution)  # fmt: skip


def state(office: Office) -> dict[str, Any]:
    with office.database.read() as connection:
        return {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in SHOWN
        }


def walk_there_and_back(
    office: Office, who: Visitor, page: str, step: str, actions: list[dict[str, Any]]
) -> None:
    """Do everything, undo everything; each state on the way back was seen on the way there."""
    topic = page.split("/")[2]
    before = []
    for action in actions:
        before.append(state(office))
        fields = dict(action)
        who.post(page + fields.pop("at", ""), **fields)
        assert state(office) != before[-1]
    for seen in reversed(before):
        undo(who, topic, step)
        assert state(office) == seen
    answer = who.post(f"/t/{topic}/undo", status=409)
    assert "nothing to undo" in refusal(answer.text)
    assert replay.verify(office.database).equal


def undo(who: Visitor, topic: object, step: str) -> None:
    """Press the button of a page."""
    who.post(f"/t/{topic}/undo", action=shown(who, topic, step))


def shown(who: Visitor, topic: object, step: str) -> str:
    return re.search(r'name="action" value="([^"]+)"', who.get(f"/t/{topic}/{step}"))[1]


NEXT_ID = "0123456789ab"
"""What is drawn for the next thing's name; others' things had their names before."""


@pytest.fixture
def stream(office: Office) -> StreamTeam:
    return StreamTeam(office)


def test_identifying_is_undone(stream: StreamTeam, monkeypatch: pytest.MonkeyPatch) -> None:
    stream.bob.post(f"/t/{stream.topic}/identify/candidates", sentence="a1-s01", text="a leak")
    page = f"/t/{stream.topic}/identify"
    drawn = (f"{number:012x}" for number in count(int(NEXT_ID, 16)))
    monkeypatch.setattr(performing, "token_hex", lambda _: next(drawn))
    name = f"c{NEXT_ID}"
    walk_there_and_back(
        stream.office, stream.ann, page, "identify",
        [
            {"at": "/candidates", "sentence": "a1-s01", "text": "leak"},
            {"at": "/candidates/change", "candidate": name, "text": "the leak"},
            {"at": "/read", "story": "a1"},
            {"at": "/read", "story": "a1", "read": "no"},
            {"at": "/candidates/change", "candidate": name, "text": "x", "withdraw": "yes"},
        ],
    )  # fmt: skip


def test_undo_never_touches_what_a_rival_did(stream: StreamTeam) -> None:
    page = f"/t/{stream.topic}/identify/candidates"
    stream.ann.post(page, sentence="a1-s01", text="leak")
    stream.bob.post(page, sentence="a1-s01", text="a secret leak")
    assert "secret" not in stream.ann.get(f"/t/{stream.topic}/identify")
    undo(stream.ann, stream.topic, "identify")
    stream.ann.post(f"/t/{stream.topic}/undo", status=409)
    assert "a secret leak" in stream.bob.get(f"/t/{stream.topic}/identify")


@pytest.mark.slow
def test_merging_is_undone(stream: StreamTeam) -> None:
    for judge in (stream.ann, stream.bob):
        for text in ("leak", "break"):
            judge.post(f"/t/{stream.topic}/identify/candidates", sentence="a1-s01", text=text)
        for story in ("a1", "a2"):
            judge.post(f"/t/{stream.topic}/identify/read", story=story)
        judge.post(f"/t/{stream.topic}/submit", step="identify")
    page = f"/t/{stream.topic}/merge"
    first, second, third, fourth = candidates(stream.office, stream.topic)
    walk_there_and_back(
        stream.office, stream.ann, page, "merge",
        [
            {"do": "same", "candidate": [first, third], "text": "The dam leaks"},
            {"do": "omit", "candidate": [second, fourth], "reason": "vague"},
            {"do": "add", "candidate": [second], "event": "E1"},
            {"do": "rename", "event": "E1", "text": "The dam began to leak"},
            {"do": "omit-event", "event": "E1", "reason": "no event"},
            {"do": "take", "candidate": first, "event": "E1"},
            {"do": "take", "candidate": third, "event": "E1"},
            {"do": "take", "candidate": second, "event": "E1"},
            {"do": "same", "candidate": [first]},
            {"do": "same", "candidate": [third, fourth]},
            {"do": "apart", "event": "E3"},
        ],
    )  # fmt: skip


def test_what_was_undone_can_be_done_again(stream: StreamTeam) -> None:
    page = f"/t/{stream.topic}/identify/candidates"
    for text in ("one", "two"):
        stream.ann.post(page, sentence="a1-s01", text=text)
        undo(stream.ann, stream.topic, "identify")
    stream.ann.post(page, sentence="a1-s01", text="three")
    kept = [row for row in state(stream.office)["candidate"] if "a1-s01" in row]
    assert ["three" in row for row in kept] == [True]
    history = stream.ann.get(f"/t/{stream.topic}/history")
    assert "undid: new candidate “two” from 1.1" in history


def test_undo_goes_no_further_back_than_the_reopening(stream: StreamTeam) -> None:
    stream.link()
    stream.manager.post(f"/t/{stream.topic}/reopen", step="merge", reason="a name is wrong")
    stream.ann.post(f"/t/{stream.topic}/undo", status=409)
    stream.ann.post(f"/t/{stream.topic}/merge", do="rename", event="E1", text="other words")
    undo(stream.ann, stream.topic, "merge")
    assert "The dam leaks" in stream.ann.get(f"/t/{stream.topic}/merge")
    stream.ann.post(f"/t/{stream.topic}/undo", status=409)


def test_what_was_handed_in_is_not_undone(stream: StreamTeam) -> None:
    stream.link()
    stream.ann.post(f"/t/{stream.topic}/undo", status=409)
    stream.ann.post(f"/t/{stream.topic}/undo", status=409)
    stream.eve.post(f"/t/{stream.topic}/undo", status=409)


@pytest.mark.slow
def test_writing_is_undone(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    team = UnitsTeam(office)
    team.write(team.wanda, ("1997", "a line of another writer"))
    drawn = (f"{number:012x}" for number in count(int(NEXT_ID, 16)))
    monkeypatch.setattr(performing, "token_hex", lambda _: next(drawn))
    name = f"l{NEXT_ID}"
    walk_there_and_back(
        office, team.will, f"/t/{team.topic}/write", "write",
        [
            {"when": "June 1997", "text": "one"},
            {"at": "/change", "line": name, "when": "1998", "text": "one"},
            {"when": "800 BC", "text": "two"},
            {"at": "/change", "line": name, "when": "1998", "text": "one", "withdraw": "yes"},
        ],
    )  # fmt: skip


@pytest.mark.slow
def test_making_units_is_undone(office: Office) -> None:
    team = UnitsTeam(office).written()
    lines = team.lines()
    leak, broke, seen = (
        lines[text] for text in ("The dam leaks", "The dam breaks", "A leak in the dam")
    )
    fields = {"action": "leak", "agent": "dam", "patient": "", "time": "", "location": ""}
    walk_there_and_back(
        office, team.uma, f"/t/{team.topic}/make", "make",
        [
            {"do": "unit", "line": [leak]},
            {"do": "unit", "line": [seen]},
            {"do": "edit", "unit": "U1", **fields},
            {"do": "merge", "unit": "U1", "other": "U2"},
            {"do": "omit", "line": [leak, broke], "reason": "not an event"},
            {"do": "put", "unit": "U1", "line": [leak]},
            {"do": "take", "unit": "U1", "line": seen},
        ],
    )  # fmt: skip


def test_of_two_who_undo_at_once_one_is_told(stream: StreamTeam) -> None:
    stream.link()
    stream.manager.post(f"/t/{stream.topic}/reopen", step="merge", reason="names are wrong")
    for text in ("first words", "second words"):
        stream.ann.post(f"/t/{stream.topic}/merge", do="rename", event="E1", text=text)
    action = shown(stream.ann, stream.topic, "merge")
    assert action == shown(stream.bob, stream.topic, "merge")
    stream.ann.post(f"/t/{stream.topic}/undo", action=action)
    answer = stream.bob.post(f"/t/{stream.topic}/undo", action=action, status=409)
    assert "look again" in refusal(answer.text)
    assert "first words" in stream.bob.get(f"/t/{stream.topic}/merge")


def test_an_undo_sent_twice_undoes_once(stream: StreamTeam) -> None:
    page = f"/t/{stream.topic}/identify"
    for text in ("one", "two"):
        stream.ann.post(f"{page}/candidates", sentence="a1-s01", text=text)
    action = shown(stream.ann, stream.topic, "identify")
    for _ in range(2):
        stream.ann.post(f"/t/{stream.topic}/undo", action=action, key="the-same-key-twice")
    assert [row[4] for row in state(stream.office)["candidate"]] == ["one"]
