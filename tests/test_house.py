"""The walls of the house: what is public, and what the documents claim."""

import ast
import re
import tomllib
from datetime import date
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import chronoscore
from chronoscore.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]


def test_the_version_is_the_one_that_is_packaged() -> None:
    assert metadata.version("chronoscore") == chronoscore.__version__


def test_the_citation_names_the_version_that_is_packaged() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert str(citation["version"]) == chronoscore.__version__


CITATION = {
    "abstract": str, "authors": list, "cff-version": str, "commit": str, "contact": list,
    "date-released": str, "doi": str, "identifiers": list, "keywords": list, "license": str,
    "license-url": str, "message": str, "preferred-citation": dict, "references": list,
    "repository": str, "repository-artifact": str, "repository-code": str, "title": str,
    "type": str, "url": str, "version": str,
}  # fmt: skip
"""The keys of a citation file of version 1.2.0, and what their values are."""


def test_the_citation_file_is_valid() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"authors", "cff-version", "message", "title"} <= set(citation)
    assert {key: type(value) for key, value in citation.items()} == {
        key: CITATION[key] for key in citation
    }
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in ("software", "dataset")
    assert date.fromisoformat(citation["date-released"])
    person = {"family-names", "given-names", "name", "orcid", "email", "affiliation", "alias"}
    assert all(author and set(author) <= person for author in citation["authors"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert citation["license"] == project["license"]


DEVELOPMENT = {"bench", "docs", "test"}


def required_packages() -> set[tuple[str, str]]:
    """Each package that users may need, and what for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {(name, "always") for name in map(package, project["dependencies"])} | {
        (package(requirement), f"`{extra}`")
        for extra, requirements in project["optional-dependencies"].items()
        if extra not in DEVELOPMENT
        for requirement in requirements
        if package(requirement) != "chronoscore"
    }


FAMILIES = {
    "Apache": r"apache",
    "BSD": r"bsd|cc0",
    "LGPL": r"lgpl|lesser general public",
    "MIT": r"\bmit\b|mit-",
    "MPL": r"mpl|mozilla",
    "PSF": r"psf|python software foundation|matplotlib",
    "Zlib": r"zlib",
}


def license_families(name: str) -> set[str]:
    """The kinds of license that an installed package says it has."""
    about = metadata.metadata(name)
    terms = [about.get("License-Expression") or about.get("License") or ""]
    terms += [one for one in about.get_all("Classifier") or [] if one.startswith("License")]
    text = "\n".join(terms).lower()
    return {family for family, pattern in FAMILIES.items() if re.search(pattern, text)}


def test_every_dependency_is_on_the_page_of_licenses_with_its_own() -> None:
    page = (ROOT / "docs" / "licenses.md").read_text()
    rows = re.findall(r"^\| ([\w-]+) \| (always|`\w+`) \| (.+) \|$", page, flags=re.MULTILINE)
    assert {(name, needed) for name, needed, _ in rows} == required_packages()
    for name, _, said in rows:
        family = re.match(r"[A-Za-z]+", said)
        assert family
        assert family[0] in license_families(name), name


def test_what_dependencies_need_in_turn_may_be_used_with_ours() -> None:
    waiting, seen = [name for name, _ in required_packages()], set()
    while waiting:
        name = waiting.pop().lower()
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        if name not in seen:
            seen.add(name)
            assert license_families(name), f"{name}: no license that is known to fit Apache-2.0"
            waiting += [package(one) for one in needed if "extra ==" not in one]
    assert len(seen) > 30


def test_a_commit_is_checked_by_what_make_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    entries = {hook["entry"].removeprefix(".venv/bin/") for hook in hooks}
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    commands = re.findall(r"\$\(BIN\)/(.+)", recipe[1])
    assert commands
    assert {command.removesuffix(" .") for command in commands} <= entries


def package(requirement: str) -> str:
    """The name of the package that a requirement asks for."""
    found = re.match(r"[\w-]+", requirement)
    assert found
    return found[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_a_line_in_the_reference(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert f"chronoscore {command}" in capsys.readouterr().out
    reference = (ROOT / "docs" / "reference.md").read_text()
    assert f"chronoscore {command}" in reference, f"docs/reference.md does not name {command}"


def test_every_page_that_a_document_links_to_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks" / "RESULTS.md"]
    dead = [
        f"{page.name}: {target}"
        for page in pages
        for target, anchor in re.findall(
            r"\]\(((?!https?:)[^)#]*)(?:#([^)]*))?\)", without_code(page.read_text())
        )
        if not is_there(page, target, anchor)
    ]
    assert dead == []


def without_code(text: str) -> str:
    """A page without its blocks and pieces of code."""
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def is_there(page: Path, target: str, anchor: str) -> bool:
    """Whether a link leads to a file and, if it names one, to a heading of it."""
    file = page.parent / target if target else page
    if page.parent.name == "docs" and target.startswith(".."):
        return False  # The site has only what is below docs.
    if not file.exists() or not anchor or file.suffix != ".md":
        return file.exists()
    text = file.read_text()
    if f"\n({anchor})=\n" in text:
        return True
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    names = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return anchor in [re.sub(r"[^\w\- ]", "", name).replace(" ", "-") for name in names]


@pytest.mark.parametrize("room", ["align", "checks", "core", "measures", "systems"])
def test_what_a_room_exports_is_there_and_sorted(room: str) -> None:
    module = import_module(f"chronoscore.{room}")
    assert module.__all__ == sorted(set(module.__all__))
    for name in module.__all__:
        assert not isinstance(getattr(module, name), ModuleType), name


def imported_modules(tree: ast.AST) -> set[str]:
    """The modules that a module may import, as far as its import statements tell."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module or ''}.{one.name}" for one in node.names}
    return names


def test_no_module_imports_a_module_of_tests() -> None:
    """What tests share is in modules of helpers; a test module is read and run alone."""
    tests = {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    for folder in ("tests", "docs", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in imported_modules(ast.parse(path.read_text(encoding="utf-8"))):
                assert not tests & set(name.split(".")), (path.relative_to(ROOT), name)
