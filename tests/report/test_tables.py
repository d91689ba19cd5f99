"""Tables: words start on the left, figures end on the right, in every form."""

from chronoscore.reports.tables import Cell, Table, html, latex, markdown, terminal

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
    assert "|---|---:|---:|---:|---|---:|" in markdown(TABLE)
    assert r"\begin{tabular}{lrrrlr}" in latex(TABLE)
    assert '<td class="words">flood</td><td>1.5e-07</td>' in html(TABLE)
    lines = terminal(TABLE).splitlines()
    first, second = (line for line in lines if "dam" in line or "flood" in line)
    assert first.index("22, dam") == second.index("flood")
    assert first.rstrip().endswith("<0.001")
    assert len(first.rstrip()) == len(second.rstrip())
