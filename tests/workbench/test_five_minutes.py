"""From `chronoscore workbench --share` to three judges who mark, in under five minutes.

The server is a process of its own on a second address of this machine; everybody has a browser
profile of their own. The browsers work as fast as they can, and the seconds that a person would
take are added up.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.office import PASSWORD
from workbench.pace import CLICK, PAGE, Person
from workbench.running import PATIENCE, START

pytest.importorskip("cryptography")

STARTING, SENDING, COMPARING, WAITING = 10.0, 10.0, 20.0, 5.0
"""Seconds to type the command and wait for its address, to paste a link into a chat, to compare
a fingerprint before the browser's warning is passed (two clicks), and until a page that keeps
itself up to date has changed."""
JUDGES = ("Ann", "Bob", "Cem")


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    """The manager's first link, as the terminal of a shared workbench prints it."""
    words = ["workbench", "--share", "--host", "127.0.0.2", "--port", "0", "--database",
             str(tmp_path / "w.sqlite")]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", START, *words], stderr=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(tmp_path), "PYTHONUTF8": "1", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    said = ""
    while not (found := re.search(r"https://127\.0\.0\.2:\d+/invite/\S+", said)):
        said += process.stderr.readline()
        assert process.poll() is None, said
    yield found[0]
    process.terminate()
    process.wait(PATIENCE)
    process.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no second loopback address")
def test_three_judges_mark_within_five_minutes_of_sharing(browser: Any, link: str) -> None:
    server = re.match(r"https://[^/]+", link)[0]
    contexts = []

    def somebody() -> Person:
        context = browser.new_context(ignore_https_errors=True)
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        return Person(context.new_page(), server)

    def arrive(person: Person, at: str) -> Person:
        """Open a link; the browser warns, and the fingerprints are compared."""
        person.open(at.removeprefix(server))
        return person.spend(2 * CLICK + COMPARING, 2)

    def choose_password(person: Person) -> Person:
        person.type("Password", PASSWORD).type("The same again", PASSWORD)
        return person.click("Make the account")

    mara = arrive(somebody().spend(STARTING), link)
    choose_password(mara.type("Your name", "Mara"))
    mara.click("Load the demo projects").click("Demo: judge a stream", "link")
    mara.click("Invite people", "link", exact=True)
    mara.type("For whom", ", ".join(JUDGES)).click("Make links")
    links = mara.page.locator("code.link").all_inner_texts()
    assert all(one.startswith(f"{server}/invite/") for one in links)
    mara.spend(len(links) * (CLICK + SENDING), 2 * len(links))
    judges = [arrive(somebody(), one) for one in links]
    for judge in judges:
        choose_password(judge)
    slowest = max(judge.seconds for judge in judges)
    mara.click("Roles", "link", exact=True)
    for name in JUDGES:
        mara.tick(f"{name}: Judge in The strike at Blue")
    mara.click("Save the roles")
    for judge in judges:
        # The page of somebody who waits shows the work by itself.
        judge.page.wait_for_selector("a:has-text('Link now')")
        judge.spend(WAITING, 0).click("Link now", "link")
        judge.page.wait_for_selector("#stream[data-ready]")
        judge.page.keyboard.press("1")
        judge.page.wait_for_function(
            "() => document.querySelector('#saved').textContent.startsWith('✓ Saved · entry 1')"
        )
        judge.spend(PAGE + CLICK)
    last = max(judge.seconds for judge in judges) - slowest
    seconds, actions = mara.seconds + slowest + last, mara.actions + judges[0].actions
    print(f"{seconds:.0f} s; {mara.actions} actions of the manager, {judges[0].actions} of a judge")
    for context in contexts:
        context.close()
    assert seconds < 300, seconds
    assert actions <= 45, actions
