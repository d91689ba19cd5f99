"""Generated pages are up to date, and sessions print what the pages show."""

import json
import re
from pathlib import Path

import pytest

from chronoscore.reports.tables import Table
from chronoscore.reports.terminal import draw_table
from docs_folder import ROOT, load_module

DOCS = ROOT / "docs"

consoles = load_module("consoles")


def test_reference_pages_say_what_the_code_says() -> None:
    stale = [
        name
        for name, text in load_module("generate").pages().items()
        if (DOCS / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run: python docs/generate.py"


@pytest.mark.slow
@pytest.mark.parametrize("page", consoles.PAGES)
def test_every_session_prints_what_the_page_shows(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    drawn: list[Table] = []
    terminal = Table.terminal
    monkeypatch.setattr(Table, "terminal", lambda table: drawn.append(table) or terminal(table))
    wrong = [step.command for step in consoles.steps(text) if not step.agrees]
    assert wrong == [], "run: python docs/consoles.py"
    for table in drawn:
        for width in (40, 60, 80, 100):
            assert broken_words(table, width) == []


def broken_words(table: Table, width: int) -> list[str]:
    """What stands on a terminal of a width and is no whole word or figure of a table."""
    shown = [table, *filter(None, [table.narrow])]
    known = {
        word
        for one in shown
        for text in (
            *(one.title, *one.columns, *one.notes, "in all rows:"),
            *(text for row in one.rows for c in row for text in (c.text, c.marks, c.interval)),
        )
        for word in text.split()
    }
    # A column that all rows share is a note, and a list names the columns, with signs after words.
    known |= {f"{word}{sign}" for word in known for sign in ":,="} | {"="}
    words = " ".join(line.plain for line in draw_table(table, width)).split()
    return [word for word in words if word.strip("─") and word not in known]


@pytest.mark.slow
def test_no_picture_is_older_than_the_page_it_shows(tmp_path: Path) -> None:
    pictures = load_module("pictures")
    known = json.loads(pictures.AGES.read_text())
    assert pictures.digests(pictures.pages(tmp_path)) == known, "run: python docs/pictures.py"


def test_every_picture_is_shown_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))
    pictures = {path.name for path in (DOCS / "images").iterdir() if path.suffix != ".json"}
    assert {name for name in pictures if f"images/{name}" not in pages} == set()


@pytest.mark.parametrize("page", ["README.md", "docs/recipes.md"])
def test_the_python_of_a_page_gives_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import doctest

    path = DOCS.parent / page
    consoles.prepare_folder(path.read_text(encoding="utf-8"), tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    result = doctest.testfile(str(path), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_readme_is_short() -> None:
    assert len((DOCS.parent / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_every_import_shown_in_a_page_works() -> None:
    failed = []
    for page in [DOCS.parent / "README.md", *DOCS.glob("*.md")]:
        for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            lines = [line for line in block.split("\n") if re.match(r"from chronoscore\b", line)]
            for line in lines:
                try:
                    exec(line, {})
                except ImportError as error:
                    # A host is not ours; `make hosts` runs its page.
                    if (error.name or "chronoscore").partition(".")[0] != "chronoscore":
                        continue
                    failed.append(f"{page.name}: {error}")
    assert failed == []


def test_every_page_is_in_the_site_s_navigation() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    trees = re.findall(r"```\{toctree\}\n(.*?)```", "".join(pages.values()), re.DOTALL)
    listed = [line.removesuffix(".md") for tree in trees for line in tree.split()]
    assert [page for page in pages if listed.count(page) != 1] == ["index"]


def test_the_code_that_papers_are_mapped_to_is_there() -> None:
    named = [
        (page.name, *found)
        for page in [DOCS / "papers.md", *DOCS.glob("paper-*.md")]
        for found in re.findall(r"`([\w/]+\.py)(?::(\w+))?`", page.read_text(encoding="utf-8"))
    ]
    lost = []
    for page, file, name in named:
        path = DOCS.parent / ("" if file.startswith("tests/") else "src/chronoscore") / file
        defined = re.compile(rf"^(?:def|class) {name}\b", re.MULTILINE) if name else None
        if not path.is_file() or (defined and not defined.search(path.read_text("utf-8"))):
            lost.append(f"{page}: {file} {name}")
    assert lost == []
