"""Files of records read in blocks: the same figures as read at once, whatever the file."""

import csv
import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import chronoscore as cs
from chronoscore.data import records as bulk
from chronoscore.data.stages import Data, RecordData
from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries import record_layout
from chronoscore.formats.summaries.record_blocks import RecordBlock, describe_block
from chronoscore.measures.averaging import RULES
from chronoscore.stats import resample
from data_files import write_lines
from record_samples import MEASURES, SOME, in_blocks, records


def at_once(path: Path, measures: Any = None, **options: Any) -> cs.ScoreResult:
    """The score of a small file, which is read at once."""
    result = cs.score(path, None, measures, resampling=SOME, **options)
    assert isinstance(result.data, Data)
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
                "system": pa.array([row["system"] for row in rows], type=text_type),
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
    assert isinstance(blocks.data, RecordData) is (change is change_nothing)
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


def test_rows_are_written_as_they_are_rendered(tmp_path: Path, small_blocks: None) -> None:
    result = in_blocks(write_lines(tmp_path / "mine.jsonl", records()))
    for form in ("jsonl", "csv", "json"):
        result.save(tmp_path / f"out.{form}")
        assert (tmp_path / f"out.{form}").read_text() == result.render(form, "all")
    result.save(tmp_path / "out.parquet")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    expected = [json.loads(line) for line in result.render("jsonl", "all").splitlines()]
    assert rows == expected


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
    source = FileSource("s3://bucket/runs/Mine.v2.jsonl.gz")
    assert source.bare_name == "Mine.v2"
    assert source.packed == ".gz"
    assert source.endings == [".v2", ".jsonl"]
    assert record_layout.record_file_format(source) == "jsonl"


@pytest.mark.parametrize("rule", RULES)
def test_draws_in_blocks_give_the_intervals_of_all_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: Any
) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records())
    how = cs.Resampling(interval="bootstrap", times=300, rule=rule)
    whole = cs.score(path, None, MEASURES, resampling=how).rows("averages")
    monkeypatch.setattr(resample, "CHUNK", 1000)
    blocks = cs.score(path, None, MEASURES, resampling=how).rows("averages")
    assert [row["n"] for row in blocks] == [row["n"] for row in whole]
    for key in ("value", "low", "high"):
        assert [row[key] for row in blocks] == pytest.approx([row[key] for row in whole], abs=1e-12)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("interval", ["t-logit", "bootstrap"])
def test_records_in_another_order_have_the_same_figures_and_the_same_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, interval: Any
) -> None:
    rows = records()
    turned = [*reversed(rows[::2]), *rows[1::2]]
    one, other = (
        write_lines(tmp_path / name / "mine.jsonl", each)
        for name, each in (("one", rows), ("other", turned))
    )
    how = cs.Resampling(interval=interval)
    whole = cs.score(one, None, MEASURES, resampling=how)
    monkeypatch.setattr(bulk, "LARGE", 0)
    again = cs.score(other, None, MEASURES, resampling=how, jobs=jobs)
    assert again.rows("averages") == whole.rows("averages")
    assert again.signature == whole.signature


def test_a_folder_of_timelines_is_the_same_data_as_one_table_in_another_order(
    tmp_path: Path,
) -> None:
    days = ["2031-03-01", "2031-03-04", "2031-03-09"]
    words = {"dam": "the dam broke", "quake": "walls fell down", "fire": "smoke rose far away"}
    for topic, text in words.items():
        folder = tmp_path / "gold" / topic / "timelines"
        folder.mkdir(parents=True)
        entries = [f"{day}\n{text} {day[-1]}\n{'-' * 32}\n" for day in days]
        (folder / "ann.txt").write_text("".join(entries))
    table = [
        {"topic": topic, "author": "ann", "date": day, "text": f"{text} {day[-1]}"}
        for topic, text in reversed(words.items())
        for day in days
    ]
    mine = {"mine": {topic: {days[0]: text.split()[-1]} for topic, text in words.items()}}
    folder_result = cs.score(mine, tmp_path / "gold", "align+")
    table_result = cs.score(mine, table, "align+")
    assert folder_result.signature == table_result.signature
    assert folder_result.rows("averages") == table_result.rows("averages")
