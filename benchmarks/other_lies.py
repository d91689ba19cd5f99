"""Errors in other shapes than those that rules were written for, and harmless rewordings.

They are written with patterns of their own, not with the readers that look for conflicts, so that
what these cannot read is missed here as it would be missed in real life.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from chronoscore.core.texts import Entry
from chronoscore.dates.days import MONTHS, WEEKDAYS

Shape: TypeAlias = Callable[[str, random.Random], str | None]
"""Gives a sentence with an error in it, or nothing where it cannot have one."""

_FIGURES = (
    r"(?<![\w$€£.,-])\d{1,3}(?:,\d{3})+\b(?!-)|(?<![\w.,-])\d+\b(?![:,.]\d|-|st\b|nd\b|rd\b|th\b)"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
_DATED = re.compile(
    rf"{_MONTH} \d+|\d+ {_MONTH}|\b(?:in|of|since) (?:19|20)\d\d\b|\b(?:19|20)\d\d\b"
)
_ONES = [
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("twenty", "thirty", "forty", "fifty"),
]
_MEASURES = [
    *("miles", "kilometers", "feet", "barrels", "gallons", "tons", "acres"),
    *("hours", "days", "weeks", "months", "years"),
]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


def _numbers(text: str) -> list[re.Match[str]]:
    """Whole numbers in figures that are no part of a date or a name."""
    dated = [found.span() for found in _DATED.finditer(text)]
    return [
        found
        for found in re.finditer(_FIGURES, text)
        if not any(start <= found.start() < end for start, end in dated)
        and not re.search(r"[A-Z]\w* $", text[: found.start()])
    ]


def _change(compute: Callable[[int, random.Random], int]) -> Shape:
    """A number in figures made another one."""

    def shape(text: str, rng: random.Random) -> str | None:
        able = []
        for found in _numbers(text):
            value = int(found[0].replace(",", ""))
            new = compute(value, rng)
            if value > 1 and new != value:
                able.append((found, f"{new:,}" if "," in found[0] or new > 9999 else str(new)))
        if not able:
            return None
        found, new = rng.choice(able)
        return text[: found.start()] + new + text[found.end() :]

    return shape


def _swap_digits(value: int, rng: random.Random) -> int:
    """Two different neighboring digits exchanged; the first stays above zero."""
    digits = str(value)
    places = [
        n for n in range(len(digits) - 1) if digits[n] != digits[n + 1] and (n or digits[1] != "0")
    ]
    if not places:
        return value
    n = rng.choice(places)
    return int(digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :])


def _replace(pattern: str, new: Callable[[re.Match[str], random.Random], str]) -> Shape:
    """One place where a pattern fits, written anew."""
    compiled = re.compile(pattern)

    def shape(text: str, rng: random.Random) -> str | None:
        found = list(compiled.finditer(text))
        if not found:
            return None
        one = rng.choice(found)
        other = text[: one.start()] + new(one, rng) + text[one.end() :]
        return other if other != text else None

    return shape


def _other_word(words: list[str]) -> Callable[[re.Match[str], random.Random], str]:
    def other(found: re.Match[str], rng: random.Random) -> str:
        new = rng.choice([word for word in words if word != found[0].casefold()])
        return new.capitalize() if found[0][0].isupper() else new

    return other


def _other_scale(found: re.Match[str], rng: random.Random) -> str:
    scales = [word for word in ("thousand", "million", "billion") if word != found[1]]
    return found[0].replace(found[1], rng.choice(scales))


def _older(found: re.Match[str], rng: random.Random) -> str:
    value = int(found[1])
    return str(max(1, value + rng.choice((-9, -5, 4, 7, 11)))) + found[0][len(found[1]) :]


def _wider(found: re.Match[str], rng: random.Random) -> str:
    factor = rng.choice((2, 3, 10))
    low, high = (int(found[n].replace(",", "")) * factor for n in (1, 3))
    return f"{low:,}{found[2]}{high:,}"


_RANGE = r"(?<![\w.,$€£-])(\d[\d,]*)( to | and |[-–])(\d[\d,]*)\b(?=%| percent| per cent| \w)"
NUMBERS: Mapping[str, Shape] = {
    "doubled": _change(lambda value, _rng: 2 * value),
    "halved": _change(lambda value, _rng: value // 2 or value),
    "digits exchanged": _change(_swap_digits),
    "a few more": _change(lambda value, rng: value + rng.choice((1, 2, 3, 5))),
    "another scale": _replace(r"\d (thousand|million|billion)\b", _other_scale),
    "another share": _replace(
        r"(?<![\w.,-])\d+(?:\.\d+)?(?=%| ?percent| per cent)",
        lambda found, rng: f"{float(found[0]) * rng.choice((0.5, 2, 3)):g}",
    ),
    "another sum": _replace(
        r"(?<=[$€£])\d+(?:\.\d+)?(?!\d|,)",
        lambda found, rng: f"{float(found[0]) * rng.choice((0.5, 2, 10)):g}",
    ),
    "another currency": _replace(
        r"[$€£](?=\d)", lambda found, rng: rng.choice([s for s in "$€£" if s != found[0]])
    ),
    "a range": _replace(_RANGE, _wider),
    "an age": _replace(r"\b(\d\d?)-year-old\b", _older),
    "a hyphen": _replace(
        r"\b(\d+)-(?=(?!year-old)[a-z]{3})",
        lambda found, rng: f"{int(found[1]) * rng.choice((2, 3, 10))}-",
    ),
    "size alone": _replace(
        r"\b(?:dozens|hundreds|thousands|millions)\b",
        _other_word(["dozens", "hundreds", "thousands", "millions"]),
    ),
    "another measure": _replace(rf"(?<=\d )(?:{'|'.join(_MEASURES)})\b", _other_word(_MEASURES)),
    "in words": _replace(rf"\b(?:{'|'.join(_ONES)})\b(?!-)", _other_word(_ONES)),
    "an ordinal": _replace(rf"\b(?:{'|'.join(_ORDINALS[2:])})\b", _other_word(_ORDINALS)),
    "an ordinal in figures": _replace(
        r"\b(\d+)(?:st|nd|rd|th)\b(?! (?:of )?[A-Z])",
        lambda found, rng: f"{int(found[1]) + 10 * rng.choice((1, 2, 3))}{found[0][-2:]}",
    ),
}
SAME_NUMBERS: Mapping[str, Shape] = {
    "bound dropped": _replace(
        r"\b([Mm]ore than|[Oo]ver|[Aa]bout|[Aa]t least|[Nn]early|[Aa]round) (?=\d)",
        lambda _found, _rng: "",
    ),
    "bound added": _replace(
        r"(?<![\w.,$€£-])(?<!than )(?<!over )(?<!about )(?=\d\d+ [a-z]{3})",
        lambda _found, rng: rng.choice(("about ", "more than ", "at least ", "some ")),
    ),
    "percent in words": _replace(r"(?<=\d)%", lambda _found, _rng: " percent"),
    "currency behind": _replace(
        r"\$(\d+(?:\.\d+)? (?:million|billion))\b(?!-)",
        lambda found, _rng: f"{found[1]} dollars",
    ),
    "scale abbreviated": _replace(
        r"(?<=\$)(\d+(?:\.\d+)?) (million|billion)\b",
        lambda found, _rng: found[1] + {"million": "m", "billion": "bn"}[found[2]],
    ),
    "commas dropped": _replace(r"\b(\d{1,3}),(\d{3})\b", lambda found, _rng: found[1] + found[2]),
    "aged": _replace(r"\b(\d\d?)-year-old\b", lambda found, _rng: f"{found[1]} year old"),
}

_VERB = {
    "attacked": "attack", "killed": "kill", "ordered": "order", "rejected": "reject",
    "announced": "announce", "launched": "launch", "seized": "seize", "approved": "approve",
    "agreed": "agree", "arrested": "arrest", "captured": "capture", "closed": "close",
    "declared": "declare", "fired": "fire", "opened": "open", "accepted": "accept",
    "reached": "reach", "released": "release", "signed": "sign", "stopped": "stop",
    "called": "call", "used": "use", "voted": "vote", "ended": "end", "started": "start",
    "resigned": "resign", "entered": "enter", "joined": "join", "confirmed": "confirm",
    "died": "die", "vowed": "vow", "urged": "urge", "demanded": "demand", "left": "leave",
    "took": "take", "began": "begin", "fled": "flee", "met": "meet", "won": "win",
    "bombed": "bomb", "shelled": "shell", "blocked": "block", "offered": "offer",
    "imposed": "impose", "issued": "issue", "suspended": "suspend", "passed": "pass",
    "held": "hold", "made": "make", "found": "find", "gave": "give", "pledged": "pledge",
    "condemned": "condemn", "returned": "return", "withdrew": "withdraw",
}  # fmt: skip
_GERUND = {
    base: base[:-1] + "ing" if base.endswith("e") and base not in ("flee", "die") else base + "ing"
    for base in _VERB.values()
} | {"stop": "stopping", "begin": "beginning", "win": "winning", "die": "dying", "fit": "fitting"}
_OBJECT = r"(?= (?:[A-Z]|a |an |the |in |on |its |his |their |to |at |after ))"
_DONE = rf"(?<=[a-z] )({'|'.join(_VERB)}){_OBJECT}"
_BEFORE = ("was", "were", "be", "been", "is", "are", "has", "have", "had", "to", "and")
_NO_BE = "".join(f"(?<!{word} )" for word in _BEFORE)
_SIMPLE_PAST = _NO_BE + _DONE
_AUXILIARY = (
    r"(?<=[a-z] )(is|are|was|were|has|have|had|will|would|could|should)(?= [a-z]+\b)(?! not)"
)
_SHORT = {"will": "won't"}


def _deny(write: Callable[[str], str]) -> Shape:
    return _replace(_SIMPLE_PAST, lambda found, _rng: write(_VERB[found[1]]))


NEGATIONS: Mapping[str, Shape] = {
    "did not": _deny(lambda base: f"did not {base}"),
    "didn't": _deny(lambda base: f"didn't {base}"),
    "didn’t": _deny(lambda base: f"didn’t {base}"),
    "failed to": _deny(lambda base: f"failed to {base}"),
    "refused to": _deny(lambda base: f"refused to {base}"),
    "denied": _deny(lambda base: f"denied {_GERUND[base]}"),
    "never": _replace(_SIMPLE_PAST, lambda found, _rng: f"never {found[1]}"),
    "was not": _replace(_AUXILIARY, lambda found, _rng: f"{found[1]} not"),
    "wasn't": _replace(_AUXILIARY, lambda found, _rng: _SHORT.get(found[1], f"{found[1]}n't")),
    "was never": _replace(_AUXILIARY, lambda found, _rng: f"{found[1]} never"),
    "no longer": _replace(
        r"(?<=[a-z] )(is|are|was|were)(?= [a-z]+)(?! not)",
        lambda found, _rng: f"{found[1]} no longer",
    ),
    "without": _replace(
        rf"(?<=[a-z]{{3}} |[a-z]{{2}}, )({'|'.join(_GERUND.values())})(?= (?:[A-Z]|a |the |\d))",
        lambda found, _rng: f"without {found[1]}",
    ),
    "not taken out": _replace(r" (?:not|never)\b|n['’]t\b(?<!on't)(?<!an't)", lambda _f, _r: ""),
    "no taken out": _replace(r"\bno (?=[a-z]{3})(?!longer)", lambda _f, _r: ""),
    "failed to taken out": _replace(
        r"\b(?:fail(?:s|ed)|refuse[sd]) to ([a-z]+)", lambda found, _rng: f"did {found[1]}"
    ),
}
_OPPOSITES = {
    "denied": "confirmed", "accepted": "rejected", "approved": "rejected", "rose": "fell",
    "arrested": "released", "began": "ended", "opened": "closed", "entered": "left",
    "survived": "died", "supported": "opposed", "agreed": "refused", "succeeded": "failed",
    "allowed": "banned", "lifted": "imposed", "condemned": "praised", "won": "lost",
    "resumed": "suspended", "denies": "confirms", "accepts": "rejects", "approves": "rejects",
    "rises": "falls", "begins": "ends", "opens": "closes", "enters": "leaves",
    "supports": "opposes", "agrees": "refuses", "allows": "bans", "lifts": "imposes",
    "condemns": "praises", "wins": "loses", "resumes": "suspends",
}  # fmt: skip
_OPPOSITE = _OPPOSITES | {other: one for one, other in _OPPOSITES.items()}
OPPOSITES: Mapping[str, Shape] = {
    "the opposite verb": _replace(
        rf"\b(?:{'|'.join(_OPPOSITE)})\b", lambda found, _rng: _OPPOSITE[found[0]]
    ),
}
_SURNAMES = ["Bush", "Clinton", "Cameron", "Miller", "Hassan", "Petrov", "Tanaka", "Okafor"]


def _other_of(words: Sequence[str]) -> Callable[[re.Match[str], random.Random], str]:
    return lambda found, rng: rng.choice([word for word in words if word != found[0]])


NAMES: Mapping[str, Shape] = {
    "another last name": _replace(
        r"\b([A-Z][a-z]+) ([A-Z][a-z]{3,})\b(?! [A-Z])",
        lambda found, rng: f"{found[1]} {rng.choice(_SURNAMES)}",
    ),
    "another weekday": _replace(rf"\b(?:{'|'.join(WEEKDAYS)})\b", _other_of(WEEKDAYS)),
}
DATES: Mapping[str, Shape] = {
    "another month": _replace(
        rf"\b(?:{'|'.join(MONTHS)})(?= \d)|(?<=\d )(?:{'|'.join(MONTHS)})\b", _other_of(MONTHS)
    ),
    "another year": _replace(
        r"\b(?:19|20)\d\d\b(?![,.]\d)",
        lambda found, rng: str(int(found[0]) + rng.choice((-3, -2, 2, 4))),
    ),
}
_PHRASE = r"(?:(?:[Tt]he|[Aa]) )?[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)*|(?:[Tt]he|[Aa]|[Aa]n) [a-z]+"
_ACTIVE = (
    r"(?:attacked|killed|captured|arrested|accused|condemned|defeated|bombed|"
    r"shelled|criticized|seized|backed|urged|warned|blamed|supported|"
    r"invaded|sued|hit|shot|beat|elected|occupied|blocked)"
)
ROLES: Mapping[str, Shape] = {
    "made passive": _replace(
        rf"{_NO_BE}(?<=\w )({_ACTIVE})(?= (?:the|a|an|[A-Z]))",
        lambda found, _rng: f"was {found[1]} by",
    ),
    "made active": _replace(
        rf"\b(?:was|were|has been|have been) ({_ACTIVE}) by\b", lambda found, _rng: found[1]
    ),
    "exchanged": _replace(
        rf"\b({_PHRASE}) ((?:has |have |had )?[a-z]+ed) ({_PHRASE})\b",
        lambda found, _rng: f"{found[3]} {found[2]} {found[1]}",
    ),
}
SHAPES: Mapping[str, tuple[bool, Mapping[str, Shape]]] = {
    "number": (True, NUMBERS),
    "number, reworded": (False, SAME_NUMBERS),
    "negation": (True, NEGATIONS),
    "role": (True, ROLES),
    "negation, other verbs": (True, OPPOSITES),
    "name": (True, NAMES),
    "date": (True, DATES),
}
"""By what is planted: whether it makes the entry false, and the shapes."""


def plant(entry: Entry, shape: Shape, rng: random.Random) -> Entry | None:
    """The entry with one of its sentences in another shape, or nothing where none can have it."""
    sentences = list(entry.sentences)
    able = {n: new for n, text in enumerate(sentences) if (new := shape(text, rng)) is not None}
    if not able:
        return None
    place = rng.choice(list(able))
    sentences[place] = able[place]
    return replace(entry, sentences=tuple(sentences))
