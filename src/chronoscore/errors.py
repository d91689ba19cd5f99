"""What can go wrong, drawn as a tree.

ChronoscoreError            anything chronoscore refuses; str() is the whole message
├── UsageError              a wrong option, name or combination; also a ValueError; exit code 2
│   └── WrongTypeError      an argument of a type that is not accepted; also a TypeError
├── DataError               a file or value that cannot be used; also a ValueError; exit code 3
└── StoppedError            a limit that was set is reached; exit code 1

ChronoscoreWarning          the result stands, but the reader should know something

A message says what was found and what to do, in one lower-case sentence without a full stop;
`place` says where: ``DataError("entry 2010-05-06 has no text; remove it or fill it",
place="gold/bp.txt:14")``. It writes a parameter as Python callers do, in backticks: `documents`,
`topics="shared"`, `resampling.times`; the command line shows its own option instead.
"""

import re
import sys
import warnings
from collections.abc import Iterable
from types import FrameType
from typing import Literal, Self, SupportsIndex, TypeAlias

Reason: TypeAlias = Literal["date", "no such date", "empty", "encoding", "json", "system"]
"""Why data cannot be used, where the code that catches the error has to know."""


_SHOWN: dict[str, str] = {}


def show_place_as(place: object, shown: object) -> None:
    """Call a temporary folder by what it was made from in every message."""
    _SHOWN[str(place)] = str(shown)


def shown_place(place: str) -> str:
    """A place as the user knows it: `gold.zip/dam.md:3`."""
    found = next((start for start in _SHOWN if place.startswith(start)), None)
    return place if found is None else _SHOWN[found] + place.removeprefix(found)


class ChronoscoreError(Exception):
    """Anything chronoscore refuses.

    `message` is the sentence without its `place`, which is a file, `file:line`, a row or a topic;
    `str(error)` is both. `reason` is set where a caller acts on it.

    >>> str(ChronoscoreError("is empty; fill it", place="gold/bp.txt"))
    'gold/bp.txt: is empty; fill it'
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        reason: Reason | None = None,
        place: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.place = None if place is None else str(place)

    def __str__(self) -> str:
        return f"{shown_place(self.place)}: {self.message}" if self.place else self.message

    def at(self, place: object) -> Self:
        """Say where, unless the error says so already."""
        self.place = self.place or str(place)
        return self


class UsageError(ChronoscoreError, ValueError):
    """A wrong option, name or combination."""

    exit_code = 2


class WrongTypeError(UsageError, TypeError):
    """An argument of a type that is not accepted."""


class DataError(ChronoscoreError, ValueError):
    """A file or value that cannot be used."""

    exit_code = 3


class StoppedError(ChronoscoreError):
    """Work that stopped at a limit and can be continued."""


class ChronoscoreWarning(UserWarning):
    """The result stands, but the reader should know something.

    Warnings of one `kind` differ only in what they are about; the command line shows one of them
    and their number. `details` has every message, where one stands for several.
    """

    def __init__(self, message: str, *, kind: str = "", details: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.details = tuple(details)


def warn(message: str, *, kind: str, details: Iterable[str] = ()) -> None:
    """Warn the user, at the line of their own code that called chronoscore."""
    show_warning(ChronoscoreWarning(message, kind=kind, details=details))


def show_warning(warning: ChronoscoreWarning) -> None:
    """Give a warning at the nearest line that is neither ours nor the standard library's."""
    frame: FrameType | None = sys._getframe(1)
    while frame and _is_inside(frame):
        frame = frame.f_back
    # In a thread of ours no line is the user's.
    names = frame.f_globals if frame else vars(sys)
    warnings.warn_explicit(
        warning,
        type(warning),
        frame.f_code.co_filename if frame else "sys",
        frame.f_lineno if frame else 1,
        module=names.get("__name__", "<string>"),
        registry=names.setdefault("__warningregistry__", {}),
    )


def _is_inside(frame: FrameType) -> bool:
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return package == __package__ or package in sys.stdlib_module_names


def did_you_mean(word: str, known: Iterable[str], listed: str = "known are") -> str:
    """Say which known word is nearest, or list them all where none is near, as `listed` says.

    >>> did_you_mean("algin", ["align", "concat"])
    "did you mean 'align'?"
    """
    from difflib import get_close_matches

    names = sorted(set(known))
    near = get_close_matches(word, names, n=1) or get_close_matches(
        word.casefold(), [name for name in names if name.casefold() == word.casefold()], n=1
    )
    if near:
        return f"did you mean '{near[0]}'?"
    return f"{listed} {', '.join(names)}" if names else "there is none yet"


def describe_type(value: object) -> str:
    """Name a value's type with its article, for errors about arguments.

    >>> describe_type(7), describe_type("seven"), describe_type(None)
    ('an int', 'a str', 'None')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def describe_error(error: BaseException) -> str:
    """An error of code that is not ours in one line; one of ours is its message.

    >>> describe_error(KeyError("dam")), describe_error(UsageError("no such system"))
    ("KeyError: 'dam'", 'no such system')
    """
    text = " ".join(f"{error}".split())[:200]
    if isinstance(error, ChronoscoreError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def check_choice(value: object, known: Iterable[str], what: str) -> str:
    """One of a few words; any other is refused, with the nearest one named."""
    words = list(known)
    if not isinstance(value, str):
        raise WrongTypeError(f"{describe_type(value)} is not a {what}; give text")
    if value not in words:
        raise UsageError(f"unknown {what} '{value}'; {did_you_mean(value, words)}")
    return value


def check_text(name: str, value: object) -> None:
    """Refuse anything but text, or None."""
    if value is not None and not isinstance(value, str):
        raise WrongTypeError(f"{name}: {describe_type(value)} is not text; give a name")


CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that a name may hold, and a line must not."""


def on_one_line(text: str) -> str:
    r"""Text whose names can neither break its line nor steer a terminal.

    >>> on_one_line("a\nb.txt: no such file")
    'a\\nb.txt: no such file'
    """
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def check_whole(value: object, what: str, *, least: int = 1) -> int:
    """An integer that is large enough; anything else is refused, True and 2.0 too."""
    if isinstance(value, bool) or not isinstance(value, int):
        foreign = isinstance(value, SupportsIndex) and not isinstance(value, bool)
        advice = "; convert it with int()" if foreign else ""
        raise WrongTypeError(f"{what} {value!r}: must be an integer{advice}")
    if value < least:
        raise UsageError(f"{what} {value}: write {least} or more")
    return value


def check_level(level: object) -> float:
    """A confidence level, which lies between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, int | float):
        raise WrongTypeError(f"level {level!r}: must be a number between 0 and 1")
    if not 0 < level < 1:
        raise UsageError(f"level {level:g}: must be between 0 and 1, such as 0.95")
    return float(level)


def number_with_noun(count: int, noun: str, many: str = "") -> str:
    """Write a number with its noun.

    >>> number_with_noun(1, "day"), number_with_noun(2000, "story")
    ('1 day', '2,000 stories')
    >>> number_with_noun(2, "person", "people")
    '2 people'
    """
    if not many:
        many = noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"
    return f"{count:,} {noun if count == 1 else many}"
