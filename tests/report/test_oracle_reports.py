"""Oracles as rows and tables."""

from chronoscore.reports.oracles import table
from chronoscore.reports.rows import as_csv


def test_a_mean_stands_below_the_rows_of_each_method() -> None:
    rows = [
        {"topic": "a", "method": "greedy", "value": 0.2, "sentences": [["d", 1]]},
        {"topic": "b", "method": "greedy", "value": 0.4, "sentences": []},
        {"topic": "a", "method": "exact", "value": 0.5, "sentences": []},
    ]
    found = table(rows, "Oracles")
    assert [cell.text for cell in found.rows[0]] == ["a", "greedy", "0.2000", "1"]
    assert [cell.text for cell in found.rows[-1]] == ["mean", "greedy", "0.3000", ""]
    assert len(found.rows) == 4


def test_lists_are_written_as_json_in_csv() -> None:
    assert as_csv([{"sentences": [["d", 1]], "value": 0.5}]) == (
        'sentences,value\n"[[""d"", 1]]",0.5\n'
    )
