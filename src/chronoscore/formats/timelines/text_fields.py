"""Which fields of records hold texts: the longest, and the titles beside it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from chronoscore import lazy
from chronoscore.formats.timelines import field_names as names

Row: TypeAlias = Mapping[str, Any]

_LABEL = lazy.pattern(r"(?:\w+://|www\.|/|\.{1,2}/)\S+|\S+@\S+|#?[\w-]*\d[\w-]*|[A-Z\d_-]+")
"""An address, a path, an id or a code rather than a text."""
_SENTENCE = lazy.pattern(r"(?:\S+\s+){5}\S|.*[.!?。！？]\s*$", re.DOTALL)


def flatten(row: Row) -> dict[str, Any]:
    """A record with what its inner objects hold, under names such as `start.year`."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping) and value:
            found.update({f"{key}.{inner}": one for inner, one in flatten(value).items()})
        else:
            found[key] = value
    return found


def columns_of(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """The values of each field that are there; a field without any has an empty list."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            known = columns.setdefault(key, [])
            if value is not None and value != "":
                known.append(value)
    return columns


def texts_of(value: Any) -> list[str]:
    """The texts of a value: a string, a list, or what the objects of a list hold."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if not isinstance(value, list | tuple):
        return []
    inner = [flatten(one) for one in value if isinstance(one, Mapping)]
    keys, spare = choose_texts(columns_of(inner), len(inner)) if inner else ((), ())
    found: list[str] = []
    for one in value:
        if isinstance(one, Mapping):
            flat = flatten(one)
            own = [key for key in flat if key in keys] or list(spare[:1])
            found.extend(text for key in own for text in texts_of(flat.get(key)))
        else:
            found.extend(texts_of(one))
    return found


def is_empty_text(value: Any, name: str) -> bool:
    """Whether a field that is meant for a text has none, so that only the date counts."""
    empty = value is None or value == "" or value == []
    return empty and names.is_text_name(name)


def is_number_for_text(name: str, value: Any) -> bool:
    """Whether a field that is meant for a text holds something else."""
    return names.is_text_name(name) and not isinstance(value, str | list) and value is not None


def choose_texts(
    columns: Mapping[str, list[Any]], size: int, named: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of texts, and others that might be, the longest first."""
    if named:
        return named, ()
    texts = {key: own for key, values in columns.items() if (own := _texts_of_all(values))}
    lengths = {key: sum(map(len, own)) / size for key, own in texts.items()}
    plain = [key for key in texts if not _are_labels(texts[key])] or list(texts)
    plain.sort(key=lengths.__getitem__, reverse=True)
    known = [key for key in columns if names.is_text_name(key) and key in texts]
    if not known:
        return (), tuple(plain)
    titles = [key for key in known if names.is_text_name(key, names.TITLE)]
    longest = plain[0]
    if len(titles) < len(known) or longest in known or _are_sentences(texts[titles[0]]):
        return tuple(known), tuple(plain)
    if lengths[longest] > lengths[titles[0]]:
        known.append(longest)
    return tuple(known), tuple(plain)


def _texts_of_all(values: Sequence[Any]) -> list[str]:
    return [text for value in values for text in texts_of(value)]


def _are_labels(texts: Sequence[str]) -> bool:
    """Whether texts are addresses, ids or the few words of a category."""
    few = len(texts) >= 4 and len(set(texts)) <= len(texts) / 2
    return few or all(_LABEL.fullmatch(text.strip()) for text in texts)


def _are_sentences(texts: Sequence[str]) -> bool:
    """Whether most texts are sentences rather than titles."""
    return 2 * sum(_SENTENCE.match(text) is not None for text in texts) >= len(texts)
