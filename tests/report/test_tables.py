"""Tables: words start on the left, figures end on the right, in every form."""

import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from chronoscore.core import Row
from chronoscore.reports.rows import as_csv, as_json
from chronoscore.reports.tables import Cell, Table, p_text

TABLE = Table(
    "",
    ("system", "score", "share", "found", "what they share", "p"),
    (
        tuple(map(Cell, ("lead", "0.5", "99.0%", "3/21", "22, dam, water", "<0.001"))),
        tuple(map(Cell, ("2031", "–", "nan", "", "flood", "1.5e-07"))),
    ),
)


def test_words_are_told_from_figures() -> None:
    assert TABLE.wordy == [True, False, False, False, True, False]


def test_every_form_puts_them_on_their_side() -> None:
    assert "|---|---:|---:|---:|---|---:|" in TABLE.markdown()
    assert r"\begin{tabular}{lrrrlr}" in TABLE.latex()
    assert '<td class="words short">flood</td><td>1.5e-07</td>' in TABLE.html()
    lines = TABLE.terminal().splitlines()
    first, second = (line for line in lines if "dam" in line or "flood" in line)
    assert first.index("22, dam") == second.index("flood")
    assert first.rstrip().endswith("<0.001")
    assert len(first.rstrip()) == len(second.rstrip())


@pytest.mark.slow
@pytest.mark.parametrize("style", ["article", "article, twocolumn"])
def test_a_wide_table_compiles_within_its_column(style: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    cell = Cell("0.4438", "[0.391, 0.477]", "abc", best=True)
    table = Table(
        "Eight systems & 4 measures",
        ("system", *(f"align+m1(n={n}).f" for n in range(1, 5))),
        tuple((Cell(f"system_{n} – 100%"), cell, cell, cell, cell) for n in range(8)),
        ("letters: p ≤ 0.05 by Kendall's τ … {a|b} <c> ~ ^ \\", "signature: align+|n:1"),
    )
    kind, _, option = style.partition(", ")
    text = (
        f"\\documentclass[{option}]{{{kind}}}\\usepackage[utf8]{{inputenc}}\\usepackage[T1]{{fontenc}}"
        f"\\usepackage{{booktabs,graphicx}}\\begin{{document}}\n{table.latex()}\\end{{document}}\n"
    )
    (tmp_path / "t.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-800:]
    assert "Overfull \\hbox" not in done.stdout


def test_columns_of_one_name_are_all_kept() -> None:
    table = Table.of("", ("system", "p", "p", "p"), [("lead", "1", "2", "3")])
    assert table.records() == [{"system": "lead", "p": "1", "p 2": "2", "p 3": "3"}]


def test_no_text_breaks_out_of_its_cell() -> None:
    text = "a|b\\c\n<i>&"
    table = Table.of("", ("system", "x|y"), [("lead", text)], [text])
    rows = table.markdown().splitlines()
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows[:3]] == [3, 3, 3]
    assert rows[2].split(" | ")[1] == r"a\|b\\c &lt;i>&amp; |"
    assert rows[4] == r"a\|b\\c &lt;i>&amp;"
    page = table.html()
    assert "<i>" not in page
    assert page.count("&lt;i&gt;&amp;") == 2


def test_names_neither_break_a_line_nor_steer_a_terminal() -> None:
    name = "a\nb\x1b[31m\x9b1m\u2028c"
    table = Table.of(name, (name, "f"), [(name, "0.1")], [name, f"signature: {name}"])
    for text in (table.terminal(), table.latex(), table.markdown()):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", text)
    assert [line.split() for line in table.terminal().splitlines()][4] == [
        r"a\nb\x1b[31m\x9b1m\u2028c",
        "0.1",
    ]
    lines = table.latex().splitlines()
    assert lines[1].startswith("% signature:")
    assert lines[2] == r"\begin{table}"


def test_a_caption_capitalizes_sentences_and_no_symbols() -> None:
    notes = ["b: better than system b", "a topic has two runs", "p, r: rates", "mean of all"]
    caption = Table.of("", ("system", "f"), [("lead", "1")], notes).latex()
    assert r"\caption{b: better than system b. A topic has two runs. p, r: rates. Mean" in caption


def test_intervals_go_below_their_figures_where_more_than_two_columns_have_some() -> None:
    cell = Cell("0.4", "[0.3, 0.5]")
    two = Table("", ("system", "a", "b"), ((Cell("lead"), cell, cell),)).latex()
    assert two.count(r"\begin{tabular}") == 1
    assert r"[2pt]" not in two
    three = Table("", ("system", "a", "b", "c"), ((Cell("lead"), cell, cell, cell),)).latex()
    assert three.count(r"\begin{tabular}") == 4
    assert r" \\[2pt]" in three


def test_a_signature_is_no_part_of_a_caption() -> None:
    lines = Table.of("A", ("x",), [("1",)], ["b & c", "signature: align|n:1"]).latex().splitlines()
    assert "% signature: align|n:1" in lines
    assert [line for line in lines if "caption" in line] == [r"\caption{A. B \& c.}"]


@pytest.mark.parametrize(
    ("p", "text"),
    [(1, "1.0000"), (0.0005, "0.0005"), (1e-4, "0.0001"), (9.9e-5, "9.9e-05"), (math.nan, "–")],
)
def test_a_p_has_four_digits_or_a_power(p: float, text: str) -> None:
    assert p_text(p) == text


def test_what_is_no_number_is_null_or_an_empty_cell() -> None:
    rows: list[Row] = [{"system": "a", "value": math.inf}, {"system": "b", "value": math.nan}]
    assert [row["value"] for row in json.loads(as_json(rows))] == [None, None]
    assert as_csv(rows) == "system,value\na,\nb,\n"
