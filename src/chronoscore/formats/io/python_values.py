"""Values that are nearly JSON: as Python prints them, or with comments, NaN and bare keys."""

import re
from typing import NamedTuple

from chronoscore import lazy

_SIGNS = lazy.pattern(
    r"(?P<text>[rbu]?(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|\b(?:[A-Za-z]\w*\.)*(?:date|datetime|Timestamp|Period)\((?P<date>[^()\n]*)\)"
    r"|(?P<comma>,)(?=(?:\s|//[^\n]*|/\*.*?\*/|\#[^\n]*)*[\])}])"
    r"|(?P<open>[\[({])|(?P<close>[\])}])"
    r"|(?P<name>-?\b(?:True|False|None|NaN|nan|NaT|Infinity|inf|undefined)\b)"
    r"|(?P<key>[A-Za-z_$][\w$]*)(?=\s*:)|(?P<broken>['\"])",
    re.DOTALL,
)
_NAMES = {"True": "true", "False": "false"}
_ESCAPES = lazy.pattern(r"\\x(?P<code>[0-9a-fA-F]{2})|\\.|[\"\t]", re.DOTALL)
_ASSIGNED = lazy.pattern(
    r"\s*(?:[A-Za-z_]\w*\s*(?::[^=\n]*)?=|(?:In \[\d+\]:[^\n]*\n\s*)?Out\[\d+\]:)\s*(?=[\[{(])"
)


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
        return _NAMES.get(sign["name"], "null")
    if sign["comment"]:
        return re.sub(r"[^\n]", " ", sign[0])
    if sign["comma"]:
        return ""
    if sign["key"]:
        return f'"{sign["key"]}"'
    if sign["date"] is not None:
        return _date(sign["date"])
    return "[" if sign[0] == "(" else "]" if sign[0] == ")" else sign[0]


def _date(arguments: str) -> str:
    """The date of a call such as `datetime.date(1986, 4, 26)` or `Timestamp('1986-04-26')`."""
    if text := re.match(r"\s*['\"]([^'\"]+)['\"]", arguments):
        return f'"{text[1]}"'
    numbers = re.findall(r"\d+", arguments)[:3]
    return f'"{"-".join(f"{int(number):02}" for number in numbers)}"'


def _escape(found: re.Match[str]) -> str:
    """What JSON writes for a quote or an escape inside single quotes."""
    if found["code"]:
        return f"\\u00{found['code']}"
    return {"\\'": "'", '"': '\\"', "\t": "\\t"}.get(found[0], found[0])
