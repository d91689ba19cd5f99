"""Errors of each kind, to be planted in an entry that somebody wrote."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chronoscore.core.texts import Entry
from chronoscore.text.clauses import clauses_in
from chronoscore.text.quantities import quantities_in
from chronoscore.text.verbs import PAST, THIRD, verb_forms

Topics = Mapping[str, Sequence[object]]
"""By topic: its cases."""
Lie = Callable[[Entry, Topics, str, random.Random], Entry | None]

FACTORS = (0.5, 0.7, 0.8, 1.2, 1.3, 1.5)
_FIGURES = re.compile(r"\d[\d.,]*\d|\d")
_BE = re.compile(r"\b(is|are|was|were|has|have|had|will|would|can|could|should|may|must)\b(?! not)")
_NOT = re.compile(r"\b(?:not|never) |n't\b")
_DOES = re.compile(r"(?<=[a-z] )([a-z]+)\b")
_DAY = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"( \d{1,2})\b|\b(\d{1,2} )(January|February|March|April|May|June|July|August|September|"
    r"October|November|December)\b"
)
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+)(?: [A-Z][a-z]+)*")
_CALENDAR = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"
)


def _with_sentence(entry: Entry, place: int, text: str) -> Entry:
    sentences = list(entry.sentences)
    sentences[place] = text
    return replace(entry, sentences=tuple(sentences))


def _replace(entry: Entry, chosen: tuple[int, int, int], new: str) -> Entry:
    """The entry with other characters in one place."""
    place, start, end = chosen
    text = entry.sentences[place]
    return _with_sentence(entry, place, text[:start] + new + text[end:])


def _spans(entry: Entry, pattern: re.Pattern[str]) -> list[tuple[int, int, int]]:
    return [
        (place, found.start(), found.end())
        for place, text in enumerate(entry.sentences)
        for found in pattern.finditer(text)
    ]


def change_number(entry: Entry, _topics: Topics, _topic: str, rng: random.Random) -> Entry | None:
    """A quantity × 10, or up to a half more or less."""
    found = [(n, q) for n, text in enumerate(entry.sentences) for q in quantities_in(text)]
    if not found:
        return None
    place, quantity = rng.choice(found)
    span = entry.sentences[place][quantity.start : quantity.end]
    tenfold = rng.random() < 0.5
    figures = _FIGURES.search(span)
    if figures is None:
        number = quantity.low * 10 if tenfold else quantity.low + rng.choice((1, 2, 3))
        return _replace(entry, (place, quantity.start, quantity.end), f"{number:,.0f}")
    value = float(figures[0].replace(",", "")) if figures[0].count(".") < 2 else quantity.low
    number = value * 10 if tenfold else value * rng.choice(FACTORS)
    number = round(number) if value == int(value) else round(number, 1)
    number += number == value
    written = f"{int(number):,}" if number == int(number) else str(number)
    new = span[: figures.start()] + written + span[figures.end() :]
    return _replace(entry, (place, quantity.start, quantity.end), new)


def change_date(entry: Entry, _topics: Topics, _topic: str, rng: random.Random) -> Entry | None:
    """A written date some days earlier or later."""
    found = _spans(entry, _DAY)
    if not found:
        return None
    place, start, end = rng.choice(found)
    span = entry.sentences[place][start:end]
    day = int(re.search(r"\d+", span)[0])  # type: ignore[index]
    other = rng.choice([one for one in range(1, 29) if abs(one - day) > 1])
    return _replace(entry, (place, start, end), re.sub(r"\d+", str(other), span))


def swap_name(entry: Entry, topics: Topics, topic: str, rng: random.Random) -> Entry | None:
    """A name in place of another of the same topic, which the entry does not have."""
    text = " ".join(entry.sentences)
    found = [
        (place, start, end)
        for place, start, end in _spans(entry, _NAME)
        if not _CALENDAR.match(entry.sentences[place], start)
    ]
    if not found:
        return None
    others = [name for name in _names(topics, topic) if not set(name.split()) & set(text.split())]
    return _replace(entry, rng.choice(found), rng.choice(others)) if others else None


_NAMES: dict[tuple[int, str], list[str]] = {}


def _names(topics: Topics, topic: str) -> list[str]:
    """The names that the entries of a topic have more than once."""
    key = (id(topics), topic)
    if key not in _NAMES:
        counts: dict[str, int] = {}
        for case in topics[topic]:
            for sentence in case.entry.sentences:  # type: ignore[attr-defined]
                for name in _NAME.findall(sentence):
                    counts[name] = counts.get(name, 0) + 1
        _NAMES[key] = sorted(
            name for name, count in counts.items() if count > 1 and not _CALENDAR.match(name)
        )
    return _NAMES[key]


def negate(entry: Entry, _topics: Topics, _topic: str, rng: random.Random) -> Entry | None:
    """A "not" put in or taken out."""
    denied = _spans(entry, _NOT)
    if denied and rng.random() < 0.5:
        return _replace(entry, rng.choice(denied), "")
    found: list[tuple[int, int, int, str]] = []
    for place, text in enumerate(entry.sentences):
        found += [(place, m.end(), m.end(), " not") for m in _BE.finditer(text)]
        for match in _DOES.finditer(text):
            kinds = verb_forms().get(match[1], {})
            auxiliary = text[: match.start()].split()[-1]
            if _BE.fullmatch(auxiliary) or auxiliary in ("to", "the", "a", "been", "be", "being"):
                continue
            if PAST in kinds and match[1].endswith("ed"):
                found.append((place, match.start(), match.end(), f"did not {kinds[PAST]}"))
            elif THIRD in kinds:
                found.append((place, match.start(), match.end(), f"does not {kinds[THIRD]}"))
    if not found:
        return None
    place, start, end, new = rng.choice(found)
    return _replace(entry, (place, start, end), new)


def swap_roles(entry: Entry, _topics: Topics, _topic: str, rng: random.Random) -> Entry | None:
    """Subject and object of a verb exchanged."""
    found = [
        (place, clause)
        for place, text in enumerate(entry.sentences)
        for clause in clauses_in(text)
        if clause.agent.head and clause.patient.head
        if not clause.agent.stems & clause.patient.stems
    ]
    if not found:
        return None
    place, clause = rng.choice(found)
    text = entry.sentences[place]
    one, two = sorted((clause.agent, clause.patient), key=lambda phrase: phrase.start)
    first, second = text[one.start : one.end], text[two.start : two.end]
    swapped = f"{text[: one.start]}{second}{text[one.end : two.start]}{first}{text[two.end :]}"
    return _with_sentence(entry, place, swapped)


def invent(entry: Entry, topics: Topics, topic: str, rng: random.Random) -> Entry | None:
    """The text of an entry of another topic."""
    other = rng.choice([name for name in topics if name != topic] or [topic])
    if other == topic:
        return None
    case = rng.choice(topics[other])
    return replace(entry, sentences=case.entry.sentences)  # type: ignore[attr-defined]


LIES: Mapping[str, Lie] = {
    "number": change_number,
    "date": change_date,
    "name": swap_name,
    "negation": negate,
    "role": swap_roles,
    "invented": invent,
}
