"""The tilse format, and the losses of the peer that are none here."""

from pathlib import Path

import pytest

from chronoscore.core import Timeline
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.entries import Repeated


def read(text: str, repeated: Repeated = "merge") -> tuple[Timeline, list[str]]:
    file = timeline_files.read_timeline_text(text, "gold.txt", form="tilse", repeated=repeated)
    return file.timelines[0].timeline, [str(note) for note in file.notes]


def test_blocks_are_entries_and_lines_sentences() -> None:
    timeline, notes = read("2010-05-26\nC.\n-----\n2010-05-06\nA.\nB.\n-----\n")
    assert timeline == Timeline.of({"2010-05-06": ["A.", "B."], "2010-05-26": "C."})
    assert notes == []


@pytest.mark.parametrize("separator", ["---", "-" * 32, "-" * 50, "  -----  "])
def test_a_separator_has_any_number_of_dashes_from_three(separator: str) -> None:
    timeline, _ = read(f"2010-05-06\nA.\n{separator}\n2010-05-26\nB.\n{separator}\n")
    assert len(timeline) == 2


@pytest.mark.parametrize("line", ["-", "--"])
def test_one_or_two_dashes_are_a_sentence(line: str) -> None:
    assert read(f"2010-05-06\n{line}\n---\n")[0].sentences == (line,)


def test_the_last_separator_is_optional() -> None:
    assert read("2010-05-06\nA.\n---\n2010-05-26\nB.")[0].sentences == ("A.", "B.")


def test_repeated_dates_merge_and_say_so() -> None:
    timeline, notes = read("2010-05-06\nA.\n---\n2010-05-06\nB.\n---\n")
    assert timeline.sentences == ("A.", "B.")
    assert notes == ["gold.txt:4: date 2010-05-06 is a duplicate of line 1; the two are merged"]


def test_the_last_of_repeated_dates_wins_where_that_is_wanted_and_says_so() -> None:
    timeline, notes = read("2010-05-06\nA.\n---\n2010-05-06\nB.\n---\n", repeated="last")
    assert timeline.sentences == ("B.",)
    assert notes == [
        "gold.txt:4: date 2010-05-06 is a duplicate of line 1; only the last one counts"
    ]


def test_a_date_without_text_stays_a_date_and_says_so() -> None:
    timeline, notes = read("2010-05-06\n---\n2010-05-26\nB.\n---\n")
    assert [str(date) for date in timeline.dates] == ["2010-05-06", "2010-05-26"]
    assert notes == ["gold.txt:1: entry 2010-05-06 has no text; it counts as a date only"]


def test_a_lost_separator_is_noticed() -> None:
    timeline, notes = read("2010-05-06\nA.\n2010-05-26\nB.\n---\n")
    assert timeline == Timeline.of({"2010-05-06": "A.", "2010-05-26": "B."})
    assert notes == ["gold.txt:3: no separator before 2010-05-26; a new entry begins"]


@pytest.mark.parametrize(
    ("date", "message"),
    [
        ("2010-13-06", "gold.txt:4: date '2010-13-06' does not exist; there is no month 13"),
        ("2009-02-29", "gold.txt:4: date '2009-02-29' does not exist"),
        ("None", "gold.txt:4: date 'None' is not understood"),
        ("06/05/2010", "gold.txt:4: date '06/05/2010' does not tell day from month"),
    ],
)
def test_a_bad_date_is_refused_with_its_line(date: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(f"2010-05-06\nA.\n---\n{date}\nB.\n---\n")
    assert str(caught.value).startswith(message)


def test_coarse_dates_are_read() -> None:
    assert [str(d) for d in read("1997-06\nA.\n---\n800 BC\nB.\n")[0].dates] == [
        "800 BC",
        "1997-06",
    ]


def test_a_file_whose_dates_are_all_wrong_is_still_recognized_by_its_separators() -> None:
    with pytest.raises(DataError, match=r"gold.txt:1: date 'None' is not understood"):
        timeline_files.read_timeline_text("None\nA.\n" + "-" * 32, "gold.txt")
    listed = timeline_files.read_timeline_text("# Title\n- 2010-05-06: A.\n" + "-" * 32, "gold.txt")
    assert listed.format == "markdown"


def test_loading_warns_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("2010-05-06\n---\n2010-05-07\n---\n")
    with pytest.warns(ChronoscoreWarning, match=r"gold\.txt:1: entry 2010-05-06.*\(2 empty in all"):
        timeline_files.load(path)


@pytest.mark.parametrize("sentence", ["----", "2010-05-07"])
def test_a_sentence_that_would_be_read_otherwise_is_not_written(sentence: str) -> None:
    with pytest.raises(DataError, match="would be read as a separator or a date"):
        timeline_files.write_timeline_text(Timeline.of({"2010-05-06": [sentence]}), "tilse")


def test_a_sentence_that_spans_lines_is_written_as_several(tmp_path: Path) -> None:
    timeline_files.save(Timeline.of([("2010-05-06", [" A.\nB. "])]), tmp_path / "a.txt")
    assert timeline_files.load(tmp_path / "a.txt").sentences == ("A.", "B.")
