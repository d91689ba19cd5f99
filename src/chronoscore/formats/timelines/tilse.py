"""tilse and timeline17: a date line, its sentences, a line of dashes.

::

    2010-05-06
    A dome is lowered over the leak.
    --------------------------------

The separator may have any number of dashes from three, and the last one may be missing.
"""

import re
from collections.abc import Sequence

from chronoscore.core import When
from chronoscore.dates import day_order
from chronoscore.errors import DataError
from chronoscore.formats.timelines.entries import LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format

SEPARATOR = "-" * 32

_MARKDOWN = ("#", "- ", "* ", "+ ", "|", "**", "```")
_listed = re.compile(r"\s*(?:[^\w\s\"'“”‘’„«»「『《（(\[¿¡$€£…-]|-\s|\d{1,3}[.)]\s)").match
_separates = re.compile(r"\s*-{3,}\s*").fullmatch
_plain_date = re.compile(r"\s*\d{4}-\d\d-\d\d\s*", re.ASCII).fullmatch


def read(content: Content) -> list[LabeledTimeline]:
    """Read a file; a bad date is refused.

    A date line in the middle of a block begins a new one, since the separator before it
    must have been lost.
    """
    entries = content.entries()
    when: When | None = None
    opened = 0
    sentences: list[str] = []

    def close() -> None:
        if when is not None:
            entries.add(when, sentences, opened, block=True)

    for number, line in enumerate(content.lines, content.first_line):
        if _separates(line):
            close()
            when, sentences = None, []
        elif not line.strip():
            continue
        elif when is None:
            when, opened = entries.parse_date(line.strip(), number), number
        elif _plain_date(line) or (content.order and day_order.in_figures(line.strip())):
            entries.note(
                "guessed", f"no separator before {line.strip()}; a new entry begins", number
            )
            close()
            when, opened, sentences = entries.parse_date(line.strip(), number), number, []
        else:
            sentences.append(line)
    close()
    return [LabeledTimeline(entries.timeline())]


def detect(text: str) -> bool:
    """Look for blocks between lines of dashes, most of which begin with a date alone.

    Long lines of dashes are enough where nothing looks like Markdown, so that a file whose
    dates are all wrong is refused for its dates. Where there are no lines of dashes, marks before
    texts show that it is a list.
    """
    lines = text.split("\n")
    starts: list[str] = []
    fresh, longest = True, 0
    for line in lines:
        if _separates(line):
            fresh, longest = True, max(longest, len(line.strip()))
        elif fresh and line.strip():
            starts.append(line)
            fresh = False
    dated = sum(bool(_plain_date(line)) for line in starts)
    if not longest and any(map(_listed, lines)):
        return False
    marked = any(line.lstrip().startswith(_MARKDOWN) for line in lines)
    if marked or longest < 16:
        return dated > 0 and 2 * dated >= len(starts)
    return True


def write(timelines: Sequence[LabeledTimeline]) -> str:
    """Write a timeline; a sentence that would be read as a separator or date is refused."""
    (labeled,) = timelines
    lines: list[str] = []
    for entry in labeled.timeline:
        lines.append(str(entry.when))
        for sentence in clean_sentences(entry.sentences):
            if _separates(sentence) or _plain_date(sentence):
                raise DataError(
                    f"sentence {sentence!r} of entry {entry.when} would be read as a separator or "
                    "a date; change it or write another format"
                )
            lines.append(sentence)
        lines.append(SEPARATOR)
    return "".join(f"{line}\n" for line in lines)


TILSE = Format(name="tilse", title="tilse", ending=".txt", read=read, write=write, detect=detect)
