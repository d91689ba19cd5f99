"""What became of an entry: saved, refused, or waiting, each in its own words, and nothing lost."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, select

from chronoscore.workbench.store import tables
from workbench.office import Office, to_link
from workbench.running import PATIENCE, Hands, Served
from workbench.team import StreamTeam, UnitsTeam

pytestmark = pytest.mark.browser


class Judge:
    """Ann at the link screen of a topic; `answer` decides what becomes of her requests."""

    def __init__(self, office: Office, server: Served, visit: Callable[..., Any]) -> None:
        self.office = office
        self.manager, bob = office.person("Mara", founder=True), office.person("Bob")
        self.ann = office.person("Ann")
        project = office.project(self.manager, "stream", self.ann, bob)
        self.topic = office.topic(self.manager, project)
        office.assign(self.manager, self.topic, judge=[self.ann, bob])
        self.manager.post(f"/t/{self.topic}/open")
        to_link(office, self.manager, self.topic, self.ann, bob)
        self.page = visit(self.ann)
        self.answer: Callable[[Any], None] = reach_the_server
        self.page.route("**/log", lambda route: self.answer(route))
        self.page.goto(f"{server.url}/t/{self.topic}/link")
        self.hands = Hands(self.page).ready()

    def marks(self) -> dict[str, Any]:
        with self.office.database.read() as connection:
            table = tables.mark
            query = select(table).where(table.c.person == self.ann.id)
            return {
                row.sentence: "off" if row.off else json.loads(row.links)
                for row in connection.execute(query)
            }

    def together(self, *keys: str, answer: Callable[[Any], None]) -> None:
        """Press keys without a network, so that what they make travels in one batch.

        A try that began between two keys has only a part of it; the next one is not waited for
        by the clock, because a slow machine may have begun it already.
        """
        tries: list[int] = []

        def lose(route: Any) -> None:
            tries.append(len(json.loads(route.request.post_data)["entries"]))
            route.abort()

        self.answer = lose
        self.hands.press(*keys)
        waiting = self.page.evaluate(
            """() => Object.entries(localStorage)
            .filter(([name]) => name.startsWith("chronoscore:outbox:"))
            .reduce((sum, [, kept]) => sum + JSON.parse(kept).length, 0)"""
        )
        while not tries or tries[-1] < waiting:
            self.page.wait_for_timeout(20)
        self.said("kept here")
        self.answer = answer

    def said(self, words: str) -> None:
        self.page.wait_for_function(
            "words => document.querySelector('#saved').textContent.includes(words)", arg=words
        )


def reach_the_server(route: Any) -> None:
    route.continue_()


def changed(change: Callable[[dict[str, Any]], None]) -> Callable[[Any], None]:
    """Change the entries on their way."""

    def handle(route: Any) -> None:
        entries = json.loads(route.request.post_data)["entries"]
        for entry in entries:
            change(entry)
        route.continue_(post_data=json.dumps({"entries": entries}))

    return handle


@pytest.fixture
def judge(office: Office, server: Served, visit) -> Judge:
    return Judge(office, server, visit)


def spoil(sentence: str) -> Callable[[dict[str, Any]], None]:
    """Let a judge link a sentence to an event that is not there any more."""

    def change(entry: dict[str, Any]) -> None:
        for one in entry["body"].get("changes", ()):
            if one["sentence"] == sentence:
                one["links"] = [["E99", ""]]

    return change


def test_a_refused_mark_is_taken_back_and_listed_though_the_next_is_saved(judge: Judge) -> None:
    judge.together("1", "j", "2", answer=changed(spoil("a1-s01")))
    judge.said("Not saved: no such event")
    assert judge.marks() == {"a1-s02": [["E2", ""]]}
    page = judge.page
    assert page.locator("#s0 .chip").count() == 0
    assert page.locator("#s1 .chip").count() == 1
    assert page.text_content("#done") == "1"
    # It stays said until it was looked at, whatever else is saved.
    judge.hands.press("j", "o")
    page.wait_for_function("() => document.querySelector('#saved').textContent.startsWith('Not')")
    page.reload()
    judge.hands.ready()
    assert "not saved: see which" in page.text_content("#refusals")
    page.click("#refusals")
    assert "1.1: 1 The dam leaks" in page.text_content("#refused")
    page.click("#refused >> text=Clear the list")
    # Keys reach the stream once the list has closed.
    page.wait_for_function("() => document.activeElement?.id === 'stream'")
    judge.answer = reach_the_server
    judge.hands.press("o").saved()
    page.reload()
    assert judge.hands.ready().page.text_content("#done") == "3"
    assert page.is_hidden("#refusals")


def test_what_was_built_upon_a_refused_mark_goes_with_it(judge: Judge) -> None:
    # The second sentence shares a group with the first, so what follows it falls, too.
    keys = ("1", "p", "j", "p", "2", "o", "j", "1")
    judge.together(*keys, answer=changed(spoil("a1-s01")))
    judge.said("Not saved")
    assert judge.marks() == {"a1-s03": [["E1", ""]]}
    assert judge.page.locator(":is(#s0, #s1) :is(.chip, .offc)").count() == 0
    assert judge.page.locator("#conflict[open]").count() == 0
    assert "3 not saved" in judge.page.text_content("#refusals")


def test_a_conflict_is_said_though_something_else_in_the_batch_was_saved(judge: Judge) -> None:
    theirs = {"a1-s02": {"off": True, "links": [], "joined": False, "version": 1}}

    def answer(route: Any) -> None:
        first, second = (one["key"] for one in json.loads(route.request.post_data)["entries"])
        saved = {"key": first, "entry": 1, "seconds": 0.0, "data": {}}
        route.fulfill(json={"answers": [{"key": second, "conflict": theirs}, saved]})

    judge.together("1", "j", "2", answer=answer)
    judge.said("Not saved: another tab was quicker")


def test_nothing_is_called_saved_while_something_waits(judge: Judge) -> None:
    """The server takes one entry, then nothing for a while; nothing is sent to it twice."""
    held: list[Any] = []

    def answer(route: Any) -> None:
        if judge.marks():
            held.append(route)
        elif len(json.loads(route.request.post_data)["entries"]) > 1:
            route.fulfill(status=413)
        else:
            route.continue_()

    judge.together("1", "j", "2", answer=answer)
    while not held:
        judge.page.wait_for_timeout(20)
    assert judge.page.text_content("#saved") == "… saving 1"
    judge.hands.press("j", "o")
    judge.page.wait_for_timeout(100)
    assert len(held) == 1
    judge.answer = reach_the_server
    held[0].continue_()
    judge.hands.saved()
    assert len(judge.marks()) == 3


def test_more_than_a_browser_sends_at_once_goes_in_several_batches(judge: Judge) -> None:
    """Browsers refuse requests of more than 64 KiB that may outlive the page."""
    sizes = []
    judge.page.on(
        "request",
        lambda one: sizes.append(len(one.post_data)) if one.url.endswith("/log") else None,
    )
    judge.page.evaluate(
        """async () => {
          const { Outbox } = await import("/static/outbox.js");
          const { dataset } = document.querySelector("#main");
          const outbox = new Outbox({
            topic: dataset.topic, person: dataset.person, proof: dataset.proof,
            touches: () => [], describe: () => "", onRefused() {}, onState() {},
          });
          const note = (text) => outbox.push("notes", { fields: { place: [""], text: [text] } });
          for (let n = 0; n < 60; n += 1) note(`${n} ${"note ".repeat(500)}`);
          // What is longer alone still reaches the server.
          note("n".repeat(70_000));
          window.outbox = outbox;
        }"""
    )
    judge.page.wait_for_function("() => !outbox.queue.length")
    refused = judge.page.evaluate("() => outbox.refusals.list[0].reason")
    with judge.office.database.read() as connection:
        assert len(connection.execute(select(tables.note)).all()) == 60
    assert sum(sizes) > 3 * 65536
    assert max(sizes[:-1]) < 65536
    assert "longer than 4,000 characters" in refused


def test_a_judge_whose_role_is_taken_away_reads_so_and_loses_nothing(judge: Judge) -> None:
    judge.manager.post(f"/t/{judge.topic}/unassign", person=judge.ann.id, role="judge")
    judge.hands.press("1")
    judge.said("No longer open to you: 1 kept here")
    judge.manager.post(f"/t/{judge.topic}/assign", person=judge.ann.id, role="judge")
    judge.hands.saved()
    assert judge.marks() == {"a1-s01": [["E1", ""]]}


def test_a_full_disk_is_said_and_nothing_is_lost(judge: Judge) -> None:
    """The database may not grow by a single page."""
    engine = judge.office.database.engine

    def limit(raw: Any, _record: Any, _proxy: Any) -> None:
        pages = raw.execute("PRAGMA page_count").fetchone()[0] if full else 2**30
        raw.execute(f"PRAGMA max_page_count={pages}").close()

    full = True
    event.listen(engine, "checkout", limit)
    judge.page.click("[data-do=note]")
    judge.page.fill("#note [name=text]", "long " * 790)
    for _ in range(3):
        judge.page.click("#note button.main")
        judge.page.click("[data-do=note]")
        judge.page.fill("#note [name=text]", "long " * 790)
    judge.said("disk is full: ")
    full = False
    judge.hands.saved()
    with judge.office.database.read() as connection:
        assert len(connection.execute(select(tables.note)).all()) == 3


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 500, "body": "<p>Something went wrong."}, "problem (500): 2 kept here"),
        ({"status": 502, "body": "Bad gateway"}, "problem (502): 2 kept here"),
        ({"status": 200, "body": "<p>Welcome to the hotel"}, "problem (an answer that is no JSON)"),
        ({"status": 403, "body": '{"error": "another site"}'}, "problem (403: another site): 2"),
    ],
)
def test_a_server_with_a_problem_is_not_called_a_lost_connection(
    judge: Judge, answer: dict[str, Any], words: str
) -> None:
    judge.together("1", "j", "2", answer=lambda route: route.fulfill(**answer))
    judge.said(words)
    judge.answer = reach_the_server
    judge.hands.saved()
    assert len(judge.marks()) == 2


def test_a_server_that_takes_less_at_once_gets_less_at_once(judge: Judge) -> None:
    def narrow(route: Any) -> None:
        if len(route.request.post_data) > 500:
            route.fulfill(status=413, body="this is more than the workbench accepts at once")
        else:
            route.continue_()

    judge.together("1", "j", "2", "j", "o", "j", "1", answer=narrow)
    judge.hands.saved()
    assert len(judge.marks()) == 4


def test_an_entry_that_is_too_large_alone_is_refused_and_lets_the_others_pass(
    judge: Judge,
) -> None:
    def narrow(route: Any) -> None:
        if "a1-s01" in route.request.post_data:
            route.fulfill(status=413, body="too large")
        else:
            route.continue_()

    judge.together("1", "j", "2", answer=narrow)
    judge.said("Not saved: this is more than the server accepts at once")
    assert set(judge.marks()) == {"a1-s02"}
    assert judge.page.locator("#s0 .chip").count() == 0


def test_a_message_that_the_server_cannot_read_does_not_stop_the_others(judge: Judge) -> None:
    def break_(entry: dict[str, Any]) -> None:
        if entry["body"]["changes"][0]["sentence"] == "a1-s01":
            entry["action"] = 7

    judge.together("1", "j", "2", answer=changed(break_))
    judge.said("Not saved: the message cannot be used")
    assert set(judge.marks()) == {"a1-s02"}


def test_handing_in_waits_for_what_is_on_its_way(judge: Judge) -> None:
    judge.together("1", "j", "2", answer=reach_the_server)
    judge.page.check("[name=rest_off]")
    judge.page.click("#submit summary")
    with judge.page.expect_navigation():
        judge.page.click("#submit button")
    marks = judge.marks()
    assert (marks["a1-s01"], marks["a1-s02"]) == ([["E1", ""]], [["E2", ""]])


def test_nothing_is_handed_in_when_something_on_its_way_is_refused(
    judge: Judge, server: Served
) -> None:
    judge.together("1", "j", "2", answer=changed(spoil("a1-s01")))
    judge.page.check("[name=rest_off]")
    judge.page.click("#submit summary")
    judge.page.click("#submit button")
    # Whether the refusal came before or after the click, the list of refusals opens.
    judge.said("Not saved: no such event")
    judge.page.click("#refused button.main")
    judge.page.wait_for_function("() => document.activeElement?.id === 'stream'")
    # Once it was seen, what follows is called saved.
    judge.hands.press("j", "o").saved()
    assert judge.marks() == {"a1-s02": [["E2", ""]], "a1-s03": "off"}
    assert judge.page.is_visible("#refusals")
    # It is listed in the step that it belongs to, and only there.
    judge.page.goto(f"{server.url}/t/{judge.topic}/identify")
    judge.page.wait_for_selector("h1")
    assert not judge.page.is_visible("#refusals")
    judge.page.goto(f"{server.url}/t/{judge.topic}/link")
    judge.hands.ready()
    assert judge.page.is_visible("#refusals")
    # Who uses the browser next does not read it.
    token = judge.office.person("Bob").token
    judge.page.context.add_cookies([{"name": server.cookie, "value": token, "url": server.url}])
    judge.page.reload()
    assert judge.hands.ready().page.is_hidden("#refusals")


def test_a_browser_whose_storage_is_full_still_sends(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office)
    page = visit(team.will)
    page.goto(f"{server.url}/t/{team.topic}/write")
    page.wait_for_selector("[data-ready]")
    page.evaluate(
        """() => {
          for (let size = 2 ** 23, n = 0; size >= 1; n += 1)
            try { localStorage.setItem(`full${n}`, "x".repeat(size)); } catch { size /= 2; }
        }"""
    )
    hands = Hands(page).type("Thorsday").press("Tab").type("A leak").press("Enter")
    page.wait_for_selector("#new [role=alert]")
    assert "1 not saved" in page.text_content("#refusals")
    page.fill("#new [name=when]", "2 March 2031")
    hands.press("Enter")
    page.wait_for_selector("#own [name=line]", state="attached")


def test_a_page_that_is_left_sends_what_waits(judge: Judge, server: Served) -> None:
    judge.page.evaluate("() => { window.setTimeout = () => 0; }")
    judge.hands.press("1")
    judge.page.goto(f"{server.url}/account")
    for _ in range(PATIENCE * 20):
        if judge.marks():
            break
        time.sleep(0.05)
    assert judge.marks() == {"a1-s01": [["E1", ""]]}


def test_a_refused_verdict_and_a_refused_matching_are_taken_back(
    office: Office, server: Served, visit
) -> None:
    stream, units = StreamTeam(office).link(), UnitsTeam
    stream.judge(stream.ann, s1=["E1"])
    stream.judge(stream.bob)
    page = visit(stream.eve)
    page.goto(f"{server.url}/t/{stream.topic}/verify?event=E1")
    Hands(page).ready()
    refuse_all(page)
    Hands(page).press("d")
    page.wait_for_selector("#refusals:not([hidden])")
    assert page.get_attribute(".story", "data-kept") == "open"
    team = units(office).made()
    page = visit(team.max)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    Hands(page).ready()
    refuse_all(page)
    Hands(page).press("5")
    page.wait_for_selector("#refusals:not([hidden])")
    assert page.text_content("#tree").startswith("Nothing yet")
    assert "Not saved: no such thing" in page.text_content("#saved")


def refuse_all(page: Any) -> None:
    def handle(route: Any) -> None:
        keys = [entry["key"] for entry in json.loads(route.request.post_data)["entries"]]
        answers = [{"key": key, "refused": "no such thing"} for key in keys]
        route.fulfill(json={"answers": answers})

    page.route("**/log", handle)
