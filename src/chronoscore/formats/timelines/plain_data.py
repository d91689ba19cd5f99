"""Days and texts of the plainest JSON, read at once: objects with a day and a text, or by day.

They stand in a list, in a list below one key, or under their days; bare or in a code fence.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from chronoscore.formats.timelines import field_names
from chronoscore.lazy import pattern

Days = Sequence[tuple[str, list[str]]]
_DATE = "date"
_fence = pattern(r"```(?:json|JSON)?\n(?P<inside>[^`]*)\n```(?=\n|$)")
_decode = msgspec.json.Decoder().decode


class PlainData(NamedTuple):
    """The days of data with their texts, and the lines above and below.

    `write` makes data of the same shape from other days.
    """

    days: Days
    above: list[str]
    below: list[str]
    write: Callable[[Days], str]


class _Shape(NamedTuple):
    """How data stand: below a key or not, and with which keys, or by day."""

    fence: str
    holder: str
    keys: tuple[str, ...]
    listed: bool

    def write(self, days: Days) -> str:
        value: Any = {day: told if self.listed else told[0] for day, told in days}
        if self.keys:
            value = [
                {key: day if key == _DATE else told for key in self.keys}
                for day, told in value.items()
            ]
        value = {self.holder: value} if self.holder else value
        text = msgspec.json.encode(value).decode()
        return f"{self.fence}\n{text}\n```" if self.fence else text


def find(text: str) -> PlainData | None:
    """The data of an answer that has nothing else but lines around them.

    >>> found = find('[{"date": "2031-03-12", "event": "The old dam broke."}]')
    >>> found.days
    [('2031-03-12', ['The old dam broke.'])]
    """
    above = below = fence = ""
    inside = text
    if "```" in text:
        found = _fence.search(text)
        if found is None or text.count("```") != 2:
            return None
        inside, above, below = found["inside"], text[: found.start()], text[found.end() :]
        fence = found[0].partition("\n")[0]
    inside = inside.strip()
    if inside[:1] not in ("[", "{"):
        return None
    try:
        value = _decode(inside)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    holder = ""
    if isinstance(value, dict) and len(value) == 1:
        (holder,) = value
        if holder not in field_names.HOLDER:
            return None
        value = value[holder]
    if isinstance(value, dict):
        keys: tuple[str, ...] = ()
        pairs = list(value.items())
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        keys = tuple(value[0])
        pairs = [*_pairs(value, keys)]
    else:
        return None
    listed = bool(pairs) and isinstance(pairs[0][1], list)
    if len(pairs) != len(value) or any(isinstance(told, list) != listed for _, told in pairs):
        return None
    days = [(day, told if listed else [told]) for day, told in pairs]
    # Keys that come twice are left to readers that see both.
    strings = bool(holder) + len(days) * (len(keys) + 1) + sum(len(told) for _, told in days)
    if inside.count('"') - inside.count('\\"') != 2 * strings:
        return None
    shape = _Shape(fence, holder, keys, listed)
    return PlainData(days, _lines(above), _lines(below), shape.write)


def _pairs(rows: Sequence[Any], keys: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
    """The day and the text of objects that have nothing else, all of them alike."""
    text = next((key for key in keys if key != _DATE), "")
    if len(keys) != 2 or _DATE not in keys or not field_names.is_text_name(text):
        return
    for row in rows:
        if isinstance(row, Mapping) and tuple(row) == keys:
            yield row[_DATE], row[text]


def _lines(text: str) -> list[str]:
    return text.strip("\n").split("\n") if text.strip() else []
