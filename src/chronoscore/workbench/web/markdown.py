"""Guidelines as pages: Markdown without raw HTML, pictures or scripts."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup


@cache
def _reader() -> MarkdownIt:
    # Raw HTML is shown as text, and links to javascript: and the like are not made.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def render(text: str) -> Markup:
    """Markdown as HTML; headings go one level down, below the heading of the page."""
    tokens = _reader().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        if token.type == "inline":
            for child in token.children or ():
                if child.type == "link_open":
                    child.attrSet("rel", "noopener noreferrer")
    return Markup(_reader().renderer.render(tokens, _reader().options, {}))
