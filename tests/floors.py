"""Print the lowest version of each package that pyproject.toml allows: `python tests/floors.py`.

`make floors` installs these and runs the tests, so that a lower bound that is too low fails.
"""

import re
import tomllib
from pathlib import Path

EXTRAS = ("bulk", "cluster", "judge", "plots", "workbench", "zstd")
"""Extras whose packages are tried at their lowest; others have models and come as they are."""


def floors() -> list[str]:
    """Each requirement with `>=` as a constraint with `==`, without its extras."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"]]
    for extra in EXTRAS:
        lines += project["optional-dependencies"][extra]
    return sorted({re.sub(r"\[.*?\]", "", line).replace(">=", "==") for line in lines})


if __name__ == "__main__":
    print("\n".join(floors()))
