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
