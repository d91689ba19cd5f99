"""Reports as agencies wrote them in the 1990s: invented, each date marked with its TIMEX3 value.

The truth was written by hand from the guidelines of TimeML before any of them was read: values of
durations and sets are periods, a quarter is that of the calendar, prepositions stay outside.
Each report was written on Monday 2 November 1998, in week 45. One sentence was left out when its
truth turned out to be disputable, and four rules were then written with these reports in view, so
that the floor below tells what must not be lost, not how well unseen news is read.
"""

import re

from chronoscore.core import When
from chronoscore.dates.finder import dates_in
from dates.tagged_dates import Span, Tagged, figures

REPORTS = """
The bank said [Friday|1998-10-30] that its loans fell in [the third quarter|1998-Q3].
Earnings rose 12 percent in [the quarter|1998-Q3] ended [Sept. 30|1998-09-30].
The company had net income of $20 million [a year ago|1997].
The measure passed on [10-02-1998|1998-10-02] without debate.
Guerrillas attacked the post at [dawn Saturday|1998-10-31TMO], the army said [Sunday|1998-11-01].
The talks, which began [last Tuesday|1998-10-27], will resume [Wednesday|1998-11-04].
Prices have doubled in [the past decade|P1DE].
He has been in office for [nearly two months|P2M].
The plant is [currently|PRESENT_REF] idle.
The firm, [now|PRESENT_REF] based in Ohio, was founded in [1923|1923].
The Treasury sold [three-month|P3M] bills at its [weekly|P1W] auction.
Sales of [30-year|P30Y] bonds fell.
Revenue in [fiscal 1989|1989] was $3 billion.
The fund lost 8 percent in [the week|1998-W44] ended [Oct. 30|1998-10-30].
The jury will hear the case [next month|1998-12].
The jury heard the case [last month|1998-10].
Trading was heavy [Friday morning|1998-10-30TMO].
Rebels seized the town late [Thursday night|1998-10-29TNI].
The shuttle lifted off at [2:20 p.m.|1998-11-02T14:20] and will land [Saturday|1998-11-07].
The president arrives [Thursday|1998-11-05] for [a three-day|P3D] visit.
He died in [1991|1991] at the age of 64.
The law takes effect [Jan. 1, 2000|2000-01-01].
The law takes effect [Jan. 1|1999-01-01].
The court ruled in [June|1998-06] that the tax was legal.
The merger is expected to close in [February|1999-02].
The company expects profits to recover in [the second half of 1999|1999-H2].
In [the first nine months|P9M] of [this year|1998], exports rose 4 percent.
He served in Vietnam in [the late 1960s|196].
Crime fell through [the 1980s|198].
For [years|PXY] the village had no road.
The border has been closed since [August 1990|1990-08].
About [five years ago|1993], the mine was sold.
[Two weeks ago|1998-W43], the board met in secret.
[Three days later|1998-11-05] the body was found.
The rate will be set at [10 a.m. Tuesday|1998-11-03T10:00].
Unemployment was 4.6 percent [a year earlier|1997].
It was the worst loss in the company's [50-year|P50Y] history.
[Yesterday|1998-11-01], the dollar rose against the yen.
The dollar closed at 118 yen late [yesterday|1998-11-01].
[Tomorrow|1998-11-03] is election day.
The pact expires at [midnight Friday|1998-11-06T24:00].
The show runs through [Nov. 29|1998-11-29].
[Earlier this year|1998], he was named chairman.
[Later this week|1998-W45], the panel will vote.
The panel votes [later this month|1998-11].
[Early next year|1999], the plant will close.
By [the end of the year|1998], 400 jobs will be gone.
By [year-end|1998], 400 jobs will be gone.
By [the turn of the century|2000], half will live in cities.
The group meets [every six months|P6M].
The group meets [once a month|P1M].
He works [60 hours|PT60H] [a week|P1W].
The paper appears [daily|P1D].
She earns $30,000 [a year|P1Y].
It will take [at least 18 months|P18M] to rebuild.
The trial lasted [more than four weeks|P4W].
He was freed [only days ago|PAST_REF].
The storm hit [less than 24 hours|PT24H] after the warning.
Rain fell for [the sixth straight day|P6D].
The stock fell to its lowest level in [two years|P2Y].
The stock reached [a 52-week|P52W] high.
In [recent months|PAST_REF], the army has lost ground.
The bill may come up [this week|1998-W45].
The bill came up [last week|1998-W44].
The bill comes up [next week|1998-W46].
Over [the weekend|1998-W44-WE], three soldiers were killed.
[This weekend|1998-W45-WE], the teams will meet again.
It opened in [the summer of 1994|1994-SU].
It opened [last summer|1998-SU].
It will open [next spring|1999-SP].
The hearing was held on [Monday, Oct. 26|1998-10-26].
On [the night of Oct. 12|1998-10-12TNI], the ferry sank.
The ferry sank at [about 3 a.m.|1998-11-02T03:00], the owner said.
The ferry sank in [the early morning hours|1998-11-02TMO].
Orders fell 2 percent in [September|1998-09] from [August|1998-08].
Output fell in [the fourth quarter of 1997|1997-Q4].
Analysts expect a loss in [the fourth quarter|1998-Q4].
[Third-quarter|1998-Q3] profit fell 9 percent.
The year-earlier figure was for [the nine months|P9M] ended [June 30, 1997|1997-06-30].
The company reported a loss for [the latest quarter|1998-Q3].
They married in [December 1988|1988-12] and divorced [two years later|1990].
The tests were made in [May 1998|1998-05]; [the following month|1998-06] they stopped.
At [that time|], nobody objected.
The dam was built [half a century ago|1948].
The dam was built [decades ago|PAST_REF].
He spoke for [an hour and a half|PT1.5H].
They spent [the past two days|P2D] in talks.
[The coming days|PXD] will be hard.
It will happen in [the next few days|PXD].
The figures are for [the month of September|1998-09].
In [January|1998-01] and [February|1998-02], it snowed.
The Cold War ended [almost a decade ago|1988].
Not until [Oct. 22, 1962|1962-10-22], did he speak.
[Tonight|1998-11-02TNI] the council meets.
[This morning|1998-11-02TMO], shares were lower.
[This afternoon|1998-11-02TAF] the jury returns.
Shares were lower [Monday afternoon|1998-11-02TAF].
The [1996|1996] campaign cost $200 million.
The [November|1998-11] election will be close.
He was the [1988|1988] nominee.
The two-year-old company has no profit.
Shares closed at 31 1/8 on [10/30/98|1998-10-30].
NAIROBI, Kenya (AP) _ A bomb exploded here [Friday|1998-10-30], killing at least 60.
BEIJING, [October 31|1998-10-31] (Xinhua) -- Output rose in [the first ten months|P10M].
Net fell 3 percent from [the year-earlier period|1997].
[Nine-month|P9M] net was $41 million.
The bureau will issue the report at [8:30 a.m. EST Thursday|1998-11-05T08:30].
Prices fell in [mid-October|1998-10].
It was common in [the mid-1990s|199].
The company was sold [late last year|1997].
Talks broke down [early this week|1998-W45].
Police freed him [later in the day|1998-11-02].
He was arrested and freed [the same day|1998-11-02].
Police found the car [minutes later|FUTURE_REF].
By [the end of the decade|199], all will be gone.
It is the worst storm of [this decade|199].
It is the worst storm of [the 20th century|19].
In [the last two weeks|P2W], 40 people have died.
[Sunday's|1998-11-01] vote was calm.
The loan runs over [a three-year|P3Y] period.
Shops are full before [Thanksgiving|1998-11-26].
On [the morning of Nov. 1|1998-11-01TMO], the train stopped.
The index fell 40 points, after a fall of 60 [the day before|1998-11-01].
The index rose 12 points from [a day earlier|1998-11-01].
It fell on [Oct. 28|1998-10-28] and had risen [the previous day|1998-10-27].
So far [this year|1998], 30 banks have failed.
Fighting resumed [two hours|PT2H] after the truce.
The bridge took [four years|P4Y] and $3 million.
The law of [1949|1949] was repealed [40 years later|1989].
The [six-month|P6M] inquiry ended [Oct. 1|1998-10-01].
He has run the club since [1995|1995].
He ran the club from [1985|1985] to [1995|1995].
The men were shot at [about 9:45 p.m. Sunday|1998-11-01T21:45].
The company plans a stock split by [Dec. 15|1998-12-15].
Sales in [October 1997|1997-10] were $9 million.
The [Oct. 19, 1987|1987-10-19], crash cost him his job.
The Dow has gained 11 percent since [the beginning of the year|1998].
He was born [Aug. 3, 1941|1941-08-03].
The plane left at [noon|1998-11-02T12:00].
The company said it will report earnings within [two weeks|P2W].
Polls close at [8 p.m.|1998-11-02T20:00].
The drug is taken for [up to six months|P6M].
They will meet again [a month from now|1998-12].
[Two months ago|1998-09], he quit.
[Last year|1997]'s loss was $2 million.
[Last year's fourth-quarter|1997-Q4] loss was larger.
He spent the [1992|1992] season in Detroit.
He has worked there since [1990|1990].
"""

MARKED = re.compile(r"\[([^|\]]+)\|([^\]]*)\]")
WRITTEN = When.day(1998, 11, 2)


def read_marked(sentence: str) -> Tagged:
    """A sentence without its marks, and where they were."""
    text, spans, place = "", [], 0
    for mark in MARKED.finditer(sentence):
        text += sentence[place : mark.start()]
        spans.append((len(text), len(text) + len(mark[1]), mark[2]))
        text, place = text + mark[1], mark.end()
    return Tagged(text + sentence[place:], spans, str(WRITTEN))


def found_in(report: Tagged) -> list[Span]:
    return [(one.start, one.end, one.value) for one in dates_in(report.text, on=WRITTEN)]


def test_the_dates_of_reports_are_found_with_their_values() -> None:
    reports = [read_marked(line) for line in REPORTS.strip().splitlines()]
    found = figures(reports, found_in)
    assert found.relaxed > 0.98
    assert found.relaxed_value > 0.97
