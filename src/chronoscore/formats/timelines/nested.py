"""Data that nests entries below their years, months or days.

::

    {"2010": [{"date": "May 6", "event": "…"}]}
    [{"year": 2010, "months": [{"month": "May", "events": [{"day": 6, "event": "…"}]}]}]

Each entry is given the keys around it, so that it can be read like one in a flat list.
"""

import re
from collections.abc import Iterator
from typing import Any

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold
from chronoscore.formats.timelines import field_names as names

_PARTS = {"year": names.YEAR, "month": names.MONTH, "day": names.DAY}
_YEAR = lazy.pattern(r"[12]\d{3}\s*(?:年|년)?")
_DAY = lazy.pattern(r"(?:0?[1-9]|[12]\d|3[01])\.?(?:st|nd|rd|th|日|일)?")
_HAS_YEAR = lazy.pattern(r"(?<!\d)\d{4}(?!\d)")


def flatten_nested(value: Any) -> list[dict[str, Any]] | None:
    """The entries of a value that nests them below parts of dates; nothing for other values."""
    try:
        return list(_entries(value, {})) or None if _is_nested(value) else None
    except RecursionError:
        return None


def _is_nested(value: Any) -> bool:
    """Whether years head entries whose own dates have none.

    Otherwise an object may just as well hold timelines by topic.
    """
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) and _heads(one) for one in value)
    if not isinstance(value, dict) or not value:
        return False
    inner = [one for one in value.values() if isinstance(one, dict | list)]
    held = [key for key, one in value.items() if isinstance(one, dict | list)]
    if held and all(_YEAR.fullmatch(fold(key).strip()) for key in held):
        years = any(_YEAR.fullmatch(fold(key).strip()) for key in value if key not in held)
        return not years and any(map(_is_container, inner)) and not any(map(_has_years, inner))
    return len(inner) == 1 and isinstance(inner[0], dict | list) and _is_nested(inner[0])


def _heads(value: dict[str, Any]) -> bool:
    """Whether an object has a year or a month, and entries of its own below it."""
    named = any(_own_part(value, part) for part in ("year", "month"))
    below = [one for one in value.values() if _is_container(one)]
    return named and bool(below) and not any(map(_has_years, below))


def _is_container(value: Any) -> bool:
    """A list of objects or an object."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) for one in value)
    return isinstance(value, dict) and bool(value)


def _has_years(value: Any) -> bool:
    """Whether the dates inside have years of their own."""
    if isinstance(value, list):
        return any(map(_has_years, value))
    if not isinstance(value, dict):
        return False
    date = names.find_date_name(value)
    if date is not None and _HAS_YEAR.search(fold(str(value[date]))):
        return True
    return any(
        _HAS_YEAR.search(fold(key)) or (_is_container(inner) and _has_years(inner))
        for key, inner in value.items()
    )


def _own_part(value: dict[str, Any], part: str) -> str | None:
    """The key of a year, month or day that an object has as a number or a text."""
    name = names.find_name(_PARTS[part], value)
    if name is not None:
        return name if isinstance(value[name], str | int) else None
    return next((key for key, one in value.items() if part == "month" and _is_month(one)), None)


def _is_month(value: Any) -> bool:
    """Whether a value is the name of a month."""
    from chronoscore.dates.vocabulary import MONTH_NUMBERS

    return isinstance(value, str) and fold(value).strip().rstrip(".").casefold() in MONTH_NUMBERS


def _entries(value: Any, above: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        for one in value:
            yield from _entries(one, above)
        return
    if not isinstance(value, dict):
        year, month, day = (str(above.get(part, "")) for part in _PARTS)
        if month.isdigit() and 1 <= int(month) <= 12:
            month = MONTHS[int(month) - 1]
        date = above.get("date") or f"{day} {month}".strip()
        yield {"year": year, "text": value} | ({"date": date} if date else {})
        return
    own = {part: value[name] for part in _PARTS if (name := _own_part(value, part))}
    known = above | own
    below = {key: inner for key, inner in value.items() if _is_container(inner)}
    dated = {key: part for key in value if (part := _part_of_key(key, known, value[key]))}
    if any("date" in part for part in dated.values()):
        # Beside "May 6", "May" is a date of its own.
        months = [key for key, part in dated.items() if "month" in part]
        dated |= {key: {"date": key.strip()} for key in months if not _is_container(value[key])}
    if not below and not dated:
        parts = names.find_parts(value)
        yield known | {key: inner for key, inner in value.items() if key not in parts}
        return
    for key, inner in value.items():
        if key in dated:
            yield from _entries(inner, known | dated[key])
        elif key in below:
            yield from _entries(inner, known)


def _part_of_key(key: str, above: dict[str, Any], inner: Any) -> dict[str, str]:
    """What a key says of the dates below it: a year, a month of it, or a day of that."""
    from chronoscore.dates.forms import starts_with_month
    from chronoscore.dates.vocabulary import MONTH_NUMBERS

    plain = fold(key).strip()
    if "year" not in above:
        return {"year": plain[:4]} if _YEAR.fullmatch(plain) else {}
    if plain.rstrip(".").casefold() in MONTH_NUMBERS:
        return {"month": key.strip()}
    if "month" not in above and plain.isdecimal() and int(plain) <= 12 and isinstance(inner, dict):
        return {"month": plain}
    if "month" in above and _DAY.fullmatch(plain):
        return {"day": re.sub(r"\D", "", plain)}
    if starts_with_month(plain) or re.match(r"\d{1,2}\W", plain):
        return {"date": key.strip()}
    return {}
