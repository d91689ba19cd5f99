"""Why the workbench refuses something; only `web` knows which HTTP status that is.

RefusedError            the message is all that the visitor learns
├── InvalidError        what was sent cannot be used
├── NotFoundError       it does not exist, or the visitor may not see it
└── ConflictError       it cannot be done in the present state
    ├── ClosedError     the step is not open to this visitor, or not open any more
    └── StaleError      another tab changed the same thing first
"""

from chronoscore.errors import ChronoscoreError


class RefusedError(ChronoscoreError):
    """The workbench refuses a request."""

    exit_code = 2


class InvalidError(RefusedError):
    """What was sent cannot be used."""


class NotFoundError(RefusedError):
    """The same answer for what does not exist and for what the visitor may not see."""

    def __init__(self) -> None:
        super().__init__("there is nothing here, or it is not open to you")


class ConflictError(RefusedError):
    """It cannot be done in the present state."""


class ClosedError(ConflictError):
    """The step is not open to this visitor, or not open any more."""


class StaleError(ConflictError):
    """Another tab changed the same thing first; `current` is its state now."""

    def __init__(self, what: str, current: object) -> None:
        super().__init__(f"another tab changed {what}; open the page again")
        self.current = current
