"""The options of ROUGE-1.5.5.pl: taken as Perl takes them, checked as Perl does not."""

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
from chronoscore.errors import UsageError, did_you_mean, warn
from chronoscore.rouge155.installation import read_rouge155_lexicon
from chronoscore.text.preparation import Limit, Preparation
from chronoscore.text.stems import Lexicon

SWITCHES = frozenset("ahHdmsuUvx")
VALUED = frozenset("bceflnprtw23z")
NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MOST_RESAMPLES = WIDEST = 1_000_000
HEAVIEST = 100_000
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
    resamples: float = 1000
    """Perl takes a fraction too: it draws once more, and the interval falls between two draws."""
    confidence: str = "95"


def parse_perl_arguments(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Take options as Perl's Getopt::Std does: before other arguments, values joined or next.

    >>> parse_perl_arguments(["-am", "-n4", "-c", "95", "settings.xml", "-x"])
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
        if argument == "--install":
            return {"install": ""}, left
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


def interpret_perl_options(letters: Letters) -> RougeOptions:
    """Turn options into what to compute, refusing values that Perl would misread in silence."""
    _number(letters, "c", 95, between=(0, 100))
    return RougeOptions(
        measures=_measures(letters),
        preparation=Preparation(
            stem="m" in letters,
            stop="s" in letters,
            limit=_limit(letters),
            lexicon=_lexicon(letters),
        ),
        best=_choice(letters, "f", ("A", "B")) == "B",
        alpha=_number(letters, "p", 0.5, between=(0, 1)),
        unit=_unit(letters),
        detailed="d" in letters,
        resamples=_resamples(letters),
        confidence=letters.get("c", "95"),
    )


def _lexicon(letters: Letters) -> Lexicon | None:
    """The word lists of the data folder, if one is named; the bundled ones else."""
    folder = letters.get("e") or os.environ.get("ROUGE_EVAL_HOME")
    if not folder:
        return None
    return read_rouge155_lexicon(Path(folder), stem="m" in letters, stop="s" in letters)


def _unit(letters: Letters) -> Literal["evaluation", "token", "count"]:
    number = _number(letters, "t", 0, between=(0, 2))
    if number == 0:
        return "evaluation"
    if number in (1, 2):
        return "token" if number == 1 else "count"
    raise UsageError(f"-t {letters['t']}: no such choice; known are 0, 1, 2")


def _resamples(letters: Letters) -> float:
    number = _number(letters, "r", 1000, between=(0, MOST_RESAMPLES))
    if number == 0:
        raise UsageError(f"-r {letters['r']}: write a number above 0")
    return number


def _measures(letters: Letters) -> dict[str, Kind | Elements]:
    found: dict[str, Kind | Elements] = {}
    longest = _number(letters, "n", 0, between=(-MOST_WORDS, MOST_WORDS))
    for n in range(1, math.floor(longest) + 1):
        found[f"ROUGE-{n}"] = Grams(n)
    if "x" not in letters and "3" not in letters:
        found["ROUGE-L"] = Subsequence()
    if "w" in letters:
        weight = _number(letters, "w", 1.2, between=(0, HEAVIEST))
        if weight == 0:
            raise UsageError("-w 0: a weight is above 0; 1.2 is usual")
        found[f"ROUGE-W-{letters['w']}"] = WeightedSubsequence(weight)
    if "2" in letters:
        gap = math.floor(_number(letters, "2", 4, between=(-WIDEST, WIDEST)))
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
    # Perl takes fractions, which nobody else is offered.
    if size := _number(letters, "b", 0, between=(0, largest)):
        return Limit(size, "bytes")  # type: ignore[arg-type]
    if size := _number(letters, "l", 0, between=(0, largest)):
        return Limit(size, "words")  # type: ignore[arg-type]
    return None


def perl_leading_number(text: str) -> float:
    """The number that a text begins with, which is what Perl takes a text for."""
    start = NUMBER.match(text)
    return float(start[0]) if start else 0.0


def _choice(letters: Letters, letter: str, known: tuple[str, ...]) -> str:
    text = letters.get(letter, known[0])
    if text not in known:
        raise UsageError(f"-{letter} {text}: no such choice; {did_you_mean(text, known)}")
    return text


def _number(letters: Letters, letter: str, default: float, *, between: tuple[int, int]) -> float:
    """Read the number that a value begins with, as Perl does, and warn of the rest."""
    text = letters.get(letter)
    if text is None:
        return default
    low, high = between
    start = NUMBER.match(text)
    if not start or not low <= float(start[0]) <= high:
        raise UsageError(f"-{letter} {text}: write a number from {low:,} to {high:,}")
    if start.end() < len(text):
        warn(f"-{letter} {text}: read as {start[0].strip()}, as Perl does", kind="number-prefix")
    number = float(start[0])
    return int(number) if number.is_integer() else number
