"""People at a screen: what they click and type, and how long that would take them."""

from typing import Any

CLICK, LETTER, PAGE = 3.0, 0.3, 6.0
"""Seconds that a person takes to aim and click, to type a letter (40 words a minute), and to
look at a new page."""


class Person:
    """Somebody who clicks and types at a person's pace; `seconds` is what that would take."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.url = url
        self.seconds = 0.0
        self.actions = 0

    def spend(self, seconds: float, actions: int = 1) -> "Person":
        """Add what was done, and how long that takes a person."""
        self.seconds += seconds
        self.actions += actions
        return self

    def open(self, path: str) -> "Person":
        self.page.goto(self.url + path)
        return self.spend(PAGE)

    def click(self, name: str, role: str = "button", **where: Any) -> "Person":
        target = self.page.get_by_role(role, name=name, **where).first
        self.spend(CLICK + PAGE)
        with self.page.expect_navigation():
            target.click()
        return self

    def type(self, label: str, text: str) -> "Person":
        self.page.get_by_label(label).first.fill(text)
        return self.spend(CLICK + LETTER * len(text))

    def choose(self, label: str, option: str) -> "Person":
        self.page.get_by_role("combobox", name=label, exact=True).last.select_option(label=option)
        return self.spend(2 * CLICK)

    def tick(self, label: str) -> "Person":
        self.page.get_by_label(label).check()
        return self.spend(CLICK)

    def upload(self, name: str, raw: bytes, mime: str = "application/jsonl") -> "Person":
        files = {"name": name, "mimeType": mime, "buffer": raw}
        self.page.get_by_label("Files").set_input_files([files])
        return self.spend(10.0)
