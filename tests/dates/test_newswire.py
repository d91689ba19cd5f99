"""Dates as newswire writes them: invented sentences, each date marked with its TIMEX3 value.

The truth was written by hand before the rules, from the guidelines of TIMEX3 and a calendar:
prepositions stay outside, articles and modifiers inside; a value is as fine as its unit.
Thursday 13 March 2031 is the day on which each sentence was written, in week 11.
"""

import re

import pytest

from chronoscore.core import When
from chronoscore.dates.finder import dates_in

THURSDAY = When.day(2031, 3, 13)

AGO = """
The mill closed [a year and a half ago|2029-09].
The mill closed [two and a half years ago|2028-09].
The mill closed [three weeks ago Friday|2031-02-21].
The mill closed [a week ago Tuesday|2031-03-04].
The mill opened [a decade ago|2021].
The mill opened [two decades ago|2011].
The mill opened [more than a decade ago|2021].
The mill opened [nearly three decades ago|2001].
The mill opened [a century ago|1931].
The mill closed [six weeks ago|2031-W05].
The mill closed [about 18 months ago|2029-09].
The mill closed [a few days ago|PAST_REF].
The mill closed [a couple of weeks ago|PAST_REF].
The mill closed [less than two years ago|2029].
The mill closed [nearly a year ago|2030].
The mill closed [a year ago today|2030-03-13].
The mill closed [two years ago this month|2029-03].
The mill closed [a month ago|2031-02].
The mill closed [10 days ago|2031-03-03].
The mill closed [two days ago|2031-03-11].
The mill closed [months ago|PAST_REF].
The mill closed [the other day|PAST_REF].
The mill closed [the week before last|2031-W09].
The mill closed [the year before last|2029].
The mill will open [the year after next|2033].
The owners met on [Monday of last week|2031-03-03].
The owners will meet on [Tuesday of next week|2031-03-18].
The mill opens [two weeks from now|2031-W13].
The mill opens [10 days from now|2031-03-23].
The mill opens [five years from now|2036].
The mill opens [a decade from now|2041].
It closed on [May 5, 2030|2030-05-05], and [three weeks later|2030-W21] it burned.
It closed on [May 5, 2030|2030-05-05], and [two days later|2030-05-07] it burned.
It closed on [May 5, 2030|2030-05-05], and [a decade later|2040] it burned.
It closed in [2010|2010], and [two decades later|2030] it burned.
"""
QUARTERS = """
Net fell in [the third quarter|2030-Q3] from [a year earlier|2029-Q3].
Net fell in [the third quarter|2030-Q3] from $5 million in [the year-ago period|2029-Q3].
Net fell in [the third quarter|2030-Q3] from [the same period a year earlier|2029-Q3].
Net fell in [the second quarter|2030-Q2] from [the previous quarter|2030-Q1].
Net rose in [the third quarter of fiscal 2030|2030-Q3].
Net rose in [the fiscal year|2030] ended [June 30|2030-06-30].
Net rose in [fiscal 2029|2029].
Net rose in [fiscal '29|2029].
Net rose in [the 2029 fiscal year|2029].
Net rose in [the 2029 third quarter|2029-Q3].
Net rose in [third quarter 2029|2029-Q3].
Net rose in [2029's third quarter|2029-Q3].
Net rose in [fiscal 2029's third quarter|2029-Q3].
The maker posted a [fiscal third-quarter|2030-Q3] loss.
The maker posted a loss for its [fiscal third quarter|2030-Q3].
The rate rose in [the latest week|2031-W10].
Net rose in [the latest three months|P3M].
Net rose in [the latest fiscal year|2030].
Net for [the nine months|P9M] rose.
Net rose in [the first nine months|P9M] of [the year|2031].
Net rose in [the first six months|P6M] of [2030|2030].
Net fell in [the three months|P3M] ended [Dec. 31|2030-12-31].
Net rose in [the 12 months|P12M] through [February|2031-02].
Net rose in [the prior year|2030].
Net rose in [the prior quarter|2030-Q4].
Net rose from [the prior-year quarter|2030].
Net rose in [the final three months|P3M] of [2030|2030].
Orders fell in [the first half of the year|2031-H1].
Orders fell in [the second half of fiscal 2029|2029-H2].
The maker expects to break even by [midyear|2031].
The maker expects to break even by [mid-year|2031].
The plan takes effect in [FY2032|2032].
"""
SETS = """
The board meets on [the first Monday of every month|P1M].
The board meets on [the second Tuesday of each month|P1M].
The library is open on [weekdays|XXXX-WXX-WD].
The train runs [every weekday|XXXX-WXX-WD] at [8 a.m.|2031-03-13T08:00].
The band plays on [Friday nights|XXXX-WXX-5TNI].
The band plays on [Saturday mornings|XXXX-WXX-6TMO].
The board meets once [every four years|P4Y].
The board meets [twice a year|P1Y].
The pill is taken [twice daily|P1D].
The pill is taken [three times a day|P1D].
The firm pays [semiannual|P6M] interest.
The firm pays interest [semiannually|P6M].
The tour takes place [each summer|XXXX-SU].
The shop is open [24 hours|PT24H] [a day|P1D].
The mine makes 3 million tons [a year|P1Y].
The mine makes 300 tons [per day|P1D].
The shop is closed [Sundays|XXXX-WXX-7].
It rains [every afternoon|XXXX-XX-XXTAF].
[Annual|P1Y] sales rose.
"""
REFERENCES = """
The mine is [now|PRESENT_REF] closed.
The mine, [now|PRESENT_REF] closed, was deep.
It is [now|PRESENT_REF] a museum.
He is working right [now|PRESENT_REF].
The mine is closed for [now|PRESENT_REF].
The mine is [currently|PRESENT_REF] closed.
The mine is [presently|PRESENT_REF] closed.
The mine was busy until [recently|PAST_REF].
Sales fell in [recent weeks|PAST_REF].
Sales fell in [the most recent quarter|2030-Q4].
Sales may fall in [the coming weeks|PXW].
Sales may fall in [coming months|PXM].
It has been tried in [the past|PAST_REF].
It will be tried in [the near future|FUTURE_REF].
It may pay over [the long term|FUTURE_REF].
It may pay in [the near term|FUTURE_REF].
It may pay in [the short term|FUTURE_REF] only.
Few walk [these days|PRESENT_REF].
[Today|2031-03-13], he owns a mine.
The mine will open [soon|FUTURE_REF].
For [the time being|PRESENT_REF] it is closed.
[Nowadays|PRESENT_REF] few walk.
"""
DURATIONS = """
Sales fell over [the past three months|P3M].
Sales fell for [two straight years|P2Y].
Sales fell for [four consecutive months|P4M].
Sales fell over [the past 24 hours|PT24H].
Sales fell over [the last several weeks|PXW].
Sales fell for [more than two weeks|P2W].
Sales fell for [at least six months|P6M].
Sales fell for [up to 10 days|P10D].
He sold a [30-year|P30Y] bond.
He has a [five-year|P5Y] plan.
He stayed for [a day and a half|P1.5D].
He stayed for [an hour and a half|PT1.5H].
He stayed for [half a day|PT12H].
He stayed for [a half hour|PT30M].
He has been there [all year|P1Y].
He has been there for [decades|PXDE].
He served [15 years|P15Y] in prison.
He took a [three-day|P3D] trip.
The deal ended [months|PXM] of talks.
It took [less than a week|P1W].
It took [about an hour|PT1H].
It took [nearly 20 minutes|PT20M].
It took [30 seconds|PT30S].
It was the worst week in [more than four years|P4Y].
It could take [years|PXY].
He spent [the past decade|P1DE] abroad.
He spent [the last two decades|P2DE] abroad.
He left after [eight years|P8Y] as mayor.
The [two-and-a-half-hour|PT2.5H] talk was dull.
It took shape over [several months|PXM].
It lasted [two hours and 20 minutes|PT2H20M].
"""
PARTS = """
It will close at [the end of the year|2031].
It was open for most of [the day|2031-03-13].
It will close at [the end of the month|2031-03].
It will close by [the end of next year|2032].
It will close at [the beginning of next year|2032].
It opened at [the start of the week|2031-W11].
It is closed for [the rest of the week|2031-W11].
It is closed for [the rest of the year|2031].
It will close by [the end of the decade|203].
It will close by [the end of this month|2031-03].
It opens in [the middle of next month|2031-04].
It closed [early this month|2031-03].
It closed [early last week|2031-W10].
It closed [late last month|2031-02].
It closed [late last week|2031-W10].
It opens [early next year|2032].
It closed [earlier this week|2031-W11].
It closed [earlier in the week|2031-W11].
It closed [earlier in the day|2031-03-13].
It closed [earlier in the year|2031].
It opens [later in the day|2031-03-13].
It opens [later this month|2031-03].
It opens [later in the year|2031].
It closed [late in 2030|2030].
It closed in [late 2030|2030].
It closed in [the late 1990s|199].
It closed in [the early '90s|199].
It grew in [the 1990s|199].
It is the best of [this century|20].
It is the best of [this decade|203].
It was the worst of [the last century|19].
He likes [20th-century|19] music.
It closed in [mid-February|2031-02].
It closed [this year|2031].
It is the worst so far [this year|2031].
"""
WEEKDAYS = """
The board agreed to meet on [Monday|2031-03-17].
The board is likely to meet [Tuesday|2031-03-18].
The vote is set for [Monday|2031-03-17].
A vote planned for [Tuesday|2031-03-18] was in doubt.
Crowds gathered ahead of [Sunday|2031-03-16]'s vote.
Fares rise starting [Monday|2031-03-17].
Fares rise beginning [Saturday|2031-03-15].
He may resign as soon as [Friday|2031-03-14].
He blamed them for [Friday|2031-03-07]'s attack.
The board met [this Monday|2031-03-10].
The board meets [this Friday|2031-03-14].
The board is going to meet [Saturday|2031-03-15].
The board met [early Tuesday morning|2031-03-11TMO].
The board met [late Tuesday night|2031-03-11TNI].
The board met [Wednesday evening|2031-03-12TEV].
The board met [last Tuesday night|2031-03-11TNI].
The board, which met [Tuesday|2031-03-11], will meet again [next week|2031-W12].
Shares rose [Wednesday|2031-03-12] after falling [Tuesday|2031-03-11].
He was killed [Sunday|2031-03-09], police said [Monday|2031-03-10].
He said on [Wednesday|2031-03-12] that he would quit on [Sunday|2031-03-16].
The firm said [Tuesday|2031-03-11] it plans to close on [Friday|2031-03-14].
On [Saturday|2031-03-08], he was seen in town.
The show airs [Sunday night|2031-03-16TNI].
He is due in court on [Monday|2031-03-17].
The meeting takes place on [Tuesday|2031-03-18].
Its [fourth-quarter|2030-Q4] results are due on [Tuesday|2031-03-18].
He had been due to speak on [Monday|2031-03-10].
Voters go to the polls on [Sunday|2031-03-16].
He told reporters [Wednesday|2031-03-12].
In a statement [Wednesday|2031-03-12], the firm denied it.
The paper has more on it in [this Sunday|2031-03-16]'s edition.
It caused work to be put off over [the weekend|2031-W10-WE].
It says it can help after [Tuesday|2031-03-11]'s flood.
Three million may have been affected by [Tuesday|2031-03-11]'s flood.
Thousands are expected to have died in [Tuesday|2031-03-11]'s flood.
The film is to be shown on [Sunday|2031-03-16].
It hopes partly to close the leaking mine below the town on [Tuesday|2031-03-18].
It plans to pump mud and possibly cement into its old mine below the town on [Monday|2031-03-17].
It will pump mud on [Tuesday|2031-03-18] and [Wednesday|2031-03-19].
"""
DAYPARTS = """
Two men died [overnight|2031-03-12TNI] in a fire.
Snow will fall [overnight|2031-03-13TNI].
Two men died [overnight Tuesday|2031-03-11TNI].
The pact was signed at [3:15 a.m. local time on Saturday|2031-03-08T03:15].
The vote is [today|2031-03-13], [Thursday|2031-03-13].
Shares fell in [overnight|2031-03-12TNI] trading.
The dam broke [late yesterday|2031-03-12].
The dam broke [early today|2031-03-13].
The dam broke [early this morning|2031-03-13TMO].
The dam broke [yesterday evening|2031-03-12TEV].
The dam broke [this evening|2031-03-13TEV].
The vote is [tomorrow night|2031-03-14TNI].
The deadline is [midnight Tuesday|2031-03-18T24:00].
The dam broke at [10 o'clock this morning|2031-03-13T10:00].
The dam broke at [8 p.m. yesterday|2031-03-12T20:00].
The dam broke at [8:15 last night|2031-03-12T20:15].
The dam broke shortly before [noon|2031-03-13T12:00].
The dam broke on [the morning of March 3|2031-03-03TMO].
The dam broke on [the night of Feb. 3|2031-02-03TNI].
The dam broke [late in the afternoon|2031-03-13TAF].
The dam broke at [7:30 a.m. EST|2031-03-13T07:30].
The dam broke at [9 p.m.|2031-03-13T21:00] local time.
Trading ended at [4 p.m. Wednesday|2031-03-12T16:00].
"""
MONTHS = """
Sales rose in [January|2031-01] and [February|2031-02].
Sales rose in [November|2030-11].
It has been shut since [last April|2030-04].
It opens [this May|2031-05].
It opens [next January|2032-01].
He will be tried in [June|2031-06].
The [Sept. 11|2001-09-11] attacks changed that.
Nothing was the same after [Sept. 11, 2001|2001-09-11].
The [March 10|2031-03-10] vote was close.
Talks are planned for [April 2|2031-04-02].
The blast in [April|2030-04] killed 11 men.
He welcomed the offer to host talks in [May|2031-05].
It is a big leap from here to there in [May|2031-05], she added.
A second wave in [the autumn|2031-FA] could be worse, he said.
The fair opened in [the autumn|2030-FA].
It is closed for [a few days|PXD] - or more.
He died on [Dec. 30|2030-12-30].
He was in power from [1989|1989] to [1997|1997].
The [2028|2028] election was close.
The team won in [1998|1998]-[99|1999].
The contract runs through [2035|2035].
He was born in [the year 2000|2000].
He was elected in [November 2028|2028-11].
The ceremony will be held on [the Fourth of July|2031-07-04].
"""
NO_DATES = """
The 24-year-old man was held.
A 17-year-old was held.
A 12 year old boy and a 59-year old man were held.
She was named rookie of the year.
Call 555-1998 for details.
Flight 1549 left late.
The quarter-mile track is fast.
He reads the South China Morning Post.
More than 70 died and 1000 were hurt.
The girls, a 3-year-old and a 10-month-old, slept.
He reads the Daily News.
He writes for USA Today.
The Russell 2000 fell.
It was a last-minute deal.
Now that he is gone, nobody cares.
He was an overnight success.
He fired 2000 rounds.
She is a second-year student of the art.
He lost his second home.
The quarterback threw it.
He works part time.
He may, and did.
The House voted 52-48 on it.
It is a quarter of the size.
He wants to spring a trap.
The first half was dull.
"""
AGES = [
    ("The [24-year-old] man was held.", "P24Y"),
    ("The [10-month-old] girl slept.", "P10M"),
]

_MARKED = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
SENTENCES = [
    sentence
    for part in (
        *(AGO, QUARTERS, SETS, REFERENCES, DURATIONS, PARTS),
        *(WEEKDAYS, DAYPARTS, MONTHS, NO_DATES),
    )
    for sentence in part.strip().splitlines()
]


def found(text: str, **options: bool) -> list[tuple[str, str]]:
    mentions = dates_in(text, on=THURSDAY, style="news", **options)
    return [(text[m.start : m.end], m.value) for m in mentions]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_dates_of_newswire_are_found_with_their_values(sentence: str) -> None:
    assert found(_MARKED.sub(r"\1", sentence)) == _MARKED.findall(sentence)


@pytest.mark.parametrize(("sentence", "value"), AGES)
def test_ages_are_lengths_of_time_for_those_who_want_them(sentence: str, value: str) -> None:
    (age,) = re.findall(r"\[(.*?)\]", sentence)
    text = sentence.replace("[", "").replace("]", "")
    assert found(text) == []
    assert found(text, ages=True) == [(age, value)]
