"""Print the lowest version of each package that pyproject.toml allows, and the tests' own tools.

`make floors` installs these and runs the tests, so that a lower bound that is too low fails.
"""

import tomllib
from pathlib import Path
from typing import Any

EXTRAS = ("bulk", "cluster", "judge", "plots", "workbench", "zstd")
"""Extras whose packages are tried at their lowest; others have models, which need later ones."""


def floors() -> list[str]:
    """Each requirement with `>=` as one with `==`."""
    project = _project()
    lines = [*project["dependencies"]]
    for extra in EXTRAS:
        lines += project["optional-dependencies"][extra]
    return sorted({line.replace(">=", "==") for line in lines})


def tools() -> list[str]:
    """What the tests themselves need, in any version."""
    return [
        line for line in _project()["optional-dependencies"]["test"] if "chronoscore" not in line
    ]


def _project() -> dict[str, Any]:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


if __name__ == "__main__":
    print("\n".join(floors() + tools()))
