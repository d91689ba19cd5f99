"""What people type by mistake: advice that follows from what is there instead."""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from chronoscore.errors import DataError, UsageError

ENDINGS = {
    ".csv": "csv", ".htm": "html", ".html": "html", ".json": "json", ".jsonl": "jsonl",
    ".markdown": "md", ".md": "md", ".tex": "latex",
}  # fmt: skip
"""Which format the ending of `-o` asks for; an ending that is unknown takes every format."""


class PathName(click.Path):
    """A path that is not empty, as a variable of the shell that is not set makes it.

    An empty path would mean the working folder.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        return super().convert(refuse_empty(value, param), param, ctx)


def refuse_empty(value: Any, param: click.Parameter | None) -> Any:
    """Refuse an empty word where a path or address is wanted."""
    if value == "" and param is not None:
        what = param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name
        raise UsageError(f"{what} is empty; name a path, or set the variable that should hold one")
    return value


def check_paths(command: click.Command, paths: Iterable[Path]) -> None:
    """Refuse a path that is not there, if it is clear what was meant."""
    takes_measures = any("-m" in one.opts for one in command.params)
    for path in paths:
        if str(path) == "-" or path.exists():
            continue
        if path.is_symlink():
            raise DataError(f"{_explain_link(path)}; check the link", place=path)
        if advice := _advise(path, takes_measures):
            raise DataError(f"no such file or directory; {advice}", place=path)


def _explain_link(path: Path) -> str:
    """What is wrong with a link that leads nowhere."""
    end = Path(os.path.realpath(path))
    return "is a loop of links" if end.is_symlink() else f"is a link to '{end}', which is not there"


def explain_permission(error: click.UsageError) -> str:
    """What to say of a path that may not be read; nothing of other errors."""
    found = re.match(r"\w+ '(.*)' is not readable", getattr(error, "message", ""), re.DOTALL)
    return f"{found[1]}: cannot be read (no permission); change its permissions" if found else ""


def advise_choice(error: click.BadParameter) -> str:
    """Which of an option's words was meant, by its spelling or as the ending of a file."""
    known = getattr(error.param, "type", None)
    wrong = re.match(r"'(.*)' is not one of", error.message)
    if not isinstance(known, click.Choice) or wrong is None:
        return ""
    word = wrong[1].lower()
    near = ENDINGS.get(f".{word}") or next(iter(get_close_matches(word, known.choices, n=1)), "")
    return f"did you mean '{near}'?" if near in known.choices else ""


def _advise(path: Path, takes_measures: bool) -> str:
    """What was meant by a path, or nothing."""
    text = str(path)
    if "\\" in text and Path(text.replace("\\", "/")).exists():
        return f"write {text.replace(chr(92), '/')}"
    parts = [part for part in re.split(r"[,;:] *", text) if part]
    if len(parts) > 1 and all(Path(part).exists() for part in parts):
        return f"separate names by blanks: {' '.join(parts)}"
    if takes_measures and _is_measure(text):
        return f"if it is a measure, write -m {text}"
    if re.search(r"[*?[]", text) or not path.parent.is_dir():
        return ""
    near = get_close_matches(path.name, [one.name for one in path.parent.iterdir()], n=1)
    return f"did you mean '{path.with_name(near[0])}'?" if near else ""


def _is_measure(text: str) -> bool:
    """Whether a text names a measure."""
    # Measures import NumPy; only a path that is not there pays for it.
    from chronoscore.measures import parse_measure_text

    try:
        parse_measure_text(text)
    except UsageError:
        return False
    return True
