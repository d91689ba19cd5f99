"""Quantities are read as a person reads them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.checks.spelling import LARGEST, spell
from chronoscore.text.numerals import read_numeral
from chronoscore.text.ordinals import ordinals_in
from chronoscore.text.quantities import Quantity, quantities_in
from chronoscore.text.tokens import sentences_of_tokens


def only(text: str) -> Quantity:
    (found,) = quantities_in(text)
    return found


@pytest.mark.parametrize(
    ("text", "low", "unit", "counted"),
    [
        ("40 people died", 40, "", "peopl"),
        ("Forty people died", 40, "", "peopl"),
        ("forty-two civilians died", 42, "", "civilian"),
        ("one hundred and fifty houses burned", 150, "", "hous"),
        ("two hundred and fifty thousand men left", 250_000, "", "men"),
        ("one hundred fifty-five houses burned", 155, "", "hous"),
        ("two thousand three hundred men left", 2300, "", "men"),
        ("two thousand, three hundred and four men left", 2304, "", "men"),
        ("fifteen hundred men left", 1500, "", "men"),
        ("a two-million-strong crowd", 2e6, "", "crowd"),
        ("BP paid $5.2bn", 5.2e9, "$", ""),
        ("BP paid 5.2 billion dollars", 5.2e9, "$", ""),
        ("BP zahlte 5,2 Mio. Euro an uns", 5.2e6, "€", ""),
        ("a dozen ships sank", 12, "", "ship"),
        ("half a million refugees fled", 500_000, "", "refuge"),
        ("shares fell 20 per cent", 20, "%", ""),
        ("1.250.000 Menschen flohen", 1_250_000, "", "flohen"),
    ],
)
def test_a_number_has_a_value_and_a_unit_or_a_head(
    text: str, low: float, unit: str, counted: str
) -> None:
    found = only(text)
    assert (found.low, found.unit, found.head) == (pytest.approx(low), unit, counted)


@pytest.mark.parametrize(
    "text",
    [
        "It broke on 20 April 2010.",
        "It broke at 16:53.",
        "He came in 3rd.",
        "Then Flight 370 was lost.",
        "One of the men fled.",
        "Flight 370 was lost.",
        "Flight 370 disappeared.",
        "Article 5 of the treaty was invoked.",
        "It is the twenty-first century.",
        "He was the one hundred fifth victim.",
        "About two-thirds of voters agreed.",
    ],
)
def test_dates_times_ordinals_and_names_are_no_quantities(text: str) -> None:
    assert quantities_in(text) == ()


@pytest.mark.parametrize(
    ("text", "value", "counted"),
    [
        ("He was the 87th soldier to die.", 87, ("soldier",)),
        ("It burned on the forty-second floor.", 42, ("floor",)),
        ("She had third-degree injuries.", 3, ("degre", "injuri")),
    ],
)
def test_an_ordinal_has_a_value_and_what_it_counts(
    text: str, value: float, counted: tuple[str, ...]
) -> None:
    (found,) = ordinals_in(text)
    assert (found.low, found.unit, found.counted) == (value, "th", counted)


@pytest.mark.parametrize(
    "text",
    [
        "It broke on 5th May 2010 and on the 6th of June.",
        "A third of the voters stayed at home.",
        "Two thirds agreed.",
        "At first he hesitated for a second.",
        "40 people died.",
    ],
)
def test_dates_shares_first_and_second_are_no_ordinals(text: str) -> None:
    assert ordinals_in(text) == ()


def test_a_loss_of_a_quarter_is_read_before_an_ordinal() -> None:
    assert only("It posts a $7.5 billion third-quarter loss.").low == 7.5e9


@pytest.mark.parametrize(
    ("one", "two", "agree"),
    [
        ("40 people", "40 people", True),
        ("40 people", "400 people", False),
        ("40 people", "41 people", False),
        ("at least 40 people", "45 people", True),
        ("at least 40 people", "400 people", False),
        ("up to 50 people", "45 people", True),
        ("about 40 people", "43 people", True),
        ("5,280 acres", "5,300 acres", True),
        ("between 10 and 15 tanks", "12 tanks", True),
        ("10-15 tanks", "20 tanks", False),
    ],
)
def test_numbers_agree_if_both_can_be_true(one: str, two: str, agree: bool) -> None:
    assert only(one).agrees(only(two)) is agree
    assert only(two).agrees(only(one)) is agree


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Two thousand, three of them women, fled.", [2000, 3]),
        ("Two million men and three million women fled.", [2e6, 3e6]),
        ("5 million and three ships", [5e6, 3]),
        ("Nearly 370 were lost.", [370]),
        ("In Homs 12 were killed.", [12]),
        ("Killed 40 in the raid.", [40]),
        ("A ten-second pause", [10]),
    ],
)
def test_numbers_side_by_side_and_before_verbs_stay_what_they_are(
    text: str, values: list[float]
) -> None:
    assert [one.low for one in quantities_in(text)] == values


@given(st.integers(0, LARGEST))
def test_every_spelled_number_is_read_as_one(value: int) -> None:
    words = spell(value)
    with_and = re.sub(r"hundred (?!thousand|million)", "hundred and ", words)
    for written in (words, words.replace("-", " "), with_and, words.replace(" ", "-")):
        found = read_numeral(sentences_of_tokens(f"{written} men")[0], 0)
        assert found is not None
        assert found.value == value


def test_places_are_those_of_the_text() -> None:
    text = "It rained. BP paid $5.2bn, and 11 men died."
    assert [text[one.start : one.end] for one in quantities_in(text)] == ["$5.2bn", "11"]
