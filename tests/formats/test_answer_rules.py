"""Rules by which answers are read, each in its smallest case."""

import re

import pytest

from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.timeline_files import TimelineFile


def read(text: str) -> TimelineFile:
    return timeline_files.read_timeline_text(text, "x.md", form="markdown")


def entries(text: str) -> dict[str, tuple[str, ...]]:
    return {str(entry.when): entry.sentences for entry in read(text).timelines[0].timeline}


NOTES = {
    "a date that leaves its heading": (
        "## April 2010\n\nThe dam broke on 12 April. On 3 May 2010, the town was empty.",
        "date 'On 3 May 2010' lies outside of 2010-04, where it stands",
    ),
    "a time that nobody can date": (
        "On 3 May 2010, the dam broke. A few days later, the town was empty.",
        "'A few days later' names no date; it is taken to belong to 2010-05-03",
    ),
    "a weekday": (
        "On 3 May 2010, the dam broke. On Thursday, the town was empty.",
        "'On Thursday' names no date",
    ),
    "a day before the last one": (
        "On 13 May 2010, the dam broke. On the 2nd, the town was empty.",
        "'On the 2nd' names no date",
    ),
    "a time counted from a mere year": (
        "In 2010, the dam broke. Two days later, the town was empty.",
        "'Two days later' names no date",
    ),
    "background": (
        "On 3 May 2010, the dam broke. The court cited the ruling of 12 December 2008.",
        "date '12 December 2008' lies before 2010-05-03 and is taken as background",
    ),
    "a code block that cannot be read": (
        "- 2010-05-06: x\n\n```json\n{broken\n```",
        "a code block is not read: ",
    ),
    "a code block without entries": (
        '- 2010-05-06: x\n\n```json\n{"timeline": []}\n```',
        "a code block is not read: it holds no dated entry",
    ),
    "an aside": ("- **2025 (expected)**: Elections.", "date '2025 (expected)' is read as 2025"),
    "a later day in the text of an item": (
        "- **4 June 1931**: The bank closed, but the court reopened it on 9 June 1931.",
        "date '9 June 1931' is taken to be mentioned only, in the text of 1931-06-04",
    ),
    "a day in the text of a month": (
        "- **June 1931**: The bank ran dry: on 9 June the court closed it.",
        "date '9 June' is taken to be mentioned only, in the text of 1931-06",
    ),
    "a line below another with its date inside": (
        "4 June 1931: The bank closed.\nThe court reopened it on 9 June 1931 after all.",
        "date '9 June 1931' is taken to be mentioned only, in the text of 1931-06-04",
    ),
    "a time that is counted": (
        "On 3 May 2010, the dam broke. Two days later, the town was empty.",
        "date 'Two days later' is read as 2010-05-05",
    ),
}


@pytest.mark.parametrize(("text", "message"), NOTES.values(), ids=NOTES)
def test_what_is_guessed_or_left_is_noted(text: str, message: str) -> None:
    assert any(message in note.text for note in read(text).notes), read(text).notes


def test_dates_that_belong_to_a_noun_or_to_another_entry_are_not_noted() -> None:
    text = "- 4 June 1931: After the ruling of 2 May 1930 it closed until 9 June 1931.\n"
    assert not read(f"{text}- 9 June 1931: It opened.").notes


DATES = {
    "a day behind a comma and but": (
        "The owners mended the wheel on 1 June 1921, but the council closed it on 3 July 1921.",
        ["1921-06-01", "1921-07-03"],
    ),
    "a day behind a colon": (
        "In March 1923 the bank lost its patience: on March 16 it took the mill.",
        ["1923-03", "1923-03-16"],
    ),
    "a year behind a comma and and": (
        "The roof was taken away on 30 June 1931, and in 1934 the land went to a railway.",
        ["1931-06-30", "1934"],
    ),
    "a march is no month": (
        "The old mill was shut in May 1921; a march of workers on 3 July 1921 changed nothing.",
        ["1921-05", "1921-07-03"],
    ),
    "a year that is looked ahead to leaves the year as it was": (
        "On 5 May 1921, it broke. Lenders expect a loss in 1922. On 9 August, it stopped.",
        ["1921-05-05", "1921-08-09", "1922"],
    ),
    "cells without end tags": ("<table><tr><td>2010-05-06<td>x", ["2010-05-06"]),
    "a season between two days under a range of years": (
        "**After (2027–2029)**\n- 2 March: a\n- 4 July: b\n- Autumn 2027: c\n- 15 January: d",
        ["2027", "2027-03-02", "2027-07-04", "2028-01-15"],
    ),
    "an earlier date inside a sentence leaves the year as it was": (
        "On 5 June 2010, it broke. They had warned of it on 3 March 2005. On June 7, it fell.",
        ["2005-03-03", "2010-06-05", "2010-06-07"],
    ),
    "two figures of a year after a heading": ("## 1927\n- Mar '27: x", ["1927-03"]),
    "two figures of a year alone": ("- Mar '27: x\n- Mar '68: y", ["1968-03", "2027-03"]),
    "a name that is a month": ("On 3 May 2010, it fell. After May resigned, no.", ["2010-05-03"]),
    "a month without a comma": (
        "On 3 May 2010, it fell. In June the army came.",
        ["2010-05-03", "2010-06"],
    ),
    "a time at the end of a sentence": (
        "On 3 May 2010, it fell. Appeals were lodged the next day.",
        ["2010-05-03", "2010-05-04"],
    ),
    "words that are months elsewhere": (
        "On 3 May 2010, they walked out. On 5 May, they voted no. On 6 out. 2010, it was set.",
        ["2010-05-03", "2010-05-05", "2010-10-06"],
    ),
    "a year below a range of days": (
        "### May 9–10, 2017\nParliament adopts the 2017 budget.",
        ["2017-05-09"],
    ),
    "days below rows of months": (
        "| Day | Event |\n|---|---|\n| May 2010 | |\n| 3 | x |\n| 5th | y |\n| 2010-06-07 | z |",
        ["2010-05-03", "2010-05-05", "2010-06-07"],
    ),
    "two clauses": (
        "Rescue teams arrived from abroad on 5 April 2010; the last man was found on 9 April.",
        ["2010-04-05", "2010-04-09"],
    ),
    "the same day": ("On 3 May 2010, it fell. On the same day, we left.", ["2010-05-03"]),
    "dates in descending order": ("## 2011\n- 3 May: a\n- 2 May: b", ["2011-05-02", "2011-05-03"]),
    "a full month's name ends a sentence": (
        "It lasted until 6 March. On 21 March 2010, it ended. By 4 April, all was over.",
        ["2010-03-21", "2010-04-04"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "dates"), DATES.values(), ids=DATES)
def test_dates_follow_by_rule(text: str, dates: list[str]) -> None:
    assert sorted(entries(text)) == dates


def test_a_title_goes_with_the_date_below_it() -> None:
    text = "**Talks**\n5 January 2013\nThey meet.\n\n**War**\n1 March 2013\nTanks roll."
    assert entries(text) == {
        "2013-01-05": ("Talks", "They meet."),
        "2013-03-01": ("War", "Tanks roll."),
    }


def test_a_text_goes_with_the_date_above_it() -> None:
    text = "5 January 2013\nThey meet.\n1 March 2013\nTanks roll."
    assert entries(text) == {"2013-01-05": ("They meet.",), "2013-03-01": ("Tanks roll.",)}


def test_accents_are_put_together_only_in_the_words_of_dates() -> None:
    text = "- 5 de\u0301cembre 2010 : Un cafe\u0301."
    assert entries(text) == {"2010-12-05": ("Un cafe\u0301.",)}


def test_a_week_that_does_not_exist_is_refused() -> None:
    with pytest.raises(DataError, match="'2021-W60' is not understood"):
        read("- Week 60 of 2021: x")


CELLS = """<table class="t">
<thead><tr><th>Year</th><th>Date</th><th>What</th></tr></thead>
<tbody>
<tr><td rowspan="2">1871</td><td>3 May</td><td>The mill opens.</td></tr>
<tr><td>9 June</td><td>Its wheel breaks.</td></tr>
<tr><td>1872</td><td>1 July</td><td>It is repaired.</td></tr>
</tbody></table>
"""


@pytest.mark.parametrize("form", [None, "xml"])
@pytest.mark.parametrize("sections", [True, False])
def test_a_table_of_html_is_no_xml(form: str | None, *, sections: bool) -> None:
    text = CELLS if sections else re.sub("</?t(head|body)>", "", CELLS)
    (found,) = timeline_files.read_timeline_text(text, "x.html", form=form).timelines
    assert {str(entry.when): entry.sentences for entry in found.timeline} == {
        "1871-05-03": ("The mill opens.",),
        "1871-06-09": ("Its wheel breaks.",),
        "1872-07-01": ("It is repaired.",),
    }


def test_elements_that_html_does_not_have_are_xml() -> None:
    rows = "".join(f"<row><on>187{n}-05-03</on><p>Number {n}.</p></row>" for n in (1, 2))
    file = timeline_files.read_timeline_text(f"<table>{rows}</table>", "x")
    assert (file.format, *map(str, file.timelines[0].timeline.dates)) == (
        "xml",
        "1871-05-03",
        "1872-05-03",
    )


def test_a_cell_over_several_columns_is_in_each_of_them() -> None:
    head = "<tr><th colspan='2'>Date</th><th>Title</th><th>Description</th></tr>"
    row = "<tr><td>1871</td><td>3 May</td><td colspan=2>The mill opens.</td></tr>"
    assert entries(f"<table>{head}\n{row}</table>") == {"1871-05-03": ("The mill opens.",)}


def test_a_row_with_a_year_of_its_own_has_no_month_from_above() -> None:
    head = "| Year | Month | Day | Event |\n|---|---|---|---|\n"
    rows = "| 1901 | May | 3 | a |\n| | | 5 | b |\n| 1907 | | | c |\n| | June | | d |"
    assert list(entries(head + rows)) == ["1901-05-03", "1901-05-05", "1907", "1907-06"]


def test_a_label_that_is_no_date_is_not_joined_to_the_line_above() -> None:
    text = "3 May 2011 | The ferry sinks\nMidsummer | A wreck is raised\n9 June 2011 | A trial\n"
    file = read(text)
    assert [entry.sentences for entry in file.timelines[0].timeline] == [
        ("The ferry sinks",),
        ("A trial",),
    ]
    assert "no date: 'Midsummer | A wreck is raised' is dropped" in str(
        [note.text for note in file.notes if note.line == 2]
    )
    numbered = text.replace(" |", ":").replace("Midsummer", "Stage 4b")
    assert list(entries(numbered).values()) == [("The ferry sinks",), ("A trial",)]
    spoken = text.replace(" |", ":").replace("Midsummer", "The mayor")
    assert entries(spoken)["2011-05-03"] == ("The ferry sinks The mayor: A wreck is raised",)


@pytest.mark.parametrize(
    ("label", "date"),
    [
        ("Q3–Q4 2017", "2017"),
        ("1H/2H 2017", "2017"),
        ("2017 Q1-Q2", "2017"),
        ("Nov-17", "2017-11"),
        ("30-Jun-17", "2017-06-30"),
    ],
)
def test_labels_of_reports(label: str, date: str) -> None:
    assert entries(f"FY2016 | A loss\n{label} | A gain")[date] == ("A gain",)


def test_links_below_the_last_entry_are_none_of_it() -> None:
    text = "3 May 2011\nThe ferry sinks.\n\n9 May 2011\nIt is raised.\n\nPrint | Follow us"
    assert entries(text)["2011-05-09"] == ("It is raised.",)


def test_the_order_of_day_and_month_is_that_of_other_items() -> None:
    text = "# 2016\n- 2/17 Snow\n- 3/4 Thaw\n- 5/6 Frost"
    assert list(entries(text)) == ["2016-02-17", "2016-03-04", "2016-05-06"]
    text = "# 2016\n- 17/2 Snow\n- 4/3 Thaw"
    assert list(entries(text)) == ["2016-02-17", "2016-03-04"]


@pytest.mark.parametrize(
    "title", ["[2.4.1] - 2016-02-17", "v2.4 (17 February 2016)", "[2.0-rc1]: 2016-02-17"]
)
def test_the_number_of_a_release_is_part_of_its_label(title: str) -> None:
    text = f"# Releases\n\n## {title}\n### Fixed\n- The clock\n"
    assert entries(text) == {"2016-02-17": ("The clock",)}


def test_a_range_of_days_in_figures_is_no_release() -> None:
    assert list(entries("- 3.11.2010 – 5.11.2010: A strike")) == ["2010-11-03"]


def test_words_beside_a_date_in_brackets_at_the_end_are_its_label() -> None:
    text = "- Tiles ordered (by 3 May 2016)\n- Roof sealed (expected: 9 June 2016)"
    assert entries(text) == {"2016-05-03": ("Tiles ordered",), "2016-06-09": ("Roof sealed",)}
    assert entries("- A roof falls (Reuters, 3 May 2016)") == {
        "2016-05-03": ("A roof falls (Reuters, 3 May 2016)",)
    }


PLACES = ("Riga", "Turku", "Narva")


@pytest.mark.parametrize(
    "shape",
    [
        "**{} May 1901**\nA mill burned.\nLocation: {}\n\n",
        "- **{} May 1901**: A mill burned.\n  - **Place:** {}\n",
        "- {} May 1901: A mill burned. Where: {}\n",
        "- {} May 1901: A mill burned. (Ort: {})\n",
    ],
)
def test_a_place_that_is_a_field_of_several_entries_is_left_out(shape: str) -> None:
    text = "".join(shape.format(day, place) for day, place in enumerate(PLACES, 3))
    assert set(entries(text).values()) == {("A mill burned.",)}
    assert sum("the field" in note.text for note in read(text).notes) == len(PLACES)


def test_labels_of_texts_and_labels_that_stand_once_stay() -> None:
    shape = "- {} May 1901: A mill burned.\n  - Damage: {} looms\n"
    text = "".join(shape.format(day, day * day) for day in range(3, 7))
    assert entries(text)["1901-05-04"] == ("A mill burned.", "Damage: 16 looms")
    alone = "- 3 May 1901: A mill burned. Place: Riga\n- 4 May 1901: Rain."
    assert entries(alone)["1901-05-03"] == ("A mill burned. Place: Riga",)


def test_two_blanks_behind_a_date_separate_it_from_its_text() -> None:
    text = "DAY BY DAY\n\nMon 28 Aug 2017  It forms.\nWed 30 Aug       It has a name.\n"
    text += "Mon 15 Jan 2018  The inquest.\nTue 20 Mar       New rules.\n"
    assert list(entries(text)) == ["2017-08-28", "2017-08-30", "2018-01-15", "2018-03-20"]


def test_titles_in_bold_between_entries_and_years_in_titles_are_no_text() -> None:
    text = "# The company (1788–1963)\n\n*From the archive.*\n\n### Origins\n- **1788** – A.\n"
    text += "- **1803–06** – B.\n- **12/13 May 1808** – C.\n\n**The 1857–58 crisis**\n\n"
    text += "**3 May 1857**: D.\n**4 May 1858**: E.\n\n**Later**\n\n**1963**: F.\n"
    assert entries(text) == {
        "1788": ("A.",), "1803": ("B.",), "1808-05-12": ("C.",),
        "1857-05-03": ("D.",), "1858-05-04": ("E.",), "1963": ("F.",),
    }  # fmt: skip
