"""JSON, JSON Lines and news-tls.

What we write is one object for a timeline, a list or lines of them for several::

    {"topic": "spill", "author": "ana", "timeline": [
        {"date": "2010-05-06", "sentences": ["A dome is lowered.", "It fails."]}]}

What we read is that and every other shape in `shapes`. news-tls has a timeline on each line, as
a list of ``[time, [sentence, …]]`` pairs::

    [["2010-05-06T00:00:00", ["A dome is lowered.", "It fails."]]]
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from chronoscore import lazy
from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.formats.io.json_values import (
    Cursor,
    cut_json,
    decode_json,
    drop_trailing_commas,
    is_balanced,
    is_json,
)
from chronoscore.formats.io.notes import quote_in_note
from chronoscore.formats.io.python_values import PythonValue, read_python_value
from chronoscore.formats.timelines import registry
from chronoscore.formats.timelines.entries import LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format, LineOf
from chronoscore.formats.timelines.shapes import read_timeline_values
from chronoscore.formats.timelines.tables import is_pair

_VALUE = lazy.pattern(r"(?P<quote>[\"'])(?P<text>.*?)(?:(?P=quote)|$)|:\s*(?P<number>\d{4})\b")


def read(content: Content) -> list[LabeledTimeline]:
    """Read one JSON value, or JSON Lines under a name that says JSON."""
    content = replace(content, text=_unwrap_stream(content.text))
    if _is_json_lines(content.text):
        return _read_lines(content)
    text = drop_trailing_commas(content.text) if content.lenient else content.text
    decode = partial(decode_json, place=content.place, first_line=content.first_line, gaps=True)
    if not is_json(text) and (value := _python_value(text)):
        return _read_python(value, content)
    try:
        value = decode(text)
    except DataError:
        source = text
        cut = cut_json(source)
        if cut is None:
            return _read_around(content)
        text, place = cut
        value = decode(text)
        rest = source[place:].strip()
        line = content.first_line + source.count("\n", 0, place)
        note = f"the JSON breaks off; what is whole counts, {quote_in_note(rest)} is dropped"
        content.note("dropped", note, line, lost=_names_date(rest))
    cursor = Cursor(text, content.first_line)
    return read_timeline_values([(value, cursor.line_of)], content)


def _names_date(rest: str) -> bool:
    """Whether JSON that breaks off has a date in it, so that an entry is lost."""
    from chronoscore.dates.openings import opening_date

    for found in _VALUE.finditer(rest):
        with suppress(DataError):
            if opening_date(found["text"] or found["number"] or "") is None:
                continue
        return True
    return False


def _unwrap_stream(text: str) -> str:
    """The values that a server has sent one by one, without the marks before them."""
    if not text.lstrip().startswith(("data:", "event:")):
        return text
    lines = (line.removeprefix("data:").strip() for line in text.split("\n"))
    return "\n".join(line if _brackets(line) and is_json(line) else "" for line in lines)


def _read_around(content: Content) -> list[LabeledTimeline]:
    """Read an answer that holds JSON among other lines; anything else is no JSON."""
    if not content.lenient and not _brackets(content.text):
        with suppress(DataError):
            return registry.find("markdown").read(content)
    decode_json(content.text, content.place, first_line=content.first_line)
    raise AssertionError


def _python_value(text: str) -> PythonValue | None:
    """A Python value at the beginning of a text that is not JSON, whole or cut off."""
    value = read_python_value(text)
    value = value._replace(json=drop_trailing_commas(value.json))
    whole = value.json != text and is_json(value.json)
    return value if whole or ("'" in text and cut_json(value.json)) else None


def _read_python(value: PythonValue, content: Content) -> list[LabeledTimeline]:
    python = "'" in content.text or "None" in content.text or "(" in content.text
    how = "as Python prints it" if python else "with comments, bare keys or spare commas"
    note = f"is written {how}; it is read as JSON"
    content.note("guessed", note, content.first_line)
    if value.rest.strip():
        line = content.first_line + content.text.count("\n", 0, -len(value.rest))
        note = f"no value: {quote_in_note(value.rest.strip())} is dropped"
        content.note("dropped", note, line)
    return read(replace(content, text=value.json))


def _read_lines(content: Content) -> list[LabeledTimeline]:
    """Read JSON Lines; entries on lines of their own belong to one timeline."""
    content = replace(content, text=_unwrap_stream(content.text))
    return read_timeline_values(_decode_lines(content), content)


def _read_newstls(content: Content) -> list[LabeledTimeline]:
    """Read news-tls; anything but lists of pairs is refused."""
    for value, line_of in _decode_lines(content):
        if not isinstance(value, list) or not all(is_pair(pair) for pair in value):
            raise DataError(
                "is not a list of [time, sentences] "
                'pairs; write [["2010-06-03T00:00:00", ["…"]], …]',
                place=f"{content.place}:{line_of(value, None)}",
            )
    return _read_lines(content)


def _is_json_lines(text: str) -> bool:
    """Whether each of several lines is a JSON value of its own; the last one may break off."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(map(is_json, lines[:-1])):
        return False
    return is_json(lines[-1]) or (_brackets(lines[-1]) and all(map(_brackets, lines)))


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """JSON for people to look at: one object, or a list of them, with an entry on each line."""
    records = [_indent(timeline) for timeline in timelines]
    if len(records) == 1:
        return f"{records[0]}\n"
    return "[\n" + ",\n".join(records) + "\n]\n" if records else "[]\n"


def _write_lines(timelines: Sequence[LabeledTimeline]) -> str:
    """JSON Lines, with a timeline on each line."""
    return "".join(f"{_dump(_record(timeline))}\n" for timeline in timelines)


def _write_newstls(timelines: Sequence[LabeledTimeline]) -> str:
    """news-tls, which itself knows only days; coarser dates are written as they are."""
    return "".join(
        f"{_dump([[_time(e.when), clean_sentences(e.sentences)] for e in labeled.timeline])}\n"
        for labeled in timelines
    )


def _decode_lines(content: Content) -> Iterator[tuple[Any, LineOf]]:
    lines = [(n, line) for n, line in enumerate(content.lines, content.first_line) if line.strip()]
    for number, line in lines:
        try:
            value = decode_json(line, content.place, first_line=number, gaps=True)
        except DataError:
            if number == lines[0][0] or number < lines[-1][0] or is_balanced(line):
                raise
            note = f"the JSON breaks off; {quote_in_note(line)} is dropped"
            content.note("dropped", note, number, lost=_names_date(line))
            return
        yield value, partial(_always, number)


def _always(line: int, _value: object, _key: str | None) -> int:
    return line


def _record(labeled: LabeledTimeline) -> dict[str, Any]:
    entries = [
        {"date": str(entry.when), "sentences": clean_sentences(entry.sentences)}
        for entry in labeled.timeline
    ]
    return labeled.names | {"timeline": entries}


def _indent(labeled: LabeledTimeline) -> str:
    record = _record(labeled)
    lines = ",\n".join(f"  {_dump(entry)}" for entry in record.pop("timeline"))
    head = "".join(f"{_dump(key)}: {_dump(value)}, " for key, value in record.items())
    return f'{{{head}"timeline": [\n{lines}\n]}}' if lines else f'{{{head}"timeline": []}}'


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _time(when: When) -> str:
    return f"{when}T00:00:00" if when.grain == "day" and when.first > 0 else str(when)


def _brackets(text: str) -> bool:
    return text.lstrip()[:1] in ("[", "{")


def _detect(text: str) -> bool:
    return _brackets(text) and is_json(text)


def _detect_lines(text: str) -> bool:
    return _brackets(text) and _is_json_lines(text)


JSON = Format("json", "JSON", ".json", read, write, _detect, several=True)
JSON_LINES = Format(
    "jsonl", "JSON Lines", ".jsonl", _read_lines, _write_lines, _detect_lines, several=True
)
NEWS_TLS = Format("newstls", "news-tls", ".jsonl", _read_newstls, _write_newstls, several=True)
