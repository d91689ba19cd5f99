"""Every message of an error or a warning, read from the syntax tree and compared with a file.

A message that changes is seen in the diff of `golden/messages.txt`; other tests need only a word
of it. `python tests/test_messages.py` writes the file again.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "chronoscore"
SNAPSHOT = Path(__file__).parent / "golden" / "messages.txt"
OWN_OPTIONS = ("cli", "rouge155", "workbench")
"""Packages that speak of options of a command line."""


@cache
def messages() -> dict[str, set[str]]:
    """Each message as a line of the file, with the packages that have it."""
    calls: list[tuple[str, ast.Call]] = []
    errors: set[str] = set()
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text("utf-8")
        if "Error" not in source and "warn" not in source.lower():
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and node.args:
                calls.append((path.relative_to(SOURCE).parts[0], node))
            elif isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
                errors.add(node.name)
    found: dict[str, set[str]] = {}
    for package, call in calls:
        for line in lines_of(call, errors):
            found.setdefault(line, set()).add(package)
    return found


def lines_of(call: ast.Call, errors: set[str]) -> Iterator[str]:
    """The messages of a call that makes an error or a warning, with its kind or reason."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in errors and name not in ("warn", "ChronoscoreWarning"):
        return
    given = {word.arg: word.value for word in call.keywords}
    tag = "".join(text_of(given[word]) for word in ("kind", "reason") if word in given)
    title = ("warning" if name not in errors else name) + (f"[{tag}]" if tag else "")
    for text in filter(None, alternatives(call.args[0])):
        yield f"{title} {'{}: ' if 'place' in given else ''}{text}"


def alternatives(node: ast.expr) -> list[str]:
    """The texts that an expression may give; nothing where it is only a name."""
    if isinstance(node, ast.IfExp):
        return [*alternatives(node.body), *alternatives(node.orelse)]
    if isinstance(node, ast.BinOp):
        return [text_of(node.left) + text_of(node.right)]
    return [text_of(node)] if isinstance(node, ast.Constant | ast.JoinedStr) else []


def text_of(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def as_file() -> str:
    return "".join(f"{line!r}\n"[1:-2] + "\n" for line in sorted(messages()))


def test_messages_are_those_of_the_file() -> None:
    known, now = SNAPSHOT.read_text("utf-8").splitlines(), as_file().splitlines()
    advice = "run `python tests/test_messages.py`, and read what changed"
    assert sorted({*known} ^ {*now}) == [], advice


def test_messages_name_parameters_and_end_without_a_period() -> None:
    for line, packages in messages().items():
        if packages - {*OWN_OPTIONS}:
            assert not re.search(r"(?<![\w-])--[a-z]{3}", line), line
        assert not re.search(r"[^.…]\.$", line), line


if __name__ == "__main__":
    SNAPSHOT.write_text(as_file(), "utf-8")
