"""The options of ROUGE-1.5.5.pl: taken as Perl takes them, checked as Perl does not."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

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
from chronoscore.rouge155.counting import Order
from chronoscore.text.preparation import Limit, Preparation

SWITCHES = frozenset("ahHdmsuUvx")
VALUED = frozenset("bceflnprtw23z")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MOST_RESAMPLES = 1_000_000
MOST_WORDS = 1_000
"""A longer run of words than anyone has asked for; beyond it lies a typing error."""

Options = Mapping[str, str]


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


def order_of(options: Options) -> Order:
    """Turn options into what to compute, refusing values that Perl would misread in silence."""
    units: Mapping[str, Literal["evaluation", "token", "count"]] = {
        "0": "evaluation",
        "1": "token",
        "2": "count",
    }
    _number(options, "c", 95, between=(0, 100))
    return Order(
        measures=_measures(options),
        preparation=Preparation(stem="m" in options, stop="s" in options, limit=_limit(options)),
        best=_choice(options, "f", ("A", "B")) == "B",
        alpha=_number(options, "p", 0.5, between=(0, 1)),
        unit=units[_choice(options, "t", tuple(units))],
        detailed="d" in options,
        resamples=_whole(options, "r", 1000, between=(1, MOST_RESAMPLES)),
        confidence=options.get("c", "95"),
    )


def _measures(options: Options) -> dict[str, Kind | Elements]:
    found: dict[str, Kind | Elements] = {}
    longest = _whole(options, "n", 0, between=(-MOST_WORDS, MOST_WORDS))
    for n in range(1, longest + 1):
        found[f"ROUGE-{n}"] = Grams(n)
    if "x" not in options and "3" not in options:
        found["ROUGE-L"] = Subsequence()
    if "w" in options:
        weight = _number(options, "w", 1.2, between=(0, 100))
        if weight == 0:
            raise UsageError("-w 0: a weight is above 0; 1.2 is usual")
        found[f"ROUGE-W-{options['w']}"] = WeightedSubsequence(weight)
    if "2" in options:
        gap = _whole(options, "2", 4, between=(-MOST_RESAMPLES, MOST_RESAMPLES))
        named = options["2"] if gap >= 0 else "*"
        if "u" not in options:
            found[f"ROUGE-S{named}"] = SkipGrams(gap)
        if "u" in options or "U" in options:
            found[f"ROUGE-SU{named}"] = SkipGrams(gap, unigrams=True)
    if "3" in options:
        mode = _choice(options, "3", MODES)
        found[f"ROUGE-BE-{mode}"] = Elements(mode)
    return found


def _limit(options: Options) -> Limit | None:
    if "b" in options and "l" in options:
        raise UsageError("-b and -l exclude each other; limit bytes or words")
    largest = 2**53
    if size := _whole(options, "b", 0, between=(0, largest)):
        return Limit(size, "bytes")
    if size := _whole(options, "l", 0, between=(0, largest)):
        return Limit(size, "words")
    return None


def _choice(options: Options, letter: str, known: tuple[str, ...]) -> str:
    said = options.get(letter, known[0])
    if said not in known:
        raise UsageError(f"-{letter} {said}: no such choice; {did_you_mean(said, known)}")
    return said


def _number(options: Options, letter: str, default: float, *, between: tuple[int, int]) -> float:
    said = options.get(letter)
    if said is None:
        return default
    low, high = between
    if not NUMBER.fullmatch(said) or not low <= float(said) <= high:
        raise UsageError(f"-{letter} {said}: write a number from {low:,} to {high:,}")
    return float(said)


def _whole(options: Options, letter: str, default: int, *, between: tuple[int, int]) -> int:
    number = _number(options, letter, default, between=between)
    if not float(number).is_integer():
        raise UsageError(f"-{letter} {options[letter]}: write a whole number")
    return int(number)
