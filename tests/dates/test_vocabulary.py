"""One vocabulary: a date means the same in a file, at the beginning of a line and in prose."""

import pytest

from chronoscore.core import When
from chronoscore.dates.finder import dates_in
from chronoscore.dates.openings import opening_date
from chronoscore.dates.vocabulary import ENGLISH

MONTHS = [
    (f"3 {name.title()} 2010", f"2010-{number:02}-03")
    for number, names in enumerate(ENGLISH.months, 1)
    for name in names.split()
]
CENTURIES = [
    (f"{word} century", str(When.century(number)))
    for number, word in enumerate(ENGLISH.ordinals, 1)
]
ERAS = [
    (f"{dotted}", canonical)
    for era, canonical in (
        ("B.C.", "480 BC"),
        ("B.C.E.", "480 BC"),
        ("A.D.", "AD 480"),
        ("C.E.", "AD 480"),
    )
    for dotted in (f"480 {era}", f"480 {era.replace('.', '')}")
]
OTHERS = [
    ("2010-06-03", "2010-06-03"),
    ("June 2010", "2010-06"),
    ("the 3rd of June 2010", "2010-06-03"),
    ("the 1920s", "1920s"),
    ("the 470s BC", "470s BC"),
    ("the 5th century BC", "5th century BC"),
    ("AD 480", "AD 480"),
]


@pytest.mark.parametrize(("text", "canonical"), MONTHS + CENTURIES + ERAS + OTHERS)
def test_a_date_is_the_same_in_a_file_on_a_line_and_in_prose(text: str, canonical: str) -> None:
    assert str(When.parse(text)) == canonical
    opening = opening_date(f"{text}: It rained.")
    assert opening is not None
    assert (str(opening.when), opening.rest) == (canonical, "It rained.")
    assert [str(mention.when) for mention in dates_in(f"It rained in {text}.")] == [canonical]


@pytest.mark.parametrize("name", [name for names in ENGLISH.weekdays for name in names.split()])
def test_a_weekday_in_front_changes_nothing(name: str) -> None:
    text = f"{name.title()}, June 3, 2010"
    assert str(When.parse(text)) == "2010-06-03"
    opening = opening_date(f"{text}: It rained.")
    assert opening is not None
    assert (str(opening.when), opening.guess) == ("2010-06-03", "")
