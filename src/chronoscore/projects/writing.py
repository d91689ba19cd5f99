"""Write `chronoscore.toml`: each line with what it does."""

import json
from collections.abc import Sequence
from typing import Any

from chronoscore.projects.guesses import WORDS as WORDS
from chronoscore.projects.guesses import Guess

COLUMNS = {
    "system": "where the systems' texts stand",
    "references": "where the references stand",
    "id": "what names the topics",
    "author": "what names the systems",
}


def render(guess: Guess, language: str = "") -> str:
    """The text of a project file."""
    lines = [
        "# How this folder is scored: `chronoscore score`, `compare`, `diff`, `report`, `explain`",
        "# read it where no system is named. `chronoscore init` wrote it; change it as you like.",
        "",
    ]
    if guess.doubt:
        lines += [f"# NOT SURE: {_flat(guess.doubt)}. Check the next two lines.", ""]
    lines += _entry("systems", guess.systems, f"what is scored: {WORDS[guess.kind]}, * is any name")
    if guess.references:
        lines += _entry("references", guess.references, "what it is scored against")
    key, patterns = guess.judged
    if key:
        lines += _entry(key, patterns, "what people judged")
    lines += _entry("measures", guess.measures, "see `chronoscore list`")
    if language:
        lines += _entry("language", language, "of the texts, by a look at the references")
    if guess.encoding:
        lines += ["", "[reading]", *_entry("encoding", guess.encoding, "of all files; a guess")]
    if guess.columns:
        lines += ["", "[columns]"]
        for key, comment in COLUMNS.items():
            if key in guess.columns:
                lines += _entry(key, guess.columns[key], comment)
    lines += [
        "",
        "# [gate]  # for builds: `chronoscore score` and `chronoscore diff` then exit with 1",
        f'# fail-under = ["{_first_figure(guess)}=0.3"]  # an average that must be reached',
        "# fail-on-regression = 0.01  # how much lower the second system of diff may be",
    ]
    return "\n".join(lines) + "\n"


def _first_figure(guess: Guess) -> str:
    named = guess.measures[0]
    return named if guess.kind in ("ranking", "units") else f"{named}.f"


def _entry(key: str, value: Any, comment: str) -> list[str]:
    return [f"{key} = {toml(value)}  # {comment}"]


def toml(value: Any) -> str:
    """A value as TOML writes it: texts and lists of them."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert isinstance(value, Sequence)
    return f"[{', '.join(map(toml, value))}]"


def _flat(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
