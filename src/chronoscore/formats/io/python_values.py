"""Lists and dictionaries as Python prints them, which people and models give for JSON."""

import re
from typing import NamedTuple

from chronoscore import lazy

_SIGNS = lazy.pattern(
    r"(?P<text>[rbu]?(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    r"|(?P<open>[\[({])|(?P<close>[\])}])|(?P<name>\b(?:True|False|None)\b)|(?P<broken>['\"])",
    re.DOTALL,
)
_NAMES = {"True": "true", "False": "false", "None": "null"}
_ESCAPES = lazy.pattern(r"\\x(?P<code>[0-9a-fA-F]{2})|\\.|[\"\t]", re.DOTALL)
_ASSIGNED = lazy.pattern(r"\s*[A-Za-z_]\w*\s*(?::[^=\n]*)?=\s*(?=[\[{(])")


class PythonValue(NamedTuple):
    """A value as JSON text, with the lines that it had, and the text behind it."""

    json: str
    rest: str


def read_python_value(text: str) -> PythonValue:
    """Write a Python value, assigned to a name or not, as JSON has it; one may break off.

    >>> read_python_value("events = [('2010-05-06', 'It\\\\'s over.')] # so far")
    PythonValue(json='[["2010-05-06", "It\\'s over."]]', rest=' # so far')
    """
    assigned = _ASSIGNED.match(text)
    place = assigned.end() if assigned else 0
    pieces = ["\n" * text.count("\n", 0, place)]
    depth = 0
    for sign in _SIGNS.finditer(text, place):
        pieces.append(text[place : sign.start()])
        place = sign.end()
        if sign["broken"]:
            # What is behind it is no value; JSON breaks off in a string in the same way.
            return PythonValue("".join([*pieces, '"']), "")
        pieces.append(_as_json(sign))
        depth += bool(sign["open"]) - bool(sign["close"])
        if sign["close"] and depth <= 0:
            return PythonValue("".join(pieces), text[place:])
    return PythonValue("".join(pieces) + text[place:], "")


def _as_json(sign: re.Match[str]) -> str:
    if sign["text"]:
        text = sign[0].lstrip("rbu")
        return f'"{_ESCAPES.sub(_escape, text[1:-1])}"' if text[0] == "'" else text
    if sign["name"]:
        return _NAMES[sign["name"]]
    return "[" if sign[0] == "(" else "]" if sign[0] == ")" else sign[0]


def _escape(found: re.Match[str]) -> str:
    """What JSON writes for a quote or an escape inside single quotes."""
    if found["code"]:
        return f"\\u00{found['code']}"
    return {"\\'": "'", '"': '\\"', "\t": "\\t"}.get(found[0], found[0])
