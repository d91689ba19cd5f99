"""Published figures stand only beside the measures and settings they were published for."""

from pathlib import Path

import pytest

import chronoscore as cs

GOLD = {"dam": {"2031-03-01": "The dam broke.", "2031-03-05": "People left the town."}}
MINE = {"mine": {"dam": {"2031-03-01": "The old dam broke."}}}


def rows(result: cs.ScoreResult) -> dict[str, list[str]]:
    (table,) = result.tables()
    return {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}


def test_figures_of_the_paper_stand_below_with_their_source() -> None:
    result = cs.score(
        MINE, GOLD, ["AR1.f", "AR2.f", "dates.f"], compat="tilse", published="timeline17"
    )
    found = rows(result)
    # Table 4 of the paper, Timeline17.
    assert found["DATEWISE (quoted: ACL 2020)"] == ["0.120", "0.035", "0.544"]
    assert found["Chieu 2004 (quoted: ACL 2020)"] == ["0.066", "0.019", "0.251"]
    assert "DATEWISE titles (quoted: ACL 2020)" not in found
    notes = " ".join(result.tables()[0].notes)
    assert "not scored again; they rest on 19 timelines and yours on 1 topic" in notes
    assert "ACL, 1322-1334, Table 4" in notes
    assert len(result.rows()) == 3
    many = {f"t{n}": GOLD["dam"] for n in range(19)}
    result = cs.score({"mine": many}, many, "dates.f", compat="tilse", published="timeline17")
    assert "they rest on" not in " ".join(result.tables()[0].notes)


def test_other_settings_and_measures_get_a_reason_instead() -> None:
    other = cs.score(MINE, GOLD, ["AR1.f", "concat.f"], published="crisis")
    assert list(rows(other)) == ["mine"]
    notes = " ".join(other.tables()[0].notes)
    assert "nothing published beside align+m1: published figures use other settings" in notes
    assert "nothing published beside concat: published figures are of align+m1(n=1)" in notes


def test_another_average_is_not_the_published_one() -> None:
    how = cs.Resampling(rule="mean")
    result = cs.score(MINE, GOLD, "AR1.f", compat="tilse", published="entities", resampling=how)
    assert list(rows(result)) == ["mine"]
    assert "average by of-means" in " ".join(result.tables()[0].notes)


def test_precision_and_mixed_measures_are_left_open() -> None:
    result = cs.score(MINE, GOLD, ["AR1", "concat.f"], compat="tilse", published="crisis")
    assert rows(result)["CLUST (quoted: ACL 2020)"] == ["–", "–", "0.061", "–"]


def test_compare_and_the_report_quote_too(tmp_path) -> None:
    both = {**MINE, "other": {"dam": {"2031-03-05": "People left."}}}
    with pytest.warns(cs.ChronoscoreWarning, match="with 1 topic the smallest"):
        compared = cs.compare(both, GOLD, "AR1.f", compat="tilse", published="crisis")
    assert "DATEWISE titles (quoted: ACL 2020)" in str(compared)
    path = cs.report(
        both, GOLD, "AR1.f", compat="tilse", published="crisis", path=tmp_path / "r.html"
    )
    assert "Beside published figures" in path.read_text()


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_public_outputs_of_a_published_system_have_its_published_figures(data: Path) -> None:
    root = data / "timeline17"
    gold, outputs = {}, {}
    for file in sorted((root / "gold").glob("*/*.txt")):
        topic = f"{file.parent.name.removeprefix('tl17-')}_{file.stem.removesuffix('.co.uk')}"
        (outputs[topic],) = (root / "systems" / "sdf-summaries").glob(f"*_{topic}.txt")
        gold[topic] = file
    result = cs.score({"sdf": outputs}, gold, ["AR1.f", "AR2.f"], compat="tilse")
    assert len(gold) == 19
    assert [f"{one.value:.3f}" for one in result.averages] == ["0.113", "0.033"]
