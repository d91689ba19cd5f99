"""Quantities are read as a person reads them."""

import pytest

from chronoscore.text.quantities import Quantity, quantities_in


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
    ],
)
def test_dates_times_ordinals_and_names_are_no_quantities(text: str) -> None:
    assert quantities_in(text) == ()


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


def test_places_are_those_of_the_text() -> None:
    text = "It rained. BP paid $5.2bn, and 11 men died."
    assert [text[one.start : one.end] for one in quantities_in(text)] == ["$5.2bn", "11"]
