"""What a model wrote, read as a list of objects, whatever stands around it.

The list may come in its object, bare, under another name, inside other objects, as one object for
each line or by id, with prose before or after it and with keys in capitals. It may be written as
JSON is often written by hand: with comments, commas at the end, single or curly quotes. What is
broken or cut off is not read in part.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

REFUSED = "the model refused to answer"
NOT_JSON = "the answer is not JSON"
_decoder = json.JSONDecoder(strict=False)
_loose = re.compile(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|“[^”]*”|//[^\n]*|,(?=(?:\s|//[^\n]*\n)*[\]}])|\b(?:None|True|False)\b""",
    re.DOTALL,
)
_CONSTANTS = {"None": "null", "True": "true", "False": "false"}
_refusal = re.compile(
    r"^\W*((i am|i'm|we are|we're|so)? ?(very |really )?sorry\b|i apologi[sz]e|apologies)"
    r"|\b(i|we)\b[^.!?]{0,60}?\b(can't|cannot|can not|won't|will not|unable|not able|refuse"
    r"|decline|must not|not comfortable|not allowed)\b"
)
_request_id = re.compile(r"i\d+")
_item = re.compile(r"(?:item |id |# ?)?i?(\d+)")
OPENING = re.compile(r"[\[{]")


class UnusableAnswerError(Exception):
    """An answer in which no list can be found; the text says why.

    `refused`: the model will not answer. `other`: there is JSON, but not what was asked for.
    """

    def __init__(self, message: str, *, refused: bool = False, other: bool = False) -> None:
        super().__init__(message)
        self.refused, self.other = refused, other


def written_answer(answer: str) -> str:
    """An answer without the reasoning before it."""
    return answer.rpartition("</think>")[2].strip()


def is_refusal(answer: str) -> bool:
    """Whether a text says that the model will not answer, in its first two sentences.

    This knows English. A text that holds JSON is never one.
    """
    text = written_answer(answer).casefold().replace("’", "'")
    sentences = re.split(r"(?<=[.!?])\s", text, maxsplit=2)
    return any(_refusal.search(sentence) for sentence in sentences[:2])


def read_list(answer: str, name: str) -> list[Any]:
    """The list of that name in an answer; its objects have their keys in small letters.

    Where there are several, the last that is not empty counts: a model may show the form first.
    """
    text = written_answer(answer)
    lists: list[list[Any]] = []
    singles: list[Any] = []
    other = False
    values = [_unwrap(value, name) for value in _values_in(text)]
    for value in values:
        rows = _rows_of(value, name)
        if rows is None:
            other = True
        elif isinstance(value, dict) and rows == [value]:
            singles.append(value)
        else:
            lists.append(rows)
    found = next((rows for rows in reversed(lists) if rows), None) or singles
    if found or lists:
        return [_plain_row(row) for row in found]
    if any(map(_holds_refusal, values)):
        raise UnusableAnswerError(REFUSED, refused=True)
    if other:
        raise UnusableAnswerError(f"the answer has no list '{name}'", other=True)
    if is_refusal(text):
        raise UnusableAnswerError(REFUSED, refused=True)
    raise UnusableAnswerError(NOT_JSON)


def _values_in(text: str) -> Iterator[Any]:
    """The JSON values in a text, without those inside others or inside what is broken."""
    try:
        yield msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        pass
    else:
        return
    place = 0
    while begin := OPENING.search(text, place):
        start = begin.start()
        try:
            value, place = _decoder.raw_decode(text, start)
        except (RecursionError, ValueError):
            place = _closing_place(text, start)
            with suppress(RecursionError, ValueError):
                yield json.loads(_loose.sub(_as_json, text[start:place]), strict=False)
        else:
            yield value


def _as_json(found: re.Match[str]) -> str:
    """A piece of what people write for JSON, as JSON has it."""
    piece = found[0]
    if piece[0] == "'":
        return json.dumps(piece[1:-1].replace("\\'", "'"))
    if piece[0] == "“":
        return json.dumps(piece[1:-1])
    return "" if piece[0] in "/," else _CONSTANTS.get(piece, piece)


def _unwrap(value: Any, name: str) -> Any:
    """What lies within an object or list of one value, or within JSON that is written as text."""
    while True:
        if isinstance(value, str) and OPENING.match(value):
            try:
                value = msgspec.json.decode(value)
            except (msgspec.MsgspecError, RecursionError, ValueError):
                return value
        elif not isinstance(value, dict | list) or len(value) != 1:
            return value
        else:
            (inner,) = value.values() if isinstance(value, dict) else value
            named = isinstance(inner, dict) and name in _small_keys(inner)
            nested = isinstance(inner, dict if isinstance(value, dict) else list)
            if not (named or nested) or (isinstance(value, dict) and _rows_by_id(value)):
                return value
            value = inner


def _holds_refusal(value: Any) -> bool:
    """Whether an object says in a text of its own that the model will not answer."""
    return isinstance(value, dict) and any(
        isinstance(one, str) and is_refusal(one) for one in value.values()
    )


def _closing_place(text: str, start: int) -> int:
    """Where the bracket that opens at a place is closed, or the end of the text."""
    depth, quoted, escaped = 0, False, False
    for place in range(start, len(text)):
        sign = text[place]
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if not depth:
                return place + 1
    return len(text)


def _rows_of(value: Any, name: str) -> list[Any] | None:
    """The list that a value is or holds: under its name, alone of its kind, or by id."""
    if isinstance(value, list):
        return value if any(isinstance(one, dict) for one in value) else None
    if not isinstance(value, dict):
        return None
    named = _small_keys(value)
    if name in named:
        own = named[name]
        return own if isinstance(own, list) else _rows_by_id(own)
    if "id" in named:
        return [value]
    if (rows := _rows_by_id(named)) is not None:
        return rows
    inside = [one for one in named.values() if isinstance(one, list) and _rows_of(one, name)]
    return inside[0] if len(inside) == 1 else None


def _rows_by_id(value: Any) -> list[Any] | None:
    """What an object says under ids, as rows of a list."""
    if not isinstance(value, dict) or not value:
        return None
    if not all(_request_id.fullmatch(key.strip().casefold()) for key in value):
        return None
    return [
        {"id": key, **(one if isinstance(one, dict) else {"label": one})}
        for key, one in value.items()
    ]


def _small_keys(row: Mapping[Any, Any]) -> dict[str, Any]:
    """An object with its keys in small letters."""
    return {str(key).strip().casefold(): value for key, value in row.items()}


def _plain_row(row: Any) -> Any:
    """An object with its keys in small letters, and its label without a list around it."""
    if not isinstance(row, Mapping):
        return row
    plain = _small_keys(row)
    label = plain.get("label")
    if isinstance(label, list) and len(label) == 1:
        plain["label"] = label[0]
    return plain


def plain_word(text: str) -> str:
    """A label or id without case, marks around it and kinds of spaces."""
    if text.isalnum():
        return text.casefold()
    return " ".join(re.split(r"[\s_-]+", text.strip(" \t\r\n\"'.*`").casefold()))


def item_name(given: Any) -> str:
    """The id of an item as requests write it, from a number alone or with a word before it.

    >>> item_name("I2"), item_name(2), item_name("Item 2"), item_name("c2")
    ('i2', 'i2', 'i2', 'c2')
    """
    if isinstance(given, bool) or not isinstance(given, int | str):
        return ""
    plain = plain_word(str(given))
    found = _item.fullmatch(plain)
    return f"i{found[1]}" if found else plain


def listed_ids(row: Mapping[str, Any], name: str) -> list[Any] | None:
    """The ids that a row lists under a name, or nothing where it has no list.

    Beside a label they may be left out or stand in one text: it is worth something without them.
    """
    given = row.get(name)
    if isinstance(given, list):
        return given
    if "label" not in row:
        return None
    return [one for one in re.split(r"[\s,;]+", given) if one] if isinstance(given, str) else []
