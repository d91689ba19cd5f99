"""Dates in running text: what is found, what is left, and what is guessed."""

import pytest

from chronoscore.dates.numbers import looks_dated
from chronoscore.dates.openings import opening_date, whole_date
from chronoscore.errors import DataError

PLAIN = {
    "June 3, 2010: x": "2010-06-03",
    "2010-06-03 – x": "2010-06-03",
    "2010/6/3: x": "2010-06-03",
    "2010-06: x": "2010-06",
    "3rd of June 2010 - x": "2010-06-03",
    "Jun. 3, 2010 — x": "2010-06-03",
    "Thursday, June 3, 2010, 9:45 p.m. CDT: x": "2010-06-03",
    "2010-06-03T10:00:00Z: x": "2010-06-03",
    "2010-06-03 10:30 – x": "2010-06-03",
    "June 3, 2010 (Thursday): x": "2010-06-03",
    "Jun 3, 2010 [Thu]: x": "2010-06-03",
    "June 3, 2010, evening: x": "2010-06-03",
    "[2010-06-03] x": "2010-06-03",
    "(June 3, 2010) x": "2010-06-03",
    "25/06/2010: x": "2010-06-25",
    "6/25/2010: x": "2010-06-25",
    "2010 June 3: x": "2010-06-03",
    "June 2010: x": "2010-06",
    "2010: x": "2010",
    "the 1920s: x": "1920s",
    "19th century: x": "19th century",
    "15 March 44 BC: x": "15 March 44 BC",
    "10,000 BC: x": "10000 BC",
    "AD 79: x": "AD 79",
}
RANGES = {
    "June 3–5, 2010: x": "2010-06-03",
    "3 to 5 June 2010: x": "2010-06-03",
    "3-5 June 2010: x": "2010-06-03",
    "2010-06-03 to 2010-06-05: x": "2010-06-03",
    "2010-06-03/2010-06-05: x": "2010-06-03",
    "June 3 – July 2, 2010: x": "2010-06-03",
    "December 30 – January 2, 2011: x": "2010-12-30",
    "April 20, 2010 - April 22, 2010: x": "2010-04-20",
    "June 3 and 4, 2010 – x": "2010-06-03",
    "June 3/4, 2010: x": "2010-06-03",
    "June–July 2010: x": "2010-06",
    "Late April to early May 2010: x": "2010-04",
    "2010–2012: x": "2010",
    "2010–12: x": "2010",
    "1980s–1990s: x": "1980s",
    "May 2010 – present: x": "2010-05",
}
HEDGES = {
    "early May 2010: x": "2010-05",
    "End of May 2010: x": "2010-05",
    "Mid-2010: x": "2010",
    "c. 800 BC: x": "800 BC",
    "Around June 3, 2010: x": "2010-06-03",
    "Summer 2010: x": "2010",
    "Q2 2010: x": "2010",
    "June 3, 2010 (approx.): x": "2010-06-03",
}


@pytest.mark.parametrize(("text", "date"), PLAIN.items(), ids=PLAIN)
def test_a_plain_date_is_found_and_nothing_guessed(text: str, date: str) -> None:
    found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest, found.strong, found.guess) == (date, "x", True, "")


@pytest.mark.parametrize(("text", "date"), RANGES.items(), ids=RANGES)
def test_a_range_counts_from_its_beginning_and_says_so(text: str, date: str) -> None:
    found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest) == (date, "x")
    assert found.guess == f"date '{found.written}' is a range; its beginning, {date}, is taken"


@pytest.mark.parametrize(("text", "date"), HEDGES.items(), ids=HEDGES)
def test_a_hedged_date_is_read_as_what_it_names_and_says_so(text: str, date: str) -> None:
    found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest) == (date, "x")
    assert found.guess == f"date '{found.written}' is read as {date}"


@pytest.mark.parametrize(
    ("text", "date", "rest"),
    [
        ("June 3, 2010 – 11 people died", "2010-06-03", "11 people died"),
        ("2010 – 1,200 people died", "2010", "1,200 people died"),
        ("June 2010 – March on the capital", "2010-06", "March on the capital"),
    ],
)
def test_a_dash_before_a_number_or_month_is_no_range(text: str, date: str, rest: str) -> None:
    found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest, found.ranged) == (date, rest, False)


def test_a_number_behind_a_day_without_year_is_no_range() -> None:
    found = opening_date("June 3 – 11 workers died", "2010")
    assert found is not None
    assert (str(found.when), found.rest) == ("2010-06-03", "11 workers died")


@pytest.mark.parametrize(
    "text",
    [
        "2010 saw many floods",
        "1200 people: x",
        "May I help you?",
        "March on the capital",
        "The dam broke on June 3, 2010",
        "After the flood, x",
        "3 people: x",
        "20:30 – x",
        "",
    ],
)
def test_numbers_and_words_that_need_not_be_dates_are_none(text: str) -> None:
    assert opening_date(text, "2010") is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("In early May 2010, x", "2010-05"),
        ("On the 3rd of June 2010, x", "2010-06-03"),
        ("By June 2010, x", "2010-06"),
        ("In 2010, x", "2010"),
        ("From June 3 to July 2, 2010, x", "2010-06-03"),
    ],
)
def test_a_sentence_may_begin_with_a_date(text: str, date: str) -> None:
    found = opening_date(text)
    assert found is not None
    assert (str(found.when), found.rest, found.spoken, found.strong) == (date, "x", True, False)


def test_a_year_from_elsewhere_completes_a_date() -> None:
    found = opening_date("June 3: x", "2010")
    assert found is not None
    assert (str(found.when), found.yearless) == ("2010-06-03", True)
    assert opening_date("June: x") is None
    with pytest.raises(DataError, match="date 'June 3' has no year"):
        opening_date("June 3: x")


@pytest.mark.parametrize("text", ["June 31, 2010: x", "2010-02-30 x", "06/05/2010: x"])
def test_a_date_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        opening_date(text)


@pytest.mark.parametrize("text", ["[2010-04-20]", '"April 20, 2010"', " 20 April 2010 "])
def test_a_cell_may_wrap_its_date(text: str) -> None:
    assert str(whole_date(text).when) == "2010-04-20"


def test_a_cell_with_more_than_a_date_is_refused() -> None:
    with pytest.raises(DataError, match="is not understood"):
        whole_date("April 20, 2010: x")


def test_what_is_meant_as_a_date_has_a_figure_or_a_month() -> None:
    assert looks_dated("June")
    assert looks_dated("2010-99-99")
    assert not looks_dated("Present")
