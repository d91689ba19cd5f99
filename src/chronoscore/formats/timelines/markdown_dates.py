"""Which date a line of Markdown stands for, and what it says about it."""

import re
from dataclasses import dataclass

from chronoscore import lazy
from chronoscore.core import When
from chronoscore.dates.days import MONTHS, calendar_day
from chronoscore.dates.folding import fold
from chronoscore.dates.forms import follows_day, starts_with_week
from chronoscore.dates.labels import label_date, line_label, tells_more
from chronoscore.dates.numbers import looks_dated
from chronoscore.dates.openings import Opening, opening_date
from chronoscore.dates.ranges import SEPARATOR
from chronoscore.dates.stated import find_stated_dates, stated_date
from chronoscore.dates.tongues import fold_dates
from chronoscore.dates.vocabulary import ORDINAL_ENDING
from chronoscore.errors import DataError
from chronoscore.formats.timelines.field_names import is_date_name, without_label
from chronoscore.formats.timelines.markdown_lines import split_markdown_emphasis, strip_markdown
from chronoscore.formats.timelines.years import year_for_bare_dates
from chronoscore.options import DateOrder

_SYMBOLS = lazy.pattern(r"[^\w\s\[(*_`~'\"“<&$€£#|\\-]+\s*")
_NUMBERED = lazy.pattern(r"(?:\(?\d{1,3}[.)]|[ivxIVX]{1,5}\.|\(?[A-Za-z]\)|[A-Z]\.)\s+(?=\S)")
_COUNTED = lazy.pattern(
    r"(?:day|week|month|phase|step|stage|part|event|tag|woche|jour|semaine|día|semana|dia|giorno"
    r"|settimana|dag|week|день|неделя|第)\s*\d{1,3}\s*(?:[天周日])?\s*(?:[:–—,-]\s*|(?=[(\[]))",
    re.IGNORECASE,
)
_VERSION = lazy.pattern(
    r"(?:\[v?\d+(?:\.\d+)+[^\]\s]*\]|v\d+(?:\.\d+)+\S*)\s*(?:[:–—,-]\s*|(?=[(\[]))"
)
"""The number of a release before its date."""
_LONGEST_DATE = 120
_FIGURES = lazy.pattern(r"\d{4}.*|\d{1,2}[./-]\d{1,2}[./-]?(?:\d{4})?")
_NUMBER_FIRST = lazy.pattern(r"\W{0,6}[^\W\d_]{0,3}['’]?\d")
_LABEL_WITH_NUMBER = lazy.pattern(rf"[^:：–—]{{0,40}}\d[^:：–—]{{0,20}}(?:{SEPARATOR})")
_YEAR_FIRST = lazy.pattern(r"\W{0,3}(?:1\d|20)\d\d(?!\d|[.,]\d)\W")
_BETWEEN = lazy.pattern(r"(?<=;)\s+|\s+(?:→|➔|➜|⟶|⇒|->|=>)\s+")
_BEHIND = lazy.pattern(rf"\s*(?:{SEPARATOR}|[,;.](?=\s|$))*\s*")
_CLOSING = lazy.pattern(
    r"(?P<head>.+?)\s*[(\[（【](?P<date>[^()\[\]（）【】]+)[)\]）】]\s*"
    r"(?:[.;]?$|(?P<mark>[:：–—]|-(?=\s)|[.!](?=\s))\s*(?P<rest>.*))"
)
_BOLD_END = lazy.pattern(
    r"(?P<head>.*\S)\s*(?P<mark>\*\*\*|\*\*|__|\*|_)(?P<date>[^*_]{4,60})(?P=mark)[.;]?\s*"
)
_TRAILING = lazy.pattern(r"(?P<head>.+?)\s*(?:[–—|→]|\s-|,\s(?=\S+ \d))\s*(?P<date>[^–—|→]{6,40})")
_DAY = lazy.pattern(
    rf"(?:the\s+|(?:el\s+)?d[ií]a\s+|giorno\s+)?(?P<day>\d{{1,2}})\.?(?:{ORDINAL_ENDING}|日|일)?"
    rf"(?P<more>\s*(?:[–—-]|&|and|to)\s*\d{{1,2}}(?:{ORDINAL_ENDING}|日|일)?)?"
    r"\s*(?:(?:–|—|--?)\s+|:(?!\d)\s*|$)(?P<text>.*)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class DatedLine:
    """A line's date and its text.

    It is `labelled` where it says "Date:" in front, and `titled` where the text may be the title
    of what follows: "Recovery (2009–2010)".
    """

    opening: Opening
    text: str
    labelled: bool = False
    titled: bool = False

    @property
    def when(self) -> When:
        """The date."""
        return self.opening.when

    @property
    def yearless(self) -> bool:
        """Whether the year stood elsewhere."""
        return self.opening.yearless

    @property
    def exact(self) -> bool:
        """One day and no range: nothing below the line can say it more exactly."""
        return self.when.grain == "day" and not (self.opening.ranged or self.opening.hedged)


def read_markdown_line_date(
    text: str,
    year: str,
    *,
    prose: bool = False,
    listed: bool = True,
    order: DateOrder | None = None,
) -> DatedLine | None:
    """The date that a line opens with, in bold, in brackets or bare, or closes with in brackets.

    A line that is no list item needs a colon or a dash behind its date, unless `prose` is
    wanted: sentences that begin with a date.
    """
    marked = text
    if (found := _SYMBOLS.match(text)) and found.end() < len(text):
        marked = text[found.end() :]
    if marked.startswith("&#"):
        return None
    bold = split_markdown_emphasis(marked)
    plain = strip_markdown(marked)
    if listed and bold and _is_title(bold, year, order):
        dated = _closing(plain, year, order=order)
        if dated is not None:
            return dated
    elif bold and (dated := _bold_date(bold, marked, year, listed=listed, order=order)):
        return dated
    counted = _without_counter(plain)
    bare = without_label(counted, is_date_name)
    found_date = opening_date(bare, year, order)
    if found_date is None and (closing := _bold_end(marked, year, order)):
        return closing
    if found_date is None:
        closing = _closing(plain, year, order=order, titled=bool(bold)) if listed else None
        return closing or _labelled(bare, year, order)
    if not (found_date.strong or _numeric(found_date) or (listed or prose)):
        return None
    if not listed and found_date.spoken and not found_date.rest and bare.endswith("."):
        return None  # "Until March." says how long something lasted
    cut = found_date.strong or _numeric(found_date)
    cut = cut or found_date.label or (found_date.separated and not found_date.spoken)
    cut = cut or found_date.rest.startswith(("(", "["))
    return DatedLine(found_date, found_date.rest if cut else bare, bare != counted)


def _labelled(text: str, year: str, order: DateOrder | None) -> DatedLine | None:
    """The date in the label that a line begins with, among words that we do not know."""
    date = line_label(text, year, order)
    return None if date is None else DatedLine(date, date.rest)


def _is_title(bold: tuple[str, str], year: str, order: DateOrder | None) -> bool:
    """Whether the year that a line begins with in italics is the name of a work."""
    inside, rest = map(strip_markdown, bold)
    date = opening_date(inside, year, order)
    if date is None or date.when.grain in ("day", "month"):
        return False
    return bool(date.rest or (rest and rest[0].isalpha()))


def _bold_date(
    bold: tuple[str, str], marked: str, year: str, *, listed: bool, order: DateOrder | None
) -> DatedLine | None:
    """The date of a line that begins in bold: in the bold part, or right behind it."""
    inside = strip_markdown(bold[0])
    if (found := _SYMBOLS.match(inside)) and found.end() < len(inside):
        inside = inside[found.end() :]
    counted = _without_counter(inside)
    inner = without_label(counted, is_date_name)
    date = _whole(inner.rstrip(" :：.,–—-"), year, order)
    rest = _BEHIND.sub("", strip_markdown(bold[1]), count=1)
    if date is not None:
        return DatedLine(date, rest, inner != counted)
    if not inner and (date := _whole(rest.rstrip(" :：.,–—-"), year, order)):
        return DatedLine(date, "", labelled=True)
    if listed and opening_date(inner, year, order) is None:
        date = opening_date(rest, year, order)
        if date is not None and date.when.grain in ("day", "month"):
            whole = strip_markdown(marked)
            boxed = _closing(whole, year, order=order) if rest[:1] in "([" else None
            return boxed or DatedLine(date, whole)
    return None


def _bold_end(marked: str, year: str, order: DateOrder | None) -> DatedLine | None:
    """A day or a month in bold at the end of a line."""
    found = _BOLD_END.fullmatch(marked)
    if found is None:
        return None
    date = _whole(strip_markdown(found["date"]).strip("()[] .:;,"), year, order)
    if date is None or date.when.grain not in ("day", "month"):
        return None
    return DatedLine(date, strip_markdown(found["head"]).rstrip(" –—-|→("))


def split_dated_markdown_line(text: str, order: DateOrder | None = None) -> list[str]:
    """The parts of a line that are each dated: "20 April 2010: …; 22 April 2010: …"."""
    parts: list[str] = []
    start = 0
    for between in _BETWEEN.finditer(text):
        try:
            piece = _without_counter(
                strip_markdown(text[between.end() : between.end() + _LONGEST_DATE])
            )
            date = opening_date(piece, "2000", order)
        except DataError:
            continue
        if date and date.strong and date.rest and date.when.grain == "day":
            parts.append(text[start : between.start()])
            start = between.end()
    return [*parts, text[start:]]


def sentence_date(
    text: str, year: str, order: DateOrder | None = None, *, alone: bool = False
) -> DatedLine | None:
    """The date that a sentence begins with or plainly states; the sentence stays whole.

    On a line that has it `alone`, a date that need be no part of it is a label.
    """
    date = stated_date(text, year, order)
    if date is None:
        return None
    cut = date.strong or (date.separated and not date.spoken) or (alone and date.label)
    return DatedLine(date, date.rest if cut else text)


def may_be_entry(text: str, *, among_others: bool) -> bool:
    """Whether a line without a date that we know was meant as an entry.

    It begins with a number or, `among_others`, with a date, has a number before a colon or a dash,
    or a day inside.
    """
    if text.rstrip().endswith((":", "：")):
        return False
    if _NUMBER_FIRST.match(text):
        return True
    label = _LABEL_WITH_NUMBER.match(text) is not None
    label = label or begins_dated(text)
    return among_others and (label or any(date.point.day for date in find_stated_dates(text)))


def begins_dated(text: str, order: DateOrder | None = None) -> bool:
    """Whether a line that is taken as text begins with a date all the same."""
    try:
        date = opening_date(text, "2000", order)
    except DataError:
        return True
    return date is not None or _YEAR_FIRST.match(text) is not None


def _without_counter(text: str) -> str:
    """A text without "3.", "Day 2:" or "[1.2.0]" in front of its date; "3. Mai" stays whole."""
    if (found := _NUMBERED.match(text)) and not follows_day(fold_dates(text[found.end() :])):
        text = text[found.end() :]
    if (found := _VERSION.match(text)) and looks_dated(text[found.end() : found.end() + 12]):
        text = text[found.end() :]
    if (found := _COUNTED.match(text)) and looks_dated(text[found.end() : found.end() + 12]):
        text = text if starts_with_week(fold_dates(text)) else text[found.end() :]
    return text


def read_markdown_heading_date(
    text: str, year: str, order: DateOrder | None = None
) -> DatedLine | None:
    """The date in brackets at the end of a heading, or that it is with words beside it."""
    if text.startswith("&#"):
        return None
    plain = strip_markdown(text)
    closing = _closing(plain, year, order=order)
    label = None if closing else label_date(plain, year, order, line=True)
    if label is None:
        return closing
    return DatedLine(label, plain if tells_more(plain, order) else "")


def read_markdown_item_day(month: When, text: str) -> DatedLine | None:
    """The day that an item under the heading of a month begins with, as in "20: …"."""
    found = None if text.startswith("&#") else _DAY.fullmatch(fold(strip_markdown(text)))
    if found is None:
        return None
    when = When.parse(
        f"{found['day']} {MONTHS[calendar_day(month.first)[1] - 1]} {year_for_bare_dates(month)}"
    )
    opening = Opening(when, found["day"], "", strong=True, hedged=True, ranged=bool(found["more"]))
    return DatedLine(opening, strip_markdown(text)[found.start("text") :])


def _whole(text: str, year: str, order: DateOrder | None) -> Opening | None:
    """A text that is a date and nothing else; three digits in bold are a year, which is noted."""
    if text.isdigit() and len(text) == 3 and text[0] != "0":
        return Opening(When.year(int(text)), text, "", strong=True, hedged=True)
    if not text or (text.isdigit() and len(text) != 4):
        return None
    try:
        return Opening(When.parse(text), text, "", strong=True)
    except DataError:
        return label_date(text, year, order, line=True)


def _closing(
    text: str, year: str, *, order: DateOrder | None = None, titled: bool = False
) -> DatedLine | None:
    """The date in brackets at the end of a line or of its title, or a day behind a dash there.

    In brackets behind other words than a title in bold, "(1699):" may be a number.
    """
    for pattern in (_CLOSING, _TRAILING):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        try:
            date = _in_brackets(found["date"].strip(" .;"), year, order)
        except DataError:
            continue
        if date is None or date.rest or (pattern is _TRAILING and date.when.grain != "day"):
            continue
        rest = found["rest"] or "" if pattern is _CLOSING else ""
        if rest and date.when.grain not in ("day", "month") and not titled:
            continue
        mark = found["mark"] if rest and found["mark"] in ".!" else ":"
        text = f"{found['head']}{mark} {rest}" if rest else found["head"]
        return DatedLine(date, text, titled=date.when.grain not in ("day", "month"))
    return None


def _in_brackets(text: str, year: str, order: DateOrder | None) -> Opening | None:
    """A date in brackets, "due: 3 May"; a name before a day may be that of a source."""
    label_words, colon, behind = text.partition(": ")
    if colon and label_words.isalpha() and label_words.islower():
        text = behind
    date = opening_date(text, year, order)
    if date is not None and not date.rest:
        return date
    label = label_date(text, year, order, line=True)
    return label if label and (label.when.grain == "year" or text[0].islower()) else None


def _numeric(found: Opening) -> bool:
    """Written in figures or with signs, so that it can be no part of a sentence."""
    if found.signed:
        return True
    return found.when.grain == "day" and _FIGURES.fullmatch(found.written) is not None
