"""Timelines in JSON and JSON Lines, in all the shapes people give them."""

import json
from pathlib import Path

import pytest

from chronoscore.core import Timeline
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.timelines import timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline
from chronoscore.formats.timelines.format import Content
from chronoscore.formats.timelines.shapes import read_timeline_values

TWO = Timeline.of({"2010-06-03": ["A.", "B."], "2010-06-05": "C."})

ONE_TIMELINE = {
    "our own": {"timeline": [{"date": "2010-06-03", "sentences": ["A.", "B."]},
                             {"date": "2010-06-05", "sentences": ["C."]}]},
    "entries": [{"date": "June 3, 2010", "text": "A.\nB."}, {"date": "2010-06-05", "text": "C."}],
    "an item an event": [{"when": "2010-06-03", "event": "A."},
                         {"when": "2010-06-05", "event": "C."},
                         {"when": "2010-06-03", "event": "B."}],
    "title and description": [{"Date": "2010-06-03", "Title": "A.", "Description": "B."},
                              {"Date": "2010-06-05", "Summary": "C."}],
    "events of a day": [{"date": "2010-06-03", "events": [{"event": "A."}, {"event": "B."}]},
                        {"date": "2010-06-05", "events": ["C."]}],
    "pairs": [["2010-06-03T00:00:00", ["A. \n", "B."]], ["2010-06-05", "C."]],
    "dates to texts": {"2010-06-03": ["A.", "B."], "2010-06-05": "C."},
    "dates to objects": {"2010-06-03": {"title": "A.", "text": "B."}, "2010-06-05": {"text": "C."}},
    "under events": {"title": "x", "year": 2010,
                     "events": [{"date": "2010-06-03", "text": ["A.", "B."]},
                                {"date": "2010-06-05", "text": "C."}]},
    "years to entries": {"2010": [{"date": "June 3", "event": "A.\nB."},
                                  {"date": "June 5", "event": "C."}]},
    "years to months to days": {"timeline": {"2010": {"June": {"3": ["A.", "B."], "5": "C."}}}},
    "years to months in figures": {"title": "x", "2010": {"6": {"3": ["A.", "B."], "5": "C."}}},
    "months by what they hold": [
        {"year": 2010, "parts": [{"z": "June", "w": [{"day": 3, "event": "A.\nB."},
                                                     {"day": 5, "event": "C."}]}]}],
    "years to days": {"2010": {"3 June": ["A.", "B."], "June 5th": "C."}},
    "years with months with days": [
        {"year": 2010, "months": [{"month": "June", "events": [{"day": 3, "event": "A.\nB."},
                                                               {"day": 5, "event": "C."}]}]}],
    "months with a year": {"events": [{"year": "2010", "month": 6, "items": [
        {"day": "3", "text": ["A.", "B."]}, {"day": "5", "text": "C."}]}]},
    "Markdown in a string": {"timeline": "- 2010-06-03:\n  - A.\n  - B.\n- 2010-06-05: C."},
    "tilse in a string": {"timeline": "2010-06-03\nA.\nB.\n---\n2010-06-05\nC.\n---\n"},
}  # fmt: skip


def read(value: object, form: str = "json") -> list[LabeledTimeline]:
    return timeline_files.read_timeline_text(json.dumps(value), "x.json", form=form).timelines


@pytest.mark.parametrize("value", ONE_TIMELINE.values(), ids=ONE_TIMELINE)
def test_every_shape_is_the_same_timeline(value: object) -> None:
    assert read(value) == [LabeledTimeline(TWO)]
    assert read(value, "jsonl") == [LabeledTimeline(TWO)]


def test_topics_may_be_keys() -> None:
    pairs = [["2010-06-03", ["A.", "B."]], ["2010-06-05", ["C."]]]
    assert read({"spill": pairs, "dam": pairs}) == [
        LabeledTimeline(TWO, "spill"),
        LabeledTimeline(TWO, "dam"),
    ]


def test_records_hold_a_system_and_references() -> None:
    record = {
        "id": "spill",
        "system": {"2010": "A."},
        "references": [{"2011": "B."}, {"2012": "C."}],
    }
    system, *references = read([record])
    assert (system.role, system.topic) == ("system", "spill")
    assert [(one.role, one.timeline.author) for one in references] == [
        ("reference", "1"),
        ("reference", "2"),
    ]


def test_records_without_an_id_are_numbered() -> None:
    found = read([{"references": [[["2010", ["A."]]]]}, {"references": [["2011", ["B."]]]}])
    assert [one.topic for one in found] == ["1", "2"]


def test_a_record_may_name_its_topic_and_author() -> None:
    record = {"topic": "spill", "author": "ana", "timeline": [{"date": "2010", "text": "A."}]}
    assert read(record) == [LabeledTimeline(Timeline.of({"2010": "A."}, author="ana"), "spill")]


def test_entries_on_lines_of_their_own_are_sorted_by_topic() -> None:
    rows = [
        {"topic": "spill", "date": "2010", "text": "A."},
        {"topic": "dam", "date": "2011", "text": "B."},
        {"topic": "spill", "date": "2010", "text": "C."},
    ]
    text = "\n".join(map(json.dumps, rows))
    assert timeline_files.read_timeline_text(text, "x").timelines == [
        LabeledTimeline(Timeline.of({"2010": ["A.", "C."]}), "spill"),
        LabeledTimeline(Timeline.of({"2011": "B."}), "dam"),
    ]


WRONG = {
    "no JSON": ('[{"date": "2010"', "x:1: expecting ',' delimiter at column 17; fix the JSON"),
    "a key twice": ('{"2010": "A.", "2010": "B."}', "x:1: key '2010' occurs twice in one object"),
    "a bad date": ('[\n{"date": "2010-13-01", "text": ""}]', "x:2: date '2010-13-01' does not"),
    "a null date": ('[{"date": null, "text": "A."}]', "x:1: date is null; write it as 2010-06-03"),
    "no text": ('[{"date": "2010"}]', "x:1: entry has no text; give it a key 'text'"),
    "a number for a text": ('[{"date": "2010", "text": 3}]', "x:1: key 'text' holds a number"),
    "numbers in a pair": ('[["2010", [1, 2]]]', "x:1: entry '2010' holds a list; give a text"),
    "a number": ("3", "x:1: a number is not a timeline; write"),
    "no references": ('{"id": "a", "references": []}', "x:1: topic 'a' has an empty set of ref"),
    "half a character": (r'[{"date": "2010", "text": "\ud83d"}]', "x:1: holds half of a surrogate"),
    "too deep": ("[" * 100_000 + "]" * 100_000, "x:1: is nested too deeply; flatten it"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_wrong_json_gets_one_sentence(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        timeline_files.read_timeline_text(text, "x", form="json")
    assert str(caught.value).startswith(message)


def test_the_line_of_a_bad_date_is_that_of_its_own_occurrence() -> None:
    text = json.dumps(
        [{"date": "2010-06-03", "text": "2010-06-99"}, {"date": "2010-06-99", "text": "B."}],
        indent=1,
    )
    with pytest.raises(DataError, match=r"x:7: date '2010-06-99'"):
        timeline_files.read_timeline_text(text, "x", form="json")


def test_a_bad_line_of_jsonl_is_named() -> None:
    with pytest.raises(DataError, match=r"x:3: date '2010-99' does not exist"):
        timeline_files.read_timeline_text('[["2010", []]]\n\n[["2010-99", []]]', "x", form="jsonl")


def test_guesses_in_json_are_noted_with_their_line() -> None:
    text = '[\n{"date": "June 3–5, 2010", "text": "A.", "url": ""}\n]'
    notes = timeline_files.read_timeline_text(text, "x", form="json").notes
    assert [str(note) for note in notes] == [
        "x:2: key 'url' is not read",
        "x:2: date 'June 3–5, 2010' is a range; its beginning, 2010-06-03, is taken",
    ]


def test_notes_on_a_string_say_the_line_of_the_record_and_the_line_inside() -> None:
    text = '\n{"topic": "a", "timeline": "Sure!\\n- June 3–5, 2010: A."}'
    notes = timeline_files.read_timeline_text(text, "x", form="jsonl").notes
    assert [str(note)[:8] for note in notes] == ["x:2:1: n", "x:2:2: d"]


def test_json_lines_have_a_timeline_on_each_line(tmp_path: Path) -> None:
    labeled = [LabeledTimeline(TWO, "spill"), LabeledTimeline(TWO, "dam")]
    timeline_files.save(labeled, tmp_path / "x.jsonl")
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 2


def test_entries_of_several_lines_are_one_timeline_and_noted_at_their_lines() -> None:
    lines = [
        {
            "lang": "fi",
            "tl": [
                {"day": f"2 to {n} June 201{n}", "said": f"Event {n}."},
                {"day": f"201{n}-07-01", "said": "End."},
            ],
        }
        for n in (3, 4, 5)
    ]
    file = timeline_files.read_timeline_text("\n".join(map(json.dumps, lines)), "x.jsonl")
    (labeled,) = file.timelines
    assert [str(entry.when)[:4] for entry in labeled.timeline] == [
        "2013",
        "2013",
        "2014",
        "2014",
        "2015",
        "2015",
    ]
    assert [note.line for note in file.notes if note.kind == "guessed"] == [1, 2, 3]


def test_months_and_days_may_stand_together_below_a_year() -> None:
    value = {
        "1911": {"June": ["A."], "June 20": ["B."]},
        "1912": {"2 May": "C.", "July": "D."},
        "1913": ["E."],
    }
    (labeled,) = read({"timeline": value})
    assert [str(e.when) for e in labeled.timeline] == [
        "1911-06",
        "1911-06-20",
        "1912-05-02",
        "1912-07",
        "1913",
    ]


def test_news_tls_writes_days_with_a_time_and_coarser_dates_without() -> None:
    timeline = Timeline.of({"2010-06-03": "A.", "1997-06": "B."})
    assert timeline_files.write_timeline_text(timeline, "newstls") == (
        '[["1997-06", ["B."]], ["2010-06-03T00:00:00", ["A."]]]\n'
    )


def test_news_tls_merges_repeated_times_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text('[["2010-06-03T00:00:00", ["A."]], ["2010-06-03T12:00:00", ["B."]]]\n')
    with pytest.warns(
        ChronoscoreWarning, match=r"n\.jsonl:1: date 2010-06-03 is a duplicate of line 1"
    ):
        assert timeline_files.load(path, form="newstls").sentences == ("A.", "B.")
    with pytest.warns(ChronoscoreWarning, match="only the last one counts"):
        assert timeline_files.load(path, form="newstls", repeated="last").sentences == ("B.",)


def test_news_tls_refuses_other_json() -> None:
    with pytest.raises(DataError, match=r"x:1: is not a list of \[time, sentences\] pairs"):
        timeline_files.read_timeline_text('{"date": "2010", "text": "A."}', "x", form="newstls")


def test_shapes_are_read_from_any_decoder_that_knows_its_lines() -> None:
    value = {"events": [{"when": "2010-06-03", "event": "A.", "url": "x"}, {"when": "June"}]}
    content = Content("", "x.yaml")
    lines = {"2010-06-03": 2, "June": 5}

    def line_of(value: object, key: str | None = None) -> int:
        return lines[str(value)]

    with pytest.raises(DataError, match=r"x\.yaml:5: entry has no text"):
        read_timeline_values([(value, line_of)], content)
    assert [str(note) for note in content.notes] == ["x.yaml:2: key 'url' is not read"]


def test_years_are_topics_where_the_dates_have_years_of_their_own() -> None:
    own = [{"date": "2010-06-03", "text": ["A.", "B."]}, {"date": "2010-06-05", "text": "C."}]
    assert read({"2010": own, "2011": own}) == [
        LabeledTimeline(TWO, "2010"),
        LabeledTimeline(TWO, "2011"),
    ]


PYTHON = {
    "a list of dictionaries": """[{'date': '2010-06-03', 'text': 'A.\\nB.', 'seen': None},
 {'date': "2010-06-05", 'text': 'C.'}]""",
    "tuples": "[('2010-06-03', ['A.', 'B.']), ('2010-06-05', 'C.')]",
    "a dictionary": "{'2010-06-03': ['A.', 'B.'], '2010-06-05': 'C.',}",
    "with a name": "timeline = [\n  ('2010-06-03', ['A.', 'B.']),\n  ('2010-06-05', 'C.'),\n]",
    "in an answer": "Here it is:\n\n[('2010-06-03', ['A.', 'B.']),\n('2010-06-05', 'C.')]\n\nBye!",
    "in a fence": "```python\nevents = {'2010-06-03': ['A.', 'B.'], '2010-06-05': 'C.'}\n```",
    "before code": "```py\nx = {'2010-06-03': ['A.', 'B.'], '2010-06-05': 'C.'}\nprint(x)\n```",
    "cut off": "[('2010-06-03', ['A.', 'B.']), ('2010-06-05', 'C.'), ('2010-06-0",
}


@pytest.mark.parametrize("text", PYTHON.values(), ids=PYTHON)
def test_a_value_as_python_prints_it_is_read_and_noted(text: str) -> None:
    file = timeline_files.read_timeline_text(text, "x.md")
    assert [labeled.timeline for labeled in file.timelines] == [TWO]
    assert any("as Python prints it" in note.text for note in file.notes)


def test_quotes_and_escapes_in_python_strings_are_kept() -> None:
    text = r"""[['2010-06-03', 'He said "no", it\'s \\ \xe9 \u00e9\tx']]"""
    (labeled,) = timeline_files.read_timeline_text(text, "x.json", form="json").timelines
    assert labeled.timeline.sentences == ('He said "no", it\'s \\ é é\tx',)


@pytest.mark.parametrize("key", ["2010", "a"])
def test_values_nested_beyond_any_depth_get_one_sentence(key: str) -> None:
    text = f'{{"2010": {{"{key}":' + '{"a":' * 600 + "1" + "}" * 602
    with pytest.raises(DataError, match=r"^x\.json"):
        timeline_files.read_timeline_text(text, "x.json", form="json")


@pytest.mark.parametrize(
    ("rest", "lost"),
    [
        ('{"date": "2031-03-05", "event": "Wires bro', 1),
        ('{"event": "Wires broke.", "date": "5 March 2031', 1),
        ('{"year": 2031, "event": "Wir', 1),
        ('{"event": "Wires bro', 0),
        ("", 0),
    ],
)
@pytest.mark.parametrize("around", ["{}", "```json\n{}", "Here it is:\n{}"])
def test_an_entry_that_breaks_off_behind_its_date_is_lost(
    rest: str, lost: int, around: str
) -> None:
    data = '[{"date": "2031-03-02", "event": "Closed."},\n ' + rest
    found = timeline_files.read_timeline_text(around.format(data), "x")
    assert len(found.timelines[0].timeline) == 1
    assert sum(note.lost for note in found.notes) == lost
