"""What people call the date, the text, the topic and the author of an entry.

One list for JSON keys and for the headings of CSV columns and Markdown tables.
"""

from collections.abc import Iterable

DATE = (
    "date", "dates", "when", "day", "datetime", "time", "timestamp", "date range", "start date",
    "start", "period", "month", "year",
)  # fmt: skip
TEXT = (
    "text", "sentences", "sentence", "summary", "summaries", "event", "events", "key event",
    "key events", "description", "event description", "headline", "title", "details", "detail",
    "content", "body", "update", "development", "developments", "milestone", "what happened",
)  # fmt: skip
TOPIC = ("topic",)
AUTHOR = ("author", "system")


def fold_name(name: str) -> str:
    """A key as it is looked up: `Start_Date` is `start date`."""
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def first_of(names: tuple[str, ...], given: Iterable[str]) -> str | None:
    """The given key that comes first in our list of names, as it is written."""
    known = {fold_name(name): name for name in reversed(list(given))}
    return next((known[name] for name in names if name in known), None)


def all_of(names: tuple[str, ...], given: Iterable[str]) -> list[str]:
    """Every given key that is in our list, in the order in which they were given."""
    return [name for name in given if fold_name(name) in names]
