"""Dates that a sentence counts from the one before: "Two days later", "The next morning".

Only what leaves no choice is counted. "A few days later" or "On Thursday" name no date that a
reader could write down; they are found too, so that they can be reported.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.days import calendar_day
from chronoscore.dates.east_asian import read_number
from chronoscore.dates.folding import fold
from chronoscore.dates.when import When
from chronoscore.errors import DataError

Unit: TypeAlias = Literal["day", "week", "month", "year", ""]


@dataclass(frozen=True, slots=True)
class Later:
    """A time counted from another: this many units after it; without a unit it is not known.

    A `count` of 0 is the same day, month or year. `day` is a day of the same month ("the 24th").
    """

    written: str
    end: int
    count: int = 0
    unit: Unit = ""
    day: int = 0

    def after(self, anchor: When) -> When | None:
        """The date, counted from another one; nothing where that is too coarse or it is unsure."""
        fine = {"day": ("day",), "week": ("day",), "month": ("day", "month")}
        year, month, day = calendar_day(anchor.first)
        if not self.unit or year < 1:
            return None
        known = self.day and anchor.grain == "month"
        if not known and anchor.grain not in fine.get(self.unit, ("day", "month", "year")):
            return None
        try:
            if self.day:
                return When.day(year, month, self.day) if known or self.day >= day else None
            if self.unit == "year":
                return When.year(year + self.count)
            if self.unit == "month":
                months = 12 * year + month - 1 + self.count
                return When.month(months // 12, months % 12 + 1)
            return anchor.shift(self.count * (7 if self.unit == "week" else 1))
        except DataError:
            return None


_NUMBERS = {
    word: number
    for number, same in enumerate(
        (
            "a an one ein eine einen einem einer un une uno una um uma een один одну одна одной",
            "two zwei deux dos dois duas due twee два две двух",
            "three drei trois tres tre drie три трех",
            "four vier quatre cuatro quatro quattro четыре четырех",
            "five funf cinq cinco cinque vijf пять пяти",
            "six sechs seis sei zes шесть шести",
            "seven sieben sept siete sete sette zeven семь семи",
            "eight acht huit ocho oito otto восемь восьми",
            "nine neun neuf nueve nove negen девять девяти",
            "ten zehn dix diez dez dieci tien десять десяти",
            "eleven elf onze once undici",
            "twelve zwolf douze doce doze dodici twaalf двенадцать",
        ),
        1,
    )
    for word in fold(same).split()
}
_UNIT_WORDS: tuple[tuple[Unit, str], ...] = (
        ("day", "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen "
                "день дня дней"),
        ("week", "week weeks woche wochen semaine semaines semana semanas settimana settimane "
                 "weken неделя недели недель неделю"),
        ("month", "month months monat monate monaten mois mes meses mês mese mesi maand maanden "
                  "месяц месяца месяцев"),
        ("year", "year years jahr jahre jahren an ans année années año años ano anos anno anni "
                 "jaar jaren год года годы лет"),
)  # fmt: skip
UNITS: dict[str, Unit] = {fold(word): unit for unit, same in _UNIT_WORDS for word in same.split()}
"""Words for lengths of time, folded."""
_N = rf"(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_U = rf"(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})(?!\w)"
_AFTER = (
    r"(?:later|afterwards?|after(?: that)?(?=,)|thereafter|später|danach|darauf|plus tard|après"
    r"|después|más tarde|depois|mais tarde|dopo|più tardi|daarna|erna|спустя)(?!\w)"
)
_AFTER_SIGNS = r"\s?(?:之?[后後]|후|뒤)"
_ALREADY = (
    r"(?:(?:then|and|but|just|only|exactly|barely|genau|nur|schon|bereits|seulement|à peine|solo"
    r"|apenas|appena|slechts|лишь|всего|уже),?\s+)*"
)
_ABOUT = (
    r"(?:about|around|some|nearly|almost|roughly|etwa|rund|knapp|fast|environ|près de|unos|unas"
    r"|casi|quase|cerca de|circa|quasi|ongeveer|bijna|примерно|около)"
)
_SOME = (
    r"(?:a few|several|some|many|einige|wenige|mehrere|ein paar|quelques|plusieurs|pocos|pocas"
    r"|varios|varias|algunos|alguns|algumas|alcuni|alcune|pochi|enkele|через несколько|несколько)"
)
_FIGURE = "(?P<number>[0-9一二三四五六七八九十两兩]{1,3})"


def _compile(pattern: str) -> re.Pattern[str]:
    return lazy.pattern(rf"(?:{fold(pattern)})", re.IGNORECASE)


_COUNTED: list[tuple[re.Pattern[str], Unit]] = [
    (_compile(rf"{_ALREADY}{_N}\s+{_U}\s+{_AFTER}"), ""),
    (_compile(rf"(?:{_ALREADY}через|спустя)\s+(?:{_N}\s+)?{_U}"), ""),
    (_compile(rf"{_FIGURE}\s?(?:天|日|일){_AFTER_SIGNS}"), "day"),
    (_compile(rf"{_FIGURE}\s?(?:个?星期|個星期|周|週間?|주일?){_AFTER_SIGNS}"), "week"),
    (_compile(rf"{_FIGURE}\s?(?:个月|個月|[かヶカケ]月|개월){_AFTER_SIGNS}"), "month"),
    (_compile(rf"{_FIGURE}\s?(?:年|년){_AFTER_SIGNS}"), "year"),
]
"""Forms with a number of units; the unit is a group of the form or is next to it."""

_NAMED: list[tuple[re.Pattern[str], int, Unit]] = [
    (
        _compile(
            _ALREADY + r"(?:(?:on )?the (?:very )?(?:next|following) (?:day|morning|afternoon"
            r"|evening|night)|the day after(?=,)|am (?:nächsten|folgenden) (?:tag|morgen|abend)"
            r"|tags darauf"
            r"|am tag (?:darauf|danach)|(?:dès )?le lendemain(?: matin| soir)?|le jour suivant"
            r"|al día siguiente|no dia seguinte|il giorno (?:dopo|seguente|successivo)"
            r"|(?:op )?de (?:volgende dag|dag (?:erna|daarna|erop))"
            r"|на следующий день|на следующее утро|و?في اليوم التالي)(?!\w)"
            r"|第二天|次日|翌日|隔天|다음\s?날|이튿날"
        ),
        1,
        "day",
    ),
    (_compile("이틀" + _AFTER_SIGNS), 2, "day"),
    (_compile(r"و?بعد يومين(?!\w)"), 2, "day"),
    (_compile(r"و?بعد أسبوع(?!\w)"), 1, "week"),
    (
        _compile(
            r"(?:(?:later )?(?:on )?(?:that (?:same )?|the same )(?:day|morning|afternoon|evening"
            r"|night)"
            r"|(?:noch )?am (?:selben|gleichen) (?:tag|abend)|le (?:même jour|soir même)"
            r"|(?:el |ese )mismo día|ese día|no mesmo dia|lo stesso giorno|(?:op )?dezelfde dag"
            r"|в тот же (?:день|вечер)|و?في اليوم نفسه)(?!\w)|同日|同一天|当天|當天|같은\s?날"
        ),
        0,
        "day",
    ),
    (_compile(r"(?:later (?:that|the same|in the) month|im selben monat)(?!\w)"), 0, "month"),
    (
        _compile(
            r"(?:(?:in )?the (?:next|following) month|im (?:nächsten|folgenden) monat"
            r"|le mois suivant|al mes siguiente)(?!\w)"
        ),
        1,
        "month",
    ),
    (_compile(r"(?:later (?:that|the same|in the) year|im selben jahr)(?!\w)"), 0, "year"),
    (
        _compile(
            r"(?:(?:in )?the (?:next|following) year|im (?:nächsten|folgenden) jahr"
            r"|l'année suivante|al año siguiente)(?!\w)"
        ),
        1,
        "year",
    ),
]  # fmt: skip
"""Forms without a number, with what they say."""

_VAGUE = _compile(
    rf"(?:{_ABOUT} {_N}\s+|{_SOME} )?{_U}\s+{_AFTER}"
    rf"|{_SOME} (?:{'|'.join(UNITS)})(?!\w)(?=,| спустя)"
    rf"|через несколько (?:{'|'.join(UNITS)})(?!\w)"
    rf"|(?:on |am |le |el |the (?:next|following) )(?:{words.WEEKDAY})(?=,|\s+[^\W\d])"
    r"|(?:the (?:next|following) (?:week|weekend)|(?:shortly|soon) (?:after(?:wards?)?|thereafter)"
    r"|(?:kurz|bald) (?:darauf|danach)|peu (?:de temps )?après|poco después|pouco depois|poco dopo"
    r"|kort daarna|вскоре)(?!\w)|不久|几天后|幾天後|数日後|며칠\s?(?:후|뒤)"
)
"""Times after another that nobody can date."""

_LONE_DAY = _compile(
    r"(?:on the (?P<day>\d{1,2})(?:st|nd|rd|th)|am (?P<tag>\d{1,2})\.)(?=,|\s+[^\W\d])"
)
_TWO = str.maketrans("两兩", "二二")
_WORD = lazy.pattern(r"(?<!\w)\w")
_LONGEST = 60
"""A counted time is shorter than this."""
_STARTS = ("on ", "am ", "le ", "el ", "the ")
_HINTS = tuple(
    fold(
        "later after next follow same that danach darauf spater nachst folgend selben gleichen "
        "tard apres lendemain suivant meme despues siguiente mism ese depois seguinte mesmo dopo "
        "success stesso erna volgend zelfde soon"
    ).split()
)
_OTHER_WORDS = "спустя через следующ тот вскоре 第二天 不久 날 뒤 후 بعد اليوم"
_OTHER_HINTS = (*_OTHER_WORDS.split(), *"后後同当當次翌隔")
"""What every counted time has in it somewhere."""


def read_later(text: str) -> Later | None:
    """The counted time that a sentence begins with.

    >>> later = read_later("Two days later, the rig sinks.")
    >>> later and str(later.after(When.parse("2010-04-20")))
    '2010-04-22'
    """
    plain = fold(text[:_LONGEST])
    return _read(text, plain) if _has_hint(plain.casefold()) else None


def _has_hint(plain: str) -> bool:
    """Whether a folded text may have a counted time in it; most have none."""
    if plain.startswith(_STARTS) or any(hint in plain for hint in _HINTS):
        return True
    return not plain.isascii() and any(hint in plain for hint in _OTHER_HINTS)


def _read(text: str, plain: str) -> Later | None:
    if found := _LONE_DAY.match(plain):
        day = int(found["day"] or found["tag"])
        return Later(text[: found.end()], found.end(), unit="day", day=day)
    for form, unit in _COUNTED:
        if found := form.match(plain):
            count = _read_count(found["number"] or "1")
            unit = unit or UNITS[found["unit"].casefold()]
            return Later(text[: found.end()], found.end(), count, unit)
    for form, count, unit in _NAMED:
        if found := form.match(plain):
            return Later(text[: found.end()], found.end(), count, unit)
    found = _VAGUE.match(plain)
    return Later(text[: found.end()], found.end()) if found else None


def read_closing(text: str) -> Later | None:
    """The counted time that a sentence ends with, where that leaves no choice.

    >>> later = read_closing("Appeals were lodged the next day.")
    >>> later and later.written
    'the next day'
    """
    bare = text.rstrip(" .!?。！？")[-_LONGEST:]
    if not _has_hint(fold(bare).casefold()):
        return None
    for word in _WORD.finditer(bare):
        later = read_later(bare[word.start() :])
        if later is not None and later.unit and word.start() + later.end == len(bare):
            return later
    return None


def _read_count(number: str) -> int:
    return _NUMBERS.get(number.casefold()) or read_number(number.translate(_TWO))
