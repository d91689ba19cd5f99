"""Scores and ratings are read from every form, and refused with their row and column."""

import gzip
import json
import math
import re

import pytest

from chronoscore.core import Rating
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.judgements.ratings import Figure, load_ratings, load_scores

CSV = """system,topic,rating,value,human
careful,dam,pyramid,0.7,0
a,dam,pyramid,0.9,1
"""


@pytest.fixture
def saved(tmp_path):
    def save(text, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return save


def summed(figures):
    return [(one.system, one.topic, one.name, one.part, one.value, one.human) for one in figures]


WANTED = [("careful", "dam", "pyramid", "", 0.7, False), ("a", "dam", "pyramid", "", 0.9, True)]


def test_ratings_are_read_from_csv(saved):
    path = saved(CSV)
    assert summed(load_ratings([path])) == WANTED
    assert load_ratings([path])[1].where == f"{path}:3"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_semicolons_and_tabs_separate_too(saved, delimiter):
    assert summed(load_ratings([saved(CSV.replace(",", delimiter))])) == WANTED


def test_headings_may_be_capitals_in_any_order_beside_others(saved):
    text = "Value,Rating,judge,System,Topic,Human\n0.7,pyramid,x,careful,dam,no\n"
    assert summed(load_ratings([saved(text)])) == WANTED[:1]


def test_a_packed_file_is_unpacked(tmp_path):
    path = tmp_path / "ratings.csv.gz"
    path.write_bytes(gzip.compress(CSV.encode()))
    assert summed(load_ratings([path])) == WANTED


def records():
    keys = ("system", "topic", "rating", "value", "human")
    return [
        dict(zip(keys, ("careful", "dam", "pyramid", 0.7, False), strict=True)),
        dict(zip(keys, ("a", "dam", "pyramid", 0.9, True), strict=True)),
    ]


def test_ratings_are_read_from_json_and_json_lines(saved):
    assert summed(load_ratings([saved(json.dumps(records()), "r.json")])) == WANTED
    lines = "".join(json.dumps(record) + "\n" for record in records())
    assert summed(load_ratings([saved(lines, "r.jsonl")])) == WANTED


def test_scores_are_read_as_score_writes_them(saved):
    rows = [
        {"system": "s", "topic": "dam", "measure": "rouge(n=2)", "part": "r", "value": 0.25},
        {"system": "s", "topic": "dam", "measure": "rouge(n=2)", "part": "p", "value": None},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    table = "system,topic,measure,part,value\ns,dam,rouge(n=2),r,0.25\ns,dam,rouge(n=2),p,\n"
    for path in (saved(lines, "s.jsonl"), saved(table, "s.csv")):
        one, two = load_scores([path])
        assert (one.name, one.part, one.value) == ("rouge(n=2)", "r", 0.25)
        assert math.isnan(two.value)


def test_scores_may_serve_as_ratings(saved):
    text = "system,topic,measure,part,value\ns,dam,pyramid,r,0.5\n"
    assert summed(load_ratings([saved(text)])) == [("s", "dam", "pyramid.r", "", 0.5, False)]


def test_a_number_without_a_topic_is_of_the_whole_system(saved):
    assert load_ratings([saved("system,rating,value\ns,pyramid,0.5\n")])[0].topic == ""


SUMMEVAL = {
    "id": "dm-1",
    "model_id": "M8",
    "decoded": "A text.",
    "expert_annotations": [{"coherence": 2, "fluency": 5}, {"coherence": 3, "fluency": 5}],
    "turker_annotations": [{"coherence": 4}],
    "metric_scores_1": {"id": "dm-1", "rouge": {"rouge_1_recall": 0.5}, "supert": [0.25]},
    "metric_scores_11": {"rouge": {"rouge_1_recall": 0.75}},
}


def test_summeval_is_read_as_ratings_and_as_scores(saved):
    path = saved(json.dumps(SUMMEVAL) + "\n", "summeval.jsonl")
    assert summed(load_ratings([path])) == [
        ("M8", "dm-1", "coherence", "", 2.5, False),
        ("M8", "dm-1", "fluency", "", 5.0, False),
        ("M8", "dm-1", "turker coherence", "", 4.0, False),
    ]
    assert summed(load_scores([path])) == [
        ("M8", "dm-1", "rouge_1_recall", "refs1", 0.5, False),
        ("M8", "dm-1", "supert", "refs1", 0.25, False),
        ("M8", "dm-1", "rouge_1_recall", "refs11", 0.75, False),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "s,dam,pyramid,good,0",
            "ratings.csv:2: column 'value': 'good' is not a number; write one",
        ),
        ("s,dam,pyramid,nan,0", "column 'value': 'nan' is not a number"),
        ("s,dam,pyramid,inf,0", "column 'value': 'inf' is not a number"),
        ("s,dam,pyramid,,0", "ratings.csv:2: column 'value' is empty; write a number or leave"),
        (",dam,pyramid,1,0", "ratings.csv:2: column 'system' is empty; name the system"),
        ("s,dam,,1,0", "column 'rating' is empty; name the rating"),
        ("s,dam,pyramid,1,maybe", "column 'human': 'maybe' is not a flag; write 1 or 0"),
        ("s,dam,pyramid,1", "ratings.csv:2: row has 4 cells under 5 headings"),
        ('s,dam,pyramid,"1', "fix the CSV"),
    ],
)
def test_a_bad_row_is_refused_with_its_line_and_column(saved, row, message):
    with pytest.raises(DataError) as refused:
        load_ratings([saved(f"system,topic,rating,value,human\n{row}\n")])
    assert message in str(refused.value)


def test_a_repeated_row_is_averaged_with_a_warning(saved):
    path = saved(CSV + "careful,dam,pyramid,0.6,0\n")
    first = float(CSV.splitlines()[1].split(",")[3])
    warned = f"{path}:4: 'pyramid' of system 'careful' is rated again; the mean of 2 ratings"
    with pytest.warns(match=re.escape(warned)):
        figures = load_ratings([path])
    assert figures[0].value == pytest.approx((first + 0.6) / 2)


def test_a_missing_column_is_answered_with_the_one_that_may_be_meant(saved):
    with pytest.raises(DataError, match=r"column 'system' is missing"):
        load_ratings([saved("sytem,topic,rating,value\ns,dam,pyramid,1\n")])


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("system,topic,rating,value\n", "r.csv", "r.csv: holds no row"),
        ("", "r.csv", "r.csv: is empty"),
        ("[1]", "r.json", "record 1: is not a record"),
        ("{}", "r.json", "record 1: the record is empty"),
        ('{"system": "s"', "r.jsonl", "r.jsonl:1: "),
    ],
)
def test_a_file_without_ratings_is_refused(saved, text, name, message):
    with pytest.raises(DataError) as refused:
        load_ratings([saved(text, name)])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expert_annotations": [{"coherence": "good"}]}, "expert_annotations.coherence"),
        ({"expert_annotations": 3}, "'expert_annotations' is not a list"),
        ({"expert_annotations": [3]}, "'expert_annotations' 1 is not an object"),
    ],
)
def test_bad_summeval_marks_are_refused(saved, change, message):
    path = saved(json.dumps({**SUMMEVAL, **change}) + "\n", "summeval.jsonl")
    with pytest.raises(DataError, match=message):
        load_ratings([path])


def test_a_rating_made_in_python_needs_no_file():
    made = Figure.of(Rating(system="s", topic="t", rating="pyramid", value=1.0, human=True))
    assert summed([made]) == [("s", "t", "pyramid", "", 1.0, True)]


@pytest.mark.parametrize("heading", ["rating", "value", "quality"])
def test_a_single_column_of_numbers_is_the_rating(tmp_path, heading):
    file = tmp_path / "ratings.csv"
    file.write_text(f"system,topic,annotator,{heading}\na,dam,x,3\na,dam,y,5\nb,dam,x,2\n")
    with pytest.warns(ChronoscoreWarning, match="the mean of 2 ratings"):
        found = load_ratings([file])
    assert [(one.system, one.name, one.value) for one in found] == [
        ("a", heading, 4.0), ("b", heading, 2.0),
    ]  # fmt: skip


def test_names_of_ratings_without_their_value_are_refused(tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text("system,rating,valeu\na,fluency,3\n")
    with pytest.raises(DataError, match="column 'value' is missing; did you mean 'valeu'"):
        load_ratings([file])
