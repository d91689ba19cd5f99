"""Words in names that speak for a reference, a system, or what both were made from.

They only break ties: what files hold and how they lie counts first.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

_PIECES = re.compile(r"[^\W\d_]+")


@cache
def _words(kind: str) -> frozenset[str]:
    """The words of a kind, of `names.toml`."""
    text = Path(__file__).with_name("names.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)[kind].split())


def words_in(name: str) -> set[str]:
    """The words of a name, in lower case, alone and as a whole.

    >>> sorted(words_in("Gold_2")), sorted(words_in("ground-truth"))
    (['gold'], ['ground', 'groundtruth', 'truth'])
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    pieces = [one.casefold() for one in _PIECES.findall(spaced)]
    return {*pieces, "".join(pieces)}


def speaks_for(name: str) -> int:
    """1 if a name is that of references, -1 if of systems, 0 if it says nothing."""
    words = words_in(name)
    return bool(words & _words("references")) - bool(words & _words("systems"))


def is_source(name: str) -> bool:
    """Whether a name is that of documents, prompts and the like."""
    words = words_in(name)
    return bool(words & _words("sources")) and not words & (
        _words("references") | _words("systems")
    )
