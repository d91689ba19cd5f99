"""Tables on a terminal break no number and no word, at any width."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.reports.catalogue import measure_catalog
from chronoscore.reports.tables import Cell, Table, unbroken
from chronoscore.reports.terminal import draw_table, wrap_words

WORDS = st.text("abcdefgo水害洪水ダム한국é\u0301\u0308", min_size=1, max_size=9)
FIGURES = st.builds(
    Cell,
    st.decimals(-9, 99, places=4, allow_nan=False).map(str),
    st.sampled_from(["", "[0.123, 0.456]", "[-13.793, 4.132]"]),
    st.sampled_from(["", "*", "bcd(e)"]),
    st.booleans(),
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join).map(Cell)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Random tables: columns of figures and of texts, with headings of one or more words."""
    kinds = draw(st.lists(st.sampled_from([TEXTS, FIGURES]), min_size=1, max_size=7))
    headings = [" ".join(draw(st.lists(WORDS, min_size=1, max_size=3))) for _ in kinds]
    count = draw(st.integers(1, 4))
    rows = [tuple(draw(kind) for kind in [TEXTS, *kinds]) for _ in range(count)]
    return Table("a title of words", ("name", *headings), tuple(rows), ("a note in words",))


def display_width(text: str) -> int:
    """How many columns a terminal needs, by Unicode's own tables."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def pieces(table: Table) -> list[str]:
    """What may not be broken: words, figures and intervals."""
    cells = [cell for row in table.rows for cell in row]
    words = [word for cell in cells for word in cell.text.split()]
    words += [word for heading in table.columns for word in heading.split()]
    return words + [text for cell in cells for text in (cell.marks, cell.interval) if text]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@given(table=tables())
def test_no_number_and_no_word_is_broken(table: Table, width: int) -> None:
    lines = [line.plain for line in draw_table(table, width)]
    for piece in pieces(table):
        assert any(piece in line for line in lines), piece
    # Words of at most 18 columns, intervals of 16: all of them fit into 40 columns.
    assert max(map(display_width, lines)) <= width


@given(table=tables())
def test_columns_stay_below_their_headings_whatever_the_width_of_characters(table: Table) -> None:
    lines = [line.plain for line in draw_table(table, 1000)]
    rule = next(number for number, line in enumerate(lines) if line.strip().startswith("─"))
    drawn = [*lines[:rule][-1:], *lines[rule + 1 : rule + 1 + len(table.rows)]]
    assert len({display_width(line) for line in drawn}) == 1


def test_intervals_go_below_before_columns_go_into_blocks() -> None:
    figure = Cell("0.4614", "[0.434, 0.489]")
    table = Table("", ("system", "a.f", "b.f"), ((Cell("careful"), figure, figure),))
    assert [line.plain.strip() for line in draw_table(table, 42)] == [
        "",
        "system              a.f             b.f",
        "─" * 39,
        "careful          0.4614          0.4614",
        "[0.434, 0.489]  [0.434, 0.489]",
        "",
    ]
    blocks = "\n".join(line.plain for line in draw_table(table, 35))
    assert re.findall(r"[ab]\.f|\[", blocks) == ["a.f", "[", "b.f", "["]
    assert "0.4614 [0.434, 0.489]" in blocks


def test_a_narrow_terminal_gets_the_columns_that_count_and_their_own_notes() -> None:
    few = Table("", ("system", "f"), ((Cell("careful"), Cell("0.5")),), ("f: in notes",))
    row = (Cell("careful"), *(Cell("0.123456789") for _ in "pr"), Cell("0.5"))
    table = Table("", ("system", "p", "r", "f"), (row,), ("p and r: in notes",), few)
    wide = "\n".join(line.plain for line in draw_table(table, 60))
    narrow = "\n".join(line.plain for line in draw_table(table, 30))
    assert ("p and r" in wide, "p and r" in narrow) == (True, False)
    assert "f: in notes" in narrow


def test_what_all_rows_share_is_a_note_where_the_table_is_too_wide() -> None:
    rows = [(f"system {name}", "align+m1.f", "0.5", "12") for name in "ab"]
    table = Table.of("", ("systems", "measure", "p", "topics"), rows)
    assert not any("in all rows" in line.plain for line in draw_table(table, 60))
    drawn = [line.plain for line in draw_table(table, 24)]
    assert " ".join(drawn[-2:]) == "in all rows: measure = align+m1.f, topics = 12"


def test_a_row_that_fits_nowhere_is_a_list() -> None:
    table = Table.of("", ("a heading", "another"), [("x" * 30, "one two three four five")])
    lines = [line.plain for line in draw_table(table, 24)]
    assert lines[1:] == ["x" * 30, "  another: one two", "    three four five", ""]


def test_lines_wrap_between_words_by_display_width() -> None:
    assert wrap_words("ダム 決壊 の 報告", 9) == ["ダム 決壊", "の 報告"]
    assert wrap_words("a" * 12 + " b", 5) == ["a" * 12, "b"]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_the_list_of_measures_breaks_no_word(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_catalog()
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = measure_catalog()
    assert narrow.split() == whole.split()
    longest = max(map(len, whole.split()))
    assert max(map(len, narrow.splitlines())) <= max(width, 17 + longest)


def test_a_date_of_several_words_stays_on_one_line() -> None:
    day = unbroken("10 January 44 BC")
    text = "Caesar crossed a river in the north and went on to a city in the south"
    table = Table.of("", ("day", "who", "says"), [(f"rome {day}", "reference", text)])
    drawn = "\n".join(line.plain for line in draw_table(table, 50))
    assert "10 January 44 BC" in drawn
    assert "\xa0" not in drawn
    for other in (table.markdown(), str(table.records())):
        assert "rome 10 January 44 BC" in other
    assert "rome 10~January~44~BC" in table.latex()
