r"""Lines of Markdown by what they are, and the text inside a line without its marks.

>>> strip_markdown("**Crews** reach the [well](https://example.org) \\*at last\\*")
'Crews reach the well *at last*'
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates.forms import follows_day
from chronoscore.dates.tongues import fold_dates
from chronoscore.formats.timelines.markup import NOTHING

LineKind: TypeAlias = Literal["blank", "heading", "item", "row", "rule", "fence", "text"]

DEEPEST_LEVEL = 6
"""The levels of headings; a title in bold or before a colon ranks below them."""

_HEADING = lazy.pattern(
    r"(?P<marks>#{1,6})(?:\s+(?P<text>.*?))?(?:\s+#+)?\s*|(?P<wiki>={1,6})\s*(?P<title>[^=].*?)\s*(?P=wiki)"
)
_FRAMED = lazy.pattern(r"(?P<frame>[-=~*_#+])(?P=frame)+\s+(?P<title>\S.*?)\s+(?P=frame){2,}")
"""A title between signs: "--- 6 October 2022 ---"."""
_STEM = lazy.pattern(r"[|\\/:.v^\s]+")
"""A line of a drawing that holds nothing but its stem."""
_LEADER = lazy.pattern(r"\s+-[-=+o*|/\\<>~]{3,}\s+|\s*\.{4,}\s*")
"""A line or dots drawn from a date to what happened."""
_CALLOUT = lazy.pattern(r"\[!\w[\w-]*\][+-]?(?:\s+|$)")
_HASHTAGS = lazy.pattern(r"(?:(?:^|\s+)#[^\W\d][\w/-]*)+$")
_BRANCH = lazy.pattern(
    r"(?P<stem>[│|\s]*(?:[├└╰┣┗][─━-]*|(?:(?:[+`o*\\]-+|\|-{2,})[o*>+]?|[|+][-=]*[o*>])(?=\s+[\w('“])))"
    r"\s*(?P<text>[^\s─━┬┼┴┐┘┤].*)"
)
_ITEM = lazy.pattern(
    r"(?:[-*+•◦▪‣⁃●○■·–—→➤➢▶►▸▹🔹🔸]|・(?=\S)|o(?=\s+\S*\s?\d)|(?P<stars>\*{2,6})(?=\s)|\(?(?P<number>\d{1,3})[.)]|\(?[a-z]\)|[\d#*]\ufe0f?\u20e3)"
    r"(?:\s+|$|(?<=・))(?:\[[ xX]\]\s+)?"
    r"(?P<text>.*)",
    re.DOTALL,
)
_MONTH_ALONE = lazy.pattern(r"[^\W\d_]+\.?(?:\s+\d{4})?\s*[.:]?")
"""What follows the day of a date that is alone on its line: "3. Mai 2031"."""
_DEFINED = lazy.pattern(r":\s+(?P<text>\S.*)", re.DOTALL)
_BOX = str.maketrans("│┃║", "|||")
_BOX_RULE = lazy.pattern(r"[\s─━═┄┈┌┬┐├┼┤└┴┘┏┳┓┣╋┫┗┻┛╔╦╗╠╬╣╚╩╝┡╇┩╞╪╡|+=-]{3,}")
CITATION = lazy.pattern(
    r"(?<=\S)\[\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\](?![(:])|【\d+[^】]*†[^】]*】"
)
_FOOTNOTE_MARK = lazy.pattern(r"\[\^[\w-]{1,20}\](?!:)|【\d+[^】]*†[^】]*】")
_RULE = lazy.pattern(r"(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}")
_TAG = lazy.pattern(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?>")
_UNDERLINE = lazy.pattern(r"={3,}")
_FENCE = lazy.pattern(r"(?P<marks>`{3,}|~{3,})\s*(?P<info>[^`]*)")
_TABLE_RULE = lazy.pattern(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_QUOTE = lazy.pattern(r"^\s*(?:>\s?)+")
_CELLS = lazy.pattern(r"(?<!\\)\|")
_INLINE = lazy.pattern(
    r"(?=[\\`!\[&<*_~]|\s+\[)(?:"  # Most places begin nothing; this says so at once.
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|!\[[^]]*\]\([^()]*\)"
    r"|\[(?P<link>[^][]+)\]\((?:[^()]|\([^()]*\))*\)"
    r"|\[\[(?:[^][|]*\|)?(?P<page>[^][|]+)\]\]"
    r"|(?P<citation>(?:\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\](?!\()(?:,(?=\s*\[\d))?)+)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});)"
    r"|(?P<break><br\s*/?>)"
    r"|\*\*|__(?=\S)|(?<=\S)__|~~"
    r"|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w))"
)
_MARK = lazy.pattern(r"[\\`!\[&<*_~【]")
"""Every mark has one of these characters."""
_SPECIAL = lazy.pattern(r"[\\`*_\[\]<>&~|]|<br")
_BOLD = lazy.pattern(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """A line without its marks; a fence carries its content, a row its cells.

    `level` is that of a heading, 1 for `#`.
    """

    number: int
    kind: LineKind
    text: str = ""
    indent: int = 0
    level: int = 0
    cells: tuple[str, ...] = ()
    inside: tuple[str, ...] = field(default=(), repr=False)


def split_markdown_lines(lines: Sequence[str]) -> Iterator[MarkdownLine]:
    """Tell the lines apart; a fence is one line that holds what is inside."""
    place = 0
    counting = _counts_items(lines)
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
        elif lines[place] != NOTHING:
            following = lines[place + 1] if number < len(lines) else ""
            yield _line(number, text, indent, following, counting=counting)
        place += 1


def _table_cells(text: str) -> tuple[str, ...]:
    """The cells of a table row."""
    inner = text.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(cell.strip() for cell in _CELLS.split(inner))


def is_table_rule(text: str) -> bool:
    """The line of dashes under a table's heading."""
    return "|" in text and bool(_TABLE_RULE.fullmatch(text.strip()))


def _counts_items(lines: Sequence[str]) -> bool:
    """Whether numbers before a dot count items, and are not days as in "20. April 2010"."""
    marked = (_ITEM.fullmatch(line.strip()) for line in lines)
    numbers = [int(found["number"]) for found in marked if found and found["number"]]
    return (
        bool(numbers)
        and numbers[0] <= 1
        and all(after in (before + 1, 1) for before, after in pairwise(numbers))
    )


def _line(number: int, text: str, indent: int, following: str, *, counting: bool) -> MarkdownLine:
    text = _HASHTAGS.sub("", text)
    if found := _CALLOUT.match(text):
        return MarkdownLine(number, "heading", text[found.end() :], indent, DEEPEST_LEVEL)
    if text[:1].isalnum():
        text = _LEADER.sub(" – ", text, count=1)
    elif text.startswith("| ") and text.count("|") == 1:
        text = text[1:].strip()
    if not text or any(blank.fullmatch(text) for blank in (_UNDERLINE, _TAG, _STEM)):
        return MarkdownLine(number, "blank")
    if found := _BRANCH.fullmatch(text):
        depth = indent + len(found["stem"])
        return MarkdownLine(number, "item", found["text"].strip(), depth)
    return (
        _row(number, text, indent, following)
        or _title(number, text, indent, following)
        or _item(number, text, indent, counting=counting)
        or MarkdownLine(number, "text", text, indent)
    )


def _row(number: int, text: str, indent: int, following: str) -> MarkdownLine | None:
    """A row of a table, in Markdown or drawn with lines."""
    if text[0] in "│┃║":
        text = text.translate(_BOX)
    elif not text[0].isalnum() and text[0] not in "-=" and _BOX_RULE.fullmatch(text):
        return MarkdownLine(number, "row", "|-|", indent, cells=("",))
    if text.startswith("|") or ("|" in text and is_table_rule(following)) or is_table_rule(text):
        return MarkdownLine(number, "row", text, indent, cells=_table_cells(text))
    return None


def _title(number: int, text: str, indent: int, following: str) -> MarkdownLine | None:
    """A heading, or a line of dashes or the like."""
    if _RULE.fullmatch(text):
        return MarkdownLine(number, "rule")
    if (found := _HEADING.fullmatch(text)) is not None:
        level = len(found["marks"] or found["wiki"])
        title = found["text"] or found["title"] or ""
        return MarkdownLine(number, "heading", title, indent, level)
    if found := _FRAMED.fullmatch(text):
        return MarkdownLine(number, "heading", found["title"], indent, DEEPEST_LEVEL)
    if _UNDERLINE.fullmatch(following.strip()):
        return MarkdownLine(number, "heading", text, indent, 1)
    return None


def _item(number: int, text: str, indent: int, *, counting: bool) -> MarkdownLine | None:
    """An item of a list, or what defines the term above it."""
    if found := _ITEM.fullmatch(text):
        day = found["number"] and not counting and follows_day(fold_dates(found["text"]))
        if day and _MONTH_ALONE.fullmatch(found["text"]):
            return None
        indent += 2 * (len(found["stars"] or "*") - 1)
        return MarkdownLine(number, "item", text if day else found["text"].strip(), indent)
    if found := _DEFINED.fullmatch(text):
        return MarkdownLine(number, "item", found["text"], indent + 2)
    return None


def _fence_end(lines: Sequence[str], place: int, marks: str) -> int:
    """The line that closes a fence, or the end of the file where the writer was cut off."""
    for end in range(place, len(lines)):
        closing = lines[end].strip()
        if closing and set(closing) == {marks[0]} and len(closing) >= len(marks):
            return end
    return len(lines)


@lru_cache(maxsize=256)
def strip_markdown(text: str) -> str:
    """Take off emphasis, links, footnote and code marks and escapes; `<br>` ends a sentence."""
    if not _MARK.search(text):
        return text.strip()
    return _INLINE.sub(_replacement, _FOOTNOTE_MARK.sub("", text)).strip()


def escape_marks(text: str) -> str:
    """Write a text so that `strip_markdown` gives it back."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def escape_markdown_start(text: str) -> str:
    """Write the first character as an entity, so that the text opens with no mark or date."""
    return f"&#{ord(text[0])};{escape_marks(text[1:])}"


def split_markdown_emphasis(text: str) -> tuple[str, str] | None:
    """The emphasised beginning of a text and the rest, both still with their marks."""
    found = _BOLD.match(text)
    return (found[2].strip(), text[found.end() :]) if found else None


def _replacement(found: re.Match[str]) -> str:
    if found["escaped"]:
        return found["escaped"]
    if found["citation"]:
        return "" if found.start() else found["citation"]
    if found["code"]:
        return found["code"].strip()
    if found["link"] or found["page"]:
        return strip_markdown(found["link"] or found["page"])
    if found["entity"]:
        return html.unescape(found["entity"])
    return "\n" if found["break"] else ""
