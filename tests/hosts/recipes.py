"""The recipes of docs/hosts.md: their files, commands, and what these print."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hosts.md"
_file = re.compile(r"<!-- file (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


class Recipe(NamedTuple):
    """A section of the page."""

    host: str
    files: dict[str, str]
    commands: str
    printed: tuple[str, ...]


def recipes() -> list[Recipe]:
    """The sections that have commands or files, the preparation first."""
    found = []
    for section in re.split(r"^#+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        host, _, text = section.partition("\n")
        files = dict(_file.findall(text))
        commands = "".join(_blocks(text, "sh"))
        printed = tuple(line for one in _blocks(text, "text") for line in one.splitlines())
        if files:
            found.append(Recipe(host, files, commands, printed))
    return found


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
