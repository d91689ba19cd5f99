"""The lowest versions that `make floors` installs are those that pyproject.toml allows."""

import re
from pathlib import Path

import pytest

import floors

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lower_bounds(text: str) -> dict[str, str]:
    """The lower bound of each requirement that is written anywhere in the file."""
    return dict(re.findall(r'"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)', text))


def installed() -> dict[str, str]:
    """What `make floors` installs at a version of its own."""
    pinned = (re.match(r"([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)", line) for line in floors.floors())
    return {found[1]: found[2] for found in pinned if found}


def test_every_floor_is_the_lower_bound_in_pyproject() -> None:
    written = lower_bounds(PYPROJECT.read_text())
    found = installed()
    assert {"numpy", "scipy", "click", "sqlalchemy"} <= found.keys()
    assert found == {name: written[name] for name in found}


def test_every_package_that_is_installed_has_a_lower_bound() -> None:
    assert [line for line in floors.floors() if "==" not in line] == []


@pytest.mark.parametrize(
    ("line", "floor"), [("scipy>=9.9", "scipy==9.9"), ("scipy", "scipy")], ids=["raised", "removed"]
)
def test_a_bound_that_is_raised_or_removed_changes_the_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, floor: str
) -> None:
    changed = re.sub(r'"scipy>=[\w.]+"', f'"{line}"', PYPROJECT.read_text())
    (tmp_path / "pyproject.toml").write_text(changed)
    monkeypatch.setattr(floors, "__file__", str(tmp_path / "tests" / "floors.py"))
    assert floor in floors.floors()
