"""HTML lists, tables and headings as lines of Markdown, each with the line it came from."""

import re
from collections.abc import Set as AbstractSet
from html.parser import HTMLParser

from chronoscore import lazy
from chronoscore.formats.timelines.field_names import DATE, find_name, is_date_name

_BLOCK = lazy.pattern(
    r"^\s*<(?:!doctype|html|body|main|section|ul|ol|li|table|tr|td|h[1-6]|p|dl|dt|dd|div|details|event|entry|item|record)\b[^<>]*>",
    re.I | re.M,
)
_RECORDS = {"li", "event", "entry", "item", "record"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_LEAVES = {"p": "", "dt": "**", "dd": ": ", "figcaption": "", "summary": "###### "}
"""Blocks whose own line ends mean nothing, and what a line of Markdown has in their place."""
_FRAMES = {
    "div", "section", "article", "dl", "ul", "ol", "table", "header", "main", "body", "html",
    "blockquote", "figure", "footer", "details",
}  # fmt: skip
_EMPHASIS = {"b": "**", "strong": "**", "i": "", "em": ""}
_WIDEST = 1000
"""Rows or columns that a cell may cover, as in browsers."""
_SKIPPED = {"script", "style", "head", "template"}
_BLOCKS = _HEADINGS | _LEAVES.keys() | _FRAMES - {"article", "details"}
_INSIDE = {
    "a", "abbr", "b", "br", "caption", "cite", "code", "col", "colgroup", "em", "hr", "i", "img",
    "li", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "tbody", "td", "tfoot",
    "th", "thead", "time", "tr", "u",
}  # fmt: skip


def is_html(root: str, tags: AbstractSet[str]) -> bool:
    """Whether an element is a block of HTML and no XML, by its name and those of all inside."""
    return root == "html" or (root in _BLOCKS and tags <= _BLOCKS | _FRAMES | _INSIDE)


def has_html(text: str) -> bool:
    """Whether blocks of a text are written in HTML: a line begins with one."""
    return bool(_BLOCK.search(text))


def markdown_of(text: str) -> list[tuple[int, str]]:
    """The lines of a text with its HTML written as Markdown, and their line numbers."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    parser.end_row()
    parser.end_line()
    return parser.lines


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = []
        self.line = ""
        self.number = 1
        self.leaf = False
        self.lists = 0
        self.skipped = 0
        self.time = ""
        self.record = ""
        """The element around an entry where it is XML rather than HTML."""
        self.row: list[str] | None = None
        self.cell: list[str] | None = None
        self.spans: dict[int, tuple[int, str]] = {}
        """Columns that a cell from above still covers: how many rows more, and its text."""
        self.rowspan = self.colspan = 1

    def end_line(self, begin: str = "") -> None:
        """Finish a line, and begin another one."""
        if self.line.strip():
            self.lines.append((self.number, self.line.rstrip()))
        self.line = begin
        self.number = self.getpos()[0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _SKIPPED:
            self.skipped += 1
        elif tag == "tr":
            self.end_row()
            self.end_line()
            self.row = []
        elif tag in ("td", "th"):
            self._end_cell()
            if self.row is None:
                self.end_line()
                self.row = []
            self._fill_spans()
            self.cell = []
            self.rowspan, self.colspan = (
                min(int(number), _WIDEST) if (number := values.get(name) or "").isdecimal() else 1
                for name in ("rowspan", "colspan")
            )
        elif tag == "br":
            self._break("<br>")
        elif tag == "time" and values.get("datetime"):
            self.time = (values["datetime"] or "")[:10]
            self._say(self.time)
        elif tag in _EMPHASIS:
            self._say(_EMPHASIS[tag])
        elif tag in _HEADINGS:
            self._begin_leaf("#" * int(tag[1]) + " ")
        elif tag in _RECORDS:
            self.record = tag if tag != "li" else ""
            self._begin_leaf("  " * max(self.lists - 1, 0) + "- ")
            name = find_name(DATE, (name for name in values if values[name]))
            if name is not None:
                self._say(f"{values[name]}: ")
        elif tag in _LEAVES and self.cell is None and not self.line.endswith("- "):
            if tag != "dd":
                self._blank_line()
            self._begin_leaf(_LEAVES[tag])
        elif tag in _FRAMES and self.cell is None:
            self.lists += tag in ("ul", "ol")
            self.leaf = False
            self._blank_line()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("tr", "table"):
            self.end_row()
        if tag in _SKIPPED:
            self.skipped = max(self.skipped - 1, 0)
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "time" and self.time:
            self.time = ""
        elif tag in _EMPHASIS:
            self._say(_EMPHASIS[tag])
        elif self.record and is_date_name(tag):
            self._say(": ")
        elif tag in _HEADINGS or tag in _RECORDS or (tag in _LEAVES and self.cell is None):
            if tag == "dt":
                term = self.line.replace("**", "").strip()
                self.line = f"**{term}**" if term else ""
            if tag != "p" or not self.line.lstrip().startswith("- "):
                self.end_line()
                self.leaf = False
        elif tag in _FRAMES and self.cell is None:
            self.lists -= tag in ("ul", "ol")
            self.leaf = False
            self._blank_line()

    def handle_data(self, data: str) -> None:
        if self.skipped or self.time:
            return
        if not data.strip() and self.lines and self.lines[-1][1].startswith("| "):
            return  # between the rows of a table
        if self.cell is not None or self.leaf:
            self._say(re.sub(r"\s+", " ", data))
            return
        first, *others = data.split("\n")
        self._say(first)
        for offset, line in enumerate(others, 1):
            self.lines.append((self.number, self.line.rstrip()))
            self.line, self.number = line, self.getpos()[0] + offset

    def end_row(self) -> None:
        """Finish a row of a table; the tags that end it and its last cell may be missing."""
        self._end_cell()
        if self.row is not None:
            self._fill_spans()
            self.line = f"| {' | '.join(self.row)} |"
            self.row = None
            self.end_line()

    def _end_cell(self) -> None:
        if self.cell is None or self.row is None:
            return
        text = " ".join("".join(self.cell).split()).replace("|", r"\|")
        for _ in range(max(self.colspan, 1)):
            if self.rowspan > 1:
                self.spans[len(self.row)] = (self.rowspan - 1, text)
            self.row.append(text)
        self.cell = None

    def _begin_leaf(self, mark: str) -> None:
        self.end_line(mark)
        self.leaf = True

    def _blank_line(self) -> None:
        self.end_line()
        self.lines.append((self.number, ""))

    def _break(self, mark: str) -> None:
        if self.cell is not None or self.line.lstrip().startswith(("- ", "#")):
            self._say(mark)
        else:
            self.end_line()

    def _say(self, text: str) -> None:
        if self.cell is not None:
            self.cell.append(text)
        else:
            self.line += text

    def _fill_spans(self) -> None:
        while self.row is not None and (span := self.spans.pop(len(self.row), None)):
            rows, text = span
            if rows > 1:
                self.spans[len(self.row)] = (rows - 1, text)
            self.row.append(text)
