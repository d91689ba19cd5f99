"""Rankings: selections read line by line, each refusal with its line."""

import gzip
import math
from pathlib import Path

import pytest

from chronoscore.core import Ranking, Run, Selection
from chronoscore.errors import DataError
from chronoscore.formats.judgements import rankings


def file(tmp_path: Path, *lines: str, name: str = "mine.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_rows_become_a_run_named_by_the_file(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        '{"topic": "t", "sentence": "a", "score": 0.5}',
        "",
        '{"topic": 11, "sentence": "b", "score": 1, "time": "1970-01-01T01:00:00"}',
    )
    (run,) = rankings.load(path)
    assert run.system == "mine"
    assert run.outputs == {
        "t": Ranking((Selection("a", 0.5),)),
        "11": Ranking((Selection("b", 1.0, 3600.0),)),
    }


def test_what_a_judge_abstained_on_has_no_score(tmp_path: Path) -> None:
    rows = ('{"topic": "t", "event": "u1"}', '{"topic": "t", "event": "u2", "kind": "abstention"}')
    (run,) = rankings.load(file(tmp_path, *rows))
    output = run.outputs["t"]
    assert isinstance(output, Ranking)
    assert [(one.event, math.isnan(one.score)) for one in output] == [("u1", False), ("u2", True)]


def test_ids_may_be_numbers_and_fields_null(tmp_path: Path) -> None:
    path = file(tmp_path, '{"topic": 1, "sentence": 2, "score": 3, "time": null, "system": null}')
    (run,) = rankings.load(path)
    assert run.outputs == {"1": Ranking((Selection("2", 3.0),))}


def test_rows_may_name_their_systems(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        '{"topic": "t", "sentence": "a", "score": 1, "system": "one"}',
        '{"topic": "t", "sentence": "a", "score": 1, "system": "two"}',
        '{"topic": "t", "sentence": "a", "score": 1}',
    )
    assert [run.system for run in rankings.load(path)] == ["one", "two", "mine"]


def test_a_row_may_choose_an_event_a_span_or_its_own_words(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        '{"topic": "t", "event": "e7"}',
        '{"topic": "t", "sentence": "doc", "start": 3, "end": 9}',
        '{"topic": "t", "text": "The dam broke."}',
    )
    (run,) = rankings.load(path)
    assert run.outputs["t"] == Ranking(
        (
            Selection("", event="e7"),
            Selection("doc", start=3, end=9),
            Selection("", text="The dam broke."),
        )
    )


def test_what_is_saved_is_read_back_the_same(tmp_path: Path) -> None:
    run = Run(
        "ours",
        {"t": Ranking((Selection("a", 0.25, 90.0), Selection("d", 0.0, 90.5, 1, 4, "e", "é")))},
    )
    rankings.save([run], tmp_path / "out.jsonl")
    assert rankings.load(tmp_path / "out.jsonl") == [run]


def test_packed_files_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"topic": "t", "sentence": "a", "score": 1}\n'))
    assert rankings.load(path)[0].system == "mine"


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"topic": "t", "sentence": "a", "score": 1}\n')
    assert len(rankings.load(path)) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"sentence": "a", "score": 1}', "object missing required field 'topic'"),
        ('{"topic": "t", "score": 1}', "chooses nothing"),
        ('{"topic": "t", "sentence": "a", "score": "high"}', "expected 'float"),
        ('{"topic": "t", "sentence": "a", "score": NaN}', "JSON is malformed"),
        ('{"topic": "t", "sentence": "a"}', "some have none"),
        (
            '{"topic": "t", "sentence": "a", "score": 1, "time": "noon"}',
            "time 'noon' is not a time",
        ),
        ('{"topic": "t", "sentence": "a", "score": 1, "time": 1e300}', "is out of range"),
        ('{"topic": "t", "sentence": "a", "score": 1, "start": 3}', "from 3 to None"),
        ('{"topic": "t", "event": "a", "score": 1, "start": 3, "end": 4}', "needs its sentence"),
        ("not json", "JSON is malformed"),
    ],
)
def test_each_refusal_names_its_line(line: str, message: str, tmp_path: Path) -> None:
    path = file(tmp_path, '{"topic": "t", "sentence": "z", "score": 1}', line)
    with pytest.raises(DataError) as refusal:
        rankings.load(path)
    assert str(refusal.value).startswith(f"{path}:2: ")
    assert message in str(refusal.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b'{"topic": "\xff"}\n')
    with pytest.raises(DataError, match=r"mine\.jsonl:1: is not UTF-8"):
        rankings.load(path)


def test_blank_lines_alone_are_no_ranking(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is empty"):
        rankings.load(file(tmp_path, "", " "))
