"""What language models write: read as a person would, with everything else said aloud."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import Note, summarize_notes
from chronoscore.formats.timelines import markdown, markdown_documents, timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline
from chronoscore.formats.timelines.format import Content
from chronoscore.formats.timelines.markdown_lines import strip_markdown


def read(text: str) -> tuple[dict[str, list[str]], list[tuple[int | None, str, str]]]:
    """Sentences by date, and (line, kind, text) of the notes."""
    plain_text = dedent(text).strip("\n")
    file = timeline_files.read_timeline_text(plain_text, "answer.md", form="markdown")
    (labeled,) = file.timelines
    found = {str(entry.when): list(entry.sentences) for entry in labeled.timeline}
    return found, [(note.line, note.kind, note.text) for note in file.notes]


def lines_of(notes: list[tuple[int | None, str, str]], kind: str) -> list[int | None]:
    return [line for line, found, _ in notes if found == kind]


TWO = {"2010-06-03": ["The cap is fitted."], "2010-06-05": ["It leaks."]}

SHAPES = {
    "bold bullets": """
        - **June 3, 2010**: The cap is fitted.
        - **June 5, 2010:** It leaks.
        """,
    "stars and dashes": """
        * 2010-06-03 – The cap is fitted.
        * 2010-06-05 - It leaks.
        """,
    "other bullets": """
        • 3 June 2010 — The cap is fitted.
        • 5 June 2010 — It leaks.
        """,
    "numbers": """
        1. June 3, 2010: The cap is fitted.
        2) June 5, 2010: It leaks.
        """,
    "marks of all kinds": """
        - *June 3, 2010* — The **cap** is fitted.
        - `2010-06-05`: It [leaks](https://example.org/a_(b)).
        """,
    "brackets": """
        - [2010-06-03] The cap is fitted.
        - (June 5, 2010) It leaks.
        """,
    "bold through and through": """
        - **June 3, 2010: The cap is fitted.**
        - __June 5, 2010 – It leaks.__
        """,
    "a table": """
        | Date | Event |
        |:-----|-------|
        | June 3, 2010 | The cap is fitted. |
        | **2010-06-05** | It leaks. |
        """,
    "a table without a heading that we know": """
        | Wann | Was |
        |---|---|
        | 2010-06-03 | The cap is fitted. |
        | 2010-06-05 | It leaks. |
        """,
    "a table with a column for years": """
        | # | Year | Date | Event |
        |---|---|---|---|
        | 1 | 2010 | June 3 | The cap is fitted. |
        | 2 | | June 5 | It leaks. |
        """,
    "headings with text": """
        ### June 3, 2010

        The cap is fitted.

        ### June 5, 2010

        It leaks.
        """,
    "headings with items": """
        ## 2010-06-03
        - The cap is fitted.

        ## 2010-06-05
        - It leaks.
        """,
    "underlined headings": """
        June 3, 2010
        ============
        The cap is fitted.

        June 5, 2010
        ============
        It leaks.
        """,
    "underlined years": """
        2010
        ----
        June 3: The cap is fitted.
        June 5: It leaks.
        """,
    "a title with its year": """
        # The spill (2010)
        ## June 2010
        **June 3**
        - The cap is fitted.

        **June 5**
        - It leaks.
        """,
    "tags": """
        <timeline>
        - 2010-06-03: The cap is fitted.
        - 2010-06-05: It leaks.
        </timeline>
        """,
    "YAML": """
        - date: 2010-06-03
          event: The cap is fitted.
        - date: 2010-06-05
          event: It leaks.
        """,
    "bare CSV": """
        Here you are:

        date,event
        2010-06-03,The cap is fitted.
        2010-06-05,It leaks.
        """,
    "bold dates alone": """
        **June 3, 2010**
        The cap is fitted.

        **June 5, 2010**

        It leaks.
        """,
    "plain lines": """
        June 3, 2010: The cap is fitted.
        June 5, 2010: It leaks.
        """,
    "dates as items with items below": """
        - June 3, 2010
          - The cap is fitted.
        - June 5, 2010
          - It leaks.
        """,
    "years over days": """
        - 2010
          - June 3: The cap is fitted.
          - June 5: It leaks.
        """,
    "year headings": """
        ## 2010
        - June 3: The cap is fitted.
        - 5 June – It leaks.
        """,
    "labels": """
        Date: June 3, 2010
        Event: The cap is fitted.

        **Date:** June 5, 2010
        **Event:** It leaks.
        """,
    "pictures": """
        📅 **June 3, 2010** – The cap is fitted.
        🛢️ **June 5, 2010** – It leaks.
        """,
    "quotes": """
        > - **June 3, 2010**: The cap is fitted.
        > - **June 5, 2010**: It leaks.
        """,
    "a fence of Markdown": """
        ```markdown
        - June 3, 2010: The cap is fitted.
        - June 5, 2010: It leaks.
        ```
        """,
    "JSON in a fence": """
        ```json
        [{"date": "2010-06-03", "event": "The cap is fitted."},
         {"date": "2010-06-05", "events": ["It leaks."]}]
        ```
        """,
    "JSON lines in a fence": """
        ```
        {"date": "June 3, 2010", "summary": "The cap is fitted."}
        {"date": "June 5, 2010", "description": "It leaks."}
        ```
        """,
    "CSV in a fence": """
        ```csv
        date,event
        2010-06-03,The cap is fitted.
        2010-06-05,It leaks.
        ```
        """,
    "tilse": """
        2010-06-03
        The cap is fitted.
        ---
        2010-06-05
        It leaks.
        ---
        """,
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same_two_days(text: str) -> None:
    found, notes = read(text)
    assert found == TWO
    assert lines_of(notes, "guessed") == []


def test_introduction_and_farewell_are_dropped_with_their_lines() -> None:
    found, notes = read(
        """
        Certainly! Here is the timeline you asked for:

        - **June 3, 2010**: The cap is fitted.
        - **June 5, 2010**: It leaks.

        Let me know if you need more.
        """
    )
    assert found == TWO
    assert notes == [
        (1, "dropped", "no date: 'Certainly! Here is the timeline you asked for:' is dropped"),
        (6, "dropped", "no date: 'Let me know if you need more.' is dropped"),
    ]


@pytest.mark.parametrize("farewell", ["I hope this helps!", "That was all there is to say."])
def test_a_farewell_below_the_last_heading_is_no_event(farewell: str) -> None:
    text = "### June 3, 2010\nThe cap is fitted.\n\n### June 5, 2010\nIt leaks.\n\n"
    found, notes = read(text + farewell)
    assert found == TWO
    assert lines_of(notes, "dropped") == [7]


def test_paragraphs_that_every_entry_has_are_kept() -> None:
    found, notes = read(
        """
        ### June 3, 2010
        The cap is fitted.

        Crews cheer.

        ### June 5, 2010
        It leaks.

        Crews weep.
        """
    )
    assert found["2010-06-05"] == ["It leaks.", "Crews weep."]
    assert notes == []


def test_what_follows_a_rule_belongs_to_no_entry() -> None:
    _, notes = read("**June 3, 2010**\nThe cap is fitted.\n\n---\n*Compiled from reports.*")
    assert lines_of(notes, "dropped") == [5]


def test_text_in_json_answers_is_dropped_with_its_line() -> None:
    found, notes = read('Sure!\n[\n {"date": "2010-06-03", "event": "A.", "url": "b"}\n]\nBye.')
    assert found == {"2010-06-03": ["A."]}
    assert notes == [
        (1, "dropped", "no date: 'Sure!' is dropped"),
        (3, "dropped", "key 'url' is not read"),
        (5, "dropped", "no date: 'Bye.' is dropped"),
    ]


def test_a_bad_date_in_fenced_json_is_refused_with_its_line() -> None:
    with pytest.raises(DataError, match=r"answer\.md:4: date '2010-06-31' does not exist"):
        read('Sure!\n```json\n[\n {"date": "2010-06-31", "event": "A."}\n]\n```')


def test_broken_fenced_json_is_refused_with_its_line() -> None:
    with pytest.raises(DataError, match=r"answer\.md:3: .*fix the JSON"):
        read('```json\n[{"date": "2010-06-03", "event": "A."},\n "event": "B."}]\n```')


def test_a_comma_before_a_closing_bracket_is_no_error_in_an_answer() -> None:
    found, notes = read('```json\n[{"date": "2010-06-03", "event": "A, ]",},\n]\n```')
    assert (found, notes) == ({"2010-06-03": ["A, ]"]}, [])


def test_sentences_that_begin_with_a_date_are_entries_where_there_is_nothing_else() -> None:
    found, notes = read(
        """
        In early May 2010, the well was found to leak.
        On 3 June 2010, a cap was fitted, and it held until
        March 2011, when it broke.

        By July 2011 all was over.
        """
    )
    assert found == {
        "2010-05": ["In early May 2010, the well was found to leak."],
        "2010-06-03": [
            "On 3 June 2010, a cap was fitted, and it held until March 2011, when it broke."
        ],
        "2011-07": ["By July 2011 all was over."],
    }
    assert notes == [
        (1, "guessed", "date 'In early May 2010' is read as 2010-05"),
        (5, "guessed", "date 'By July 2011' is read as 2011-07"),
    ]


def test_beside_a_list_such_sentences_are_an_introduction() -> None:
    found, notes = read("In 2010, a well leaked.\n\n- June 3, 2010: The cap is fitted.")
    assert list(found) == ["2010-06-03"]
    assert lines_of(notes, "dropped") == [1]


def test_ranges_and_hedges_are_noted_as_guessed() -> None:
    _, notes = read("- June 3–5, 2010: A.\n- June 6, 2010: B.\n- late 2010: C.")
    assert notes == [
        (1, "guessed", "date 'June 3–5, 2010' is a range; its beginning, 2010-06-03, is taken"),
        (3, "guessed", "date 'late 2010' is read as 2010"),
    ]


def test_a_year_is_carried_on_from_the_entry_before_and_noted() -> None:
    found, notes = read("- November 3, 2010: A.\n- December 30: B.\n- January 2: C.")
    assert list(found) == ["2010-11-03", "2010-12-30", "2011-01-02"]
    assert notes == [
        (2, "guessed", "date 'December 30' is taken to be in 2010, from the entry before"),
        (3, "guessed", "date 'January 2' is taken to be in 2011, from the entry before"),
    ]


def test_a_year_in_the_title_counts_and_is_noted() -> None:
    found, notes = read("# The spill of 2010\n\n- June 3: A.")
    assert found == {"2010-06-03": ["A."]}
    assert lines_of(notes, "guessed") == [3]


def test_days_stand_below_the_heading_of_their_month() -> None:
    found, notes = read("### April 2010\n- 20: A.\n- **22nd** – B.")
    assert found == {"2010-04-20": ["A."], "2010-04-22": ["B."]}
    assert lines_of(notes, "guessed") == [2, 3]


def test_text_below_a_year_belongs_to_the_year() -> None:
    assert read("## 2010\nA well leaks.\n\n## 2011\nIt stops.")[0] == {
        "2010": ["A well leaks."],
        "2011": ["It stops."],
    }


def test_items_below_a_day_are_its_text_whatever_they_begin_with() -> None:
    found, _ = read("- June 3, 2010: A.\n  - 2009: a year of warnings\n  - B.")
    assert found == {"2010-06-03": ["A.", "2009: a year of warnings", "B."]}


def test_a_date_may_stand_in_brackets_behind_the_event() -> None:
    found, _ = read("### 1. The cap (June 3, 2010)\nA.\n\n### It leaks (June 2011)\nB.")
    assert found == {"2010-06-03": ["1. The cap", "A."], "2011-06": ["It leaks", "B."]}
    found, _ = read("1. **The cap (June 3, 2010)**: It is fitted.")
    assert found == {"2010-06-03": ["The cap: It is fitted."]}


def test_a_date_may_follow_a_bold_title() -> None:
    found, _ = read("- **The cap**: On June 3, 2010, it was fitted.")
    assert found == {"2010-06-03": ["The cap: On June 3, 2010, it was fitted."]}


def test_items_and_rows_without_a_date_are_dropped_with_their_lines() -> None:
    found, notes = read("- June 3, 2010: A.\n- Crews cheer.\n- **Today**: nothing.")
    assert found == {"2010-06-03": ["A."]}
    assert lines_of(notes, "dropped") == [2, 3]
    found, notes = read("| Date | Event |\n|--|--|\n| June 3, 2010 | A. |\n| Present | B. |")
    assert notes == [(4, "dropped", "no date in 'Present'; the row is dropped")]


def test_a_row_with_an_empty_date_goes_with_the_one_above_and_says_so() -> None:
    found, notes = read("| Date | Event |\n|--|--|\n| June 3, 2010 | A.<br>B. |\n| | C. |")
    assert found == {"2010-06-03": ["A.", "B.", "C."]}
    assert notes == [
        (4, "guessed", "no date in this row; it is taken to belong to 2010-06-03"),
    ]


def test_columns_that_are_not_read_are_said() -> None:
    _, notes = read("| Date | Event | Source |\n|--|--|--|\n| June 3, 2010 | A. | B |")
    assert notes == [(1, "dropped", "column 'Source' is not read")]


def test_several_items_for_one_day_are_joined_without_a_word() -> None:
    found, notes = read("- June 3, 2010: A.\n- June 3, 2010: B.")
    assert found == {"2010-06-03": ["A.", "B."]}
    assert notes == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- June 31, 2010: A.", "answer.md:1: date '31 June 2010' does not exist"),
        ("- June 3: A.", "answer.md:1: date 'June 3' has no year; write it as 2010-06-03"),
        ("A.\n- 06/05/2010: B.", "answer.md:2: date '06/05/2010' does not tell day from month"),
        ("| Date | Event |\n|--|--|\n| 2010-13-01 | A. |", "answer.md:3: date '2010-13-01'"),
        ("# Nothing\n\nof the kind", "answer.md: holds no dated entry; known formats are tilse"),
    ],
)
def test_dates_that_cannot_be_read_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("shape", ["**{}** – {}\n\n", "- {}: {}\n", "| {} | {} |\n"])
def test_a_line_whose_date_cannot_be_read_is_dropped_once_and_never_joins_another(
    shape: str,
) -> None:
    days = [("3 Feb 2027", "Talks fail."), ("11/02/2027", "A ruling."), ("20 Feb 2027", "A deal.")]
    text = "".join(shape.format(*day) for day in days)
    head = "| Date | Event |\n|--|--|\n" if shape.startswith("|") else ""
    found, notes = read(head + text)
    assert found == {"2027-02-03": ["Talks fail."], "2027-02-20": ["A deal."]}
    (dropped,) = [note for _, kind, note in notes if kind == "dropped"]
    assert "'11/02/2027' does not tell day from month" in dropped


def test_a_dated_line_that_was_dropped_is_named_before_a_dropped_greeting() -> None:
    notes = [
        Note("answer.md", 1, "dropped", "no date: 'Sure!' is dropped", minor=True),
        Note("answer.md", 7, "dropped", "date '31 June' does not exist; the line is dropped"),
    ]
    first, last = map(str, summarize_notes(notes))
    assert first == "answer.md:7: date '31 June' does not exist; the line is dropped"
    assert last == "answer.md:1: no date: 'Sure!' is dropped"


def test_notes_of_each_cause_have_their_own_count() -> None:
    notes = [
        Note("answer.md", 2, "dropped", "table row without a date: '| a |' is dropped"),
        Note("answer.md", 3, "dropped", "date '31 June' does not exist; the line is dropped"),
        Note("answer.md", 9, "dropped", "table row without a date: '| it's |' is dropped"),
        Note("answer.md", 1, "dropped", "no date: 'Sure!' is dropped", minor=True),
        Note("answer.md", 11, "dropped", "a rule is dropped", minor=True),
    ]
    warnings = summarize_notes(notes)
    assert [str(one).partition("dropped")[2] for one in warnings] == [
        " (2 dropped in all, lines 2, 9)", "", " (2 dropped in all)",
    ]  # fmt: skip
    assert len({one.kind for one in warnings}) == 3
    assert warnings[0].details == (str(notes[0]), str(notes[2]))


def test_the_warning_of_a_kind_names_the_lines_of_its_notes() -> None:
    notes = [Note("answer.md", line, "guessed", "date 'x' is read as 2010") for line in (9, 4, 4)]
    (warning,) = summarize_notes(notes)
    assert str(warning).endswith("(3 guessed in all, lines 4, 9)")


def test_a_date_without_text_stays_and_a_heading_without_text_goes() -> None:
    found, notes = read("## June 3, 2010\n\n## June 5, 2010\n- A.\n\n## More\n- June 7, 2010")
    assert found == {"2010-06-05": ["A."], "2010-06-07": []}
    assert (1, "dropped", "nothing stands under 2010-06-03; it is dropped") in notes
    assert (7, "empty", "entry 2010-06-07 has no text; it counts as a date only") in notes


def test_what_is_written_is_a_list() -> None:
    timeline = Timeline.of({"2010-05-26": ["BP begins.", "It *fails*."], "2010-05-06": "A dome."})
    assert timeline_files.write_timeline_text(timeline, "markdown") == (
        "- **2010-05-06**: A dome.\n- **2010-05-26**:\n  - BP begins.\n  - It \\*fails\\*.\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a** _b_ *c* `d_e`", "a b c d_e"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("![picture](x.png) [a](b) &amp; c", "a & c"),
        (r"\*kept\* \[1\]", "*kept* [1]"),
        ("a<br>b<br/>c", "a\nb\nc"),
    ],
)
def test_marks_are_taken_off(text: str, expected: str) -> None:
    assert strip_markdown(text) == expected


SAMPLES = sorted((Path(__file__).parent / "answers").glob("*.md"))
UNNUMBERED = [
    "The dam broke on Monday in May.",
    "May: The dam broke.\nJune, it was mended.",
    "- **May**: The dam broke.\n- in June: It was mended.",
    "In March, the dam broke. By April, it was mended.",
    "| Date | Event |\n|---|---|\n| May | The dam broke. |",
    "date,text\nsoon,The dam breaks.",
    '```json\n[{"date": "soon", "text": "The dam breaks."}]\n```',
    '[{"date": "soon", "text": "The dam breaks."}]',
    "- date: soon\n  text: The dam breaks.",
    "the nineteenth century: The dam is built.",
    "siglo XIX: se construye la presa.",
    "s. XV: se construye la presa.",
    "XIX век: строят плотину.",
    "nineteenth c.: The dam is built.",
    "令和元年: ダムが決壊。",
    "○年: ダム。",
    "<think>date,text</think>\nThe dam broke.",
    "# May\n- Monday: It broke.\n- **Tuesday**: It was mended a day later.",
    "",
]


def outcome(read_document: Callable[[Content], list[LabeledTimeline]], text: str) -> object:
    """The timeline that a text is read as, or what it is refused for."""
    try:
        return read_document(Content(text, "answer.md"))
    except DataError as error:
        return str(error), error.reason


@pytest.mark.parametrize(
    "text",
    [
        *UNNUMBERED,
        *("".join(c for c in path.read_text("utf-8") if not c.isnumeric()) for path in SAMPLES),
    ],
)
def test_what_has_no_number_is_refused_as_its_whole_reading_would_be(text: str) -> None:
    assert outcome(markdown.read, text) == outcome(markdown_documents.read, text)


def test_a_dated_item_below_a_day_is_an_entry_and_others_stay_with_the_day() -> None:
    found, _ = read(
        "- 12 June 1872: Sails.\n  - 14 June: A gale.\n  - All are well.\n- 1 July 1872: B."
    )
    assert found == {
        "1872-06-12": ["Sails.", "All are well."],
        "1872-06-14": ["A gale."],
        "1872-07-01": ["B."],
    }


def test_a_finer_date_at_the_end_counts_before_the_name_of_a_work() -> None:
    found, _ = read("- *2001: A Space Odyssey* opens (2 April 1968)\n- *1900* is shown (1976)")
    assert found == {"1968-04-02": ["2001: A Space Odyssey opens"], "1976": ["1900 is shown"]}


def test_times_of_day_and_citations_are_left_out_with_a_note() -> None:
    found, notes = read(
        "--- 6 October 2022 ---\n21:58  A deploys [1, 2].\n22:07  B is healthy [sic]."
    )
    assert found == {"2022-10-06": ["A deploys.", "B is healthy [sic]."]}
    assert [note for *_, note in notes if "time" in note] == [
        "the time '21:58' is left out",
        "the time '22:07' is left out",
    ]


@pytest.mark.parametrize(
    ("below", "dates"),
    [
        ("", ["2018-10-31", "2019-03-09", "2019-05-02"]),
        ("## 2020\n- Jan 3: D.", ["2018-10-31", "2019-03-09", "2019-05-02", "2020-01-03"]),
        ("## 2019\n- Jan 3: D.", ["2018-03-09", "2018-05-02", "2018-10-31", "2019-01-03"]),
        ("- Nov 1: E.\n- Feb 2: F.", ["2018-02-02", "2018-03-09", "2018-05-02", "2018-10-31"]),
    ],
    ids=["nothing follows", "a gap follows", "the next year has a heading", "no order at all"],
)
def test_months_that_run_backward_under_a_year_are_of_the_next_or_noted(
    below: str, dates: list[str]
) -> None:
    found, notes = read(f"## 2018\n- Oct 31: A.\n- Mar 9: B.\n- May 2: C.\n{below}")
    assert [when for when in found if when != "2018-11-01"] == dates
    assert {3, 4} <= {line for line, _, text in notes if text.endswith("under 2018 run backward")}


def test_sections_of_one_year_each_begin_anew() -> None:
    found, notes = read("## 2018\n### Trade\n- Oct 31: A.\n### Sport\n- Mar 9: B.")
    assert list(found) == ["2018-03-09", "2018-10-31"]
    assert not any("run backward" in text for *_, text in notes)


@pytest.mark.parametrize("order", [1, -1], ids=["oldest first", "newest first"])
def test_a_full_date_out_of_order_is_noted(order: int) -> None:
    days = ["2011-02-03", "2011-04-03", "2001-05-01", "2011-07-03", "2011-09-03"]
    _, notes = read("".join(f"- {day}: A.\n" for day in days[::order]))
    assert [(line, text) for line, _, text in notes] == [
        (3, "date 2001-05-01 is out of order; it is taken as it stands")
    ]


@pytest.mark.parametrize("days", ["June 3|May 4|April 2", "November 3|January 2|March 5"])
def test_the_last_year_of_a_heading_may_be_written_with_two_figures(days: str) -> None:
    lines = "\n".join(f"- {day}: The dam of Pellin was closed." for day in days.split("|"))
    short, whole = (read(f"## {years}\n\n{lines}\n")[0] for years in ("2010–12", "2010–2012"))
    assert short == whole
    assert all("2010" <= day <= "2012-12-31" for day in short)
