"""Typing ahead: whatever the network does, every letter goes where it was meant to go.

At 60 words a minute there are 200 ms from letter to letter; here there are 10.
"""

import json
import re
from typing import Any

import pytest
from sqlalchemy import select

from chronoscore.workbench.store import log, tables
from workbench.office import Office
from workbench.running import Hands, Served
from workbench.team import StreamTeam, UnitsTeam

LATENCY = 60
BETWEEN_LETTERS = 10


class Typist(Hands):
    """Somebody who types without looking, with a network that is slow."""

    def __init__(self, page: Any, address: str) -> None:
        super().__init__(page)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        conditions = {"latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
        network.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
        page.goto(address)
        page.wait_for_selector("[data-ready]")

    def type(self, text: str) -> "Typist":
        """Letters, with ⏎ for Enter, → for Tab and ⎵ for the space bar on a box."""
        for letter in text:
            key = {"⏎": "Enter", "→": "Tab", "⎵": "Space"}.get(letter)
            if key:
                self.page.keyboard.press(key)
            else:
                self.page.keyboard.type(letter)
            self.page.wait_for_timeout(BETWEEN_LETTERS)
        return self

    def saved(self) -> "Typist":
        """Until every key was used and everything is on the server."""
        self.page.wait_for_function(
            """() => !document.querySelector('#stream[aria-busy=true]')
            && !Object.keys(localStorage).some((name) => name.includes('outbox'))
            && document.querySelector('#saved').textContent.startsWith('✓')"""
        )
        return self


def rows(office: Office, table: Any, *columns: str) -> list[tuple[Any, ...]]:
    with office.database.read() as connection:
        found = connection.execute(select(*(table.c[name] for name in columns))).all()
    return [tuple(row) for row in found]


def actions(office: Office, topic: int, person: int) -> list[str]:
    with office.database.read() as connection:
        return [one.action for one in log.read(connection, topic=topic, person=person)]


def test_events_typed_ahead_on_the_identify_screen(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office)
    hands = Typist(visit(team.ann), f"{server.url}/t/{team.topic}/identify")
    hands.type("eThe thief opened the case⏎jeu re-read the memo⏎reJuror j kept notes⏎jjeUndo u⏎u")
    hands.saved()
    assert rows(office, tables.candidate, "text", "sentence", "withdrawn") == [
        ("The thief opened the case", "a1-s01", False),
        ("u re-read the memo", "a1-s02", False),
        ("Juror j kept notes", "a2-s01", False),
    ]
    assert rows(office, tables.reading, "story") == [("a1",)]
    hands.page.wait_for_function("() => document.querySelectorAll('#own [name=text]').length === 3")


def test_lines_typed_ahead_on_the_write_screen(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office)
    page = visit(team.will)
    hands = Typist(page, f"{server.url}/t/{team.topic}/write")
    hands.type("1 March 2031→The dam leaks⏎2 March 2031→The dam breaks⏎3 March 2031→One too many⏎")
    page.wait_for_selector("#new [role=alert]")
    assert rows(office, tables.line, "when", "text") == [
        ("2031-03-01", "The dam leaks"),
        ("2031-03-02", "The dam breaks"),
    ]
    assert "which is the most it may have" in page.text_content("#new [role=alert]")
    # What was refused is back in its fields, and stays there whatever happens to the page.
    for _ in range(2):
        assert page.input_value("#new [name=when]") == "3 March 2031"
        assert page.input_value("#new [name=text]") == "One too many"
        page.reload()
        page.wait_for_selector("[data-ready]")


def test_a_wrong_date_is_said_beside_the_line_while_the_next_is_typed(
    office: Office, server: Served, visit
) -> None:
    team = UnitsTeam(office)
    page = visit(team.will)
    hands = Typist(page, f"{server.url}/t/{team.topic}/write")
    hands.type("Thorsday→The dam leaks⏎2 March 2031→The dam breaks, they say")
    page.wait_for_selector("#new [role=alert]")
    assert page.input_value("#new [name=text]") == "The dam breaks, they say"
    assert "It is kept: “The dam leaks”" in page.text_content("#new [role=alert]")
    hands.type("⏎")
    page.wait_for_selector("#own [name=line]", state="attached")
    assert rows(office, tables.line, "text") == [("The dam breaks, they say",)]
    page.click("#refusals")
    assert "Thorsday The dam leaks" in page.text_content("#refused")


def test_words_typed_ahead_on_the_merge_screen(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office)
    for judge in (team.ann, team.bob):
        for story in ("a1", "a2"):
            text = f"{story} seen by {judge.name}"
            path = f"/t/{team.topic}/identify"
            judge.post(f"{path}/candidates", sentence=f"{story}-s01", text=text)
            judge.post(f"{path}/read", story=story)
        judge.post(f"/t/{team.topic}/submit", step="identify")
    page = visit(team.ann)
    hands = Typist(page, f"{server.url}/t/{team.topic}/merge")
    for words in ("The dam leaks", "The dam breaks"):
        hands.type(f"n{words}⏎")
    # While the list is still on its way, an event gets other words.
    hands.page.wait_for_selector("#E2")
    page.click("#E1 summary")
    page.focus("#E1 [name=text]")
    page.keyboard.press("End")
    hands.type(" a little⏎, says nobody")
    hands.saved()
    page.wait_for_function("() => !document.querySelector('#left b')")
    assert rows(office, tables.event, "id", "text") == [
        ("E1", "The dam leaks a little"),
        ("E2", "The dam breaks"),
    ]
    # What is not sent yet is still there, and the cursor in it.
    assert page.input_value("#E1 [name=text]") == "The dam leaks a little, says nobody"
    assert page.evaluate("document.activeElement.closest('li').id") == "E1"


def test_fields_typed_ahead_on_the_make_screen(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office).written()
    lines = team.lines()
    page = visit(team.uma)
    hands = Typist(page, f"{server.url}/t/{team.topic}/make")
    for text in ("The dam leaks", "A leak in the dam"):
        page.check(f"[value='{lines[text]}']")
    page.click("[value=unit]")
    page.check(f"[value='{lines['The dam breaks']}']")
    page.click("[value=unit]")
    page.wait_for_selector("#U2")
    page.focus("#U1 [name=agent]")
    hands.type("the Corvane dam→→→a valley⏎")
    page.focus("#U2 [name=agent]")
    hands.type("the dam⏎ itself⏎")
    hands.saved()
    assert rows(office, tables.unit, "id", "agent", "location", "gone") == [
        ("U1", "the Corvane dam", "a valley", False),
        ("U2", "the dam itself", "", False),
    ]


def verdicts(office: Office) -> dict[tuple[str, str], bool | None]:
    found = rows(office, tables.verdict, "event", "sentence", "kept")
    return {(event, item): kept for event, item, kept in found}


def test_verdicts_typed_ahead_on_the_verify_screen(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"], s2=["E1"], s5=["E2"])
    team.judge(team.bob, s3=["E1"], s6=["E2"])
    page = visit(team.eve)
    hands = Typist(page, f"{server.url}/t/{team.topic}/verify")
    # To the next event and back, a note in between: nothing waits for the network.
    hands.type("fd]fd[jjf]umIs f a verdict? d[")
    hands.reach("#note button.main").type("⏎[")
    hands.saved()
    assert verdicts(office) == {
        ("E1", "a1-s01"): True, ("E1", "a1-s02"): False, ("E1", "a1-s03"): True,
        ("E2", "a2-s01"): True, ("E2", "a2-s02"): None,
    }  # fmt: skip
    assert rows(office, tables.note, "text") == [("Is f a verdict? d[",)]
    page.wait_for_selector("h2:has-text('E1:')")
    assert page.url.endswith("?event=E1")
    page.go_back()
    page.wait_for_selector("h2:has-text('E2:')")


def test_an_event_that_cannot_be_had_takes_no_verdicts_that_were_meant_for_it(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"], s5=["E2"])
    team.judge(team.bob, s1=["E1"])
    page = visit(team.eve)
    page.clock.install(time=0)
    page.goto(f"{server.url}/t/{team.topic}/verify")
    hands = Hands(page).ready()
    # However slow the hands are, the notice is still to be read when they press the last key.
    page.clock.pause_at(3600)
    page.context.set_offline(True)
    hands.press("]", "d", "d")
    page.wait_for_selector("#saved:has-text('Not shown')")
    page.clock.run_for(1000)
    page.wait_for_selector("#saved:has-text('2 keys that you pressed since did nothing')")
    page.context.set_offline(False)
    page.wait_for_selector("#stream:not([aria-busy=true])")
    page.clock.resume()
    hands.press("f", "]", "d")
    page.wait_for_selector("h2:has-text('E2:')")
    hands.saved()
    page.wait_for_function("() => !Object.keys(localStorage).some((n) => n.includes('outbox'))")
    assert verdicts(office) == {("E1", "a1-s01"): True, ("E2", "a2-s01"): False}


def test_a_screen_does_not_turn_before_what_was_done_is_sent(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"], s5=["E2"])
    team.judge(team.bob, s1=["E1"])
    page = visit(team.eve)
    page.clock.install(time=0)
    page.goto(f"{server.url}/t/{team.topic}/verify")
    hands = Hands(page).ready()
    page.clock.pause_at(3600)
    page.context.set_offline(True)
    # Keys do nothing while a try fails, nor between one that failed and the next.
    for keys in ("f]dd", "]dd"):
        hands.press(*keys)
        page.clock.run_for(50)
        page.wait_for_selector("#saved:has-text('Not shown: what was done is not sent yet')")
        page.clock.run_for(1000)
        page.wait_for_selector("#stream:not([aria-busy=true])")
        assert page.get_attribute(".story", "data-kept") == "keep"
    page.context.set_offline(False)
    hands.saved().press("d", "]", "d")
    page.clock.run_for(50)
    page.wait_for_selector("h2:has-text('E2:')")
    page.clock.run_for(50)
    hands.saved()
    assert verdicts(office) == {("E1", "a1-s01"): False, ("E2", "a2-s01"): False}


def test_new_guidelines_are_read_before_the_next_event_is_judged(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1"], s5=["E2"])
    team.judge(team.bob, s1=["E1"])
    page = visit(team.eve)
    page.goto(f"{server.url}/t/{team.topic}/verify")
    hands = Hands(page).ready()
    path = f"/p/{team.project}/guidelines"
    team.manager.post(path, step="verify", text="Drop what is in doubt", base="0")
    leaving: list[Any] = []

    def hold_back(route: Any) -> None:
        if route.request.is_navigation_request():
            leaving.append(route)
        else:
            route.continue_()

    page.route("**/*", hold_back)
    hands.press("]", "d")
    while not leaving:
        page.wait_for_timeout(20)
    hands.press("d")
    leaving[0].continue_()
    page.wait_for_selector("text=Drop what is in doubt")
    assert verdicts(office) == {}


def test_a_sentence_added_on_the_verify_screen_does_not_lose_what_is_typed_next(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office, additions=True).link()
    team.judge(team.ann, s1=["E1"], s2=["E1"])
    team.judge(team.bob, s1=["E1"])
    page = visit(team.eve)
    hands = Typist(page, f"{server.url}/t/{team.topic}/verify")
    hands.type("f")
    page.select_option("#add select", "a2-s03")
    hands.reach("#add button").type("⏎jd").saved()
    page.wait_for_selector(".pill:has-text('added by you')")
    page.select_option("#add select", "a1-s01")
    assert verdicts(office) == {
        ("E1", "a1-s01"): True, ("E1", "a2-s03"): False,
    }  # fmt: skip


def test_shares_typed_ahead_on_the_match_screen(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office).made()
    page = visit(team.max)
    hands = Typist(page, f"{server.url}/t/{team.topic}/match?unit=U1")
    # Each unit's shares, from one to the other and back.
    hands.type("3j5y7[kx2]8")
    hands.saved()
    first, second = (
        json.loads(tree) for _, tree in sorted(rows(office, tables.matching, "unit", "tree"))
    )
    shares = [[one["v"] for one in tree["members"]] for tree in (first, second)]
    assert shares == [[0.5, 0.2], [0.8]]


def test_an_anchor_typed_ahead_on_the_match_screen(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office).made()
    page = visit(team.max)
    hands = Typist(page, f"{server.url}/t/{team.topic}/match?unit=U1")
    hands.type("aCorvane dam⏎6j3")
    hands.saved()
    trees = dict(rows(office, tables.matching, "unit", "tree"))
    found = [one["v"] for one in json.loads(trees["U1"])["members"]]
    assert found == [0.6, 0.3]
    # Words that the server refuses come back with the reason.
    hands.type("aCorvane dam⏎")
    page.wait_for_selector("#adding[open] #adding-wrong:not(:empty)")
    assert page.input_value("#adding-words") == "Corvane dam"


def test_marks_typed_ahead_on_the_link_screen(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office).link()
    page = visit(team.ann)
    hands = Typist(page, f"{server.url}/t/{team.topic}/link")
    hands.type("1jojp")
    hands.type("jp2j/breaks⏎jo")
    hands.type("ftown⏎")
    hands.saved()
    marks = json.loads(team.ann.get(f"/t/{team.topic}/link.json"))["mine"]["marks"]
    linked = {name: [event for event, _ in one["links"]] for name, one in marks.items()}
    assert linked == {
        "a1-s01": ["E1"], "a1-s02": [], "a1-s03": ["E2"], "a1-s04": ["E2"], "a2-s01": ["E2"],
        "a2-s02": [],
    }  # fmt: skip
    assert [name for name, one in marks.items() if one["off"]] == ["a1-s02", "a2-s02"]


def test_a_note_does_not_lose_the_place(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office).link()
    for who, step, place in ((team.ann, "identify", "a1-s02"), (team.ann, "link", "a1-s02")):
        page = visit(who)
        hands = Typist(page, f"{server.url}/t/{team.topic}/{step}")
        hands.type("jmIs j or k the next?")
        hands.reach("#note button.main").type("⏎")
        hands.type("k")
        current = page.locator(".s.here, .s[aria-selected=true]")
        assert current.count() == 1
        assert current.locator(".id").text_content() == "1.1"
        page.wait_for_function(
            "() => !Object.keys(localStorage).some((name) => name.includes('outbox'))"
        )
        assert (place, "Is j or k the next?") in rows(office, tables.note, "place", "text")


def test_reading_on_never_takes_a_read_mark_away(office: Office, server: Served, visit) -> None:
    team = StreamTeam(office)
    page = visit(team.ann)
    hands = Typist(page, f"{server.url}/t/{team.topic}/identify?story=a1")
    hands.type("r[r[r")
    hands.saved()
    assert rows(office, tables.reading, "story") == [("a1",)]
    assert actions(office, team.topic, team.ann.id) == ["story.read"]
    hands.type("[")
    page.click("text=Not read yet")
    hands.saved()
    assert rows(office, tables.reading, "story") == []
    assert page.is_hidden("text=Not read yet")


def test_only_one_sentence_looks_current_when_the_link_screen_is_opened_again(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office).link()
    for number in (1, 2, 3):
        team.ann.mark(team.topic, f"a1-s0{number}", off=True)
    page = visit(team.ann)
    page.goto(f"{server.url}/t/{team.topic}/link")
    Hands(page).ready()
    current = page.locator("[aria-selected=true] .id")
    assert current.all_text_contents() == ["1.4"]


def test_grouping_says_which_shares_it_sets_anew(office: Office, server: Served, visit) -> None:
    team = UnitsTeam(office).made()
    page = visit(team.max)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    hands = Hands(page).ready()
    words = page.locator("[data-anchor]").nth(0).text_content()
    hands.press("3", "p", "j", "p", "g").saved()
    said = page.text_content("#tree-note")
    assert f"Set to 1: {re.sub(r'0.3$', '', words)}" in said
    assert "0.3" in said
    hands.press("u").saved()
    assert page.text_content("#tree-note") == ""
    assert page.locator("#tree .share").first.input_value() == "0.3"


def test_what_waits_in_a_closed_tab_is_sent_by_the_next(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office)
    page = visit(team.ann)
    page.goto(f"{server.url}/t/{team.topic}/identify")
    hands = Hands(page).ready()
    page.context.set_offline(True)
    hands.press("e").type("A leak").press("Enter", "e").type("A draft that is not sent")
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('kept here')"
    )
    other = page.context.new_page()
    page.close()
    other.context.set_offline(False)
    other.goto(f"{server.url}/t/{team.topic}/identify")
    Hands(other).ready().saved()
    assert rows(office, tables.candidate, "text") == [("A leak",)]
    assert other.input_value("#new-text") == "A draft that is not sent"


@pytest.mark.parametrize(
    ("sentence", "text", "words"),
    [("a1-s02", "x" * 501, "500 characters"), ("none", "A “leak” & more", "no such sentence")],
)
def test_a_plain_form_that_is_refused_is_shown_again_as_it_was(
    office: Office, sentence: str, text: str, words: str
) -> None:
    team = StreamTeam(office)
    path = f"/t/{team.topic}/identify/candidates"
    answer = team.ann.post(path, status=400, story="a1", sentence=sentence, text=text)
    assert answer.text.count('role="alert"') == 1
    assert words in answer.text
    assert f">{text.replace('&', '&amp;')}</textarea>" in answer.text


def test_plain_forms_of_the_units_are_shown_again_as_they_were(office: Office) -> None:
    team = UnitsTeam(office)
    page = f"/t/{team.topic}/write"
    answer = team.will.post(page, status=400, when="Thorsday", text="The “dam” leaks")
    assert 'value="Thorsday"' in answer.text
    assert 'value="The “dam” leaks"' in answer.text
    assert answer.text.count('role="alert"') == 1
    team.written()
    lines = team.lines()
    page = f"/t/{team.topic}/make"
    chosen = [lines["The dam leaks"], lines["The dam breaks"]]
    answer = team.uma.post(page, status=409, do="unit", line=chosen)
    assert answer.text.count("checked") == 2
    assert "2031-03-01 or 2031-03-02" in answer.text
    team.uma.post(page, do="unit", line=chosen[:1])
    edit = {"do": "edit", "unit": "U1", "action": "", "agent": "a dam", "time": "2031"}
    answer = team.uma.post(page, status=400, **edit)
    assert 'value="a dam"' in answer.text
    assert "a unit needs its action" in answer.text
    assert answer.text.count('role="alert"') == 1
