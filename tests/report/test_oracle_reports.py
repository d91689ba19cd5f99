from chronoscore.report.demo_oracles import oracle_sections
from chronoscore.report.oracles import flattened, table
from chronoscore.report.tables import Table


def test_the_demo_shows_people_below_extractive_below_any_text() -> None:
    drawing, shares, timelines = (content for _, content in oracle_sections())
    assert isinstance(drawing, str)
    assert drawing.count("<rect") == drawing.count("<circle") * 2 == 12
    assert isinstance(shares, Table)
    people, extractive, any_text = (float(cell.text) for cell in shares.rows[-1][2:])
    assert people < extractive < any_text
    assert isinstance(timelines, Table)
    for row in timelines.rows:
        assert float(row[1].text) <= float(row[2].text)
        assert float(row[3].text) <= float(row[4].text)


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
    assert flattened([{"sentences": [["d", 1]], "value": 0.5}]) == [
        {"sentences": '[["d", 1]]', "value": 0.5}
    ]
