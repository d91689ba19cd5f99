"""Fields beside the text of entries, such as "Location: Paris", which are no part of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from chronoscore import lazy
from chronoscore.dates.folding import fold
from chronoscore.dates.numbers import looks_dated
from chronoscore.formats.io.notes import quote_in_note
from chronoscore.formats.timelines.answer_parts import is_section_title
from chronoscore.formats.timelines.field_names import PLACE, is_date_name, is_text_name
from chronoscore.formats.timelines.format import Content
from chronoscore.formats.timelines.markdown_lines import MarkdownLine

FIELD = lazy.pattern(
    r"(?P<before>(?:^|^.*[.!?;|]\s+|^.*\())"
    r"(?P<field>[*_]*(?P<label>[^\W\d_]+(?: [^\W\d_]+)?)[*_]*[:：][*_]*\s+(?P<value>[^:：]{1,50}))$"
)
"""A label of one or two words and a short value, alone on a line or behind a sentence."""
_SEVERAL = 3


def without_fields(lines: Sequence[MarkdownLine], content: Content) -> list[MarkdownLine]:
    """The lines without fields that several entries have; what is left out is noted.

    A field is about a place or a source, or has the few values of a category.
    """
    values: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if found := FIELD.match(line.text) if line.kind in ("item", "text") else None:
            values[fold(found["label"]).casefold()].append(found["value"])
    fields = {label for label, own in values.items() if _is_field(label, own)}
    kept: list[MarkdownLine] = []
    for line in lines:
        found = FIELD.match(line.text) if line.kind in ("item", "text") else None
        if found is None or fold(found["label"]).casefold() not in fields:
            kept.append(line)
            continue
        text = f"the field {quote_in_note(found['field'].rstrip(')'))} is left out"
        content.note("dropped", text, line.number, minor=True)
        if before := found["before"].rstrip(" (|;"):
            kept.append(replace(line, text=before))
    return kept


def _is_field(label: str, values: Sequence[str]) -> bool:
    """Whether a label that several entries have is no text, no date and no month."""
    if len(values) < _SEVERAL or is_text_name(label) or is_date_name(label) or looks_dated(label):
        return False
    few = len(values) > _SEVERAL and 2 * len(set(values)) <= len(values)
    return few or is_section_title(label) or is_text_name(label, PLACE)


def protect_field(text: str) -> str:
    """Write a text so that it does not end with a field."""
    if found := FIELD.match(text):
        end = found.end("label")
        return f"{text[:end]}\\{text[end:]}" if text[end : end + 1] == ":" else text
    return text
