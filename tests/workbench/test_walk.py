"""A manager sets up a project by the guide alone, with mouse and keys, in under ten minutes."""

import re
from pathlib import Path
from typing import Any

import pytest

from chronoscore.demo import CORPUS
from workbench.office import ARTICLES, PASSWORD, Office, invited
from workbench.pace import Person
from workbench.running import Served

GUIDE = Path(__file__).parents[2] / "docs" / "workbench.md"


@pytest.mark.slow
def test_a_project_with_guidelines_practice_judges_and_deadlines_in_ten_minutes(
    office: Office, server: Served, visit: Any
) -> None:
    token = invited(office, founder=True)
    mara = Person(visit(), server.url).open(f"/invite/{token}")
    mara.type("Your name", "Mara").type("Password", PASSWORD).type("The same again", PASSWORD)
    mara.click("Make the account")
    mara.type("Name", "Disasters").click("Create the project")
    project = mara.page.url.removeprefix(server.url)
    mara.click("Import", "link", exact=True)
    mara.upload("dam.jsonl", (CORPUS / "dam" / "judgements.jsonl").read_bytes())
    mara.type("Short name", "dam").click("Import the topic")
    mara.click("Make a practice topic of it")
    mara.open(f"{project}/import").upload("stories.jsonl", ARTICLES.encode())
    mara.type("Short name", "flood").type("Title", "The flood").click("Import the topic")
    topic = mara.page.url.removeprefix(server.url)
    mara.open(f"{project}/guidelines").click("Write", "link")
    mara.type("Text, in Markdown", "# Events\n\nAn event *happened*. Read first, then link.")
    mara.click("Save as version 1")
    judges = ("Ann", "Bob", "Cem")
    mara.open(f"{project}/people")
    mara.type("For whom", ", ".join((*judges, "Eve"))).click("Make links")
    links = mara.page.locator("code.link").all_inner_texts()
    for name, link in zip((*judges, "Eve"), links, strict=True):
        person = Person(visit(), server.url).open(link.removeprefix(server.url))
        person.type("Your name", name).type("Password", PASSWORD)
        person.type("The same again", PASSWORD).click("Make the account")
    mara.open(topic)
    for step, day in (("Identify", "2031-04-18"), ("Link", "2031-05-02")):
        mara.type(step, day)
    mara.click("Set the deadlines").open(f"{project}/roles")
    for name in judges:
        mara.tick(f"{name}: Judge in The flood").tick(f"{name}: Judge in Practice")
    mara.tick("Eve: Verifier in The flood").click("Save, and open the first step of 2 topics")
    assert mara.seconds < 600, mara.seconds
    ann = office.person("Ann")
    home = ann.get("/")
    assert "Identify: “The flood”" in home
    assert "due Fri 18 Apr 2031" in home
    assert "Practice: " in home
    assert "Before you begin" in ann.get(f"{topic}/identify")


def test_the_guide_names_what_the_walk_clicks() -> None:
    guide = GUIDE.read_text()
    part = guide[guide.index("## Set up a project in ten minutes") :]
    part = part[: part.index("\n## ", 5)]
    for words in ("New project", "Import", "Guidelines", "Make a practice topic of it", "People",
                  "Roles", "Save, and open the first step"):  # fmt: skip
        assert re.search(rf"\*[^*]*{words}[^*]*\*", part), words
