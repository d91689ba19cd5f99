"""axe-core finds no violation on any screen, light or dark, wide or as narrow as a phone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from chronoscore.workbench.domain import accounts, recovery
from chronoscore.workbench.store import tables
from workbench.office import UPLOAD, Office, Visitor, open_link, to_link
from workbench.running import Served
from workbench.team import UnitsTeam

MANAGED = (
    "", "/progress", "/agreement", "/tables", "/split", "/notes", "/people", "/import", "/export",
    "/settings", "/history", "/guidelines", "/guidelines/edit?step=", "/roles",
)  # fmt: skip
ELSEWHERE = (UPLOAD[0], UPLOAD[1].replace(b'"a', b'"b'), UPLOAD[2])
Screen = tuple[Visitor | None, str, str]
"""Who opens which address, and which dialog they open there or what they do, if anything."""


def common_screens(office: Office) -> list[Screen]:
    """Doors, accounts, the demo's projects, and what is archived."""
    mara = office.person("Mara", founder=True)
    mara.post("/demo")
    with office.database.write() as connection:
        token = accounts.make_invitation(connection, days=1, founder=False)
        reset = "r" * 43
        recovery.make_server_link(connection, mara.id, accounts.digest_secret(reset))
    newcomer = office.person("Nora", founder=True)
    demo = demo_topics(office)
    ferry, units = demo["stream", "ferry"], demo["units", "ferry"]
    made = mara.post(f"/t/{demo['stream', 'dam']}/practice").headers["location"]
    practice = int(made.rpartition("/")[2])
    old = office.project(mara, "stream")
    away = office.topic(mara, old, "storm", upload=ELSEWHERE)
    mara.post(f"/p/{old}/people", 200, label="Zoë")
    mara.post(f"/t/{away}/archive", archived="yes")
    mara.post(f"/p/{old}/archive", archived="yes")
    return [
        (None, "/login", ""), (None, "/login", "wrong password"),
        (None, f"/invite/{token}", ""), (newcomer, "/", ""),
        (mara, "/", ""), (mara, "/account", ""), (mara, "/keys", ""), (mara, "/nowhere", ""),
        (mara, "/account/tokens", ""), (None, f"/reset/{reset}", ""),
        (mara, f"/p/{old}", ""), (mara, f"/t/{away}", ""), (mara, f"/p/{old}/people", ""),
        (mara, f"/t/{ferry}/link/plain", ""),
        *((mara, f"/t/{ferry}/link", what)
          for what in ("", "#help", "#note", "#conflict", "#finder", "narrow")),
        (mara, f"/t/{practice}", ""), (mara, f"/t/{practice}/review", ""),
        (mara, f"/t/{demo['stream', 'theft']}/identify", ""),
        *((mara, f"/t/{units}/match", dialog) for dialog in ("", "#help", "#adding")),
        (mara, f"/t/{demo['units', 'theft']}/write", ""),
        (mara, f"/t/{demo['units', 'theft']}/write", "refuse"),
        (mara, f"/t/{demo['units', 'theft']}/write", "refuse plainly"),
        (mara, f"/t/{demo['units', 'dam']}/analyze", ""),
        (mara, f"/t/{demo['units', 'dam']}/disagreements", ""),
    ]  # fmt: skip


def stream_screens(office: Office) -> list[Screen]:
    """A project with a topic at verification, one at linking and a draft; and an empty one."""
    mara = office.person("Mara", founder=True)
    ann, bob, eve = (office.person(name) for name in ("Ann", "Bob", "Eve"))
    project = office.project(mara, "stream", ann, bob, eve, additions=True)
    empty = office.project(mara, "stream")
    topic = office.topic(mara, project)
    draft = office.topic(mara, project, "flood", upload=ELSEWHERE)
    office.assign(mara, topic, judge=[ann, bob], verifier=eve)
    mara.post(f"/t/{topic}/open")
    to_link(office, mara, topic, ann, bob)
    ann.mark(topic, "a1-s01", "E1")
    ann.mark(topic, "a1-s02", off=True)
    ann.post(f"/t/{topic}/notes", place="a1-s01", text="unsure")
    for judge in (ann, bob):
        judge.post(f"/t/{topic}/submit", step="link", rest_off="yes")
    ann.post(f"/t/{topic}/discussion", label="1.1", text="Is this the first leak?")
    mara.post(f"/t/{draft}/deadline", step="identify", day="2001-03-12")
    mara.post(f"/p/{project}/guidelines", step="identify", text="# Read\n\n- **this**", base="0")
    again = office.project(mara, "stream", ann, repeats=3)
    twice = office.topic(mara, again, "storm", upload=ELSEWHERE)
    office.assign(mara, twice, judge=ann)
    open_link(office, again, twice)
    ann.post(f"/t/{twice}/submit", step="link", rest_off="yes")
    office.assign(mara, draft, judge=ann)
    return [
        (ann, f"/t/{twice}/again", ""), (mara, f"/t/{topic}/disagreements", ""),
        (ann, f"/t/{topic}/discussion", ""), (mara, f"/t/{draft}/stories", ""),
        (ann, f"/t/{topic}/guidelines?step=identify", ""),
        *((mara, f"/p/{project}{page}", "") for page in MANAGED),
        (mara, f"/p/{project}/import", "look"),
        (mara, f"/p/{empty}", ""), (mara, f"/t/{topic}", ""), (mara, f"/t/{draft}", ""),
        (ann, f"/t/{topic}", ""), (ann, f"/t/{topic}/history", ""), (ann, f"/t/{topic}/merge", ""),
        (ann, f"/t/{topic}/identify", ""), (ann, f"/t/{topic}/link", ""),
        (eve, f"/t/{topic}/verify", ""), (eve, f"/t/{topic}/verify", "#help"),
    ]  # fmt: skip


def unit_screens(office: Office) -> list[Screen]:
    """A units project whose sample is being matched again, and one whose units are being made."""
    team = UnitsTeam(office).made()
    for unit in ("U1", "U2"):
        anchor = team.anchor(team.max, "a1-s01")
        team.match(team.max, unit, {"members": [{"anchor": anchor, "v": 0.7}]})
    team.max.post(f"/t/{team.topic}/submit", step="match")
    making = office.topic(team.manager, team.project, "flood", upload=ELSEWHERE)
    office.assign(team.manager, making, writer=[team.will, team.wanda], maker=team.uma)
    team.manager.post(f"/t/{making}/open")
    for writer in (team.will, team.wanda):
        writer.post(f"/t/{making}/write", when="1997", text=f"The dam leaks, {writer.name} says")
        writer.post(f"/t/{making}/submit", step="write")
    return [
        (team.nia, f"/t/{team.topic}/rematch", ""), (team.nia, f"/t/{team.topic}/rematch", "#note"),
        (team.max, f"/t/{team.topic}/match", ""), (team.uma, f"/t/{making}/make", ""),
        (team.uma, f"/t/{team.topic}/make", ""), (team.will, f"/t/{team.topic}/write", ""),
        (team.manager, f"/p/{team.project}/settings", ""), (team.manager, f"/t/{team.topic}", ""),
    ]  # fmt: skip


def demo_topics(office: Office) -> dict[tuple[str, str], int]:
    """The numbers of the demo's topics by workflow and name."""
    topic, project = tables.topic, tables.project
    query = select(topic.c.id, topic.c.name, project.c.workflow).join(
        project, project.c.id == topic.c.project
    )
    with office.database.read() as connection:
        return {(row.workflow, row.name): row.id for row in connection.execute(query)}


CONTRAST = ["color-contrast", "link-in-text-block"]
LAYOUT = [*CONTRAST, "scrollable-region-focusable", "target-size", "label", "region"]
LOOKS: list[tuple[str, int, list[str]]] = [
    ("light", 1280, []),
    ("dark", 1280, CONTRAST),
    ("dark", 390, LAYOUT),
    ("light", 390, CONTRAST),
]
"""Color schemes, widths, and the rules that may come out otherwise than at the first look.

Each page is loaded once and shown in all of them; the first is checked by all rules.
"""


def act(page: Any, what: str) -> None:
    """Open a dialog, or do what makes the page look different."""
    if what.startswith("#"):
        page.evaluate("query => document.querySelector(query).showModal()", what)
    elif what == "wrong password":
        page.fill("[name=name]", "Nobody")
        page.fill("[name=password]", "a wrong password")
        page.click("main button")
        page.wait_for_selector("[role=alert]")
    elif what == "look":
        texts = [
            (b"Dam leaks\n\nIt began to leak. Nobody was hurt.", "a.txt"),
            (b"%PDF-1.7", "b.pdf"),
        ]
        page.set_input_files("[name=files]", [
            {"name": name, "mimeType": "text/plain", "buffer": text} for text, name in texts
        ])  # fmt: skip
        page.fill("[name=name]", "leak")
        page.click("[value=look]")
        page.wait_for_selector("ol.look")
    elif what == "narrow":
        page.keyboard.press("f")
        page.select_option("#find-filter", "undecided")
        page.click("#show-found")
    elif what == "refuse":
        page.fill("#new [name=when]", "Thorsday")
        page.fill("#new [name=text]", "The “dam” leaks")
        page.press("#new [name=text]", "Enter")
        page.wait_for_selector("#new [role=alert]")
        page.evaluate("document.querySelector('#refusals').hidden = false")
        page.click("#refusals")
    elif what == "refuse plainly":
        page.fill("#new [name=when]", "Thorsday")
        page.fill("#new [name=text]", "The “dam” leaks")
        page.evaluate("HTMLFormElement.prototype.submit.call(document.querySelector('#new'))")
        page.wait_for_selector("p.warning[role=alert]")


def complaints(page: Any, rules: list[str]) -> list[tuple[str, str, str]]:
    """What axe, which is in the page already, has to say."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    options = {"resultTypes": ["violations"], **only}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        (one["id"], one["nodes"][0]["html"][:160], one["nodes"][0].get("failureSummary"))
        for one in found
    ]


@pytest.mark.slow
def test_axe_finds_no_violation_in_the_help_for_the_browsers_warning(office: Office, visit) -> None:
    script = Path(pytest.importorskip("axe_playwright_python").__file__).parent / "axe.min.js"
    shared = Served(office.database, fingerprint=":".join(["A7"] * 32))
    page = visit(None)
    page.goto(f"{shared.url}/certificate")
    assert "A7:A7" in page.inner_text("main")
    page.evaluate(script.read_text())
    for scheme, width, rules in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert complaints(page, rules) == [], (scheme, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    shared.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "screens", [common_screens, stream_screens, unit_screens], ids=["common", "stream", "units"]
)
def test_axe_finds_no_violation_on_any_screen(
    office: Office, server: Served, visit, screens: Callable[[Office], list[Screen]]
) -> None:
    script = Path(pytest.importorskip("axe_playwright_python").__file__).parent / "axe.min.js"
    axe = script.read_text()
    pages: dict[int, Any] = {}
    found = {}
    for person, path, what in screens(office):
        key = person.id if person else 0
        if key not in pages:
            pages[key] = visit(person)
        page = pages[key]
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(server.url + path)
        if page.locator("#stream[tabindex], script[type=module][src*='/write.js']").count():
            page.wait_for_selector("[data-ready]")
        for closed in page.locator("main details").all():
            closed.evaluate("details => { details.open = true; }")
        if what:
            act(page, what)
        page.evaluate(axe)
        for scheme, width, rules in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            if wrong := complaints(page, rules):
                found[path, what, scheme, width] = wrong
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width + 1, (path, wide)
    assert found == {}
