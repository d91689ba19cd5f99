"""Dates in labels, among words that nobody listed, and in the languages of the CLDR."""

import pytest

from chronoscore.dates import day_order, folding
from chronoscore.dates.labels import label_date, line_label
from chronoscore.dates.openings import opening_date


@pytest.mark.parametrize(
    ("label", "date"),
    [
        ("FY2020", "2020"),
        ("4Q22", "2022"),
        ("1495?", "1495"),
        ("1485 or 1486", "1485"),
        (r"$\mathbf{1905}$", "1905"),
        ("3 May 2010 (16:53 local time)", "2010-05-03"),
        ("(1988–1990)", "1988"),
        ("1910 р.", "1910"),
        ("1930-luku", "1930s"),
        ("Twelfth of November 1918", "1918-11-12"),
        ("Easter 1531", "1531-04-09"),
        ("264–241 BC", "264 BC"),
        ("民國34年10月25日", "1945-10-25"),
        ("พ.ศ. 2500", "1957"),
        ("11 XI 1918", "1918-11-11"),
        ("1944. október 15–16.", "1944-10-15"),
        ("Ngày 2 tháng 9 năm 1945", "1945-09-02"),
    ],
)
def test_a_label_names_its_date(label: str, date: str) -> None:
    found = label_date(label)
    assert found is not None
    assert str(found.when) == date


@pytest.mark.parametrize(
    "label",
    [
        "31 Foo 1905",
        "1445 AH",
        "١٤٤٥ هـ",
        "元禄15年",
        "a b c d e 1905",
        "Chapter 3 of 1990",
        "no date",
    ],
)
def test_a_label_that_says_something_else_is_not_understood(label: str) -> None:
    assert label_date(label) is None


def test_a_name_with_a_number_is_no_label_of_a_line() -> None:
    assert line_label("Windows 2000 – released") is None
    found = line_label("1846 & First demonstration")
    assert found is not None
    assert (str(found.when), found.rest) == ("1846", "First demonstration")


def test_a_word_of_a_date_behind_a_date_stays_whole() -> None:
    text = "4 березня 1906 р. — Травень прийшов"
    with folding.assume(text):
        found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest) == ("1906-03-04", "Травень прийшов")


def test_a_month_that_two_languages_name_differently_follows_the_text() -> None:
    for other, date in (("3 rujna 1990", "1990-10-05"), ("3 września 1990", "1990-11-05")):
        with folding.assume(f"{other}\n5 listopada 1990"):
            found = opening_date("5 listopada 1990")
        assert found is not None
        assert str(found.when) == date


def test_the_order_of_day_and_month_follows_the_language() -> None:
    german = "6/11/2015: Die Verhandlungen beginnen in der Stadt, und der Vertrag folgt"
    assert day_order.of_text(german) == "day"
    assert day_order.of_text("6/11/2015: The talks begin in the city and go on") is None
    assert day_order.of_text(f"{german}\n11/25/2015: Ende") == "month"
