"""On which lines of a file its decoded values are."""

from collections.abc import Callable
from typing import TypeAlias

LineOf: TypeAlias = Callable[[object, str | None], int]
"""The line of the next such value under its key; of the last known one if there is none."""


class LineFinder:
    """The texts of a document with their keys and lines, which are asked for in their order."""

    def __init__(self, line: int = 1) -> None:
        self.texts: list[tuple[str, str | None, int]] = []
        self.place = 0
        self.line = line

    def add(self, text: str, key: str | None, line: int) -> None:
        """Take the next text."""
        self.texts.append((text, key, line))

    def line_of(self, value: object, key: str | None = None) -> int:
        """See `LineOf`."""
        for place in range(self.place, len(self.texts)):
            text, name, line = self.texts[place]
            if text == value and (key is None or key == name):
                self.place, self.line = place + 1, line
                break
        return self.line
