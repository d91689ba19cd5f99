"""What people call the date, the text, the topic and the author of an entry.

One list for JSON keys and for the headings of CSV columns and Markdown tables. Values decide what
a field is (see `fields`); names break ties, head tables and say what an empty field was meant for.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from chronoscore import lazy
from chronoscore.dates.folding import fold

YEAR = (
    "year", "yyyy", "jahr", "année", "año", "ano", "anno", "jaar", "год", "السنة", "العام", "年",
    "年份", "년", "연도", "년도",
)  # fmt: skip
MONTH = (
    "month", "mm", "monat", "mois", "mes", "mês", "mese", "maand", "месяц", "الشهر", "月", "月份",
    "월",
)  # fmt: skip
DAY = (
    "day", "dd", "tag", "jour", "día", "dia", "giorno", "dag", "день", "число", "اليوم", "日", "일",
)  # fmt: skip
DATE = (
    "date", "dates", "when", "datetime", "time", "timestamp", "timeframe", "start", "began",
    "period", "datum", "zeitpunkt", "zeitraum", "zeit", "wann", "période", "quand", "fecha",
    "fechas", "periodo", "cuándo", "data", "período", "quando", "wanneer", "tijdstip", "periode",
    "дата", "время", "период", "когда", "التاريخ", "تاريخ", "الفترة", "日期", "时间", "時間",
    "日付", "年月日", "時期", "日時", "月日", "월일", "날짜", "일자", "시기", *DAY, *MONTH, *YEAR,
)  # fmt: skip
LATER = (
    "end", "until", "to", "stop", "finish", "due", "created", "updated", "modified", "published",
    "posted", "added", "accessed", "retrieved", "crawled", "indexed", "saved", "inserted", "last",
)  # fmt: skip
"""Words of dates that are about the record or the end of an event, beside another date."""
TITLE = (
    "event", "headline", "title", "name", "heading", "titel", "titre", "título", "titolo",
    "milestone", "label",
)  # fmt: skip
TEXT = (
    "text", "sentences", "sentence", "summary", "summaries", "event", "events", "description",
    "headline", "title", "details", "detail", "content", "body", "update", "development",
    "developments", "milestone", "what", "happened", "happening", "ereignis", "ereignisse",
    "beschreibung", "was", "titel", "événement", "événements", "évènement", "faits", "titre",
    "acontecimiento", "acontecimientos", "evento", "eventos", "hecho", "hechos", "suceso",
    "descripción", "título", "acontecimento", "acontecimentos", "descrição", "avvenimento",
    "avvenimenti", "eventi", "descrizione", "titolo", "gebeurtenis", "gebeurtenissen",
    "beschrijving", "omschrijving", "событие", "события", "описание", "الحدث", "الأحداث", "الوصف",
    "حدث", "事件", "内容", "內容", "描述", "說明", "说明", "出来事", "イベント",
    "できごと", "사건", "내용", "설명", "이벤트",
)  # fmt: skip
HOLDER = (
    "timeline", "events", "entries", "milestones", "chronology", "eventos", "ereignisse",
    "événements", "eventi", "gebeurtenissen", "события", "الأحداث", "事件", "年表",
)  # fmt: skip
"""What holds the entries of a timeline."""
PLACE = (
    "location", "place", "where", "venue", "ort", "wo", "lieu", "lugar", "ubicación", "local",
    "luogo", "plaats", "locatie", "место", "المكان", "地点", "地點", "場所", "장소",
)  # fmt: skip
TOPIC = ("topic",)
LABEL = ("topic", "id", "name", "key", "title")
"""What tells topics apart, the surest first."""
AUTHOR = ("author", "annotator", "writer", "system")
PROMPT = ("prompt", "question", "query", "instruction", "input", "context", "messages", "request")
"""Words of what a model was given, beside what it answered."""

_CAMEL = lazy.pattern(r"(?<=[a-z\d])(?=[A-Z])")
_NAME_BEFORE = lazy.pattern(r"(?P<name>[^\W\d_]+(?: [^\W\d_]+)?)\s*[:：]\s*")
_WORD = lazy.pattern(r"[^\W\d_]+")


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `startDate (UTC)` and `Start_Date` are start and date.

    >>> words_of("startDate (UTC)"), words_of("Fecha_inicio")
    (('start', 'date'), ('fecha', 'inicio'))
    """
    plain = _CAMEL.sub(" ", name.rpartition(".")[2]).replace("(s)", "s")
    plain = plain.partition("(")[0] or plain
    return tuple(_WORD.findall(fold(plain).casefold()))


@lru_cache(maxsize=32)
def _folded(names: tuple[str, ...]) -> dict[str, int]:
    return {fold(name).casefold(): place for place, name in enumerate(names)}


def is_date_name(name: str) -> bool:
    """Whether a name speaks of a date: one of its words does."""
    return any(word in _folded(DATE) for word in words_of(name))


def is_text_name(name: str, names: tuple[str, ...] = TEXT) -> bool:
    """Whether a name speaks of a text, by its last word: an event type is none."""
    return bool(words := words_of(name)) and words[-1] in _folded(names) and not is_date_name(name)


def without_label(text: str, is_name: Callable[[str], bool]) -> str:
    """A text without the name of a field and a colon before it, "Date: …" or "What happened: …"."""
    found = _NAME_BEFORE.match(text)
    return text[found.end() :] if found and is_name(found["name"]) else text


def date_rank(name: str) -> tuple[int, int]:
    """How well a name fits the date of an event, and its place in the list among equals."""
    words = words_of(name)
    places = [place for word in words if (place := _folded(DATE).get(word)) is not None]
    later = any(word in LATER for word in words)
    return (-1 if later else int(bool(places)), -min(places, default=0))


def find_name(names: tuple[str, ...], given: Iterable[str]) -> str | None:
    """The given name that is one of ours and nothing else."""
    known = _folded(names)
    return next((one for one in given if len(w := words_of(one)) == 1 and w[0] in known), None)


def find_parts(given: Iterable[str]) -> tuple[str | None, str | None, str | None]:
    """The given names of a year, a month and a day."""
    own = list(given)
    return find_name(YEAR, own), find_name(MONTH, own), find_name(DAY, own)


def find_date_name(given: Iterable[str]) -> str | None:
    """The given name that fits the date of an event best, if any does."""
    known = [name for name in given if is_date_name(name)]
    return max(known, key=date_rank, default=None)
