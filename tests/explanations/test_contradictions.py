"""Conflicts are told with both spans and their places, in tables, records and pages."""

import json
import re
from pathlib import Path
from typing import Any

import chronoscore

MEASURE = "contradictions"
GOLD = {
    "2010-04-20": "The explosion on the rig killed 11 workers.",
    "2010-05-06": "BP sued Transocean over the dome.",
}
MINE = {
    "2010-04-20": "Smoke is seen.\nAn explosion on the rig killed 110 workers.",
    "2010-05-06": "Transocean sued BP over the dome.",
}


def test_every_conflict_is_a_record_whose_places_hold_its_spans() -> None:
    result = chronoscore.explain({"mine": {"t": MINE}}, {"t": GOLD}, MEASURE)
    rows = [json.loads(line) for line in result.render("jsonl").splitlines()]
    assert [(row["kind"], row["span"], row["source_span"]) for row in rows] == [
        ("number", "110", "11"),
        ("role", "Transocean sued BP", "BP sued Transocean"),
    ]
    assert [row["sentence"] for row in rows] == ["2", "1"]
    for row in rows:
        assert row["text"][row["start"] : row["end"]] == row["span"]
        assert row["source_text"][row["source_start"] : row["source_end"]] == row["source_span"]


def test_a_page_marks_both_spans() -> None:
    page = chronoscore.explain({"mine": {"t": MINE}}, {"t": GOLD}, MEASURE).render("html")
    assert "killed <mark>110</mark> workers" in page
    assert "killed <mark>11</mark> workers" in page


def test_a_part_shows_only_its_kind() -> None:
    result = chronoscore.explain({"mine": {"t": MINE}}, {"t": GOLD}, "contradictions.role")
    assert [row["kind"] for row in result.rows()] == ["role"]
    assert "role 50.0" in str(result)


def test_no_conflict_gives_no_record() -> None:
    result = chronoscore.explain({"gold": {"t": GOLD}}, {"t": GOLD}, MEASURE)
    assert result.rows() == []
    assert "total 0.0" in str(result)
    assert "none found" in str(result)


def test_a_table_cuts_no_word() -> None:
    text = "Reporters said that the terrible explosion killed 110 workers on site."
    shown = str(chronoscore.explain({"mine": {"t": {"2010-04-20": text}}}, {"t": GOLD}, MEASURE))
    row = next(line for line in shown.splitlines() if "number" in line and "110" in line)
    cells = re.split(r"\s{2,}", row.strip())
    for cell, whole in ((cells[2], text), (cells[5], GOLD["2010-04-20"])):
        assert "…" in cell
        assert {*cell.strip("…").split()} <= {*whole.split()}


def test_a_report_shows_the_conflicts_of_each_system(tmp_path: Path) -> None:
    systems = {"mine": {"t": MINE}, "good": {"t": GOLD}}
    path = tmp_path / "report.html"
    chronoscore.report(systems, {"t": GOLD}, ["align+", "contradictions"], path=path)
    page = path.read_text(encoding="utf-8")
    assert "mine: 2 conflicts" in page
    assert "good: " not in page.partition('id="conflicts"')[2].partition("</section>")[0]
    assert "killed <mark>110</mark> workers" in page
    chronoscore.report(systems, {"t": GOLD}, ["align+"], path=path)
    assert 'id="conflicts"' not in path.read_text(encoding="utf-8")


def test_without_a_conflict_no_record_and_no_line_is_printed(run: Any, tmp_path: Path) -> None:
    for name in ("mine", "gold"):
        (tmp_path / f"{name}.txt").write_text("2010-04-20\nThe rig sank.\n----\n")
    words = "explain mine.txt --reference gold.txt -m contradictions -f jsonl"
    assert run(words).out == ""
