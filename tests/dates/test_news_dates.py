"""Dates in news as TimeML annotates them: our own sentences, read on Thursday 13 March 2031.

The date stands in brackets in the sentence and its TIMEX3 value beside it; the truth was
written by hand from the rules of TIMEX3 and a calendar of 2031.
"""

import re

import pytest

from chronoscore.core import When
from chronoscore.dates.finder import dates_in

THURSDAY = When.day(2031, 3, 13)

QUARTERS = [
    ("The [third-quarter] figures beat forecasts.", "2030-Q3"),
    ("Profit fell in [the latest quarter].", "2030-Q4"),
    ("In its [latest fiscal year] the firm lost money.", "2030"),
    ("Profit fell from [the same quarter last year].", "2030-Q1"),
    ("Profit fell from [the same period of 2029].", "2029"),
    ("The [year-earlier] profit was higher.", "2030"),
    ("Profit fell in [the third quarter].", "2030-Q3"),
    ("Profit fell in [the first quarter].", "2031-Q1"),
    ("It will report on [the second quarter].", "2031-Q2"),
    ("The mill's [third-quarter] profit fell.", "2030-Q3"),
    ("[Fourth-quarter] sales rose.", "2030-Q4"),
    ("Sales beat those of [last year's third quarter].", "2030-Q3"),
    ("Sales beat [this year's first quarter].", "2031-Q1"),
    ("Sales rose in [the second quarter of 2029].", "2029-Q2"),
    ("Sales rose in [the second quarter of last year].", "2030-Q2"),
    ("Sales rose in [the third quarter of this year].", "2031-Q3"),
    ("Sales rose in [the fiscal third quarter].", "2030-Q3"),
    ("Sales rose in [fiscal 2029].", "2029"),
    ("Sales rose in [fiscal year 2029].", "2029"),
    ("Sales rose in [Q3 2029].", "2029-Q3"),
    ("Sales rose in [Q4].", "2030-Q4"),
    ("The bank lost money [last quarter].", "2030-Q4"),
    ("The bank lost money [this quarter].", "2031-Q1"),
    ("The bank hopes for [next quarter].", "2031-Q2"),
    ("Orders doubled in [the first half of 2029].", "2029-H1"),
    ("Orders doubled in [the second half of last year].", "2030-H2"),
    ("[First-half] orders doubled.", "2031-H1"),
    ("The firm expects [first-quarter] revenue to fall.", "2031-Q1"),
    ("The firm expects [fourth-quarter] revenue to fall.", "2031-Q4"),
    ("[Second-half] orders doubled.", "2030-H2"),
    ("Sales fell by [the end of the quarter].", "2031-Q1"),
    ("[The current quarter] looks weak.", "2031-Q1"),
    ("Sales beat [the year-ago third quarter].", "2029-Q3"),
    ("Sales rose in [the final quarter of 2029].", "2029-Q4"),
    ("[The current fiscal year] looks weak.", "2031"),
    ("[Next fiscal year] looks weak.", "2032"),
]
SETS = [
    ("The council meets [every Monday].", "XXXX-WXX-1"),
    ("The council meets [each Friday].", "XXXX-WXX-5"),
    ("The council meets on [Tuesdays].", "XXXX-WXX-2"),
    ("The council meets [every day].", "P1D"),
    ("The council meets [each month].", "P1M"),
    ("The council meets [every other week].", "P2W"),
    ("The council meets [every second year].", "P2Y"),
    ("The council meets [every three months].", "P3M"),
    ("The council meets [every 10 days].", "P10D"),
    ("The council meets [every few weeks].", "PXW"),
    ("The council meets [twice a week].", "P1W"),
    ("The council meets [once a year].", "P1Y"),
    ("The council meets [three times a month].", "P1M"),
    ("The council meets [4 times each year].", "P1Y"),
    ("The council meets [annually].", "P1Y"),
    ("The council held its [annual] meeting.", "P1Y"),
    ("The council meets [daily].", "P1D"),
    ("The council meets [weekly].", "P1W"),
    ("The council meets [quarterly].", "P1Q"),
    ("The train runs [hourly].", "PT1H"),
    ("The river floods [every spring].", "XXXX-SP"),
    ("The river floods [every May].", "XXXX-05"),
    ("The dogs bark [every night].", "XXXX-XX-XXTNI"),
    ("The market opens [every Sunday morning].", "XXXX-WXX-7TMO"),
    ("The bell rings [every single day].", "P1D"),
    ("The market opens on [weekends].", "XXXX-WXX-WE"),
]
DURATIONS = [
    ("The boy was found [three and a half hours later].", "PT3.5H"),
    ("The dam stood for [a quarter of a century].", "P25Y"),
    ("Output doubled in [the past half-century].", "P50Y"),
    ("Rain fell over [the last couple of years].", "PXY"),
    ("It will take [another year].", "P1Y"),
    ("They argued for [some twenty years].", "P20Y"),
    ("The rock is [65 million years old].", "P65000000Y"),
    ("The strike lasted [three days].", "P3D"),
    ("The strike lasted [six weeks].", "P6W"),
    ("The strike is likely to last [six weeks].", "P6W"),
    ("The strike may last [several weeks].", "PXW"),
    ("Nobody spoke in [the weeks] before the vote.", "PXW"),
    ("The strike lasted [more than 20 years].", "P20Y"),
    ("The strike lasted [half an hour].", "PT30M"),
    ("The strike lasted [half a century].", "P50Y"),
    ("The strike lasted [two and a half years].", "P2.5Y"),
    ("The strike lasted [a year and a half].", "P1.5Y"),
    ("The strike lasted [several hours].", "PTXH"),
    ("The strike lasted for [months].", "PXM"),
    ("A [six-month] strike ended.", "P6M"),
    ("A [90-day] ban ended.", "P90D"),
    ("The girl is [two years old].", "P2Y"),
    ("The dam broke [two weeks] after the storm.", "P2W"),
    ("The dam broke [three days] before the vote.", "P3D"),
    ("Rain fell for [the past five days].", "P5D"),
    ("Rain is forecast for [the next two weeks].", "P2W"),
    ("Prices rose in [the first nine months].", "P9M"),
    ("It was the worst flood in [a decade].", "P1DE"),
    ("It was the worst flood in [two centuries].", "P2CE"),
    ("The siren went [20 minutes ago].", "PT20M"),
    ("The siren went [an hour ago].", "PT1H"),
    ("The strike lasted [nearly two-and-a-half years].", "P2.5Y"),
    ("The strike lasted [2 1/2 years].", "P2.5Y"),
    ("The strike lasted just [two weeks].", "P2W"),
    ("A [four day] strike ended.", "P4D"),
    ("The strike lasted [a hundred days].", "P100D"),
    ("Output fell for [two consecutive quarters].", "P2Q"),
    ("Shares fell for [the past five trading days].", "P5D"),
    ("A [weeklong] strike ended.", "P1W"),
    ("A [decades-old] dispute ended.", "PXDE"),
    ("A [month-long] strike ended.", "P1M"),
    ("The plan was [decades] in the making.", "PXDE"),
    ("They argued [some 20 years].", "P20Y"),
    ("It rained [this past week].", "P1W"),
]
RELATIVE = [
    ("[The night before], the dam had held.", "2031-03-12TNI"),
    ("[A quarter-century ago] the dam broke.", "2006"),
    ("The dam opens [a month from now].", "2031-04"),
    ("The dam opens [a week from Tuesday].", "2031-03-25"),
    ("[Centuries ago], the dam broke.", "PAST_REF"),
    ("Throughout [the year] it rained.", "2031"),
    ("The dam broke [today].", "2031-03-13"),
    ("The dam broke [yesterday].", "2031-03-12"),
    ("The dam broke [last night].", "2031-03-12TNI"),
    ("The dam broke [this morning].", "2031-03-13TMO"),
    ("The dam broke [yesterday afternoon].", "2031-03-12TAF"),
    ("The vote is [tomorrow].", "2031-03-14"),
    ("The vote is [tonight].", "2031-03-13TNI"),
    ("The dam broke [three days ago].", "2031-03-10"),
    ("The dam broke [a week ago].", "2031-03-06"),
    ("The dam broke [two months ago].", "2031-01"),
    ("The dam broke [a year ago].", "2030"),
    ("The dam broke [ten years ago].", "2021"),
    ("The dam broke [last week].", "2031-W10"),
    ("The dam broke [this week].", "2031-W11"),
    ("The vote is [next week].", "2031-W12"),
    ("The vote is [next month].", "2031-04"),
    ("The vote is [next year].", "2032"),
    ("The dam broke [earlier this year].", "2031"),
    ("The dam broke [earlier this month].", "2031-03"),
    ("The vote is [later this week].", "2031-W11"),
    ("The dam broke [late last year].", "2030"),
    ("The dam broke over [the weekend].", "2031-W10-WE"),
    ("The dam broke [last weekend].", "2031-W10-WE"),
    ("The vote will be held over [the weekend].", "2031-W11-WE"),
    ("The vote is [this weekend].", "2031-W11-WE"),
    ("The vote is [next weekend].", "2031-W12-WE"),
    ("Sales fell against [the year-ago quarter].", "2030"),
    ("Sales fell against [the year-earlier period].", "2030"),
    ("The dam broke [last summer].", "2030-SU"),
    ("The vote is [the day after tomorrow].", "2031-03-15"),
    ("The vote is [later today].", "2031-03-13"),
    ("The vote will be over by [year-end].", "2031"),
    ("The vote will be over by [year's end].", "2031"),
    ("The dam broke [the day before yesterday].", "2031-03-11"),
    ("The dam broke [some 20 years ago].", "2011"),
    ("Shares fell to end [the day].", "2031-03-13"),
    ("Shares rose for [the year].", "2031"),
    ("The plant opens [next fall].", "2031-FA"),
    ("The plant opened in [the fall].", "2030-FA"),
    ("The plant will open in [the summer].", "2031-SU"),
    ("The plant opened [this spring].", "2031-SP"),
    ("Nobody was seen on [New Year's Eve].", "2030-12-31"),
    ("Nobody was seen on [Thanksgiving].", "2030-11-28"),
    ("Nobody was seen on [Labor Day 2029].", "2029-09-03"),
    ("Rain fell over [the last year].", "P1Y"),
    ("Rain will fall over [the next decade].", "P1DE"),
    ("Rain fell [all day].", "P1D"),
    ("Rain fell [all week long].", "P1W"),
    ("Rain fell for [the whole year].", "P1Y"),
    ("The dam broke [half a century ago].", "1981"),
    ("The dam broke [some time ago].", "PAST_REF"),
    ("The dam broke on [the 10th], he said.", "2031-03-10"),
    ("The dam broke on [the 20th], he said.", "2031-02-20"),
    ("The dam will open on [the 20th], he said.", "2031-03-20"),
    ("Nothing was the same after [9/11].", "2001-09-11"),
]
HOLIDAYS = [
    ("Nobody was seen [last Christmas].", "2030-12-25"),
    ("Nobody will be seen [this Christmas].", "2031-12-25"),
    ("At [Christmas] nobody was seen.", "2030-12-25"),
    ("Nobody was seen on [Good Friday].", "2031-04-11"),
    ("Nobody was seen on [Palm Sunday].", "2031-04-06"),
    ("Nobody was seen on [Easter Sunday].", "2031-04-13"),
    ("Nobody was seen on [Easter Monday].", "2031-04-14"),
    ("Nobody was seen on [Ash Wednesday].", "2031-02-26"),
    ("Nobody was seen on [Mardi Gras].", "2031-02-25"),
    ("Nobody was seen on [Ascension Day].", "2031-05-22"),
    ("Nobody was seen on [Pentecost].", "2031-06-01"),
    ("Nobody was seen on [Whit Monday 2029].", "2029-05-21"),
    ("Nobody was seen on [Presidents’ Day].", "2031-02-17"),
    ("Nobody was seen on [Presidents Day].", "2031-02-17"),
    ("Nobody was seen on [Martin Luther King Jr. Day].", "2031-01-20"),
    ("Nobody was seen on [Mother's Day].", "2031-05-11"),
    ("Nobody was seen on [Father's Day].", "2031-06-15"),
    ("Nobody was seen on [Columbus Day].", "2030-10-14"),
    ("Nobody was seen on [Election Day 2028].", "2028-11-07"),
    ("Nobody was seen on [Cyber Monday].", "2030-12-02"),
    ("Nobody was seen on [St. Patrick's Day].", "2031-03-17"),
    ("Nobody was seen on [Christmas Eve].", "2030-12-24"),
    ("Nobody was seen at [Christmas].", "2030-12-25"),
    ("Nobody was seen at [Easter].", "2031-04-13"),
]
"""Easter of 2031 is on 13 April, that of 2029 on 1 April."""
WEEKDAYS = [
    ("The game is [Saturday] in the stadium.", "2031-03-15"),
    ("The game is at [1 p.m. ET Sunday].", "2031-03-16T13:00"),
    ("He arrives in Cairo on [Friday].", "2031-03-14"),
    ("He could leave as early as [Tuesday].", "2031-03-18"),
    ("He could not be reached [Tuesday].", "2031-03-11"),
    ("The vote was postponed until [Wednesday].", "2031-03-19"),
    ("The vote has been moved to [Monday].", "2031-03-17"),
    ("It broke in [the early hours of Monday morning].", "2031-03-10TMO"),
    ("The dam broke [Monday].", "2031-03-10"),
    ("The dam broke on [Thursday].", "2031-03-13"),
    ("The dam broke on [Friday].", "2031-03-07"),
    ("The dam broke [last Friday].", "2031-03-07"),
    ("The dam broke [Sunday night].", "2031-03-09TNI"),
    ("The dam broke [late Tuesday].", "2031-03-11"),
    ("The dam broke on [Tues.] at the inlet.", "2031-03-11"),
    ("The council will vote on [Monday].", "2031-03-17"),
    ("The vote is scheduled for [Friday].", "2031-03-14"),
    ("The trial is set to begin on [Wednesday].", "2031-03-19"),
    ("On [Monday] the council will vote.", "2031-03-17"),
    ("The firm, which will merge, said [Monday] it was ready.", "2031-03-10"),
    ("The council votes [next Tuesday].", "2031-03-18"),
    ("It broke at [8 p.m. Tuesday].", "2031-03-11T20:00"),
    ("It broke at [8 p.m. on Tuesday].", "2031-03-11T20:00"),
    ("It broke at [11:30 a.m. Monday].", "2031-03-10T11:30"),
    ("The dam broke [this past Sunday].", "2031-03-09"),
    ("The vote is [this coming Friday].", "2031-03-14"),
    ("It broke [earlier Monday].", "2031-03-10"),
    ("It broke [later Tuesday].", "2031-03-11"),
    ("It broke at [9 p.m. Tuesday night].", "2031-03-11T21:00"),
    ("It broke at [9 p.m. ET on Tuesday].", "2031-03-11T21:00"),
    ("It broke at [dawn Monday].", "2031-03-10TMO"),
    ("It broke at [noon Monday].", "2031-03-10T12:00"),
    ("It broke at [midnight on Tuesday].", "2031-03-11T24:00"),
    ("It broke in [the early hours of Monday].", "2031-03-10TMO"),
    ("They have until [Monday] to reply.", "2031-03-17"),
    ("It must be paid by [Tuesday].", "2031-03-18"),
    ("By [Tuesday], twelve had died.", "2031-03-11"),
    ("The talks are to resume on [Sunday].", "2031-03-16"),
    ("The trial begins [Monday].", "2031-03-17"),
    ("The file of [Fri Feb 28] is lost.", "2031-02-28"),
]
MONTHS = [
    ("He was beaten in [January]'s vote.", "2031-01"),
    ("The quake struck on [Sept. 11].", "2030-09-11"),
    ("Oil is at its highest since [April 3].", "2030-04-03"),
    ("Oil for [May] delivery rose.", "2031-05"),
    ("Prices rose in [February].", "2031-02"),
    ("Prices rose in [March].", "2031-03"),
    ("Prices rose in [May].", "2030-05"),
    ("Prices rose in [October].", "2030-10"),
    ("Prices will rise in [May].", "2031-05"),
    ("The bridge is due to open in [February].", "2032-02"),
    ("In [June] the firm will merge.", "2031-06"),
    ("In [June] the firm merged.", "2030-06"),
    ("The sale should be complete in [October].", "2031-10"),
    ("The plant closed in [early June].", "2030-06"),
    ("The plant closed [last May].", "2030-05"),
    ("The plant opens [next May].", "2031-05"),
    ("The plant closed on [Feb. 20].", "2031-02-20"),
    ("The plant closed on [20 February].", "2031-02-20"),
    ("The plant was closed on [Sept. 1].", "2030-09-01"),
    ("The plant will close on [Sept. 22].", "2031-09-22"),
    ("The vote is scheduled for [Sept. 22].", "2031-09-22"),
    ("The season ends in [May].", "2031-05"),
    ("The plant closed in [the first week of May].", "2030-05"),
    ("The plant closed in [the month of June 2029].", "2029-06"),
    ("The total beat [March 2010]'s.", "2010-03"),
]
YEARS = [
    ("He was born in [nineteen ninety-six].", "1996"),
    ("He was born in [nineteen eighty].", "1980"),
    ("The union dates from [seventeen seventy-six].", "1776"),
    ("He left in [twenty twelve].", "2012"),
    ("He left in [twenty twenty-six].", "2026"),
    ("He left in [mid-2029].", "2029"),
    ("He left in [the 1990s].", "199"),
    ("He left in [the mid-1980s].", "198"),
    ("He left in [the '80s].", "198"),
    ("He left in [the nineties].", "199"),
    ("He left in [the late nineties].", "199"),
    ("Sales rose in [FY 2029].", "2029"),
    ("He left in [the 19th century].", "18"),
    ("He left in [the summer of 2029].", "2029-SU"),
]
NUMERIC = [
    ("The form is dated [03/26/2030].", "2030-03-26"),
    ("The form is dated [26/03/2030].", "2030-03-26"),
    ("The form is dated [26.03.2030].", "2030-03-26"),
    ("The form is dated [03.06.2030].", "2030-06-03"),
    ("The form is dated [2030/3/26].", "2030-03-26"),
    ("The form is dated [3/26/30].", "2030-03-26"),
    ("The form is dated [05/05/2030].", "2030-05-05"),
    ("The form is dated [03/06/2010].", "2010-XX-XX"),
    ("The form is dated [03/06/2031].", "2031-03-06"),
    ("The form is dated [10/03/2031].", "2031-03-10"),
]
REFERENCES = [
    ("Rents have doubled in [recent years].", "PAST_REF"),
    ("Rents have doubled in [recent months].", "PAST_REF"),
    ("Rents doubled [recently].", "PAST_REF"),
    ("It happened in [the past].", "PAST_REF"),
    ("It is [currently] closed.", "PRESENT_REF"),
    ("Nothing has happened until [now].", "PRESENT_REF"),
    ("Nothing happens in [the future].", "FUTURE_REF"),
    ("It happened [several years ago].", "PAST_REF"),
    ("It happened [years ago].", "PAST_REF"),
    ("Nobody does that [these days].", "PRESENT_REF"),
    ("The bridge opens [soon].", "FUTURE_REF"),
    ("The bridge opens [very soon].", "FUTURE_REF"),
    ("Nobody does that at [the moment].", "PRESENT_REF"),
    ("Nobody does that at [present].", "PRESENT_REF"),
    ("It may happen in [the near future].", "FUTURE_REF"),
    ("It happened in [the recent past].", "PAST_REF"),
]
CLOCKS = [
    ("The game begins at [7:30 tonight].", "2031-03-13T19:30"),
    ("The dam broke at [6:45 in the evening].", "2031-03-13T18:45"),
    ("The dam broke at [9.30am] by the clock.", "2031-03-13T09:30"),
    ("Shares fell by [mid-morning].", "2031-03-13TMO"),
    ("The dam broke at [5:34 a.m.] by the clock.", "2031-03-13T05:34"),
    ("The dam broke at [3 p.m.] by the clock.", "2031-03-13T15:00"),
    ("The dam broke at [0800 UTC].", "2031-03-13T08:00Z"),
    ("The dam broke at [1500 GMT].", "2031-03-13T15:00Z"),
    ("The dam broke at [five o'clock].", "2031-03-13T05:00"),
    ("The dam broke at [5 o'clock in the afternoon].", "2031-03-13T17:00"),
    ("The dam broke at [9 in the morning].", "2031-03-13T09:00"),
    ("The dam broke at [noon].", "2031-03-13T12:00"),
    ("It was past [midnight] when it broke.", "2031-03-13T24:00"),
    ("The dam broke at [6pm].", "2031-03-13T18:00"),
    ("The dam broke at [0800 HKT].", "2031-03-13T08:00"),
    ("Shares fell in [afternoon] trading.", "2031-03-13TAF"),
    ("Shares fell 3 points to end [the day] lower.", "2031-03-13"),
]
NO_DATES = [
    "She was in her late 70s.",
    "It was his third loss in as many years.",
    "One day he will win.",
    "In after-hours trading, shares fell.",
    "The board released its minutes.",
    "The Christmas offensive failed.",
    "The former mayor spoke.",
    "The current rules are old.",
    "Future owners may differ.",
    "His most recent book sold well.",
    "The now-canceled deal was signed.",
    "The firm will now build ships.",
    "Two quarters of the cake were gone.",
    "He paid a quarter of the price.",
    "He came third.",
    "The first half was dull and the players tired.",
    "Every man was counted.",
    "Each of them left.",
    "He tried twice.",
    "He tried three times.",
    "Nineteen men left.",
    "Nineteen hundred men left.",
    "The past president spoke.",
    "The score was 3/6.",
    "Version 1.2.3 is out.",
    "The Sun shone.",
    "They had been set to music.",
    "The fiscal rules are strict.",
    "He is in his 60s.",
    "At the same time he spoke.",
    "They keep Black Friday.",
    "Come as soon as you can.",
    "Soon after the vote he left.",
    "The soon-to-open bridge is blue.",
    "He sat on the 15th floor.",
    "At the moment of impact he slept.",
    "The near side was dark.",
    "He resigned the day after the vote.",
    "Some day he may resign.",
    "He sang in the year of the flood.",
    "This time he won.",
    "The day he spoke was fine.",
    "Her second quarter-final was easy.",
    "He may march again.",
    "One in four will pay 1/2 of it.",
]
"""Words and numbers that other sentences make dates of."""

CASES = [
    *QUARTERS, *SETS, *DURATIONS, *RELATIVE, *HOLIDAYS, *WEEKDAYS, *MONTHS, *YEARS, *NUMERIC,
    *REFERENCES, *CLOCKS,
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "value"), CASES)
def test_the_date_is_found_whole_with_its_value_and_nothing_else(sentence: str, value: str) -> None:
    (expected,) = re.findall(r"\[(.*?)\]", sentence)
    text = sentence.replace("[", "").replace("]", "")
    mentions = dates_in(text, on=THURSDAY, style="news")
    assert [(text[m.start : m.end], m.value) for m in mentions] == [(expected, value)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "The dam broke on May 2, 2030. The following Monday, it rained.",
            ["2030-05-02", "2030-05-06"],
        ),
        ("It fell in May from the same month in 2025.", ["2030-05", "2025-05"]),
        ("Prices rose in the year to February.", ["P1Y", "2031-02"]),
        ("It rained Monday through Friday.", ["2031-03-10", "2031-03-14"]),
        ("It rose in the quarter ended Dec. 31.", ["2030-Q4", "2030-12-31"]),
        ("It rose in the year ended June 30, 2029.", ["P1Y", "2029-06-30"]),
    ],
)
def test_one_date_tells_about_the_other(text: str, values: list[str]) -> None:
    assert [m.value for m in dates_in(text, on=THURSDAY, style="news")] == values


@pytest.mark.parametrize("sentence", NO_DATES)
def test_words_of_dates_that_name_no_time_are_left(sentence: str) -> None:
    assert dates_in(sentence, on=THURSDAY, style="news") == []


@pytest.mark.parametrize("sentence", [sentence for sentence, _ in SETS])
def test_what_repeats_is_a_set_and_has_no_day(sentence: str) -> None:
    (mention,) = dates_in(sentence.replace("[", "").replace("]", ""), on=THURSDAY, style="news")
    assert (mention.type, mention.when) == ("SET", None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Dated 26/03/2010 and 03/06/2010.", "2010-06-03"),
        ("Dated 03/26/2010 and 03/06/2010.", "2010-03-06"),
        ("Dated 03/06/2010 and 13/06/2010.", "2010-06-03"),
    ],
)
def test_one_clear_numeric_date_shows_the_order_of_the_others(text: str, value: str) -> None:
    assert value in [mention.value for mention in dates_in(text, on=THURSDAY)]


def test_a_numeric_date_that_stays_ambiguous_gives_no_day() -> None:
    (mention,) = dates_in("Dated 03/06/2010.", on=THURSDAY)
    assert mention.when is None


def test_news_steps_from_its_own_date_where_the_last_one_is_too_coarse() -> None:
    text = "Sales fell in 2029. The mill had closed a day earlier, at 10:30."
    values = [mention.value for mention in dates_in(text, on=THURSDAY, style="news")]
    assert values == ["2029", "2031-03-12", "2031-03-12T10:30"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It opened in May 2008. It will close by the end of this year.", "2031"),
        ("It opened in May 2008. It closed at the end of last year.", "2030"),
        ("It opened on 3 May 2008. It closes this weekend.", "2031-W11-WE"),
    ],
)
def test_this_and_last_count_from_the_text_whatever_was_told(text: str, value: str) -> None:
    assert dates_in(text, on=THURSDAY, style="news")[-1].value == value


def test_the_year_earlier_quarter_is_that_of_the_quarter_spoken_of() -> None:
    text = "Profit fell in the third quarter from $2 million in the year-earlier quarter."
    values = [mention.value for mention in dates_in(text, on=THURSDAY, style="news")]
    assert values == ["2030-Q3", "2029-Q3"]


def test_histories_keep_the_adjectives_that_news_leaves() -> None:
    mentions = dates_in("The former king now reigns.", style="history")
    assert [mention.value for mention in mentions] == ["PAST_REF", "PRESENT_REF"]
