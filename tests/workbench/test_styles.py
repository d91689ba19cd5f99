"""The style sheet: everything in it is used, and everything that it uses is there."""

import re
from pathlib import Path

from chronoscore.workbench import web

FOLDER = Path(web.__file__).parent
SHEET = (FOLDER / "static" / "app.css").read_text()
RULES = re.sub(r"/\*.*?\*/", "", SHEET, flags=re.DOTALL)
DECLARATIONS = re.findall(r"\{([^{}]*)\}", RULES)
TONES = re.compile(r"c\d+")
"""The classes of events' colors, whose numbers are computed."""


def pages() -> str:
    """Everything in which a class may be named."""
    found = [*FOLDER.rglob("*.html"), *FOLDER.rglob("*.js"), *FOLDER.rglob("*.py")]
    return "\n".join(path.read_text() for path in found)


def test_every_brace_is_closed_and_every_declaration_is_one() -> None:
    depth = 0
    for sign in re.findall(r"[{}]", RULES):
        depth += 1 if sign == "{" else -1
        assert depth in (0, 1, 2)
    assert depth == 0
    for inside in DECLARATIONS:
        for one in filter(None, map(str.strip, inside.split(";"))):
            assert re.fullmatch(r"-{0,2}[a-z][\w-]*\s*:\s*[^:{}]+(?::[^:{}]+)*", one), one


def test_no_rule_says_the_same_twice() -> None:
    for inside in DECLARATIONS:
        names = [one.partition(":")[0].strip() for one in inside.split(";") if ":" in one]
        assert len(names) == len(set(names)), inside


def test_every_variable_that_is_used_is_defined_and_the_other_way_round() -> None:
    defined = set(re.findall(r"(--[\w-]+)\s*:", RULES))
    assert set(re.findall(r"var\((--[\w-]+)", RULES + pages())) == defined


def test_colors_are_written_once() -> None:
    """In the palette, with their dark counterparts, and nowhere else but for events' colors."""
    assert "prefers-color-scheme" not in RULES
    for selector, inside in re.findall(r"([^{}]*)\{([^{}]*)\}", RULES):
        if selector.strip() == ":root" or re.search(r"\.c\d", selector):
            continue
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgb\(|hsl\(", inside), selector


def test_every_class_is_used() -> None:
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)(?=[^{}]*\{)", RULES))
    named = set(re.findall(r"[\w-]+", pages()))
    assert {name for name in classes - named if not TONES.fullmatch(name)} == set()
