"""Where the text of a date stands: below it, above it, in lists, quotes and tables."""

import pytest

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
    "a counted time that ends a sentence": (
        "- 5 May 2031: The gate jams and is opened\ntwo days later.",
        {"2031-05-05": ("The gate jams and is opened two days later.",)},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), LAYOUTS.values(), ids=LAYOUTS)
def test_texts_go_with_their_dates(text: str, wanted: dict[str, tuple[str, ...]]) -> None:
    assert entries(text) == wanted


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
