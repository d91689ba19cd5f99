"""Stories as models and people write them: Markdown without its marks, and titles."""

import re

from chronoscore.formats.timelines.answer_parts import hide_reasoning
from chronoscore.formats.timelines.html_lines import has_html, markdown_of
from chronoscore.formats.timelines.markdown_lines import (
    MarkdownLine,
    split_markdown_lines,
    strip_markdown,
)

LONGEST_TITLE = 200
_STOP = re.compile(r"[.!?…。！？:;,]\W*$")
_MARKED = re.compile(r"^(?:#{1,6} \S|\*\*\S.*\*\*\s*$|```|<think)", re.MULTILINE)


def is_markdown(text: str) -> bool:
    """Whether a text has headings, titles in bold, code fences or reasoning."""
    return bool(_MARKED.search(text))


def read_prose(text: str, *, titles: bool = True) -> tuple[str, str]:
    """The title and the text of a story in Markdown or HTML, without marks and reasoning."""
    text, _ = hide_reasoning(text)
    if has_html(text) or text.lstrip().startswith("<"):
        text = "\n".join(line for _, line in markdown_of(text))
    lines = list(split_markdown_lines(text.split("\n")))
    given = text.split("\n")
    plain = "\n".join(_plain(line, given[line.number - 1]) for line in lines).strip("\n")
    return split_title(plain) if titles else ("", plain)


def _plain(line: MarkdownLine, given: str) -> str:
    """A line without its marks; what stands in a code fence stays as it is."""
    if line.kind == "fence":
        return "\n".join(line.inside)
    if line.kind in ("rule", "blank"):
        return ""
    if line.kind == "row":
        return " – ".join(filter(None, map(strip_markdown, line.cells)))
    marked = line.kind in ("heading", "item")
    text = strip_markdown(line.text if marked else given.lstrip("> "))
    # A heading and an item of a list end where their lines end.
    return f"{text}\n" if marked else text


def split_title(text: str) -> tuple[str, str]:
    """A first line that is a title, and the rest of a text.

    A title has no full stop. A blank line follows it, or it is shorter than the lines of the
    text and the next one does not go on with a small letter, as in lines that were wrapped.
    """
    first, _, rest = text.strip("\n").partition("\n")
    line = first.strip().lstrip("#").strip()
    if not rest.strip() or not line or len(line) > LONGEST_TITLE or _STOP.search(line):
        return "", text
    following = rest.split("\n")
    apart = not following[0].strip()
    shorter = len(line) < 0.8 * max(map(len, following)) and not following[0].lstrip()[:1].islower()
    return (line, rest.strip("\n")) if apart or shorter else ("", text)
