"""Benchmarks time what users call, and pages quote what benchmarks recorded."""

import re
from functools import partial
from pathlib import Path

import pytest
from benchmarks import corpus, pairs, scorer
from benchmarks.__main__ import PAGES
from benchmarks.contest import Contender, measure
from benchmarks.report import merged, section
from benchmarks.suite import SUITE

ROOT = Path(__file__).parents[1]
WRITERS = {
    "benchmarks.pairs": partial(pairs.write, systems=4, references=2, words=30),
    "benchmarks.corpus": partial(corpus.write, systems=3, topics=48, references=2, words=20),
    "benchmarks.scorer": partial(scorer.write, candidates=5, references=2, dates=4),
}
OURS = {
    f"{benchmark.name}: {contender.does}": contender
    for benchmark in SUITE
    for contender in benchmark.contenders
    if contender.name in ("chronoscore", "inside") and not contender.options.get("engine")
}
RESULTS = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("contender", OURS.values(), ids=OURS)
def test_each_row_of_ours_can_run(contender: Contender, tmp_path: Path) -> None:
    WRITERS[contender.task.partition(":")[0]](tmp_path)
    cost = measure(contender.task, tmp_path, {"share": 1.0, **contender.options})
    assert cost.done == cost.pairs > 0


def test_functions_inside_the_package_are_compared_with_no_other_tool() -> None:
    inside = [
        benchmark
        for benchmark in SUITE
        if any("engine_alone" in contender.task for contender in benchmark.contenders)
    ]
    assert [benchmark.name for benchmark in inside] == ["inside"]
    assert all(one.name.startswith("inside") for one in inside[0].contenders)


def test_rows_of_the_same_tool_keep_their_own_reasons() -> None:
    benchmark = next(one for one in SUITE if one.name == "single")
    reasons = [f"reason {place}" for place, _ in enumerate(benchmark.contenders)]
    written = section(benchmark, reasons, 1.0)
    assert all(written.count(f"could not run: {reason} |") == 1 for reason in reasons)


def test_a_new_result_replaces_the_old_one_of_its_name_alone() -> None:
    page = merged("", {"a": "## a: old", "b": "## b: old"}, ["a", "b"])
    again = merged(page, {"b": "## b: new"}, ["a", "b"])
    assert "## a: old" in again
    assert "## b: new" in again
    assert "## b: old" not in again


def recorded(name: str, who: str, column: str) -> float:
    """A figure of the first row that begins so, in the last record of a benchmark."""
    page = RESULTS.partition(f"<!-- benchmark {name} -->")[2].partition("<!-- benchmark")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
    place = rows[0].index(column)
    row = next(row for row in rows if row[0].startswith(who))
    return float(row[place].replace(",", ""))


def readme_row(start: str) -> list[str]:
    """The cells of a row in the README's comparison, numbers only."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith(f"| {start}"))
    return [
        found.group() if (found := re.match(r"[\d.,]+", cell.strip())) else ""
        for cell in line.strip("|").split("|")[1:]
    ]


def test_the_readme_quotes_what_was_recorded() -> None:
    ours, _, rouge_score, perl, _ = readme_row("12,000 pairs of texts")
    assert ours == f"{recorded('rouge-score', 'chronoscore', 'CPU s'):.2f}"
    assert rouge_score == f"{recorded('rouge-score', 'rouge-score', 'CPU s'):.0f}"
    assert perl == f"{recorded('pairs', 'Perl', 'CPU s'):.0f}"
    ours, tilse, *_ = readme_row("2 systems")
    assert ours == f"{recorded('timelines', 'the same with the start', 'seconds'):.1f}"
    assert tilse == f"{recorded('timelines', 'tilse', 'seconds'):,.0f}"


def test_the_page_of_many_records_quotes_what_was_recorded() -> None:
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    table = page.partition("| records | CPU seconds |")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if re.match(r"\| [\d]", line)]
    assert len(rows) > 3
    commands = RESULTS.partition("<!-- benchmark commands -->")[2].partition("<!-- benchmark")[0]
    for size, cpu, peak, _ in ([cell.strip() for cell in row] for row in rows):
        line = next(
            line for line in commands.splitlines() if line.startswith(f"| {size} | chronoscore |")
        )
        told = [cell.strip() for cell in line.strip("|").split("|")]
        assert float(cpu) == pytest.approx(float(told[2]), abs=0.06)
        assert peak == f"{told[4]} MB"


def test_pages_name_benchmarks_that_there_are() -> None:
    known = {benchmark.name for benchmark in SUITE} | set(PAGES)
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
        for words in re.findall(r"`python -m benchmarks ([^`]+)`", text):
            assert set(words.split()) <= known, f"{page.name}: {words}"
