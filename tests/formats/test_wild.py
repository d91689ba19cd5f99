"""Answers in 192 manners, each of its own, and how much of them is read.

They were written without knowledge of the reader: Markdown, prose, drawings, tables, data of every
shape, some thirty languages. Not all is read. A figure here may rise; it must not fall.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files

HERE = Path(__file__).parent
TRUTH: dict[str, list[tuple[list[str], str]]] = json.loads(
    (HERE / "wild.json").read_text(encoding="utf-8")
)
SEASONS = {"SP": 3, "SU": 6, "FA": 9, "WI": 12}


def spans(date: str) -> Iterator[When]:
    """What a date of the truth stands for; -264 is 264 BC, 2019-Q3 a quarter, 199x a decade."""
    if found := re.fullmatch(r"(\d{4})-Q([1-4])", date):
        yield When.year(int(found[1]))
    elif found := re.fullmatch(r"(\d{4})-(SP|SU|FA|WI)", date):
        yield from (When.month(int(found[1]), SEASONS[found[2]]), When.year(int(found[1])))
    elif found := re.fullmatch(r"(\d{3})x", date):
        yield When.parse(f"{found[1]}0s")
    elif found := re.fullmatch(r"(-?)(\d{1,2})xx", date):
        yield When.century(int(found[2]) + 1, bc=bool(found[1]))
    elif found := re.fullmatch(r"(-?)0*(\d+)(?:-(\d\d))?(?:-(\d\d))?", date):
        bc, parts = bool(found[1]), [int(part) for part in found.groups()[1:] if part]
        yield (When.year, When.month, When.day)[len(parts) - 1](*parts, bc=bc)
    else:
        yield When.parse(date)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def likeness(one: str, other: str) -> float:
    """F1 of the words of two texts."""
    a, b = words(one), words(other)
    return 2 * (a & b).total() / ((a + b).total() or 1)


def read(name: str) -> dict[When, str]:
    try:
        timelines = timeline_files.read(HERE / "wild" / name).timelines
    except DataError:
        return {}
    return {entry.when: " ".join(entry.sentences) for one in timelines for entry in one.timeline}


def expected(name: str) -> dict[str, tuple[set[When], str]]:
    """The entries of an answer by their first date, those of one date joined."""
    found: dict[str, tuple[set[When], str]] = {}
    for dates, text in TRUTH[name]:
        known, before = found.get(dates[0], (set(), ""))
        whens = {when for date in dates for when in spans(date)}
        found[dates[0]] = known | whens, f"{before} {text}".strip()
    return found


@pytest.mark.slow
def test_answers_of_any_manner_are_read_as_well_as_before() -> None:
    wanted, offered, found, alike = 0, 0, 0, 0.0
    for name in TRUTH:
        entries, truth = read(name), expected(name)
        wanted, offered = wanted + len(truth), offered + len(entries)
        for whens, text in truth.values():
            matches = [(likeness(text, entries[when]), when) for when in whens & entries.keys()]
            if matches:
                best, when = max(matches)
                found, alike = found + 1, alike + best
                del entries[when]
    assert 2 * found / (wanted + offered) >= FLOORS["dates"]
    assert 2 * alike / (wanted + offered) >= FLOORS["texts"]


FLOORS = {"dates": 0.985, "texts": 0.98}
"""F1 of dates and of texts."""


@pytest.mark.parametrize("name", TRUTH)
def test_every_date_of_the_truth_is_one(name: str) -> None:
    assert all(whens for whens, _ in expected(name).values())
