"""The options of ROUGE-1.5.5.pl: taken as Perl takes them, checked as Perl does not."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.engine.elements import MODES
from chronoscore.engine.kinds import (
    Elements,
    Grams,
    Kind,
    SkipGrams,
    Subsequence,
    WeightedSubsequence,
)
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.text.preparation import Limit, Preparation

SWITCHES = frozenset("ahHdmsuUvx")
VALUED = frozenset("bceflnprtw23z")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MOST_RESAMPLES = 1_000_000
MOST_WORDS = 1_000
"""A longer run of words than anyone has asked for; beyond it lies a typing error."""

Letters: TypeAlias = Mapping[str, str]
"""The values of the options by their letters."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RougeOptions:
    """What to compute and how to print it."""

    measures: Mapping[str, Kind | Elements]
    preparation: Preparation
    best: bool = False
    alpha: float = 0.5
    unit: Literal["evaluation", "token", "count"] = "evaluation"
    detailed: bool = False
    resamples: int = 1000
    confidence: str = "95"


def parse(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Take options as Perl's Getopt::Std does: before other arguments, values joined or next.

    >>> parse(["-am", "-n4", "-c", "95", "settings.xml", "-x"])
    ({'a': '', 'm': '', 'n': '4', 'c': '95'}, ['settings.xml', '-x'])
    """
    options: dict[str, str] = {}
    left = list(arguments)
    while left and len(left[0]) > 1 and left[0].startswith("-"):
        argument = left.pop(0)
        if argument == "--":
            break
        if argument == "--help":
            return {"h": ""}, []
        letter, joined = argument[1], argument[2:]
        if letter in VALUED:
            if not joined and not left:
                raise UsageError(f"-{letter} needs a value; rouge155 -h lists the options")
            options[letter] = joined or left.pop(0)
        elif letter in SWITCHES:
            options[letter] = ""
            if joined:
                left.insert(0, f"-{joined}")
        else:
            raise UsageError(f"unknown option -{letter}; rouge155 -h lists the options")
    return options, left


def read_options(letters: Letters) -> RougeOptions:
    """Turn options into what to compute, refusing values that Perl would misread in silence."""
    units: Mapping[str, Literal["evaluation", "token", "count"]] = {
        "0": "evaluation",
        "1": "token",
        "2": "count",
    }
    _number(letters, "c", 95, between=(0, 100))
    return RougeOptions(
        measures=_measures(letters),
        preparation=Preparation(stem="m" in letters, stop="s" in letters, limit=_limit(letters)),
        best=_choice(letters, "f", ("A", "B")) == "B",
        alpha=_number(letters, "p", 0.5, between=(0, 1)),
        unit=units[_choice(letters, "t", tuple(units))],
        detailed="d" in letters,
        resamples=_whole(letters, "r", 1000, between=(1, MOST_RESAMPLES)),
        confidence=letters.get("c", "95"),
    )


def _measures(letters: Letters) -> dict[str, Kind | Elements]:
    found: dict[str, Kind | Elements] = {}
    longest = _whole(letters, "n", 0, between=(-MOST_WORDS, MOST_WORDS))
    for n in range(1, longest + 1):
        found[f"ROUGE-{n}"] = Grams(n)
    if "x" not in letters and "3" not in letters:
        found["ROUGE-L"] = Subsequence()
    if "w" in letters:
        weight = _number(letters, "w", 1.2, between=(0, 100))
        if weight == 0:
            raise UsageError("-w 0: a weight is above 0; 1.2 is usual")
        found[f"ROUGE-W-{letters['w']}"] = WeightedSubsequence(weight)
    if "2" in letters:
        gap = _whole(letters, "2", 4, between=(-MOST_RESAMPLES, MOST_RESAMPLES))
        named = letters["2"] if gap >= 0 else "*"
        if "u" not in letters:
            found[f"ROUGE-S{named}"] = SkipGrams(gap)
        if "u" in letters or "U" in letters:
            found[f"ROUGE-SU{named}"] = SkipGrams(gap, unigrams=True)
    if "3" in letters:
        mode = _choice(letters, "3", MODES)
        found[f"ROUGE-BE-{mode}"] = Elements(mode)
    return found


def _limit(letters: Letters) -> Limit | None:
    if "b" in letters and "l" in letters:
        raise UsageError("-b and -l exclude each other; limit bytes or words")
    largest = 2**53
    if size := _whole(letters, "b", 0, between=(0, largest)):
        return Limit(size, "bytes")
    if size := _whole(letters, "l", 0, between=(0, largest)):
        return Limit(size, "words")
    return None


def _choice(letters: Letters, letter: str, known: tuple[str, ...]) -> str:
    text = letters.get(letter, known[0])
    if text not in known:
        raise UsageError(f"-{letter} {text}: no such choice; {did_you_mean(text, known)}")
    return text


def _number(letters: Letters, letter: str, default: float, *, between: tuple[int, int]) -> float:
    text = letters.get(letter)
    if text is None:
        return default
    low, high = between
    if not NUMBER.fullmatch(text) or not low <= float(text) <= high:
        raise UsageError(f"-{letter} {text}: write a number from {low:,} to {high:,}")
    return float(text)


def _whole(letters: Letters, letter: str, default: int, *, between: tuple[int, int]) -> int:
    number = _number(letters, letter, default, between=between)
    if not float(number).is_integer():
        raise UsageError(f"-{letter} {letters[letter]}: write a whole number")
    return int(number)
