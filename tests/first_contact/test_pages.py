"""The lines of README, tutorials and guides, typed into a shell by a newcomer.

`make test` runs those of the README; `make first-contact` those of all pages.
"""

import re
from dataclasses import replace

import pytest

from docs_folder import ROOT, load_module
from first_contact.newcomer import EVERYTHING, Newcomer

consoles = load_module("consoles")
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
LITERAL = ("README.md", "docs/tutorial-timelines.md")
"""Pages whose ```sh blocks work as they stand, once the package is installed."""
INSTALLING = re.compile(
    r"^(?:python3 -m venv|pip|cd|chronoscore demo --copy|make) .*\n", re.MULTILINE
)


@pytest.mark.slow
@pytest.mark.parametrize("page", consoles.PAGES if EVERYTHING else ["README.md"])
def test_what_a_page_shows_is_what_a_newcomer_sees(newcomer: Newcomer, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    demo = newcomer.folder / "demo"
    newcomer = replace(newcomer, environment={"COLUMNS": "80"})
    done = newcomer.type_in("chronoscore demo --copy demo")
    assert done.code == 0, done.out.decode()
    consoles.write_files(text, demo)
    wrong = []
    for command, shown in consoles.commands(text):
        printed = newcomer.type_in(f"cd demo && {command}").out.decode()
        lines = "\n".join(line.rstrip() for line in printed.split("\n"))
        if not consoles.Step(command, shown, lines).agrees:
            wrong.append(f"{command}{printed}")
    assert not wrong, "\n".join(wrong)
    if page in LITERAL:
        for block in SHELL.findall(text):
            done = newcomer.type_in(f"cd demo\n{INSTALLING.sub('', block)}")
            assert done.code == 0, f"{block}\n{done.out.decode()}"


def test_sessions_are_only_in_pages_that_are_run() -> None:
    pages = ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    shown = {page for page in pages if "```console" in (ROOT / page).read_text("utf-8")}
    assert shown == set(consoles.PAGES)


@pytest.mark.slow
def test_the_demo_ends_with_lines_that_work(newcomer: Newcomer) -> None:
    done = newcomer.type_in("chronoscore demo")
    assert done.code == 0, done.out.decode()
    said = done.out.decode().partition("next")[2]
    lines = re.findall(r"\S*chronoscore .*", said)
    assert len(lines) > 2
    done = newcomer.type_in("\n".join(lines))
    assert done.code == 0, f"{lines}\n{done.out.decode()}"


@pytest.mark.slow
def test_the_lines_work_also_where_the_program_was_called_by_its_path(newcomer: Newcomer) -> None:
    """As after `make demo`, in a shell that does not know the environment."""
    said = newcomer.run("demo").out.decode().partition("next")[2]
    first, copy, *_ = (line.strip() for line in said.splitlines() if line.strip())
    assert first.startswith(". ")
    assert copy.startswith("chronoscore demo --copy")
    done = newcomer.type_in(f"{first}\n{copy}\nls", activated=False)
    assert done.code == 0, done.out.decode()
    assert "corpus" in done.out.decode()
