"""Where timelines stand in decoded data, whatever is around them.

Every object, list and text is looked at, at any depth. A timeline is a table with a field of dates,
a list of ``[date, texts]`` pairs, an object from dates to texts, a list of texts that begin with
dates, or a text that reads as a timeline, such as a stored answer of a model. Where siblings have
timelines of one form, these are topics; of others the largest counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from chronoscore import lazy
from chronoscore.formats.timelines import field_names as names
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.field_values import flatten, is_empty_text, texts_of
from chronoscore.formats.timelines.fields import Fields
from chronoscore.formats.timelines.nested import flatten_nested
from chronoscore.formats.timelines.tables import Path, headed_lines, pairs_of, records_of
from chronoscore.formats.timelines.years import year_span

CountEntries: TypeAlias = Callable[[str], int]
"""How many dated entries a text has."""

_SHORTEST_ANSWER = 12
_NUMBERED = lazy.pattern(r"\d")


@dataclass(frozen=True, slots=True)
class Spot:
    """A timeline: its entries, what it is called, and what speaks for it.

    `rows` are flat records; `years` has the year of each where the heading above it names one, and
    `owners` the place of the value of the list that each is in, if not its own.
    """

    kind: Literal["rows", "pairs", "text"]
    path: Path
    rows: Sequence[Any] = ()
    fields: Fields | None = None
    text: str = ""
    years: Mapping[int, str] = field(default_factory=dict)
    owners: Sequence[int] = ()
    topic: str | None = None
    author: str = ""
    system: bool = False
    strength: float = 1.0
    size: int = 0

    @property
    def form(self) -> tuple[Any, ...]:
        """What timelines of several topics have in common."""
        own = self.fields
        return (self.kind, own and own.dates, own and own.texts)

    @property
    def text_names(self) -> list[str]:
        """The fields of the texts of its first record."""
        return self.fields.texts_in(self.rows[0]) if self.fields and self.rows else []

    @property
    def weight(self) -> tuple[Any, ...]:
        """What speaks for it beside others, the most important first."""
        keys = [key for key in self.path if isinstance(key, str)]
        asked = any(names.is_text_name(key, names.PROMPT) for key in keys)
        held = any(names.is_text_name(key, names.HOLDER) for key in keys)
        return (not asked, self.strength > 0, held, self.size)


@dataclass
class Finder:
    """Looks for timelines in one value; `dropped` are those that others were preferred to."""

    count_entries: CountEntries
    dropped: list[Spot] = field(default_factory=list)

    def find(self, value: Any, path: Path = ()) -> list[Spot]:
        """The timelines in a value, in its order."""
        if isinstance(value, str):
            return self._in_text(value, path)
        if not isinstance(value, list | dict):
            return []
        if not value:
            held = not path or names.is_text_name(str(path[-1]), names.HOLDER)
            return [Spot("pairs", path)] if held else []
        if (nested := flatten_nested(value)) is not None:
            return [_of_rows(nested, path)]
        if (headed := headed_lines(value)) is not None:
            return self._in_text(headed, path)
        if (pairs := pairs_of(value)) is not None:
            size = sum(len(str(text)) for _, text in pairs)
            return [Spot("pairs", path, pairs, size=size)]
        records = records_of(value)
        if isinstance(value, list):
            return self._in_list(value, records, path)
        if records is not None and (spot := _of_rows(records, path)).strength:
            return [spot]
        return self._in_object(value, path)

    def _in_text(self, text: str, path: Path) -> list[Spot]:
        """A text that reads as a timeline."""
        if len(text) < _SHORTEST_ANSWER or not _NUMBERED.search(text):
            return []
        entries = self.count_entries(text)
        if not entries:
            return []
        strength = 1.0 if entries > 1 or not path or path[-1] in names.HOLDER else 0.0
        return [Spot("text", path, text=text, strength=strength, size=len(text))]

    def _in_list(
        self, value: list[Any], records: list[dict[str, Any]] | None, path: Path
    ) -> list[Spot]:
        if all(isinstance(one, str) for one in value):
            items = [" ".join(one.split()) for one in value]
            found = self._in_text("\n".join(f"- {one}" for one in items), path)
            return [replace(one, rows=value) for one in found]
        if records is None:
            return self._inside(enumerate(value), path)
        spot = _of_rows(records, path)
        inner = self._inside_rows(records, spot, path)
        if inner:
            return inner
        if spot.strength and not self._is_stream(spot):
            return [spot]
        named = [spot] if spot.fields and spot.fields.dates else []
        return self._in_stream(records, path) or named

    def _inside_rows(self, records: Sequence[dict[str, Any]], spot: Spot, path: Path) -> list[Spot]:
        """Timelines within the records of a list, unless the records are entries themselves."""
        own = spot.fields
        if own and spot.strength:
            texts = [text for row in spot.rows[:3] for key in own.texts_in(row)
                     for text in texts_of(row.get(key))]  # fmt: skip
            whole = any(text.count("\n") > 1 and self.count_entries(text) > 1 for text in texts)
            lists = any(_has_records(value) for row in records[:3] for value in row.values())
            if not whole and not lists:
                return []
        found = [(record, self.find(record, (*path, n))) for n, record in enumerate(records)]
        spots = [one for _, inner in found for one in inner if one.strength]
        if 2 * sum(any(one.strength for one in inner) for _, inner in found) < len(found):
            return []
        if all(one.kind == "text" for one in spots) and len(spots) > 1:
            return _name_answers(records, spots, len(path))
        if spots and all(one.kind == "rows" and one.topic is None for one in spots):
            return [_join_phases(records, spots, path)]
        if all(len(record) == 1 for record in records) and len({s.kind for s in spots}) == 1:
            rows = [row for spot in spots for row in spot.rows]
            return [replace(spots[0], path=path, rows=rows, owners=_owners(spots, len(path)))]
        return spots

    def _is_stream(self, spot: Spot) -> bool:
        """Whether records are the pieces of one text, all of one day."""
        own = spot.fields
        if own is None or len(spot.rows) < 3:
            return False
        days = {str(row.get(own.dates[0].main))[:10] for row in spot.rows}
        return len(days) == 1 and bool(self._in_stream(spot.rows, spot.path))

    def _in_stream(self, records: Sequence[Mapping[str, Any]], path: Path) -> list[Spot]:
        """A text that stands in pieces, as models send it."""
        if len(records) < 3:
            return []
        pieces: dict[Path, list[str]] = {}
        for record in records:
            for place, text in _leaves(record):
                pieces.setdefault(place, []).append(text)
        joined = ["".join(texts) for texts in pieces.values() if len(texts) > 1]
        found = [text for text in joined if "\n" in text and self.count_entries(text) > 1]
        text = max(found, key=len, default="")
        return [Spot("text", (*path, 0), text=text, size=len(text))] if text else []

    def _in_object(self, value: dict[str, Any], path: Path) -> list[Spot]:
        if str(value.get("role")).casefold() in ("user", "system", "developer", "tool"):
            return []
        entry = _of_rows([value], path)
        inner = self._inside(value.items(), path)
        dated = entry.fields is not None and bool(entry.fields.dates)
        if dated and (not inner or _is_one_entry(entry, inner)):
            return [entry]
        return [_label(value, one, len(path)) for one in inner]

    def _inside(self, items: Iterable[tuple[str | int, Any]], path: Path) -> list[Spot]:
        """Timelines of siblings: topics if they have one form, else the one with most text."""
        by_key = {key: self.find(inner, (*path, key)) for key, inner in items}
        spots = [one for inner in by_key.values() for one in inner]
        if any(one.strength for one in spots):
            spots = [one for one in spots if one.strength]
        depth = len(path)
        if len({one.path[depth] for one in spots}) < 2:
            return spots
        first = max(spots, key=lambda one: one.weight)
        alike = (*first.weight[:3], first.form)
        same = [one for one in spots if (*one.weight[:3], one.form) == alike]
        if len({one.path[depth] for one in same}) < 2:
            same = [one for one in spots if one.path[depth] == first.path[depth]]
        elif isinstance(first.path[depth], str):
            same = [replace(one, topic=one.topic or str(one.path[depth])) for one in same]
        kept = {one.path for one in same}
        self.dropped.extend(one for one in spots if one.path not in kept)
        return same


def _of_rows(records: Sequence[dict[str, Any]], path: Path) -> Spot:
    rows = [flatten(record) for record in records]
    chosen = fields.choose(rows)
    keys = (*chosen.texts, *chosen.spare[:1])
    size = sum(len(text) for row in rows for key in keys for text in texts_of(row.get(key)))
    blank = any(is_empty_text(row[key], key) for row in rows[:1] for key in row)
    strength = chosen.strength if size or blank else 0.0
    return Spot("rows", path, rows, chosen, strength=strength, size=size)


def _has_records(value: Any) -> bool:
    """Whether a value holds objects or lists, which may be timelines of their own."""
    if isinstance(value, dict):
        return any(map(_has_records, value.values()))
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def _is_one_entry(entry: Spot, inner: Sequence[Spot]) -> bool:
    """Whether an object is an entry, though one of its texts might be read as a timeline."""
    return entry.strength > 0.8 and all(
        one.kind == "text" and one.text.strip().count("\n") < 2 for one in inner
    )


def _label(record: Mapping[str, Any], spot: Spot, depth: int) -> Spot:
    """A timeline with the topic and the author that the object around it names."""
    near = len(spot.path) == depth + 1
    known = ("topic", "id") if near else ("topic",)
    topic = next((record[key] for key in known if isinstance(record.get(key), str | int)), None)
    author = next((record[key] for key in names.AUTHOR if isinstance(record.get(key), str)), "")
    return replace(
        spot,
        topic=spot.topic if topic is None or spot.topic is not None else str(topic),
        author=spot.author or str(author),
        system=spot.system or isinstance(record.get("system"), str),
    )


def _name_answers(
    records: Sequence[Mapping[str, Any]], spots: Sequence[Spot], depth: int
) -> list[Spot]:
    """Answers with the topics of their records: the values of a field that all differ."""
    if any(one.topic is not None for one in spots):
        return list(spots)
    keys = [
        key
        for key in records[0]
        if all(isinstance(record.get(key), str | int) for record in records)
        and len({str(record[key]) for record in records}) == len(records)
        and all(len(str(record[key])) <= 80 for record in records)
    ]
    ranks = {key: next((n for n, word in enumerate(names.LABEL) if word in names.words_of(key)), 9)
             for key in keys}  # fmt: skip
    label = min(keys, key=ranks.__getitem__, default=None)
    if label is None:
        return list(spots)
    return [replace(one, topic=str(records[int(one.path[depth])][label])) for one in spots]


def _join_phases(records: Sequence[Mapping[str, Any]], spots: Sequence[Spot], path: Path) -> Spot:
    """Entries that stand under headings, as one timeline; a heading may name their year."""
    rows: list[Any] = []
    years: dict[int, str] = {}
    for spot in spots:
        phase = records[int(spot.path[len(path)])]
        titles = " ".join(str(one) for one in phase.values() if isinstance(one, str | int))
        year = year_span(titles)[0]
        years.update({len(rows) + n: year for n in range(len(spot.rows)) if year})
        rows.extend(spot.rows)
    chosen = fields.choose(rows)
    return Spot("rows", path, rows, chosen, years=years, owners=_owners(spots, len(path)),
                strength=chosen.strength, size=sum(one.size for one in spots),
                author=spots[0].author)  # fmt: skip


def _owners(spots: Sequence[Spot], depth: int) -> list[int]:
    return [int(spot.path[depth]) for spot in spots for _ in spot.rows]


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text in a value, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, (*path, "[]"))
