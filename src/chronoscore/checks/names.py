"""Names in English texts, told by their capital letters, and other names in their place."""

import random
import re
from collections.abc import Iterable, Mapping
from operator import eq
from typing import NamedTuple

from chronoscore.core import Timeline
from chronoscore.dates.days import MONTHS, WEEKDAYS
from chronoscore.lazy import pattern
from chronoscore.text import stopwords

_WORD = r"(?:[A-Z][a-z]+(?:['’](?!s\b)[A-Za-z][a-z]+|-[A-Z][a-z]+)*|[A-Z]{2,5}(?![A-Za-z]))"
_NAME = pattern(rf"(?<=[a-z,;] ){_WORD}(?: {_WORD})*\b(?!-[A-Z])")
_BEFORE = pattern(r"\b([A-Z]\w*) (?:of )?$")
_AFTER = pattern(r" (?:of )?[A-Z]")
_FOLLOWING = pattern(r" ([a-z]+)")
_CALENDAR = {*MONTHS, *WEEKDAYS, *(word[:3] for word in (*MONTHS, *WEEKDAYS)), "Sept"}
_ADJECTIVES = ("ian", "ean", "ish", "ese", "can", "ans", "qi", "eli")


class Use(NamedTuple):
    """How a name stands in a sentence; what stands in its place should be able to stand so too."""

    long: bool
    """Whether it has several words."""
    adjective: bool
    """Whether it ends like one: "Libyan" is another kind of name than "Libya"."""
    article: bool
    modifier: bool
    """Whether a word in small letters that is no function word follows, as in "BP workers"."""


def names_of(timelines: Iterable[Timeline]) -> dict[str, frozenset[Use]]:
    """The names that stand within sentences, with their uses; months and weekdays are none.

    >>> timeline = Timeline.of({"2010-05-06": "In May the cap of BP fails, Tony Hayward says."})
    >>> sorted(names_of([timeline]))
    ['BP', 'Tony Hayward']
    """
    found: dict[str, set[Use]] = {}
    for timeline in timelines:
        for sentence in timeline.sentences:
            for match in _NAME.finditer(sentence):
                name = match[0]
                if _is_name(name) and not _is_part_of_name(sentence, match.start(), match.end()):
                    found.setdefault(name, set()).add(_use(sentence, match))
    return {name: frozenset(uses) for name, uses in found.items()}


def _use(text: str, found: re.Match[str]) -> Use:
    """How a name stands in a text."""
    following = _FOLLOWING.match(text, found.end())
    return Use(
        " " in found[0],
        found[0].endswith(_ADJECTIVES),
        text[: found.start()].casefold().endswith("the "),
        following is not None and following[1] not in stopwords.SMART,
    )


def _is_name(words: str) -> bool:
    """Whether words with capital letters are no date and begin with no "The"."""
    first, *_ = parts = words.split()
    return not _CALENDAR & set(parts) and first.casefold() not in stopwords.SMART


def swap_names(text: str, names: Mapping[str, frozenset[Use]], rng: random.Random) -> str:
    """Put another name in the place of each, one that stands like it elsewhere, if any does.

    None is put there that the text has already.
    """
    there = [name for name in sorted(names, key=lambda name: (-len(name), name)) if name in text]
    if not there:
        return text
    spots = re.compile(r"\b(?:" + "|".join(map(re.escape, there)) + r")\b(?!-[A-Z])")
    words = set(re.findall(r"\w+", text))
    others = sorted(name for name in names if not words & set(re.findall(r"\w+", name)))

    def other(found: re.Match[str]) -> str:
        if not others or _is_part_of_name(text, found.start(), found.end()):
            return found[0]
        use = _use(text, found)
        alike = [max(sum(map(eq, use, one)) for one in names[name]) for name in others]
        return rng.choice([n for n, like in zip(others, alike, strict=True) if like == max(alike)])

    return spots.sub(other, text)


def _is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether another word with a capital letter goes before or after, as in "Bank of New York"."""
    before = _BEFORE.search(text, max(0, start - 40), start)
    return bool(_AFTER.match(text, end)) or (
        before is not None and before[1].casefold() not in stopwords.SMART
    )
