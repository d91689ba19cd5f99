"""Records that cannot be read: refused with their place, or left out and counted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chronoscore as cs
from chronoscore.data import records as bulk
from chronoscore.formats.summaries import record_files, record_lines
from chronoscore.kernel import compiled_bulk
from data_files import write_lines
from record_samples import SOME, in_blocks, records

BROKEN = {
    "cut": ('{"id": "x", "system": "a', "input data was truncated; fix the JSON"),
    "no references": ('{"id": "x", "system": "a"}', "the record has no references"),
    "no references in the list": ('{"system": "a", "references": []}', "has no references"),
    "a number": ('{"id": "x", "system": 7, "references": ["a"]}', "expected 'str | array | null'"),
    "not UTF-8": (
        b'{"id": "\xff", "system": "a", "references": ["a"]}',
        "byte 0xff at offset 8 is not UTF-8",
    ),
    "a list": ("[1, 2]", "expected 'object', got 'array'"),
    "two records": ('{"system": "a", "references": "b"} {"system": "a"}', "fix the JSON"),
    "binary": (b"\0\1\2", "holds a NUL byte"),
}


@pytest.mark.parametrize(("line", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_record_is_named_by_its_line_or_left_out(
    tmp_path: Path, small_blocks: None, line: str | bytes, message: str
) -> None:
    rows = records(30)
    path = write_lines(tmp_path / "mine.jsonl", rows)
    lines = path.read_bytes().splitlines(keepends=True)
    raw = line.encode() if isinstance(line, str) else line
    path.write_bytes(b"".join([*lines[:17], raw + b"\n", *lines[17:]]))
    with pytest.raises(cs.DataError, match=rf"mine.jsonl:18: .*{message}"):
        cs.score(path)
    rules = cs.ReadingRules(on_error="skip")
    with pytest.warns(cs.ChronoscoreWarning, match="1 of 31 records cannot be read and are left"):
        found = cs.score(path, reading=rules, resampling=SOME)
    assert "|unreadable:1 skipped" in found.signature
    assert found.topics == tuple(row["id"] for row in rows)


def test_a_signature_counts_lost_records_also_where_all_texts_are_needed(tmp_path: Path) -> None:
    rows = [{"system": text, "references": [text]} for text in ("大坝决堤", "the dam")]
    path = write_lines(tmp_path / "mine.jsonl", rows)
    path.write_text(path.read_text() + "garbage\n")
    with pytest.warns(cs.ChronoscoreWarning) as heard:
        result = cs.score(path, None, "rouge1", reading=cs.ReadingRules(on_error="skip"))
    assert any("1 of 3 records cannot be read" in str(one.message) for one in heard)
    assert "topics:2|references:1|unreadable:1 skipped data:" in result.signature


def test_an_output_that_is_missing_may_count_as_empty(tmp_path: Path, small_blocks: None) -> None:
    rows = records(30)
    del rows[4]["system"]
    rows[9]["system"] = 12
    path = write_lines(tmp_path / "mine.jsonl", rows)
    with pytest.warns(cs.ChronoscoreWarning, match="2 of 30 records cannot be read and are count"):
        found = cs.score(path, reading=cs.ReadingRules(on_error="empty"), resampling=SOME)
    values = {row["topic"]: row["value"] for row in found.rows() if row["part"] == "r"}
    assert values["t4"] == values["t9"] == 0
    assert len(found.topics) == 30


def test_numbers_of_records_are_ids_too(tmp_path: Path, small_blocks: None) -> None:
    rows = records(30)
    for row in rows:
        del row["id"]
    path = write_lines(tmp_path / "mine.jsonl", rows)
    assert cs.score(path, resampling=SOME).topics == tuple(str(n) for n in range(1, 31))
    rows[28]["id"] = "7"
    write_lines(path, rows)
    with pytest.raises(cs.DataError, match=r"mine.jsonl:29: id '7' is a duplicate of record 7"):
        cs.score(path)


@pytest.mark.parametrize("size", [3, 150, 4 << 20])
def test_records_keep_their_numbers_where_others_are_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(record_files, "BLOCK_BYTES", size)
    good = {"system": "The dam.", "references": ["A dam."]}
    lines = [json.dumps(good)] * 7
    lines[1:2] = [json.dumps({**good, "system": None}), "", "no record"]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    pq.write_table(
        pa.table({"system": ["a", None, "b", "c"], "references": ["a", "b", None, "c"]}),
        tmp_path / "mine.parquet",
    )
    (tmp_path / "mine.csv").write_text("system,references\na,b\na\na,b\n")
    rules = cs.ReadingRules(on_error="skip")
    wanted = {"jsonl": ("1", "4", "5", "6", "7", "8"), "parquet": ("1", "4"), "csv": ("1", "3")}
    for form, topics in wanted.items():
        with pytest.warns(cs.ChronoscoreWarning, match="left out"):
            found = cs.score(tmp_path / f"mine.{form}", reading=rules, resampling=SOME)
        assert found.topics == topics


def test_a_number_may_not_be_the_id_of_a_block_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "LARGE", 0)
    monkeypatch.setattr(record_files, "BLOCK_BYTES", 3)
    good = {"system": "The dam.", "references": ["A dam."]}
    path = write_lines(tmp_path / "mine.jsonl", [{"id": "3", **good}, good, good])
    with pytest.raises(cs.DataError, match=r"mine.jsonl:3: id '3' is a duplicate of record 1"):
        cs.score(path)


def test_ids_must_differ_across_blocks(tmp_path: Path, small_blocks: None) -> None:
    rows = records(30)
    rows[25]["id"] = "t2"
    path = write_lines(tmp_path / "mine.jsonl", rows)
    with pytest.raises(cs.DataError, match=r"mine.jsonl:26: id 't2' is a duplicate of record 3"):
        cs.score(path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"system": [1, 2], "references": ["a", "b"]}, "column 'system' holds int64; text or"),
        ({"system": ["a", "b"], "references": [[1], [2]]}, "column 'references' holds list<"),
        ({"id": [0.5, 1.5], "system": ["a", "b"], "references": ["a", "b"]}, "ids must be text"),
        ({"system": ["a", None], "references": ["a", "b"]}, "record 2: the record has no 'system'"),
        ({"system": ["a", "b"], "references": ["a", None]}, "record 2: the record has no refer"),
        ({"output": ["a"], "references": ["a"]}, "no column 'system'"),
        ({"system": [], "references": []}, "is empty"),
    ],
)
def test_a_parquet_file_with_other_columns_is_refused(
    tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    path = tmp_path / "mine.parquet"
    kinds = {name: pa.array(values) for name, values in columns.items()}
    if not columns["references"]:
        kinds = {name: pa.array([], pa.string()) for name in columns}
    pq.write_table(pa.table(kinds), path)
    with pytest.raises(cs.DataError, match=message):
        cs.score(path)


def test_parquet_files_are_scored_beside_files_of_records_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a dam")
    for systems, references in (
        (["a.parquet", tmp_path / "a.txt"], None),
        (tmp_path / "a.txt", "gold.parquet"),
        ("a.parquet", tmp_path / "a.txt"),
        ("s3://bucket/a.jsonl", tmp_path / "a.txt"),
    ):
        with pytest.raises(cs.UsageError, match="is scored with the references in its own"):
            cs.score(systems, references)


@pytest.mark.parametrize("engine", ["c", "python"])
def test_texts_of_parquet_that_are_not_utf8_are_named_by_their_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
    good = pa.array(["the dam broke", "a dam"])
    offsets = pa.py_buffer(bytes([0, 0, 0, 0, 3, 0, 0, 0, 6, 0, 0, 0]))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"damd\xffm")])
    path = tmp_path / "mine.parquet"
    for columns in ({"system": good, "references": bad}, {"system": bad, "references": good}):
        pq.write_table(pa.table(columns), path)
        with pytest.raises(cs.DataError, match="record 2: byte 0xff at offset 1 of a text"):
            cs.score(path)
        with pytest.warns(cs.ChronoscoreWarning, match="1 of 2 records cannot be read"):
            assert len(cs.score(path, reading=cs.ReadingRules(on_error="skip")).topics) == 1
    with pytest.warns(cs.ChronoscoreWarning, match="counted as empty"):
        assert len(cs.score(path, reading=cs.ReadingRules(on_error="empty")).topics) == 2


def test_unusual_columns_of_parquet_are_refused_in_one_sentence(tmp_path: Path) -> None:
    path, usual = tmp_path / "mine.parquet", pa.array(["a", "b"])
    not_utf8 = pa.Array.from_buffers(pa.string(), 2, pa.array([b"\xdc", b"x"]).buffers())
    cases = [
        ({"system": pa.array([[["a"]], [["b"]]]), "references": usual}, "'system' holds list"),
        ({"system": usual, "references": pa.array([[[["a"]]], [[["b"]]]])}, "'references' holds l"),
        ({"system": pa.array([["a", None], ["b"]]), "references": usual}, "1: the record has no"),
        ({"system": usual, "references": pa.array([[["a", None]], [["b"]]])}, "has no references"),
        ({"id": not_utf8, "system": usual, "references": usual}, "record 1: byte 0xdc"),
    ]
    for columns, message in cases:
        pq.write_table(pa.table(columns), path)
        with pytest.raises(cs.DataError, match=message):
            cs.score(path)


def test_columns_of_the_same_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("system,references,references\na,b,c\n")
    with pytest.raises(cs.DataError, match="2 columns are called 'references'"):
        cs.score(path)
    text = pa.array(["a"])
    table = pa.Table.from_arrays([text, text, text], names=["system", "references", "references"])
    pq.write_table(table, tmp_path / "mine.parquet")
    with pytest.raises(cs.DataError, match="2 columns are called 'references'"):
        cs.score(tmp_path / "mine.parquet")


def test_blocks_are_not_read_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"mine": "caf\u00e9", "references": "caf\u00e9"}', encoding="latin-1")
    for rules in (
        cs.ReadingRules(encoding="latin-1"),
        cs.ReadingRules(encoding_errors="replace"),
    ):
        with pytest.raises(cs.UsageError, match="are read in blocks as UTF-8"):
            cs.score(path, columns={"system": "mine"}, reading=rules)


def test_what_is_not_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(cs.DataError, match=r"cannot be read as Parquet"):
        cs.score(path)
    with pytest.raises(cs.DataError, match=r"none.parquet: no such file"):
        cs.score(tmp_path / "none.parquet")
    with pytest.raises(cs.UsageError, match="holds texts and 'align' scores timelines"):
        cs.score(path, measures="align")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("system,references\na,b,c\n", "record 1 .line 2.: has 3 cells where the heading has 2"),
        ('system,references\n"a,b\n', "unexpected end of data"),
        ("system,references\n", "is empty"),
    ],
)
def test_a_broken_csv_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(content)
    with pytest.raises(cs.DataError, match=message):
        cs.score(path)


def test_columns_and_shards_are_for_files_of_records(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a dam")
    with pytest.raises(cs.UsageError, match="`columns` and `resume` are for files of records"):
        cs.score(tmp_path / "a.txt", tmp_path / "a.txt", columns={"system": "x"})
    with pytest.raises(cs.UsageError, match="unknown role 'systems'"):
        cs.score(tmp_path / "a.jsonl", columns={"systems": "x"})


@pytest.mark.parametrize("line", [1, 9])
def test_a_line_that_is_too_long_is_named(
    tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch, line: int
) -> None:
    monkeypatch.setattr(record_lines, "LONGEST_LINE", 5000)
    rows = records()
    rows[line - 1]["system"] = "dam " * 1100
    in_blocks(write_lines(tmp_path / "mine.jsonl", rows))
    rows[line - 1]["system"] = "dam " * 9000
    write_lines(tmp_path / "mine.jsonl", rows)
    with pytest.raises(cs.DataError, match=f"mine.jsonl:{line}: line of more than 5,000 bytes"):
        cs.score(tmp_path / "mine.jsonl")


@pytest.mark.skipif(compiled_bulk is None, reason="needs the compiled code")
@pytest.mark.parametrize("character", ["é", "ܐ", "😀"])
def test_texts_that_end_within_a_character_are_not_described(character: str) -> None:
    data = character.encode()
    bounds = np.array([0, 0, 1, len(data)])
    with pytest.raises(ValueError, match="is not UTF-8"):
        compiled_bulk.describe(["a"], data, bounds, np.array([2]))


@pytest.mark.parametrize(
    ("columns", "lacking"),
    [({"system": "prediction"}, "prediction"), ({"references": "gold"}, "gold")],
)
def test_a_named_key_that_a_record_lacks_is_said_with_those_it_has(
    columns: dict[str, str], lacking: str, tmp_path: Path
) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"id": 1, "system": "A.", "references": ["B."]}\n')
    with pytest.raises(
        cs.DataError, match=f"r.jsonl:1: the record has no '{lacking}', only 'id', 'system', 'ref"
    ):
        cs.score(file, measures="rouge1.f", columns=columns)
    with pytest.warns(cs.ChronoscoreWarning, match="counted as empty"):
        empty = cs.score(
            file,
            measures="rouge1.f",
            columns={"system": "x"},
            reading=cs.ReadingRules(on_error="empty"),
        )
    assert empty.averages[0].value == 0
