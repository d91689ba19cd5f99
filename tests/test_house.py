"""The walls of the house: what importing costs, what is public, what the documents claim."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import chronoscore
from chronoscore import measures
from chronoscore.cli import COMMANDS
from chronoscore.measures.registry import BUILT_IN

ROOT = Path(__file__).parents[1]


def test_importing_the_package_loads_neither_numpy_nor_scipy() -> None:
    code = "import chronoscore, sys; print({'numpy', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_version_is_the_one_that_is_packaged() -> None:
    assert metadata.version("chronoscore") == chronoscore.__version__


def test_the_citation_names_the_version_that_is_packaged() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert str(citation["version"]) == chronoscore.__version__


def test_every_dependency_is_on_the_page_of_licenses() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    development = {"bench", "docs", "test"}
    required = {(name, "always") for name in map(package, project["dependencies"])} | {
        (package(requirement), f"`{extra}`")
        for extra, requirements in project["optional-dependencies"].items()
        if extra not in development
        for requirement in requirements
    }
    page = (ROOT / "docs" / "licenses.md").read_text()
    listed = set(re.findall(r"^\| ([\w-]+) \| (always|`\w+`) \|", page, flags=re.MULTILINE))
    assert {pair for pair in required if pair[0] != "chronoscore"} <= listed


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


def test_every_command_has_help_and_a_line_in_the_reference() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text()
    for command in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "chronoscore", command, "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert f"chronoscore {command}" in reference, f"docs/reference.md does not name {command}"


def test_every_page_that_a_document_links_to_is_there() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    dead = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert dead == []


@pytest.mark.parametrize("room", ["align", "checks", "core", "measures", "stats", "systems"])
def test_what_a_room_exports_is_there_and_sorted(room: str) -> None:
    module = import_module(f"chronoscore.{room}")
    assert module.__all__ == sorted(set(module.__all__))
    for name in module.__all__:
        assert not isinstance(getattr(module, name), ModuleType), name


def test_every_measure_of_ours_is_exported() -> None:
    classes = {kind.__name__: kind for kind in BUILT_IN}
    assert {name: getattr(measures, name, None) for name in classes} == classes
    assert set(classes) <= set(measures.__all__)
