"""`-o`: its ending chooses the format, and it never overwrites what the command reads."""

import shutil
from pathlib import Path

import pytest

import chronoscore.demo

BEGINNINGS = {
    "csv": "system,", "html": "<!doctype html>", "htm": "<!doctype html>", "json": "[",
    "jsonl": "{", "md": "|", "tex": r"% \usepackage", "txt": "\n  system",
}  # fmt: skip


@pytest.fixture
def demo(tmp_path):
    shutil.copytree(Path(chronoscore.demo.__file__).parent, tmp_path, dirs_exist_ok=True)


SCORE = "score runs/lead/timelines --reference corpus -m dates -qq"


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_chooses_the_format(run, tmp_path, demo, ending):
    run(f"{SCORE} -o out.{ending}")
    text = (tmp_path / f"out.{ending}").read_text()
    assert BEGINNINGS[ending] in text[: 40 + len(BEGINNINGS[ending])], text[:80]


def test_an_ending_that_contradicts_the_format_is_refused(run, tmp_path, demo):
    said = run(f"{SCORE} -f json -o out.html", code=2)
    assert "asks for html and -f for json" in said.err
    assert not (tmp_path / "out.html").exists()
    run(f"{SCORE} -f json -o out.txt")
    assert (tmp_path / "out.txt").read_text().startswith("[")


def test_an_ending_that_a_command_cannot_write_is_refused(run, demo):
    systems = "runs/lead/timelines --reference corpus -qq"
    said = run(f"report {systems} -m dates -o why.csv", code=2)
    assert "the report is a page; end its name in .html" in said.err
    assert not Path("why.csv").exists()
    run(f"explain {systems} -t dam -o why.html")
    assert Path("why.html").read_text().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "line",
    [
        "score {0} --reference corpus/dam/timelines/ines.txt -m dates -o {0}",
        "score corpus/dam/timelines/ines.txt --reference {0} -m dates -o {0}",
        "score runs/lead/timelines --reference corpus -m dates -o {0}",
        "convert {0} -o {0} --to json",
        "explain {0} --reference corpus/dam/timelines/ines.txt -o {0}",
    ],
)
def test_an_input_is_never_overwritten(run, tmp_path, demo, line):
    mine = Path("runs/lead/timelines/dam.txt")
    before = mine.read_bytes()
    said = run(line.format(mine), code=2)
    assert "which is read" in said.err or "overwrite its input" in said.err
    Path("link.txt").symlink_to(mine)
    run(line.format(mine).replace(f"-o {mine}", "-o link.txt"), code=2)
    assert mine.read_bytes() == before


@pytest.mark.parametrize(
    "line",
    [
        f"{SCORE} --fail-under 0 --junit out.svg --plot out.svg",
        f"{SCORE} --fail-under 0 --junit out.csv --output here/out.csv",
        f"{SCORE} --breakdown out.csv -o out.csv",
        f"{SCORE} --curve out.png --plot ./out.png",
        "oracle corpus -m dates --write-run out -o out",
    ],
)
def test_two_outputs_to_one_file_are_refused(run, tmp_path, demo, line):
    Path("here").symlink_to(tmp_path)
    assert "both write" in run(line, code=2).err
    assert not [*tmp_path.glob("out*")]


def test_a_device_takes_several_outputs(run, demo):
    run(f"{SCORE} --fail-under 0 --junit /dev/null -o /dev/null")


@pytest.mark.parametrize(
    "line",
    [
        "report runs/lead/timelines --reference corpus -o -",
        "judge next corpus/dam/judged.jsonl -o -",
        "judge certify facts corpus --model none --output=-",
        "bench board runs/lead -o -",
        f"{SCORE} --plot -",
        f"{SCORE} --fail-under 0 --junit -",
        "demo --copy -",
    ],
)
def test_a_dash_is_refused_where_a_file_must_be_written(run, tmp_path, demo, line):
    before = {*tmp_path.iterdir()}
    assert "- cannot be standard output" in run(line, code=2).err
    assert {*tmp_path.iterdir()} == before


@pytest.mark.parametrize("dash", ["-o -", "-o-", "--output -", "--output=-"])
def test_a_dash_is_standard_output_however_it_is_written(run, tmp_path, demo, dash):
    assert run(f"{SCORE} {dash}").out == run(SCORE).out
    mine = "convert runs/lead/timelines/dam.txt --to json"
    assert run(f"{mine} {dash}").out == run(mine).out
    assert not (tmp_path / "-").exists()
