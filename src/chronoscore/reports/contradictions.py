"""Conflicts as a table, and as texts with both spans marked."""

from collections.abc import Iterable
from html import escape

from chronoscore.core import When
from chronoscore.measures.contradictions.conflicts import Conflict
from chronoscore.reports.tables import Cell, Cells, unbroken

COLUMNS = ("date", "kind", "says", "source", "of", "source says")
AROUND = 9
"""Characters of a text on either side of a span that a terminal shows, up to the end of a word."""
LONG = 2 * AROUND
"""Characters of the longest word that is shown whole for the sake of its end."""
NONE = "–"


def rows(conflicts: Iterable[Conflict]) -> list[Cells]:
    """A row for each conflict, or one that says that there is none."""
    found: list[Cells] = [
        (
            unbroken(str(one.when)),
            one.kind,
            _near(one.own.text, one.start, one.end),
            one.other.source if one.other else NONE,
            unbroken(str(one.other.when)) if one.other else NONE,
            _near(one.other.text, one.other_start, one.other_end) if one.other else NONE,
        )
        for one in conflicts
    ]
    return found or [("none found", *[NONE] * (len(COLUMNS) - 1))]


def _near(text: str, start: int, end: int) -> Cell:
    """A span with some of the words around it, and the whole text for a page."""
    end = min(end, start + 2 * AROUND)
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    # Words are not cut, unless a script does not divide them.
    before, after = text[:first].rpartition(" ")[2], text[last:].partition(" ")[0]
    first -= len(before) if len(before) <= LONG else 0
    last += len(after) if len(after) <= LONG else 0
    shown = ("…" if first else "") + text[first:last].strip() + ("…" if last < len(text) else "")
    return Cell(shown, whole=text)


def marked(conflicts: Iterable[Conflict]) -> str:
    """The conflicts as HTML: both texts beside each other, the spans marked."""
    body = "".join(_marked_row(one) for one in conflicts)
    if not body:
        return ""
    return (
        '<div class="scroll" tabindex="0"><table class="pairs"><thead><tr>'
        '<th scope="col">kind</th><th scope="col">system</th><th scope="col">source</th>'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _marked_row(one: Conflict) -> str:
    other = NONE
    if one.other:
        other = _marked_text(
            f"{one.other.when}, {one.other.source}", one.other.text, one.other_start, one.other_end
        )
    return (
        f"<tr><td>{escape(one.kind)}</td>"
        f"<td>{_marked_text(one.when, one.own.text, one.start, one.end)}</td><td>{other}</td></tr>"
    )


def _marked_text(head: When | str, text: str, start: int, end: int) -> str:
    """A text below its date, with a span marked."""
    return (
        f"<b>{escape(str(head))}</b><br>{escape(text[:start])}"
        f"<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"
    )
