"""Names in English texts, told by their capital letters, and other names in their place."""

import random
import re
from collections.abc import Iterable

from chronoscore.core import Timeline
from chronoscore.dates.days import MONTHS
from chronoscore.lazy import pattern
from chronoscore.text import stopwords

_NAME = pattern(
    r"(?<=[a-z,;] )(?:[A-Z][a-z]+(?:['’-][A-Z]?[a-z]+)*|[A-Z]{2,})"
    r"(?: (?:[A-Z][a-z]+|[A-Z]{2,}))*\b"
)
_BEFORE = pattern(r"\b([A-Z]\w*) (?:of )?$")
_AFTER = pattern(r" (?:of )?[A-Z]")
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_CALENDAR = {*MONTHS, *_DAYS, *(word[:3] for word in (*MONTHS, *_DAYS)), "Sept"}
_ADJECTIVES = ("ian", "ean", "ish", "ese", "can", "ans", "qi", "eli")


def names_of(timelines: Iterable[Timeline]) -> frozenset[str]:
    """The names that stand somewhere within a sentence; months and weekdays are none.

    >>> timeline = Timeline.of({"2010-05-06": "In May the cap of BP fails, Tony Hayward says."})
    >>> sorted(names_of([timeline]))
    ['BP', 'Tony Hayward']
    """
    return frozenset(
        found[0]
        for timeline in timelines
        for sentence in timeline.sentences
        for found in _NAME.finditer(sentence)
        if _is_name(found[0]) and not _is_part_of_name(sentence, found.start(), found.end())
    )


def _is_name(words: str) -> bool:
    """Whether words with capital letters are no date and begin with no "The"."""
    first, *_ = parts = words.split()
    return not _CALENDAR & set(parts) and first.casefold() not in stopwords.SMART


def swap_names(text: str, names: frozenset[str], rng: random.Random) -> str:
    """Put another name in the place of each, rather one of its kind, and none that was there.

    "Libyan" is another kind than "Libya", and a name of one word another than one of two.
    """
    there = [name for name in sorted(names, key=lambda name: (-len(name), name)) if name in text]
    if not there:
        return text
    spots = re.compile(r"\b(?:" + "|".join(map(re.escape, there)) + r")\b")
    words = set(re.findall(r"\w+", text))
    others = sorted(name for name in names if not words & set(name.split()))

    def other(found: re.Match[str]) -> str:
        if _is_part_of_name(text, found.start(), found.end()):
            return found[0]
        alike = [name for name in others if _kind(name) == _kind(found[0])]
        return rng.choice(alike or others) if others else found[0]

    return spots.sub(other, text)


def _is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether another word with a capital letter goes before or after, as in "Bank of New York"."""
    before = _BEFORE.search(text, max(0, start - 40), start)
    return bool(_AFTER.match(text, end)) or (
        before is not None and before[1].casefold() not in stopwords.SMART
    )


def _kind(name: str) -> tuple[bool, bool]:
    """Whether a name has several words, and whether it ends like an adjective."""
    return " " in name, name.endswith(_ADJECTIVES)
