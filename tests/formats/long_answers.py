"""Long model answers, invented from a seed: seventy days in many styles and three languages.

The texts name other dates than their own, as answers do: earlier reports, founding years, terms.
"""

import datetime
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

Day: TypeAlias = tuple[datetime.date, list[str]]


@dataclass(frozen=True)
class Tongue:
    """A language: its months, how it writes dates, and what its answers say."""

    month_names: str
    day: str
    month: str
    opening: str
    title: str
    columns: tuple[str, str, str]
    farewell: str
    texts: list[str]

    @property
    def months(self) -> list[str]:
        return self.month_names.split()

    def full(self, date: datetime.date) -> str:
        return f"{self.short(date)}{self.month.format(date.year)}"

    def short(self, date: datetime.date) -> str:
        return self.day.format(day=date.day, month=self.months[date.month - 1])

    def sentence(self, written: str, text: str) -> str:
        return self.opening.format(written, text[0].lower() + text[1:])


TONGUES = {
    "English": Tongue(
        "January February March April May June July August September October November December",
        "{month} {day}", ", {}", "On {}, {}", "Timeline of the crisis", ("Year", "Date", "Event"),
        "Let me know if you would like more detail on any of these!",
        [
            "The operator reports a pressure anomaly at the northern well.",
            "Eleven workers are rescued after a four-hour search; 3 remain missing.",
            "Engineers lower a 100-ton dome over the leak, but it clogs within 24 hours.",
            "The ministry publishes a 140-page report on the March 2009 inspection.",
            "The company, founded in 1987, appoints its third chief executive.",
            "The court upholds the ruling of 12 December 2008 in full.",
            "Shares fall 12% after the announcement.",
            "Rescue teams reach the village of San Pedro at 6:30 a.m.",
            "The prime minister resigns and calls elections for the autumn.",
            "Work on the relief well begins, planned to last until August.",
        ],
    ),
    "German": Tongue(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "{day}. {month}", " {}", "Am {} hieß es: {}", "Zeitleiste der Krise",
        ("Jahr", "Datum", "Ereignis"),
        "Sagen Sie mir gern, ob ich einzelne Punkte vertiefen soll!",
        [
            "Der Betreiber meldet eine Druckanomalie am nördlichen Bohrloch.",
            "Elf Arbeiter werden nach vierstündiger Suche gerettet; 3 bleiben vermisst.",
            "Ingenieure senken eine 100 Tonnen schwere Kuppel ab, die in 24 Stunden verstopft.",
            "Das Ministerium veröffentlicht einen Bericht über die Inspektion vom März 2009.",
            "Das 1987 gegründete Unternehmen ernennt seinen dritten Vorstandschef.",
            "Das Gericht bestätigt das Urteil vom 12. Dezember 2008.",
            "Die Aktie fällt um 12 %.",
            "Retter erreichen das Dorf um 6:30 Uhr.",
            "Der Ministerpräsident tritt zurück und kündigt Wahlen für den Herbst an.",
            "Die Arbeiten an der Entlastungsbohrung beginnen.",
        ],
    ),
    "Spanish": Tongue(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{day} de {month}", " de {}", "El {}, {}", "Cronología de la crisis",
        ("Año", "Fecha", "Acontecimiento"),
        "¡Dígame si desea más detalles sobre alguna entrada!",
        [
            "El operador informa de una anomalía de presión en el pozo norte.",
            "Once trabajadores son rescatados tras cuatro horas; 3 siguen desaparecidos.",
            "Los ingenieros bajan una cúpula de 100 toneladas que se obstruye en 24 horas.",
            "El ministerio publica un informe sobre la inspección de marzo de 2009.",
            "La empresa, fundada en 1987, nombra a su tercer director.",
            "El tribunal confirma la sentencia del 12 de diciembre de 2008.",
            "Las acciones caen un 12 %.",
            "Los equipos llegan al pueblo a las 6:30.",
            "El presidente dimite y convoca elecciones para el otoño.",
            "Empiezan los trabajos del pozo de alivio.",
        ],
    ),
}  # fmt: skip


Style: TypeAlias = Callable[[Sequence[Day], Tongue, random.Random], str]


def make_days(tongue: Tongue, chance: random.Random, count: int = 70) -> list[Day]:
    """Days that follow each other closely or not, each with one to three texts."""
    days: list[Day] = []
    date = datetime.date(2010, 1, 1) + datetime.timedelta(chance.randrange(100))
    for _ in range(count):
        date += datetime.timedelta(chance.choice([1, 1, 2, 3, 5, 9, 14, 22, 40]))
        days.append((date, chance.sample(tongue.texts, chance.choice([1, 1, 1, 2, 3]))))
    return days


def _grouped(days: Sequence[Day], format_: str) -> Iterator[tuple[datetime.date, list[Day]]]:
    for _, group in groupby(days, key=lambda day: day[0].strftime(format_)):
        found = list(group)
        yield found[0][0], found


def nested_bullets(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    lines = [f"# {tongue.title}", ""]
    for first, in_year in _grouped(days, "%Y"):
        lines.append(f"- **{first.year}**")
        for month, in_month in _grouped(in_year, "%m"):
            lines.append(f"  - *{tongue.months[month.month - 1]}*")
            for date, (text, *more) in in_month:
                lines.append(f"    - **{date.day}**: {text}")
                lines += [f"      - {one}" for one in more]
    return "\n".join([*lines, "", tongue.farewell])


def table(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    lines = [f"| {' | '.join(tongue.columns)} |", "|---|---|---|"]
    for _, in_year in _grouped(days, "%Y"):
        for number, (date, texts) in enumerate(in_year):
            year = "" if number else f"**{date.year}**"
            lines.append(f"| {year} | {tongue.short(date)} | {'<br>'.join(texts)} |")
    return "\n".join(lines)


def prose(days: Sequence[Day], tongue: Tongue, chance: random.Random) -> str:
    paragraphs: list[list[str]] = [[]]
    year = 0
    for date, (text, *more) in days:
        known = date.year == year and chance.random() < 0.7
        written = tongue.short(date) if known else tongue.full(date)
        year = date.year
        paragraphs[-1] += [tongue.sentence(written, text), *more]
        if len(paragraphs[-1]) > 5:
            paragraphs.append([])
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs)


def json_in_prose(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    nested = {
        str(first.year): [
            {"date": tongue.short(date), "event": " ".join(texts)} for date, texts in in_year
        ]
        for first, in_year in _grouped(days, "%Y")
    }
    dumped = json.dumps({"timeline": nested}, indent=2, ensure_ascii=False)
    return f"{tongue.title}:\n\n```json\n{dumped}\n```\n\n{tongue.farewell}"


def headings(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    lines = [f"# {tongue.title}"]
    for first, in_year in _grouped(days, "%Y"):
        lines += ["", f"## {first.year}"]
        for month, in_month in _grouped(in_year, "%m"):
            lines += ["", f"### {tongue.months[month.month - 1]}"]
            for date, (text, *more) in in_month:
                lines += [f"**{tongue.short(date)}** — {text}", *more, ""]
    return "\n".join([*lines, "---", tongue.farewell])


def dates_at_the_end(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    marks = ["**{}**", "({})", "— {}", "**({})**"]
    return "\n".join(
        f"- {' '.join(texts)} {marks[number % 4].format(tongue.full(date))}"
        for number, (date, texts) in enumerate(days)
    )


def sentences_in_items(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    lines = []
    for first, in_month in _grouped(days, "%Y-%m"):
        month = f"{tongue.months[first.month - 1]} {first.year}"
        lines += ["", f"### {month}", ""]
        for date, (text, *more) in in_month:
            lines.append(f"- {' '.join([tongue.sentence(tongue.short(date), text), *more])}")
    return "\n".join(lines)


def python_value(days: Sequence[Day], tongue: Tongue, _chance: random.Random) -> str:
    return repr([(tongue.full(date), texts) for date, texts in days])


STYLES: list[Style] = [
    nested_bullets, table, prose, json_in_prose, headings, dates_at_the_end, sentences_in_items,
    python_value,
]  # fmt: skip


MONTHS_OF = {
    "English": TONGUES["English"].month_names,
    "Czech": "ledna února března dubna května června července srpna září října listopadu prosince",
    "Polish": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "Croatian": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada "
    "studenoga prosinca",
    "Ukrainian": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада "
    "грудня",
    "Bulgarian": "януари февруари март април май юни юли август септември октомври ноември "
    "декември",
    "Finnish": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta "
    "elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "Estonian": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november "
    "detsember",
    "Turkish": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "Greek": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου "
    "Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
    "Romanian": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie "
    "noiembrie decembrie",
    "Indonesian": "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November "
    "Desember",
    "Hindi": "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "Hebrew": "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "Swedish": "januari februari mars april maj juni juli augusti september oktober november "
    "december",
}
"""The months as they stand in a date, written down from grammars."""

Event: TypeAlias = tuple[str, str, str]
"""The date as it is meant, as it is written, and a text."""
Container: TypeAlias = Callable[[Sequence[Event]], str]

_WORDS = ["alder", "birch", "cedar", "dogwood", "elder", "fir", "gorse", "hazel", "ivy", "juniper"]


def make_events(language: str, chance: random.Random, count: int = 12) -> list[Event]:
    """Days, months and years in order, labeled in many ways, each with a text of its own."""
    months = MONTHS_OF[language].split()
    date = datetime.date(1871, 1, 1) + datetime.timedelta(chance.randrange(900))
    events: list[Event] = []
    for number in range(count):
        date += datetime.timedelta(400 + chance.randrange(300))
        month = months[date.month - 1]
        # The first two are days, which tell the language.
        grain = "day" if number < 2 else chance.choice(["day", "day", "month", "quarter", "year"])
        if grain == "day":
            label = chance.choice([f"{date.day} {month} {date.year}"] * 3 + [date.isoformat()])
            meant = date.isoformat()
        elif grain == "month":
            label, meant = f"{month} {date.year}", f"{date:%Y-%m}"
        elif grain == "quarter":
            quarter = (date.month + 2) // 3
            label = chance.choice(["Q{} {}", "{}Q {}"]).format(quarter, date.year)
            meant = str(date.year)
        else:
            label = chance.choice(["{}", "c. {}", "{}?", "{} or so", "({})", "{}–{:02}"])
            label = label.format(date.year, date.year % 100 + 1)
            meant = str(date.year)
        if number < 2:
            label = f"{date.day} {month} {date.year}"
        text = f"Item{number} {' '.join(chance.sample(_WORDS, 4))} {chance.randrange(2, 90)}"
        events.append((meant, label, text))
    return events


def _lines(mark: str) -> Container:
    return lambda events: "\n".join(mark.format(label, text) for _, label, text in events)


def _mermaid(events: Sequence[Event]) -> str:
    inside = "\n".join(f"    {label} : {text}" for _, label, text in events)
    return f"```mermaid\ntimeline\n    title All of it\n{inside}\n```"


def _latex(events: Sequence[Event]) -> str:
    rows = "\n".join(f"{label.replace(' ', '~', 1)} & {text} \\\\" for _, label, text in events)
    return f"\\begin{{tabular}}{{ll}}\n\\hline\n{rows}\n\\hline\n\\end{{tabular}}"


def _described(events: Sequence[Event]) -> str:
    items = "\n".join(f"  \\item[{{{label}}}] {text}" for _, label, text in events)
    return f"\\begin{{description}}\n{items}\n\\end{{description}}"


def _table(events: Sequence[Event]) -> str:
    rows = "\n".join(f"| {n} | {label} | {text} |" for n, (_, label, text) in enumerate(events, 1))
    return f"| # | Date | Event |\n|---|---|---|\n{rows}"


def _html(events: Sequence[Event]) -> str:
    rows = "\n".join(f"<dt>{label}</dt>\n<dd>{text}</dd>" for _, label, text in events)
    return f"<dl>\n{rows}\n</dl>"


def _html_table(events: Sequence[Event]) -> str:
    rows = "\n".join(f"  <tr><td>{label}</td><td>{text}</td></tr>" for _, label, text in events)
    return f"<table>\n  <tr><th>Date</th><th>Event</th></tr>\n{rows}\n</table>"


def _wiki(events: Sequence[Event]) -> str:
    rows = "\n".join(f"|-\n| {label}\n| [[{text}]]<ref>A book</ref>" for _, label, text in events)
    return f"== All ==\n{{| class=x\n! Date !! Event\n{rows}\n|}}"


def _rst(events: Sequence[Event]) -> str:
    rows = "\n".join(f"   * - {label}\n     - {text}" for _, label, text in events)
    return (
        f"All of it\n=========\n\n.. list-table::\n\n   * - Date\n     - Event\n{rows}\n\n.. [#a] b"
    )


def _mail(events: Sequence[Event]) -> str:
    body = _lines("{}: {}")(events)
    return f"From: ann@example.org\nDate: 4 May 2020\nSubject: Dates\n\nHi!\n\n{body}\n\nBest,\nAnn"


def _front_matter(events: Sequence[Event]) -> str:
    return f"---\ntitle: Notes\ndate: 2020-05-04\n---\n\n{_lines('- {}: {} #tag')(events)}"


def _drawn(events: Sequence[Event]) -> str:
    return "\n|\n".join(f"+-- {label}: {text}" for _, label, text in events)


CONTAINERS: dict[str, Container] = {
    "items": _lines("- {}: {}"),
    "bold": _lines("* **{}** – {} [1, 2]"),
    "arrows": _lines("{} -> {}"),
    "ampersands": _lines("{} & {}"),
    "boxes": _lines("[{}] {}"),
    "columns": _lines("{:<18}  {}"),
    "sections": lambda events: "\n\n**More of it**\n\n".join(
        _lines("**{}**: {}")(part) for part in (events[:5], events[5:])
    ),
    "headings": _lines("## {}\n\n{}\n"),
    "framed": _lines("--- {} ---\n{}\n"),
    "callouts": _lines("> [!event] {}\n> {}\n"),
    "details": _lines("<details><summary>{}</summary>\n\n{}\n\n</details>\n"),
    "terms": _lines("**{}**\n: {}\n"),
    "counted": lambda events: "\n".join(
        f"{n}. {label} — {text}【{n}†source】" for n, (_, label, text) in enumerate(events, 1)
    ),
    "closing": lambda events: "\n".join(
        f"- {text} ({label.strip('()?')})" for _, label, text in events
    ),
    "table": _table,
    "html": _html,
    "html table": _html_table,
    "latex": _latex,
    "described": _described,
    "mermaid": _mermaid,
    "wiki": _wiki,
    "rst": _rst,
    "mail": _mail,
    "front matter": _front_matter,
    "drawn": _drawn,
}
