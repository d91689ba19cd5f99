"""What a judgements file has said so far, and the sentences for what is wrong with it."""

from collections.abc import Container
from pathlib import Path

from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.judgements import rows as rows


class RowChecks:
    """Knows the topics and ids of a file, and names the line that is wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.topics: dict[str, rows.TopicRow] = {}
        self.seen: dict[tuple[str, str], dict[str, int]] = {}

    def where(self, number: int) -> str:
        """The place to name when a line is wrong."""
        return f"{self.path}:{number}"

    def fail(self, number: int, what: str) -> DataError:
        """An error that names the line."""
        return DataError(what, place=self.where(number))

    def unique(self, kind: str, name: str, number: int, *, topic: str = "") -> None:
        """Refuse an id that another row of the kind has, in the file or in one topic."""
        first = self.seen.setdefault((kind, topic), {}).setdefault(name, number)
        if first != number:
            raise self.fail(
                number, f"{kind} '{name}' is a duplicate of line {first}; make ids unique"
            )

    def known(self, kind: str, name: str, among: Container[str], number: int) -> None:
        """Refuse a reference to nothing."""
        if name not in among:
            raise self.fail(number, f"no {kind} '{name}' in this file; add it or fix the id")

    def take_topic(self, number: int, row: rows.TopicRow) -> None:
        """Open a topic."""
        self.unique("topic", row.id, number)
        if row.id in self.topics:
            raise self.fail(
                number, f"topic '{row.id}' comes after rows that need it; put topics first"
            )
        self.topics[row.id] = row

    def topic(self, name: str, number: int) -> str:
        """The topic that a row names, or the only one there is."""
        if name:
            self.known("topic", name, self.topics, number)
            return name
        if not self.topics:
            name = bare_name(self.path)
            self.topics[name] = rows.TopicRow(id=name)
        if len(self.topics) > 1:
            raise self.fail(
                number,
                f"the row names no topic and the file has {len(self.topics)}; add its topic",
            )
        return next(iter(self.topics))

    def span(self, number: int, start: int | None, end: int | None) -> tuple[int, int] | None:
        """A span, where there is one; it must hold something."""
        if start is None and end is None:
            return None
        if start is None or end is None or not 0 <= start < end:
            raise self.fail(
                number,
                f"a span from {start} to {end} is empty; "
                "count characters from 0, with the end after the start",
            )
        return start, end

    def time(self, number: int, value: str | float | None) -> float | None:
        """Seconds since 1970, or nothing where nothing was said."""
        try:
            return None if value is None else clock.parse_seconds(value)
        except DataError as error:
            raise error.at(self.where(number)) from None
