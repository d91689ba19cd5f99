"""What people call the date, the text, the topic and the author of an entry.

One list for JSON keys and for the headings of CSV columns and Markdown tables.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold

YEAR = (
    "year", "jahr", "année", "año", "ano", "anno", "jaar", "год", "السنة", "العام", "年", "年份",
    "년", "연도", "년도",
)  # fmt: skip
MONTH = (
    "month", "monat", "mois", "mes", "mês", "mese", "maand", "месяц", "الشهر", "月", "月份", "월",
)  # fmt: skip
DAY = ("day", "tag", "jour", "día", "dia", "giorno", "dag", "день", "число", "اليوم", "日", "일")
MONTH_DAY = (
    "month/day", "month day", "day/month", "day month", "month & day", "month and day",
    "day & month", "day and month", "date (month/day)", "date/month", "tag/monat", "mois/jour",
    "jour/mois", "mes/día", "día/mes", "mês/dia", "dia/mês", "month / day", "day / month",
    "月日", "월일",
)  # fmt: skip
DATE = (
    "date", "dates", "when", "datetime", "time", "timestamp", "date range", "date(s)", "start date",
    "start", "date start", "event date", "time period", "timeframe", "date/time", "date / period",
    "period", "datum", "zeitpunkt", "zeitraum", "zeit", "wann", "période", "quand", "fecha",
    "fechas", "periodo", "cuándo", "data", "período", "quando", "wanneer", "tijdstip", "periode",
    "дата", "время", "период", "когда", "التاريخ", "تاريخ", "الفترة", "日期", "时间",
    "時間", "日付", "年月日", "時期", "日時", "날짜", "일자", "시기",
    *MONTH_DAY, *DAY, *MONTH, *YEAR,
)  # fmt: skip
TEXT = (
    "text", "sentences", "sentence", "summary", "summaries", "event", "events", "key event",
    "key events", "description", "event description", "headline", "title", "details", "detail",
    "content", "body", "update", "development", "developments", "milestone", "what happened",
    "event/development", "event / development", "major event", "major events", "happening",
    "ereignis", "ereignisse", "beschreibung", "was geschah", "was", "titel", "événement",
    "événements", "évènement", "faits", "titre", "acontecimiento", "acontecimientos", "evento",
    "eventos", "hecho", "hechos", "suceso", "descripción", "título", "qué ocurrió", "acontecimento",
    "acontecimentos", "descrição", "avvenimento", "avvenimenti", "eventi", "descrizione", "titolo",
    "gebeurtenis", "gebeurtenissen", "beschrijving", "omschrijving", "событие", "события",
    "описание", "الحدث", "الأحداث", "الوصف", "حدث", "事件", "内容", "內容", "描述",
    "說明", "说明", "出来事", "イベント", "できごと", "사건", "내용", "설명", "이벤트",
)  # fmt: skip
TOPIC = ("topic",)
AUTHOR = ("author", "system")


def fold_name(name: str) -> str:
    """A key as it is looked up: `Start_Date` is `start date`, `Fecha` and `Año` have no accents."""
    return " ".join(fold(name).replace("_", " ").replace("-", " ").casefold().split())


def first_known_field(names: tuple[str, ...], given: Iterable[str]) -> str | None:
    """The given key that comes first in our list of names, as it is written."""
    known = {fold_name(name): name for name in reversed(list(given))}
    for folded, name in list(known.items()):
        if folded.endswith(")"):
            known.setdefault(_without_aside(folded), name)
    return next((known[name] for name in _fold_all(names) if name in known), None)


@lru_cache(maxsize=32)
def _fold_all(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fold, names))


def all_known_fields(names: tuple[str, ...], given: Iterable[str]) -> list[str]:
    """Every given key that is in our list, in the order in which they were given."""
    known = _fold_all(names)
    folded = [(name, fold_name(name)) for name in given]
    return [name for name, plain in folded if plain in known or _without_aside(plain) in known]


def _without_aside(name: str) -> str:
    """A name without what stands in brackets behind it: "date (utc)"."""
    return name.partition("(")[0].strip() if name.endswith(")") else name


@dataclass(frozen=True, slots=True)
class DateNames:
    """The keys or columns of a date: a whole one, one without its year, or one in parts."""

    whole: str | None = None
    year: str | None = None
    month: str | None = None
    day: str | None = None

    @property
    def all(self) -> set[str]:
        """The names that are read."""
        return {name for name in (self.whole, self.year, self.month, self.day) if name is not None}

    def read(self, value_of: Callable[[str], str]) -> tuple[str, str]:
        """The text of the date, and its year where that stands apart from it."""
        values = [
            "" if name is None else value_of(name) for name in (self.year, self.month, self.day)
        ]
        if self.whole is not None:
            return value_of(self.whole), values[0]
        return _join_date(*values), values[0]


def date_names(given: Sequence[str]) -> DateNames | None:
    """Where a date stands among keys or columns; nothing where there is none.

    "Date" beside "Day" is the date; "Date" or "Month/Day" beside "Year" lacks its year.
    """
    if first_known_field(DATE, given) is None:
        return None
    year, month, day = (first_known_field(names, given) for names in (YEAR, MONTH, DAY))
    parts = [name for name in (year, month, day) if name is not None]
    whole = first_known_field(DATE, [name for name in given if name not in parts])
    if whole is not None:
        return DateNames(whole, year)
    return DateNames(parts[0]) if len(parts) == 1 else DateNames(None, year, month, day)


def _join_date(year: str, month: str, day: str) -> str:
    """The date that stands in parts: `2011`, `3` and `11`, or `2011`, `March` and `11–13`.

    >>> _join_date("2011", "3", "11"), _join_date("2011", "March", "")
    ('2011-03-11', 'March 2011')
    >>> _join_date("", "March", "11")
    '11 March'
    """
    if not month or not (month.isdigit() and year):
        return " ".join(part for part in (day, month, year) if part)
    if day and not day.isdigit():
        name = MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else month
        return f"{day} {name} {year}"
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")
