"""Markdown as a format: what it is recognized by, and what is refused without its reader.

Reading dates in all languages takes a tenth of a second to begin with. A text that names no
number, as most summaries that are looked at, can hold no timeline and is refused without it;
`markdown_documents` reads everything else.
"""

from collections.abc import Sequence
from typing import NoReturn

from chronoscore.dates import numbers
from chronoscore.formats.timelines import registry
from chronoscore.formats.timelines.answer_data import find_bare_data
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline
from chronoscore.formats.timelines.format import Content, Format

_ENCLOSING = frozenset("`~[]{}<>◁▷|")
"""Marks of code, data, reasoning and tables, inside of which something else may be wrong."""


def read(content: Content) -> list[LabeledTimeline]:
    """Read a document; one without any dated entry is refused."""
    if (
        not numbers.may_date(content.text)
        and _ENCLOSING.isdisjoint(content.text)
        and find_bare_data(content.lines) is None
    ):
        refuse(content.entries())
    from chronoscore.formats.timelines import markdown_documents

    return markdown_documents.read(content)


def refuse(entries: Entries) -> NoReturn:
    """Say that there is no entry, and what would be read."""
    known = ", ".join(form.title for form in registry.built_in())
    entries.refuse(f"holds no dated entry; known formats are {known}", None, "date")


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """A list with an item for each date, and items below it where it has several sentences."""
    from chronoscore.formats.timelines import markdown_documents

    return markdown_documents.write(timelines)


MARKDOWN = Format("markdown", "Markdown", ".md", read, write, detect=lambda _text: True)
"""Detects every text as its own, so it comes last in the table."""
