"""axe-core finds no violation on any screen, light or dark, wide or as narrow as a phone."""

import pytest

from chronoscore.workbench import accounts
from workbench.office import Office, Visitor, to_link
from workbench.running import Server


def open_screens(office: Office, server: Server) -> list[tuple[Visitor | None, str]]:
    """Every screen, with somebody who may open it."""
    mara = office.person("Mara", founder=True)
    mara.post("/demo")
    ann, bob, eve = (office.person(name) for name in ("Ann", "Bob", "Eve"))
    project = office.project(mara, "stream", ann, bob, eve, additions=True)
    first = office.topic(mara, project)
    office.assign(mara, first, judge=[ann, bob], verifier=eve)
    mara.post(f"/t/{first}/open")
    to_link(office, mara, first, ann, bob)
    ann.mark(first, "a1-s01", "E1")
    ann.mark(first, "a1-s02", off=True)
    ann.post(f"/t/{first}/notes", place="a1-s01", text="unsure")
    for judge in (ann, bob):
        judge.post(f"/t/{first}/submit", step="link", rest_off="yes")
    units = office.project(mara, "units", ann, bob, eve)
    text = office.topic(mara, units, most="3")
    office.assign(mara, text, writer=[ann, bob], maker=eve)
    mara.post(f"/t/{text}/open")
    for writer in (ann, bob):
        writer.post(f"/t/{text}/write", when="1997", text="The dam leaks")
        writer.post(f"/t/{text}/submit", step="write")
    with office.database.writing() as connection:
        token = accounts.invite(connection, days=1)
    managed = ("", "/progress", "/agreement", "/tables", "/split", "/notes", "/people", "/import",
               "/export", "/settings", "/history")  # fmt: skip
    demo = {name: number for number, name in topics(office)}
    return [
        (None, "/login"), (None, f"/invite/{token}"), (mara, "/"), (mara, "/account"),
        (mara, "/keys"), (mara, "/nowhere"),
        *((mara, f"/p/{project}{page}") for page in managed),
        (mara, f"/t/{first}"), (ann, f"/t/{first}"), (ann, f"/t/{first}/history"),
        (ann, f"/t/{first}/merge"), (ann, f"/t/{first}/identify"), (eve, f"/t/{first}/verify"),
        (mara, f"/t/{demo['judge:ferry']}/link"), (mara, f"/t/{demo['judge:ferry']}/link/plain"),
        (mara, f"/t/{demo['judge:theft']}/identify"),
        (mara, f"/t/{demo['units:ferry']}/match"), (mara, f"/t/{demo['units:theft']}/write"),
        (mara, f"/t/{demo['units:dam']}/analyse"), (eve, f"/t/{text}/make"),
    ]  # fmt: skip


def topics(office: Office) -> list[tuple[int, str]]:
    from sqlalchemy import select

    from chronoscore.workbench import tables

    topic, project = tables.topic, tables.project
    with office.database.reading() as connection:
        rows = connection.execute(
            select(topic.c.id, topic.c.name, project.c.name.label("project")).join(
                project, project.c.id == topic.c.project
            )
        ).all()
    short = {"Demo: judge a stream": "judge", "Demo: content units": "units"}
    return [(row.id, f"{short.get(row.project, 'own')}:{row.name}") for row in rows]


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)], ids=str
)
def test_axe_finds_no_violation_on_any_screen(
    office: Office, server: Server, visit, scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    viewport = {"width": width, "height": 800}
    pages: dict[int, object] = {}
    found = {}
    for person, path in open_screens(office, server):
        key = person.id if person else 0
        if key not in pages:
            pages[key] = visit(person, viewport=viewport, color_scheme=scheme)
        page = pages[key]
        page.goto(server.url + path)
        if page.locator("#stream[data-ready], #stream").count() and "link" in path:
            page.wait_for_timeout(100)
        result = axe.run(page)
        violations = result.response["violations"]
        if violations:
            found[path] = [
                (one["id"], one["nodes"][0]["html"][:160], one["nodes"][0].get("failureSummary"))
                for one in violations
            ]
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width + 1, (path, wide)
    assert found == {}
