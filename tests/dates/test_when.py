import datetime
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.dates.days import calendar_day, day_number, month_length
from chronoscore.dates.when import When
from chronoscore.errors import DataError

# From 999,999 BC to AD 9999, with most cases near the turn of the era.
NUMBERS = st.integers(-365_242_133, 3_652_059) | st.integers(-2_000, 2_000)
AD_DATES = st.dates()
DAYS = NUMBERS.map(lambda number: When(number, number, "day"))


def coarse(pick):
    grain, number, month, bc = pick
    if grain == "month":
        return When.month(number, month, bc=bc)
    if grain == "year":
        return When.year(number, bc=bc)
    if grain == "decade":
        return When.decade(number // 10 * 10, bc=bc)
    return When.century(number // 100 + 1, bc=bc)


COARSE = st.tuples(
    st.sampled_from(["month", "year", "decade", "century"]),
    st.integers(1, 9999) | st.integers(1, 120),
    st.integers(1, 12),
    st.booleans(),
).map(coarse)
WHENS = DAYS | COARSE


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2010-06-03", "2010-06-03"),
        ("2010-6-3", "2010-06-03"),
        ("2010/06/03", "2010-06-03"),
        ("2010–06–03", "2010-06-03"),
        ("20100603", "2010-06-03"),
        (" 2010-06-03\n", "2010-06-03"),
        ("2010-06-03T00:00:00", "2010-06-03"),
        ("2010-06-03 00:00:00", "2010-06-03"),
        ("2010-06-03T23:59:59.999Z", "2010-06-03"),
        ("2010-06-03T00:30:00+02:00", "2010-06-03"),
        ("2010-06-03T09:00", "2010-06-03"),
        ("2010-06-03TMO", "2010-06-03"),
        ("2010-06-XX", "2010-06"),
        ("2010-XX-XX", "2010"),
        ("3 June 2010", "2010-06-03"),
        ("३ June 2010", "2010-06-03"),
        ("3. Juni 2010", "2010-06-03"),
        ("3 de junio de 2010", "2010-06-03"),
        ("June 3, 2010", "2010-06-03"),
        ("June 3rd 2010", "2010-06-03"),
        ("3rd of June, 2010", "2010-06-03"),
        ("the 3rd of June, 2010", "2010-06-03"),
        ("Thursday, June 3, 2010", "2010-06-03"),
        ("Thu. 3 Jun. 2010", "2010-06-03"),
        ("Thursday 2010-06-03", "2010-06-03"),
        ("3-Jun-2010", "2010-06-03"),
        ("2010 June 3", "2010-06-03"),
        ("1997-06", "1997-06"),
        ("June 1997", "1997-06"),
        ("JUN. 1997", "1997-06"),
        ("Sept\u00a01997", "1997-09"),
        ("May 1997", "1997-05"),
        ("August 410", "0410-08"),
        ("1997", "1997"),
        ("0079", "AD 79"),
        ("AD 79", "AD 79"),
        ("79 AD", "AD 79"),
        ("79 CE", "AD 79"),
        ("A.D. 79", "AD 79"),
        ("24 August AD 79", "0079-08-24"),
        ("800 BC", "800 BC"),
        ("800 B.C.E.", "800 BC"),
        ("800BCE", "800 BC"),
        ("c. 800 BC", "800 BC"),
        ("c800 BC", "800 BC"),
        ("Circa 800 BC", "800 BC"),
        ("10,000 BC", "10000 BC"),
        ("BC0800", "800 BC"),
        ("BC046", "460s BC"),
        ("BC03", "4th century BC"),
        ("BC00", "1st century BC"),
        ("BC0480-08-XXTEV", "August 480 BC"),
        ("BC0044-03-15", "15 March 44 BC"),
        ("March 15, 44 BC", "15 March 44 BC"),
        ("March 44 BC", "March 44 BC"),
        ("the 1920s", "1920s"),
        ("1920's", "1920s"),
        ("192", "1920s"),
        ("192X", "1920s"),
        ("790s", "AD 790s"),
        ("AD 20s", "AD 20s"),
        ("790s BC", "790s BC"),
        ("20th century", "20th century"),
        ("the twentieth century", "20th century"),
        ("20th-century", "20th century"),
        ("19", "20th century"),
        ("19XX", "20th century"),
        ("1st century AD", "1st century"),
        ("the 5th century BC", "5th century BC"),
        ("5th c. BCE", "5th century BC"),
    ],
)
def test_a_date_is_read_however_it_is_written(text, canonical):
    assert str(When.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2010-02-30", "February 2010 has days 1 to 28"),
        ("29 February 2 BC", "February 2 BC has days 1 to 28"),
        ("2010-13-01", "no month 13"),
        ("2010-00-01", "no month 0"),
        ("1914-18", "no month 18"),
        ("0000", "no year 0"),
        ("0000-06-03", "no year 0"),
        ("0 BC", "no year 0"),
        ("1000000 BC", "years run from"),
        ("1925s", "a decade ends in 0"),
        ("0th century", "counted from 1"),
        ("03/06/2010", "YYYY-MM-DD"),
        ("3.6.2010", "YYYY-MM-DD"),
        ("13/06/10", "YYYY-MM-DD"),
        ("-0043", "800 BC"),
        ("97", "four digits or an era"),
        ("800", "four digits or an era"),
        ("7", "four digits or an era"),
        ("10000", "four digits or an era"),
        ("June 97", "no full year"),
        ("3 June 97", "no full year"),
        ("June 3", "no full year"),
        ("3 June", "no year"),
        ("June", "no year"),
        ("the '20s", "names no century"),
        ("1914–1918", "not understood"),
        ("mid-1997", "not understood"),
        ("Summer 1997", "not understood"),
        ("2010-W23", "not understood"),
        ("PRESENT_REF", "not understood"),
        ("XXXX-06-03", "not understood"),
        ("June July 1997", "not understood"),
        ("", "not understood"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_text_and_the_reason(text, reason):
    with pytest.raises(DataError) as caught:
        When.parse(text)
    message = str(caught.value)
    assert message.startswith(f"date {text!r} ")
    assert reason in message
    assert not message.endswith(".")


@given(WHENS)
def test_the_text_of_a_date_parses_back_to_it(when):
    assert When.parse(str(when)) == when


@given(AD_DATES)
def test_a_day_after_christ_agrees_with_datetime(date):
    when = When.of(date)
    assert when == When.parse(date.isoformat()) == When.day(date.year, date.month, date.day)
    assert when == When.of(datetime.datetime.combine(date, datetime.time(23, 59)))
    assert (when.first, when.last, when.days) == (date.toordinal(), date.toordinal(), 1)
    assert str(when) == date.isoformat()
    assert when.to_date() == date


@given(NUMBERS)
def test_a_day_number_names_one_day_and_the_day_gives_the_number_back(number):
    year, month, day = calendar_day(number)
    assert 1 <= month <= 12
    assert 1 <= day <= month_length(year, month)
    assert day_number(year, month, day) == number


@given(NUMBERS)
def test_the_calendar_repeats_every_four_hundred_years(number):
    year, month, day = calendar_day(number)
    assert calendar_day(number + 146_097) == (year + 400, month, day)


def test_the_day_after_the_last_of_1_bc_is_the_first_of_ad_1():
    assert When.day(31, 12, 31, bc=True).shift(1) == When.day(30, 1, 1, bc=True)
    assert When.parse("31 December 1 BC").shift(1) == When.parse("0001-01-01")
    assert When.parse("31 December 1 BC").first == 0


@pytest.mark.parametrize(("year", "days"), [(1, 366), (2, 365), (5, 366), (101, 365), (401, 366)])
def test_leap_years_before_christ_follow_the_gregorian_rule(year, days):
    assert When.year(year, bc=True).days == days


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1996-02", "1996-02-01", "1996-02-29"),
        ("1997", "1997-01-01", "1997-12-31"),
        ("1920s", "1920-01-01", "1929-12-31"),
        ("AD 0s", "0001-01-01", "0009-12-31"),
        ("0s BC", "1 January 9 BC", "31 December 1 BC"),
        ("790s BC", "1 January 799 BC", "31 December 790 BC"),
        ("20th century", "1901-01-01", "2000-12-31"),
        ("1st century", "0001-01-01", "0100-12-31"),
        ("1st century BC", "1 January 100 BC", "31 December 1 BC"),
        ("5th century BC", "1 January 500 BC", "31 December 401 BC"),
    ],
)
def test_a_coarse_date_spans_its_first_to_its_last_day(text, first, last):
    when = When.parse(text)
    assert (when.first, when.last) == (When.parse(first).first, When.parse(last).first)


@pytest.mark.parametrize(
    ("one", "other", "days"),
    [
        ("2010-06-03", "2010-06-03", 0),
        ("2010-06-03", "2010-06-10", 7),
        ("1997-06", "1997-06-30", 0),
        ("1997-06", "1997-07-01", 1),
        ("1997-06", "1997-07", 1),
        ("1997", "1997-06", 0),
        ("1990s", "1997-06-05", 0),
        ("1900s", "19th century", 0),
        ("1997", "1999", 366),
        ("1 BC", "AD 1", 1),
        ("31 December 1 BC", "0001-01-31", 31),
    ],
)
def test_distance_is_zero_on_overlap_and_else_the_days_between_the_nearest_ends(one, other, days):
    assert When.parse(one).distance(When.parse(other)) == days


@given(WHENS, WHENS)
def test_distance_is_symmetric_and_zero_exactly_where_the_two_share_a_day(one, other):
    assert one.distance(other) == other.distance(one) >= 0
    assert (one.distance(other) == 0) == one.overlaps(other) == other.overlaps(one)
    if one.contains(other):
        assert one.overlaps(other)


@given(AD_DATES, AD_DATES)
def test_distance_between_days_is_the_difference_of_their_dates(one, other):
    assert When.of(one).distance(When.of(other)) == abs((one - other).days)


@given(DAYS, WHENS, DAYS)
def test_a_detour_is_never_shorter_once_its_own_length_is_counted(one, detour, other):
    way = one.distance(detour) + detour.days - 1 + detour.distance(other)
    assert one.distance(other) <= way


@given(WHENS, WHENS, WHENS)
def test_the_order_is_total_and_begins_with_the_first_day(one, other, third):
    assert (one < other) + (other < one) + (one == other) == 1
    assert (one <= other) == (one < other or one == other)
    if one.first < other.first:
        assert one < other
    if one < other < third:
        assert one < third


def test_of_two_that_begin_together_the_longer_comes_first():
    texts = ["2001", "2001-01", "2001-01-01", "21st century"]
    in_order = sorted(When.parse(text) for text in texts)
    assert [str(when) for when in in_order] == ["21st century", "2001", "2001-01", "2001-01-01"]


@given(
    st.dates(max_value=datetime.date(9000, 1, 1)),
    st.integers(-100_000, 100_000),
    st.integers(-100_000, 100_000),
)
def test_shifting_a_day_adds_up(date, one, other):
    when = When.of(date)
    assert when.shift(one).shift(other) == when.shift(one + other)
    assert when.shift(one).first == when.first + one
    assert when.distance(when.shift(one)) == abs(one)


@given(COARSE.filter(lambda when: when.last < 3_000_000), st.integers(-100_000, 100_000))
def test_shifting_a_coarse_date_lands_where_its_middle_day_does(when, days):
    moved = when.shift(days)
    middle = (when.first + when.last) // 2 + days
    assert moved.grain == when.grain
    assert moved.first <= middle <= moved.last


def test_a_small_shift_leaves_a_coarse_date_and_a_large_one_moves_it_both_ways():
    june = When.parse("1997-06")
    assert june.shift(7) == june.shift(-7) == june
    assert str(june.shift(30)) == "1997-07"
    assert str(june.shift(-30)) == "1997-05"


def test_a_shift_out_of_the_calendar_is_refused():
    with pytest.raises(DataError, match="shift by fewer days"):
        When.parse("9999-12-31").shift(1)


@pytest.mark.parametrize("text", ["1997-06", "15 March 44 BC"])
def test_only_a_day_after_christ_becomes_a_datetime_date(text):
    with pytest.raises(DataError, match=text):
        When.parse(text).to_date()


def test_a_value_of_another_kind_is_no_date():
    with pytest.raises(DataError, match="neither text nor a date"):
        When.of(1997)


def test_a_date_is_a_value_that_hashes_and_pickles():
    when = When.of("June 1997")
    assert {when: 1}[When.month(1997, 6)] == 1
    assert pickle.loads(pickle.dumps(when)) == when
    assert When.of(when) is when
    with pytest.raises(AttributeError):
        when.first = 3
