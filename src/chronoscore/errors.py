"""What can go wrong, drawn as a tree.

ChronoscoreError            anything chronoscore refuses; str() is the whole message
├── UsageError              a wrong option, name or combination; also a ValueError; exit code 2
│   └── WrongTypeError      an argument of a type that is not accepted; also a TypeError
├── DataError               a file or value that cannot be used; also a ValueError; exit code 3
└── StoppedError            a limit that was set is reached; exit code 1

ChronoscoreWarning          the result stands, but the reader should know something

A message says where, what and what to do, in one lower-case sentence without a
full stop: ``gold/bp.txt:14: entry 2010-05-06 has no text; remove it or fill it``.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import SupportsIndex


class ChronoscoreError(Exception):
    """Anything chronoscore refuses."""

    exit_code = 1


class UsageError(ChronoscoreError, ValueError):
    """A wrong option, name or combination."""

    exit_code = 2


class WrongTypeError(UsageError, TypeError):
    """An argument of a type that is not accepted."""


class DataError(ChronoscoreError, ValueError):
    """A file or value that cannot be used."""

    exit_code = 3


class StoppedError(ChronoscoreError):
    """Work that stopped at a limit and can be taken up again."""


class ChronoscoreWarning(UserWarning):
    """The result stands, but the reader should know something."""

    details: tuple[str, ...] = ()
    """Every message, where one stands for several."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Say which known word is nearest, or list them all where none is near.

    >>> did_you_mean("algin", ["align", "concat"])
    "did you mean 'align'?"
    """
    names = sorted(set(known))
    near = get_close_matches(word, names, n=1) or get_close_matches(
        word.casefold(), [name for name in names if name.casefold() == word.casefold()], n=1
    )
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"


def describe_type(value: object) -> str:
    """Name a value's type with its article, for errors about arguments.

    >>> describe_type(7), describe_type("seven"), describe_type(None)
    ('an int', 'a str', 'None')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def check_choice(value: object, known: Iterable[str], what: str) -> str:
    """One of a few words; any other is refused, with the nearest one named."""
    words = list(known)
    if not isinstance(value, str):
        raise WrongTypeError(f"{describe_type(value)} is not a {what}; give text")
    if value not in words:
        raise UsageError(f"unknown {what} '{value}'; {did_you_mean(value, words)}")
    return value


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
