"""Timelines in XML that holds records, such as a news feed.

An element becomes an object of its attributes and of the elements in it, which `spots` and
`fields` read like any other. What we write has an element for each entry::

    <timeline topic="spill">
      <entry date="2010-05-06"><sentence>A dome is lowered.</sentence></entry>
    </timeline>
"""

import re
from collections.abc import Sequence
from typing import Any

from chronoscore import lazy
from chronoscore.errors import DataError
from chronoscore.formats.io import xml
from chronoscore.formats.timelines import registry
from chronoscore.formats.timelines.entries import LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format, LineFinder
from chronoscore.formats.timelines.html_lines import is_html
from chronoscore.formats.timelines.shapes import holds_timeline, read_timeline_values

_BREAK = lazy.pattern(r"\s*\n\s*")
_START = lazy.pattern(
    r"\s*(?:<\?xml\b|<(?!!doctype\s+html|html\b|!--)[A-Za-z][\w:.-]*[\s>/])", re.IGNORECASE
)


def read(content: Content) -> list[LabeledTimeline]:
    """Read the records of a document."""
    root = xml.parse(content.text.lstrip().encode(), content.place)
    if _is_html(root):
        return registry.find("markdown").read(content)
    lines = LineFinder()
    value = _value(root, lines)
    return read_timeline_values([(value, lambda text, _key: lines.line_of(text))], content)


def detect(text: str) -> bool:
    """Look for XML, other than HTML, with records of which a field is a date."""
    if not _START.match(text) or ("</" not in text and "/>" not in text):
        return False
    try:
        root = xml.parse(text.lstrip().encode(), "")
        return not _is_html(root) and holds_timeline([_value(root, LineFinder())])
    except DataError:
        return False


def _is_html(root: xml.Node) -> bool:
    return is_html(root.tag, {node.tag for node in root.walk()})


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """Write timelines: one as an element, several inside another one."""
    lines: list[str] = []
    for labeled in timelines:
        given = (f" {key}={xml.quote(name)}" for key, name in labeled.names.items())
        lines.append(f"<timeline{''.join(given)}>")
        for entry in labeled.timeline:
            texts = clean_sentences(entry.sentences) or [""]
            inside = "".join(f"<sentence>{xml.escape(text)}</sentence>" for text in texts)
            lines.append(f'  <entry date="{entry.when}">{inside}</entry>')
        lines.append("</timeline>")
    if len(timelines) != 1:
        lines = ["<timelines>", *lines, "</timelines>"]
    return "".join(f"{line}\n" for line in lines)


def _value(node: xml.Node, lines: LineFinder) -> Any:
    """An object of attributes and elements, those of one name as a list; or a text."""
    found: dict[str, Any] = dict(node.attributes)
    for text in node.attributes.values():
        lines.add(text, None, node.line)
    several = [child.tag for child in node]
    for child in node:
        name = child.tag.rpartition(":")[2]
        value = _value(child, lines)
        # What we write has a list of entries, even of one.
        if several.count(child.tag) > 1 or (node.tag, child.tag) == ("timeline", "entry"):
            found.setdefault(name, [])
            if isinstance(found[name], list):
                found[name].append(value)
        else:
            found[name] = value
    inside = "".join(text for text in node.children if isinstance(text, str))
    own = _BREAK.sub(" ", inside).strip()
    if own:
        lines.add(own, None, node.line)
    if not found:
        return own or None
    return found | ({"text": own} if own and "text" not in found else {})


XML = Format("xml", "XML", ".xml", read, write, detect, several=True)
