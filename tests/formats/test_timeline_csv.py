"""Timelines in CSV and TSV as spreadsheets and people write them."""

from pathlib import Path

import pytest

from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline

TWO = Timeline.of({"2010-06-03": ["A, then B.", "C."], "2010-06-05": "D."})

SHAPES = {
    "ours": "date,text\n2010-06-03,\"A, then B.\"\n2010-06-03,C.\n2010-06-05,D.\n",
    "semicolons": "Date;Event\n2010-06-03;A, then B.\n2010-06-03;C.\n2010-06-05;D.\n",
    "tabs": "Date\tUpdate\n[2010-06-03]\tA, then B.\nJune 3, 2010\tC.\n2010-06-05\tD.\n",
    "no heading": "2010-06-03\tA, then B.\n2010-06-03\tC.\n2010-06-05\tD.",
    "other order": "text,date\n\"A, then B.\nC.\",2010-06-03\nD.,2010-06-05\n",
    "blank lines": "\ndate,text\n\n2010-06-03,\"A, then B.\"\n2010-06-03,C.\n,\n2010-06-05,D.\n",
}  # fmt: skip


def read(text: str) -> tuple[list[LabeledTimeline], list[str]]:
    file = timeline_files.read_timeline_text(text, "x.csv", form="csv")
    return file.timelines, [str(note) for note in file.notes]


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_every_shape_is_the_same_timeline(text: str) -> None:
    assert read(text) == ([LabeledTimeline(TWO)], [])


def test_topics_and_authors_have_columns() -> None:
    timelines, _ = read(
        "topic,author,date,text\nspill,ana,2010,A.\ndam,bo,2011,B.\nspill,ana,2012,C."
    )
    assert timelines == [
        LabeledTimeline(Timeline.of({"2010": "A.", "2012": "C."}, author="ana"), "spill"),
        LabeledTimeline(Timeline.of({"2011": "B."}, author="bo"), "dam"),
    ]


def test_columns_that_are_not_read_are_said() -> None:
    assert read("date,source,text\n2010,x,A.")[1] == ["x.csv:1: column 'source' is not read"]


def test_quotes_that_are_no_csv_are_kept_in_tab_separated_text() -> None:
    timelines, _ = read('2010-06-03\t"Big" news\n2010-06-05\tan inch is 1"')
    assert timelines[0].timeline.sentences == ('"Big" news', 'an inch is 1"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("who,what\na,b", "x.csv:1: no date and text column among who, what; name them date"),
        ("date,text\n2010,A.\n2010-13,B.", "x.csv:3: date '2010-13' does not exist"),
        ("date,text\n2010,A.\n2011", "x.csv:3: row has only 1 column; give it a date and a text"),
        ('date,text\n2010,"A.\nB.', "x.csv:2: unexpected end of data; check the quotes"),
    ],
)
def test_wrong_files_get_one_sentence(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


def test_the_line_of_a_row_is_where_it_begins() -> None:
    with pytest.raises(DataError, match=r"x\.csv:4: date '2010-13'"):
        read('date,text\n2010,"A.\nB."\n2010-13,C.')


def test_a_row_without_a_date_is_dropped_and_noted() -> None:
    timelines, notes = read("date;text\n2010;A.\nTotal;1 event\n")
    assert timelines == [LabeledTimeline(Timeline.of({"2010": "A."}))]
    assert notes == ["x.csv:3: no date in 'Total'; the row is dropped"]


VALUES = {
    "names that nobody knows": "qux;zap;flo\n3;2010-06-03;A, then B.\n4;2010-06-03;C.\n"
    "5;2010-06-05;D.\n",
    "a title above": "Chronicle\n\nqux\tzap\n2010-06-03\tA, then B.\n2010-06-03\tC.\n"
    "2010-06-05\tD.",
    "no heading, a number first": "7;2010-06-03;A, then B.\n8;2010-06-03;C.\n9;2010-06-05;D.",
    "an end beside the start": 'to,zap,x\n2010-06-04,2010-06-03,"A, then B."\n'
    "2010-06-07,2010-06-03,C.\n2010-06-09,2010-06-05,D.",
}


@pytest.mark.parametrize("text", VALUES.values(), ids=VALUES)
def test_columns_are_known_by_their_values(text: str) -> None:
    assert read(text)[0] == [LabeledTimeline(TWO)]


def test_the_ending_tells_the_delimiter(tmp_path: Path) -> None:
    for name, heading in (("x.csv", "date,text"), ("x.tsv", "date\ttext")):
        timeline_files.save([LabeledTimeline(TWO)], tmp_path / name)
        assert (tmp_path / name).read_text().startswith(heading)


DUMP = r"""-- from the archive, 2019-01-01
CREATE TABLE `log` (id INT, day DATE, what TEXT);
INSERT INTO `tags` (id, tag) VALUES (1, 'mill');
INSERT INTO `log` (id, day, what) VALUES
  (1, '1871-05-03', 'The miller''s wheel (oak), breaks'),
  (2, NULL, 'Nobody knows when');
INSERT INTO `log` (id, day, what) VALUES (3, '1872-07-01', 'It\'s repaired'); -- end
"""


@pytest.mark.parametrize("named", [True, False])
def test_rows_that_sql_inserts_are_read(*, named: bool) -> None:
    text = DUMP if named else DUMP.replace("(id, day, what)", "")
    file = timeline_files.read_timeline_text(text, "x")
    assert [(str(entry.when), *entry.sentences) for entry in file.timelines[0].timeline] == [
        ("1871-05-03", "The miller's wheel (oak), breaks"),
        ("1872-07-01", "It's repaired"),
    ]
    assert {note.line for note in file.notes} >= {3, 6}


def test_sql_without_dates_is_refused_by_its_columns() -> None:
    with pytest.raises(DataError, match="no date and text column among id, tag"):
        timeline_files.read_timeline_text(
            "INSERT INTO tags (id, tag) VALUES (1, 'mill'), (2, 'oak');", "x"
        )
