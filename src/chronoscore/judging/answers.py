"""What a model wrote, read as a list of objects, whatever stands around it.

The list may come in its object, bare, under another name, as one object for each line or by id,
with prose before or after it and with keys in capitals. What is broken or cut off is not read in
part.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

REFUSED = "the model refused to answer"
NOT_JSON = "the answer is not JSON"
_decoder = json.JSONDecoder()
_refusal = re.compile(
    r"^\W*((i am|i'm|we are|we're|so)? ?(very |really )?sorry\b|i apologi[sz]e|apologies)"
    r"|\b(i|we)\b[^.!?]{0,60}?\b(can't|cannot|can not|won't|will not|unable|not able|refuse"
    r"|decline|must not|not comfortable|not allowed)\b"
)
_request_id = re.compile(r"i\d+")
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
    for value in _values_in(text):
        rows = _rows_of(value, name)
        if rows is None:
            other = True
        elif isinstance(value, dict) and rows == [value]:
            singles.append(value)
        else:
            lists.append(rows)
    found = next((rows for rows in reversed(lists) if rows), None) or singles
    if found or lists:
        return [_small_keys(row) for row in found]
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
        else:
            yield value


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
    named = {key.strip().casefold(): one for key, one in value.items()}
    if name in named:
        return named[name] if isinstance(named[name], list) else None
    if "id" in named:
        return [value]
    if named and all(_request_id.fullmatch(key) for key in named):
        return [_row_by_id(key, one) for key, one in named.items()]
    inside = [one for one in named.values() if isinstance(one, list) and _rows_of(one, name)]
    return inside[0] if len(inside) == 1 else None


def _row_by_id(key: str, value: Any) -> Any:
    """What an object says under an id, as a row of a list."""
    return {"id": key, **(value if isinstance(value, dict) else {"label": value})}


def _small_keys(row: Any) -> Any:
    """An object with its keys in small letters."""
    if not isinstance(row, Mapping):
        return row
    return {str(key).strip().casefold(): value for key, value in row.items()}


def plain_word(text: str) -> str:
    """A label or id without case, quotes, periods and kinds of spaces."""
    if text.isalnum():
        return text.casefold()
    return " ".join(re.split(r"[\s_-]+", text.strip(" \t\r\n\"'.").casefold()))
