"""Decoding JSON so that every refusal names its line."""

import json
import re
from typing import Any, NamedTuple

from chronoscore import lazy
from chronoscore.errors import DataError


def decode_json(text: str, place: str, *, first_line: int = 1, gaps: bool = False) -> Any:
    """Decode one value; nan, repeated keys and halves of characters are refused.

    A repeated key would silently lose what stood under it before. With `gaps` nan is null.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_gap if gaps else _constant
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        what = (error.msg[:1].lower() + error.msg[1:]).removesuffix(" starting at")
        raise DataError(
            f"{what} at column {error.colno}; fix the JSON", reason="json", place=f"{place}:{line}"
        ) from None
    except UnicodeEncodeError:
        raise DataError(
            "holds half of a surrogate pair; fix the \\u escapes", place=f"{place}:{first_line}"
        ) from None
    except RecursionError:
        raise DataError("is nested too deeply; flatten it", place=f"{place}:{first_line}") from None
    except ValueError as error:
        raise DataError(str(error), place=f"{place}:{first_line}") from None
    return value


_KEYED_TEXT = lazy.pattern(
    r'"[^"\n]*\d[^"\n]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|\[[^\[\]]*\])\s*', re.DOTALL
)
_MOST_CUTS = 100
"""Places from the end of a text that are tried; the last ones nearly always do."""
_JSON_SIGNS = lazy.pattern(r'"(?:[^"\\]|\\.)*"|[{}\[\],"]', re.DOTALL)


def cut_json(text: str) -> tuple[str, int] | None:
    """JSON that breaks off, up to its last whole value, with the brackets that are open closed.

    Also gives the place from which on the text is not read. An entry that breaks off within
    itself is not whole; a date with its text in an object of them is. Nothing where the text
    does not break off at its end.

    >>> cut_json('[{"a": 1}, {"a": 2, "b')
    ('[{"a": 1}]', 9)
    """
    # The brackets that are open at a place are a chain, the innermost first, so that a place
    # is remembered in one step however deep it lies.
    opened: _Open | None = None
    cuts: list[tuple[int, _Open | None]] = []
    for sign in _JSON_SIGNS.finditer(text):
        mark = sign[0]
        if mark in "{[":
            opened = _Open("}" if mark == "{" else "]", opened)
        elif mark in ("}", "]"):
            if opened is None or opened.closing != mark:
                return None
            opened = opened.outer
            cuts.append((sign.end(), opened))
        elif mark == "," and opened and opened.closing == "}":
            cuts.append((sign.start(), opened))
        elif mark == '"':
            break
    if opened is None and not text.rstrip().endswith('"'):
        return None
    for place, inner in reversed(cuts[-_MOST_CUTS:]):
        if text[place : place + 1] == "," and text[place - 1] not in "]}":
            tail = text[max(0, place - 4000) : place]
            if not any(found.end() == len(tail) for found in _KEYED_TEXT.finditer(tail)):
                continue
        if is_json(whole := text[:place] + _close(inner)):
            return whole, place
    return None


class _Open(NamedTuple):
    """An open bracket: what closes it, and the open bracket around it."""

    closing: str
    outer: "_Open | None"


def _close(opened: _Open | None) -> str:
    """The signs that close all open brackets."""
    closing = []
    while opened is not None:
        closing.append(opened.closing)
        opened = opened.outer
    return "".join(closing)


def drop_trailing_commas(text: str) -> str:
    """JSON without the commas before closing brackets, which people and models leave there."""
    pieces: list[str] = []
    start = 0
    comma = -1
    for sign in _JSON_SIGNS.finditer(text):
        if comma >= 0 and sign[0] in ("}", "]") and not text[comma + 1 : sign.start()].strip():
            pieces.append(text[start:comma])
            start = comma + 1
        comma = sign.start() if sign[0] == "," else -1
    return "".join(pieces) + text[start:]


def is_balanced(text: str) -> bool:
    """Whether every bracket and quote of a text is closed, so that it does not break off."""
    signs = [sign[0] for sign in _JSON_SIGNS.finditer(text)]
    opening = sum(sign in ("{", "[") for sign in signs)
    return opening == sum(sign in ("}", "]") for sign in signs) and '"' not in signs


def is_json(text: str) -> bool:
    """Whether a text is one JSON value."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class Cursor:
    """A place in a text, found from the values met so far, which come in its order."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.place = 0
        self.line = first_line
        self.escaped = False

    def line_of(self, value: object, key: str | None = None) -> int:
        """The line of the next such value, under its key; the last known line if there is none.

        The search goes on behind what was found, so that an equal value is another one.
        """
        # A file escapes all its characters or none: what was found last time comes first.
        for plain in (self.escaped, not self.escaped):
            pattern = re.escape(json.dumps(value, ensure_ascii=plain))
            if key is not None:
                pattern = rf"{re.escape(json.dumps(key, ensure_ascii=plain))}\s*:\s*({pattern})"
            if found := re.compile(pattern).search(self.text, self.place):
                start = found.start(found.lastindex or 0)
                self.line += self.text.count("\n", self.place, start)
                self.place = found.end()
                self.escaped = plain
                return self.line
        return self.line


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"key '{twice}' occurs twice in one object; put its texts in a list")
    return found


def _gap(_name: str) -> None:
    """Nothing, for a number that is none."""


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON; write a number or null")
