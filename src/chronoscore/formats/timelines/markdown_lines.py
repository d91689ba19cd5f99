r"""Lines of Markdown by what they are, and the text inside a line without its marks.

>>> plain("**Crews** reach the [well](https://example.org) \\*at last\\*")
'Crews reach the well *at last*'
"""

import html
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
_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|!\[[^]]*\]\([^()]*\)"
    r"|\[(?P<link>[^][]+)\]\((?:[^()]|\([^()]*\))*\)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});)"
    r"|(?P<break><br\s*/?>)"
    r"|\*\*|__(?=\S)|(?<=\S)__|~~"
    r"|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)"
)
_SPECIAL = re.compile(r"[\\`*_\[\]<>&~|]|<br")
_BOLD = re.compile(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")


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


def plain(text: str) -> str:
    """Take off emphasis, links, code marks and escapes; `<br>` ends a sentence."""
    return _INLINE.sub(_replacement, text).strip()


def escape_marks(text: str) -> str:
    """Write a text so that `plain` gives it back."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def hide_start(text: str) -> str:
    """Write the first character as an entity, so that the text opens with no mark or date."""
    return f"&#{ord(text[0])};{escape_marks(text[1:])}"


def bold_start(text: str) -> tuple[str, str] | None:
    """The emphasised beginning of a text and the rest, both still with their marks."""
    found = _BOLD.match(text)
    return (found[2].strip(), text[found.end() :]) if found else None


def _replacement(found: re.Match[str]) -> str:
    if found["escaped"]:
        return found["escaped"]
    if found["code"]:
        return found["code"].strip()
    if found["link"]:
        return plain(found["link"])
    if found["entity"]:
        return html.unescape(found["entity"])
    return "\n" if found["break"] else ""
