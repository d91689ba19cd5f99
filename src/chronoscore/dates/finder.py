"""Dates in running English text: where they stand and which days they mean.

Rules of our own, light enough to run over thousands of sentences: words become classes,
forms of dates are patterns over classes, and each form has a reader (`absolute`,
`relative`) that resolves it against the document's date and the date last mentioned.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from chronoscore import lazy
from chronoscore.dates import absolute, clocks, lengths, periods, pointers, relative, years
from chronoscore.dates.context import Context, DateReading, FormReader, Scene
from chronoscore.dates.foreign import find_foreign_dates
from chronoscore.dates.points import Point
from chronoscore.dates.tokens import Tokens
from chronoscore.dates.when import When
from chronoscore.errors import UsageError, did_you_mean

Style: TypeAlias = Literal["auto", "news", "history"]
STYLES = ("auto", "news", "history")

_TAILS = (("old",), ("long",), ("of", "age"))
"""What may close a length of time: two years old."""

_PART = "(?:t?[eoVvx]?bft?|[evV]it?|t?e-?)"
"""the end of; the early part of the; early in; late; mid-"""
_OF_YEAR = "f[th]=?u|f?[lx]u"
"""of that same year; of next year; last year"""
_YEAR = f"(?:,?f?Y[BA]?|f?[HD]B|{_OF_YEAR})"
_DAY_MONTH = f"(?:W,?)?(?:t?[DO]f?|tof)[Mm](?:,?Y[BA]?|[HD]B|{_OF_YEAR})?"
_MONTH_DAY = f"(?:W,?)?[Mm]t?[DO](?![:B])(?:,?Y[BA]?|{_OF_YEAR})?"
_DATE = f"(?:{_DAY_MONTH}|{_MONTH_DAY})"
_POINTING = "(?:[th]?[lx]|t?=|h=?)"
"""last; the next; this past; the same; that same"""
_FEW = "(?:aqf?|n-?n|nnjn|n{1,5}|[DHQ]n?|qf?)"
_COUNT = f"(?:{_FEW}|an?)"
_PAST_YEAR = "(?:[lxh]u|Y'[.]|Y)"
"""last year's; 1988's"""
_FISCAL = "(?:J(?:u(?=[oO]))?)"
_OF_THE_YEAR = f"(?:{_YEAR}|fJu?Y|f[th]u|hu)"
_YEAR_BEHIND = f"(?:{_OF_THE_YEAR}|au[gV])"
_A_YEAR_AGO = "(?:[lx]u|au[gV])"


class Form(NamedTuple):
    """A way to write a date: its pattern, and what reads it or refuses."""

    pattern: str
    read: FormReader


FORMS = {
    "iso": Form("I", absolute.read_iso),
    "numeric": Form("N", periods.read_numeric_date),
    "times_per_unit": Form("(?:L|[nD]X)[aE]u|t?[oOl][Wu]fEu", lengths.read_times_per_unit),
    "every": Form(f"E(?:[oO]|[.](?=u))?(?:{_FEW}U|u|Wp?|[MmSpy])", lengths.read_every_time_unit),
    "habit": Form("L?y", lengths.read_repeated_time),
    "year_in_words": Form("n-?n(?:-?n)?(?![uU-])", periods.read_year_in_words),
    "half_unit_ago": Form("d?(?:ba|ab-?)[uZ]g", periods.read_half_unit_ago),
    "half_unit": Form("t?d?(?:ba|ab-?)[uZ][vV]?|t[lx]b-?Z", lengths.read_half_unit),
    "quarter_century": Form("d?a?u(?:fa|-)Z[gvV]?", periods.read_quarter_century),
    "unit_and_half": Form(
        f"t?d?(?:{_COUNT}(?:-?j-?a-?b-?[uU]|ujab)|DD/D-?[uU])[gvV]?", periods.read_unit_and_half
    ),
    "final_quarter": Form("t?[.lb]uf?Y", periods.read_final_quarter),
    "fiscal_year": Form(f"(?:{_POINTING}|t?[rY]|t)Ju", periods.read_fiscal_year),
    "quarter": Form(
        f"(?:t?(?:J?{_PAST_YEAR})?{_FISCAL}?[oO]-?u|G){_YEAR_BEHIND}?", periods.read_quarter
    ),
    "fiscal": Form(f"{_PART}?t?J-?u?Y", years.read_year),
    "short_fiscal": Form("J'[DH]", years.read_short_year),
    "year_ago_period": Form("t?(?:u-[gV]|l-u)(?:[oO]?-?[uT])?", periods.read_year_ago),
    "year_end": Form("u-?b|e-u|[+]", periods.read_year_end),
    "half_year": Form(
        f"t?{_PAST_YEAR}[oO]-?b|t?[oO]-?b{_OF_THE_YEAR}|[oO]-b", periods.read_half_year
    ),
    "long_unit": Form("[uU]-[.]|~", lengths.read_long_unit),
    "clock": Form(
        f"d?(?:C(?:-?P|itp)?|[DQ]P|[QHY](?=z)|[nD]@(?:itp)?|[nD]itp)z?"
        f"(?:[.]T(?=[ji]?W))?(?:,?[ji]?(?:{_DATE}|Wp?)|R|[hl]p)?z?",
        clocks.read_clock,
    ),
    "hour_of_day": Form(f"p(?:,?j?(?:{_DATE}|Wp?)|R)", clocks.read_hour_of_day),
    "hours": Form(f"t?eUf(?:{_DATE}|Wp?)", clocks.read_hours),
    "daypart_of_date": Form(f"(?:e(?:it)?)?t?e?pU?f{_DATE}", clocks.read_daypart_of_date),
    "day_before_day": Form("(?:t?pf)?[DO](?=(?:-|j|/)[DO]f?[Mm])", absolute.read_day_before_day),
    "date": Form(_DATE, absolute.read_date),
    "day_after_day": Form(
        "(?<=[MmDO][DO][-/j])[DO](?:,Y)?(?![UunZ$%])", absolute.read_day_after_day
    ),
    "month": Form(f"{_PART}?[Mm]{_YEAR}", absolute.read_month),
    "season": Form(f"{_PART}?(?:{_POINTING}|t)?e?(?:[Ss]{_YEAR}|S)", absolute.read_season),
    "fall": Form(f"(?:{_PART}|{_POINTING}|(?<=[ij])t)s(?!f)", absolute.read_season),
    "era": Form(f"{_PART}?d?(?:[YHDQ]B|A[YHD]|[YHD]A)", years.read_era),
    "year_before_era": Form("d?[YHD](?=(?:-|j)d?[YHD]B)", years.read_year_before_era),
    "decade": Form(f"{_PART}?t?(?:K|(?<=[te-])k)[BA]?", years.read_decade),
    "century": Form(f"{_PART}?t?e?-?[oO]-?Z[BA]?", years.read_century),
    "century_before_century": Form("t?[oO](?=(?:-|j)t?[oO]-?Z)", years.read_century_before_century),
    "bare_year_of_era": Form(f"{_PART}?H(?![UuZ.n])", years.read_bare_year_of_era),
    "year_after_year": Form("(?<=Y[-/])[DH]", years.read_year_after_year),
    "short_year": Form("(?<=[Mmjif])'[DH](?!')", years.read_short_year),
    "year": Form(f"(?:{_PART}|t[uU])?d?Y", years.read_year),
    "part_of_month": Form(f"t[oOl]?uf[Mm]{_YEAR}?", absolute.read_part_of_month),
    "day_of_month": Form("tO", absolute.read_day_of_month),
    "bare_month": Form(f"(?:{_PART}|{_POINTING})?[Mm]", absolute.read_bare_month),
    "holiday": Form(f"&{_YEAR}?", absolute.read_holiday),
    "festival": Form(f"[lxh]?F[Wu]?{_YEAR}?", absolute.read_festival),
    "from_now": Form(f"d?{_COUNT}[uU]j[rRW]", relative.read_from_now),
    "weekday_of_week": Form("Wp?f[lxh]u", relative.read_weekday_of_week),
    "weekday": Form("(?:[th]?[lx]|[heVv])?Wp?", relative.read_weekday),
    "offset_from_day": Form(f"d?{_COUNT}[uU]g(?:[WR]|hu)", relative.read_offset_from_day),
    "offset": Form(f"d?{_COUNT}[uUZ][gvV<>l]", relative.read_date_offset),
    "vague_offset": Form("[UZ][gvV]", relative.read_vague_offset),
    "span_of_units": Form(
        f"t?[lxoh]o?d?{_COUNT}?[UZ]|t{_COUNT}[lx]U|t[lx]{_FEW}[.]U", lengths.read_duration
    ),
    "whole_span": Form(f"t[._]{_FEW}U", lengths.read_whole_span),
    "night_before": Form("tp[<>]", relative.read_neighboring_time_unit),
    "morning_hours": Form(f"(?:{_POINTING}|t)?(?:e-?)?pU", clocks.read_morning_hours),
    "daypart": Form(f"(?:[evV](?:it)?)?(?:{_POINTING}|t[oO]?)?(?:e-?)?p", clocks.read_daypart),
    "same_unit": Form(f"t=[uT](?:{_A_YEAR_AGO}|[fi]Y)", relative.read_same_unit),
    "unit": Form(
        f"(?:{_PART}|[vV])?{_POINTING}[uZ]|(?:t?[eoVvx]?bf|[evV]i)(?:t|h)=?u",
        relative.read_time_unit,
    ),
    "day_beside_day_word": Form("tu[<>]R", relative.read_day_beside_day_word),
    "unit_before_last": Form("tu(?:<l|>x)", relative.read_unit_before_last),
    "neighbour": Form("tu[<>x]", relative.read_neighboring_time_unit),
    "day_word": Form("[eVv]?R(?:p|j?W)?", relative.read_day_word),
    "compound": Form("(?:n-?n|n|[DHQ])-u(?:-[.])?|(?<=[ta])[nD]u", lengths.read_compound_duration),
    "another_unit": Form("d[uZ]", lengths.read_another_unit),
    "two_units": Form(f"{_COUNT}[uU]j{_COUNT}[uU]", lengths.read_two_units),
    "duration": Form(f"t?d?{_COUNT}[uUZ]|t?d?Y[UZ]|t?d?{_FEW}[.]U", lengths.read_duration),
    "bare_units": Form("t?U", lengths.read_bare_units),
    "recent_units": Form("t?rU", pointers.read_recent_units),
    "the_past": Form("t[.r]?l", pointers.read_the_past),
    "some_time_ago": Form("qTg", pointers.read_some_time_ago),
    "phrase": Form("tT[.]|t[.]u", pointers.read_phrase),
    "at_present": Form("tT|c", pointers.read_at_present),
    "whole_unit": Form("_u|[ta]_u", lengths.read_whole_unit),
    "weekend": Form(
        f"(?:{_PART}|[vV])?(?:{_POINTING}|tr?|t[.]r)u|t?[eoVvx]?bf[th]=?u",
        periods.read_weekend_or_quarter,
    ),
    "current_unit": Form("(?:t[.]?)?ru", periods.read_current_unit),
    "the_unit": Form("tu", periods.read_the_unit),
    "pointer": Form("t[.r]?r|=?r|t?cu|jhu", pointers.read_time_pointer),
    "some_time": Form("(?:h|t=)T", pointers.read_some_time),
}
"""The forms of English dates; a pattern is over the letters of `tokens`.

The first form that fits at the leftmost place wins, so longer and surer forms come first;
where its reader refuses, the later ones are tried.
"""

START = lazy.pattern(
    r"[^X@Tfi<>gwz,/($%PB;.\n](?:(?<=[halxdevVboJL_='-])(?![.;,w\n])|(?<=u)(?=[-bf])|(?<=j)(?=h)"
    r"|(?<=t)(?![;,wfij\n]|[.](?![DHQalnqru]))|(?<![halxdevVboJL_='tuj-]))"
)
"""Where a form may begin; most places are passed without trying any."""
_PATTERNS = [(lazy.pattern(form.pattern), form.read) for form in FORMS.values()]
_STRETCH = lazy.pattern(r"(?:[^.;\nw($%]|(?<=[tE'T-])\.|\.(?=[UTu])){1,30}.?", re.DOTALL)
"""The tokens that tell which forms fit at their beginning, one behind the longest of them."""
_BEFORE = {**dict.fromkeys("-/j", 3), **dict.fromkeys("iteaMmf", 1)}
"""How many tokens before a place matter too, by the one next to it."""


class DateMention(NamedTuple):
    """A date in a text: its characters from `start` to `end`, the day it means, its TIMEX3 value.

    `when` is None for what no calendar page shows: lengths of time, "now", "at night". A
    week is given as the month that holds most of it, a season as its year. `value` is
    empty where the words point at a time without saying which.
    """

    start: int
    end: int
    when: When | None
    value: str
    repeated: bool = False

    @property
    def type(self) -> str:
        """The TIMEX3 type: DATE, TIME, DURATION or, for what repeats, SET."""
        if self.repeated:
            return "SET"
        if self.value.endswith("_REF"):
            return "DATE"
        if self.value.startswith("P"):
            return "DURATION"
        return "TIME" if "T" in self.value else "DATE"


def dates_in(
    text: str, *, on: When | None = None, style: Style = "auto", ages: bool = False
) -> list[DateMention]:
    """Find the dates of a text, in order; `on` is the day on which it was written.

    English is read in full; of other languages, dates that are written out.

    News speaks from its own date, history from the date last told. `auto` takes a text
    for history if it has no date of its own, or if most of its years are far from it. In news
    the age of a "two-year-old" is left out unless `ages` asks for it.

    >>> [m.value for m in dates_in("It rained yesterday.", on=When.day(2010, 5, 1))]
    ['2010-04-30']
    """
    if style not in STYLES:
        raise UsageError(f"unknown style '{style}'; {did_you_mean(style, STYLES)}")
    tokens = Tokens(text)
    document = Point.of(on) if on is not None else None
    history = style == "history" or (style == "auto" and _tells_history(tokens, document))
    day_first = periods.writes_day_first(tokens.of_kind("N"))
    scene = Scene(document, history, day_first=day_first, ages=ages)
    mentions = list(_find_mentions(tokens, scene))
    foreign = [
        DateMention(*date) for date in find_foreign_dates(text, document.year if document else None)
    ]
    if not foreign:
        return mentions
    # What English makes of a date in another language, such as its year alone, is left out.
    apart = [
        one
        for one in mentions
        if all(one.end <= date.start or date.end <= one.start for date in foreign)
    ]
    return sorted([*apart, *foreign])


def _tells_history(tokens: Tokens, document: Point | None) -> bool:
    """Whether a text speaks of other years than its own, and not from its own day on.

    News says "on Friday" or "a week ago" of the week before; histories hardly do.
    """
    if document is None:
        return True
    years = [token.number for token in tokens.of_kind("Y") if token.number >= 1400]
    far = sum(abs(year - document.year) > 1 for year in years)
    classes = tokens.classes
    spoken = classes.count("W") + classes.count("g")
    told = len(years) >= 4 and 2 * far > len(years) and 10 * spoken < len(years)
    return told or classes.count("B") > len(years)


def _find_mentions(tokens: Tokens, scene: Scene) -> Iterator[DateMention]:
    """Walk through the text; each date found moves the scene on."""
    place = 0
    while start := START.search(tokens.classes, place):
        place = start.start()
        reading, end = _first_reading(tokens, place, scene)
        if reading is None:
            place += 1
            continue
        if reading.point is not None:
            scene.focus = reading.point
        if reading.value.startswith("P") and not reading.value.endswith("_REF"):
            end = _with_tail(tokens, end)
        when = reading.point.when if reading.point is not None else None
        own = tokens.between(place, end)
        yield DateMention(own[0].start, own[-1].end, when, reading.value, reading.repeated)
        place = end


def _first_reading(tokens: Tokens, place: int, scene: Scene) -> tuple[DateReading | None, int]:
    """Read by the first form that fits and whose reader does not refuse."""
    stretch = _STRETCH.match(tokens.classes, place)
    before = tokens.classes[max(0, place - _BEFORE.get(tokens.classes[place - 1], 0)) : place]
    for read, length in _forms_at(before + stretch[0], len(before)) if stretch else ():
        end = place + length
        reading = read(tokens.between(place, end), Context(scene, tokens, place, end))
        if reading is not None:
            return reading, end
    return None, place


@lru_cache(maxsize=1 << 14)
def _forms_at(classes: str, place: int) -> list[tuple[FormReader, int]]:
    """The readers of the forms that fit at a place, each with the length of its form."""
    found = ((pattern.match(classes, place), read) for pattern, read in _PATTERNS)
    return [(read, match.end() - place) for match, read in found if match]


def _with_tail(tokens: Tokens, end: int) -> int:
    """Take in "old" or "of age" behind a length of time."""
    words = tuple(token.word for token in tokens.between(end, end + 2))
    return end + max((len(tail) for tail in _TAILS if words[: len(tail)] == tail), default=0)
