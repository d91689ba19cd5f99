"""The paper's tables and figures hold what was computed, and nothing that changes by itself."""

import sys
import xml.etree.ElementTree as ET
from itertools import product

import numpy as np
import pytest

from chronoscore.errors import UsageError
from chronoscore.options.correlation import Bootstrap, CorrelationTest, NoveltyStudy
from chronoscore.reports import plots
from chronoscore.reports.correlation import Correlations, tables
from chronoscore.reports.novelty import (
    fit_table,
    gap_table,
    halves_table,
    redrawing_table,
    study_tables,
)
from chronoscore.reports.plots import scatter
from chronoscore.stats.correlate import compare_correlations, correlate_with_ratings
from chronoscore.stats.scatter import of_predictions, of_scores, robust_line
from chronoscore.stats.score_grid import ScoreGrid
from chronoscore.stats.study import fit_all, format_log_p_value, study_rating_regression

HOW = Bootstrap(times=50)


def judged(machines=12, people=8, topics=6, seed=0):
    """Two update measures and a rating that people get higher than scores foretell."""
    rng = np.random.default_rng(seed)
    size = machines + people
    human = np.arange(size) >= machines
    quality = rng.random((size, 1))
    scores = {}
    for name in ("R1", "R2"):
        scores[name, "ab"] = 0.1 * rng.random((size, 1)) + 0.01 * rng.random((size, topics))
        scores[name, "bb"] = 0.1 * quality + 0.01 * rng.random((size, topics))
    rating = 1 + 2 * quality + human[:, None] + 0.3 * rng.random((size, topics))
    rating = rating - 5 * scores["R1", "ab"]
    names = [f"m{n}" for n in range(machines)] + [f"h{n}" for n in range(people)]
    ids = tuple(f"t{n}" for n in range(topics))
    return ScoreGrid(tuple(names), ids, human, scores, {"pyramid": rating})


def correlations(found, differences=None):
    """What the tables show."""
    return Correlations(
        correlations=found,
        differences=differences,
        judged=judged(),
        who="machines",
        bootstrap=HOW,
        trials=299,
    )


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_the_table_of_halves_has_a_row_for_each_score_and_a_column_for_each_measure():
    one = study_rating_regression(judged(), "pyramid", NoveltyStudy(draws=30))
    table = halves_table([one])
    assert table.columns == ("score", "pyramid R1", "pyramid R2")
    assert [row[0] for row in cells(table)] == ["R(AB)", "R(BB)", "N"]
    values = np.array([[float(text) for text in row[1:]] for row in cells(table)])
    assert values == pytest.approx(np.stack(one.halves), abs=6e-4)
    assert [sum(row[n].best for row in table.rows) for n in (1, 2)] == [1, 1]


def test_the_table_of_draws_gives_medians_p_and_the_paired_interval():
    one = study_rating_regression(judged(), "pyramid", NoveltyStudy(draws=30))
    table = redrawing_table([one], 0)
    drawn = one.redrawn[0]
    assert cells(table)[0][:2] == ["R1", "pyramid"]
    medians = [float(text) for text in cells(table)[0][2:5]]
    assert medians == pytest.approx([m[0] for m in drawn.medians], abs=6e-4)
    assert cells(table)[0][5] == format_log_p_value(float(drawn.log_p[0]))
    low, high = drawn.interval
    assert table.rows[0][6].interval == f"[{low[0]:+.3f}, {high[0]:+.3f}]"
    assert any("ignores that they are paired" in note for note in table.notes)


def test_the_table_of_gaps_names_both_exact_tests():
    one = study_rating_regression(judged(), "pyramid", NoveltyStudy(draws=30))
    table = gap_table([one])
    assert table.columns[-2:] == ("p (sign)", "p (Wilcoxon)")
    medians = [float(text) for text in cells(table)[0][2:4]]
    assert medians == pytest.approx([m[0] for m in one.gap.medians], abs=6e-4)
    closer = int((one.gap.novelty[0] < one.gap.update[0]).sum())
    assert cells(table)[0][4] == f"{closer} of 8"
    assert [cell.best for cell in table.rows[0][2:4]] == [m == min(medians) for m in medians]


def test_a_study_gives_the_tables_that_its_data_allow():
    design = NoveltyStudy(draws=10)
    assert len(study_tables([study_rating_regression(judged(), "pyramid", design)])) == 4
    few = study_rating_regression(judged(machines=6), "pyramid", design)
    assert [table.columns[2] for table in study_tables([few])] == ["R gap"]
    nobody = study_rating_regression(judged(people=0), "pyramid", design)
    assert len(study_tables([nobody])) == 3
    assert "no person" in nobody.missing["gap"]


@pytest.mark.parametrize(
    ("log_p", "printed"),
    [
        (np.log(5.4e-284), "5.4e-284"),
        (-1500.0, "3.6e-652"),
        (np.log(9.99e-9), "1.0e-08"),
        (np.log(0.03), "0.0300"),
        (0.0, "1.0000"),
        (np.nan, "–"),
    ],
)
def test_a_p_of_any_smallness_is_printed(log_p, printed):
    assert format_log_p_value(log_p) == printed


def test_correlations_have_a_table_for_each_rating_and_level():
    found = correlate_with_ratings(judged().only("machines"), how=HOW)
    drawn = tables(correlations(found))
    assert [table.title for table in drawn] == [
        *("pyramid, system level", "pyramid, summary level", "pyramid, global level")
    ]
    assert drawn[0].columns == ("measure", "pearson", "spearman", "kendall", "systems")
    assert cells(drawn[0])[1][0] == "R1.bb"
    value = next(one.value for one in found if (one.measure, one.part) == ("R1", "bb"))
    assert cells(drawn[0])[1][1] == f"{value:.3f}"
    for table, number in product(drawn, (1, 2, 3)):
        sizes = [abs(float(row[number].text)) for row in table.rows]
        assert [row[number].best for row in table.rows] == [one == max(sizes) for one in sizes]


@pytest.mark.parametrize(("one_sided", "sides"), [(True, "one-sided"), (False, "two-sided")])
def test_the_sides_of_a_test_are_told(one_sided, sides):
    way = CorrelationTest(test="williams", one_sided=one_sided)
    found = compare_correlations(judged().only("machines"), way, how=HOW)
    (table,) = tables(correlations([], found))
    assert f"Williams's test, {sides}" in table.notes[0]


def test_differences_are_marked_where_they_are_significant():
    given = judged(machines=40).only("machines")
    found = compare_correlations(
        given, CorrelationTest(test="perm-systems", trials=299), levels=["system"], how=HOW
    )
    (table,) = tables(correlations([], found))
    marked = [row[-1].marks == "*" for row in table.rows]
    assert marked == [one.adjusted <= 0.05 for one in found]
    assert any(marked)


def test_coefficients_have_their_intervals():
    fits = fit_all(judged().only("machines"), ["R1"], ["pyramid"])
    table = fit_table(fits)
    assert cells(table)[0][2] == f"{fits[0].fit.coefficients[0]:.4f}"
    assert table.rows[0][2].interval.startswith("[")


@pytest.fixture(scope="module")
def panels():
    one = study_rating_regression(judged(), "pyramid", NoveltyStudy(draws=5))
    return {"scores": of_scores(one), "predictions": of_predictions(one)}


def test_score_panels_hold_both_kinds_of_points_and_the_line_of_the_machines(panels):
    panel = panels["scores"][0]
    assert len(panel.machines[0]) == 12
    assert len(panel.people[0]) == 8
    constant, slope = robust_line(*panel.machines)
    assert panel.line == pytest.approx((constant, slope))


def test_prediction_panels_set_the_prediction_by_one_score_beside_that_by_both(panels):
    names = [panel.across for panel in panels["predictions"]]
    assert names == [
        *("predicted by R, R1", "predicted by N, R1", "predicted by R, R2", "predicted by N, R2")
    ]
    panel = panels["predictions"][1]
    assert np.corrcoef(*panel.machines)[0, 1] > 0.9


@pytest.mark.parametrize("name", ["scores", "predictions"])
def test_a_figure_has_solid_people_open_machines_a_line_and_a_dashed_minimum(panels, name):
    figure = scatter.panels([panels[name]])
    axes = figure.axes[0]
    machines, people = axes.collections
    assert len(machines.get_facecolors()) == 0
    assert people.get_facecolors()[0].tolist() == [0, 0, 0, 1]
    dashed, line = axes.lines
    assert dashed.get_linestyle() == "--"
    assert dashed.get_ydata()[0] == panels[name][0].people[1].min()
    assert line.get_linestyle() == "-"
    assert line.get_color() == dashed.get_color() == "black"
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[:3] == ["machines", "people", "lowest person"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", plots.ENDINGS)
def test_a_figure_is_the_same_file_every_time(panels, tmp_path, ending):
    paths = [tmp_path / f"{n}{ending}" for n in "ab"]
    for path in paths:
        plots.save(scatter.panels([panels["scores"]]), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_svg_names_its_axes(panels, tmp_path):
    path = tmp_path / "figure.svg"
    plots.save(scatter.panels([panels["scores"]]), path)
    root = ET.parse(path).getroot()
    assert root.tag.endswith("svg")
    assert "R1, R(BB)" in path.read_text()


def test_other_endings_are_refused(panels, tmp_path):
    with pytest.raises(UsageError, match="a plot ends in"):
        plots.save(scatter.panels([panels["scores"]]), tmp_path / "figure.gif")


def test_a_missing_plotting_library_is_named(panels, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"pip install matplotlib"):
        scatter.panels([panels["scores"]])
