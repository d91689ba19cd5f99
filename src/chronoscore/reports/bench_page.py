"""Cards of a shared task's board: what the task is, and who submitted what."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from chronoscore.formats.bench.submissions import Submission
from chronoscore.formats.bench.tasks import NOT_STATED, SharedTask
from chronoscore.reports.score_page.contents import FurtherCard

MOST_LINKS = 2000
"""Links to explanations of single topics; beyond, each submission has one link."""


class BoardEntry(NamedTuple):
    """A submission on the board."""

    system: str
    by: str
    signature: str
    page: str
    baseline: bool

    @classmethod
    def of(cls, submission: Submission, page: str, *, baseline: bool) -> "BoardEntry":
        """The entry of a checked submission."""
        return cls(submission.system, submission.by, submission.signature, page, baseline)


def board_cards(
    task: SharedTask, split: str, entries: Sequence[BoardEntry], topics: Sequence[str]
) -> list[FurtherCard]:
    """The task's card and the submissions with links to their explanations."""
    return [
        FurtherCard("submissions", "Submissions", _submissions(entries, topics)),
        FurtherCard("task", "The task", _task(task, split)),
    ]


def entry_card(entry: BoardEntry, board: str) -> FurtherCard:
    """What leads from a submission's page back to the board."""
    back = f'<p><a href="../{quote(board)}">Back to the board</a></p>'
    return FurtherCard("submission", "The submission", f"{back}{_details(entry, ())}")


def _submissions(entries: Sequence[BoardEntry], topics: Sequence[str]) -> str:
    """A row for each submission."""
    each = len(entries) * len(topics) <= MOST_LINKS
    rows = "".join(
        f'<li><a href="{quote(one.page)}" dir="auto"><b>{escape(one.system)}</b></a>'
        f"{_by(one)}{_details(one, topics if each else ())}</li>"
        for one in entries
    )
    told = "Every submission was scored again from its texts before it was listed."
    return f"<p>{told}</p><ul>{rows}</ul>"


def _by(entry: BoardEntry) -> str:
    """Who submitted."""
    by = "a baseline of the task" if entry.baseline else entry.by
    return f', <span dir="auto">{escape(by)}</span>' if by else ""


def _details(entry: BoardEntry, topics: Sequence[str]) -> str:
    """A link to the explanation of each topic, and the signature, folded."""
    links = " · ".join(
        f'<a href="{quote(entry.page)}#why/{quote(entry.system, safe="")}/'
        f'{quote(topic, safe="")}" dir="auto">{escape(topic)}</a>'
        for topic in topics
    )
    why = f"<p>Explanations: {links}</p>" if links else ""
    return (
        f"<details><summary>{'explanations and ' if why else ''}signature</summary>{why}"
        f"<p><code>{escape(entry.signature)}</code></p></details>"
    )


def _task(task: SharedTask, split: str) -> str:
    """What the card of the task says."""
    card = task.card
    rows = {
        "source": card.source,
        "license": card.license,
        "languages": ", ".join(card.languages) or NOT_STATED,
        "dates": " to ".join(card.dates) or NOT_STATED,
        "sizes": ", ".join(f"{name} {count:,}" for name, count in card.sizes.items()),
        "split": f"{split}, topics: {len(task.splits[split])}",
        "judged by": card.judged_by,
        "known faults": "; ".join(card.known_faults) or "none stated",
    }
    items = "".join(
        f'<li><b>{name}</b>: <span dir="auto">{escape(value)}</span></li>'
        for name, value in rows.items()
    )
    return f"<ul>{items}</ul><p>checksum <code>{task.checksum}</code></p>"
