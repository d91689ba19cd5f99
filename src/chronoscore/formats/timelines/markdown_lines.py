"""Lines of Markdown by what they are: headings, list items, table rows, rules, fences, text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

LineKind: TypeAlias = Literal["blank", "heading", "item", "row", "rule", "fence", "text"]

_HEADING = re.compile(r"#{1,6}(?:\s+(?P<text>.*?))?(?:\s+#+)?\s*")
_ITEM = re.compile(
    r"(?:[-*+•◦▪‣●○■–—]|\(?\d{1,3}[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?(?P<text>.*)", re.DOTALL
)
_RULE = re.compile(r"(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}")
_TAG = re.compile(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?>")
_UNDERLINE = re.compile(r"={3,}")
_FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})\s*(?P<info>[^`]*)")
_TABLE_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_QUOTE = re.compile(r"^\s*(?:>\s?)+")
_CELLS = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """A line without its marks; a fence carries its content, a row its cells."""

    number: int
    kind: LineKind
    text: str = ""
    indent: int = 0
    cells: tuple[str, ...] = ()
    inside: tuple[str, ...] = field(default=(), repr=False)


def lines_of(lines: Sequence[str]) -> Iterator[MarkdownLine]:
    """Tell the lines apart; a fence is one line that holds what is inside."""
    place = 0
    while place < len(lines):
        number = place + 1
        quoted = _QUOTE.sub("", lines[place])
        text = quoted.strip()
        indent = len(quoted[: len(quoted) - len(quoted.lstrip())].expandtabs(4))
        if fence := _FENCE.fullmatch(text):
            end = _fence_end(lines, place + 1, fence["marks"])
            info = fence["info"].strip().casefold()
            yield MarkdownLine(number, "fence", info, indent, inside=tuple(lines[place + 1 : end]))
            place = end
        else:
            yield _line(number, text, indent, lines[place + 1] if number < len(lines) else "")
        place += 1


def cells(text: str) -> tuple[str, ...]:
    """The cells of a table row."""
    inner = text.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(cell.strip() for cell in _CELLS.split(inner))


def is_table_rule(text: str) -> bool:
    """The line of dashes under a table's heading."""
    return "|" in text and bool(_TABLE_RULE.fullmatch(text.strip()))


def _line(number: int, text: str, indent: int, following: str) -> MarkdownLine:
    if not text or _UNDERLINE.fullmatch(text) or _TAG.fullmatch(text):
        return MarkdownLine(number, "blank")
    if text.startswith("|") or ("|" in text and is_table_rule(following)) or is_table_rule(text):
        return MarkdownLine(number, "row", text, indent, cells(text))
    if _RULE.fullmatch(text):
        return MarkdownLine(number, "rule")
    if (found := _HEADING.fullmatch(text)) is not None:
        return MarkdownLine(number, "heading", found["text"] or "", indent)
    if _UNDERLINE.fullmatch(following.strip()):
        return MarkdownLine(number, "heading", text, indent)
    if found := _ITEM.fullmatch(text):
        return MarkdownLine(number, "item", found["text"].strip(), indent)
    return MarkdownLine(number, "text", text, indent)


def _fence_end(lines: Sequence[str], place: int, marks: str) -> int:
    """The line that closes a fence, or the end of the file where the writer was cut off."""
    for end in range(place, len(lines)):
        closing = lines[end].strip()
        if closing and set(closing) == {marks[0]} and len(closing) >= len(marks):
            return end
    return len(lines)
