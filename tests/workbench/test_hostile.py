"""Hostile words: what people write is shown as they wrote it, and does nothing else."""

import json
import re
from secrets import token_hex
from typing import Any

import pytest

from workbench.attempts import addresses
from workbench.office import PASSWORD, Office, Visitor, login, to_link

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&"


def hostile_topic(office: Office, manager: Visitor) -> tuple[int, int, list[Visitor]]:
    """A topic in the link step with markup wherever people can write."""
    judges = [office.person(f"Judge {HOSTILE}"[:60]), office.person("Bob")]
    project = office.project(manager, "stream", *judges)
    story = {"id": "a1", "title": HOSTILE, "publisher": HOSTILE, "sentences": [HOSTILE, "Two."],
             "time": "2031-03-01T08:00:00"}  # fmt: skip
    rest = {"id": "a2", "title": "t", "sentences": ["Three."]}
    upload = ("x.jsonl", "\n".join(map(json.dumps, (story, rest))).encode(), "application/jsonl")
    topic = office.topic(manager, project, "hostile", upload=upload)
    office.assign(manager, topic, judge=judges)
    manager.post(f"/t/{topic}/open")
    to_link(office, manager, topic, *judges)
    judges[0].post(f"/t/{topic}/notes", place=HOSTILE, text=HOSTILE)
    manager.post(f"/t/{topic}/reopen", step="merge", reason=HOSTILE)
    judges[0].post(f"/t/{topic}/merge", do="rename", event="E1", text=HOSTILE)
    manager.post(f"/p/{project}/settings", name=HOSTILE, hints="yes")
    return project, topic, judges


def harmless(html: str) -> bool:
    return "<script>" not in html and "<img" not in html


@pytest.mark.slow
def test_story_texts_and_event_names_cannot_run_as_script(office: Office, manager: Visitor) -> None:
    project, topic, judges = hostile_topic(office, manager)
    shown = [judges[0].get(f"/t/{topic}/merge")]
    for judge in judges:
        judge.post(f"/t/{topic}/submit", step="merge")
    for visitor in (manager, *judges):
        answers = [visitor.client.get(path) for path in addresses("GET", project, topic)]
        shown += [one.text for one in answers if "html" in one.headers.get("content-type", "")]
    assert all(harmless(html) for html in shown)
    assert sum("&lt;script&gt;" in html for html in shown) > 20
    data = judges[0].client.get(f"/t/{topic}/link.json")
    assert data.headers["content-type"] == "application/json"
    assert data.json()["mine"]["events"][0]["text"] == HOSTILE
    file = manager.client.get(f"/p/{project}/export.jsonl")
    assert file.headers["content-type"].startswith("application/jsonl")
    assert re.fullmatch(
        r'attachment; filename="[a-z0-9-]+\.jsonl"', file.headers["content-disposition"]
    )


def test_lines_and_units_cannot_run_as_script(office: Office, manager: Visitor) -> None:
    people = [office.person(name) for name in ("Will", "Uma", "Max")]
    project = office.project(manager, "units", *people)
    upload = ("x.jsonl", json.dumps({"id": "a", "text": f"{HOSTILE} broke."}).encode(), "")
    topic = office.topic(manager, project, most="3", upload=upload)
    will, uma, max_ = people
    office.assign(manager, topic, writer=will, maker=uma, matcher=max_)
    manager.post(f"/t/{topic}/open")
    will.post(f"/t/{topic}/write", when="1997", text=HOSTILE)
    shown = [will.get(f"/t/{topic}/write")]
    will.post(f"/t/{topic}/submit", step="write")
    line = re.search(r'name="line" value="([^"]+)"', uma.get(f"/t/{topic}/make"))[1]
    uma.post(f"/t/{topic}/make", do="unit", line=line)
    fields = {"action": HOSTILE, "agent": HOSTILE, "patient": HOSTILE, "location": HOSTILE}
    uma.post(f"/t/{topic}/make", do="edit", unit="U1", time="1997", **fields)
    shown.append(uma.get(f"/t/{topic}/make"))
    uma.post(f"/t/{topic}/submit", step="make")
    shown += [max_.get(f"/t/{topic}/match"), manager.get(f"/t/{topic}/history")]
    assert all(harmless(html) and "&lt;script&gt;" in html for html in shown)


def test_a_browser_runs_nothing_that_was_written(
    office: Office, manager: Visitor, server: Any, visit: Any
) -> None:
    _, topic, judges = hostile_topic(office, manager)
    for judge in judges:
        judge.post(f"/t/{topic}/submit", step="merge")
    page = visit(judges[0])
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(f"{server.url}/t/{topic}/link")
    page.wait_for_selector("#events li")
    assert HOSTILE in page.inner_text("#stream")
    assert HOSTILE in page.inner_text("#events")
    assert page.locator("img, #stream script, #events script").count() == 0


@pytest.mark.slow
def test_sql_in_texts_and_names_is_only_text(
    office: Office, manager: Visitor, project: int
) -> None:
    nasty = "'; DROP TABLE log; --"
    manager.post(f"/p/{project}/settings", name=nasty, hints="yes")
    topic = office.topic(manager, project, "x' OR '1'='1")
    assert nasty in manager.get("/").replace("&#39;", "'")
    manager.post(f"/t/{topic}/notes", place=nasty, text=nasty)
    before = office.entries()
    for path in addresses("GET", project, topic):
        for name in ("story", "event", "unit", "page", "from", "next", "names"):
            assert manager.client.get(f"{path}?{name}={nasty}").status_code < 500, (path, name)
    fields = dict.fromkeys(
        ("name", "person", "role", "step", "candidate", "event", "sentence", "text", "story",
         "line", "unit", "anchor", "item", "note", "when", "z", "theme", "change"), nasty,
    )  # fmt: skip
    for path in addresses("POST", project, topic):
        if not path.startswith(("/logout", "/t/", "/p/")) or path.endswith(("log", "logout")):
            continue
        data = {"proof": manager.proof, "key": f"{nasty}{token_hex(4)}", **fields}
        assert manager.client.post(path, data=data).status_code < 500, path
    for path in ("/t/1'--", "/p/1 OR 1=1", "/t/99999999999999999999"):
        assert manager.client.get(path).status_code == 404
    assert login(office.client(), "' OR 1=1 --", PASSWORD).status_code == 403
    assert office.entries() >= before
    assert manager.get(f"/t/{topic}/history").count("DROP TABLE") >= 1
