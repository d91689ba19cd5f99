"""Where the text of a date stands: below it, above it, in lists, quotes and tables."""

import pytest

from chronoscore.core import Timeline
from chronoscore.formats.timelines import registry, timeline_files
from chronoscore.formats.timelines.timeline_files import TimelineFile


def read(text: str) -> TimelineFile:
    return timeline_files.read_timeline_text(text, "answer.txt")


def entries(text: str) -> dict[str, tuple[str, ...]]:
    return {str(entry.when): entry.sentences for entry in read(text).timelines[0].timeline}


LAYOUTS = {
    "dates over indented items": (
        "2031-05-03\n  - The gate jams.\n  - A diver goes down.\n2031-05-05\n  - It opens.",
        {"2031-05-03": ("The gate jams.", "A diver goes down."), "2031-05-05": ("It opens.",)},
    ),
    "dates over items that are not indented, below a title": (
        "The lock at Orrin\n2031-05-03\n- The gate jams.\n2031-05-05\n- It opens.\n- Boats pass.",
        {"2031-05-03": ("The gate jams.",), "2031-05-05": ("It opens.", "Boats pass.")},
    ),
    "dates under items": (
        "- The gate jams.\n  3 May 2031\n- It opens.\n  5 May 2031",
        {"2031-05-03": ("The gate jams.",), "2031-05-05": ("It opens.",)},
    ),
    "dates under lines": (
        "The gate jams.\n3 May 2031\nIt opens.\n5 May 2031",
        {"2031-05-03": ("The gate jams.",), "2031-05-05": ("It opens.",)},
    ),
    "weekdays below a week": (
        "## Week of 5 May 2031\n\n- Tuesday: The gate jams.\n- **Friday** It opens.",
        {"2031-05-06": ("The gate jams.",), "2031-05-09": ("It opens.",)},
    ),
    "weekdays below a day, in German": (
        "### Montag, 5. Mai 2031\nDas Tor klemmt.\n\n**Mittwoch:** Es geht auf.",
        {"2031-05-05": ("Das Tor klemmt.",), "2031-05-07": ("Es geht auf.",)},
    ),
    "weekdays after an entry": (
        "- 5 May 2031: The gate jams.\n- Tuesday: It opens.\n- Monday: It jams again.",
        {
            "2031-05-05": ("The gate jams.",),
            "2031-05-06": ("It opens.",),
            "2031-05-12": ("It jams again.",),
        },
    ),
    "months before the day, years in two figures": (
        "- 5/6/31: The gate jams.\n- 5/27/31: It opens.",
        {"2031-05-06": ("The gate jams.",), "2031-05-27": ("It opens.",)},
    ),
    "days before the month, with dots": (
        "- 5.6.31: Das Tor klemmt.\n- 27.6.31: Es geht auf.",
        {"2031-06-05": ("Das Tor klemmt.",), "2031-06-27": ("Es geht auf.",)},
    ),
    "months in brackets": (
        "- 2031 (May): The gate jams.\n- 2032 (Sept.): It opens.",
        {"2031-05": ("The gate jams.",), "2032-09": ("It opens.",)},
    ),
    "counted labels in bold": (
        "**5 May 2031**\nThe gate jams.\n\n**Two days later**\nIt opens.\n\n"
        "**That August**\nIt rusts.",
        {
            "2031-05-05": ("The gate jams.",),
            "2031-05-07": ("It opens.",),
            "2031-08": ("It rusts.",),
        },
    ),
    "counted labels in French": (
        "**5 mai 2031**\nLa porte coince.\n\n**Le lendemain**\nElle s'ouvre.\n\n"
        "**Au mois de mars suivant**\nElle rouille.",
        {
            "2031-05-05": ("La porte coince.",),
            "2031-05-06": ("Elle s'ouvre.",),
            "2032-03": ("Elle rouille.",),
        },
    ),
    "counted labels of items below a day": (
        "5 May 2031\n- The gate jams.\n- The next day: It opens.",
        {"2031-05-05": ("The gate jams.",), "2031-05-06": ("It opens.",)},
    ),
    "relative dates in a table": (
        "| Date | Event |\n|---|---|\n| Monday, 5 May 2031 | The gate jams. |\n"
        "| Thursday | It opens. |\n| The next day | It rusts. |",
        {
            "2031-05-05": ("The gate jams.",),
            "2031-05-08": ("It opens.",),
            "2031-05-09": ("It rusts.",),
        },
    ),
    "weekdays as headings": (
        "## Monday, 5 May 2031\n- The gate jams.\n\n## Thursday\n- It opens.",
        {"2031-05-05": ("The gate jams.",), "2031-05-08": ("It opens.",)},
    ),
    "weekdays below a week, in French": (
        "## Semaine du 5 mai 2031\n\n- **Mardi** : La porte coince.\n"
        "- **Vendredi** : Elle s'ouvre.",
        {"2031-05-06": ("La porte coince.",), "2031-05-09": ("Elle s'ouvre.",)},
    ),
    "a counted time that ends a sentence": (
        "- 5 May 2031: The gate jams and is opened\ntwo days later.",
        {"2031-05-05": ("The gate jams and is opened two days later.",)},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), LAYOUTS.values(), ids=LAYOUTS)
def test_texts_go_with_their_dates(text: str, wanted: dict[str, tuple[str, ...]]) -> None:
    assert entries(text) == wanted


BREAKS, TURNS = "The wheel breaks.", "It turns again."
MILL = {
    "lines": "The mill\n\n{a}\n{x}\n{b}\n{y}",
    "lines between blank ones": "{a}\n\n{x}\n\n{b}\n\n{y}",
    "lines below an indented date": "  {a}\n    {x}\n  {b}\n    {y}",
    "lines after a tab": "{a}\n\t{x}\n{b}\n\t{y}",
    "items": "{a}\n- {x}\n{b}\n- {y}",
    "items below a title": "The mill:\n{a}\n- {x}\n{b}\n- {y}",
    "indented items": "{a}\n    * {x}\n{b}\n    * {y}",
    "numbered items": "{a}\n1. {x}\n{b}\n1. {y}",
    "arrows": "{a}\n→ {x}\n{b}\n→ {y}",
    "dots without a blank": "{a}\n・{x}\n{b}\n・{y}",
    "quotes": "{a}\n> {x}\n\n{b}\n> {y}",
    "lists in a quote": "> {a}\n> - {x}\n> {b}\n> - {y}",
    "definitions": "{a}\n: {x}\n\n{b}\n: {y}",
    "underlined dates": "{a}\n----------\n{x}\n\n{b}\n----------\n{y}",
    "rules between": "{a}\n{x}\n***\n{b}\n{y}",
    "bold dates": "**{a}**\n- {x}\n**{b}**\n- {y}",
    "dates in italics before a colon": "*{a}:*\n- {x}\n*{b}:*\n- {y}",
    "bracketed dates": "[{a}]\n- {x}\n[{b}]\n- {y}",
    "dates as items": "- {a}\n  {x}\n- {b}\n  {y}",
    "dates as items, lazily": "- {a}\n{x}\n- {b}\n{y}",
    "tables": "{a}\n\n| What |\n|---|\n| {x} |\n\n{b}\n\n| What |\n|---|\n| {y} |",
    "items above": "- {x}\n  {a}\n- {y}\n  {b}",
    "lines above": "{x}\n{a}\n\n{y}\n{b}",
}  # fmt: skip
DAYS = [
    ("2031-05-03", "2031-05-05"),
    ("3 May 2031", "5 May 2031"),
    ("Saturday, May 3, 2031", "Monday, May 5, 2031"),
    ("3. Mai 2031", "5. Mai 2031"),
    ("3 mai 2031", "5 mai 2031"),
    ("3 de mayo de 2031", "5 de mayo de 2031"),
    ("3 мая 2031 года", "5 мая 2031 года"),
    ("2031年5月3日", "2031年5月5日"),
    ("2031년 5월 3일", "2031년 5월 5일"),
    ("3 مايو 2031", "5 مايو 2031"),
    ("3 maja 2031", "5 maja 2031"),
]


@pytest.mark.parametrize("days", DAYS, ids=[first for first, _ in DAYS])
@pytest.mark.parametrize("layout", MILL.values(), ids=MILL)
def test_dates_alone_on_lines_are_read_in_any_layout(layout: str, days: tuple[str, str]) -> None:
    text = layout.format(a=days[0], b=days[1], x=BREAKS, y=TURNS)
    assert entries(text) == {"2031-05-03": (BREAKS,), "2031-05-05": (TURNS,)}


@pytest.mark.parametrize(
    ("label", "decade"),
    [
        ("The forties", "1940s"),
        ("Años cuarenta", "1940s"),
        ("Les années trente", "1930s"),
        ("Die Dreißigerjahre", "1930s"),
        ("Anni '50", "1950s"),
        ("Сороковые годы", "1940s"),
    ],
)
def test_a_decade_without_its_century_is_near_the_entry_before(label: str, decade: str) -> None:
    found = entries(f"- **3 May 1929**: {BREAKS}\n- **{label}**: {TURNS}")
    assert found == {"1929-05-03": (BREAKS,), decade: (TURNS,)}


@pytest.mark.parametrize("label", ["Forty years", "60 years", "Trente ans"])
def test_a_number_of_years_is_no_decade(label: str) -> None:
    assert list(entries(f"- 3 May 1929: {BREAKS}\n- {label}: {TURNS}")) == ["1929-05-03"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("## May 2031\nMonday: The gate jams.", "Monday"),
        ("**5 May 2031**\nThe gate jams.\n\n**A few weeks later**\nIt opens.", "A few weeks later"),
    ],
)
def test_a_label_that_cannot_be_dated_is_noted(text: str, written: str) -> None:
    assert any(f"'{written}' names no date" in note.text for note in read(text).notes)


def test_dates_over_lists_are_no_tilse_without_its_separator() -> None:
    form = registry.detect("2031-05-03\n- The gate jams.\n2031-05-05\n- It opens.")
    assert form is not None
    assert form.name == "markdown"


def test_texts_that_begin_like_relative_labels_are_written_so_that_they_stay_texts() -> None:
    texts = ("Monday: closed.", "The next day: open.", "That July: hot.", "The forties: long.")
    timeline = Timeline.of({"2031-05-03": list(texts)})
    written = timeline_files.write_timeline_text(timeline, "markdown")
    assert entries(written) == {"2031-05-03": texts}


@pytest.mark.parametrize("mark", ["- ", ""])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("March 23, 2031 Bridge reopened.", "Bridge reopened."),
        ("3. März 2031 Der Damm brach.", "Der Damm brach."),
        ("3 марта 2031 Плотина прорвалась.", "Плотина прорвалась."),
        ("March 23, 2031--Bridge reopened.", "Bridge reopened."),
        ("March 23, 2031 ‒ Bridge reopened.", "Bridge reopened."),
        ("March 23, 2031 / Bridge reopened.", "Bridge reopened."),
        ("March 23, 2031 12 people fled.", "12 people fled."),
        ("March 3–5, 2031 Bridge shut.", "Bridge shut."),
        ("**March 2, 2031 – 08:15 AM**: Bridge reopened.", "Bridge reopened."),
        ("March 2, 2031 | 08:15 UTC | Bridge reopened.", "Bridge reopened."),
        ("March 2, 2031 8:15 am Bridge reopened.", "Bridge reopened."),
        ("Mar 5 (Wed), 2031: Bridge reopened.", "Bridge reopened."),
        ("5 (Wed) March 2031: Bridge reopened.", "Bridge reopened."),
        ("2031年3月3日、ダムが決壊した。", "ダムが決壊した。"),
        ("2031年3月3日午前8時、ダムが決壊した。", "ダムが決壊した。"),
        ("2031年3月3日大坝决堤。", "大坝决堤。"),
        ("2031년 3월 3일 댐이 무너졌다.", "댐이 무너졌다."),
        ("March 2031 was a dry month.", "March 2031 was a dry month."),
        ("March 3, 2031 saw the dam break.", "March 3, 2031 saw the dam break."),
        ("On 3 March 2031 President Smith resigned.", "On 3 March 2031 President Smith resigned."),
        ("3. März 2031 wurde der Damm gebaut.", "3. März 2031 wurde der Damm gebaut."),
        ("2031-03-02: 08:15 was too late.", "08:15 was too late."),
    ],
)
def test_a_date_and_its_time_are_a_label_unless_the_sentence_needs_them(
    mark: str, line: str, said: str
) -> None:
    ((_, texts),) = entries(mark + line).items()
    assert texts == (said,)


def test_dates_in_running_prose_stay_in_their_sentences() -> None:
    text = "2031年3月3日，大坝决堤。3月5日，救援队抵达。"
    assert [*entries(text).values()] == [("2031年3月3日，大坝决堤。",), ("3月5日，救援队抵达。",)]
