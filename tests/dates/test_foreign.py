"""Dates in running text of other languages."""

import pytest

from chronoscore.core import When
from chronoscore.dates.finder import dates_in

TEXTS = {
    "Am 11. März 2011 bebte die Erde.": ["2011-03-11"],
    "Le 1er mai 2010, la digue céda ; en juin 2010 on reconstruisit.": ["2010-05-01", "2010-06"],
    "La presa se rompió el 3 de mayo de 2010.": ["2010-05-03"],
    "A barragem rompeu-se em 7 de março de 2010.": ["2010-03-07"],
    "La diga crollò il 2 giugno 2010.": ["2010-06-02"],
    "De dam brak op 3 mei 2010.": ["2010-05-03"],
    "24 февраля 2022 года плотина рухнула.": ["2022-02-24"],
    "انهار السد في ٢٥ يناير ٢٠١١.": ["2011-01-25"],
    "2011年3月11日，大坝溃决。3月12日，居民撤离。": ["2011-03-11", "2011-03-12"],
    "平成23年3月11日にダムが決壊した。": ["2011-03-11"],
    "2014년 4월 16일 댐이 무너졌다.": ["2014-04-16"],
}


@pytest.mark.parametrize(("text", "dates"), TEXTS.items(), ids=TEXTS)
def test_dates_of_other_languages_are_found_in_running_text(text: str, dates: list[str]) -> None:
    assert [str(mention.when) for mention in dates_in(text)] == dates


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The rover Mars 2020 landed in 2021.", ["2020", "2021"]),
        ("She set 10 records in May 2010.", ["2010-05"]),
        ("On 3 May 2010 the dam broke.", ["2010-05-03"]),
    ],
)
def test_english_text_is_read_as_before(text: str, values: list[str]) -> None:
    assert [mention.value for mention in dates_in(text)] == values


def test_a_day_without_a_year_is_in_that_of_the_text() -> None:
    text = "Am 3. Mai brach der Damm."
    assert [mention.value for mention in dates_in(text)] == ["XXXX-05-03"]
    on = When.parse("2010-05-04")
    assert [str(mention.when) for mention in dates_in(text, on=on)] == ["2010-05-03"]
