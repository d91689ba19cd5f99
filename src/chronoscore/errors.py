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


def plural(count: int, noun: str, many: str = "") -> str:
    """Write a number with its noun.

    >>> plural(1, "day"), plural(2, "day"), plural(2000, "story"), plural(2, "person", "people")
    ('1 day', '2 days', '2,000 stories', '2 people')
    """
    if not many:
        many = noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"
    return f"{count:,} {noun if count == 1 else many}"
