"""The judges' screens in a browser: how many keys and actions work takes, and what is in reach."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from chronoscore.workbench.domain.access import find_topic
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.suggesting import suggest_groups
from chronoscore.workbench.store import log, replay, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import load
from workbench.office import Office
from workbench.running import Hands, Served
from workbench.team import StreamTeam, UnitsTeam

QUAKE = {
    "2031-05-02": [
        "A strong earthquake struck Valdoria at dawn.",
        "At least 40 were killed.",
    ],
    "2031-05-03": ["Rescue teams of three countries arrived.", "Two schools in Meral collapsed."],
    "2031-05-08": ["Parliament voted 90 million crowns in aid.", "Police arrested six looters."],
}
NOTED = {
    "Ann": ["Earthquake strikes Valdoria", "At least 40 killed", "Foreign rescue teams arrive",
            "Schools collapse", "Parliament approves aid", "Six looters arrested"],
    "Ben": ["Strong quake in Valdoria", "Death toll reaches 40", "Rescuers come from abroad", "",
            "90 million in aid", "Looters arrested"],
    "Cleo": ["An earthquake hits Valdoria", "40 people die", "", "Two schools destroyed"],
}  # fmt: skip
"""What each judge noted from the sentences in their order: 14 candidates of 6 events."""
PHONE = {"width": 390, "height": 844}


class Counted(Hands):
    """Hands that count what they press; Shift and a digit are one stroke."""

    count = 0

    def press(self, *keys: str) -> Hands:
        self.count += len(keys)
        return super().press(*keys)


class LongStream:
    """A judge, a verifier and a topic in its link step, with twelve events."""

    def __init__(self, office: Office, sentences: int) -> None:
        self.manager = office.person("Mara", founder=True)
        self.ann, self.eve = office.person("Ann"), office.person("Eve")
        project = office.project(self.manager, "stream", self.ann, self.eve)
        texts = [f"Report {number} tells of place {number % 7}." for number in range(sentences)]
        stories = [
            {"id": f"a{at}", "time": f"2031-03-{at + 1:02}", "sentences": texts[at * 10 :][:10]}
            for at in range(sentences // 10)
        ]
        upload = ("a.jsonl", "\n".join(map(json.dumps, stories)).encode(), "text/plain")
        self.topic = office.topic(self.manager, project, upload=upload)
        office.assign(self.manager, self.topic, judge=self.ann, verifier=self.eve)
        place: dict[str, Any] = {"project": project, "topic": self.topic}
        with office.database.write() as connection:
            for n in range(1, 13):
                data = {"id": f"E{n}", "n": n, "text": f"Event {n}", "candidates": []}
                log.append(connection, LogEntry(action="event.add", data=data, **place))
            log.append(connection, LogEntry(action="step.open", data={"step": "link"}, **place))


@pytest.mark.slow
def test_a_hundred_sentences_take_at_most_110_keys_with_decide_and_go_on(
    office: Office, server: Served, visit: Any
) -> None:
    long = LongStream(office, 100)
    page = visit(long.ann)
    page.goto(f"{server.url}/t/{long.topic}/link")
    hands = Counted(page)
    hands.ready().press("y")
    wanted: list[list[int]] = []
    # Of ten sentences four are off, five tell of one event, and nearly always one of two.
    for number in range(100):
        kind = number % 10
        if kind < 4:
            hands.press("o")
            wanted.append([])
        elif kind < 9 or number == 99:
            event = number % 7 + 4
            hands.press("123456789q"[event - 1])
            wanted.append([event])
        else:
            hands.press("Shift+Digit1", "2")
            wanted.append([1, 2])
    hands.saved()
    assert hands.count == 110
    data = page.request.get(f"{server.url}/t/{long.topic}/link.json").json()
    names = [name for story in data["stories"] for name, _ in story["sentences"]]
    marks = [data["mine"]["marks"][name] for name in names]
    assert [sorted(int(event[1:]) for event, _ in mark["links"]) for mark in marks] == wanted
    assert all(mark["off"] != bool(mark["links"]) for mark in marks)
    # The choice is remembered, and another press takes it back.
    page.reload()
    button = hands.ready().page.locator("[data-do=onward]")
    assert button.get_attribute("aria-pressed") == "true"
    hands.press("y")
    assert button.get_attribute("aria-pressed") == "false"


@pytest.mark.slow
def test_with_decide_and_go_on_only_decisions_lead_on(
    office: Office, server: Served, visit: Any
) -> None:
    team = StreamTeam(office).link()
    page = visit(team.ann)
    page.goto(f"{server.url}/t/{team.topic}/link")
    hands = Hands(page).ready().press("y", "1", "k", "1")
    # What was taken back leaves its sentence undecided, and current.
    assert page.text_content("#cur") == "1.1"
    hands.press("o", "2", "1", "h")
    # The joined parts are one sentence; the next story follows.
    assert page.text_content("#cur") == "2.1"
    hands.press("u").saved()
    assert page.text_content("#cur") == "1.3"
    page.locator("#events button").nth(1).click(modifiers=["Shift"])
    assert page.text_content("#cur") == "1.3"
    hands.press("1")
    assert page.text_content("#cur") == "1.3"
    page.locator("#events button").first.click()
    hands.saved()
    assert page.text_content("#cur") == "1.4"


@pytest.mark.slow
def test_keys_act_after_a_click_beside_the_stream_and_not_in_fields(
    office: Office, server: Served, visit: Any
) -> None:
    team = StreamTeam(office).link()
    page = visit(team.ann)
    page.goto(f"{server.url}/t/{team.topic}/link")
    hands = Hands(page).ready()
    panels = {".rail h2": "1.2", ".side .head h2": "1.3", ".workhead h1": "1.4", "#done": "2.1"}
    for panel, next_one in panels.items():
        page.click(panel)
        hands.press("j")
        assert page.text_content("#cur") == next_one
    page.click("#q")
    hands.type("j1")
    assert page.input_value("#q") == "j1"
    assert page.text_content("#done") == "0"
    # A button keeps Enter for itself.
    hands.press("Escape")
    page.focus("#events li:nth-child(2) button")
    hands.press("Enter").saved()
    assert page.text_content("#done") == "1"


@pytest.mark.slow
def test_an_event_has_the_same_key_on_link_and_verify(
    office: Office, server: Served, visit: Any
) -> None:
    long = LongStream(office, 10)
    for person in (long.ann, long.eve):
        person.post("/keys", drop="q" if person is long.eve else "d")
    page = visit(long.ann)
    page.goto(f"{server.url}/t/{long.topic}/link")
    Hands(page).ready().press("q").saved()
    on_link = page.locator("#events .k").all_text_contents()
    assert on_link[9] == "q"
    long.ann.post(f"/t/{long.topic}/submit", step="link", rest_off="yes")
    # Where a person's own keys are others, the keys of events move up on both screens alike.
    for key, tenth in (("q", "w"), ("d", "q")):
        long.eve.post("/keys", drop=key)
        page = visit(long.eve)
        page.goto(f"{server.url}/t/{long.topic}/verify?event=E1")
        hands = Hands(page).ready()
        assert page.locator("#events .k").all_text_contents()[9] == tenth
        with page.expect_response(lambda answer: "event=E10" in answer.url):
            hands.press(tenth)
        page.wait_for_selector("#events [href='?event=E10'][aria-current]")
    assert page.locator("#events .k").all_text_contents() == on_link


@pytest.mark.slow
def test_on_a_phone_off_comes_first_and_nothing_is_cut(
    office: Office, server: Served, visit: Any
) -> None:
    team = StreamTeam(office).link()
    page = visit(team.ann, viewport=PHONE)
    page.goto(f"{server.url}/t/{team.topic}/link")
    Hands(page).ready()
    buttons = page.locator(".keysbar button:visible")
    assert "off" in buttons.first.text_content()

    def sizes() -> list[dict[str, float]]:
        return [one.bounding_box() for one in buttons.all()]

    short = sizes()
    page.locator("[data-more]").click()
    assert len(sizes()) > len(short)
    for box in [*short, *sizes(), *(one.bounding_box() for one in page.locator(".ev").all())]:
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    buttons.first.click()
    assert page.text_content("#mix").startswith("1 off")


@pytest.mark.slow
def test_the_form_for_a_new_line_stays_on_top(office: Office, server: Served, visit: Any) -> None:
    team = UnitsTeam(office)
    team.write(team.will, ("2031-03-01", "The dam leaks"), ("2031-03-02", "The dam breaks"))
    page = visit(team.will)
    page.goto(f"{server.url}/t/{team.topic}/write")
    new, own = (page.locator(name).bounding_box() for name in ("#new", "#own"))
    assert new["y"] + new["height"] <= own["y"]


class Merging:
    """Three judges who noted events of a stream and merge them."""

    def __init__(self, office: Office) -> None:
        self.office = office
        manager = office.person("Mara", founder=True)
        self.judges = [office.person(name) for name in NOTED]
        self.project = office.project(manager, "stream", *self.judges)
        stories = [
            {"id": f"a{at}", "time": f"{day}T08:00:00", "sentences": sentences}
            for at, (day, sentences) in enumerate(QUAKE.items(), 1)
        ]
        upload = ("a.jsonl", "\n".join(map(json.dumps, stories)).encode(), "text/plain")
        self.topic = office.topic(manager, self.project, upload=upload)
        office.assign(manager, self.topic, judge=self.judges)
        manager.post(f"/t/{self.topic}/open")
        sentences = [f"a{story}-s{n:02}" for story in (1, 2, 3) for n in (1, 2)]
        for judge in self.judges:
            for text, sentence in zip(NOTED[judge.name], sentences, strict=False):
                if text:
                    path = f"/t/{self.topic}/identify/candidates"
                    judge.post(path, sentence=sentence, text=text)
            for story in (1, 2, 3):
                judge.post(f"/t/{self.topic}/identify/read", story=f"a{story}")
            judge.post(f"/t/{self.topic}/submit", step="identify")

    def events(self) -> list[set[str]]:
        """The candidates of each event, in words."""
        with self.office.database.read() as connection:
            noted = connection.execute(select(tables.candidate))
            texts = {row.id: row.text for row in noted}
            found: dict[str, set[str]] = {}
            for row in connection.execute(select(tables.merged)):
                found.setdefault(row.event, set()).add(texts[row.candidate])
        return [found[name] for name in sorted(found, key=lambda name: int(name[1:]))]


TRUTH = [
    {texts[at] for texts in NOTED.values() if at < len(texts) and texts[at]} for at in range(6)
]


@pytest.mark.slow
def test_fourteen_candidates_are_merged_in_at_most_eight_actions(
    office: Office, server: Served, visit: Any
) -> None:
    merging = Merging(office)
    page = visit(merging.judges[0])
    page.goto(f"{server.url}/t/{merging.topic}/merge")
    hands = Counted(page)
    hands.ready()
    # Every sentence is in sight, not in a tooltip.
    shown = page.inner_text("#groups")
    assert all(sentence in shown for sentences in QUAKE.values() for sentence in sentences)
    before = office.entries()
    for left in range(5, -1, -1):
        hands.press("Enter").saved()
        page.wait_for_function(
            "left => document.querySelectorAll('#groups > .group').length === left",
            arg=left,
        )
    assert hands.count <= 8
    assert merging.events() == TRUTH
    assert office.entries() - before == hands.count, "a group is one entry"
    page.wait_for_selector("#left:has-text('Every candidate is assigned')")
    # Each group is taken back by one undo.
    hands.press("u").saved()
    page.wait_for_function("() => document.querySelector('#left b')")
    assert merging.events() == TRUTH[:-1]
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_all_suggestions_are_accepted_at_once_and_undone_one_by_one(
    office: Office, server: Served, visit: Any
) -> None:
    merging = Merging(office)
    page = visit(merging.judges[0])
    page.goto(f"{server.url}/t/{merging.topic}/merge")
    hands = Hands(page).ready()
    page.click("#accept-all")
    page.wait_for_selector("#E6")
    assert merging.events() == TRUTH
    # Compact: an event is one row.
    assert page.locator("#list").bounding_box()["height"] <= 6 * 40
    for left in range(5, 0, -1):
        hands.press("u").saved()
        page.wait_for_selector(f"#E{left + 1}", state="detached")
        assert merging.events() == TRUTH[:left]
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_candidates_are_added_left_out_taken_apart_and_renamed_by_keys(
    office: Office, server: Served, visit: Any
) -> None:
    merging = Merging(office)
    page = visit(merging.judges[0])
    page.goto(f"{server.url}/t/{merging.topic}/merge")
    hands = Hands(page).ready()
    # Not the same: only the first is an event; a digit adds the others, typed ahead of the server.
    hands.press("x", "Enter", "1").saved()
    page.wait_for_function("() => document.querySelectorAll('#list > li').length === 1")
    assert merging.events() == [{"Earthquake strikes Valdoria", *TRUTH[1]}]
    hands.press("0", "Enter").saved()
    page.wait_for_function("() => document.querySelector('#left').textContent.includes('8 ')")
    hands.press("r").type("An earthquake and its victims").press("Enter").saved()
    page.wait_for_selector("#E1 > b:text('An earthquake and its victims')")
    hands.press("Escape")
    page.evaluate("document.activeElement.blur()")
    hands.press("t").saved()
    page.wait_for_selector("#E1", state="detached")
    assert merging.events() == []
    hands.press("u").saved()
    page.wait_for_selector("#E1")
    assert merging.events() == [{"Earthquake strikes Valdoria", *TRUTH[1]}]
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_candidates_are_dragged_to_a_new_event_and_onto_one(
    office: Office, server: Served, visit: Any
) -> None:
    merging = Merging(office)
    page = visit(merging.judges[0])
    page.goto(f"{server.url}/t/{merging.topic}/merge")
    hands = Hands(page).ready()
    first = page.locator("form.group .cand")
    first.nth(0).drag_to(page.locator("#drop"))
    page.wait_for_selector("#E1")
    page.locator(".cand:has-text('Six looters')").drag_to(page.locator("#E1"))
    hands.saved()
    page.wait_for_function("() => !document.querySelector('.cand:not(#assigned .cand)')?.hidden")
    assert merging.events() == [TRUTH[0] | TRUTH[5]]


def test_suggestions_are_the_same_whatever_order_candidates_come_in(office: Office) -> None:
    merging = Merging(office)
    with office.database.read() as connection:
        source = load(connection, merging.topic)
        access = find_topic(connection, merging.judges[0].id, merging.topic)
        everyone = stream.all_candidates(connection, access)
    wanted = suggest_groups(everyone, source)
    assert [{one.text for one in group.candidates} for group in wanted] == TRUTH
    for seed in range(5):
        shuffled = random.Random(seed).sample(everyone, len(everyone))
        assert suggest_groups(shuffled, source) == wanted
    # One judge's candidates are different events, however alike they are.
    twice = [replace(one, person=1, name="Ann") for one in everyone]
    assert all(len(group.candidates) == 1 for group in suggest_groups(twice, source))
    assert suggest_groups([], source) == ()


def test_removing_a_member_asks_once(office: Office, server: Served, visit: Any) -> None:
    manager, ann = office.person("Mara", founder=True), office.person("Ann")
    project = office.project(manager, "stream", ann)
    page = visit(manager)
    page.goto(f"{server.url}/p/{project}/people")
    before = office.entries()
    page.get_by_text("remove Ann", exact=False).first.click()
    page.wait_for_selector("text=Ann loses the project")
    assert office.entries() == before
    with page.expect_navigation():
        page.click("text=Yes, remove Ann")
    assert office.entries() == before + 1
    ann.get(f"/p/{project}", 404)
