"""Find text in the stream, filter sentences, and open the guidelines, by keys alone."""

from typing import Any

import pytest

from workbench.office import Office, Visitor, to_link
from workbench.running import Hands, Served


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
