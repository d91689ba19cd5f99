"""Both workflows in real browsers, from the first link to the final topic."""

import re
from pathlib import Path

import pytest

from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.store import replay
from workbench.office import ARTICLES, PASSWORD, Office
from workbench.running import Hands, Served
from workbench.team import StreamTeam


def account(page, server: Served, link: str, name: str) -> Hands:
    """Make an account by an invitation, with the keyboard."""
    page.goto(link if link.startswith("http") else f"{server.url}{link}")
    hands = Hands(page)
    hands.reach("[name=name]").type(name)
    hands.reach("[name=password]").type(PASSWORD)
    hands.reach("[name=again]").type(PASSWORD)
    return hands.go("main button.main")


def invited(hands: Hands, project: str) -> str:
    hands.page.goto(project + "/people")
    hands.go("main form button.main")
    return hands.page.text_content("#invitation")


def choose(hands: Hands, selector: str, words: str) -> None:
    """Choose an option of a list by typing its first letters."""
    hands.reach(selector).type(words)


def assign(hands: Hands, name: str, role: str) -> None:
    choose(hands, "select[name=person]", name)
    choose(hands, "select[name=role]", role)
    hands.go("section form.row button.main")


@pytest.mark.slow
def test_two_judges_and_a_verifier_by_keyboard_only(
    office: Office, server: Served, visit, tmp_path: Path
) -> None:
    with office.database.write() as connection:
        token = accounts.make_invitation(connection, days=1, founder=True)
    mara = account(visit(), server, f"{server.url}/invite/{token}", "Mara")
    mara.reach("[name=name]").type("Dam corpus")
    mara.go("form[action='/projects'] button")
    project = mara.page.url
    people = {}
    for name in ("Ann", "Bob", "Eve"):
        people[name] = account(visit(), server, invited(mara, project), name)
    stories = tmp_path / "stories.jsonl"
    stories.write_text(ARTICLES)
    mara.page.goto(project + "/import")
    mara.reach("[name=name]").type("dam")
    # A file dialogue cannot be typed into; the browser is given the file as a person would pick it.
    mara.page.set_input_files("[name=files]", stories)
    mara.go("main form button.main")
    topic = mara.page.url
    for name, role in (("Ann", "Judge"), ("Bob", "Judge"), ("Eve", "Verifier")):
        assign(mara, name, role)
    mara.go("form[action$='/open'] button")

    for name in ("Ann", "Bob"):
        hands = people[name]
        hands.page.goto(topic + "/identify")
        hands.ready().press("e").type(f"The dam leaks, says {name}").press("Enter", "r")
        hands.press("j", "k", "e").type(f"The dam breaks, says {name}").press("Enter", "r")
        hands.hand_in()

    ann, bob, eve = (people[name] for name in ("Ann", "Bob", "Eve"))
    ann.page.goto(topic + "/merge")
    ann.ready()
    assert ann.page.locator("form.group").count() == 2
    for words in ("The dam leaks", "The dam breaks"):
        ann.press("n").type(words).press("Enter")
    ann.saved()
    for hands in (ann, bob):
        hands.page.goto(topic + "/merge")
        hands.hand_in()

    # Ann: 1.1 leaks; 1.2 off; 1.3 leaks, joined by 1.4; 2.1 breaks; 2.2 by name; 2.3 like 1.1.
    ann.page.goto(topic + "/link")
    ann.ready()
    ann.page.wait_for_selector("#stream[data-hints]")
    ann.press("1", "j", "o", "j", "1", "j", "h", "j", "2", "j")
    ann.press("/").type("breaks").press("Enter")
    ann.press("n", "i").saved()
    assert ann.page.text_content("#done") == "7"
    assert ann.page.text_content("#mix") == "1 off · 6 single · 0 multi"
    ann.press("k", "o", "u").saved()
    assert ann.page.text_content("#mix") == "1 off · 6 single · 0 multi"
    ann.hand_in()
    # Bob: 1.1 leaks; 1.2 and 2.2 break it only together; the rest is off.
    bob.page.goto(topic + "/link")
    bob.ready().press("1", "j", "p", "j", "j", "j", "j", "p", "2").saved()
    bob.reach("[name=rest_off]").press("Space")
    bob.hand_in()

    eve.page.goto(topic + "/verify")
    eve.ready()
    while eve.page.text_content("#left") != "0":
        before = eve.page.text_content("#left")
        if eve.page.locator("[data-kept=open]").count():
            eve.press("n", "f")
            assert eve.page.text_content("#left") != before
        else:
            eve.saved()
            with eve.page.expect_navigation():
                eve.press("n")
            eve.ready()
    eve.press("d", "u").saved()
    eve.hand_in()

    assert replay.verify(office.database).equal
    mara.page.goto(topic)
    assert mara.page.text_content(".steps [aria-current]").strip() == "Final"
    exported = mara.page.request.get(project + "/export.jsonl?finished=yes&names=yes").body()
    path = tmp_path / "export.jsonl"
    path.write_bytes(exported)
    judged = judgement_files.load(path).topics["dam"].judgements
    marked = {(link.event[-2:], link.sentence): link.marked_by for link in judged.links}
    assert marked["E1", "a1-s01"] == ("Ann", "Bob")
    assert marked["E1", "a1-s03"] == ("Ann",)
    assert marked["E1", "a2-s03"] == ("Ann",)
    assert marked["E2", "a1-s02"] == ("Bob",)
    assert dict(judged.joined) == {"a1-s04": "a1-s03"}
    assert {link.sentence for link in judged.links if link.group} == {"a1-s02", "a2-s02"}


@pytest.mark.slow
def test_two_writers_a_maker_and_two_matchers_through_units(
    office: Office, server: Served, visit, tmp_path: Path
) -> None:
    mara = office.person("Mara", founder=True)
    names = ("Will", "Wanda", "Uma", "Max", "Nia")
    people = {name: office.person(name) for name in names}
    project = office.project(mara, "units", *people.values(), sample=1)
    topic = office.topic(mara, project, most="3")
    office.assign(
        mara, topic, writer=[people["Will"], people["Wanda"]], maker=people["Uma"],
        matcher=people["Max"], rematcher=people["Nia"],
    )  # fmt: skip
    mara.post(f"/t/{topic}/open")
    address = f"{server.url}/t/{topic}"
    hands = {name: Hands(visit(person)) for name, person in people.items()}

    for name, lines in (
        ("Will", [("1 March 2031", "The dam leaks"), ("2 March 2031", "The dam breaks")]),
        ("Wanda", [("March 2031", "A leak is seen")]),
    ):
        writer = hands[name]
        writer.page.goto(f"{address}/write")
        for when, text in lines:
            writer.reach("#new [name=when]").type(when)
            writer.reach("#new [name=text]").type(text).press("Enter")
        writer.saved()
        writer.page.wait_for_function(
            "wanted => document.querySelector('#size').textContent.includes(wanted)",
            arg=f"{len(lines)}/3",
        )
        writer.hand_in()

    uma = hands["Uma"]
    uma.page.goto(f"{address}/make")

    def tick(*texts: str) -> None:
        for text in texts:
            box = uma.page.locator("#lines li", has_text=text).locator("input")
            uma.reach(f"[value='{box.get_attribute('value')}']").press("Space")

    tick("The dam leaks", "The dam breaks")
    uma.reach("[value=unit]").press("Enter")
    assert "2031-03-01 or 2031-03-02" in uma.page.text_content("#lines [role=alert]")
    # The ticks are back; two of the lines are the same event.
    tick("The dam breaks", "A leak is seen")
    uma.reach("[value=unit]").press("Enter")
    uma.page.wait_for_selector("#U1")
    tick("The dam breaks")
    uma.reach("[value=unit]").press("Enter")
    uma.hand_in()

    # The matcher: the first anchor whole, the second a half, the two as one group; a new anchor.
    max_ = hands["Max"]
    max_.page.goto(f"{address}/match?unit=U1")
    max_.ready().press("Enter", "j", "5")
    assert max_.page.text_content("#score") == "1.00"
    max_.press("k", "x")
    assert max_.page.text_content("#score") == "0.50"
    max_.press("u", "p", "j", "p", "g").saved()
    assert max_.page.locator("#tree .tree li").count() == 2
    max_.press("a")
    max_.page.wait_for_selector("#adding[open]")
    max_.reach("#adding-words").press("Control+a").type("dam")
    max_.press("Enter", "3", "y", "j", "j", "Enter").saved().press("y").saved()
    max_.page.wait_for_function("() => document.querySelector('#matched').textContent === '2'")
    max_.hand_in()

    nia = hands["Nia"]
    nia.page.goto(f"{address}/rematch")
    nia.ready().press("Enter", "y").saved()
    nia.page.wait_for_function("() => document.querySelector('#matched').textContent === '1'")
    nia.hand_in()

    assert replay.verify(office.database).equal
    page = visit(mara)
    page.goto(f"{address}/analyze")
    text = page.text_content("main")
    assert "2 units by 2 writers" in text
    assert re.search(r"Jaccard\s*[01]\.\d{4}", text)
    path = tmp_path / "units.jsonl"
    path.write_bytes(page.request.get(f"{server.url}/p/{project}/export.jsonl").body())
    pyramid = judgement_files.load(path).topics["dam"].pyramid
    first = pyramid.units[0].group
    assert [share for _, share in first.members] == [1.0, 0.3]
    manual = next(member for member, share in first.members if share == 0.3)
    assert (manual.source, manual.end - manual.start) == ("a1-s01", 3)


@pytest.mark.parametrize("key", ["x", ","])
def test_a_key_can_be_changed_and_works_at_once(office: Office, server: Served, visit, key) -> None:
    mara = office.person("Mara", founder=True)
    mara.post("/demo")
    mara.post("/keys", next=key)
    page = visit(mara)
    page.goto(f"{server.url}/t/3/link")
    hands = Hands(page).ready()
    hands.type(key)
    assert page.text_content("#cur") == "1.2"
    hands.press("j")
    assert page.text_content("#cur") == "1.2"
    hands.press("?")
    page.wait_for_selector("#help[open]")
    assert key in page.text_content("#help")


def test_two_actions_cannot_share_a_key(office: Office) -> None:
    mara = office.person("Mara", founder=True)
    mara.post("/keys", next="k", status=400)
    mara.post("/keys", next="5", status=400)


def test_undo_by_key_on_the_identify_screen(office: Office, server: Served, visit) -> None:
    stream = StreamTeam(office)
    page = visit(stream.ann)
    page.goto(f"{server.url}/t/{stream.topic}/identify")
    hands = Hands(page).ready()
    hands.press("e").type("A leak").press("Enter")
    page.wait_for_selector("#own [name=text]")
    hands.press("u")
    page.wait_for_selector("#own .none")
    # Nothing was answered yet when it is undone: the two travel together.
    hands.press("e").type("A break").press("Enter", "u").saved()
    page.wait_for_selector("#own .none")
    page.reload()
    assert hands.ready().page.locator("#own [name=text]").count() == 0
