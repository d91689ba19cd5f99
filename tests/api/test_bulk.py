"""Files of records read in blocks: the same figures as read at once, whatever the file."""

import csv
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import chronoscore as cs
from chronoscore.api import bulk
from chronoscore.formats.io.sources import Source
from chronoscore.formats.summaries import record_files, record_lines
from chronoscore.formats.summaries.record_blocks import RecordBlock, describe_block
from chronoscore.kernel import compiled_bulk
from chronoscore.stats import corpus, resample

WORDS = ["the", "a", "dam", "river", "flood", "broke", "rose", "fell", "Dammbruch's", "naïve"]
MEASURES = ["rouge1", "rouge2(stem)", "rougeL", "rouge-su", "rouge-w", "rouge1(limit=5w)"]
SOME = cs.Resampling(times=20)


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(0, 9))) + rng.choice([".", "", "\\", "'", '"'])


def text(rng: random.Random) -> str:
    return "\n".join(sentence(rng) for _ in range(rng.randint(1, 4)))


def records(count: int = 40, seed: int = 1) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [
        {
            "id": f"t{number}",
            "system": text(rng),
            "references": [text(rng) for _ in range(rng.randint(1, 3))],
        }
        for number in range(count)
    ]


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read even small files in blocks, each of a few records."""
    monkeypatch.setattr(bulk, "LARGE", 0)
    monkeypatch.setattr(record_files, "BLOCK_BYTES", 2000)


def at_once(path: Path, measures: Any = None, **options: Any) -> cs.ScoreResult:
    """The score of a small file, which is read at once."""
    result = cs.score(path, None, measures, resampling=SOME, **options)
    assert result.reload is None
    return result


def in_blocks(path: Path | str, measures: Any = None, **options: Any) -> cs.ScoreResult:
    result = cs.score(path, None, measures, resampling=SOME, **options)
    assert result.reload is not None
    return result


@pytest.mark.parametrize("engine", ["c", "python"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_blocks_give_the_bytes_of_the_whole_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    engine: str,
    jobs: int,
) -> None:
    monkeypatch.setenv("CHRONOSCORE_ENGINE", engine)
    rows = records()
    rows[3]["system"] = ["A list of sentences.", "with a line\nend inside"]
    rows[4]["references"] = "one reference alone"
    rows[5]["references"] = [["Several", "sentences"], "and a text"]
    path = write_lines(tmp_path / "mine.jsonl", rows)
    whole = at_once(path, MEASURES)
    request.getfixturevalue("small_blocks")
    blocks = in_blocks(path, MEASURES, jobs=jobs)
    assert blocks.signature == whole.signature
    assert blocks.render("jsonl", "all") == whole.render("jsonl", "all")
    assert str(blocks) == str(whole)


def packed(pack: Callable[[bytes], bytes], ending: str) -> Any:
    return pytest.param(pack, ending, id=ending)


@pytest.mark.parametrize(
    ("pack", "ending"), [packed(gzip.compress, ".gz"), packed(zstandard.compress, ".zst")]
)
def test_packed_records_are_the_records(
    tmp_path: Path, small_blocks: None, pack: Callable[[bytes], bytes], ending: str
) -> None:
    plain = write_lines(tmp_path / "mine.jsonl", records())
    other = tmp_path / f"mine.jsonl{ending}"
    other.write_bytes(pack(plain.read_bytes()))
    assert in_blocks(other).render("jsonl", "all") == in_blocks(plain).render("jsonl", "all")
    other.write_bytes(other.read_bytes()[:-9])
    with pytest.raises(cs.DataError, match="broken archive"):
        cs.score(other)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), "dictionary", "columns"])
def test_parquet_has_the_figures_and_the_signature_of_json_lines(
    tmp_path: Path, small_blocks: None, kind: Any
) -> None:
    rows = records()
    columns = None
    if kind == "columns":
        for row in rows:
            row["references"] = (row["references"] * 2)[:2]
        table = pa.table(
            {
                "id": [row["id"] for row in rows],
                "prediction": [row["system"] for row in rows],
                "gold1": [row["references"][0] for row in rows],
                "gold2": [row["references"][1] for row in rows],
            }
        )
        columns = {"system": "prediction", "references": ["gold1", "gold2"]}
    else:
        text_type = pa.dictionary(pa.int32(), pa.string()) if kind == "dictionary" else kind
        table = pa.table(
            {
                "id": pa.array([row["id"] for row in rows]),
                "system": pa.array([row["system"] for row in rows]).cast(text_type),
                "references": pa.array([row["references"] for row in rows]),
                "other": list(range(len(rows))),
            }
        )
    pq.write_table(table, tmp_path / "mine.parquet", row_group_size=7)
    lines = write_lines(tmp_path / "mine.jsonl", rows)
    found = in_blocks(tmp_path / "mine.parquet", MEASURES, columns=columns)
    assert found.signature == in_blocks(lines, MEASURES).signature
    assert found.rows("all") == in_blocks(lines, MEASURES).rows("all")


def several(tmp_path: Path, other: list[dict[str, Any]]) -> list[Path]:
    """Two systems' records; those of the second are these."""
    return [
        write_lines(tmp_path / "mine.jsonl", records()),
        write_lines(tmp_path / "other.jsonl", other),
    ]


def change_nothing(rows: list[dict[str, Any]]) -> None:
    """The same topics and references in the same order."""


def change_order(rows: list[dict[str, Any]]) -> None:
    rows.reverse()


def change_a_reference(rows: list[dict[str, Any]]) -> None:
    rows[30]["references"][0] += " and more"


def leave_topics_out(rows: list[dict[str, Any]]) -> None:
    del rows[31:]


@pytest.mark.filterwarnings("ignore:run 'other'. no output for 9 of 40 topics")
@pytest.mark.parametrize(
    "change", [change_nothing, change_order, change_a_reference, leave_topics_out]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_several_files_have_the_bytes_of_several_files_at_once(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    change: Callable[[list[dict[str, Any]]], None],
    jobs: int,
) -> None:
    rows = records()
    for row in rows:
        row["system"] = f"Another dam {row['system']}"
    change(rows)
    files = several(tmp_path, rows)
    whole = cs.score(files, resampling=SOME)
    request.getfixturevalue("small_blocks")
    blocks = cs.score(files, resampling=SOME, jobs=jobs)
    assert (blocks.reload is not None) is (change is change_nothing)
    assert blocks.signature == whole.signature
    assert blocks.render("jsonl", "all") == whole.render("jsonl", "all")
    if change is change_nothing:
        assert "t3" in str(blocks.explain("other", topic="t3"))


def test_several_parquet_files_are_several_systems(tmp_path: Path, small_blocks: None) -> None:
    rows = records()
    for row in rows:
        row["system"] = f"Another dam {row['system']}"
    lines = several(tmp_path, rows)
    tables = [path.with_suffix(".parquet") for path in lines]
    for path, held in zip(tables, (records(), rows), strict=True):
        pq.write_table(pa.Table.from_pylist(held), path)
    expected = cs.score(lines, resampling=SOME)
    for files in (tables, [lines[0], tables[1]]):
        assert cs.score(files, resampling=SOME).rows("all") == expected.rows("all")
    (tmp_path / "more").mkdir()
    twin = write_lines(tmp_path / "more" / "mine.jsonl", rows)
    with pytest.raises(cs.DataError, match="system 'mine' is named twice"):
        cs.score([lines[0], twin], resampling=SOME)


def test_csv_has_the_figures_of_json_lines(tmp_path: Path, small_blocks: None) -> None:
    rows = records()
    with (tmp_path / "mine.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "system", "references"])
        for row in rows:
            row["references"] = row["references"][:1]
            writer.writerow([row["id"], row["system"], row["references"][0]])
    lines = write_lines(tmp_path / "mine.jsonl", rows)
    found = in_blocks(tmp_path / "mine.csv", MEASURES)
    assert found.rows("all") == in_blocks(lines, MEASURES).rows("all")
    assert found.signature == in_blocks(lines, MEASURES).signature


def test_an_address_is_read_by_fsspec(tmp_path: Path, small_blocks: None) -> None:
    import fsspec

    path = write_lines(tmp_path / "mine.jsonl", records())
    with fsspec.open("memory://folder/mine.jsonl.gz", "wb") as file:
        file.write(gzip.compress(path.read_bytes()))
    found = in_blocks("memory://folder/mine.jsonl.gz")
    assert found.rows("all") == in_blocks(path).rows("all")
    with pytest.raises(cs.DataError, match=r"memory://nowhere.jsonl: no such file"):
        cs.score("memory://nowhere.jsonl")
    with pytest.raises(cs.UsageError, match="cannot be opened"):
        cs.score("nosuch://x/mine.jsonl")


def test_columns_of_json_lines_can_have_other_names(tmp_path: Path, small_blocks: None) -> None:
    rows = records()
    other = [{"key": row["id"], "answer": row["system"], "gold": row["references"]} for row in rows]
    path = write_lines(tmp_path / "other.jsonl", other)
    usual = write_lines(tmp_path / "mine.jsonl", rows)
    columns = {"id": "key", "system": "answer", "references": "gold"}
    found = cs.score(path, columns=columns, resampling=SOME)
    assert [row["value"] for row in found.rows()] == [
        row["value"] for row in in_blocks(usual).rows()
    ]
    assert found.topics == tuple(row["id"] for row in rows)


def test_texts_in_an_unseen_script_are_read_as_they_are_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = records(12)
    rows[7]["references"] = ["大坝决堤。", "城市被洪水淹没"]
    rows[7]["system"] = "大坝昨天决堤"
    path = write_lines(tmp_path / "mine.jsonl", rows)
    with pytest.warns(cs.ChronoscoreWarning, match="cannot see the script") as first:
        whole = cs.score(path, resampling=SOME)
    monkeypatch.setattr(bulk, "LARGE", 0)
    with pytest.warns(cs.ChronoscoreWarning, match="cannot see the script") as second:
        blocks = cs.score(path, resampling=SOME)
    assert [str(w.message) for w in first] == [str(w.message) for w in second]
    assert blocks.signature == whole.signature
    assert blocks.rows("all") == whole.rows("all")


def test_what_is_read_in_blocks_can_still_be_explained(tmp_path: Path, small_blocks: None) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records())
    assert "t3" in str(in_blocks(path).explain(topic="t3"))


BROKEN = {
    "cut": ('{"id": "x", "system": "a', "input data was truncated; fix the JSON"),
    "no references": ('{"id": "x", "system": "a"}', "the record has no references"),
    "no references in the list": ('{"system": "a", "references": []}', "has no references"),
    "a number": ('{"id": "x", "system": 7, "references": ["a"]}', "expected `str | array | null`"),
    "not UTF-8": (
        b'{"id": "\xff", "system": "a", "references": ["a"]}',
        "byte 0xff at offset 8 is not UTF-8",
    ),
    "a list": ("[1, 2]", "expected `object`, got `array`"),
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
    with pytest.raises(cs.DataError, match="2 columns are called 'references'; rename"):
        cs.score(path)
    text = pa.array(["a"])
    table = pa.Table.from_arrays([text, text, text], names=["system", "references", "references"])
    pq.write_table(table, tmp_path / "mine.parquet")
    with pytest.raises(cs.DataError, match="2 columns are called 'references'; rename"):
        cs.score(tmp_path / "mine.parquet")


def test_blocks_are_not_read_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"mine": "caf\u00e9", "references": "caf\u00e9"}', encoding="latin-1")
    for rules in (
        cs.ReadingRules(encoding="latin-1"),
        cs.ReadingRules(encoding_errors="replace"),
    ):
        with pytest.raises(cs.UsageError, match="are read in blocks as UTF-8; save the file as"):
            cs.score(path, columns={"system": "mine"}, reading=rules)


def test_what_is_not_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(cs.DataError, match=r"mine.parquet: is not a Parquet file"):
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
    with pytest.raises(cs.UsageError, match="--column and --resume are for files of records"):
        cs.score(tmp_path / "a.txt", tmp_path / "a.txt", columns={"system": "x"})
    with pytest.raises(cs.UsageError, match="unknown role 'systems'"):
        cs.score(tmp_path / "a.jsonl", columns={"systems": "x"})


def test_rows_are_written_as_they_are_rendered(tmp_path: Path, small_blocks: None) -> None:
    result = in_blocks(write_lines(tmp_path / "mine.jsonl", records()))
    for form in ("jsonl", "csv", "json"):
        result.save(tmp_path / f"out.{form}")
        assert (tmp_path / f"out.{form}").read_text() == result.render(form, "all")
    result.save(tmp_path / "out.parquet")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    expected = [json.loads(line) for line in result.render("jsonl", "all").splitlines()]
    assert rows == expected


def command(*words: str | Path, cwd: Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "chronoscore", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


KILLED = """
import os, signal, sys
from chronoscore.api import bulk, score_files, shards
from chronoscore.formats.summaries import record_files
from chronoscore.stats import corpus, resample
from chronoscore.cli import main

bulk.LARGE, record_files.BLOCK_BYTES = 0, 2000
place, after = sys.argv[1], int(sys.argv[2])

def killing(function):
    calls = []
    def call(*arguments, **options):
        calls.append(1)
        if len(calls) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

if place == "count":
    bulk.tally_rouge_of_block = killing(bulk.tally_rouge_of_block)
elif place == "shard":
    shards.ShardFolder.save = killing(shards.ShardFolder.save)
elif place == "write":
    import os as system
    system.replace = killing(system.replace)
    from pathlib import Path
    Path.replace = killing(Path.replace)
elif place == "rows":
    score_files.json_row = killing(score_files.json_row)
elif place == "clear":
    from chronoscore.cli import score as command
    import chronoscore.api.shards
    chronoscore.api.shards.clear_shards = killing(chronoscore.api.shards.clear_shards)
main(sys.argv[3:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "after"), [("count", 3), ("shard", 5), ("write", 4), ("rows", 100), ("clear", 0)]
)
def test_a_run_that_was_killed_goes_on_with_the_same_bytes(
    tmp_path: Path, place: str, after: int
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    (tmp_path / "script.py").write_text(KILLED)
    whole = cs.score(tmp_path / "mine.jsonl", resampling=SOME)
    expected = whole.render("jsonl", "all").encode()
    words = ["score", "mine.jsonl", "-f", "jsonl", "--rows", "all", "--resamples", "20", "-o"]

    def run(where: str, count: int, out: str, *more: str) -> "subprocess.CompletedProcess[str]":
        script = [sys.executable, "script.py", where, str(count), *words, out, *more]
        return subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)

    killed = run(place, after, "out.jsonl", "--resume")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    finished = list((tmp_path / ".out.jsonl.parts").glob("*.tallies"))
    assert finished
    assert place == "clear" or not (tmp_path / "out.jsonl").exists()
    resumed = run("none", 0, "out.jsonl", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == expected
    assert not (tmp_path / ".out.jsonl.parts").exists()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["c", "python"])
def test_an_interrupted_run_stops_at_once_and_keeps_what_is_finished(
    tmp_path: Path, engine: str
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    script = KILLED.replace("signal.SIGKILL", "signal.SIGINT")
    # Jobs in the background ignore the signal, and hand that down.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{heard}\n{script}"
    (tmp_path / "script.py").write_text(script)
    words = ["score", "mine.jsonl", "-f", "jsonl", "-o", "out.jsonl", "--jobs", "2"]
    done = subprocess.run(
        [sys.executable, "script.py", "shard", "3", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CHRONOSCORE_ENGINE": engine},
    )
    assert (done.returncode, done.stderr) == (130, "chronoscore: stopped\n")
    assert len(list((tmp_path / ".out.jsonl.parts").iterdir())) >= 3
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.slow
def test_a_full_disk_is_said_in_one_sentence_and_leaves_nothing_half_written(
    tmp_path: Path,
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    script = """
import resource, signal, sys
from chronoscore.api import bulk
from chronoscore.cli import main
from chronoscore.formats.summaries import record_files
from chronoscore.stats import corpus, resample
bulk.LARGE, record_files.BLOCK_BYTES = 0, 2000
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
main(sys.argv[2:])
"""
    (tmp_path / "script.py").write_text(script)
    words = ["score", "mine.jsonl", "-f", "jsonl", "-o", "out.jsonl", "--resamples", "20"]

    def run(limit: int, *more: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "script.py", str(limit), *words, *more]
        return subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    for limit, kept in ((4000, True), (100, False)):  # while writing rows, and shards
        full = run(limit)
        assert full.returncode == 3, full.stderr
        (sentence,) = full.stderr.splitlines()
        assert "cannot be written (File too large)" in sentence
        assert bool(list(tmp_path.glob(".out.jsonl.parts/*"))) == kept
        assert not list(tmp_path.glob("*out.jsonl")), "nothing under the final name, or half of it"
        if kept:
            assert run(1 << 30, "--resume").returncode == 0
            whole = cs.score(tmp_path / "mine.jsonl", resampling=SOME)
            assert (tmp_path / "out.jsonl").read_text() == whole.render("jsonl")
            (tmp_path / "out.jsonl").unlink()


@pytest.mark.slow
def test_records_may_be_written_to_a_device(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records(5))
    packed_path = tmp_path / "mine.jsonl.gz"
    packed_path.write_bytes(gzip.compress(path.read_bytes()))
    words = ["score", packed_path, "-f", "jsonl", "--resamples", "20", "-o", "/dev/stdout"]
    done = command(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == cs.score(path, resampling=SOME).render("jsonl")


def test_finished_blocks_are_not_counted_again(
    tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records())
    first = in_blocks(path, shards=tmp_path / "shards")
    kept = sorted((tmp_path / "shards").iterdir())
    kept[1].write_bytes(b"half a shard")
    calls = []
    count = bulk.tally_rouge_of_block
    monkeypatch.setattr(
        bulk, "tally_rouge_of_block", lambda *given: (calls.append(1), count(*given))[1]
    )
    assert in_blocks(path, shards=tmp_path / "shards").rows("all") == first.rows("all")
    assert len(calls) == 1
    rows = records()
    rows[20]["system"] = "x" * len(rows[20]["system"].encode())  # the same length, other words
    write_lines(path, rows)
    changed = in_blocks(path, shards=tmp_path / "shards")
    assert 0 < len(calls) - 1 < len(kept)
    assert changed.rows("all") == in_blocks(path).rows("all")


LIMITED = """
import resource, sys
import chronoscore as cs
import numpy, scipy.special, msgspec
import chronoscore.api.scoring
from chronoscore.formats.summaries import record_files
from chronoscore.stats import corpus, resample

record_files.BLOCK_BYTES = 1 << 18
numpy.ones((300, 300)) @ numpy.ones((300, 300))  # the first product takes memory for good
limit = int(sys.argv[2])
used = int(next(l for l in open("/proc/self/status") if l.startswith("VmData")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (used + limit, used + limit))
result = cs.score(sys.argv[1], measures=["rouge1", "rougeL"], resampling=cs.Resampling(times=10))
print(result["big", "rouge(n=1).f"].value)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's limits")
def test_memory_is_bounded_whatever_the_input(tmp_path: Path) -> None:
    rows = records(100)
    for row in rows:
        row["id"] = None
        row["system"] *= 400
    line = "".join(json.dumps(row) + "\n" for row in rows)
    limit = 16 << 20
    copies = 10 * limit // len(line) + 1
    with gzip.open(tmp_path / "big.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(copies):
            file.write(line.encode())
    assert copies * len(line) > 10 * limit
    (tmp_path / "script.py").write_text(LIMITED)
    done = subprocess.run(
        [sys.executable, "script.py", "big.jsonl.gz", str(limit)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    expected = cs.score(write_lines(tmp_path / "small.jsonl", rows), measures=["rouge1"])
    assert float(done.stdout) == pytest.approx(expected["small", "rouge(n=1).f"].value)


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


def test_every_character_is_described_as_python_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [chr(point) for point in range(sys.maxunicode + 1)]
    texts = ["".join(points[at : at + 997]) for at in range(0, len(points), 997)]
    texts += ["it's", 'a "quote"', "'\"", "", "\n"]
    ids = [f"'{number}" for number in range(len(texts))]
    groups = [[text, "a\\b"] if number % 2 else [text] for number, text in enumerate(texts)]
    block = RecordBlock.of(ids, texts, groups)
    described = describe_block(block)
    monkeypatch.setenv("CHRONOSCORE_ENGINE", "python")
    assert described == describe_block(block)


def test_names_of_sources() -> None:
    source = Source("s3://bucket/runs/Mine.v2.jsonl.gz")
    assert source.bare_name == "Mine.v2"
    assert source.packed == ".gz"
    assert source.endings == [".v2", ".jsonl"]
    assert record_files.record_file_format(source) == "jsonl"


@pytest.mark.parametrize("rule", ["mean", "micro", "of-means"])
def test_draws_in_blocks_give_the_intervals_of_all_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: Any
) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records())
    how = cs.Resampling(times=300, rule=rule)
    whole = cs.score(path, None, MEASURES, resampling=how).rows("averages")
    for module in (resample, corpus):
        monkeypatch.setattr(module, "CHUNK", 1000)
    blocks = cs.score(path, None, MEASURES, resampling=how).rows("averages")
    assert [row["n"] for row in blocks] == [row["n"] for row in whole]
    for key in ("value", "low", "high"):
        assert [row[key] for row in blocks] == pytest.approx([row[key] for row in whole], abs=1e-12)


@pytest.mark.skipif(compiled_bulk is None, reason="needs the compiled code")
@pytest.mark.parametrize("character", ["é", "ܐ", "😀"])
def test_texts_that_end_within_a_character_are_not_described(character: str) -> None:
    data = character.encode()
    bounds = np.array([0, 0, 1, len(data)])
    with pytest.raises(ValueError, match="is not UTF-8"):
        compiled_bulk.describe(["a"], data, bounds, np.array([2]))


def count_children_without_interrupts(pid: int) -> int:
    """How many children of a process are at work and ignore SIGINT."""
    count = 0
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        lines = Path(f"/proc/{child}/status").read_text().splitlines()
        (ignored,) = (line.split()[1] for line in lines if line.startswith("SigIgn"))
        count += int(ignored, 16) >> (signal.SIGINT - 1) & 1
    return count


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_an_interrupt_of_all_processes_is_said_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records(20_000))
    command = [sys.executable, "-m", "chronoscore", "score", str(path), "--jobs", "2"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "CHRONOSCORE_ENGINE": "python"},
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while process.poll() is None and count_children_without_interrupts(process.pid) < 2:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert said == "chronoscore: stopped\n"
    assert process.returncode == 130
