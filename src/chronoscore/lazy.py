"""What is made when it is first used, so that importing a module costs little."""

import re
from typing import Any, cast


class _LazyPattern:
    """Stands for a compiled pattern; its first use compiles it.

    The methods are then kept as attributes of their own, which are found as fast as those of a
    pattern that was compiled before.
    """

    def __init__(self, text: str, flags: int) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update(
            (known, getattr(compiled, known)) for known in dir(compiled) if known[0] != "_"
        )
        return getattr(compiled, name)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled when it is first used.

    >>> pattern(r"(\\d+) days").fullmatch("12 days")[1]
    '12'
    """
    return cast("re.Pattern[str]", _LazyPattern(text, flags))
