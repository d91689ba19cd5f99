"""Tables: words start on the left, figures end on the right, in every form."""

import shutil
import subprocess
from pathlib import Path

import pytest

from chronoscore.reports.tables import Cell, Table

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
