"""Markdown as a format: what it is recognized by, and what is refused without its reader.

Reading dates in all languages takes a tenth of a second to begin with. A text that names no
number, as most summaries that are looked at, can hold no timeline and is refused without it;
`markdown_documents` reads everything else.
"""

from collections.abc import Sequence
from typing import NoReturn

from chronoscore import lazy
from chronoscore.dates import numbers
from chronoscore.formats.timelines import registry
from chronoscore.formats.timelines.answer_data import find_bare_data
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline
from chronoscore.formats.timelines.format import Content, Format

_ENCLOSING = frozenset("`~[]{}<>◁▷|")
"""Marks of code, data, reasoning and tables, inside of which something else may be wrong."""

_OPENING = ("```", "~~~", "<", "[", "{", "◁")
"""How lines of code, data, markup and reasoning begin."""

_SIGNS = frozenset("年月日년월일")
"""What stands behind the numbers of East Asian dates."""

_LONGEST_LABEL = 45
_FIRST_WORDS = 4
_WORD = lazy.pattern(r"\w+")


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


def has_date_labels(content: Content) -> bool:
    """Whether dates are the labels of a document's parts, and do not only stand in sentences.

    Where too few lines begin with a number, this is known without the reader.
    """
    lines = [line.strip() for line in content.lines]
    numbered = [line for line in lines if _begins_with_number(line)]
    enclosed = any(line.startswith(_OPENING) for line in lines)
    heads = sum(len(line) < _LONGEST_LABEL for line in numbered) > 1
    if not (enclosed or heads or has_labels(lines, len(numbered))):
        return False
    from chronoscore.formats.timelines import markdown_documents

    return markdown_documents.has_date_labels(content)


def _begins_with_number(line: str) -> bool:
    """Whether a number stands among the first words of a line, as in a date that is its label."""
    start = "".join(_WORD.findall(line[:_LONGEST_LABEL])[:_FIRST_WORDS])
    return any(map(str.isdigit, start)) or not _SIGNS.isdisjoint(start)


def has_labels(lines: Sequence[str], labels: int) -> bool:
    """Whether labels are those of every second line or paragraph, whose lines may be wrapped."""
    begun = paragraphs = 0
    before = ""
    for line in lines:
        paragraphs += bool(line and not before)
        begun += bool(line and not before[-1:].isalnum())
        before = line
    return 0 < begun <= 2 * labels or (labels > 1 and paragraphs <= 2 * labels)


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
