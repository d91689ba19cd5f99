import json
from pathlib import Path

import pytest

from chronoscore.cli import main

GOLD = """2010-04-20
The rig explodes at night.
Eleven workers are missing.
--------------------------------
2010-04-22
The burning platform sinks.
--------------------------------
2010-05-06
A dome is lowered over the leak.
--------------------------------
"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    file = tmp_path / "spill.txt"
    file.write_text(GOLD, encoding="utf-8")
    return file


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["check", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_the_papers_table_is_printed_with_a_verdict(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--on", gold) == 0
    printed = capsys.readouterr().out
    assert "ΔP" in printed
    assert "shift 5" in printed
    assert "P, R and F do not fall (known)" in printed


def test_several_jobs_give_the_same_bytes(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("align", "concat", "--on", gold, "-f", "jsonl")
    alone = capsys.readouterr().out
    run("align", "concat", "--on", gold, "-f", "jsonl", "--jobs", "2")
    assert capsys.readouterr().out == alone


def test_a_known_fault_fails_only_when_strict(gold: Path) -> None:
    assert run("concat", "--on", gold) == 0
    assert run("concat", "--on", gold, "--strict") == 1
    assert run("align", "--on", gold, "--strict") == 0


def test_an_unknown_fault_of_a_users_measure_fails(
    gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counts_entries.py").write_text(
        "def score(output, references):\n    return len(output) / len(references[0])\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert run("counts_entries:score", "--on", gold) == 1


def test_rows_hold_every_part_at_full_precision(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("align", "--on", gold, "--shift", "2", "-f", "json")
    rows = json.loads(capsys.readouterr().out)
    moved = {row["part"]: row["change"] for row in rows if row["test"] == "shift 2"}
    assert set(moved) == {"p", "r", "f"}
    assert moved["p"] == pytest.approx(moved["r"])


def test_articles_that_no_topic_has_are_refused(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "articles"
    empty.mkdir()
    assert run("--on", gold, "--articles", empty) == 3
    assert "no articles.jsonl for any topic" in capsys.readouterr().err
