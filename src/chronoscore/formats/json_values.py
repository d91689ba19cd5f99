"""Decoding JSON so that every refusal names its line."""

import json
from typing import Any

from chronoscore.core import DataError


def decoded(text: str, place: str, *, first_line: int = 1) -> Any:
    """Decode one value; nan, repeated keys and halves of characters are refused.

    A repeated key would silently lose what stood under it before.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        what = error.msg[:1].lower() + error.msg[1:]
        raise DataError(f"{place}:{line}: {what} at column {error.colno}; mend the JSON") from None
    except UnicodeEncodeError:
        raise DataError(
            f"{place}:{first_line}: holds half of a surrogate pair; mend the \\u escapes"
        ) from None
    except RecursionError:
        raise DataError(f"{place}:{first_line}: is nested too deeply; flatten it") from None
    except ValueError as error:
        raise DataError(f"{place}:{first_line}: {error}") from None
    return value


def is_json(text: str) -> bool:
    """Whether a text is one JSON value."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class Cursor:
    """Where in a text we are, told by the values met so far, which come in its order."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.place = 0
        self.line = first_line

    def find(self, value: object) -> int:
        """The line of the next occurrence of a value; the last known one if there is none."""
        for form in (json.dumps(value, ensure_ascii=False), json.dumps(value)):
            place = self.text.find(form, self.place)
            if place >= 0:
                self.line += self.text.count("\n", self.place, place)
                self.place = place
                return self.line
        return self.line

    def pass_over(self) -> None:
        """Look behind the value that was found last, so that an equal one is another."""
        self.place = min(self.place + 1, len(self.text))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"key '{twice}' stands twice in one object; put its texts in a list")
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON; write a number or null")
