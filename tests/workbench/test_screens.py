"""The judges' screens in a browser: how many keys and actions work takes, and what is in reach."""

import json
from typing import Any

import pytest

from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from workbench.office import Office
from workbench.running import Hands, Served
from workbench.team import StreamTeam, UnitsTeam

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
