"""Two tabs, no network, a session that ends: nothing is lost and nothing comes twice."""

import json
from typing import Any

import pytest
from sqlalchemy import delete, select

from chronoscore.workbench.store import replay, tables
from chronoscore.workbench.store.log import read
from workbench.office import Office, Visitor, to_link
from workbench.running import Hands, Served
from workbench.team import StreamTeam, UnitsTeam


@pytest.fixture
def ann(office: Office) -> Visitor:
    return office.person("Ann")


@pytest.fixture
def topic(office: Office, ann: Visitor) -> int:
    manager, bob = office.person("Mara", founder=True), office.person("Bob")
    project = office.project(manager, "stream", ann, bob)
    found = office.topic(manager, project)
    office.assign(manager, found, judge=[ann, bob])
    manager.post(f"/t/{found}/open")
    to_link(office, manager, found, ann, bob)
    return found


def marks(office: Office, topic: int) -> dict[str, dict]:
    with office.database.read() as connection:
        rows = connection.execute(select(tables.mark).where(tables.mark.c.topic == topic))
        return {row.sentence: {"off": row.off, "links": json.loads(row.links)} for row in rows}


def two_tabs(page: Any, address: str) -> tuple[Any, Any]:
    tabs = page, page.context.new_page()
    for tab in tabs:
        tab.goto(address)
        Hands(tab).ready()
    return tabs


def test_of_two_tabs_one_wins_and_the_other_sees_both_versions(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    first, second = two_tabs(visit(ann), f"{server.url}/t/{topic}/link")
    Hands(first).press("1").saved()
    second.bring_to_front()
    Hands(second).press("o")
    second.wait_for_selector("#conflict[open]")
    assert "The dam leaks" in second.text_content("#conflict-theirs")
    assert second.text_content("#conflict-mine") == "off"
    assert marks(office, topic)["a1-s01"]["off"] is False
    Hands(second).reach("#take-mine").press("Enter")
    Hands(second).saved()
    assert marks(office, topic)["a1-s01"] == {"off": True, "links": []}
    first.bring_to_front()
    Hands(first).press("2")
    first.wait_for_selector("#conflict[open]")
    assert first.text_content("#conflict-theirs") == "off"
    Hands(first).reach("#take-theirs").press("Enter")
    assert first.locator("#s0 .offc").count() == 1
    assert marks(office, topic)["a1-s01"]["off"] is True


def test_a_minute_without_network_loses_nothing_and_doubles_nothing(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    page = visit(ann)
    page.clock.install(time=0)
    page.goto(f"{server.url}/t/{topic}/link")
    hands = Hands(page).ready()
    hands.press("1").saved()
    page.context.set_offline(True)
    page.clock.pause_at(3600)
    hands.press("j", "o", "j", "1", "2", "j", "o", "u", "j", "2")
    page.clock.run_for(50)
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('No connection')"
    )
    # A minute passes on the browser's clock; it keeps trying.
    page.clock.run_for(60_000)
    assert "kept here" in page.text_content("#saved")
    assert set(marks(office, topic)) == {"a1-s01"}
    # As soon as there is a network, without waiting for the next try.
    page.context.set_offline(False)
    hands.saved()
    found = marks(office, topic)
    assert found["a1-s02"] == {"off": True, "links": []}
    assert found["a1-s03"]["links"] == [["E1", ""], ["E2", ""]]
    assert found["a1-s04"] == {"off": False, "links": []}
    assert found["a2-s01"]["links"] == [["E2", ""]]
    with office.database.read() as connection:
        log = [entry for entry in read(connection, topic=topic) if entry.action == "mark"]
    assert len(log) == 7
    assert replay.verify(office.database).equal


def test_marks_outlive_closed_tabs(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    """Neither another tab that is open, nor another topic, nor another person takes them."""
    address = f"{server.url}/t/{topic}/link"
    first, second = two_cut_off_tabs(visit(ann), address, ("1", "j", "o"))
    assert second.text_content("#done") == "0"
    Hands(second).press("j", "j", "1")
    third = cut_off(second.context.new_page())
    first.close()
    second.close()
    # A third tab takes them over, reaches nobody either, and is closed as well.
    third.goto(address)
    Hands(third).ready()
    third.wait_for_selector("#saved:has-text('3 kept here')")
    last = third.context.new_page()
    torn = f"chronoscore:outbox:{ann.id}:{topic}:torn"
    third.evaluate("name => localStorage.setItem(name, '[')", torn)
    third.close()
    mara, bob = office.person("Mara"), office.person("Bob")
    with office.database.read() as connection:
        project = connection.execute(select(tables.topic.c.project)).scalar()
    another = office.topic(mara, project, name="another")
    office.assign(mara, another, judge=ann)
    mara.post(f"/t/{another}/open")
    last.goto(f"{server.url}/t/{another}/identify")
    Hands(last).ready().press("r").saved()
    held: list[Any] = []
    released: list[Any] = []

    def hold_first(route: Any) -> None:
        if len(held) > len(released):
            route.continue_()
        else:
            held.append(route)

    last.route("**/log", hold_first)
    for who in (bob, ann):
        cookie = {"name": server.cookie, "value": who.token, "url": server.url}
        last.context.add_cookies([cookie])
        last.goto(address)
        hands = Hands(last).ready()
        if who is bob:
            hands.press("j", "2")
        # Nothing is called saved before there is an answer.
        waiting = 1 if who is bob else 3
        last.wait_for_selector(f"#saved:has-text('… saving {waiting}')")
        while len(held) == len(released):
            last.wait_for_timeout(20)
        held[-1].continue_()
        hands.saved()
        released.append(who)
    assert last.text_content("#done") == "3"
    assert set(marks(office, topic)) == {"a1-s01", "a1-s02", "a1-s03"}
    last.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.includes('outbox'))"
    )


def cut_off(page: Any) -> Any:
    """A page whose entries reach nobody, not even when it is closed."""
    page.route("**/log", lambda route: route.abort())
    page.add_init_script(
        "addEventListener('pagehide', (event) => event.stopImmediatePropagation())"
    )
    return page


def two_cut_off_tabs(page: Any, address: str, keys: tuple[str, ...]) -> tuple[Any, Any]:
    """Two tabs; what the keys make waits in the first before the second is opened."""
    cut_off(page).goto(address)
    Hands(page).ready().press(*keys)
    second = cut_off(page.context.new_page())
    second.goto(address)
    Hands(second).ready()
    return page, second


def test_an_answer_that_got_lost_does_not_count_twice(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    page = visit(ann)
    page.goto(f"{server.url}/t/{topic}/link")
    hands = Hands(page).ready()
    lost = []

    def lose(route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/log", lose)
    hands.press("1").saved()
    assert lost == [200]
    with office.database.read() as connection:
        log = [entry for entry in read(connection, topic=topic) if entry.action == "mark"]
    assert len(log) == 1


def test_after_signing_in_again_what_waited_is_saved(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    page = visit(ann)
    page.goto(f"{server.url}/t/{topic}/link")
    hands = Hands(page).ready()
    with office.database.write() as connection:
        connection.execute(delete(tables.session).where(tables.session.c.person == ann.id))
    hands.press("1")
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('Signed out')"
    )
    assert marks(office, topic) == {}
    again = office.person("Ann")
    page.context.add_cookies([{"name": server.cookie, "value": again.token, "url": server.url}])
    hands.saved()
    assert set(marks(office, topic)) == {"a1-s01"}
    # Who signs in anew once more learns nothing of it.
    page.evaluate(
        """() => {
          window.words = [];
          const saved = document.querySelector("#saved");
          new MutationObserver(() => words.push(saved.textContent)).observe(saved,
            { childList: true });
        }"""
    )
    again = office.person("Ann")
    page.context.add_cookies([{"name": server.cookie, "value": again.token, "url": server.url}])
    hands.press("j", "o").saved()
    assert [word[:3] for word in page.evaluate("words")] == ["… s", "✓ S"]


def test_marks_never_go_out_under_another_name(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    page = visit(ann)
    page.goto(f"{server.url}/t/{topic}/link")
    hands = Hands(page).ready()
    bob = office.person("Bob")
    page.context.add_cookies([{"name": server.cookie, "value": bob.token, "url": server.url}])
    hands.press("1")
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('Another person')"
    )
    sent = []
    page.on("request", lambda one: sent.append(one.url) if one.url.endswith("/log") else None)
    with page.expect_request("**/account"):
        hands.press("j", "o")
        page.goto(f"{server.url}/account")
    assert sent == []
    assert marks(office, topic) == {}


@pytest.mark.slow
def test_a_managers_figures_follow_the_judges(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    """Both pages change while they are open, and keep what was unfolded and focused."""
    mara, bob = office.person("Mara"), office.person("Bob")
    with office.database.read() as connection:
        project = connection.execute(select(tables.topic.c.project)).scalar()
    agreement, progress = visit(mara), visit(mara)
    agreement.clock.install()
    progress.clock.install()
    ann.mark(topic, "a1-s01", "E1")
    bob.mark(topic, "a1-s02", "E1")
    agreement.goto(f"{server.url}/p/{project}/agreement")
    agreement.click("summary")
    assert "0.00" in agreement.text_content("#figures")
    progress.goto(f"{server.url}/p/{project}/progress")
    row = progress.locator("tr", has_text="Bob").filter(has_text="Link")
    assert row.locator("[data-label=Entries]").text_content() == "1"
    bob.mark(topic, "a1-s01", "E1")
    agreement.clock.run_for(5_000)
    agreement.wait_for_function(
        "() => document.querySelector('#figures').textContent.includes('0.50')"
    )
    assert agreement.locator("details[open]").count() == 1
    assert agreement.evaluate("document.activeElement.tagName") == "SUMMARY"
    progress.clock.run_for(5_000)
    row.locator("[data-label=Entries]:text-is('2')").wait_for()
    assert progress.text_content("#updated")
    server.stop()
    progress.clock.run_for(10_000)
    progress.wait_for_function(
        "() => document.querySelector('#updated').textContent.startsWith('Out of date')"
    )
    assert row.locator("[data-label=Entries]").text_content() == "2"


def test_what_was_done_offline_upon_an_old_version_waits_for_a_decision(
    office: Office, server: Served, visit, ann: Visitor, topic: int
) -> None:
    first, second = two_tabs(visit(ann), f"{server.url}/t/{topic}/link")
    second.route("**/log", lambda route: route.abort())
    second.bring_to_front()
    # Two decisions about the first sentence: the later one has the version that the other tab
    # is about to write. And a group, of which only the first sentence is in conflict.
    Hands(second).press("o", "o", "p", "j", "p", "2")
    second.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('kept here')"
    )
    first.bring_to_front()
    Hands(first).press("1").saved()
    second.bring_to_front()
    second.unroute("**/log")
    second.wait_for_selector("#conflict[open]")
    assert marks(office, topic)["a1-s01"]["links"] == [["E1", ""]]
    Hands(second).reach("#take-theirs").press("Enter")
    second.wait_for_function("() => !Object.keys(localStorage).length")
    found = marks(office, topic)
    assert found["a1-s01"]["links"] == [["E1", ""]]
    assert [event for event, _ in found["a1-s02"]["links"]] == ["E2"]
    Hands(second).press("k", "2").saved()
    assert marks(office, topic)["a1-s01"]["links"] == [["E1", ""], ["E2", ""]]


def left_behind(page, *keys: str):
    """Press keys without a network, close the tab, and give a fresh one of the same browser."""
    Hands(page).ready()
    page.context.set_offline(True)
    Hands(page).press(*keys)
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('kept here')"
    )
    other = page.context.new_page()
    page.close()
    page.context.set_offline(False)
    return other


def test_a_waiting_verdict_shows_only_at_its_own_event(
    office: Office, server: Served, visit
) -> None:
    team = StreamTeam(office).link()
    team.judge(team.ann, s1=["E1", "E2"])
    team.judge(team.bob)
    page = visit(team.eve)
    page.goto(f"{server.url}/t/{team.topic}/verify?event=E1")
    page = left_behind(page, "d")
    page.goto(f"{server.url}/t/{team.topic}/verify?event=E2")
    Hands(page).ready().saved()
    assert page.get_attribute(".story", "data-kept") == "open"
    Hands(page).press("f").saved()
    assert team.items("E1") == team.items("E2") == [("a1-s01", 1)]


def test_a_unit_left_in_a_closed_tab_does_not_disturb_another(
    office: Office, server: Served, visit
) -> None:
    team = UnitsTeam(office).made()
    page = visit(team.max)
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U1")
    page = left_behind(page, "5", "6")
    team.match(team.max, "U1", {"members": []})
    page.goto(f"{server.url}/t/{team.topic}/match?unit=U2")
    page.wait_for_function(
        "() => document.querySelector('#saved').textContent.includes('quicker with U1')"
    )
    assert page.text_content("#tree").startswith("Nothing yet")
    Hands(page).press("3").saved()
    assert team.start(team.max, unit="U1")["matching"]["version"] == 1
    assert team.start(team.max, unit="U2")["matching"]["tree"]["members"][0]["v"] == 0.3
