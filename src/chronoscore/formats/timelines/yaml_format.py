"""YAML: the shapes of JSON, as language models like to write them.

::

    timeline:
      - date: "2010-05-06"
        sentences:
          - "A dome is lowered."

PyYAML reads it. All scalars stay text, since YAML's own dates know only days, and aliases are
refused, since a short text could stand for a huge one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from chronoscore import lazy
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names
from chronoscore.formats.timelines.entries import LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format, LineFinder, LineOf
from chronoscore.formats.timelines.shapes import read_timeline_values

_KEY = lazy.pattern(
    r"^[ \t]*(?:-[ \t]+)*[\"']?([^\s\"':#\[{-][^\"':\n]{0,30})[\"']?[ \t]*:(?=\s|$)", re.M
)
_UNPRINTABLE = lazy.pattern("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NOTHING = ("", "~", "null", "Null", "NULL")


def read(content: Content) -> list[LabeledTimeline]:
    """Read one or several YAML documents."""
    return read_timeline_values(decode(content), content)


def detect(text: str) -> bool:
    """Look for a key that names a date, in a text that is YAML and nothing else."""
    names = _KEY.findall(text)
    if not names or field_names.find_date_name(names) is None:
        return False
    if not text.lstrip().startswith(("-", "#")) and _KEY.match(text.lstrip()) is None:
        return False
    try:
        return all(isinstance(value, dict | list) for value, _ in decode(Content(text, "")))
    except DataError:
        return False


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """Write timelines: one as an object, several as a list of them."""
    several = len(timelines) != 1
    lines: list[str] = []
    for labeled in timelines:
        record = [f"{key}: {_quote(name)}" for key, name in labeled.names.items()]
        record.append("timeline:" if len(labeled.timeline) else "timeline: []")
        for entry in labeled.timeline:
            texts = clean_sentences(entry.sentences)
            record.append(f"  - date: {_quote(str(entry.when))}")
            record.append("    sentences:" if texts else "    sentences: []")
            record.extend(f"      - {_quote(text)}" for text in texts)
        marks = ["- ", *["  "] * len(record)] if several else [""] * len(record)
        lines.extend(mark + line for mark, line in zip(marks, record, strict=False))
    return "".join(f"{line}\n" for line in lines) or "[]\n"


def _quote(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def decode(content: Content) -> Iterator[tuple[Any, LineOf]]:
    """The values of one or several YAML documents, with the lines of their texts."""
    # PyYAML is imported only where there is YAML.
    import yaml

    try:
        for token in yaml.scan(content.text, Loader=yaml.BaseLoader):
            if isinstance(token, yaml.AliasToken):
                line = content.first_line + token.start_mark.line
                raise DataError(
                    "YAML aliases are not read; write it out", place=f"{content.place}:{line}"
                )
        for node in yaml.compose_all(content.text, Loader=yaml.BaseLoader):
            if node is not None:
                reader = _NodeReader(content)
                yield reader.value(node), reader.lines.line_of
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = content.first_line + (mark.line if mark else 0)
        problem = getattr(error, "problem", None) or "not YAML"
        raise DataError(f"{problem}; fix the YAML", place=f"{content.place}:{line}") from None
    except RecursionError:
        raise DataError(
            "is nested too deeply; flatten it", place=f"{content.place}:{content.first_line}"
        ) from None


class _NodeReader:
    """Turns nodes into values and remembers the line of each text, in order."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.lines = LineFinder(content.first_line)

    def value(self, node: Any, key: str | None = None) -> Any:
        """The value of a node; a key that occurs twice is refused, as it would lose a text."""
        line = self.content.first_line + node.start_mark.line
        if node.id == "scalar":
            self.lines.add(node.value, key, line)
            return None if node.style is None and node.value in _NOTHING else node.value
        if node.id == "sequence":
            return [self.value(item) for item in node.value]
        found: dict[str, Any] = {}
        for name_node, value_node in node.value:
            if name_node.id != "scalar":
                raise DataError(
                    "a key must be a text; fix the YAML", place=f"{self.content.place}:{line}"
                )
            name, line = name_node.value, self.content.first_line + name_node.start_mark.line
            if name in found:
                raise DataError(
                    f"key '{name}' occurs twice in one object; put its texts in a list",
                    place=f"{self.content.place}:{line}",
                )
            self.lines.add(name, None, line)
            found[name] = self.value(value_node, name)
        return found


YAML = Format("yaml", "YAML", ".yaml", read, write, detect, several=True)
