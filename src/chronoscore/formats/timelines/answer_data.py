"""Data that stands bare between the lines of an answer: JSON, Python values or CSV."""

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from chronoscore import lazy
from chronoscore.formats.io.json_values import cut_json, drop_trailing_commas
from chronoscore.formats.io.python_values import read_python_value
from chronoscore.formats.timelines import csv_rows
from chronoscore.formats.timelines.shapes import holds_timeline

_START = lazy.pattern(r"\s*(?:[A-Za-z_]\w*\s*=\s*)?(?:\[\s*[{\[(]|\{|\[\s*$)")

_HEADING = lazy.pattern(r"[^\d|]{,200}[,;\t][^\d|]{,200}")
"""A line that may name columns: words with a comma, a semicolon or a tab between them."""

_MOST_STARTS = 8
"""Lines at which a value is looked for; each try goes through all that follows."""


class BareData(NamedTuple):
    """The format of bare data, and from where to where it stands among the lines."""

    form: str
    start: int
    end: int
    lines: tuple[str, ...]


def find_bare_data(lines: Sequence[str]) -> BareData | None:
    """The first data between lines of text, whole or cut off."""
    return _find_json(lines) or _find_csv(lines)


def starts_like_json(text: str) -> bool:
    """Whether a text begins like a list or an object, assigned to a name or not."""
    return bool(_START.match(text))


def _find_csv(lines: Sequence[str]) -> BareData | None:
    """CSV that begins with its heading and ends with a blank line."""
    for place, line in enumerate(lines[:-1]):
        if _HEADING.fullmatch(line) and csv_rows.is_heading(line):
            rest = range(place, len(lines))
            end = next((n for n in rest if not lines[n].strip()), len(lines))
            return BareData("csv", place, end, tuple(lines[place:end]))
    return None


def _find_json(lines: Sequence[str]) -> BareData | None:
    starts = (place for place, line in enumerate(lines) if _START.match(line))
    for place in islice(starts, _MOST_STARTS):
        end = _end_of_value(lines, place)
        if end == place:
            continue
        ends = [end]
        while (start := _next_object(lines, end)) < len(lines):
            following = _end_of_value(lines, start)
            if following == start:
                break
            end = following
            ends.append(end)
        return BareData("json", place, end, _join_values(lines, place, ends))
    return None


def _next_object(lines: Sequence[str], place: int) -> int:
    """The next line that is not blank, if an object begins on it; else the end."""
    start = next((n for n in range(place, len(lines)) if lines[n].strip()), len(lines))
    return start if start < len(lines) and lines[start].lstrip().startswith("{") else len(lines)


def _join_values(lines: Sequence[str], place: int, ends: Sequence[int]) -> tuple[str, ...]:
    """The lines of one value, or of several as those of one list."""
    found = list(lines[place : ends[-1]])
    if len(ends) > 1:
        found[0] = f"[{found[0]}"
        for end in ends[:-1]:
            found[end - 1 - place] += ","
        # An object that breaks off stays open.
        found[-1] += "]" if found[-1].rstrip().endswith("}") else ""
    return tuple(found)


def _end_of_value(lines: Sequence[str], place: int) -> int:
    """The line behind the value that begins on a line, or the same one if there is none."""
    text = "\n".join(lines[place:])
    found = _decode(text) or _decode(read_python_value(text).json)
    if found is None:
        return place
    value, length = found
    end = len(lines) if length is None else place + length
    if length is not None and lines[end - 1].rstrip().endswith(","):
        return place
    return end if holds_timeline(value) else place


def _decode(text: str) -> tuple[Any, int | None] | None:
    """The value at the beginning of a text, and how many lines it has; None if it breaks off."""
    text = drop_trailing_commas(text)
    try:
        value, end = json.JSONDecoder().raw_decode(text, len(text) - len(text.lstrip()))
    except (ValueError, RecursionError):
        cut = cut_json(text)
        return None if cut is None else (json.loads(cut[0]), None)
    return value, text.count("\n", 0, end) + 1
