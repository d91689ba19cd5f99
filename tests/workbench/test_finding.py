"""Find text in the stream, filter sentences, and open the guidelines, by keys alone."""

from typing import Any

import pytest

from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from workbench.office import Office, Visitor, to_link
from workbench.running import Hands, Served
from workbench.team import StreamTeam, UnitsTeam


@pytest.fixture
def judging(office: Office, server: Served, visit: Any) -> tuple[Visitor, int, Any]:
    """A judge at the link screen; one sentence is linked, one off, one has a note."""
    mara, ann = office.person("Mara", founder=True), office.person("Ann")
    project = office.project(mara, "stream", ann)
    topic = office.topic(mara, project)
    office.assign(mara, topic, judge=ann)
    mara.post(f"/t/{topic}/open")
    to_link(office, mara, topic, ann)
    ann.mark(topic, "a1-s01", "E1")
    ann.mark(topic, "a1-s02", off=True)
    ann.post(f"/t/{topic}/notes", place="a2-s02", text="Which town?")
    page = visit(ann)
    page.goto(f"{server.url}/t/{topic}/link")
    Hands(page).ready()
    return ann, topic, page


def test_a_list_of_what_is_to_be_judged_narrows_the_stream(judging: Any, office: Office) -> None:
    _, topic, page = judging
    sentences = ["a1-s01", "a1-s04", "a2-s02"]
    with office.database.write() as connection:
        place = {"project": 1, "topic": topic, "step": "link"}
        data = {"sentences": sentences}
        log.append(connection, LogEntry(action="topic.queue", data=data, **place))
    page.reload()
    hands = Hands(page).ready()
    assert page.locator("#narrowed").inner_text().startswith("Only 3 of 7: those on the list")
    assert page.locator("#done").inner_text() == "1"
    assert page.locator("#total").inner_text() == "3"
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "1.4", "the first undecided"
    hands.press("1").press("j")
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "2.2"
    assert page.locator("#done").inner_text() == "2"
    assert page.locator("[name=rest_off]").count() == 0


def found(page: Any) -> list[str]:
    return [one.split()[0] for one in page.locator("#found li").all_inner_texts()]


def test_text_is_found_and_gone_to_by_keys(judging: Any) -> None:
    _, _, page = judging
    hands = Hands(page).press("f").type("DÁM leak")
    assert found(page) == ["1.1", "2.3"], "case and accents do not matter, words may be apart"
    assert page.locator("#find-count").inner_text() == "2 sentences"
    hands.press("Enter")
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "2.3"
    assert page.evaluate("document.activeElement.id") == "stream"
    hands.press("f")
    assert page.locator("#find-text").input_value() == "DÁM leak"
    hands.press("Enter")
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "1.1", "round and round"
    hands.press("f", "Escape")
    assert page.evaluate("document.activeElement.id") == "stream"


@pytest.mark.parametrize(
    ("filter_", "wanted"),
    [
        ("undecided", ["1.3", "1.4", "2.1", "2.2", "2.3"]),
        ("off", ["1.2"]),
        ("noted", ["2.2"]),
        ("event:E1", ["1.1"]),
        ("event:E2", []),
    ],
)
def test_filters_keep_some_sentences(judging: Any, filter_: str, wanted: list[str]) -> None:
    _, _, page = judging
    Hands(page).press("f")
    page.locator("#find-filter").select_option(filter_)
    assert found(page) == wanted


def shown(page: Any) -> list[str]:
    return page.locator(".s:visible .id").all_inner_texts()


def test_the_stream_is_narrowed_to_what_was_found(judging: Any) -> None:
    ann, topic, page = judging
    everything = shown(page)
    hands = Hands(page).press("f")
    page.locator("#find-filter").select_option("undecided")
    hands.reach("#show-found").press("Enter")
    assert shown(page) == ["1.3", "1.4", "2.1", "2.2", "2.3"]
    assert page.locator("#narrowed").inner_text().startswith("Only 5 of 7: undecided ones")
    # Keys go from one to the next; what is decided stays, so that it can be looked at again.
    hands.press("o", "j", "j", "o", "k", "k", "k", "k").saved()
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "1.3"
    assert shown(page) == ["1.3", "1.4", "2.1", "2.2", "2.3"]
    marks = ann.client.get(f"/t/{topic}/link.json").json()["mine"]["marks"]
    assert [name for name, one in marks.items() if one["off"]] == ["a1-s02", "a1-s03", "a2-s01"]
    hands.press("f").type("flooded").reach("#show-found").press("Enter")
    assert shown(page) == ["2.2"]
    assert "with “flooded”" in page.locator("#narrowed").inner_text()
    page.click("#show-all")
    assert shown(page) == everything
    assert page.evaluate("document.activeElement.id") == "stream"


def test_whoever_goes_elsewhere_sees_everything_again(judging: Any) -> None:
    _, _, page = judging
    hands = Hands(page).press("f")
    page.locator("#find-filter").select_option("off")
    hands.reach("#show-found").press("Enter")
    assert shown(page) == ["1.2"]
    page.click("#rail button >> nth=1")
    assert page.locator(".s[aria-selected=true] .id").inner_text() == "2.1"
    assert len(shown(page)) == 7


def test_finding_changes_nothing_and_what_is_typed_is_no_command(judging: Any) -> None:
    ann, topic, page = judging
    before = ann.client.get(f"/t/{topic}/link.json").json()["mine"]["marks"]
    Hands(page).press("f").type("o 1 2 q town").press("Escape")
    page.locator("#found").wait_for(state="hidden")
    assert ann.client.get(f"/t/{topic}/link.json").json()["mine"]["marks"] == before


def test_a_key_opens_the_guidelines_beside_the_work(office: Office, judging: Any) -> None:
    _, topic, page = judging
    with page.context.expect_page() as opened:
        Hands(page).press(".")
    opened.value.wait_for_load_state()
    assert opened.value.url.endswith(f"/t/{topic}/guidelines")
    assert opened.value.locator("h1").inner_text() == "Guidelines: Link"


@pytest.mark.parametrize(
    ("workflow", "step", "title", "field"),
    [
        ("stream", "merge", "Merge", "form.current [name=text]"),
        ("units", "write", "Write", "#new [name=text]"),
        ("units", "make", "Make units", "#lines [name=reason]"),
    ],
)
def test_the_key_opens_the_guidelines_on_screens_of_forms(
    office: Office, server: Served, visit: Any, workflow: str, step: str, title: str, field: str
) -> None:
    if workflow == "stream":
        team = StreamTeam(office)
        for judge in (team.ann, team.bob):
            for story in ("a1", "a2"):
                path = f"/t/{team.topic}/identify"
                judge.post(f"{path}/candidates", sentence=f"{story}-s01", text="A leak")
                judge.post(f"{path}/read", story=story)
            judge.post(f"/t/{team.topic}/submit", step="identify")
        who, topic = team.ann, team.topic
    else:
        units = UnitsTeam(office)
        who, topic = (units.will if step == "write" else units.written().uma), units.topic
    page = visit(who)
    page.goto(f"{server.url}/t/{topic}/{step}")
    page.wait_for_selector("[data-ready]")
    if step == "merge":
        page.keyboard.press("n")
    page.locator(field).first.focus()
    page.keyboard.type("A leak. ")
    assert page.locator(field).first.input_value() == "A leak. ", "in a field it is a period"
    page.evaluate("document.activeElement.blur()")
    with page.context.expect_page() as opened:
        page.keyboard.press(".")
    opened.value.wait_for_load_state()
    assert opened.value.locator("h1").inner_text() == f"Guidelines: {title}"
